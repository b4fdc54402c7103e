// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: a fee above the amount. Calls: 2 (announce, deliver). Width: the checksum of the first call must fit to two
// numbers of the second, and the fee must be the larger of these.

import {Bridge} from "../src/Bridge.sol";
import {Senders} from "./Senders.sol";

/// @custom:bug calls=2
/// @custom:expect invariant_noHugeDelivery FAIL
contract BridgeTest is Senders {
    Bridge internal bridge;

    function setUp() public {
        bridge = new Bridge();
    }

    function invariant_noHugeDelivery() external view {
        assert(bridge.largest() < 2 ** 63);
    }
}
