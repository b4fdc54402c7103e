// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Functions that no cheatcode has.
interface NoCheatcodes {
    function nothing() external;

    function warp() external;

    function fee(uint128) external;
}

/// Uses a cheatcode while it is created.
contract DispatchMade is Conformance {
    constructor() {
        vm.warp(77);
    }
}

/// How cheatcodes are called and fail, whichever they are.
contract DispatchTest is Conformance {
    function call(bytes memory data) private returns (bool done, bytes memory result) {
        (done, result) = address(vm).call(data);
    }

    function test_fee_errorData() public {
        (bool done, bytes memory reason) = call(abi.encodeCall(vm.fee, (1 << 64)));
        vm.assertFalse(done);
        string memory text = "vm.fee: base fee must be less than 2^64";
        vm.assertEq(reason, abi.encodeWithSignature("CheatcodeError(string)", text));
        vm.assertEq(block.basefee, 0);
    }

    function test_warp_staticCall() public {
        (bool done,) = address(vm).staticcall(abi.encodeCall(vm.warp, (5)));
        vm.assertTrue(done);
        vm.assertEq(block.timestamp, 5);
    }

    /// A delegate call runs the account's own code, which is one byte of zero.
    function test_warp_delegateCall() public {
        vm.assertEq(address(vm).code, hex"00");
        (bool done, bytes memory result) = address(vm).delegatecall(abi.encodeCall(vm.warp, (6)));
        vm.assertTrue(done);
        vm.assertEq(result, "");
        vm.assertEq(block.timestamp, 1);
    }

    /// Value is not paid.
    function test_warp_value() public {
        (bool done,) = address(vm).call{value: 5}(abi.encodeCall(vm.warp, (7)));
        vm.assertTrue(done);
        vm.assertEq(block.timestamp, 7);
        vm.assertEq(address(vm).balance, 0);
    }

    function test_warp_noGas() public {
        (bool done,) = address(vm).call{gas: 0}(abi.encodeCall(vm.warp, (9)));
        vm.assertTrue(done);
        vm.assertEq(block.timestamp, 9);
    }

    function test_warp_trailingBytes() public {
        (bool done,) = call(bytes.concat(abi.encodeCall(vm.warp, (8)), hex"0102"));
        vm.assertTrue(done);
        vm.assertEq(block.timestamp, 8);
    }

    /// The upper bytes of an address are ignored.
    function test_coinbase_dirtyWord() public {
        (bool done,) = call(bytes.concat(vm.coinbase.selector, bytes32(type(uint256).max)));
        vm.assertTrue(done);
        vm.assertEq(block.coinbase, address(type(uint160).max));
    }

    function test_warp_inConstructor() public {
        new DispatchMade();
        vm.assertEq(block.timestamp, 77);
    }
}

/// Calldata that is no cheatcode's.
contract DispatchErrors is Conformance {
    NoCheatcodes private constant NONE = NoCheatcodes(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function fail(bytes memory data) private {
        (, bytes memory reason) = address(vm).call(data);
        assembly {
            revert(add(reason, 32), mload(reason))
        }
    }

    function test_nothing_unknown() public {
        NONE.nothing();
    }

    function test_warp_noArguments() public {
        NONE.warp();
    }

    function test_fee_otherType() public {
        NONE.fee(1);
    }

    function test_warp_onlySelector() public {
        fail(bytes.concat(vm.warp.selector));
    }

    function test_warp_halfArgument() public {
        fail(bytes.concat(vm.warp.selector, hex"0102"));
    }

    function test_blobhashes_badOffset() public {
        fail(bytes.concat(vm.blobhashes.selector, bytes32(type(uint256).max)));
    }

    function test_blobhashes_shortList() public {
        fail(bytes.concat(vm.blobhashes.selector, abi.encode(32, 2, 0)));
    }

    function test_setEvmVersion_badText() public {
        fail(bytes.concat(vm.setEvmVersion.selector, abi.encode(32, 1, bytes32(hex"ff"))));
    }

    function test_nothing_empty() public {
        fail("");
    }

    function test_nothing_oneByte() public {
        fail(hex"01");
    }
}
