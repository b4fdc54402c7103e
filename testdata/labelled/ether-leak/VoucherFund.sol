// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable ether-leak redeem(address,uint256,uint256,uint256,uint8,bytes32,bytes32)
contract VoucherFundBad {
    // upper half of the curve's order: signatures there are the mirror images of those below
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    address public immutable owner;
    address public signer;
    mapping(bytes32 => bool) public redeemed;

    event SignerChanged(address indexed signer);
    event Redeemed(address indexed to, uint256 amount, uint256 nonce, address origin);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    constructor() payable {
        owner = msg.sender;
    }

    receive() external payable {}

    /// the zero address switches vouchers off
    function setSigner(address newSigner) external onlyOwner {
        signer = newSigner;
        emit SignerChanged(newSigner);
    }

    function voucherHash(address to, uint256 amount, uint256 nonce, uint256 deadline)
        public
        view
        returns (bytes32)
    {
        bytes32 inner = keccak256(abi.encode(block.chainid, address(this), to, amount, nonce, deadline));
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", inner));
    }

    /// anybody may hand in a voucher; the ether goes to the one it was made out to
    function redeem(
        address payable to,
        uint256 amount,
        uint256 nonce,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline, "voucher is too old");
        require(uint256(s) <= HALF_ORDER, "bad signature");
        bytes32 hash = voucherHash(to, amount, nonce, deadline);
        require(!redeemed[hash], "redeemed before");
        address recovered = ecrecover(hash, v, r, s);
        require(recovered == signer, "bad signature");

        redeemed[hash] = true;
        emit Redeemed(to, amount, nonce, tx.origin);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    function reclaim(address payable to, uint256 amount) external onlyOwner {
        require(to != address(0), "no receiver");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
contract VoucherFundGood {
    // upper half of the curve's order: signatures there are the mirror images of those below
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    address public immutable owner;
    address public signer;
    mapping(bytes32 => bool) public redeemed;

    event SignerChanged(address indexed signer);
    event Redeemed(address indexed to, uint256 amount, uint256 nonce, address origin);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    constructor() payable {
        owner = msg.sender;
    }

    receive() external payable {}

    /// the zero address switches vouchers off
    function setSigner(address newSigner) external onlyOwner {
        signer = newSigner;
        emit SignerChanged(newSigner);
    }

    function voucherHash(address to, uint256 amount, uint256 nonce, uint256 deadline)
        public
        view
        returns (bytes32)
    {
        bytes32 inner = keccak256(abi.encode(block.chainid, address(this), to, amount, nonce, deadline));
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", inner));
    }

    /// anybody may hand in a voucher; the ether goes to the one it was made out to
    function redeem(
        address payable to,
        uint256 amount,
        uint256 nonce,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline, "voucher is too old");
        require(uint256(s) <= HALF_ORDER, "bad signature");
        bytes32 hash = voucherHash(to, amount, nonce, deadline);
        require(!redeemed[hash], "redeemed before");
        address recovered = ecrecover(hash, v, r, s);
        require(recovered != address(0) && recovered == signer, "bad signature");

        redeemed[hash] = true;
        emit Redeemed(to, amount, nonce, tx.origin);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    function reclaim(address payable to, uint256 amount) external onlyOwner {
        require(to != address(0), "no receiver");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
