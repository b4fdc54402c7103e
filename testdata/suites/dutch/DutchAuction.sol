// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// Sells pieces one after the other. The price of a piece falls by `RATE` a second from `top`; a piece not sold before
/// it would go below `floor` goes back to the seller.
contract DutchAuction is ERC721("Piece", "PCE") {
    struct Lot {
        uint256 top;
        uint256 floor;
        uint256 openedAt;
        bool sold;
    }

    /// Wei a second.
    uint256 public constant RATE = 1e14;

    address payable public immutable seller;
    Lot[] public lots;

    constructor(address payable seller_) {
        seller = seller_;
    }

    function open(uint256 top, uint256 floor) external {
        require(msg.sender == seller, "not the seller");
        require(lots.length == 0 || !isOpen(lots.length - 1), "another lot is open");
        require(floor > RATE && floor <= top, "bad prices");
        _mint(address(this), lots.length);
        lots.push(Lot(top, floor, block.timestamp, false));
    }

    function buy(uint256 id) external payable {
        require(isOpen(id), "not for sale");
        uint256 price = priceOf(id);
        lots[id].sold = true;
        _transfer(address(this), msg.sender, id);
        Address.sendValue(seller, price);
        Address.sendValue(payable(msg.sender), msg.value - price);
    }

    function reclaim(uint256 id) external {
        require(!lots[id].sold && !isOpen(id), "not to be reclaimed");
        lots[id].sold = true;
        _transfer(address(this), seller, id);
    }

    function isOpen(uint256 id) public view returns (bool) {
        return !lots[id].sold && block.timestamp - lots[id].openedAt <= _lifetime(lots[id]);
    }

    function priceOf(uint256 id) public view returns (uint256) {
        return lots[id].top - RATE * (block.timestamp - lots[id].openedAt);
    }

    function lotCount() external view returns (uint256) {
        return lots.length;
    }

    /// For how many seconds the lot is for sale.
    function _lifetime(Lot storage lot) internal view virtual returns (uint256) {
        return (lot.top - lot.floor) / RATE;
    }
}

/// Bug: the lifetime is rounded up, so that in its last second the price is below the floor.
contract DutchAuctionBug is DutchAuction {
    constructor(address payable seller_) DutchAuction(seller_) {}

    function _lifetime(Lot storage lot) internal view override returns (uint256) {
        return Math.ceilDiv(lot.top - lot.floor, RATE);
    }
}
