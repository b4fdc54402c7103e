// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {PriceFeed} from "./cdp/PriceFeed.sol";
import {Cdp} from "./Cdp.sol";

contract CdpBug is Cdp {
    using FixedPointMathLib for uint256;

    constructor(address collateral_, PriceFeed feed_, address feeReceiver_, uint256 ceiling)
        Cdp(collateral_, feed_, feeReceiver_, ceiling)
    {}

    function _leaveSurplus(address owner, uint256 coll, uint256 lot) internal override {
        totalCollateral -= lot;
        surplusOf[owner] += coll - lot;
        totalSurplus += coll - lot;
    }

    function _key(address owner) internal view override returns (uint256) {
        return positions[owner].shares.fullMulDiv(RAY, positions[owner].debt);
    }

    function _withdrawable(address, uint256 requested) internal view override returns (uint256) {
        return requested.min(totalDeposits);
    }
}
