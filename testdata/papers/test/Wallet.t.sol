// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// Harvey, figure 3: a write to an arbitrary slot (SWC-124). No property is violated; the finding is the write.

interface Vm {
    function deployCode(string calldata artifact) external returns (address);
}

contract WalletTest {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    address internal wallet;

    /// Solidity 0.5 is needed for an array whose length can be decremented, so the contract comes from its artifact.
    function setUp() public {
        wallet = vm.deployCode("Wallet.sol:Wallet");
    }

    function invariant_noop() external pure {}
}
