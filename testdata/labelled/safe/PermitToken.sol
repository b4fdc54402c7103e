// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:safe
contract PermitTokenGood {
    string public constant name = "Tonnage";
    string public constant symbol = "TON";
    uint8 public constant decimals = 18;
    uint256 public constant CAP = 100_000_000 ether;
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    address public owner;
    address public nextOwner;
    uint256 public totalSupply;
    mapping(address => bool) public minter;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public nonces;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        owner = msg.sender;
        _mint(msg.sender, 1_000_000 ether);
    }

    function offerOwnership(address to) external {
        require(msg.sender == owner, "not the owner");
        nextOwner = to;
    }

    function acceptOwnership() external {
        require(msg.sender == nextOwner, "not offered");
        owner = msg.sender;
        nextOwner = address(0);
    }

    function setMinter(address who, bool on) external {
        require(msg.sender == owner, "not the owner");
        minter[who] = on;
    }

    function mint(address to, uint256 value) external {
        require(minter[msg.sender], "not a minter");
        _mint(to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            require(allowed >= value, "allowance");
            unchecked {
                allowance[from][msg.sender] = allowed - value;
            }
        }
        _move(from, to, value);
        return true;
    }

    function domain() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)), block.chainid, address(this)
            )
        );
    }

    function permit(address from, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline && uint256(s) <= HALF_ORDER, "late or malleable");
        uint256 nonce;
        unchecked {
            nonce = nonces[from]++;
        }
        bytes32 inner = keccak256(abi.encode(PERMIT, from, spender, value, nonce, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", domain(), inner)), v, r, s);
        require(signer != address(0) && signer == from, "signature");
        _approve(from, spender, value);
    }

    function _approve(address from, address spender, uint256 value) private {
        allowance[from][spender] = value;
        emit Approval(from, spender, value);
    }

    function _mint(address to, uint256 value) private {
        require(to != address(0) && to != address(this), "to");
        require(value <= CAP - totalSupply, "cap");
        unchecked {
            totalSupply += value;
            balanceOf[to] += value;
        }
        emit Transfer(address(0), to, value);
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0) && to != address(this), "to");
        require(balanceOf[from] >= value, "balance");
        unchecked {
            balanceOf[from] -= value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }
}
