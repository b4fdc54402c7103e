// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Mirror} from "./Mirror.sol";

/// vm.broadcast and vm.startBroadcast outside of scripts: calls come from another account, whose nonce they raise.
contract ScriptBroadcastTest is Conformance {
    address private constant SIGNER = address(0x5151);
    address private constant FACTORY = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    Mirror private mirror;

    function setUp() public {
        mirror = new Mirror();
    }

    function assertLooked(address sender, address origin) private {
        vm.assertEq(mirror.sender(), sender, "sender");
        vm.assertEq(mirror.origin(), origin, "origin");
    }

    function test_broadcast_sender() public {
        uint64 nonce = vm.getNonce(msg.sender);
        vm.broadcast();
        mirror.look();
        assertLooked(msg.sender, msg.sender);
        vm.assertEq(vm.getNonce(msg.sender), nonce + 1);
    }

    function test_broadcast_onlyNextCall() public {
        vm.broadcast(SIGNER);
        mirror.look();
        assertLooked(SIGNER, SIGNER);
        mirror.look();
        assertLooked(address(this), tx.origin);
        vm.assertEq(vm.getNonce(SIGNER), 1);
    }

    function test_broadcast_key() public {
        address signer = vm.addr(77);
        vm.broadcast(77);
        mirror.look();
        assertLooked(signer, signer);
        vm.assertEq(vm.getNonce(signer), 1);
        vm.assertEq(vm.getWallets().length, 1);
        vm.assertEq(vm.getWallets()[0], signer);
    }

    function test_broadcast_senderIsWallet() public {
        address signer = vm.rememberKey(78);
        vm.broadcast();
        mirror.look();
        assertLooked(signer, signer);
    }

    function test_broadcast_creation() public {
        vm.setNonce(SIGNER, 5);
        vm.broadcast(SIGNER);
        Mirror made = new Mirror();
        vm.assertEq(made.creator(), SIGNER);
        vm.assertEq(made.creatorOrigin(), SIGNER);
        vm.assertEq(address(made), vm.computeCreateAddress(SIGNER, 5));
        vm.assertEq(vm.getNonce(SIGNER), 6);
    }

    function test_broadcast_creation2() public {
        vm.broadcast(SIGNER);
        Mirror made = new Mirror{salt: bytes32(uint256(9))}();
        bytes32 hash = keccak256(type(Mirror).creationCode);
        vm.assertEq(address(made), vm.computeCreate2Address(bytes32(uint256(9)), hash, FACTORY));
        vm.assertEq(made.creator(), FACTORY);
        vm.assertEq(made.creatorOrigin(), SIGNER);
        vm.assertEq(vm.getNonce(SIGNER), 1);
    }

    function test_broadcast_value() public {
        vm.deal(SIGNER, 10);
        uint256 mine = address(this).balance;
        vm.broadcast(SIGNER);
        mirror.look{value: 4}();
        vm.assertEq(address(mirror).balance, 4);
        vm.assertEq(SIGNER.balance, 6);
        vm.assertEq(address(this).balance, mine);
    }

    function test_broadcast_transfer() public {
        vm.deal(SIGNER, 10);
        vm.broadcast(SIGNER);
        payable(address(0xbeef)).transfer(3);
        vm.assertEq(address(0xbeef).balance, 3);
        vm.assertEq(SIGNER.balance, 7);
        vm.assertEq(vm.getNonce(SIGNER), 1);
    }

    function test_broadcast_innerCalls() public {
        vm.broadcast(SIGNER);
        mirror.lookThrough(mirror);
        assertLooked(address(mirror), SIGNER);
        vm.assertEq(vm.getNonce(SIGNER), 1);
    }

    function test_broadcast_innerCreations() public {
        vm.broadcast(SIGNER);
        mirror.nest();
        vm.assertEq(mirror.inner().creator(), address(mirror));
        vm.assertEq(mirror.inner().creatorOrigin(), SIGNER);
    }

    function test_broadcast_reverted() public {
        vm.broadcast(SIGNER);
        try mirror.fail() {} catch {}
        vm.assertEq(vm.getNonce(SIGNER), 1);
        mirror.look();
        assertLooked(address(this), tx.origin);
    }

    function test_broadcast_expectedRevert() public {
        vm.broadcast(SIGNER);
        vm.expectRevert(bytes("failed"));
        mirror.fail();
        mirror.look();
        assertLooked(address(this), tx.origin);
    }

    function test_broadcast_cheatcodesBetween() public {
        vm.broadcast(SIGNER);
        vm.warp(9);
        vm.getNonce(SIGNER);
        mirror.look();
        assertLooked(SIGNER, SIGNER);
    }

    function test_broadcast_delegatecall() public {
        vm.broadcast(SIGNER);
        (, bytes memory result) = address(mirror).delegatecall(abi.encodeCall(mirror.who, ()));
        (address sender, address origin) = abi.decode(result, (address, address));
        vm.assertEq(sender, msg.sender, "it does not come from the signer");
        vm.assertEq(origin, msg.sender);
        vm.assertEq(vm.getNonce(SIGNER), 0);
        mirror.look();
        assertLooked(address(this), tx.origin);
    }

    function test_broadcast_otherDepth() public {
        vm.broadcast(SIGNER);
        this.lookFromInside();
        assertLooked(address(this), SIGNER);
        vm.assertEq(vm.getNonce(SIGNER), 1);
    }

    function lookFromInside() external {
        mirror.look();
    }

    function test_broadcast_fromInside() public {
        this.broadcastFromInside();
        mirror.look();
        assertLooked(address(this), tx.origin);
        this.lookFromInside();
        assertLooked(SIGNER, SIGNER);
    }

    function broadcastFromInside() external {
        vm.broadcast(SIGNER);
    }

    function test_startBroadcast_sender() public {
        uint64 nonce = vm.getNonce(msg.sender);
        vm.startBroadcast();
        mirror.look();
        mirror.look();
        assertLooked(msg.sender, msg.sender);
        vm.stopBroadcast();
        vm.assertEq(vm.getNonce(msg.sender), nonce + 2);
        mirror.look();
        assertLooked(address(this), tx.origin);
    }

    function test_startBroadcast_account() public {
        vm.startBroadcast(SIGNER);
        mirror.look();
        Mirror made = new Mirror();
        made.look();
        vm.stopBroadcast();
        assertLooked(SIGNER, SIGNER);
        vm.assertEq(made.sender(), SIGNER);
        vm.assertEq(made.creator(), SIGNER);
        vm.assertEq(vm.getNonce(SIGNER), 3);
    }

    function test_startBroadcast_key() public {
        address signer = vm.addr(77);
        vm.startBroadcast(77);
        mirror.look();
        mirror.look();
        vm.stopBroadcast();
        assertLooked(signer, signer);
        vm.assertEq(vm.getNonce(signer), 2);
        vm.assertEq(vm.getWallets()[0], signer);
    }

    function test_startBroadcast_staticcall() public {
        vm.startBroadcast(SIGNER);
        (address sender, address origin) = mirror.who();
        vm.assertEq(sender, SIGNER);
        vm.assertEq(origin, SIGNER);
        vm.assertEq(vm.getNonce(SIGNER), 0, "views are no transactions");
    }

    function test_startBroadcast_readCallers() public {
        vm.startBroadcast(SIGNER);
        (uint8 mode, address sender, address origin) = readCallers();
        vm.assertEq(uint256(mode), 2);
        vm.assertEq(sender, SIGNER);
        vm.assertEq(origin, SIGNER);
        vm.stopBroadcast();
        vm.broadcast(SIGNER);
        (mode,,) = readCallers();
        vm.assertEq(uint256(mode), 1);
        mirror.look();
        (mode, sender,) = readCallers();
        vm.assertEq(uint256(mode), 0);
        vm.assertEq(sender, tx.origin);
    }

    function readCallers() private returns (uint8 mode, address sender, address origin) {
        (, bytes memory result) = address(vm).call(abi.encodeWithSignature("readCallers()"));
        return abi.decode(result, (uint8, address, address));
    }

    function test_startBroadcast_anotherAfterStop() public {
        vm.startBroadcast(SIGNER);
        vm.stopBroadcast();
        vm.startBroadcast();
        vm.stopBroadcast();
        vm.startPrank(SIGNER);
        mirror.look();
        assertLooked(SIGNER, tx.origin);
    }

    function test_startBroadcast_revertedCall() public {
        try this.startAndRevert() {} catch {}
        vm.stopBroadcast();
    }

    function startAndRevert() external {
        vm.startBroadcast(SIGNER);
        revert();
    }

    function test_startBroadcast_mock() public {
        vm.mockCall(address(mirror), abi.encodeCall(mirror.calls, ()), abi.encode(55));
        vm.startBroadcast(SIGNER);
        vm.assertEq(mirror.calls(), 55);
    }

    function test_startBroadcast_snapshot() public {
        uint256 id = vm.snapshotState();
        vm.startBroadcast(SIGNER);
        mirror.look();
        vm.revertToState(id);
        vm.assertEq(vm.getNonce(SIGNER), 0);
        mirror.look();
        assertLooked(SIGNER, SIGNER);
    }

    function test_broadcast_gasIsFree() public {
        vm.broadcast(SIGNER);
        vm.txGasPrice(1000);
        mirror.look{gas: 100000}();
        vm.assertEq(SIGNER.balance, 0, "gas costs nothing");
    }

    function test_stopBroadcast_pending() public {
        vm.broadcast(SIGNER);
        vm.stopBroadcast();
        mirror.look();
        assertLooked(address(this), tx.origin);
    }
}
