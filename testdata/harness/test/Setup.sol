// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {ERC20} from "solmate/tokens/ERC20.sol";
import {Clearinghouse} from "../src/clearinghouse/Clearinghouse.sol";
import {CollateralVault} from "../src/clearinghouse/CollateralVault.sol";
import {CreditLines} from "../src/clearinghouse/CreditLines.sol";
import {DebtLedger} from "../src/clearinghouse/DebtLedger.sol";
import {FeeDistributor} from "../src/clearinghouse/FeeDistributor.sol";
import {InsuranceFund} from "../src/clearinghouse/InsuranceFund.sol";
import {LiquidationAuctions} from "../src/clearinghouse/LiquidationAuctions.sol";
import {ParamGovernor} from "../src/clearinghouse/ParamGovernor.sol";
import {PriceFeed} from "../src/clearinghouse/PriceFeed.sol";
import {StakingRewards} from "../src/clearinghouse/StakingRewards.sol";
import {ClearToken, CollateralToken, CreditDollar} from "../src/clearinghouse/Tokens.sol";
import {Asserts} from "./Asserts.sol";

/// @notice Deploys the protocol, wires its modules and funds the actors.
abstract contract Setup is Asserts {
    uint256 internal constant START = 1_750_000_000;
    uint256 internal constant ASSETS = 3;

    ParamGovernor public governor;
    PriceFeed public feed;
    CreditDollar public dollar;
    ClearToken public clear;
    CollateralVault public vault;
    DebtLedger public ledger;
    CreditLines public lines;
    InsuranceFund public fund;
    StakingRewards public staking;
    FeeDistributor public distributor;
    LiquidationAuctions public auctions;
    Clearinghouse public house;

    CollateralToken[] internal tokens;
    address[] internal actors;
    address internal treasury = address(0x7E0000);

    constructor(uint256 actorCount) {
        require(actorCount > 1 && actorCount < 9, "setup: actors");
        vm.warp(START);
        for (uint256 i; i < actorCount; ++i) {
            actors.push(address(uint160(0xA10000 + i * 0x1000)));
        }
        _deploy();
        _wire();
        _list();
        for (uint256 i; i < actorCount; ++i) {
            _fund(actors[i]);
        }
        _genesis();
        vm.warp(START + 1 days);
    }

    function _deploy() internal {
        governor = _newGovernor();
        feed = new PriceFeed(address(this));
        feed.grantRole(feed.REPORTER(), address(this));
        dollar = new CreditDollar();
        clear = new ClearToken(address(this), 100_000_000e18);
        vault = _newVault();
        ledger = new DebtLedger(dollar, governor, 100_000_000e18);
        lines = _newLines();
        fund = _newFund();
        staking = _newStaking();
        distributor = _newDistributor();
        auctions = _newAuctions();
        house = new Clearinghouse(vault, ledger, lines, auctions, staking);
    }

    function _wire() internal {
        vault.wire(feed, lines);
        ledger.wire(fund, distributor);
        dollar.setModule(address(ledger), true);
        dollar.setModule(address(fund), true);
        ledger.setModule(address(lines), true);
        ledger.setModule(address(auctions), true);
        fund.setModule(address(ledger), true);
        fund.setModule(address(auctions), true);
        distributor.setModule(address(ledger), true);
        vault.setModule(address(auctions), true);
        vault.setModule(address(house), true);
        lines.setModule(address(auctions), true);
        lines.setModule(address(house), true);
        lines.grantRole(lines.UNDERWRITER(), address(this));
    }

    function _list() internal {
        tokens.push(new CollateralToken("Wrapped Ether", "WETH", 18));
        tokens.push(new CollateralToken("Wrapped Bitcoin", "WBTC", 8));
        tokens.push(new CollateralToken("Dollar Bill", "BILL", 6));
        feed.addAsset(2_000e18, 100e18, 20_000e18);
        feed.addAsset(60_000e18, 3_000e18, 600_000e18);
        feed.addAsset(1e18, 0.2e18, 2e18);
        vault.listAsset(ERC20(tokens[0]), 1_000_000e18, 7500, 8000);
        vault.listAsset(ERC20(tokens[1]), 50_000e8, 7000, 7600);
        vault.listAsset(ERC20(tokens[2]), 500_000_000e6, 8500, 9000);
    }

    function _fund(address actor) internal {
        tokens[0].mint(actor, 1_000e18);
        tokens[1].mint(actor, 50e8);
        tokens[2].mint(actor, 2_000_000e6);
        clear.transfer(actor, 10_000_000e18);
        lines.approveLine(actor, 3_000_000e18, uint64(block.timestamp + 52 weeks));
        _approve(actor);
    }

    function _approve(address account) internal {
        for (uint256 i; i < ASSETS; ++i) {
            vm.prank(account);
            tokens[i].approve(address(vault), type(uint256).max);
        }
        vm.prank(account);
        clear.approve(address(staking), type(uint256).max);
        vm.prank(account);
        dollar.approve(address(fund), type(uint256).max);
        vm.prank(account);
        dollar.approve(address(distributor), type(uint256).max);
    }

    /// @dev The treasury draws the first dollars and hands them to the actors.
    function _genesis() internal {
        tokens[0].mint(treasury, 10_000e18);
        clear.transfer(treasury, 20_000_000e18);
        lines.approveLine(treasury, 20_000_000e18, uint64(block.timestamp + 520 weeks));
        _approve(treasury);
        vm.prank(treasury);
        vault.deposit(0, 10_000e18, treasury);
        vm.prank(treasury);
        lines.draw(9_000_000e18, 26);
        for (uint256 i; i < actors.length; ++i) {
            vm.prank(treasury);
            dollar.transfer(actors[i], 8_000_000e18 / actors.length);
        }
    }

    // Factories

    function _newGovernor() internal virtual returns (ParamGovernor) {
        return new ParamGovernor(address(this));
    }

    function _newVault() internal virtual returns (CollateralVault) {
        return new CollateralVault();
    }

    function _newLines() internal virtual returns (CreditLines) {
        return new CreditLines(governor, ledger, vault);
    }

    function _newFund() internal virtual returns (InsuranceFund) {
        return new InsuranceFund(dollar);
    }

    function _newStaking() internal virtual returns (StakingRewards) {
        return new StakingRewards(ERC20(clear), governor);
    }

    function _newDistributor() internal virtual returns (FeeDistributor) {
        return new FeeDistributor(ERC20(dollar), staking);
    }

    function _newAuctions() internal virtual returns (LiquidationAuctions) {
        return new LiquidationAuctions(governor, feed, vault, ledger, lines, fund);
    }

    // Choices

    function _actor(uint256 seed) internal view returns (address) {
        return actors[seed % actors.length];
    }

    function _asset(uint256 seed) internal pure returns (uint8) {
        return uint8(seed % ASSETS);
    }

    /// @dev An actor, or the treasury.
    function _borrower(uint256 seed) internal view returns (address) {
        uint256 i = seed % (actors.length + 1);
        return i == actors.length ? treasury : actors[i];
    }

    function _accounts() internal view returns (address[] memory list) {
        list = new address[](actors.length + 2);
        for (uint256 i; i < actors.length; ++i) {
            list[i] = actors[i];
        }
        list[actors.length] = treasury;
        list[actors.length + 1] = address(auctions);
    }

    function actorAt(uint256 i) external view returns (address) {
        return actors[i];
    }
}
