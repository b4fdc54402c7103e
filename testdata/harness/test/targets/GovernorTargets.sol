// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ParamGovernor} from "../../src/clearinghouse/ParamGovernor.sol";
import {Properties} from "../Properties.sol";

abstract contract GovernorTargets is Properties {
    uint8 internal constant PARAMS = 9;

    /// @dev A change that can be executed now: the first at or after the seed.
    function _ripe(uint256 seed) internal view returns (bool found, uint256 id) {
        uint256 count = governor.changeCount();
        for (uint256 i; i < count; ++i) {
            id = (seed % count + i) % count;
            ParamGovernor.Change memory c = governor.changeOf(id);
            if (c.state == ParamGovernor.State.Queued && block.timestamp >= c.eta) return (true, id);
        }
        return (false, 0);
    }

    function governor_queue(uint256 paramSeed, uint256 value) public tracked(treasury) {
        uint8 param = uint8(paramSeed % PARAMS);
        ParamGovernor.Bounds memory b = governor.boundsOf(param);
        uint256 current = governor.value(param);
        uint256 low = current > b.min + b.step ? current - b.step : b.min;
        uint256 high = least(current + b.step, b.max);
        governor.queue(param, between(value, low, high));
    }

    function governor_queue_raw(uint8 param, uint256 value) public tracked(treasury) {
        governor.queue(param, value);
    }

    function governor_execute(uint256 seed) public {
        (bool found, uint256 id) = _ripe(seed);
        if (!found) return;
        ParamGovernor.Change memory c = governor.changeOf(id);
        uint256 old = governor.value(c.param);
        __before(treasury);
        governor.execute(id);
        __after(treasury);
        uint256 now_ = governor.value(c.param);
        eq(now_, c.value, "execute: value");
        lte(now_ > old ? now_ - old : old - now_, governor.boundsOf(c.param).step, "execute: step");
    }

    function governor_execute_raw(uint256 id) public tracked(treasury) {
        governor.execute(id);
    }

    function governor_cancel(uint256 seed) public tracked(treasury) {
        uint256 count = governor.changeCount();
        if (count == 0) return;
        uint256 id = seed % count;
        uint256 pending = governor.pending();
        governor.cancel(id);
        eq(governor.pending() + 1, pending, "cancel: pending");
    }

    function prop_paramsInBounds() public {
        for (uint8 p; p < PARAMS; ++p) {
            ParamGovernor.Bounds memory b = governor.boundsOf(p);
            uint256 value = governor.value(p);
            t(value >= b.min && value <= b.max, "params: bounds");
        }
    }
}
