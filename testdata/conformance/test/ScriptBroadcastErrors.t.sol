// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Mirror} from "./Mirror.sol";

/// Broadcasts that cannot be.
contract ScriptBroadcastErrors is Conformance {
    Mirror private mirror;

    function setUp() public {
        mirror = new Mirror();
    }

    function test_broadcast_twice() public {
        vm.broadcast();
        vm.broadcast();
    }

    function test_broadcast_prank() public {
        vm.prank(address(1));
        vm.broadcast();
    }

    function test_broadcast_accountPrank() public {
        vm.startPrank(address(1));
        vm.broadcast(address(2));
    }

    function test_broadcast_staticcall() public {
        vm.broadcast();
        mirror.calls();
    }

    function test_broadcast_keyZero() public {
        vm.broadcast(uint256(0));
    }

    function test_broadcast_keyTooLarge() public {
        vm.broadcast(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141);
    }

    function test_broadcast_keyTwice() public {
        vm.broadcast();
        vm.broadcast(77);
    }

    function test_broadcast_poor() public {
        vm.broadcast(address(0x5151));
        mirror.look{value: 1}();
    }

    function test_broadcast_callFails() public {
        vm.broadcast();
        mirror.fail();
    }

    function test_startBroadcast_twice() public {
        vm.startBroadcast();
        vm.startBroadcast();
    }

    function test_startBroadcast_accountTwice() public {
        vm.broadcast();
        vm.startBroadcast(address(1));
    }

    function test_startBroadcast_prank() public {
        vm.startPrank(address(1));
        vm.startBroadcast();
    }

    function test_startBroadcast_keyPrank() public {
        vm.prank(address(1));
        vm.startBroadcast(77);
    }

    function test_startBroadcast_keyZero() public {
        vm.startBroadcast(uint256(0));
    }

    function test_stopBroadcast_none() public {
        vm.stopBroadcast();
    }

    function test_stopBroadcast_used() public {
        vm.broadcast();
        mirror.look();
        vm.stopBroadcast();
    }

    function test_prank_broadcast() public {
        vm.startBroadcast();
        vm.prank(address(1));
    }

    function test_startPrank_broadcast() public {
        vm.broadcast();
        vm.startPrank(address(1), address(2));
    }
}
