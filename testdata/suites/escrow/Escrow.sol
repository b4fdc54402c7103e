// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// A token whose owner may one day take a fee of transfers, as well-known ones may.
contract FeeToken is ERC20("Fee Token", "FEE"), Ownable(msg.sender) {
    uint256 public feeBps;

    function setFee(uint256 feeBps_) external onlyOwner {
        require(feeBps_ <= 100, "too high");
        feeBps = feeBps_;
    }

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 fee = from == address(0) || to == address(0) ? 0 : value * feeBps / 10_000;
        super._update(from, to, value - fee);
        if (fee != 0) super._update(from, owner(), fee);
    }
}

/// Holds tokens between a buyer and a seller until one of them lets go.
contract Escrow {
    using SafeERC20 for IERC20;

    struct Deal {
        address buyer;
        address seller;
        uint256 amount;
    }

    IERC20 public immutable token;
    Deal[] public deals;
    uint256 public totalHeld;

    constructor(IERC20 token_) {
        token = token_;
    }

    function deposit(address seller, uint256 amount) external returns (uint256 id) {
        uint256 received = _receive(amount);
        totalHeld += received;
        id = deals.length;
        deals.push(Deal(msg.sender, seller, received));
    }

    /// The buyer pays the seller.
    function release(uint256 id) external {
        require(msg.sender == deals[id].buyer, "not the buyer");
        _payOut(id, deals[id].seller);
    }

    /// The seller gives the money back.
    function refund(uint256 id) external {
        require(msg.sender == deals[id].seller, "not the seller");
        _payOut(id, deals[id].buyer);
    }

    function dealCount() external view returns (uint256) {
        return deals.length;
    }

    function _payOut(uint256 id, address to) private {
        uint256 amount = deals[id].amount;
        deals[id].amount = 0;
        totalHeld -= amount;
        token.safeTransfer(to, amount);
    }

    function _receive(uint256 amount) internal virtual returns (uint256) {
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        return token.balanceOf(address(this)) - before;
    }
}

/// Bug: what was sent is credited, not what arrived.
contract EscrowBug is Escrow {
    using SafeERC20 for IERC20;

    constructor(IERC20 token_) Escrow(token_) {}

    function _receive(uint256 amount) internal override returns (uint256) {
        token.safeTransferFrom(msg.sender, address(this), amount);
        return amount;
    }
}
