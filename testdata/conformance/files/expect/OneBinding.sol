    string constant schema_Only = "Only(uint256 a)";
