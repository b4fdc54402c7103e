// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.30;

import {Properties} from "../Properties.sol";

abstract contract LedgerTargets is Properties {
    function ledger_accrue() public tracked(treasury) {
        ledger.accrue();
    }

    function ledger_setCeiling(uint256 ceiling) public tracked(treasury) {
        ledger.accrue();
        ledger.setCeiling(between(ceiling, ledger.totalDebt() + 1e18, 400_000_000e18));
    }

    function prop_accrueTwice() public {
        uint256 first = ledger.accrue();
        uint256 supply = dollar.totalSupply();
        uint256 second = ledger.accrue();
        eq(first, second, "accrue: index moves twice");
        eq(supply, dollar.totalSupply(), "accrue: mints twice");
    }

    function prop_debtSum() public {
        uint256 sum;
        for (uint256 i; i <= actors.length; ++i) {
            sum += lines.debtOf(_borrower(i));
        }
        gte(sum, ledger.totalDebt(), "debt: sum below the total");
        lte(sum, ledger.totalDebt() + 1e6, "debt: sum above the total");
    }

    function prop_borrowerList() public {
        address[] memory list = lines.borrowers();
        uint256 with;
        for (uint256 i; i <= actors.length; ++i) {
            if (lines.trancheCount(_borrower(i)) > 0) with += 1;
        }
        eq(list.length, with, "borrowers: count");
        for (uint256 i; i < list.length; ++i) {
            t(lines.trancheCount(list[i]) > 0, "borrowers: empty");
        }
    }
}
