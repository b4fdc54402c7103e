// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

contract Steps {
    struct Step {
        function() internal run;
    }

    uint256 public done;

    function first() internal {
        done += 1;
    }

    function second() internal {
        done += 2;
    }
}

contract ArbitraryJumpBad is Steps {
    function go(uint256 offset) external payable {
        Step memory step = Step(first);
        assembly {
            mstore(step, add(mload(step), offset))
        }
        step.run();
    }
}

contract ArbitraryJumpGood is Steps {
    function go(uint256 offset) external payable {
        Step memory step = Step(offset % 2 == 0 ? first : second);
        step.run();
    }
}
