// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

string constant JUNK = "test test test test test test test test test test test junk";

/// createWallet, rememberKey, rememberKeys and getWallets.
contract WalletsTest is Conformance {
    function test_createWallet_label() public {
        Vm.Wallet memory wallet = vm.createWallet("alice");
        vm.assertEq(wallet.privateKey, uint256(keccak256("alice")));
        vm.assertEq(wallet.addr, vm.addr(wallet.privateKey));
        vm.assertEq(wallet.addr, address(uint160(uint256(keccak256(abi.encode(wallet.publicKeyX, wallet.publicKeyY))))));
        vm.assertEq(vm.getLabel(wallet.addr), "alice");
        vm.assertEq(vm.createWallet("").privateKey, uint256(keccak256("")));
    }

    function test_createWallet_privateKey() public {
        Vm.Wallet memory wallet = vm.createWallet(1);
        vm.assertEq(wallet.addr, 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf);
        vm.assertEq(wallet.publicKeyX, 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798);
        vm.assertEq(wallet.publicKeyY, 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8);
        vm.assertEq(wallet.privateKey, 1);
        vm.assertEq(vm.getLabel(wallet.addr), "unlabeled:0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
    }

    function test_createWallet_privateKeyAndLabel() public {
        Vm.Wallet memory wallet = vm.createWallet(2, "two");
        vm.assertEq(wallet.addr, vm.addr(2));
        vm.assertEq(vm.getLabel(wallet.addr), "two");
        vm.createWallet(2);
        vm.assertEq(vm.getLabel(wallet.addr), "two");
        vm.createWallet(2, "");
        vm.assertEq(vm.getLabel(wallet.addr), "");
    }

    function test_createWallet_isNotRemembered() public {
        vm.createWallet("alice");
        vm.assertEq(vm.getWallets().length, 0);
    }

    function test_rememberKey_once() public {
        vm.assertEq(vm.getWallets().length, 0);
        vm.assertEq(vm.rememberKey(3), vm.addr(3));
        vm.assertEq(vm.rememberKey(3), vm.addr(3));
        address[] memory wallets = vm.getWallets();
        vm.assertEq(wallets.length, 1);
        vm.assertEq(wallets[0], vm.addr(3));
        vm.assertEq(vm.getLabel(vm.addr(3)), "unlabeled:0x6813Eb9362372EEF6200f3b1dbC3f819671cBA69");
    }

    function test_rememberKeys_path() public {
        address[] memory addresses = vm.rememberKeys(JUNK, "m/44'/60'/0'/0", 2);
        vm.assertEq(addresses.length, 2);
        vm.assertEq(addresses[0], 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266);
        vm.assertEq(addresses[1], 0x70997970C51812dc3A010C7d01b50e0d17dc79C8);
        vm.assertEq(vm.getWallets().length, 2);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(addresses[1], "digest");
        vm.assertEq(ecrecover("digest", v, r, s), addresses[1]);
    }

    function test_rememberKeys_language() public {
        address[] memory addresses = vm.rememberKeys(JUNK, "m/44'/60'/0'/0/", "english", 3);
        vm.assertEq(addresses.length, 3);
        for (uint32 i = 0; i < 3; i++) {
            vm.assertEq(addresses[i], vm.addr(vm.deriveKey(JUNK, i)));
        }
    }

    function test_rememberKeys_addToTheOthers() public {
        vm.rememberKey(3);
        vm.rememberKeys(JUNK, "m", 2);
        vm.rememberKeys(JUNK, "m", 3);
        address[] memory wallets = vm.getWallets();
        vm.assertEq(wallets.length, 4);
        bool found;
        for (uint256 i = 0; i < wallets.length; i++) {
            found = found || wallets[i] == vm.addr(3);
        }
        vm.assertTrue(found);
    }

    // Without a key to derive nothing is looked at.
    function test_rememberKeys_none() public {
        vm.assertEq(vm.rememberKeys("no phrase", "no path", 0).length, 0);
        vm.assertEq(vm.getWallets().length, 0);
    }
}

/// createWallet, rememberKey and rememberKeys with what is no key.
contract WalletsErrors is Conformance {
    function test_createWallet_zero() public {
        vm.createWallet(0);
    }

    function test_createWallet_max() public {
        vm.createWallet(type(uint256).max);
    }

    function test_createWallet_zeroWithLabel() public {
        vm.createWallet(0, "zero");
    }

    function test_rememberKey_zero() public {
        vm.rememberKey(0);
    }

    function test_rememberKey_max() public {
        vm.rememberKey(type(uint256).max);
    }

    function test_rememberKeys_phrase() public {
        vm.rememberKeys("test junk", "m/0", 1);
    }

    function test_rememberKeys_path() public {
        vm.rememberKeys(JUNK, "m/x", 1);
    }

    function test_rememberKeys_language() public {
        vm.rememberKeys(JUNK, "m/0", "elvish", 0);
    }

    function test_rememberKeys_otherLanguage() public {
        vm.rememberKeys(JUNK, "m/0", "italian", 1);
    }
}
