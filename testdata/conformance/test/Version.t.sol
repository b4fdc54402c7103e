// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// The version of Foundry, and versions compared with it.
contract VersionTest is Conformance {
    function test_getFoundryVersion_semver_and_build() public {
        string[] memory parts = vm.split(vm.getFoundryVersion(), "+");
        vm.assertEq(parts.length, 2);
        vm.assertEq(parts[0], "1.7.1");
        vm.assertEq(vm.foundryVersionCmp(parts[0]), 0);
        parts = vm.split(parts[1], ".");
        vm.assertEq(parts.length, 3);
        vm.assertEq(bytes(parts[0]).length, 10);
        vm.assertGt(vm.parseUint(parts[1]), 1_700_000_000);
        vm.assertEq(parts[2], "dist");
    }

    function test_foundryVersionCmp_orders() public {
        vm.assertEq(vm.foundryVersionCmp("1.7.1"), 0);
        vm.assertEq(vm.foundryVersionCmp("1.7.0"), 1);
        vm.assertEq(vm.foundryVersionCmp("1.7.2"), -1);
        vm.assertEq(vm.foundryVersionCmp("1.6.99"), 1);
        vm.assertEq(vm.foundryVersionCmp("1.10.0"), -1);
        vm.assertEq(vm.foundryVersionCmp("0.99.99"), 1);
        vm.assertEq(vm.foundryVersionCmp("18446744073709551615.0.0"), -1);
    }

    function test_foundryVersionAtLeast_orders() public {
        vm.assertTrue(vm.foundryVersionAtLeast("1.7.1"));
        vm.assertTrue(vm.foundryVersionAtLeast("0.0.0"));
        vm.assertTrue(vm.foundryVersionAtLeast("1.6.50"));
        vm.assertFalse(vm.foundryVersionAtLeast("1.7.2"));
        vm.assertFalse(vm.foundryVersionAtLeast("1.10.0"));
        vm.assertFalse(vm.foundryVersionAtLeast("2.0.0"));
    }
}

/// Texts that are no version, and versions with more than three numbers.
contract VersionErrors is Conformance {
    function test_foundryVersionCmp_empty() public {
        vm.foundryVersionCmp("");
    }

    function test_foundryVersionCmp_one_number() public {
        vm.foundryVersionCmp("1");
    }

    function test_foundryVersionCmp_two_numbers() public {
        vm.foundryVersionCmp("1.7");
    }

    function test_foundryVersionCmp_four_numbers() public {
        vm.foundryVersionCmp("1.7.1.0");
    }

    function test_foundryVersionCmp_empty_number() public {
        vm.foundryVersionCmp("1..1");
    }

    function test_foundryVersionCmp_letter() public {
        vm.foundryVersionCmp("v1.7.1");
    }

    function test_foundryVersionCmp_letter_after() public {
        vm.foundryVersionCmp("1.7.1a");
    }

    function test_foundryVersionCmp_leading_zero() public {
        vm.foundryVersionCmp("1.07.1");
    }

    function test_foundryVersionCmp_wildcard() public {
        vm.foundryVersionCmp("1.7.x");
    }

    function test_foundryVersionCmp_too_large() public {
        vm.foundryVersionCmp("1.7.18446744073709551616");
    }

    function test_foundryVersionCmp_space() public {
        vm.foundryVersionCmp("1.7.1 ");
    }

    function test_foundryVersionCmp_prerelease() public {
        vm.foundryVersionCmp("1.7.1-rc.1");
    }

    function test_foundryVersionCmp_build() public {
        vm.foundryVersionCmp("1.7.1+abc");
    }

    function test_foundryVersionCmp_prerelease_and_build() public {
        vm.foundryVersionCmp("1.7.1-rc.1+abc");
    }

    function test_foundryVersionCmp_prerelease_empty() public {
        vm.foundryVersionCmp("1.7.1-");
    }

    function test_foundryVersionCmp_own_version() public {
        vm.foundryVersionCmp(string.concat(vm.split(vm.getFoundryVersion(), "+")[0], "+dist"));
    }

    function test_foundryVersionAtLeast_empty() public {
        vm.foundryVersionAtLeast("");
    }

    function test_foundryVersionAtLeast_two_numbers() public {
        vm.foundryVersionAtLeast("1.7");
    }

    function test_foundryVersionAtLeast_word() public {
        vm.foundryVersionAtLeast("latest");
    }

    function test_foundryVersionAtLeast_prerelease() public {
        vm.foundryVersionAtLeast("1.7.1-nightly");
    }

    function test_foundryVersionAtLeast_build() public {
        vm.foundryVersionAtLeast("1.7.1+abc");
    }
}
