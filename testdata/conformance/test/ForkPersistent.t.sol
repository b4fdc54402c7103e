// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Ledger, Node} from "./Node.sol";

/// Accounts that go along from fork to fork.
contract ForkPersistentTest is Node {
    address private constant CREATE2 = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    uint256 private value;

    function test_isPersistent_byDefault() public {
        vm.assertTrue(vm.isPersistent(address(this)));
        vm.assertTrue(vm.isPersistent(msg.sender));
        vm.assertTrue(vm.isPersistent(address(vm)));
        vm.assertTrue(vm.isPersistent(CREATE2));
        vm.assertFalse(vm.isPersistent(address(new Ledger())));
        vm.assertFalse(vm.isPersistent(address(LEDGER)));
        vm.assertFalse(vm.isPersistent(address(0)));
        vm.assertFalse(vm.isPersistent(address(1)));
        vm.assertFalse(vm.isPersistent(0x000000000000000000636F6e736F6c652e6c6f67), "console");
    }

    function test_isPersistent_onFork() public {
        vm.createSelectFork(node());
        vm.assertTrue(vm.isPersistent(address(this)));
        vm.assertFalse(vm.isPersistent(address(LEDGER)));
    }

    function test_makePersistent_one() public {
        vm.makePersistent(RICH);
        vm.assertTrue(vm.isPersistent(RICH));
        vm.makePersistent(RICH);
        vm.assertTrue(vm.isPersistent(RICH));
    }

    function test_makePersistent_two() public {
        vm.makePersistent(RICH, RELIC);
        vm.assertTrue(vm.isPersistent(RICH));
        vm.assertTrue(vm.isPersistent(RELIC));
        vm.assertFalse(vm.isPersistent(NOBODY));
    }

    function test_makePersistent_three() public {
        vm.makePersistent(RICH, RELIC, NOBODY);
        vm.assertTrue(vm.isPersistent(RICH));
        vm.assertTrue(vm.isPersistent(RELIC));
        vm.assertTrue(vm.isPersistent(NOBODY));
    }

    function test_makePersistent_array() public {
        address[] memory accounts = new address[](2);
        (accounts[0], accounts[1]) = (RICH, RELIC);
        vm.makePersistent(accounts);
        vm.assertTrue(vm.isPersistent(RICH));
        vm.assertTrue(vm.isPersistent(RELIC));
        vm.makePersistent(new address[](0));
    }

    function test_makePersistent_inRevertedCall() public {
        try this.makeAndRevert() {} catch {}
        vm.assertTrue(vm.isPersistent(RICH));
    }

    function makeAndRevert() external {
        vm.makePersistent(RICH);
        revert();
    }

    function test_makePersistent_contract() public {
        vm.createSelectFork(node(), 2);
        Ledger own = new Ledger();
        own.add(4);
        vm.makePersistent(address(own));
        uint256 two = vm.createSelectFork(node(), 3);
        vm.assertEq(own.total(), 4);
        own.add(1);
        vm.selectFork(0);
        vm.assertEq(own.total(), 5);
        own.add(1);
        vm.selectFork(two);
        vm.assertEq(own.total(), 6);
    }

    function test_makePersistent_accountOfTheNode() public {
        vm.createSelectFork(node(), 2);
        vm.makePersistent(address(LEDGER));
        vm.assertEq(LEDGER.total(), 5);
        vm.createSelectFork(node(), 4);
        vm.assertEq(LEDGER.total(), 5, "a slot read before goes along");
        vm.assertEq(LEDGER.share(ALICE), 12, "others come from the new fork");
    }

    function test_makePersistent_unseenAccount() public {
        vm.createSelectFork(node(), 2);
        vm.makePersistent(address(LEDGER));
        vm.createSelectFork(node(), 4);
        vm.assertEq(LEDGER.total(), 23);
        LEDGER.add(1);
        vm.selectFork(0);
        vm.assertEq(LEDGER.total(), 24);
    }

    function test_makePersistent_balance() public {
        vm.createSelectFork(node());
        vm.makePersistent(RICH, NOBODY);
        vm.deal(RICH, 5);
        vm.deal(NOBODY, 6);
        vm.setNonce(NOBODY, 7);
        vm.createSelectFork(node(), 2);
        vm.assertEq(RICH.balance, 5);
        vm.assertEq(NOBODY.balance, 6);
        vm.assertEq(vm.getNonce(NOBODY), 7);
    }

    function test_makePersistent_etched() public {
        vm.createSelectFork(node());
        vm.etch(NOBODY, hex"602a60005260206000f3");
        vm.store(NOBODY, 0, bytes32(uint256(3)));
        vm.makePersistent(NOBODY);
        vm.createSelectFork(node(), 2);
        (, bytes memory result) = NOBODY.staticcall("");
        vm.assertEq(result, abi.encode(42));
        vm.assertEq(vm.load(NOBODY, 0), bytes32(uint256(3)));
    }

    function test_makePersistent_beforeTheForks() public {
        vm.deal(NOBODY, 6);
        vm.makePersistent(NOBODY);
        vm.createSelectFork(node());
        vm.assertEq(NOBODY.balance, 6);
        vm.deal(NOBODY, 7);
        vm.createSelectFork(node());
        vm.assertEq(NOBODY.balance, 7);
    }

    function test_makePersistent_afterTheOtherForkKnowsIt() public {
        uint256 one = vm.createSelectFork(node());
        vm.deal(RICH, 1);
        uint256 two = vm.createSelectFork(node());
        vm.deal(RICH, 2);
        vm.store(RICH, 0, bytes32(uint256(2)));
        vm.makePersistent(RICH);
        vm.selectFork(one);
        vm.assertEq(RICH.balance, 2);
        vm.assertEq(vm.load(RICH, 0), bytes32(uint256(2)));
        vm.deal(RICH, 3);
        vm.selectFork(two);
        vm.assertEq(RICH.balance, 3);
    }

    function test_revokePersistent_one() public {
        vm.makePersistent(RICH, RELIC);
        vm.revokePersistent(RICH);
        vm.assertFalse(vm.isPersistent(RICH));
        vm.assertTrue(vm.isPersistent(RELIC));
        vm.revokePersistent(NOBODY);
        vm.assertFalse(vm.isPersistent(NOBODY));
    }

    function test_revokePersistent_array() public {
        address[] memory accounts = new address[](2);
        (accounts[0], accounts[1]) = (RICH, RELIC);
        vm.makePersistent(RICH, RELIC, NOBODY);
        vm.revokePersistent(accounts);
        vm.assertFalse(vm.isPersistent(RICH));
        vm.assertFalse(vm.isPersistent(RELIC));
        vm.assertTrue(vm.isPersistent(NOBODY));
        vm.revokePersistent(new address[](0));
    }

    function test_revokePersistent_state() public {
        uint256 one = vm.createSelectFork(node(), 2);
        Ledger own = new Ledger();
        vm.makePersistent(address(own));
        own.add(1);
        uint256 two = vm.createSelectFork(node(), 3);
        vm.revokePersistent(address(own));
        own.add(1);
        vm.selectFork(one);
        vm.assertEq(own.total(), 1);
        own.add(10);
        vm.selectFork(two);
        vm.assertEq(own.total(), 2);
        vm.createSelectFork(node(), 3);
        vm.assertEq(address(own).code.length, 0);
    }

    function test_revokePersistent_sender() public {
        vm.createSelectFork(node(), 2);
        vm.revokePersistent(msg.sender);
        vm.assertFalse(vm.isPersistent(msg.sender));
        vm.createSelectFork(node(), 3);
        vm.assertEq(msg.sender.balance, 0);
        vm.assertEq(vm.getNonce(msg.sender), 0);
    }

    function test_revokePersistent_testerStays() public {
        vm.createSelectFork(node(), 2);
        vm.revokePersistent(address(this));
        vm.assertFalse(vm.isPersistent(address(this)));
        value = 6;
        vm.createSelectFork(node(), 3);
        vm.assertEq(value, 6, "not for long");
        vm.assertTrue(vm.isPersistent(address(this)));
    }

    function test_revokePersistent_fromBeforeTheForks() public {
        Ledger own = new Ledger();
        vm.makePersistent(address(own));
        own.add(5);
        vm.createSelectFork(node(), 2);
        own.add(1);
        vm.revokePersistent(address(own));
        vm.createSelectFork(node(), 3);
        vm.assertEq(own.total(), 5);
        vm.selectFork(0);
        vm.assertEq(own.total(), 6);
    }

    function test_revokePersistent_create2() public {
        vm.revokePersistent(CREATE2);
        vm.assertFalse(vm.isPersistent(CREATE2));
    }

    function test_revokePersistent_inRevertedCall() public {
        vm.makePersistent(RICH);
        try this.revokeAndRevert() {} catch {}
        vm.assertFalse(vm.isPersistent(RICH));
    }

    function revokeAndRevert() external {
        vm.revokePersistent(RICH);
        revert();
    }
}

/// What accounts were made persistent in setUp stays so in the tests.
contract ForkPersistentSetUpTest is Node {
    Ledger private own;

    function setUp() public {
        vm.createSelectFork(node(), 2);
        own = new Ledger();
        own.add(1);
        vm.makePersistent(address(own));
    }

    function test_makePersistent_inSetUp() public {
        vm.assertTrue(vm.isPersistent(address(own)));
        vm.assertTrue(vm.isPersistent(address(this)));
        vm.createSelectFork(node(), 3);
        vm.assertEq(own.total(), 1);
    }

    function test_revokePersistent_ofSetUp() public {
        vm.revokePersistent(address(own));
        vm.createSelectFork(node(), 3);
        vm.assertEq(address(own).code.length, 0);
    }
}
