// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:vulnerable arbitrary-jump serve()
/** choose() stores the caller's number as a function pointer by assembly; serve() jumps there. */
contract MenuBad {
    function() internal dish;
    mapping(address => uint256) public servings;
    uint256 public soups;
    uint256 public stews;
    address public cook;

    event Chosen(address indexed guest, uint32 code);

    constructor() public {
        cook = msg.sender;
        dish = soup;
    }

    function choose(uint32 code) external {
        require(code != 0, "no choice");
        assembly {
            sstore(dish_slot, code)
        }
        emit Chosen(msg.sender, code);
    }

    function serve() external {
        servings[msg.sender] += 1;
        dish();
    }

    function closeKitchen() external {
        require(msg.sender == cook, "cook only");
        soups = 0;
        dish = stew;
    }

    function soup() internal {
        soups += 1;
    }

    function stew() internal {
        stews += 1;
    }
}

/// @custom:safe
/** The number picks one of the two known functions. */
contract MenuGood {
    function() internal dish;
    mapping(address => uint256) public servings;
    uint256 public soups;
    uint256 public stews;
    address public cook;

    event Chosen(address indexed guest, uint32 code);

    constructor() public {
        cook = msg.sender;
        dish = soup;
    }

    function choose(uint32 code) external {
        require(code != 0, "no choice");
        if (code == 1) {
            dish = soup;
        } else {
            dish = stew;
        }
        emit Chosen(msg.sender, code);
    }

    function serve() external {
        servings[msg.sender] += 1;
        dish();
    }

    function closeKitchen() external {
        require(msg.sender == cook, "cook only");
        soups = 0;
        dish = stew;
    }

    function soup() internal {
        soups += 1;
    }

    function stew() internal {
        stews += 1;
    }
}
