// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

uint256 constant P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551;

/// signP256 and publicKeyP256.
contract SignP256Test is Conformance {
    function test_publicKeyP256_known() public {
        (uint256 x, uint256 y) = vm.publicKeyP256(1);
        vm.assertEq(x, 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296);
        vm.assertEq(y, 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5);
        (uint256 x2, uint256 y2) = vm.publicKeyP256(P256_ORDER - 1);
        vm.assertEq(x2, x);
        vm.assertNotEq(y2, y);
    }

    function test_signP256_known() public {
        (bytes32 r, bytes32 s) = vm.signP256(1, keccak256("a"));
        vm.assertEq(r, 0xbfef4b2865b876b263e4d4b0accac05473548b17619e9270ee835742232344b1);
        vm.assertEq(s, 0x508d9ba86056f0aebd36c2144a9c40ce6970259bf84fac50bd2b849dd06e8677);
    }

    // The lower s, and valid for the precompile of RIP-7212.
    function test_signP256_isCanonical() public {
        for (uint256 key = 1; key < 12; key++) {
            (bytes32 r, bytes32 s) = vm.signP256(key, keccak256("b"));
            vm.assertLe(uint256(s), P256_ORDER / 2);
            (uint256 x, uint256 y) = vm.publicKeyP256(key);
            (bool ok, bytes memory data) = address(0x100).staticcall(abi.encode(keccak256("b"), r, s, x, y));
            vm.assertTrue(ok);
            vm.assertEq(data, abi.encode(1));
        }
    }
}

/// signP256 and publicKeyP256 with keys that are none.
contract SignP256Errors is Conformance {
    function test_publicKeyP256_zero() public {
        vm.publicKeyP256(0);
    }

    function test_publicKeyP256_max() public {
        vm.publicKeyP256(type(uint256).max);
    }

    function test_signP256_zero() public {
        vm.signP256(0, "digest");
    }

    function test_signP256_order() public {
        vm.signP256(P256_ORDER, "digest");
    }
}

/// createEd25519Key, publicKeyEd25519, signEd25519 and verifyEd25519: they have no errors.
contract SignEd25519Test is Conformance {
    // The salt is the private key.
    function test_createEd25519Key_known() public {
        (bytes32 publicKey, bytes32 privateKey) = vm.createEd25519Key("salt");
        vm.assertEq(publicKey, 0x9310d78229077fee80d962d6f1429c646342580af38bcf5e33e797321f95f826);
        vm.assertEq(privateKey, "salt");
        (publicKey, privateKey) = vm.createEd25519Key(0);
        vm.assertEq(publicKey, 0x3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29);
        vm.assertEq(privateKey, 0);
    }

    function test_publicKeyEd25519_known() public {
        vm.assertEq(vm.publicKeyEd25519("salt"), 0x9310d78229077fee80d962d6f1429c646342580af38bcf5e33e797321f95f826);
        vm.assertEq(
            vm.publicKeyEd25519(bytes32(type(uint256).max)),
            0x76a1592044a6e4f511265bca73a604d90b0529d1df602be30a19a9257660d1f5
        );
    }

    function test_signEd25519_known() public {
        vm.assertEq(
            vm.signEd25519("ns", "msg", "salt"),
            hex"8276ec4c37921986787fb944887776adc7a9346870a2231f1842747fb78cb633"
            hex"16c6f9c4719980cfa166a34cb1af793748eeeac3e66d6e504b1a373ed4e22902"
        );
        vm.assertEq(
            vm.signEd25519("", "", "salt"),
            hex"c08a9d96f379fcee1cab90237b710f5170226a7e7913512ebcfa0c314cdabd35"
            hex"1ea4b15aaa4659e9586e5147cffa77323b55fcbc9151f498e5a54f3c0714fc03"
        );
    }

    // The namespace is what the message begins with, no more.
    function test_signEd25519_namespace() public {
        vm.assertEq(vm.signEd25519("ns", "msg", "salt"), vm.signEd25519("", "nsmsg", "salt"));
        vm.assertNotEq(vm.signEd25519("ns", "msg", "salt"), vm.signEd25519("ms", "msg", "salt"));
    }

    function test_verifyEd25519_valid() public {
        bytes memory signature = vm.signEd25519("ns", "msg", "salt");
        bytes32 publicKey = vm.publicKeyEd25519("salt");
        vm.assertTrue(vm.verifyEd25519(signature, "ns", "msg", publicKey));
        vm.assertTrue(vm.verifyEd25519(signature, "nsm", "sg", publicKey));
        vm.assertTrue(vm.verifyEd25519(vm.signEd25519("", "", "salt"), "", "", publicKey));
    }

    function test_verifyEd25519_invalid() public {
        bytes memory signature = vm.signEd25519("ns", "msg", "salt");
        bytes32 publicKey = vm.publicKeyEd25519("salt");
        vm.assertFalse(vm.verifyEd25519(signature, "ns", "msh", publicKey));
        vm.assertFalse(vm.verifyEd25519(signature, "ns", "msg", vm.publicKeyEd25519("pepper")));
        signature[63] ^= 0x01;
        vm.assertFalse(vm.verifyEd25519(signature, "ns", "msg", publicKey));
    }

    function test_verifyEd25519_lengths() public {
        bytes32 publicKey = vm.publicKeyEd25519("salt");
        vm.assertFalse(vm.verifyEd25519("", "ns", "msg", publicKey));
        vm.assertFalse(vm.verifyEd25519(new bytes(63), "ns", "msg", publicKey));
        vm.assertFalse(vm.verifyEd25519(new bytes(64), "ns", "msg", publicKey));
        vm.assertFalse(
            vm.verifyEd25519(bytes.concat(vm.signEd25519("ns", "msg", "salt"), hex"00"), "ns", "msg", publicKey)
        );
    }

    // By the rules of ZIP 215: points of small order and encodings that are not canonical are keys.
    function test_verifyEd25519_oddKeys() public {
        bytes memory identity = new bytes(64);
        identity[0] = 0x01;
        vm.assertTrue(vm.verifyEd25519(new bytes(64), "ns", "msg", 0));
        vm.assertTrue(vm.verifyEd25519(identity, "ns", "msg", bytes32(bytes1(0x01))));
        vm.assertTrue(
            vm.verifyEd25519(identity, "ns", "msg", 0xeeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f)
        );
        vm.assertFalse(vm.verifyEd25519(new bytes(64), "ns", "msg", bytes32(uint256(2))));
        vm.assertFalse(vm.verifyEd25519(new bytes(64), "ns", "msg", bytes32(type(uint256).max)));
    }
}
