// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

/// Two packed variables, a whole slot and a mapping.
contract AccountBox {
    uint128 public low = 1;
    uint128 public high = 2;
    uint256 public whole = 3;
    mapping(address => uint256) public held;

    function bump() external {
        ++whole;
    }
}

/// Calls that change an account and fail, so that it shows what of it outlives them.
abstract contract AccountReverts is Conformance {
    error Undone();

    function dealUndone(address who, uint256 balance) external {
        vm.deal(who, balance);
        revert Undone();
    }

    function etchUndone(address who, bytes calldata code) external {
        vm.etch(who, code);
        revert Undone();
    }

    function storeUndone(address who, bytes32 slot, bytes32 value) external {
        vm.store(who, slot, value);
        revert Undone();
    }

    function setNonceUndone(address who, uint64 nonce) external {
        vm.setNonce(who, nonce);
        revert Undone();
    }
}

/// Balance, code, storage and nonce of any account.
contract AccountTest is AccountReverts {
    AccountBox private box;
    address private constant NOBODY = address(0xb0d1);

    function setUp() public {
        box = new AccountBox();
    }

    function test_deal_both() public {
        vm.assertEq(NOBODY.balance, 0);
        vm.deal(NOBODY, 1 ether);
        vm.assertEq(NOBODY.balance, 1 ether);
        vm.deal(NOBODY, type(uint256).max);
        vm.assertEq(NOBODY.balance, type(uint256).max);
        vm.deal(NOBODY, 0);
        vm.assertEq(NOBODY.balance, 0);
        vm.deal(address(1), 5);
        vm.assertEq(address(1).balance, 5);
    }

    function test_deal_self() public {
        vm.assertEq(address(this).balance, type(uint96).max);
        vm.deal(address(this), 10);
        payable(NOBODY).transfer(4);
        vm.assertEq(address(this).balance, 6);
        vm.assertEq(NOBODY.balance, 4);
    }

    function test_deal_reverted() public {
        vm.assertEq(NOBODY.balance, 0);
        try this.dealUndone(NOBODY, 3) {} catch {}
        vm.assertEq(NOBODY.balance, 3);
        try this.dealUndone(address(0xb0d2), 4) {} catch {}
        vm.assertEq(address(0xb0d2).balance, 4);
    }

    function test_etch_code() public {
        vm.etch(NOBODY, address(box).code);
        vm.assertEq(NOBODY.code, address(box).code);
        vm.assertEq(NOBODY.codehash, address(box).codehash);
        vm.assertEq(AccountBox(NOBODY).whole(), 0);
        AccountBox(NOBODY).bump();
        vm.assertEq(AccountBox(NOBODY).whole(), 1);
        vm.assertEq(vm.getNonce(NOBODY), 0);
    }

    function test_etch_empty() public {
        vm.etch(address(box), "");
        vm.assertEq(address(box).code.length, 0);
        vm.assertEq(address(box).codehash, keccak256(""));
        vm.assertEq(vm.load(address(box), bytes32(uint256(1))), bytes32(uint256(3)));
    }

    function test_etch_self() public {
        vm.etch(address(this), hex"602a60005260206000f3");
        vm.assertEq(address(this).code.length, 10);
        (, bytes memory word) = address(this).staticcall("");
        vm.assertEq(abi.decode(word, (uint256)), 42);
    }

    function test_etch_invalidCode() public {
        vm.etch(NOBODY, hex"ef0001");
        vm.assertEq(NOBODY.code, hex"ef0001");
    }

    function test_etch_delegation() public {
        vm.etch(NOBODY, abi.encodePacked(hex"ef0100", box));
        vm.assertEq(NOBODY.code.length, 23);
        AccountBox(NOBODY).bump();
        vm.assertEq(AccountBox(NOBODY).whole(), 1);
        vm.assertEq(box.whole(), 3);
    }

    function test_etch_reverted() public {
        try this.etchUndone(NOBODY, hex"00") {} catch {}
        vm.assertEq(NOBODY.code.length, 0);
    }

    function test_store_slots() public {
        vm.store(address(box), bytes32(uint256(1)), bytes32(uint256(99)));
        vm.assertEq(box.whole(), 99);
        vm.store(address(box), bytes32(0), bytes32((uint256(7) << 128) | 6));
        vm.assertEq(box.low(), 6);
        vm.assertEq(box.high(), 7);
        vm.store(address(box), keccak256(abi.encode(NOBODY, 2)), bytes32(uint256(8)));
        vm.assertEq(box.held(NOBODY), 8);
        vm.store(address(box), bytes32(type(uint256).max), keccak256("x"));
        vm.assertEq(vm.load(address(box), bytes32(type(uint256).max)), keccak256("x"));
    }

    function test_store_emptyAccount() public {
        vm.store(NOBODY, bytes32(uint256(5)), bytes32(uint256(6)));
        vm.assertEq(vm.load(NOBODY, bytes32(uint256(5))), bytes32(uint256(6)));
        vm.assertEq(NOBODY.code.length, 0);
    }

    function test_store_reverted() public {
        try this.storeUndone(address(box), bytes32(uint256(1)), bytes32(0)) {} catch {}
        vm.assertEq(box.whole(), 3);
    }

    function test_load_values() public {
        vm.assertEq(vm.load(address(box), bytes32(0)), bytes32((uint256(2) << 128) | 1));
        vm.assertEq(vm.load(address(box), bytes32(uint256(1))), bytes32(uint256(3)));
        vm.assertEq(vm.load(address(box), bytes32(uint256(77))), bytes32(0));
        vm.assertEq(vm.load(NOBODY, bytes32(0)), bytes32(0));
        box.bump();
        vm.assertEq(vm.load(address(box), bytes32(uint256(1))), bytes32(uint256(4)));
    }

    function test_getNonce_address() public {
        vm.assertEq(vm.getNonce(NOBODY), 0);
        vm.assertEq(vm.getNonce(address(box)), 1);
        vm.assertEq(vm.getNonce(address(this)), 2);
        new AccountBox();
        vm.assertEq(vm.getNonce(address(this)), 3);
    }

    /// The deployment, `setUp` and the test itself are calls of one sender.
    function test_getNonce_sender() public {
        vm.assertEq(msg.sender, tx.origin);
        vm.assertEq(vm.getNonce(msg.sender), 2);
    }

    function test_getNonce_wallet() public {
        Vm.Wallet memory wallet = Vm.Wallet(NOBODY, 0, 0, 0);
        vm.setNonce(NOBODY, 6);
        vm.assertEq(vm.getNonce(wallet), 6);
    }

    function test_setNonce_values() public {
        vm.setNonce(NOBODY, 10);
        vm.assertEq(vm.getNonce(NOBODY), 10);
        vm.setNonce(NOBODY, 10);
        vm.setNonce(NOBODY, type(uint64).max);
        vm.assertEq(vm.getNonce(NOBODY), type(uint64).max);
    }

    function test_setNonce_createAddress() public {
        vm.setNonce(address(this), 50);
        address expected = vm.computeCreateAddress(address(this), 50);
        vm.assertEq(address(new AccountBox()), expected);
    }

    function test_setNonce_reverted() public {
        try this.setNonceUndone(NOBODY, 4) {} catch {}
        vm.assertEq(vm.getNonce(NOBODY), 4);
    }

    function test_setNonceUnsafe_down() public {
        vm.setNonceUnsafe(NOBODY, 9);
        vm.setNonceUnsafe(NOBODY, 2);
        vm.assertEq(vm.getNonce(NOBODY), 2);
        vm.setNonceUnsafe(address(box), 0);
        vm.assertEq(vm.getNonce(address(box)), 0);
    }

    function test_resetNonce_both() public {
        vm.setNonce(NOBODY, 9);
        vm.resetNonce(NOBODY);
        vm.assertEq(vm.getNonce(NOBODY), 0);
        vm.setNonce(address(box), 9);
        vm.resetNonce(address(box));
        vm.assertEq(vm.getNonce(address(box)), 1);
        vm.etch(NOBODY, hex"00");
        vm.resetNonce(NOBODY);
        vm.assertEq(vm.getNonce(NOBODY), 1);
    }

    function test_etch_vm() public {
        vm.etch(address(vm), hex"01");
        vm.assertEq(address(vm).code, hex"01");
    }

    function test_etch_notPrecompile() public {
        vm.etch(address(0x12), hex"01");
        vm.etch(address(0), hex"02");
        vm.assertEq(address(0x12).code, hex"01");
        vm.assertEq(address(0).code, hex"02");
    }

    /// The factory of CREATE2 is there from the start.
    function test_etch_factory() public {
        address factory = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
        vm.assertEq(factory.code.length, 69);
        vm.etch(factory, "");
        vm.assertEq(factory.code.length, 0);
    }

    function test_resetNonce_precompile() public {
        vm.deal(address(1), 1);
        vm.setNonce(address(1), 3);
        vm.resetNonce(address(1));
        vm.assertEq(vm.getNonce(address(1)), 0);
    }
}

/// Precompiles are refused, and a nonce that sinks.
contract AccountErrors is Conformance {
    function test_etch_precompile() public {
        vm.etch(address(1), hex"00");
    }

    function test_etch_lastPrecompile() public {
        vm.etch(address(0x11), hex"00");
    }

    function test_store_precompile() public {
        vm.store(address(2), 0, 0);
    }

    function test_load_precompile() public {
        vm.load(address(0x100), 0);
    }

    function test_etch_shortDelegation() public {
        vm.etch(address(0xb0d1), hex"ef0100aabb");
    }

    function test_etch_delegationVersion() public {
        vm.etch(address(0xb0d1), abi.encodePacked(hex"ef0101", address(this)));
    }

    function test_setNonce_lower() public {
        vm.setNonce(address(this), 0);
    }

    /// The precompiles are those of the configured version, whatever version is set.
    function test_etch_laterPrecompile() public {
        vm.setEvmVersion("homestead");
        vm.etch(address(5), hex"00");
    }
}
