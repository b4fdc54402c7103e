// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

contract VestingToken is ERC20("Vesting", "VST") {
    constructor() {
        _mint(msg.sender, 1e30);
    }
}

/// Grants that vest in proportion to time after a cliff. The beneficiary may hand a grant to somebody else.
contract Vesting is Ownable {
    using SafeERC20 for IERC20;

    struct Grant {
        address beneficiary;
        uint256 amount;
        uint256 start;
        uint256 cliff;
        uint256 duration;
    }

    IERC20 public immutable token;
    Grant[] public grants;
    mapping(uint256 id => mapping(address beneficiary => uint256)) internal releasedTo;

    constructor(IERC20 token_) Ownable(msg.sender) {
        token = token_;
    }

    function create(address beneficiary, uint256 amount, uint256 cliff, uint256 duration)
        external
        onlyOwner
        returns (uint256 id)
    {
        require(amount != 0 && cliff <= duration && duration != 0, "bad grant");
        id = grants.length;
        grants.push(Grant(beneficiary, amount, block.timestamp, cliff, duration));
        token.safeTransferFrom(msg.sender, address(this), amount);
    }

    function release(uint256 id) external returns (uint256 amount) {
        address beneficiary = grants[id].beneficiary;
        amount = vested(id) - releasedTo[id][beneficiary];
        releasedTo[id][beneficiary] += amount;
        token.safeTransfer(beneficiary, amount);
    }

    function handOver(uint256 id, address to) external {
        Grant storage grant = grants[id];
        require(msg.sender == grant.beneficiary, "not the beneficiary");
        _moveReleased(id, grant.beneficiary, to);
        grant.beneficiary = to;
    }

    function vested(uint256 id) public view returns (uint256) {
        Grant storage grant = grants[id];
        uint256 elapsed = block.timestamp - grant.start;
        if (elapsed < grant.cliff) return 0;
        return elapsed >= grant.duration ? grant.amount : grant.amount * elapsed / grant.duration;
    }

    function grantCount() external view returns (uint256) {
        return grants.length;
    }

    /// What was released counts against the grant, whoever got it.
    function _moveReleased(uint256 id, address from, address to) internal virtual {
        uint256 released = releasedTo[id][from];
        releasedTo[id][from] = 0;
        releasedTo[id][to] = released;
    }
}

/// Bug: what the old beneficiary got is forgotten, so that the new one can draw it again.
contract VestingBug is Vesting {
    constructor(IERC20 token_) Vesting(token_) {}

    function _moveReleased(uint256, address, address) internal override {}
}
