// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

uint256 constant SECP256K1_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

/// addr, sign, signCompact and signWithNonceUnsafe.
contract SignTest is Conformance {
    bytes32 constant DIGEST = keccak256("a");

    function test_addr_known() public {
        vm.assertEq(vm.addr(1), 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf);
        vm.assertEq(vm.addr(SECP256K1_ORDER - 1), 0x80C0dbf239224071c59dD8970ab9d542E3414aB2);
    }

    // Deterministic by RFC 6979, with the lower s.
    function test_sign_privateKey() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(1, DIGEST);
        vm.assertEq(v, uint256(27));
        vm.assertEq(r, 0x35e9d8968cc04629c7019b3bb42456bc5d97a1b61ebf0e74bd170d2bc2e3ba81);
        vm.assertEq(s, 0x7a4d39021b79e2eda85b31570e917a71f1d2984160ac2a21f97bc495dd6d426a);
        vm.assertEq(ecrecover(DIGEST, v, r, s), vm.addr(1));
        (v, r, s) = vm.sign(1, 0);
        vm.assertEq(v, uint256(28));
        vm.assertEq(r, 0xa0b37f8fba683cc68f6574cd43b39f0343a50008bf6ccea9d13231d9e7e2e1e4);
        vm.assertEq(s, 0x11edc8d307254296264aebfc3dc76cd8b668373a072fd64665b50000e9fcce52);
    }

    function test_sign_isCanonical() public {
        for (uint256 key = 1; key < 20; key++) {
            (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, bytes32(type(uint256).max));
            vm.assertLe(uint256(s), SECP256K1_ORDER / 2);
            vm.assertEq(ecrecover(bytes32(type(uint256).max), v, r, s), vm.addr(key));
        }
    }

    // Of the wallet only the private key counts.
    function test_sign_wallet() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(Vm.Wallet(address(9), 8, 7, 1), DIGEST);
        (uint8 v2, bytes32 r2, bytes32 s2) = vm.sign(1, DIGEST);
        vm.assertEq(abi.encode(v, r, s), abi.encode(v2, r2, s2));
        (v, r, s) = vm.sign(vm.createWallet("signer"), DIGEST);
        vm.assertEq(ecrecover(DIGEST, v, r, s), vm.addr(uint256(keccak256("signer"))));
    }

    function test_sign_onlyRememberedWallet() public {
        address signer = vm.rememberKey(3);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(DIGEST);
        vm.assertEq(ecrecover(DIGEST, v, r, s), signer);
    }

    function test_sign_rememberedAddress() public {
        vm.rememberKey(3);
        address signer = vm.rememberKey(1);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(signer, DIGEST);
        (uint8 v2, bytes32 r2, bytes32 s2) = vm.sign(1, DIGEST);
        vm.assertEq(abi.encode(v, r, s), abi.encode(v2, r2, s2));
    }

    // What is remembered in a call that is undone stays remembered.
    function test_sign_rememberedInAnUndoneCall() public {
        uint256 id = vm.snapshotState();
        try this.rememberAndRevert() {} catch {}
        vm.revertToState(id);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(DIGEST);
        vm.assertEq(ecrecover(DIGEST, v, r, s), vm.addr(7));
    }

    function rememberAndRevert() external {
        vm.rememberKey(7);
        revert();
    }

    // EIP-2098: the parity of the point is the highest bit of s.
    function test_signCompact_privateKey() public {
        for (uint256 key = 1; key < 20; key++) {
            (bytes32 r, bytes32 vs) = vm.signCompact(key, DIGEST);
            (uint8 v2, bytes32 r2, bytes32 s2) = vm.sign(key, DIGEST);
            vm.assertEq(r, r2);
            vm.assertEq(vs, bytes32(uint256(s2) | (uint256(v2 - 27) << 255)));
        }
    }

    function test_signCompact_wallet() public {
        (bytes32 r, bytes32 vs) = vm.signCompact(vm.createWallet(2), DIGEST);
        (bytes32 r2, bytes32 vs2) = vm.signCompact(2, DIGEST);
        vm.assertEq(abi.encode(r, vs), abi.encode(r2, vs2));
    }

    function test_signCompact_onlyRememberedWallet() public {
        vm.rememberKey(3);
        (bytes32 r, bytes32 vs) = vm.signCompact(DIGEST);
        (bytes32 r2, bytes32 vs2) = vm.signCompact(3, DIGEST);
        vm.assertEq(abi.encode(r, vs), abi.encode(r2, vs2));
    }

    function test_signCompact_rememberedAddress() public {
        vm.rememberKey(3);
        (bytes32 r, bytes32 vs) = vm.signCompact(vm.rememberKey(1), DIGEST);
        (bytes32 r2, bytes32 vs2) = vm.signCompact(1, DIGEST);
        vm.assertEq(abi.encode(r, vs), abi.encode(r2, vs2));
    }

    function test_signWithNonceUnsafe_known() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.signWithNonceUnsafe(1, DIGEST, 7);
        vm.assertEq(v, uint256(28));
        vm.assertEq(r, 0x5cbdf0646e5db4eaa398f365f2ea7a0e3d419b7e0330e39ce92bddedcac4f9bc);
        vm.assertEq(s, 0x0eedb3c9dbf425dbd16f46f126d6d35015066281fcbe5fd27c731f6993f879f6);
        vm.assertEq(ecrecover(DIGEST, v, r, s), vm.addr(1));
    }

    function test_signWithNonceUnsafe_sameNonceSameR() public {
        (, bytes32 r, bytes32 s) = vm.signWithNonceUnsafe(1, DIGEST, 1);
        vm.assertEq(r, 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798);
        (uint8 v2, bytes32 r2, bytes32 s2) = vm.signWithNonceUnsafe(2, keccak256("b"), SECP256K1_ORDER - 1);
        vm.assertEq(r2, r);
        vm.assertNotEq(s2, s);
        vm.assertEq(ecrecover(keccak256("b"), v2, r2, s2), vm.addr(2));
    }

    function test_signWithNonceUnsafe_isCanonical() public {
        for (uint256 nonce = 1; nonce < 20; nonce++) {
            (uint8 v, bytes32 r, bytes32 s) = vm.signWithNonceUnsafe(5, DIGEST, nonce);
            vm.assertLe(uint256(s), SECP256K1_ORDER / 2);
            vm.assertEq(ecrecover(DIGEST, v, r, s), vm.addr(5));
        }
    }
}

