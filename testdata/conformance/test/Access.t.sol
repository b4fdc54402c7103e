// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

/// Two slots to read.
contract AccessBox {
    uint256 public first = 1;
    uint256 public second = 2;
}

/// Which accounts and slots are warm, told by what they cost.
contract AccessTest is Conformance {
    uint256 private constant COLD_ACCOUNT = 2500;
    uint256 private constant COLD_SLOT = 2000;
    AccessBox private box;

    function setUp() public {
        box = new AccessBox();
    }

    /// What a read costs more than its repetition; memory is expanded before.
    function extra(function() external view returns (uint256) read) private view returns (uint256) {
        uint256[2] memory costs;
        assembly {
            mstore(0x1000, 0)
        }
        for (uint256 i; i < 2; ++i) {
            uint256 before = gasleft();
            read();
            costs[i] = before - gasleft();
        }
        return costs[0] - costs[1];
    }

    /// Whether BALANCE of the account costs what a cold one does; it is warm afterwards.
    function isCold(address who) private view returns (bool) {
        uint256 cost;
        assembly {
            cost := gas()
            mstore(0, balance(who))
            cost := sub(cost, gas())
        }
        return cost > COLD_ACCOUNT;
    }

    function test_cool_start() public {
        vm.assertEq(extra(box.first), COLD_ACCOUNT + COLD_SLOT);
        vm.assertEq(extra(box.first), 0);
        vm.assertEq(extra(box.second), COLD_SLOT);
    }

    function test_cool_slots() public {
        extra(box.first);
        extra(box.second);
        vm.cool(address(box));
        vm.assertEq(extra(box.first), COLD_SLOT);
        vm.assertEq(extra(box.second), COLD_SLOT);
        vm.cool(address(box));
        vm.assertEq(extra(box.first), COLD_SLOT);
        vm.assertEq(box.first(), 1);
    }

    function test_cool_keepsAccountWarm() public {
        vm.cool(address(0xace));
        vm.assertTrue(isCold(address(0xace)));
        vm.cool(address(0xace));
        vm.assertFalse(isCold(address(0xace)));
    }

    function test_coolSlot_one() public {
        extra(box.first);
        extra(box.second);
        vm.coolSlot(address(box), bytes32(0));
        vm.coolSlot(address(box), bytes32(uint256(9)));
        vm.coolSlot(address(0xace), bytes32(0));
        vm.assertEq(extra(box.second), 0);
        vm.assertEq(extra(box.first), COLD_SLOT);
    }

    function test_warmSlot_cooled() public {
        extra(box.first);
        extra(box.second);
        vm.cool(address(box));
        vm.warmSlot(address(box), bytes32(uint256(1)));
        vm.assertEq(extra(box.second), 0);
        vm.assertEq(extra(box.first), COLD_SLOT);
    }

    /// A slot that was never read is not warmed.
    function test_warmSlot_unread() public {
        vm.warmSlot(address(box), bytes32(0));
        vm.assertEq(extra(box.first), COLD_ACCOUNT + COLD_SLOT);
        vm.warmSlot(address(box), bytes32(uint256(1)));
        vm.assertEq(extra(box.second), COLD_SLOT);
        vm.warmSlot(address(0xace), bytes32(0));
        vm.assertTrue(isCold(address(0xace)));
    }

    /// An access list is for transactions, not for the test itself.
    function test_accessList_inTest() public {
        Vm.AccessListItem[] memory list = new Vm.AccessListItem[](1);
        list[0] = Vm.AccessListItem(address(box), new bytes32[](1));
        vm.accessList(list);
        vm.assertEq(extra(box.first), COLD_ACCOUNT + COLD_SLOT);
    }

    function test_noAccessList_inTest() public {
        vm.noAccessList();
        vm.accessList(new Vm.AccessListItem[](0));
        vm.noAccessList();
        vm.assertEq(extra(box.first), COLD_ACCOUNT + COLD_SLOT);
    }

    function test_load_warms() public {
        vm.load(address(box), bytes32(0));
        vm.assertEq(extra(box.first), 0);
        vm.load(address(0xa1), bytes32(0));
        vm.assertFalse(isCold(address(0xa1)));
    }

    function test_store_warms() public {
        vm.store(address(box), bytes32(0), bytes32(0));
        vm.assertEq(extra(box.first), 0);
        vm.store(address(0xa1), bytes32(0), bytes32(0));
        vm.assertFalse(isCold(address(0xa1)));
    }

    function reverting() external {
        extra(box.second);
        vm.load(address(box), bytes32(0));
        vm.deal(address(0xa1), 1);
        revert();
    }

    /// What a failed call has warmed is cold again.
    function test_load_reverted() public {
        try this.reverting() {} catch {}
        vm.assertTrue(isCold(address(0xa1)));
        vm.assertEq(extra(box.second), COLD_ACCOUNT + COLD_SLOT);
        vm.assertEq(extra(box.first), COLD_SLOT);
    }

    function test_deal_warms() public {
        vm.deal(address(0xa1), 1);
        vm.assertFalse(isCold(address(0xa1)));
        vm.getNonce(address(0xa2));
        vm.assertFalse(isCold(address(0xa2)));
        vm.setNonce(address(0xa3), 1);
        vm.assertFalse(isCold(address(0xa3)));
        vm.etch(address(0xa4), hex"00");
        vm.assertFalse(isCold(address(0xa4)));
    }

    function test_prank_warms() public {
        vm.startPrank(address(0xa1));
        vm.assertFalse(isCold(address(0xa1)));
        vm.stopPrank();
        vm.mockCall(address(0xa2), bytes(""), "");
        vm.assertFalse(isCold(address(0xa2)));
    }

    function test_copyStorage_warms() public {
        vm.cloneAccount(address(0xa1), address(0xa2));
        vm.assertFalse(isCold(address(0xa1)));
        vm.assertFalse(isCold(address(0xa2)));
        vm.copyStorage(address(0xa3), address(0xa4));
        vm.assertFalse(isCold(address(0xa3)));
        vm.assertFalse(isCold(address(0xa4)));
    }

    function test_cool_firstWarmth() public {
        vm.assertTrue(isCold(address(box)));
        vm.assertFalse(isCold(address(this)));
        vm.assertFalse(isCold(msg.sender));
        vm.assertFalse(isCold(address(vm)));
        vm.assertFalse(isCold(address(3)));
        vm.assertFalse(isCold(block.coinbase));
        vm.coinbase(address(0xa1));
        vm.assertTrue(isCold(address(0xa1)));
        vm.label(address(0xa2), "label");
        vm.assertTrue(isCold(address(0xa2)));
    }
}
