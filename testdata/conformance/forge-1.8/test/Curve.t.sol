// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Points of secp256k1.
contract CurveTest is Conformance {
    uint256 constant PRIME = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f;
    uint256 constant ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    /// The public key of a private key, which is a multiple of the generator.
    function point(uint256 key) internal returns (uint256, uint256) {
        return (vm.createWallet(key).publicKeyX, vm.createWallet(key).publicKeyY);
    }

    function check(uint256 x, uint256 y, uint256 key) internal {
        (uint256 keyX, uint256 keyY) = point(key);
        vm.assertEq(x, keyX);
        vm.assertEq(y, keyY);
    }

    function test_ecAddAffine() public {
        (uint256 x, uint256 y) = point(5);
        (uint256 otherX, uint256 otherY) = point(9);
        (uint256 sumX, uint256 sumY) = vm.ecAddAffine(x, y, otherX, otherY);
        check(sumX, sumY, 14);
        (sumX, sumY) = vm.ecAddAffine(x, y, x, y);
        check(sumX, sumY, 10);
        (sumX, sumY) = vm.ecAddAffine(x, y, 0, 0);
        check(sumX, sumY, 5);
        (sumX, sumY) = vm.ecAddAffine(x, y, x, PRIME - y);
        vm.assertEq(sumX + sumY, 0);
        bytes memory call = abi.encodeWithSignature("ecAddAffine(uint256,uint256,uint256,uint256)", x, y, 1, 1);
        fails(call, "vm.ecAddAffine: invalid secp256k1 second point");
    }

    function test_ecMulAffine() public {
        (uint256 x, uint256 y) = point(5);
        (uint256 mulX, uint256 mulY) = vm.ecMulAffine(x, y, 7);
        check(mulX, mulY, 35);
        (mulX, mulY) = vm.ecMulAffine(x, y, ORDER + 1);
        check(mulX, mulY, 5);
        (mulX, mulY) = vm.ecMulAffine(x, y, ORDER);
        vm.assertEq(mulX + mulY, 0);
        bytes memory call = abi.encodeWithSignature("ecMulAffine(uint256,uint256,uint256)", x, y + 1, 1);
        fails(call, "vm.ecMulAffine: invalid secp256k1 point");
    }

    function test_ecAddProjective() public {
        (uint256 x, uint256 y) = point(5);
        (uint256 otherX, uint256 otherY) = point(9);
        (uint256 sumX, uint256 sumY, uint256 sumZ) =
            vm.ecAddProjective(mulmod(x, 3, PRIME), mulmod(y, 3, PRIME), 3, otherX, otherY, 1);
        check(sumX, sumY, 14);
        vm.assertEq(sumZ, 1);
        (sumX, sumY, sumZ) = vm.ecAddProjective(x, y, 1, 0, 8, 0);
        check(sumX, sumY, 5);
        bytes memory call = abi.encodeWithSignature(
            "ecAddProjective(uint256,uint256,uint256,uint256,uint256,uint256)", x, y, PRIME, x, y, 1
        );
        fails(call, "vm.ecAddProjective: invalid secp256k1 first point");
    }

    function test_ecMulProjective() public {
        (uint256 x, uint256 y) = point(5);
        (uint256 mulX, uint256 mulY, uint256 mulZ) = vm.ecMulProjective(x, y, 1, 7);
        check(mulX, mulY, 35);
        (mulX, mulY, mulZ) = vm.ecMulProjective(x, y, 1, 0);
        vm.assertEq(mulX, 0);
        vm.assertEq(mulY, 1);
        vm.assertEq(mulZ, 0);
        bytes memory call =
            abi.encodeWithSignature("ecMulProjective(uint256,uint256,uint256,uint256)", 0, 0, 0, 1);
        fails(call, "vm.ecMulProjective: invalid secp256k1 point");
    }
}
