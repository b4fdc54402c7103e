// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

interface IGovernor {
    function value(uint8 param) external view returns (uint256);
}

interface IPriceFeed {
    function price(uint8 asset) external view returns (uint256);
}

interface IVault {
    function depositFrom(address payer, uint8 asset, uint256 amount, address account) external;
    function withdrawFor(address account, uint8 asset, uint256 amount, address to) external;
    function moveCollateral(address from, address to, uint8 asset, uint256 amount) external;
    function balanceOf(address account, uint8 asset) external view returns (uint256);
    function assetsOf(address account) external view returns (uint8[] memory);
    function unitOf(uint8 asset) external view returns (uint256);
    function collateralValue(address account) external view returns (uint256);
    function borrowPower(address account) external view returns (uint256);
    function liquidationValue(address account) external view returns (uint256);
}

interface ILedger {
    function accrue() external returns (uint256);
    function index() external view returns (uint256);
    function totalDebt() external view returns (uint256);
    function increase(address account, uint256 amount, address to) external returns (uint256 scaled);
    function charge(address account, uint256 amount) external returns (uint256 scaled);
    function decrease(address account, uint256 scaled) external;
    function move(address from, address to, uint256 scaled) external;
    function burnFrom(address payer, uint256 amount) external;
    function recordBadDebt(uint256 amount) external;
    function toAmountUp(uint256 scaled) external view returns (uint256);
    function toScaledDown(uint256 amount) external view returns (uint256);
}

interface ILines {
    function drawFor(address borrower, uint256 amount, uint256 termWeeks) external returns (uint256 id);
    function settle(address borrower, uint256 amount, address payer) external returns (uint256 paid);
    function forgive(address borrower, uint256 amount) external returns (uint256 forgiven);
    function checkHealth(address account) external;
    function debtOf(address borrower) external view returns (uint256);
    function isLiquidatable(address borrower) external view returns (bool);
    function isOverdue(address borrower) external view returns (bool);
}

interface IInsurance {
    function onPremium(uint256 amount) external;
    function cover(uint256 amount) external returns (uint256 covered);
}

interface IDistributor {
    function onFees(uint256 amount) external;
}

interface IStaking {
    function weightAt(address account, uint256 timestamp) external view returns (uint256);
    function totalWeightAt(uint256 timestamp) external view returns (uint256);
}
