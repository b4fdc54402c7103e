// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ERC20} from "solmate/tokens/ERC20.sol";
import {FixedPointMathLib} from "solmate/utils/FixedPointMathLib.sol";
import {CollateralVault} from "./CollateralVault.sol";
import {CreditLines} from "./CreditLines.sol";
import {FeeDistributor} from "./FeeDistributor.sol";
import {InsuranceFund} from "./InsuranceFund.sol";
import {LiquidationAuctions} from "./LiquidationAuctions.sol";
import {ParamGovernor} from "./ParamGovernor.sol";
import {StakingRewards} from "./StakingRewards.sol";
import {CreditDollar} from "./Tokens.sol";
import {IGovernor, IInsurance, ILedger, ILines, IPriceFeed, IStaking, IVault} from "./Interfaces.sol";
import {Params, Units} from "./Units.sol";

contract CollateralVaultBug is CollateralVault {
    function _move(address from, address to, uint8 asset, uint256 amount) internal override {
        uint256 fromBalance = _balance[from][asset];
        uint256 toBalance = _balance[to][asset];
        _setBalance(from, asset, fromBalance - amount);
        _setBalance(to, asset, toBalance + amount);
    }
}

contract ParamGovernorBug is ParamGovernor {
    constructor(address admin) ParamGovernor(admin) {}

    function _validateExecution(uint8 param, uint256 newValue) internal view override {
        require(newValue >= _bounds[param].min && newValue <= _bounds[param].max, "gov: bounds");
    }
}

contract CreditLinesBug is CreditLines {
    constructor(IGovernor governor_, ILedger ledger_, IVault vault_) CreditLines(governor_, ledger_, vault_) {}

    function _dropMerged(address borrower, uint256 i) internal override {
        Tranche[] storage list = _tranches[borrower];
        delete position[list[i].id];
        delete offeredTo[list[i].id];
        list[i] = list[list.length - 1];
        list.pop();
    }

    function _reduce(Tranche storage a, uint256 scaled) internal override {
        Tranche memory next;
        next.id = a.id;
        next.openedAt = a.openedAt;
        next.maturity = a.maturity;
        next.scaled = a.scaled - scaled;
        (a.openedAt, a.maturity, a.lateCharged, a.scaled) =
            (next.openedAt, next.maturity, next.lateCharged, next.scaled);
    }
}

contract LiquidationAuctionsBug is LiquidationAuctions {
    using FixedPointMathLib for uint256;

    constructor(
        IGovernor governor_,
        IPriceFeed feed_,
        IVault vault_,
        ILedger ledger_,
        ILines lines_,
        IInsurance insurance_
    ) LiquidationAuctions(governor_, feed_, vault_, ledger_, lines_, insurance_) {}

    function _lossOf(address borrower) internal view override returns (uint256) {
        return lines.debtOf(borrower);
    }

    function _rearm(Auction storage a) internal override {
        super._rearm(a);
        a.lot = a.lotLeft;
        a.raised = 0;
    }
}

contract StakingRewardsBug is StakingRewards {
    constructor(ERC20 token_, IGovernor governor_) StakingRewards(token_, governor_) {}

    function _beforeRestake(address) internal override {
        _update();
    }

    function _releaseWeight(address account, uint256 amount) internal override {
        if (_accounts[account].delegatee == address(0)) super._releaseWeight(account, amount);
    }
}

contract FeeDistributorBug is FeeDistributor {
    constructor(ERC20 dollar_, IStaking staking_) FeeDistributor(dollar_, staking_) {}

    function _isClosed(uint256 week) internal view override returns (bool) {
        return block.timestamp >= week + Units.WEEK;
    }
}

contract InsuranceFundBug is InsuranceFund {
    constructor(CreditDollar dollar_) InsuranceFund(dollar_) {}

    function _unqueue(uint256 shares) internal override {}
}
