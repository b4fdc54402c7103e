// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Tells of its creation.
contract InitcodeMade {
    uint256 public number;

    event Made(uint256 number);

    constructor(uint256 value) payable {
        number = value;
        emit Made(value);
    }
}

/// Creations that give their initcode back instead.
contract InitcodeTest is Conformance {
    function initcode(uint256 value) private pure returns (bytes memory) {
        return bytes.concat(type(InitcodeMade).creationCode, abi.encode(value));
    }

    function test_interceptInitcode_once() public {
        uint256 nonce = vm.getNonce(address(this));
        vm.recordLogs();
        vm.interceptInitcode();
        try new InitcodeMade(5) {
            vm.assertTrue(false);
        } catch (bytes memory code) {
            vm.assertEq(code, initcode(5));
        }
        vm.assertEq(vm.getNonce(address(this)), nonce);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertEq(new InitcodeMade(6).number(), 6);
    }

    function test_interceptInitcode_create2() public {
        uint256 balance = address(this).balance;
        vm.interceptInitcode();
        try new InitcodeMade{salt: 0, value: 3}(5) {
            vm.assertTrue(false);
        } catch (bytes memory code) {
            vm.assertEq(code, initcode(5));
        }
        vm.assertEq(address(this).balance, balance);
        vm.assertEq(new InitcodeMade{salt: 0}(5).number(), 5);
    }

    function test_interceptInitcode_empty() public {
        vm.interceptInitcode();
        address made;
        uint256 size;
        assembly {
            made := create(0, 0, 0)
            size := returndatasize()
        }
        vm.assertEq(made, address(0));
        vm.assertEq(size, 0);
    }

    function create(uint256 value) external returns (uint256) {
        return new InitcodeMade(value).number();
    }

    /// It waits for the next creation wherever that is.
    function test_interceptInitcode_deeper() public {
        vm.interceptInitcode();
        (bool done, bytes memory result) = address(this).call(abi.encodeCall(this.create, (7)));
        vm.assertFalse(done);
        vm.assertEq(result, initcode(7));
        vm.assertEq(this.create(8), 8);
    }

    function intercept() external {
        vm.interceptInitcode();
        revert();
    }

    function test_interceptInitcode_revertedCall() public {
        try this.intercept() {} catch {}
        (bool done,) = address(this).call(abi.encodeCall(this.create, (7)));
        vm.assertFalse(done);
    }

    function test_interceptInitcode_deployCode() public {
        vm.interceptInitcode();
        try vm.deployCode("Initcode.t.sol:InitcodeMade", abi.encode(4)) {
            vm.assertTrue(false);
        } catch (bytes memory code) {
            vm.assertEq(code, initcode(4));
        }
    }

    function test_interceptInitcode_unused() public {
        vm.interceptInitcode();
    }
}

/// An interception too many, and one whose initcode fails the test.
contract InitcodeErrors is Conformance {
    function test_interceptInitcode_twice() public {
        vm.interceptInitcode();
        vm.interceptInitcode();
    }

    function test_interceptInitcode_uncaught() public {
        vm.interceptInitcode();
        assembly {
            mstore(0, "init")
            pop(create(0, 0, 4))
            returndatacopy(0, 0, returndatasize())
            revert(0, returndatasize())
        }
    }
}
