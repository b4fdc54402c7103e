// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Mocks, MockTarget} from "./Mock.t.sol";

/// Code for mocked functions.
contract MockModel {
    uint256 public number;

    function one() external view returns (uint256) {
        return number + 10;
    }

    function add(uint256 a, uint256 b) external pure returns (uint256) {
        return a * b;
    }

    function pay(uint256 a) external payable returns (uint256) {
        number = a;
        return msg.value + 70;
    }
}

/// Calls that are made to fail, and functions that other code answers.
contract MockRevertTest is Mocks {
    MockModel private model;

    function setUp() public override {
        super.setUp();
        model = new MockModel();
    }

    function checkFailure(bytes memory data, uint256 value, bytes memory reason) private {
        uint256 balance = address(target).balance;
        (bool done, bytes memory result) = address(target).call{value: value}(data);
        vm.assertFalse(done);
        vm.assertEq(result, reason);
        vm.assertEq(address(target).balance, balance);
    }

    function test_mockCallRevert_data() public {
        vm.mockCallRevert(address(target), one, "no");
        checkFailure(one, 0, "no");
        vm.mockCallRevert(address(target), one, "");
        checkFailure(one, 0, "");
        vm.assertEq(target.add(1, 2), 3);
        vm.assertEq(other.one(), 1);
    }

    function test_mockCallRevert_selector() public {
        vm.mockCallRevert(address(target), ADD, "sum");
        checkFailure(abi.encodeCall(target.add, (1, 2)), 0, "sum");
    }

    function test_mockCallRevert_value() public {
        bytes memory pay3 = abi.encodeCall(target.pay, (3));
        vm.mockCallRevert(address(target), 8, pay3, "eight");
        checkFailure(pay3, 8, "eight");
        vm.assertEq(target.pay{value: 7}(3), 7);
    }

    function test_mockCallRevert_valueSelector() public {
        vm.mockCallRevert(address(target), 9, PAY, "nine");
        checkFailure(abi.encodeCall(target.pay, (3)), 9, "nine");
        vm.assertEq(target.pay(3), 0);
    }

    /// The later of two mocks of the same calldata counts, be it an answer or a failure.
    function test_mockCallRevert_orAnswer() public {
        vm.mockCall(address(target), one, abi.encode(5));
        vm.mockCallRevert(address(target), one, "no");
        checkFailure(one, 0, "no");
        vm.mockCall(address(target), one, abi.encode(6));
        vm.assertEq(target.one(), 6);
        vm.mockCallRevert(address(target), bytes(""), "all");
        vm.assertEq(target.one(), 6);
        checkFailure(abi.encodeCall(target.add, (1, 2)), 0, "all");
    }

    function test_mockCallRevert_noCode() public {
        vm.mockCallRevert(address(0x71), MockTarget.one.selector, "a");
        vm.mockCallRevert(address(0x72), 4, one, "b");
        vm.mockCallRevert(address(0x73), 4, MockTarget.one.selector, "c");
        for (uint160 i = 0x71; i <= 0x73; ++i) {
            vm.assertEq(address(i).code, hex"00");
        }
    }

    /// The model's code runs on the target's storage and balance.
    function test_mockFunction_exact() public {
        vm.mockFunction(address(target), address(model), one);
        vm.assertEq(target.one(), 11);
        vm.assertEq(other.nested(target), 11);
        vm.mockFunction(address(target), address(model), abi.encodeCall(target.pay, (5)));
        vm.assertEq(target.pay{value: 2}(5), 72);
        vm.assertEq(target.number(), 5);
        vm.assertEq(address(target).balance, 2);
        vm.assertEq(target.pay{value: 3}(6), 3);
        vm.assertEq(target.number(), 11);
        vm.assertEq(model.number(), 0);
    }

    /// Besides the whole calldata only the selector alone is looked for.
    function test_mockFunction_selector() public {
        vm.mockFunction(address(target), address(model), abi.encodeWithSelector(ADD, 7));
        vm.assertEq(target.add(7, 3), 10);
        vm.mockFunction(address(target), address(model), abi.encodePacked(ADD));
        vm.assertEq(target.add(7, 3), 21);
        vm.mockFunction(address(target), address(other), abi.encodeWithSelector(ADD, 7, 3));
        vm.assertEq(target.add(7, 3), 10);
        vm.assertEq(target.add(7, 4), 28);
        vm.mockFunction(address(target), address(other), "");
        vm.assertEq(target.one(), 1);
    }

    function test_mockFunction_again() public {
        vm.mockFunction(address(target), address(model), one);
        vm.mockFunction(address(target), address(other), one);
        vm.assertEq(target.one(), 1);
    }

    /// It goes before mocked calls and is not cleared with them.
    function test_mockFunction_andMock() public {
        vm.mockFunction(address(target), address(model), one);
        vm.mockCall(address(target), one, abi.encode(44));
        vm.assertEq(target.one(), 11);
        vm.clearMockedCalls();
        vm.assertEq(target.one(), 11);
    }

    function test_mockFunction_noCode() public {
        vm.mockFunction(address(0x71), address(model), one);
        vm.assertEq(address(0x71).code.length, 0);
        (, bytes memory result) = address(0x71).call(one);
        vm.assertEq(result, abi.encode(10));
        vm.mockFunction(address(target), address(0x72), one);
        (bool done, bytes memory nothing) = address(target).call(one);
        vm.assertTrue(done);
        vm.assertEq(nothing, "");
    }

    function delegated() private returns (uint256) {
        (, bytes memory result) = address(target).delegatecall(abi.encodeCall(target.add, (3, 4)));
        return abi.decode(result, (uint256));
    }

    function test_mockFunction_delegateCall() public {
        vm.mockFunction(address(target), address(model), abi.encodePacked(ADD));
        vm.assertEq(delegated(), 12);
    }
}

/// Mocked failures that fail the test.
contract MockRevertErrors is Mocks {
    error Mocked(uint256 code);

    function test_mockCallRevert_reason() public {
        vm.mockCallRevert(address(target), one, abi.encodeWithSignature("Error(string)", "mocked"));
        target.one();
    }

    function test_mockCallRevert_panic() public {
        vm.mockCallRevert(address(target), one, abi.encodeWithSignature("Panic(uint256)", 0x11));
        target.one();
    }

    function test_mockCallRevert_custom() public {
        vm.mockCallRevert(address(target), one, abi.encodeWithSelector(Mocked.selector, 6));
        target.one();
    }

    function test_mockCallRevert_unknown() public {
        vm.mockCallRevert(address(target), one, hex"deadbeef01");
        target.one();
    }

    function test_mockCallRevert_unknownBinary() public {
        vm.mockCallRevert(address(target), one, hex"deadbeefff00");
        target.one();
    }

    function test_mockCallRevert_binary() public {
        vm.mockCallRevert(address(target), one, hex"ff00");
        target.one();
    }

    function test_mockCallRevert_text() public {
        vm.mockCallRevert(address(target), one, "plain");
        target.one();
    }

    function test_mockCallRevert_empty() public {
        vm.mockCallRevert(address(target), one, "");
        target.one();
    }

    function test_mockCallRevert_deeper() public {
        vm.mockCallRevert(address(target), one, "deeper");
        other.nested(target);
    }

    function test_mockCall_tooShort() public {
        vm.mockCall(address(target), one, hex"01");
        target.one();
    }
}
