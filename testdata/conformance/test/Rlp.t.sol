// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// toRlp and fromRlp: lists of bytes.
contract RlpTest is Conformance {
    function both(bytes[] memory list, bytes memory rlp) internal {
        vm.assertEq(vm.toRlp(list), rlp);
        vm.assertEq(vm.fromRlp(rlp), list);
    }

    function test_toRlp_empty() public {
        both(new bytes[](0), hex"c0");
        both(new bytes[](1), hex"c180");
    }

    function test_toRlp_short() public {
        bytes[] memory list = new bytes[](5);
        (list[0], list[1], list[2], list[3], list[4]) = (bytes(hex"00"), hex"7f", hex"80", "", "abc");
        both(list, hex"c9007f81808083616263");
    }

    function test_toRlp_lengths() public {
        bytes[] memory list = new bytes[](1);
        list[0] = new bytes(55);
        both(list, bytes.concat(hex"f8", hex"38b7", list[0]));
        list[0] = new bytes(56);
        both(list, bytes.concat(hex"f8", hex"3ab838", list[0]));
        list[0] = new bytes(256);
        both(list, bytes.concat(hex"f90103", hex"b90100", list[0]));
        list[0] = new bytes(54);
        both(list, bytes.concat(hex"f7b6", list[0]));
    }

    // A list within the list has to be encoded as bytes.
    function test_toRlp_listInAList() public {
        bytes[] memory list = new bytes[](1);
        list[0] = vm.toRlp(new bytes[](1));
        both(list, hex"c382c180");
    }

    function test_fromRlp_bytesAfterTheList() public {
        vm.assertEq(vm.fromRlp(hex"c18000ff"), new bytes[](1));
    }
}

/// fromRlp with what is no list of bytes.
contract RlpErrors is Conformance {
    function test_fromRlp_empty() public {
        vm.fromRlp("");
    }

    function test_fromRlp_bytes() public {
        vm.fromRlp(hex"83616263");
    }

    function test_fromRlp_byte() public {
        vm.fromRlp(hex"01");
    }

    function test_fromRlp_tooShort() public {
        vm.fromRlp(hex"c4836162");
    }

    function test_fromRlp_tooShortWithin() public {
        vm.fromRlp(hex"c3018261");
    }

    function test_fromRlp_listInAList() public {
        vm.fromRlp(hex"c2c101");
    }

    function test_fromRlp_byteInTwo() public {
        vm.fromRlp(hex"c28101");
    }

    function test_fromRlp_longFormForShort() public {
        vm.fromRlp(hex"c3b80141");
    }

    function test_fromRlp_leadingZero() public {
        vm.fromRlp(hex"f900020102");
    }

    function test_fromRlp_longFormWithoutLength() public {
        vm.fromRlp(hex"f8");
    }

    function test_fromRlp_hugeLength() public {
        vm.fromRlp(hex"ffffffffffffffffff");
    }
}
