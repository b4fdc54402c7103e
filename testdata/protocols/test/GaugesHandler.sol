// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {Gauges} from "../src/Gauges.sol";
import {Gauge} from "../src/gauges/Gauge.sol";

contract GaugesToken is ERC20 {
    constructor(string memory name_) ERC20(name_, name_, 18) {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// Time, and calls whose arguments are addresses, for the caller's account.
contract GaugesHandler is Test {
    Gauges public immutable gauges;
    address[4] public actors;

    constructor(Gauges gauges_, address[4] memory actors_) {
        gauges = gauges_;
        actors = actors_;
    }

    function warp(uint256 secs) external {
        vm.warp(block.timestamp + bound(secs, 1 hours, 14 days));
    }

    function nextWeek() external {
        vm.warp((block.timestamp / 7 days + 1) * 7 days);
    }

    function voteFor(uint256 gaugeSeed, uint256 bps) external {
        address gauge = gauges.gauges(gaugeSeed % gauges.gaugeCount());
        vm.prank(msg.sender);
        gauges.vote(gauge, uint16(bound(bps, 0, 10_000)));
    }

    function moveStake(uint256 gaugeSeed, uint256 toSeed, uint96 amount) external {
        address gauge = gauges.gauges(gaugeSeed % gauges.gaugeCount());
        vm.prank(msg.sender);
        Gauge(gauge).transferStake(actors[toSeed % 4], amount);
    }
}
