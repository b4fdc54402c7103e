// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {FixedPointMathLib} from "solmate/utils/FixedPointMathLib.sol";
import {ModuleBase} from "./ModuleBase.sol";
import {CreditDollar} from "./Tokens.sol";
import {IDistributor, IGovernor, IInsurance, ILedger} from "./Interfaces.sol";
import {Params, Units} from "./Units.sol";

/// @notice Debts in scaled units against one accruing index. Interest is minted to the fund and to the distributor.
contract DebtLedger is ILedger, ModuleBase {
    using FixedPointMathLib for uint256;

    CreditDollar public immutable dollar;
    IGovernor public immutable governor;
    IInsurance public insurance;
    IDistributor public distributor;

    uint256 public index = Units.RAY;
    uint256 public lastAccrual;
    uint256 public totalScaled;
    uint256 public badDebt;
    uint256 public ceiling;
    mapping(address => uint256) public scaledOf;

    event Accrued(uint256 index, uint256 interest, uint256 repaired);
    event BadDebtRecorded(uint256 amount);

    constructor(CreditDollar dollar_, IGovernor governor_, uint256 ceiling_) {
        dollar = dollar_;
        governor = governor_;
        ceiling = ceiling_;
        lastAccrual = block.timestamp;
    }

    function wire(IInsurance insurance_, IDistributor distributor_) external onlyOwner {
        require(address(insurance) == address(0), "ledger: wired");
        insurance = insurance_;
        distributor = distributor_;
    }

    function setCeiling(uint256 newCeiling) external onlyOwner {
        require(newCeiling > 0, "ledger: ceiling");
        accrue();
        ceiling = newCeiling;
    }

    function accrue() public returns (uint256) {
        uint256 elapsed = block.timestamp - lastAccrual;
        if (elapsed == 0) return index;
        lastAccrual = block.timestamp;
        if (totalScaled == 0) return index;
        uint256 growth = index.mulDivDown(currentRate() * elapsed, Units.YEAR * Units.WAD);
        if (growth == 0) return index;
        uint256 interest = totalScaled.mulDivDown(growth, Units.RAY);
        index += growth;
        _distribute(interest);
        return index;
    }

    function _distribute(uint256 interest) internal {
        uint256 repair;
        if (badDebt > 0) {
            repair = interest.mulDivDown(governor.value(Params.REPAIR_SHARE), Units.BPS);
            repair = Units.min(repair, badDebt);
            badDebt -= repair;
        }
        uint256 rest = interest - repair;
        uint256 premium = rest.mulDivDown(governor.value(Params.INSURANCE_SHARE), Units.BPS);
        if (premium > 0) {
            dollar.mint(address(insurance), premium);
            insurance.onPremium(premium);
        }
        if (rest > premium) {
            dollar.mint(address(distributor), rest - premium);
            distributor.onFees(rest - premium);
        }
        emit Accrued(index, interest, repair);
    }

    /// @notice New debt; the dollars go to `to`.
    function increase(address account, uint256 amount, address to) external onlyModule returns (uint256 scaled) {
        accrue();
        scaled = _add(account, amount);
        require(totalDebt() <= ceiling, "ledger: ceiling");
        dollar.mint(to, amount);
    }

    /// @notice A fee added to the debt; the dollars go to the distributor.
    function charge(address account, uint256 amount) external onlyModule returns (uint256 scaled) {
        accrue();
        scaled = _add(account, amount);
        dollar.mint(address(distributor), amount);
        distributor.onFees(amount);
    }

    function _add(address account, uint256 amount) internal returns (uint256 scaled) {
        scaled = amount.mulDivUp(Units.RAY, index);
        scaledOf[account] += scaled;
        totalScaled += scaled;
    }

    function decrease(address account, uint256 scaled) external onlyModule {
        require(scaledOf[account] >= scaled, "ledger: scaled");
        scaledOf[account] -= scaled;
        totalScaled -= scaled;
    }

    function move(address from, address to, uint256 scaled) external onlyModule {
        require(from != to, "ledger: same");
        require(scaledOf[from] >= scaled, "ledger: scaled");
        scaledOf[from] -= scaled;
        scaledOf[to] += scaled;
    }

    function burnFrom(address payer, uint256 amount) external onlyModule {
        dollar.burn(payer, amount);
    }

    function recordBadDebt(uint256 amount) external onlyModule {
        badDebt += amount;
        emit BadDebtRecorded(amount);
    }

    function currentRate() public view returns (uint256) {
        uint256 used = Units.min(totalDebt().mulDivDown(Units.WAD, ceiling), Units.WAD);
        return governor.value(Params.BASE_RATE) + governor.value(Params.RATE_SLOPE).mulDivDown(used, Units.WAD);
    }

    function totalDebt() public view returns (uint256) {
        return totalScaled.mulDivDown(index, Units.RAY);
    }

    function toAmountUp(uint256 scaled) external view returns (uint256) {
        return scaled.mulDivUp(index, Units.RAY);
    }

    function toScaledDown(uint256 amount) external view returns (uint256) {
        return amount.mulDivDown(Units.RAY, index);
    }
}
