// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {OptionsVault} from "./OptionsVault.sol";
import {PriceOracle} from "./options/PriceOracle.sol";

contract OptionsVaultBug is OptionsVault {
    constructor(IERC20 asset_, IERC20 cash_, PriceOracle oracle_, uint256 depositCap_, address admin)
        OptionsVault(asset_, cash_, oracle_, depositCap_, admin)
    {}

    function _exitPrice(uint32) internal view override returns (uint256) {
        return _rounds[round - 1].sharePrice;
    }

    function _creditTicket(address to, uint128 amount) internal override {
        Ticket storage t = _tickets[to];
        t.amount += amount;
        t.round = round;
    }

    function _syncReceiver(address to) internal override {
        if (balanceOf(to) != 0) _sync(to);
    }
}
