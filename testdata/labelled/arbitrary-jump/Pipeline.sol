// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The caller may overwrite a pointer to an internal function, and thereby jump anywhere in the code.
/// @custom:vulnerable arbitrary-jump run(uint256,uint256)
contract PipelineBad {
    struct Stage {
        function(uint256) internal returns (uint256) fn;
    }

    address public immutable owner = msg.sender;
    uint256 public epoch;
    uint256 public halvings;
    uint256 public triplings;
    mapping(address => uint256) public lastResult;

    function run(uint256 input, uint256 stage) external returns (uint256 result) {
        require(input <= 1e18, "input");
        Stage memory s;
        s.fn = input % 2 == 0 ? halve : triple;
        if (stage != 0) {
            assembly {
                mstore(s, stage)
            }
        }
        result = s.fn(input);
        lastResult[msg.sender] = result;
    }

    function startEpoch() external {
        require(msg.sender == owner, "owner only");
        advance(1);
    }

    function advance(uint256 by) internal returns (uint256) {
        epoch += by;
        return epoch;
    }

    function halve(uint256 x) internal returns (uint256) {
        halvings += 1;
        return x / 2;
    }

    function triple(uint256 x) internal returns (uint256) {
        triplings += 1;
        return x * 3 + 1;
    }
}

/// The caller chooses among the functions by number.
/// @custom:safe
contract PipelineGood {
    struct Stage {
        function(uint256) internal returns (uint256) fn;
    }

    address public immutable owner = msg.sender;
    uint256 public epoch;
    uint256 public halvings;
    uint256 public triplings;
    mapping(address => uint256) public lastResult;

    function run(uint256 input, uint256 stage) external returns (uint256 result) {
        require(input <= 1e18, "input");
        Stage memory s;
        s.fn = input % 2 == 0 ? halve : triple;
        if (stage == 1) {
            s.fn = halve;
        } else if (stage == 2) {
            s.fn = triple;
        } else {
            require(stage == 0, "no such stage");
        }
        result = s.fn(input);
        lastResult[msg.sender] = result;
    }

    function startEpoch() external {
        require(msg.sender == owner, "owner only");
        advance(1);
    }

    function advance(uint256 by) internal returns (uint256) {
        epoch += by;
        return epoch;
    }

    function halve(uint256 x) internal returns (uint256) {
        halvings += 1;
        return x / 2;
    }

    function triple(uint256 x) internal returns (uint256) {
        triplings += 1;
        return x * 3 + 1;
    }
}
