// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

contract Counter {
    uint256 public count;

    function add(uint256 amount) external returns (uint256) {
        return count += amount;
    }
}

/// Mocks that leave code as it is, and expected DELEGATECALLs.
contract CallsTest is Conformance {
    uint256 public count;
    address constant NOBODY = address(0xdead0000);
    bytes constant ADD = abi.encodeCall(Counter.add, (2));

    function test_mockCall_code() public {
        vm.mockCall(NOBODY, ADD, abi.encode(5), false);
        vm.assertEq(NOBODY.code.length, 0);
        (bool done, bytes memory data) = NOBODY.call(ADD);
        vm.assertTrue(done);
        vm.assertEq(data, abi.encode(5));
        vm.mockCall(NOBODY, ADD, abi.encode(6), true);
        vm.assertEq(NOBODY.code, hex"00");
        (, data) = NOBODY.call(ADD);
        vm.assertEq(data, abi.encode(6));
    }

    function test_expectDelegateCall() public {
        address counter = address(new Counter());
        vm.expectDelegateCall(counter, ADD);
        (bool done,) = counter.delegatecall(ADD);
        vm.assertTrue(done);
        vm.assertEq(count, 2);
    }

    /// Of a call that is expected of any kind, a DELEGATECALL is one.
    function test_expectDelegateCall_besideExpectCall() public {
        address counter = address(new Counter());
        vm.expectCall(counter, ADD, 2);
        vm.expectDelegateCall(counter, hex"");
        (bool done,) = counter.delegatecall(ADD);
        vm.assertTrue(done);
        Counter(counter).add(2);
    }
}

contract CallsErrors is Conformance {
    function test_expectDelegateCall_call() public {
        vm.expectDelegateCall(address(0xc0de), abi.encodeWithSignature("count()"));
        (bool done,) = address(0xc0de).call(abi.encodeWithSignature("count()"));
        vm.assertTrue(done);
    }
}
