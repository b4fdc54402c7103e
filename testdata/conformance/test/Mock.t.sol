// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// What is mocked.
contract MockTarget {
    uint256 public number = 1;

    function one() external pure returns (uint256) {
        return 1;
    }

    function add(uint256 a, uint256 b) external pure returns (uint256) {
        return a + b;
    }

    function pay(uint256 a) external payable returns (uint256) {
        number += a;
        return msg.value;
    }

    function nested(MockTarget next) external view returns (uint256) {
        return next.one();
    }
}

/// Two targets.
abstract contract Mocks is Conformance {
    bytes4 internal constant ADD = MockTarget.add.selector;
    bytes4 internal constant PAY = MockTarget.pay.selector;
    bytes internal one = abi.encodeCall(MockTarget.one, ());
    MockTarget internal target;
    MockTarget internal other;

    function setUp() public virtual {
        target = new MockTarget();
        other = new MockTarget();
    }

    function list(uint256 first, uint256 second) internal pure returns (bytes[] memory results) {
        results = new bytes[](2);
        results[0] = abi.encode(first);
        results[1] = abi.encode(second);
    }
}

/// Calls that are answered in the callee's place.
contract MockTest is Mocks {
    function setUp() public override {
        super.setUp();
        vm.mockCall(address(0x5e), bytes(""), abi.encode(5));
    }

    function test_mockCall_fromSetUp() public {
        vm.assertEq(MockTarget(address(0x5e)).one(), 5);
    }

    function test_mockCall_anyCaller() public {
        vm.mockCall(address(target), one, abi.encode(2));
        vm.assertEq(target.one(), 2);
        vm.assertEq(other.one(), 1);
        vm.assertEq(other.nested(target), 2);
        (, bytes memory result) = address(target).delegatecall(one);
        vm.assertEq(result, abi.encode(2));
        vm.assertEq(target.number(), 1);
    }

    /// The longest calldata that the call's begins with wins.
    function test_mockCall_prefix() public {
        vm.mockCall(address(target), abi.encodePacked(ADD), abi.encode(100));
        vm.mockCall(address(target), abi.encodeWithSelector(ADD, 5), abi.encode(200));
        vm.mockCall(address(target), abi.encodeWithSelector(ADD, 5, 6), abi.encode(300));
        vm.assertEq(target.add(1, 2), 100);
        vm.assertEq(target.add(5, 2), 200);
        vm.assertEq(target.add(5, 6), 300);
        vm.assertEq(target.one(), 1);
        vm.mockCall(address(target), bytes(""), abi.encode(400));
        vm.assertEq(target.one(), 400);
        vm.assertEq(target.add(1, 2), 100);
        vm.mockCall(address(target), bytes.concat(one, hex"00"), abi.encode(500));
        vm.assertEq(target.one(), 400);
    }

    function test_mockCall_again() public {
        vm.mockCall(address(target), one, abi.encode(2));
        vm.mockCall(address(target), one, abi.encode(3));
        vm.assertEq(target.one(), 3);
    }

    function test_mockCall_selector() public {
        vm.mockCall(address(target), ADD, abi.encode(9));
        vm.assertEq(target.add(1, 2), 9);
        vm.mockCall(address(target), abi.encodeWithSelector(ADD, 1, 2), abi.encode(8));
        vm.assertEq(target.add(1, 2), 8);
        vm.assertEq(target.add(2, 2), 9);
    }

    /// A mock of a value is for calls with just that value; the value is paid.
    function test_mockCall_value() public {
        vm.mockCall(address(target), 5, abi.encodeCall(target.pay, (3)), abi.encode(50));
        vm.assertEq(target.pay(3), 0);
        vm.assertEq(target.pay{value: 5}(3), 50);
        vm.assertEq(target.pay{value: 6}(3), 6);
        vm.assertEq(address(target).balance, 11);
        vm.assertEq(target.number(), 7);
    }

    function test_mockCall_anyValue() public {
        vm.mockCall(address(target), abi.encodeCall(target.pay, (3)), abi.encode(60));
        vm.mockCall(address(target), 5, abi.encodeCall(target.pay, (3)), abi.encode(50));
        vm.assertEq(target.pay(3), 60);
        vm.assertEq(target.pay{value: 5}(3), 50);
        vm.assertEq(target.pay{value: 6}(3), 60);
        vm.assertEq(address(target).balance, 11);
        vm.assertEq(target.number(), 1);
    }

    /// Of two mocks the one with the longer calldata wins, whatever their values.
    function test_mockCall_valueSelector() public {
        vm.mockCall(address(target), abi.encodeCall(target.pay, (3)), abi.encode(60));
        vm.mockCall(address(target), 7, PAY, abi.encode(70));
        vm.mockCall(address(target), 0, PAY, abi.encode(71));
        vm.assertEq(target.pay{value: 7}(3), 60);
        vm.assertEq(target.pay{value: 7}(4), 70);
        vm.assertEq(target.pay(4), 71);
        vm.assertEq(target.pay{value: 8}(4), 8);
    }

    function test_mockCall_poor() public {
        vm.mockCall(address(target), PAY, abi.encode(70));
        vm.deal(address(this), 1);
        (bool done, bytes memory result) = address(target).call{value: 2}(abi.encodeCall(target.pay, (3)));
        vm.assertFalse(done);
        vm.assertEq(result, "");
    }

    /// An account without code is given one byte of it.
    function test_mockCall_noCode() public {
        vm.mockCall(address(0x71), one, abi.encode(9));
        vm.mockCall(address(0x72), MockTarget.one.selector, "");
        vm.mockCall(address(0x73), 4, one, "");
        vm.mockCall(address(0x74), 4, MockTarget.one.selector, "");
        vm.mockCalls(address(0x75), one, list(1, 2));
        vm.mockCalls(address(0x76), 4, one, list(1, 2));
        vm.mockCallRevert(address(0x77), one, "");
        for (uint160 i = 0x71; i <= 0x77; ++i) {
            vm.assertEq(address(i).code, hex"00");
        }
        vm.assertEq(MockTarget(address(0x71)).one(), 9);
    }

    function mockAndRevert() external {
        vm.mockCall(address(target), one, abi.encode(2));
        vm.mockCall(address(0x71), one, abi.encode(2));
        revert();
    }

    function test_mockCall_revertedCall() public {
        try this.mockAndRevert() {} catch {}
        vm.assertEq(target.one(), 2);
        vm.assertEq(address(0x71).code.length, 0);
    }

    function test_mockCall_precompile() public {
        vm.mockCall(address(2), bytes(""), abi.encode(2));
        vm.assertEq(sha256("abc"), bytes32(uint256(2)));
    }

    /// Cheatcodes are not mocked.
    function test_mockCall_cheatcode() public {
        vm.mockCall(address(vm), vm.getChainId.selector, abi.encode(3));
        vm.assertEq(vm.getChainId(), 31337);
    }

    function test_mockCall_gas() public {
        vm.mockCall(address(target), one, abi.encode(5));
        vm.assertEq(target.one{gas: 0}(), 5);
    }

    function test_mockCall_etched() public {
        vm.mockCall(address(target), one, abi.encode(5));
        vm.etch(address(target), hex"fe");
        vm.assertEq(target.one(), 5);
    }

    function caller() external view returns (address) {
        return msg.sender;
    }

    function test_mockCall_endsPrank() public {
        vm.mockCall(address(target), one, abi.encode(5));
        vm.prank(address(0xa));
        vm.assertEq(target.one(), 5);
        vm.assertEq(this.caller(), address(this));
    }

    function test_mockCalls_order() public {
        vm.mockCalls(address(target), one, list(10, 11));
        vm.assertEq(target.one(), 10);
        vm.assertEq(other.nested(target), 11);
        vm.assertEq(target.one(), 11);
        vm.assertEq(target.one(), 11);
        vm.mockCalls(address(target), one, list(20, 21));
        vm.assertEq(target.one(), 20);
    }

    function failAfter() external view {
        target.one();
        revert();
    }

    function test_mockCalls_revertedCall() public {
        vm.mockCalls(address(target), one, list(10, 11));
        try this.failAfter() {} catch {}
        vm.assertEq(target.one(), 11);
    }

    function test_mockCalls_value() public {
        vm.mockCalls(address(target), 5, abi.encodeCall(target.pay, (3)), list(10, 11));
        vm.assertEq(target.pay(3), 0);
        vm.assertEq(target.pay{value: 5}(3), 10);
        vm.assertEq(target.pay{value: 5}(3), 11);
        vm.assertEq(target.pay{value: 5}(3), 11);
        vm.assertEq(address(target).balance, 15);
    }

    /// An empty sequence mocks nothing.
    function test_mockCalls_none() public {
        vm.mockCalls(address(target), one, new bytes[](0));
        vm.assertEq(target.one(), 1);
    }

    function test_clearMockedCalls_all() public {
        vm.mockCall(address(target), one, abi.encode(2));
        vm.mockCall(address(0x71), one, abi.encode(2));
        vm.mockCallRevert(address(target), ADD, "");
        vm.clearMockedCalls();
        vm.assertEq(target.one(), 1);
        vm.assertEq(target.add(1, 2), 3);
        vm.assertEq(address(0x71).code, hex"00");
        (bool done, bytes memory result) = address(0x71).call(one);
        vm.assertTrue(done);
        vm.assertEq(result, "");
        vm.clearMockedCalls();
    }
}
