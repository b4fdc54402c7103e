// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// A chain of offices: who holds one may nominate for the next, and who is nominated must accept with the ticket that
/// belongs to the account.
contract Succession {
    enum Office {
        None,
        Clerk,
        Deputy,
        Chair
    }

    mapping(address => Office) public officeOf;
    mapping(address => Office) public nominated;
    address public chair;

    /// Everybody can become a clerk, with a ticket for one of a thousand desks.
    function apply_(uint256 ticket) external {
        require(officeOf[msg.sender] == Office.None, "has an office");
        require(ticket % 1_000 == uint160(msg.sender) % 1_000, "not your desk");
        officeOf[msg.sender] = Office.Clerk;
    }

    function nominate(address account) external {
        Office office = officeOf[msg.sender];
        require(office != Office.None && office != Office.Chair, "no right");
        // The bug: nothing keeps an account from nominating itself.
        nominated[account] = Office(uint8(office) + 1);
    }

    function accept() external {
        require(nominated[msg.sender] > officeOf[msg.sender], "not nominated");
        officeOf[msg.sender] = nominated[msg.sender];
        if (officeOf[msg.sender] == Office.Chair) chair = msg.sender;
    }
}
