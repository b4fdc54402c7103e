// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";
import {Ledger} from "./Node.sol";

/// EIP-7702 delegations: signed, attached, in effect at once.
contract ScriptDelegationTest is Conformance {
    uint256 private constant KEY = 0xa11ce;
    address private signer;
    Ledger private ledger;

    function setUp() public {
        signer = vm.addr(KEY);
        ledger = new Ledger();
    }

    /// The signature is the signer's, for a chain and a nonce.
    function assertSigned(Vm.SignedDelegation memory signed, uint256 chain, uint64 nonce) private {
        vm.assertEq(uint256(signed.nonce), nonce);
        vm.assertEq(signed.implementation, address(ledger));
        bytes[] memory parts = new bytes[](3);
        (parts[0], parts[1], parts[2]) = (quantity(chain), abi.encodePacked(address(ledger)), quantity(nonce));
        bytes32 hash = keccak256(bytes.concat(hex"05", vm.toRlp(parts)));
        vm.assertEq(ecrecover(hash, signed.v + 27, signed.r, signed.s), signer);
    }

    function quantity(uint256 value) private pure returns (bytes memory result) {
        for (; value != 0; value >>= 8) {
            result = bytes.concat(bytes1(uint8(value)), result);
        }
    }

    function assertDelegated(uint64 nonce) private {
        vm.assertEq(signer.code, abi.encodePacked(hex"ef0100", address(ledger)));
        vm.assertEq(vm.getNonce(signer), nonce);
    }

    function test_signDelegation_nonceOfTheSigner() public {
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 0);
        vm.setNonce(signer, 300);
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 300);
        vm.assertEq(signer.code.length, 0, "signing attaches nothing");
        vm.assertEq(vm.getNonce(signer), 300);
    }

    function test_signDelegation_chain() public {
        vm.chainId(10);
        assertSigned(vm.signDelegation(address(ledger), KEY), 10, 0);
    }

    function test_signDelegation_deterministic() public {
        Vm.SignedDelegation memory signed = vm.signDelegation(address(1), 1);
        vm.assertEq(abi.encode(signed), abi.encode(vm.signDelegation(address(1), 1)));
        vm.assertLt(signed.v, 2);
        vm.assertLt(uint256(signed.s), 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1);
    }

    function test_signDelegation_nonceGiven() public {
        assertSigned(vm.signDelegation(address(ledger), KEY, 7), 31337, 7);
        assertSigned(vm.signDelegation(address(ledger), KEY, type(uint64).max), 31337, type(uint64).max);
        assertSigned(vm.signDelegation(address(ledger), KEY, uint64(0)), 31337, 0);
    }

    function test_signDelegation_anyChain() public {
        assertSigned(vm.signDelegation(address(ledger), KEY, true), 0, 0);
        assertSigned(vm.signDelegation(address(ledger), KEY, false), 31337, 0);
    }

    function test_signDelegation_ofTheBroadcaster() public {
        vm.startBroadcast(KEY);
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 1);
    }

    function test_signDelegation_duringAnotherBroadcast() public {
        vm.startBroadcast(address(0x5151));
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 0);
    }

    function test_attachDelegation_code() public {
        vm.attachDelegation(vm.signDelegation(address(ledger), KEY));
        assertDelegated(0);
        Ledger(signer).add(5);
        vm.assertEq(Ledger(signer).total(), 5);
        vm.assertEq(ledger.total(), 0);
        assertDelegated(0);
    }

    function test_attachDelegation_countsForTheNext() public {
        vm.attachDelegation(vm.signDelegation(address(1), KEY));
        vm.assertEq(signer.code, abi.encodePacked(hex"ef0100", address(1)));
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 1);
        vm.attachDelegation(vm.signDelegation(address(ledger), KEY));
        assertDelegated(0);
        vm.setNonce(signer, 9);
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 2);
    }

    function test_attachDelegation_countsPerSigner() public {
        vm.signAndAttachDelegation(address(1), 0xb0b);
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 0);
    }

    function test_attachDelegation_countsUntilBroadcastCall() public {
        vm.signAndAttachDelegation(address(ledger), KEY);
        ledger.add(1);
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 1);
        vm.startBroadcast(address(0x5151));
        new Ledger();
        ledger.total();
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 1);
        ledger.add(1);
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 0);
    }

    function test_attachDelegation_countsDespiteSnapshot() public {
        uint256 id = vm.snapshotState();
        vm.signAndAttachDelegation(address(ledger), KEY);
        vm.revertToState(id);
        vm.assertEq(signer.code.length, 0);
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 1);
    }

    function test_attachDelegation_anyChain() public {
        vm.attachDelegation(vm.signDelegation(address(ledger), KEY, true), true);
        assertDelegated(0);
    }

    function test_attachDelegation_notAnyChain() public {
        vm.attachDelegation(vm.signDelegation(address(ledger), KEY), false);
        assertDelegated(0);
    }

    function test_attachDelegation_otherChainIsAnotherSigner() public {
        vm.attachDelegation(vm.signDelegation(address(ledger), KEY, true));
        vm.assertEq(signer.code.length, 0);
    }

    function test_attachDelegation_toNobody() public {
        vm.attachDelegation(vm.signDelegation(address(ledger), KEY));
        vm.attachDelegation(vm.signDelegation(address(0), KEY));
        vm.assertEq(signer.code.length, 0);
    }

    function test_attachDelegation_ofContract() public {
        vm.etch(signer, hex"00");
        vm.attachDelegation(vm.signDelegation(address(ledger), KEY));
        assertDelegated(0);
    }

    function test_attachDelegation_broadcast() public {
        Vm.SignedDelegation memory signed = vm.signDelegation(address(ledger), KEY);
        vm.startBroadcast(address(0x5151));
        vm.attachDelegation(signed);
        Ledger(signer).add(3);
        vm.stopBroadcast();
        vm.assertEq(Ledger(signer).share(address(0x5151)), 3);
        assertDelegated(0);
        vm.assertEq(vm.getNonce(address(0x5151)), 1);
    }

    function test_signAndAttachDelegation_ownBroadcast() public {
        vm.startBroadcast(KEY);
        assertSigned(vm.signAndAttachDelegation(address(ledger), KEY), 31337, 1);
        assertSigned(vm.signAndAttachDelegation(address(ledger), KEY), 31337, 2);
        assertDelegated(0);
        Ledger(signer).add(3);
        vm.stopBroadcast();
        vm.assertEq(Ledger(signer).share(signer), 3);
        assertDelegated(3);
    }

    function test_signAndAttachDelegation_code() public {
        assertSigned(vm.signAndAttachDelegation(address(ledger), KEY), 31337, 0);
        assertDelegated(0);
        Ledger(signer).add(5);
        vm.assertEq(Ledger(signer).total(), 5);
    }

    function test_signAndAttachDelegation_again() public {
        vm.setNonce(signer, 4);
        assertSigned(vm.signAndAttachDelegation(address(ledger), KEY), 31337, 4);
        assertSigned(vm.signAndAttachDelegation(address(ledger), KEY), 31337, 5);
        assertDelegated(4);
    }

    function test_signAndAttachDelegation_nonceGiven() public {
        vm.setNonce(signer, 4);
        assertSigned(vm.signAndAttachDelegation(address(ledger), KEY, 4), 31337, 4);
        assertSigned(vm.signAndAttachDelegation(address(ledger), KEY, 5), 31337, 5);
        assertDelegated(4);
    }

    function test_signAndAttachDelegation_nonceWraps() public {
        vm.setNonceUnsafe(signer, type(uint64).max);
        assertSigned(vm.signAndAttachDelegation(address(ledger), KEY), 31337, type(uint64).max);
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 0);
    }

    function test_signAndAttachDelegation_anyChain() public {
        assertSigned(vm.signAndAttachDelegation(address(ledger), KEY, true), 0, 0);
        assertSigned(vm.signAndAttachDelegation(address(ledger), KEY, false), 31337, 1);
        assertDelegated(0);
    }

    function test_signAndAttachDelegation_revertedCall() public {
        try this.attachAndRevert() {} catch {}
        vm.assertEq(signer.code.length, 0);
        assertSigned(vm.signDelegation(address(ledger), KEY), 31337, 1);
    }

    function attachAndRevert() external {
        vm.signAndAttachDelegation(address(ledger), KEY);
        revert();
    }

    function test_signAndAttachDelegation_chainOfDelegations() public {
        vm.signAndAttachDelegation(address(ledger), KEY);
        vm.signAndAttachDelegation(signer, 0xb0b);
        (bool done,) = vm.addr(0xb0b).call(abi.encodeCall(ledger.total, ()));
        vm.assertFalse(done, "a delegation to a delegation is not followed");
    }

    function test_signAndAttachDelegation_caller() public {
        vm.signAndAttachDelegation(address(ledger), KEY);
        vm.prank(signer);
        ledger.add(2);
        vm.assertEq(ledger.share(signer), 2);
    }
}

