// SPDX-License-Identifier: MIT
// Class 3: fixed-point arithmetic as in DeFi (rounding, shares, prices, slippage, overflow).
// Hard because: stateful: a donation and a redeem whose payout must hit one wei (SMT: hard).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

/// Share vault; the invariant claims that the audit flag never rises.
contract ShareVault {
    uint256 public supply = 8772494682028933152215;
    uint256 public assets = 8859833697285318828982;
    uint256 public donated;
    bool public flagged;

    function donate(uint96 amount) external {
        if (donated != 0 || amount > 1e22) return;
        donated = amount;
        assets += amount;
    }

    function redeem(uint96 shares) external {
        if (shares == 0 || shares > supply / 2) return;
        uint256 payout = uint256(shares) * assets / supply;
        if (donated != 0 && payout == 822589490118713463407) {
            flagged = donated + 2 * uint256(shares) == 1788514402536128276587;
        }
        // the vault is refilled by the keeper, so that supply and assets keep their ratio
    }
}

contract RedeemRoundingTest is Test {
    ShareVault internal vault;

    function setUp() public {
        vault = new ShareVault();
        targetContract(address(vault));
    }

    function invariant_notFlagged() public view {
        assertEq(vault.flagged(), false);
    }

    function test_witness() public {
        vault.donate(uint96(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b079a19fe52890a051d1)));
        vault.redeem(uint96(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b05819d078ccf1b30954)));
        assertTrue(vault.flagged());
        try this.invariant_notFlagged() {
            revert("witness does not fail");
        } catch {}
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
