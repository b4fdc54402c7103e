// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Is called, with and without value, and calls others.
contract Callee {
    function add(uint256 a, uint256 b) external pure returns (uint256) {
        return a + b;
    }

    function pay(uint256 amount) external payable returns (uint256) {
        return amount;
    }

    function fail() external pure {
        revert("failed");
    }

    receive() external payable {}

    fallback() external payable {}
}

contract Caller {
    Callee immutable callee;

    constructor(Callee callee_) payable {
        callee = callee_;
    }

    function add(uint256 a, uint256 b) external view returns (uint256) {
        return callee.add(a, b);
    }

    function pay(uint256 amount, uint256 gas) external {
        callee.pay{value: amount, gas: gas}(amount);
    }

    function addAndRevert() external view {
        callee.add(1, 2);
        revert("undone");
    }

    function addByDelegate(uint256 a, uint256 b) external {
        (bool ok,) = address(callee).delegatecall(abi.encodeCall(Callee.add, (a, b)));
        require(ok);
    }
}

/// expectCall and expectCallMinGas: which calls satisfy them.
contract ExpectCallTest is Conformance {
    Callee callee = new Callee();
    Caller caller;

    function setUp() public {
        vm.deal(address(this), 100 ether);
        caller = new Caller{value: 10 ether}(callee);
    }

    function test_expectCall_data() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)));
        callee.add(1, 2);
    }

    function test_expectCall_deeper() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)));
        caller.add(1, 2);
    }

    function test_expectCall_dataIsAPrefix() public {
        vm.expectCall(address(callee), abi.encodeWithSelector(Callee.add.selector));
        vm.expectCall(address(callee), "");
        vm.expectCall(address(callee), abi.encodeWithSelector(Callee.add.selector, 1));
        callee.add(1, 2);
    }

    function test_expectCall_moreIsFine() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)));
        callee.add(1, 2);
        callee.add(3, 4);
        callee.add(1, 2);
    }

    function test_expectCall_eachExpectationAddsOne() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)));
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)));
        callee.add(1, 2);
        caller.add(1, 2);
    }

    function test_expectCall_revertedCallsCount() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.fail, ()));
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)));
        try callee.fail() {} catch {}
        try caller.addAndRevert() {} catch {}
    }

    function test_expectCall_mockedCallsCount() public {
        bytes memory data = abi.encodeCall(Callee.add, (1, 2));
        vm.mockCall(address(callee), data, abi.encode(9));
        vm.expectCall(address(callee), data);
        vm.assertEq(callee.add(1, 2), 9);
    }

    function test_expectCall_delegatecall() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)), 1);
        caller.addByDelegate(1, 2);
    }

    function test_expectCall_noCode() public {
        vm.expectCall(address(0x1234), hex"01");
        (bool ok,) = address(0x1234).call(hex"0102");
        vm.assertTrue(ok);
    }

    function test_expectCall_precompile() public {
        vm.expectCall(address(2), "abc");
        vm.assertEq(sha256("abcd"), 0x88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589);
    }

    function test_expectCall_prank() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)));
        vm.prank(address(1));
        callee.add(1, 2);
    }

    function test_expectCall_count() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)), 2);
        callee.add(1, 2);
        callee.add(2, 2);
        callee.add(1, 2);
    }

    function test_expectCall_countZero() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)), 0);
        callee.add(2, 1);
    }

    function test_expectCall_dataAndPrefixAreSeparate() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)), 1);
        vm.expectCall(address(callee), abi.encodeWithSelector(Callee.add.selector), 2);
        callee.add(1, 2);
        callee.add(1, 3);
    }

    function test_expectCall_value() public {
        vm.expectCall(address(callee), 5, abi.encodeCall(Callee.pay, (5)));
        callee.pay{value: 5}(5);
    }

    function test_expectCall_valueTransfer() public {
        vm.expectCall(address(callee), 7, "");
        payable(callee).transfer(7);
    }

    function test_expectCall_valueZero() public {
        vm.expectCall(address(callee), 0, abi.encodeCall(Callee.pay, (5)));
        callee.pay(5);
        vm.expectCall(address(callee), 0, abi.encodeCall(Callee.add, (1, 2)));
        callee.add(1, 2);
    }

    function test_expectCall_valueCount() public {
        vm.expectCall(address(callee), 5, abi.encodeWithSelector(Callee.pay.selector), 2);
        callee.pay{value: 5}(1);
        callee.pay{value: 6}(1);
        callee.pay{value: 5}(2);
    }

    function test_expectCall_valueCountZero() public {
        vm.expectCall(address(callee), 5, abi.encodeCall(Callee.pay, (5)), 0);
        callee.pay{value: 6}(5);
    }

    // With value the stipend of 2300 is added to the expected gas.
    function test_expectCall_gas() public {
        vm.expectCall(address(callee), 5, 50_000, abi.encodeCall(Callee.pay, (5)));
        caller.pay(5, 50_000);
    }

    function test_expectCall_gasWithoutValue() public {
        vm.expectCall(address(callee), 0, 50_000, abi.encodeCall(Callee.pay, (0)));
        caller.pay(0, 50_000);
    }

    function test_expectCall_gasCount() public {
        vm.expectCall(address(callee), 5, 50_000, abi.encodeCall(Callee.pay, (5)), 2);
        caller.pay(5, 50_000);
        caller.pay(5, 50_001);
        caller.pay(5, 50_000);
    }

    function test_expectCallMinGas_enough() public {
        vm.expectCallMinGas(address(callee), 5, 50_000, abi.encodeCall(Callee.pay, (5)));
        caller.pay(5, 50_000);
        vm.expectCallMinGas(address(callee), 0, 50_000, abi.encodeCall(Callee.pay, (0)));
        caller.pay(0, 70_000);
    }

    function test_expectCallMinGas_count() public {
        vm.expectCallMinGas(address(callee), 5, 50_000, abi.encodeCall(Callee.pay, (5)), 2);
        caller.pay(5, 60_000);
        caller.pay(5, 49_999);
        caller.pay(5, 50_000);
    }

    // A state that is restored takes nothing of what was seen with it.
    function test_expectCall_snapshot() public {
        uint256 id = vm.snapshotState();
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)), 1);
        callee.add(1, 2);
        vm.revertToState(id);
    }
}

