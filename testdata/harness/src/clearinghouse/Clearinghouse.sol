// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ModuleBase} from "./ModuleBase.sol";
import {CollateralVault} from "./CollateralVault.sol";
import {DebtLedger} from "./DebtLedger.sol";
import {CreditLines} from "./CreditLines.sol";
import {LiquidationAuctions} from "./LiquidationAuctions.sol";
import {StakingRewards} from "./StakingRewards.sol";
import {Units} from "./Units.sol";

/// @notice The entry for operations that touch several modules at once.
contract Clearinghouse is ModuleBase {
    CollateralVault public immutable vault;
    DebtLedger public immutable ledger;
    CreditLines public immutable lines;
    LiquidationAuctions public immutable auctions;
    StakingRewards public immutable staking;

    uint256 public constant MAX_BATCH = 8;
    uint256 public lastTick;
    bool public halted;

    event Ticked(uint256 indexed week, uint256 lateFees);
    event Unwound(address indexed account, uint256 repaid, uint256 assets);

    constructor(
        CollateralVault vault_,
        DebtLedger ledger_,
        CreditLines lines_,
        LiquidationAuctions auctions_,
        StakingRewards staking_
    ) {
        vault = vault_;
        ledger = ledger_;
        lines = lines_;
        auctions = auctions_;
        staking = staking_;
    }

    modifier running() {
        require(!halted, "house: halted");
        _;
    }

    function setHalted(bool value) external onlyOwner {
        halted = value;
    }

    function depositAndDraw(uint8 asset, uint256 amount, uint256 drawAmount, uint256 termWeeks)
        external
        running
        returns (uint256 id)
    {
        vault.depositFrom(msg.sender, asset, amount, msg.sender);
        id = lines.drawFor(msg.sender, drawAmount, termWeeks);
    }

    function repayAndWithdraw(uint256 repayAmount, uint8 asset, uint256 amount) external running {
        if (repayAmount > 0) lines.settle(msg.sender, repayAmount, msg.sender);
        if (amount > 0) vault.withdrawFor(msg.sender, asset, amount, msg.sender);
    }

    /// @notice Repays all tranches and takes all collateral out.
    function unwind() external running {
        ledger.accrue();
        require(auctions.openCount(msg.sender) == 0, "house: auction");
        uint256 debt = lines.debtOf(msg.sender);
        if (debt > 0) lines.settle(msg.sender, debt, msg.sender);
        uint8[] memory held = vault.assetsOf(msg.sender);
        require(debt > 0 || held.length > 0, "house: nothing");
        for (uint256 i; i < held.length; ++i) {
            vault.withdrawFor(msg.sender, held[i], vault.balanceOf(msg.sender, held[i]), msg.sender);
        }
        emit Unwound(msg.sender, debt, held.length);
    }

    /// @notice Starts auctions for those of the accounts that can be liquidated.
    function liquidateBatch(address[] calldata accounts) external running returns (uint256 started) {
        require(accounts.length > 0, "house: empty");
        require(accounts.length <= MAX_BATCH, "house: batch");
        ledger.accrue();
        for (uint256 i; i < accounts.length; ++i) {
            uint8[] memory held = vault.assetsOf(accounts[i]);
            for (uint256 j; j < held.length; ++j) {
                if (!lines.isLiquidatable(accounts[i])) break;
                if (auctions.openOf(accounts[i], held[j]) != 0) continue;
                auctions.start(accounts[i], held[j]);
                started += 1;
            }
        }
        require(started > 0, "house: none");
    }

    /// @notice The weekly upkeep: interest, rewards and late fees.
    function tick() external running returns (uint256 fees) {
        uint256 week = Units.weekOf(block.timestamp);
        require(week > lastTick, "house: ticked");
        lastTick = week;
        ledger.accrue();
        staking.update();
        address[] memory list = lines.borrowers();
        for (uint256 i; i < list.length && i < MAX_BATCH; ++i) {
            CreditLines.Tranche[] memory tranches = lines.tranchesOf(list[i]);
            for (uint256 j; j < tranches.length; ++j) {
                if (tranches[j].lateCharged) continue;
                if (block.timestamp <= tranches[j].maturity + lines.LATE_GRACE()) continue;
                if (lines.position(tranches[j].id) == 0) continue;
                fees += lines.chargeLate(list[i], tranches[j].id);
            }
        }
        emit Ticked(week, fees);
    }

    /// @notice Debt, collateral and room to draw of an account.
    function statusOf(address account) external view returns (uint256 debt, uint256 collateral, uint256 room) {
        debt = lines.debtOf(account);
        collateral = vault.collateralValue(account);
        uint256 power = vault.borrowPower(account);
        uint256 limit = lines.lineOf(account).limit;
        uint256 top = Units.min(power, limit);
        room = top > debt ? top - debt : 0;
    }
}
