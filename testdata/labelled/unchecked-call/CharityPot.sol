// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Where the donations end up; its keeper hands them on.
contract Pot {
    address public immutable keeper;

    constructor(address keeper_) {
        keeper = keeper_;
    }

    receive() external payable {}

    function handOut(address to, uint256 amount) external {
        require(msg.sender == keeper, "only the keeper");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "rejected");
    }
}

/// The result of send is ignored: asked for more than it holds, the contract counts donations that never reached
/// the pot.
/// @custom:vulnerable unchecked-call forward(uint256)
contract CharityPotBad {
    Pot public immutable pot;
    uint256 public donated;
    uint256 public forwarded;

    event Forwarded(uint256 amount);

    constructor() {
        pot = new Pot(msg.sender);
    }

    function donate() external payable {
        require(msg.value > 0, "nothing");
        donated += msg.value;
    }

    function forward(uint256 amount) external {
        require(amount > 0 && amount <= 1000 ether, "amount");
        payable(address(pot)).send(amount);
        forwarded += amount;
        emit Forwarded(amount);
    }
}

/// A send that fails reverts. The pot accepts ether for next to no gas in both twins.
/// @custom:safe
contract CharityPotGood {
    Pot public immutable pot;
    uint256 public donated;
    uint256 public forwarded;

    event Forwarded(uint256 amount);

    constructor() {
        pot = new Pot(msg.sender);
    }

    function donate() external payable {
        require(msg.value > 0, "nothing");
        donated += msg.value;
    }

    function forward(uint256 amount) external {
        require(amount > 0 && amount <= 1000 ether, "amount");
        require(payable(address(pot)).send(amount), "not forwarded");
        forwarded += amount;
        emit Forwarded(amount);
    }
}
