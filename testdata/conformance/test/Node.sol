// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// A contract of the node's chain; prepare.mjs deploys it there, tests deploy and etch it elsewhere.
contract Ledger {
    uint256 public total;
    mapping(address => uint256) public share;

    event Added(address indexed who, uint256 amount, uint256 total);

    error Nothing();

    function add(uint256 amount) external payable {
        if (amount == 0) revert Nothing();
        share[msg.sender] += amount;
        total += amount;
        emit Added(msg.sender, amount, total);
    }
}

/// What is on the node's chain: the blocks 0 to 6 (block n at GENESIS + 100 n), see prepare.mjs.
abstract contract Node is Conformance {
    string constant NODE = "node";
    uint256 constant CHAIN = 271828;
    uint256 constant GENESIS = 1700000000;
    uint256 constant HEAD = 6;

    /// Total 0 in block 1, 5 in block 2, 12 and 23 in block 3, 123 in block 5.
    Ledger constant LEDGER = Ledger(0x5FbDB2315678afecb367f032d93F642f64180aa3);
    /// 7 ether, nonce 9, code that returns slot 7, which is 42, in all blocks but the first.
    address constant RELIC = address(0xe11c5);
    /// 123 ether, neither code nor nonce.
    address constant RICH = address(0x51c400);
    address constant MINER = address(0xc01bba5e);
    /// Gets 1 ether in block 3.
    address constant PAYEE = address(0xca5e1);
    address constant DEPLOYER = 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266;
    address constant ALICE = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;
    address constant BOB = 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC;
    /// Delegates to the ledger in block 5.
    address constant DELEGATOR = 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc;
    /// Has nothing on any chain.
    address constant NOBODY = address(0xdead0000);

    /// Block 1: the ledger's deployment.
    bytes32 constant DEPLOY = 0x6c5bac9128fcc8421a4a5d806e58b66b6c2caa70c4236ff0b60dfd60e12a2ecd;
    /// Block 2: ALICE adds 5.
    bytes32 constant ADD5 = 0x25493f9a90e63fc98279e15519c94a2ab4b6c7b116d0f644be1e292fa83ad4b1;
    /// Block 3: ALICE adds 7, BOB pays PAYEE, BOB adds 11 with 3 wei, another adds 0 and fails.
    bytes32 constant ADD7 = 0x44c68cf0549c99f053fd4ab53be1d7a4568340fe3677fcbbc039a1b588457f2e;
    bytes32 constant PAY = 0x7953550cf08a63b3f07141715ab36f10ab443c81317fa80023fb71b8e0fcc41e;
    bytes32 constant ADD11 = 0xd75fea9e31475789539f13104982d93afb7f63d20cfed1bd07afa92f1e5e4faf;
    bytes32 constant ADD0 = 0xce41c9ce1a4bb71c3d6bb5d36621d9460120573c3719a43da1eecf2c2437a208;
    /// Block 5: ALICE adds 100, another sets DELEGATOR's delegation and adds 3 to its total.
    bytes32 constant ADD100 = 0x6efcd4924f50553af6ed7dacb2fdfe4fb2df7897e939beba6c3b7c93add332f8;
    bytes32 constant DELEGATE = 0x5929b46fe76984aca83d594a937ca80696d17a028431b3ea977557fcc9813eeb;
    /// Not mined: another adds 1000.
    bytes32 constant PENDING = 0x17f0772609091e5cf247caa3b59d65928f815dd1262dc1f9141579164faa07b1;
    bytes32 constant UNKNOWN = bytes32(uint256(1));

    /// Nobody listens here.
    string constant CLOSED = "http://127.0.0.1:1";

    /// An URL of the node for this test alone. (Forge lets forks of one URL and block that tests make, in all
    /// contracts of a run, begin with the number and time at which another of them was left.)
    function node() internal returns (string memory) {
        return string.concat(vm.rpcUrl(NODE), "/?", vm.toString(abi.encodePacked(msg.sig, address(this).codehash)));
    }

    /// Calls an account without data.
    function poke(address account) internal {
        (bool done,) = account.call("");
        vm.assertTrue(done);
    }

    /// That the environment is the node's block `number`.
    function assertBlock(uint256 number) internal {
        vm.assertEq(vm.getBlockNumber(), number, "number");
        vm.assertEq(vm.getBlockTimestamp(), GENESIS + 100 * number, "timestamp");
        vm.assertEq(block.chainid, CHAIN, "chain id");
    }
}
