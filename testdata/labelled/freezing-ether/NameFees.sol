// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable freezing-ether register(bytes32)
/** The fees for names gather in the contract, which never pays anything. */
contract NameFeesBad {
    uint256 public constant FEE = 20 finney;

    address public registrar;
    uint256 public names;
    mapping(bytes32 => address) public ownerOf;

    event Registered(bytes32 indexed name, address owner);
    event Released(bytes32 indexed name);

    constructor() public {
        registrar = msg.sender;
    }

    function register(bytes32 name) external payable {
        require(name != 0 && ownerOf[name] == address(0), "name");
        require(msg.value == FEE, "fee");
        ownerOf[name] = msg.sender;
        names += 1;
        emit Registered(name, msg.sender);
    }

    function release(bytes32 name) external {
        require(ownerOf[name] == msg.sender, "not yours");
        ownerOf[name] = address(0);
        emit Released(name);
    }
}

/// @custom:safe
/** The registrar can have the fees paid to an address of its choice. */
contract NameFeesGood {
    uint256 public constant FEE = 20 finney;

    address public registrar;
    uint256 public names;
    mapping(bytes32 => address) public ownerOf;

    event Registered(bytes32 indexed name, address owner);
    event Released(bytes32 indexed name);

    constructor() public {
        registrar = msg.sender;
    }

    function register(bytes32 name) external payable {
        require(name != 0 && ownerOf[name] == address(0), "name");
        require(msg.value == FEE, "fee");
        ownerOf[name] = msg.sender;
        names += 1;
        emit Registered(name, msg.sender);
    }

    function release(bytes32 name) external {
        require(ownerOf[name] == msg.sender, "not yours");
        ownerOf[name] = address(0);
        emit Released(name);
    }

    function payFees(address payable to) external {
        require(msg.sender == registrar && to != address(0), "registrar only");
        (bool ok, ) = to.call.value(address(this).balance)("");
        require(ok, "rejected");
    }
}
