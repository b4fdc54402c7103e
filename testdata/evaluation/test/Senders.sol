// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Three accounts that make all calls, where states belong to accounts.
abstract contract Senders {
    function targetSenders() external pure returns (address[] memory senders) {
        senders = new address[](3);
        for (uint160 i; i < 3; ++i) senders[i] = address(0xacc0 + i);
    }
}
