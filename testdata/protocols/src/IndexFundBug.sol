// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IndexFund} from "./IndexFund.sol";

contract IndexFundBug is IndexFund {
    constructor(
        address[] memory assets_,
        uint256[] memory amounts,
        uint256 shares,
        address feeRecipient_,
        uint256 supplyCap_,
        uint256 feeRate_
    ) IndexFund(assets_, amounts, shares, feeRecipient_, supplyCap_, feeRate_) {}

    function _takeOut(uint256 shares, uint256 supply) internal override returns (uint256[] memory) {
        _capAuction();
        return _reduceHoldings(shares, supply);
    }

    function _feeSince(uint256 since) internal view override returns (uint256) {
        uint256 rate = nextFeeAt != 0 && block.timestamp >= nextFeeAt ? nextFeeRate : feeRate;
        return rate * (block.timestamp - since) / YEAR;
    }

    function _newStreamId(address token) internal pure override returns (uint256) {
        return uint160(token);
    }
}
