// Modelled on audit findings about member lists with an index by address, where whoever is not on the list has the index of the
// first member; and on the multi-signature library that a stranger destroyed in November 2017 (SWC-106).
// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// @custom:vulnerable selfdestruct retire()
/** Whoever is not on the list of guardians has the index zero, and passes for the first of them. */
contract PlaqueHallBad {
    struct Plaque {
        address author;
        bytes32 text;
        bool struck;
    }

    address payable public founder;
    address[] public guardians;
    mapping(address => uint256) public indexOf;

    mapping(uint256 => Plaque) public plaques;
    uint256 public plaqueCount;

    uint256 public confirmations;
    mapping(address => bool) public confirmed;

    event Engraved(uint256 indexed id, address indexed author, bytes32 text);
    event Struck(uint256 indexed id, address indexed guardian);
    event GuardianAdded(address indexed guardian);
    event RetireConfirmed(address indexed guardian, uint256 confirmations);

    modifier onlyGuardian() {
        require(indexOf[msg.sender] < guardians.length, "guardians only"); // <- bug
        _;
    }

    constructor() public {
        founder = msg.sender;
        _add(msg.sender);
    }

    function engrave(bytes32 text) external returns (uint256 id) {
        require(text != 0, "empty");
        id = ++plaqueCount;
        plaques[id] = Plaque(msg.sender, text, false);
        emit Engraved(id, msg.sender, text);
    }

    function strike(uint256 id) external onlyGuardian {
        require(id > 0 && id <= plaqueCount, "no such plaque");
        plaques[id].struck = true;
        emit Struck(id, msg.sender);
    }

    function addGuardian(address guardian) external {
        require(msg.sender == founder, "founder only");
        require(guardian != address(0) && guardian != founder && indexOf[guardian] == 0, "on the list");
        _add(guardian);
    }

    /// More than half of the guardians.
    function quorum() public view returns (uint256) {
        return guardians.length / 2 + 1;
    }

    function confirmRetire() external onlyGuardian {
        require(!confirmed[msg.sender], "confirmed before");
        confirmed[msg.sender] = true;
        confirmations++;
        emit RetireConfirmed(msg.sender, confirmations);
    }

    function retire() external onlyGuardian {
        require(confirmations >= quorum(), "too few");
        selfdestruct(founder); // <- bug
    }

    function _add(address guardian) private {
        indexOf[guardian] = guardians.length;
        guardians.push(guardian);
        emit GuardianAdded(guardian);
    }
}

/// @custom:safe
/** The list must name the caller at the caller's index; only guardians can confirm and retire. */
contract PlaqueHallGood {
    struct Plaque {
        address author;
        bytes32 text;
        bool struck;
    }

    address payable public founder;
    address[] public guardians;
    mapping(address => uint256) public indexOf;

    mapping(uint256 => Plaque) public plaques;
    uint256 public plaqueCount;

    uint256 public confirmations;
    mapping(address => bool) public confirmed;

    event Engraved(uint256 indexed id, address indexed author, bytes32 text);
    event Struck(uint256 indexed id, address indexed guardian);
    event GuardianAdded(address indexed guardian);
    event RetireConfirmed(address indexed guardian, uint256 confirmations);

    modifier onlyGuardian() {
        require(guardians[indexOf[msg.sender]] == msg.sender, "guardians only");
        _;
    }

    constructor() public {
        founder = msg.sender;
        _add(msg.sender);
    }

    function engrave(bytes32 text) external returns (uint256 id) {
        require(text != 0, "empty");
        id = ++plaqueCount;
        plaques[id] = Plaque(msg.sender, text, false);
        emit Engraved(id, msg.sender, text);
    }

    function strike(uint256 id) external onlyGuardian {
        require(id > 0 && id <= plaqueCount, "no such plaque");
        plaques[id].struck = true;
        emit Struck(id, msg.sender);
    }

    function addGuardian(address guardian) external {
        require(msg.sender == founder, "founder only");
        require(guardian != address(0) && guardian != founder && indexOf[guardian] == 0, "on the list");
        _add(guardian);
    }

    /// More than half of the guardians.
    function quorum() public view returns (uint256) {
        return guardians.length / 2 + 1;
    }

    function confirmRetire() external onlyGuardian {
        require(!confirmed[msg.sender], "confirmed before");
        confirmed[msg.sender] = true;
        confirmations++;
        emit RetireConfirmed(msg.sender, confirmations);
    }

    function retire() external onlyGuardian {
        require(confirmations >= quorum(), "too few");
        selfdestruct(founder);
    }

    function _add(address guardian) private {
        indexOf[guardian] = guardians.length;
        guardians.push(guardian);
        emit GuardianAdded(guardian);
    }
}
