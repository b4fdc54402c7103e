// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {Streams} from "../src/Streams.sol";

contract StreamToken is ERC20 {
    constructor() ERC20("Stream Dollar", "SUSD", 18) {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// @notice Time, keepers and the owner beside the direct calls of the actors.
contract StreamsHandler is CommonBase, StdUtils {
    Streams public streams;
    address public owner;
    address[] public actors;

    constructor(Streams streams_, address owner_, address[] memory actors_) {
        streams = streams_;
        owner = owner_;
        actors = actors_;
    }

    function warpDays(uint256 numDays) external {
        vm.warp(block.timestamp + bound(numDays, 1, 28) * 1 days);
    }

    /// @dev One actor starts to stream to another.
    function addBetween(uint256 fromSeed, uint256 toSeed, uint256 rate) external {
        address from = _actor(fromSeed);
        address to = _actor(toSeed);
        rate = bound(rate, 1e18, 1_000_000e18);
        vm.prank(from);
        streams.addReceiver(to, uint80(rate));
    }

    function topUpActor(uint256 seed, uint256 amount) external {
        address actor = _actor(seed);
        amount = bound(amount, 1e18, 5_000_000e18);
        vm.prank(actor);
        streams.topUp(actor, uint96(amount));
    }

    function offerBetween(uint256 senderSeed, uint256 fromSeed, uint256 toSeed) external {
        address sender = _actor(senderSeed);
        address from = _actor(fromSeed);
        address to = _actor(toSeed);
        vm.prank(from);
        streams.offer(sender, to);
    }

    function acceptBetween(uint256 senderSeed, uint256 fromSeed, uint256 toSeed) external {
        address sender = _actor(senderSeed);
        address from = _actor(fromSeed);
        address to = _actor(toSeed);
        vm.prank(to);
        streams.accept(sender, from);
    }

    /// @dev Keepers collect and split for anyone.
    function collectKnown(uint256 seed, uint256 maxCycles) external {
        uint256 count = streams.knownCount();
        if (count == 0) return;
        streams.collect(streams.knownAt(bound(seed, 0, count - 1)), bound(maxCycles, 1, 10));
    }

    function splitKnown(uint256 seed) external {
        uint256 count = streams.knownCount();
        if (count == 0) return;
        streams.split(streams.knownAt(bound(seed, 0, count - 1)));
    }

    function setFee(uint256 bps) external {
        bps = bound(bps, 0, 200);
        vm.prank(owner);
        streams.setFee(bps);
    }

    function sweepFees() external {
        vm.prank(owner);
        streams.sweepFees(owner);
    }

    function _actor(uint256 seed) internal view returns (address) {
        return actors[bound(seed, 0, actors.length - 1)];
    }
}
