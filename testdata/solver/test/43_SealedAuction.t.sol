// SPDX-License-Identifier: MIT
// Class 6: timestamp, value, sender, hash equality, arrays, bytes and structs.
// Hard because: stateful: two values sent with calls and a later claim under sums and a xor (SMT: easy).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

/// Two-round auction; both bids travel as msg.value.
contract Auction {
    uint256 public opening;
    uint256 public closing;
    bool public stolen;

    function open() external payable {
        if (msg.value >= 1 ether) opening = msg.value;
    }

    function close() external payable {
        if (opening != 0 && msg.value > opening) closing = msg.value;
    }

    function claim(uint96 voucher) external {
        if (closing == 0) return;
        if (closing - opening != 2634681619889387477221) return;
        if (opening * 3 + voucher != 38568187718633420766213100057) return;
        if (closing ^ (uint256(voucher) >> 9) != 0x3e4fa44d3a5ea82be2a921) return;
        stolen = true;
    }
}

contract Bidder {
    Auction public auction = new Auction();

    constructor() payable {}

    function openWith(uint80 amount) external {
        auction.open{value: amount}();
    }

    function closeWith(uint80 amount) external {
        auction.close{value: amount}();
    }

    function claim(uint96 voucher) external {
        auction.claim(voucher);
    }
}

contract SealedAuctionTest is Test {
    Bidder internal bidder;

    function setUp() public {
        bidder = new Bidder();
        vm.deal(address(bidder), 1 << 90);
        targetContract(address(bidder));
    }

    function invariant_notStolen() public view {
        assertFalse(bidder.auction().stolen());
    }

    function test_witness() public {
        bidder.openWith(uint80(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b049132074e90ab6c98a)));
        bidder.closeWith(uint80(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0ba3fd2e6d32d06d297)));
        bidder.claim(uint96(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4a865c6acdc378f8808b148d53)));
        assertTrue(bidder.auction().stolen());
        try this.invariant_notStolen() {
            revert("witness does not fail");
        } catch {}
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
