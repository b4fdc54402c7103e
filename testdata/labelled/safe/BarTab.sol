// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Patrons put money on a tab, order drinks from it and take the rest home.
/// @custom:safe
contract BarTabGood {
    address public immutable bar;
    uint256 public immutable price;
    uint256 public takings;
    uint256 private lock = 1;

    mapping(address => uint256) public tab;
    mapping(address => uint256) public drinks;

    event Ordered(address indexed patron, uint256 drinks);
    event Closed(address indexed patron, uint256 rest);

    modifier guarded() {
        require(lock == 1, "busy");
        lock = 2;
        _;
        lock = 1;
    }

    constructor(uint256 price_) {
        require(price_ > 0 && price_ <= 1 ether, "price");
        bar = msg.sender;
        price = price_;
    }

    function putOnTab() external payable guarded {
        require(msg.value > 0, "nothing");
        tab[msg.sender] += msg.value;
    }

    function order(uint256 n) external guarded {
        require(n > 0 && n <= 50, "number");
        uint256 cost = n * price;
        require(tab[msg.sender] >= cost, "tab too small");
        tab[msg.sender] -= cost;
        drinks[msg.sender] += n;
        takings += cost;
        emit Ordered(msg.sender, n);
    }

    /// One round for a friend, on one's own tab.
    function treat(address friend) external guarded {
        require(friend != address(0), "friend");
        require(tab[msg.sender] >= price, "tab too small");
        (tab[msg.sender], takings) = (tab[msg.sender] - price, takings + price);
        drinks[friend] += 1;
        emit Ordered(friend, 1);
    }

    function closeTab(address to) external guarded {
        uint256 rest = tab[msg.sender];
        require(rest > 0, "no tab");
        require(to != address(0), "to");
        (bool ok, ) = to.call{value: rest}("");
        require(ok, "payment failed");
        tab[msg.sender] = 0;
        emit Closed(msg.sender, rest);
    }

    function collect(address to) external guarded {
        require(msg.sender == bar, "not the bar");
        require(to != address(0), "to");
        uint256 amount = takings;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
        takings = 0;
    }
}
