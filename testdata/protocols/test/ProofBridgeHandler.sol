// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdCheats} from "forge-std/StdCheats.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "solmate/tokens/ERC20.sol";
import {ProofBridge} from "../src/ProofBridge.sol";
import {Accumulator} from "../src/proofbridge/Accumulator.sol";

contract BridgeAsset is ERC20 {
    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_, decimals_) {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// @notice Drives both ends of the bridge, and builds the roots and proofs that relayers would.
/// Side 0 is the home chain (tokens are locked), side 1 the other one (tokens are minted).
contract ProofBridgeHandler is CommonBase, StdCheats, StdUtils {
    ProofBridge[2] public bridges;
    address public admin;
    address public relayer = address(0xB0B);
    address public guardian = address(0x6A4D);
    address public feeTaker = address(0xFEE);
    address[] public actors;
    uint128[] public baseLimits;

    mapping(uint256 side => mapping(uint256 assetId => mapping(uint256 day => uint256))) public paidOn;
    mapping(uint256 side => mapping(uint256 assetId => mapping(uint256 day => uint256))) public limitOn;
    mapping(uint256 side => mapping(uint256 assetId => uint256)) public feesPaid;
    mapping(uint256 side => mapping(uint256 assetId => uint256)) public feesCharged;

    constructor(ProofBridge home, ProofBridge away, address admin_, address[] memory actors_) {
        bridges[0] = home;
        bridges[1] = away;
        admin = admin_;
        actors = actors_;
        for (uint256 i; i < home.assetCount(); ++i) {
            baseLimits.push(home.assets(i).dailyLimit);
            for (uint256 j; j < actors_.length; ++j) {
                for (uint256 side; side < 2; ++side) {
                    address token = bridges[side].assets(i).token;
                    vm.prank(actors_[j]);
                    IERC20(token).approve(address(bridges[side]), type(uint256).max);
                }
            }
        }
    }

    // ------------------------------------------------------------------ outgoing

    function lock(uint256 actorSeed, uint256 side, uint256 assetSeed, uint256 amount, uint256 recipientSeed) external {
        side = bound(side, 0, 1);
        uint256 assetId = bound(assetSeed, 0, baseLimits.length - 1);
        ProofBridge bridge = bridges[side];
        ProofBridge.Asset memory asset = bridge.assets(assetId);
        address actor = _actor(actorSeed);
        uint256 high = uint256(baseLimits[assetId]) * 6 / 5;
        uint256 balance = IERC20(asset.token).balanceOf(actor);
        if (balance < high) high = balance;
        if (high < asset.minAmount) return;
        amount = bound(amount, asset.minAmount, high);
        address recipient = _actor(recipientSeed);
        vm.prank(actor);
        uint256 index = bridge.lock(assetId, amount, recipient);
        feesCharged[side][assetId] += amount - bridge.sent(index).amount;
    }

    // ------------------------------------------------------------------ relaying

    /// @dev Posts the current root of `side` on the other side.
    function relay(uint256 side) external {
        side = bound(side, 0, 1);
        uint256 size = bridges[side].outboxSize();
        if (size == 0) return;
        bytes32 root = bridges[side].outboxRoot();
        vm.prank(relayer);
        bridges[1 - side].postRoot(root, uint64(size));
    }

    function challenge(uint256 side, uint256 rootSeed) external {
        ProofBridge bridge = bridges[bound(side, 0, 1)];
        uint256 count = bridge.rootCount();
        if (count == 0) return;
        uint256 rootId = bound(rootSeed, 0, count - 1);
        vm.prank(guardian);
        bridge.challengeRoot(rootId);
    }

    /// @dev Proves a message of `side` on the other side under any root that includes it.
    function prove(uint256 side, uint256 messageSeed, uint256 rootSeed) external {
        side = bound(side, 0, 1);
        uint256 count = bridges[side].outboxSize();
        uint256 rootCount = bridges[1 - side].rootCount();
        if (count == 0 || rootCount == 0) return;
        uint256 index = bound(messageSeed, 0, count - 1);
        uint256 rootId = bound(rootSeed, 0, rootCount - 1);
        uint256 size = bridges[1 - side].roots(rootId).size;
        if (index >= size) return;
        bridges[1 - side].prove(bridges[side].sent(index), index, rootId, proofOf(side, index, size));
    }

    function voidRelease(uint256 side, uint256 messageSeed) external {
        (ProofBridge bridge, bytes32 id) = _pick(side, messageSeed);
        if (id != 0) bridge.voidRelease(id);
    }

    // ------------------------------------------------------------------ paying

    function finalize(uint256 side, uint256 messageSeed) external {
        (ProofBridge bridge, bytes32 id) = _pick(side, messageSeed);
        if (id == 0) return;
        uint256 assetId = bridge.releases(id).assetId;
        uint256 supply = _circulating(bridge, assetId);
        bridge.finalize(id);
        _recordPaid(bridge, assetId, _circulating(bridge, assetId) - supply);
    }

    function processQueue(uint256 side, uint256 assetSeed, uint256 maxItems) external {
        ProofBridge bridge = bridges[bound(side, 0, 1)];
        uint256 assetId = bound(assetSeed, 0, baseLimits.length - 1);
        uint256 supply = _circulating(bridge, assetId);
        bridge.processQueue(assetId, bound(maxItems, 1, 5));
        _recordPaid(bridge, assetId, _circulating(bridge, assetId) - supply);
    }

    function veto(uint256 side, uint256 messageSeed) external {
        (ProofBridge bridge, bytes32 id) = _pick(side, messageSeed);
        if (id == 0) return;
        vm.prank(guardian);
        bridge.veto(id);
    }

    // ------------------------------------------------------------------ administration and time

    function setDailyLimit(uint256 side, uint256 assetSeed, uint256 limit) external {
        uint256 assetId = bound(assetSeed, 0, baseLimits.length - 1);
        limit = bound(limit, baseLimits[assetId] / 2, uint256(baseLimits[assetId]) * 3 / 2);
        side = bound(side, 0, 1);
        vm.prank(admin);
        bridges[side].setDailyLimit(assetId, uint128(limit));
    }

    function setFee(uint256 side, uint256 assetSeed, uint256 bps) external {
        side = bound(side, 0, 1);
        uint256 assetId = bound(assetSeed, 0, baseLimits.length - 1);
        bps = bound(bps, 0, 50);
        vm.prank(admin);
        bridges[side].setFee(assetId, uint16(bps));
    }

    function collectFees(uint256 side, uint256 assetSeed) external {
        side = bound(side, 0, 1);
        uint256 assetId = bound(assetSeed, 0, baseLimits.length - 1);
        vm.prank(admin);
        feesPaid[side][assetId] += bridges[side].collectFees(assetId, feeTaker);
    }

    function warp(uint256 numHours) external {
        vm.warp(block.timestamp + bound(numHours, 1, 36) * 1 hours);
    }

    // ------------------------------------------------------------------ views

    /// @notice The branch of leaf `index` in the tree of the first `size` messages of `side`.
    function proofOf(uint256 side, uint256 index, uint256 size) public view returns (bytes32[] memory proof) {
        bytes32[] memory nodes = leaves(side, size);
        proof = new bytes32[](Accumulator.DEPTH);
        bytes32 zero;
        for (uint256 h; h < Accumulator.DEPTH; ++h) {
            uint256 sibling = (index >> h) ^ 1;
            proof[h] = sibling < nodes.length ? nodes[sibling] : zero;
            nodes = _parents(nodes, zero);
            zero = Accumulator.hashPair(zero, zero);
        }
    }

    function rootOf(uint256 side) external view returns (bytes32) {
        bytes32[] memory nodes = leaves(side, bridges[side].outboxSize());
        bytes32 zero;
        for (uint256 h; h < Accumulator.DEPTH; ++h) {
            nodes = _parents(nodes, zero);
            zero = Accumulator.hashPair(zero, zero);
        }
        return nodes.length == 0 ? zero : nodes[0];
    }

    function leaves(uint256 side, uint256 size) public view returns (bytes32[] memory nodes) {
        nodes = new bytes32[](size);
        for (uint256 i; i < size; ++i) {
            nodes[i] = idOf(side, i);
        }
    }

    function idOf(uint256 side, uint256 index) public view returns (bytes32) {
        return bridges[side].sentIds(index);
    }

    /// @notice What messages from `side` have not delivered yet.
    function inFlight(uint256 side, uint256 assetId) external view returns (uint256 sum) {
        uint256 count = bridges[side].outboxSize();
        for (uint256 i; i < count; ++i) {
            ProofBridge.Message memory message = bridges[side].sent(i);
            if (message.assetId != assetId) continue;
            ProofBridge.Release memory release = bridges[1 - side].releases(idOf(side, i));
            sum += release.status == ProofBridge.Status.None ? message.amount : release.remaining;
        }
    }

    function _parents(bytes32[] memory nodes, bytes32 zero) internal pure returns (bytes32[] memory up) {
        up = new bytes32[]((nodes.length + 1) / 2);
        for (uint256 i; i < up.length; ++i) {
            up[i] = Accumulator.hashPair(nodes[2 * i], 2 * i + 1 < nodes.length ? nodes[2 * i + 1] : zero);
        }
    }

    /// @dev What users hold: outflow of the vault, or supply of the minted token.
    function _circulating(ProofBridge bridge, uint256 assetId) internal view returns (uint256) {
        IERC20 token = IERC20(bridge.assets(assetId).token);
        return token.totalSupply() - token.balanceOf(address(bridge));
    }

    function _recordPaid(ProofBridge bridge, uint256 assetId, uint256 amount) internal {
        if (amount == 0) return;
        uint256 side = bridge == bridges[0] ? 0 : 1;
        uint256 day = bridge.currentDay();
        paidOn[side][assetId][day] += amount;
        uint256 limit = bridge.assets(assetId).dailyLimit;
        if (limit > limitOn[side][assetId][day]) limitOn[side][assetId][day] = limit;
    }

    function _pick(uint256 side, uint256 seed) internal view returns (ProofBridge, bytes32) {
        side = bound(side, 0, 1);
        uint256 count = bridges[side].outboxSize();
        if (count == 0) return (bridges[1 - side], 0);
        return (bridges[1 - side], idOf(side, bound(seed, 0, count - 1)));
    }

    function _actor(uint256 seed) internal view returns (address) {
        return actors[bound(seed, 0, actors.length - 1)];
    }
}
