// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Figure 1 of the sFuzz paper: a prize behind a hash and an exact value, with an assertion where it is paid.
contract Quiz {
    string public question;
    address questionSender;
    bytes32 responseHash;

    receive() external payable {}

    function Try(string calldata response) external payable {
        if (responseHash == keccak256(bytes(response)) && msg.value == 0.1 ether) {
            assert(false);
            payable(msg.sender).transfer(address(this).balance);
        }
    }

    function start_quiz_game(string calldata question_, string calldata answer) public payable {
        if (responseHash == 0x0) {
            responseHash = keccak256(bytes(answer));
            question = question_;
            questionSender = msg.sender;
        }
    }
}