/// addr, sign, signCompact and signWithNonceUnsafe with keys that are none.
contract SignErrors is Conformance {
    function test_addr_zero() public {
        vm.addr(0);
    }

    function test_addr_order() public {
        vm.addr(SECP256K1_ORDER);
    }

    function test_sign_zero() public {
        vm.sign(0, "digest");
    }

    function test_sign_order() public {
        vm.sign(SECP256K1_ORDER, "digest");
    }

    function test_sign_emptyWallet() public {
        vm.sign(Vm.Wallet(vm.addr(1), 0, 0, 0), "digest");
    }

    function test_sign_noWallet() public {
        vm.sign("digest");
    }

    function test_sign_createdWalletIsNotRemembered() public {
        vm.sign(vm.createWallet(1).addr, "digest");
    }

    function test_sign_severalWallets() public {
        vm.rememberKey(1);
        vm.rememberKey(2);
        vm.sign("digest");
    }

    function test_sign_unknownAddress() public {
        vm.rememberKey(1);
        vm.sign(address(0xA11CE), "digest");
    }

    function test_signCompact_zero() public {
        vm.signCompact(0, "digest");
    }

    function test_signCompact_max() public {
        vm.signCompact(type(uint256).max, "digest");
    }

    function test_signCompact_emptyWallet() public {
        vm.signCompact(Vm.Wallet(vm.addr(1), 0, 0, 0), "digest");
    }

    function test_signCompact_noWallet() public {
        vm.signCompact("digest");
    }

    function test_signCompact_noWalletForAddress() public {
        vm.signCompact(address(1), "digest");
    }

    function test_signCompact_severalWallets() public {
        vm.rememberKey(1);
        vm.rememberKey(2);
        vm.signCompact("digest");
    }

    function test_signWithNonceUnsafe_zeroKey() public {
        vm.signWithNonceUnsafe(0, "digest", 1);
    }

    function test_signWithNonceUnsafe_keyIsTheOrder() public {
        vm.signWithNonceUnsafe(SECP256K1_ORDER, "digest", 1);
    }

    function test_signWithNonceUnsafe_zeroNonce() public {
        vm.signWithNonceUnsafe(1, "digest", 0);
    }

    function test_signWithNonceUnsafe_nonceIsTheOrder() public {
        vm.signWithNonceUnsafe(1, "digest", SECP256K1_ORDER);
    }

    // (digest + r * key) / nonce is zero.
    function test_signWithNonceUnsafe_zeroS() public {
        uint256 r = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798;
        vm.signWithNonceUnsafe(1, bytes32(SECP256K1_ORDER - r), 1);
    }
}
