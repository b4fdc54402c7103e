// What `forge bind-json` writes, as far as EIP-712 is concerned, and lines that are not quite that.
library JsonBindings {
    string constant schema_Person = "Person(string first)";
    string constant schema_Person = "Person(string name,address wallet)";
    string constant schema_Mail = "Mail(Person from,Person to,string contents)Person(string name,address wallet)";
string constant schema_Flat="Flat( uint256 a )";
    string  constant schema_Spaces = "Spaces(uint256 a)";
    string constant schema_Commented = "Commented(uint256 a)"; // no
}