/// expectCall and expectCallMinGas: calls that do not come, or come too often.
contract ExpectCallErrors is Conformance {
    Callee callee = new Callee();
    Caller caller;

    function setUp() public {
        vm.deal(address(this), 100 ether);
        caller = new Caller{value: 10 ether}(callee);
    }

    function test_expectCall_none() public {
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)));
    }

    function test_expectCall_otherData() public {
        vm.expectCall(address(callee), abi.encodeWithSelector(Callee.add.selector, 1));
        callee.add(2, 1);
    }

    function test_expectCall_before() public {
        callee.add(1, 2);
        vm.expectCall(address(callee), abi.encodeCall(Callee.add, (1, 2)));
    }

    function test_expectCall_longerThanTheCall() public {
        vm.expectCall(address(callee), hex"0102");
        (bool ok,) = address(callee).call(hex"01");
        vm.assertTrue(ok);
    }

    function test_expectCall_onceOfTwice() public {
        vm.expectCall(address(callee), "");
        vm.expectCall(address(callee), "");
        callee.add(1, 2);
    }

    function test_expectCall_tooFew() public {
        vm.expectCall(address(callee), abi.encodeWithSelector(Callee.fail.selector), 2);
        try callee.fail() {} catch {}
    }

    function test_expectCall_tooMany() public {
        vm.expectCall(address(callee), abi.encodeWithSelector(Callee.add.selector), 1);
        callee.add(1, 2);
        callee.add(1, 2);
    }

    function test_expectCall_countZero() public {
        vm.expectCall(address(callee), abi.encodeWithSelector(Callee.add.selector), 0);
        callee.add(1, 2);
    }

    function test_expectCall_value() public {
        vm.expectCall(address(callee), 5, abi.encodeWithSelector(Callee.pay.selector));
        callee.pay{value: 4}(5);
    }

    // A delegatecall has no value, not even zero.
    function test_expectCall_valueZeroDelegate() public {
        vm.expectCall(address(callee), 0, abi.encodeWithSelector(Callee.add.selector));
        caller.addByDelegate(1, 2);
    }

    function test_expectCall_valueCount() public {
        vm.expectCall(address(callee), 5, abi.encodeWithSelector(Callee.pay.selector), 2);
        callee.pay{value: 5}(5);
    }

    function test_expectCall_gas() public {
        vm.expectCall(address(callee), 5, 50_000, abi.encodeWithSelector(Callee.pay.selector));
        caller.pay(5, 50_001);
    }

    function test_expectCall_gasWithoutValue() public {
        vm.expectCall(address(callee), 0, 50_000, abi.encodeWithSelector(Callee.pay.selector));
        caller.pay(0, 49_999);
    }

    function test_expectCall_gasCount() public {
        vm.expectCall(address(callee), 5, 50_000, abi.encodeWithSelector(Callee.pay.selector), 2);
        caller.pay(5, 50_000);
    }

    function test_expectCallMinGas_less() public {
        vm.expectCallMinGas(address(callee), 5, 50_000, abi.encodeWithSelector(Callee.pay.selector));
        caller.pay(5, 49_999);
    }

    function test_expectCallMinGas_count() public {
        vm.expectCallMinGas(address(callee), 0, 50_000, abi.encodeWithSelector(Callee.pay.selector), 1);
        caller.pay(0, 50_000);
        caller.pay(0, 60_000);
    }

    function test_expectCall_countedTwice() public {
        vm.expectCall(address(callee), "", 1);
        vm.expectCall(address(callee), "", 1);
    }

    function test_expectCall_countedAfterUncounted() public {
        vm.expectCall(address(callee), "");
        vm.expectCall(address(callee), "", 1);
    }

    function test_expectCall_uncountedAfterCounted() public {
        vm.expectCall(address(callee), "", 1);
        vm.expectCall(address(callee), "");
    }

    function test_expectCallMinGas_countedTwice() public {
        vm.expectCallMinGas(address(callee), 0, 1, "", 1);
        vm.expectCallMinGas(address(callee), 0, 2, "", 1);
    }

    function test_expectCallMinGas_uncountedAfterCounted() public {
        vm.expectCallMinGas(address(callee), 0, 1, "", 1);
        vm.expectCallMinGas(address(callee), 0, 2, "");
    }

    function test_expectCall_ownRevert() public {
        vm.expectCall(address(callee), "");
        revert("own");
    }
}
