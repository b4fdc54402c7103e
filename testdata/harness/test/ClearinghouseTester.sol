// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ERC20} from "solmate/tokens/ERC20.sol";
import {
    CollateralVaultBug,
    CreditLinesBug,
    FeeDistributorBug,
    InsuranceFundBug,
    LiquidationAuctionsBug,
    ParamGovernorBug,
    StakingRewardsBug
} from "../src/clearinghouse/Bugs.sol";
import {CollateralVault} from "../src/clearinghouse/CollateralVault.sol";
import {CreditLines} from "../src/clearinghouse/CreditLines.sol";
import {FeeDistributor} from "../src/clearinghouse/FeeDistributor.sol";
import {InsuranceFund} from "../src/clearinghouse/InsuranceFund.sol";
import {LiquidationAuctions} from "../src/clearinghouse/LiquidationAuctions.sol";
import {ParamGovernor} from "../src/clearinghouse/ParamGovernor.sol";
import {StakingRewards} from "../src/clearinghouse/StakingRewards.sol";
import {AuctionTargets} from "./targets/AuctionTargets.sol";
import {FeeTargets} from "./targets/FeeTargets.sol";
import {FeedTargets} from "./targets/FeedTargets.sol";
import {FundTargets} from "./targets/FundTargets.sol";
import {GovernorTargets} from "./targets/GovernorTargets.sol";
import {HouseTargets} from "./targets/HouseTargets.sol";
import {LedgerTargets} from "./targets/LedgerTargets.sol";
import {LinesTargets} from "./targets/LinesTargets.sol";
import {StakingTargets} from "./targets/StakingTargets.sol";
import {VaultTargets} from "./targets/VaultTargets.sol";
import {Setup} from "./Setup.sol";

/// @notice The contract that fuzzers call.
contract ClearinghouseTester is
    VaultTargets,
    LinesTargets,
    LedgerTargets,
    AuctionTargets,
    StakingTargets,
    FeeTargets,
    FundTargets,
    FeedTargets,
    GovernorTargets,
    HouseTargets
{
    constructor(uint256 actorCount) Setup(actorCount) {}
}

contract ClearinghouseBugTester is ClearinghouseTester {
    constructor(uint256 actorCount) ClearinghouseTester(actorCount) {}

    function _newGovernor() internal override returns (ParamGovernor) {
        return new ParamGovernorBug(address(this));
    }

    function _newVault() internal override returns (CollateralVault) {
        return new CollateralVaultBug();
    }

    function _newLines() internal override returns (CreditLines) {
        return new CreditLinesBug(governor, ledger, vault);
    }

    function _newFund() internal override returns (InsuranceFund) {
        return new InsuranceFundBug(dollar);
    }

    function _newStaking() internal override returns (StakingRewards) {
        return new StakingRewardsBug(ERC20(clear), governor);
    }

    function _newDistributor() internal override returns (FeeDistributor) {
        return new FeeDistributorBug(ERC20(dollar), staking);
    }

    function _newAuctions() internal override returns (LiquidationAuctions) {
        return new LiquidationAuctionsBug(governor, feed, vault, ledger, lines, fund);
    }
}