/// Delegations that cannot be.
contract ScriptDelegationErrors is Conformance {
    uint256 private constant KEY = 0xa11ce;

    function test_signDelegation_keyZero() public {
        vm.signDelegation(address(1), uint256(0));
    }

    function test_signDelegation_keyTooLarge() public {
        vm.signDelegation(address(1), type(uint256).max);
    }

    function test_signDelegation_nonceKeyZero() public {
        vm.signDelegation(address(1), uint256(0), 5);
    }

    function test_signDelegation_anyChainKeyZero() public {
        vm.signDelegation(address(1), uint256(0), true);
    }

    function test_signAndAttachDelegation_keyZero() public {
        vm.signAndAttachDelegation(address(1), uint256(0));
    }

    function test_signAndAttachDelegation_anyChainKeyZero() public {
        vm.signAndAttachDelegation(address(1), uint256(0), true);
    }

    function test_signAndAttachDelegation_nonceAhead() public {
        vm.signAndAttachDelegation(address(1), KEY, 1);
    }

    function test_attachDelegation_nonceAhead() public {
        vm.attachDelegation(vm.signDelegation(address(1), KEY, 1));
    }

    function test_attachDelegation_nonceOld() public {
        vm.setNonce(vm.addr(KEY), 9);
        vm.attachDelegation(vm.signDelegation(address(1), KEY, 8));
    }

    function test_attachDelegation_anyChainNonceAhead() public {
        vm.attachDelegation(vm.signDelegation(address(1), KEY, 1), false);
    }

    function test_attachDelegation_again() public {
        Vm.SignedDelegation memory signed = vm.signDelegation(address(1), KEY);
        vm.attachDelegation(signed);
        vm.attachDelegation(signed);
    }

    function test_attachDelegation_noSignature() public {
        vm.attachDelegation(Vm.SignedDelegation(0, 0, 0, 0, address(1)));
    }

    function test_attachDelegation_parity() public {
        Vm.SignedDelegation memory signed = vm.signDelegation(address(1), KEY);
        signed.v = 5;
        vm.attachDelegation(signed);
    }

    function test_attachDelegation_largeS() public {
        Vm.SignedDelegation memory signed = vm.signDelegation(address(1), KEY);
        signed.s = bytes32(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141 - uint256(signed.s));
        signed.v = 1 - signed.v;
        vm.attachDelegation(signed);
    }
}
