// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Storage worth copying.
contract CopyBox {
    uint256 public first = 1;
    uint256 public second = 2;
    mapping(uint256 => uint256) public map;

    constructor() payable {}

    function set(uint256 one, uint256 two) external {
        first = one;
        second = two;
    }

    function put(uint256 key, uint256 value) external {
        map[key] = value;
    }
}

/// Uses cheatcodes on its own account.
contract CopyCheater is Conformance {
    function warp(uint256 time) external {
        vm.warp(time);
    }
}

/// Accounts and storages that are copied, and storage of random values.
contract CopyTest is Conformance {
    CopyBox private old;
    CopyBox private other;
    address private constant RANDOM = address(0xa7b);

    function setUp() public {
        old = new CopyBox{value: 6}();
        old.put(5, 6);
        other = new CopyBox();
        other.set(8, 9);
        other.put(6, 7);
        vm.setArbitraryStorage(RANDOM);
        vm.store(RANDOM, bytes32(uint256(1)), bytes32(uint256(4)));
    }

    function word(address who, uint256 slot) private returns (uint256) {
        return uint256(vm.load(who, bytes32(slot)));
    }

    function test_copyStorage_fresh() public {
        CopyBox source = new CopyBox();
        source.set(7, 0);
        source.put(5, 6);
        CopyBox target = new CopyBox();
        target.set(8, 9);
        target.put(6, 7);
        vm.copyStorage(address(source), address(target));
        vm.assertEq(target.first(), 7);
        vm.assertEq(target.second(), 0);
        vm.assertEq(target.map(5), 6);
        vm.assertEq(target.map(6), 0);
        target.set(1, 1);
        vm.assertEq(source.first(), 7);
    }

    /// Of an account of `setUp` only the slots are copied that the test has touched; the rest is the target's own.
    function test_copyStorage_untouched() public {
        vm.copyStorage(address(old), address(other));
        vm.assertEq(other.first(), 8);
        vm.assertEq(other.map(5), 0);
    }

    function test_copyStorage_touched() public {
        old.first();
        other.set(10, 11);
        vm.copyStorage(address(old), address(other));
        vm.assertEq(other.first(), 1);
        vm.assertEq(other.second(), 9);
        vm.assertEq(other.map(6), 7);
    }

    function test_copyStorage_noCode() public {
        old.first();
        vm.copyStorage(address(old), address(0xe0a));
        vm.assertEq(word(address(0xe0a), 0), 1);
        vm.assertEq(address(0xe0a).code.length, 0);
        vm.copyStorage(address(0xe0b), address(old));
        vm.assertEq(old.first(), 1);
        vm.copyStorage(address(old), address(old));
        vm.assertEq(old.first(), 1);
    }

    function test_copyStorage_ofArbitrary() public {
        uint256 before = word(RANDOM, 0);
        vm.copyStorage(RANDOM, address(other));
        vm.assertEq(other.first(), before);
        vm.assertEq(other.map(1), word(RANDOM, uint256(keccak256(abi.encode(1, 2)))));
        vm.assertNotEq(other.map(1), 0);
    }

    function cloneUndone() external {
        vm.cloneAccount(address(old), address(0xc10));
        old.first();
        vm.copyStorage(address(old), address(other));
        revert();
    }

    /// A clone is undone with the call, a copy of storage is not.
    function test_cloneAccount_reverted() public {
        try this.cloneUndone() {} catch {}
        vm.assertEq(address(0xc10).balance, 0);
        vm.assertEq(address(0xc10).code.length, 0);
        vm.assertEq(other.first(), 1);
    }

    function test_cloneAccount_fresh() public {
        CopyBox source = new CopyBox{value: 6}();
        source.set(4, 0);
        vm.setNonce(address(source), 9);
        vm.cloneAccount(address(source), address(0xc10));
        CopyBox target = CopyBox(address(0xc10));
        vm.assertEq(target.first(), 4);
        vm.assertEq(target.second(), 0);
        vm.assertEq(address(target).balance, 6);
        vm.assertEq(address(target).codehash, address(source).codehash);
        vm.assertEq(vm.getNonce(address(target)), 9);
    }

    /// What the target had besides stays.
    function test_cloneAccount_overwrites() public {
        old.first();
        vm.cloneAccount(address(old), address(other));
        vm.assertEq(other.first(), 1);
        vm.assertEq(other.second(), 9);
        vm.assertEq(other.map(6), 7);
        vm.assertEq(other.map(5), 0);
        vm.assertEq(address(other).balance, 6);
        vm.assertEq(address(old).balance, 6);
    }

    function test_cloneAccount_empty() public {
        vm.cloneAccount(address(0xe0a), address(other));
        vm.assertEq(address(other).balance, 0);
        vm.assertEq(vm.getNonce(address(other)), 0);
        vm.assertEq(address(other).code.length, 0);
    }

    function test_setArbitraryStorage_fromSetUp() public {
        uint256 value = word(RANDOM, 0);
        vm.assertNotEq(value, 0);
        vm.assertEq(word(RANDOM, 0), value);
        vm.assertNotEq(word(RANDOM, 2), value);
        vm.assertEq(word(RANDOM, 1), 4);
    }

    /// Only words that are zero and were not touched become random.
    function test_setArbitraryStorage_keepsValues() public {
        vm.setArbitraryStorage(address(old));
        vm.assertEq(old.first(), 1);
        uint256 value = old.map(11);
        vm.assertNotEq(value, 0);
        vm.assertEq(old.map(11), value);
        old.put(12, 13);
        vm.assertEq(old.map(12), 13);
        old.put(5, 0);
        vm.assertEq(old.map(5), 0);
        old.set(0, 0);
        vm.assertEq(old.first(), 0);
    }

    /// With `overwrite` every word becomes random at its first read, even one written before.
    function test_setArbitraryStorage_overwrite() public {
        vm.setArbitraryStorage(address(old), true);
        uint256 value = old.first();
        vm.assertNotEq(value, 1);
        vm.assertEq(old.first(), value);
        old.put(12, 13);
        vm.assertNotEq(old.map(12), 13);
        vm.store(address(old), bytes32(uint256(1)), bytes32(uint256(4)));
        value = old.second();
        vm.assertNotEq(value, 4);
        vm.assertEq(word(address(old), 1), value);
        old.set(3, 0);
        vm.assertEq(old.first(), 3);
        vm.assertEq(old.second(), 0);
    }

    function test_setArbitraryStorage_noOverwrite() public {
        vm.setArbitraryStorage(address(old), false);
        vm.assertEq(old.second(), 2);
        vm.assertNotEq(old.map(1), 0);
    }

    function test_allowCheatcodes_harmless() public {
        CopyCheater cheater = new CopyCheater();
        cheater.warp(5);
        vm.assertEq(block.timestamp, 5);
        vm.allowCheatcodes(address(cheater));
        cheater.warp(6);
        vm.assertEq(block.timestamp, 6);
        vm.allowCheatcodes(address(0));
    }
}

/// What may not be copied onto.
contract CopyErrors is Conformance {
    function test_copyStorage_ontoArbitrary() public {
        vm.setArbitraryStorage(address(0xa7b));
        vm.copyStorage(address(this), address(0xa7b));
    }
}
