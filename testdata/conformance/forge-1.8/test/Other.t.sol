// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// What cheatcodes of earlier versions do otherwise.
contract OtherTest is Conformance {
    string constant JUNK = "test test test test test test test test test test test junk";

    function test_load_precompile() public {
        vm.assertEq(vm.load(address(2), 0), 0);
    }

    function test_deriveKey_overflow() public {
        fails(
            abi.encodeWithSignature("deriveKey(string,uint32)", JUNK, uint32(1) << 31),
            "vm.deriveKey: BIP32 index 2147483648 already sets harden bit (must be < 2147483648)"
        );
        fails(
            abi.encodeWithSignature("deriveKey(string,string,uint32)", JUNK, "m/2147483648'", 0),
            "vm.deriveKey: BIP32 component 2147483648' overflows harden bit (index must be < 2147483648)"
        );
    }

    function test_tempo() public {
        fails(
            abi.encodeWithSignature("setLogoURI(address,string)", address(1), "x"),
            "vm.setLogoURI: this cheatcode is for Tempo networks, which are not supported"
        );
    }
}
