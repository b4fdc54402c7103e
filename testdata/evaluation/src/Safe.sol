// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Boxes with a combination that the account chooses and the contract mixes with its address.
contract Safe {
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) private lockOf;
    mapping(address => bool) public isOpen;
    uint256 public total;
    uint256 public withdrawn;

    function put(uint256 amount) external {
        require(amount != 0 && amount < 2 ** 64, "too much");
        balanceOf[msg.sender] += amount;
        total += amount;
    }

    function lock(uint256 combination) external {
        require(balanceOf[msg.sender] != 0 && lockOf[msg.sender] == 0, "nothing to lock");
        unchecked {
            lockOf[msg.sender] = combination ^ (uint256(uint160(msg.sender)) << 64);
        }
    }

    function unlock(uint256 word) external {
        require(lockOf[msg.sender] != 0, "no lock");
        unchecked {
            require(word * 3 + 1 == lockOf[msg.sender], "wrong word");
        }
        isOpen[msg.sender] = true;
    }

    function take() external {
        require(isOpen[msg.sender], "locked");
        // The bug: the balance is not cleared.
        withdrawn += balanceOf[msg.sender];
    }
}
