// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// The bug: a refund after the end keeps the tokens. Calls: 2 (a purchase that meets the cap exactly, a refund by the
// same account). Width: one amount, which depends on what was sold before.

import {Sale} from "../src/Sale.sol";
import {Senders} from "./Senders.sol";

/// @custom:bug calls=2
/// @custom:expect invariant_tokensArePaidFor FAIL
/// @custom:expect invariant_capHolds PASS
contract SaleTest is Senders {
    Sale internal sale;

    function setUp() public {
        sale = new Sale();
    }

    function invariant_tokensArePaidFor() external view {
        assert(sale.sold() <= sale.raised() + sale.CAP() / 20);
    }

    function invariant_capHolds() external view {
        assert(sale.raised() <= sale.CAP());
    }
}
