// SPDX-License-Identifier: MIT
// Class 3: fixed-point arithmetic as in DeFi (rounding, shares, prices, slippage, overflow).
// Hard because: an exact share count where the divisor depends on a donation tied to the deposit (SMT: medium).
pragma solidity ^0.8.20;

/// Vault (a token of 6 decimals) with a donation bug: assets sent before the deposit change the price of a share.
contract Vault {
    uint256 public totalShares = 5000445876511;
    uint256 public totalAssets = 2753449866942;

    function donate(uint256 amount) public {
        totalAssets += amount;
    }

    function deposit(uint256 assets) public returns (uint256 shares) {
        shares = assets * totalShares / totalAssets;
        totalShares += shares;
        totalAssets += assets;
    }
}

contract ShareRoundingTest {
    function testFuzz_donation(uint48 assets, uint48 donation) public {
        Vault vault = new Vault();
        vault.donate(donation);
        uint256 shares = vault.deposit(assets);
        if (shares != 814601638254) return;
        assert(uint256(assets) + 3 * uint256(donation) != 610769131441);
    }

    function test_witness() public {
        uint48 a = uint48(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcb88d62f8f96));
        uint48 b = uint48(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe9470890ed));
        try this.testFuzz_donation(a, b) {
            revert("witness does not fail");
        } catch Panic(uint256 code) {
            require(code == 1, "another panic");
        }
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
