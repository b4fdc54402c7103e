// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Shares are sold at a fixed price until the sale is closed. Afterwards dividends
/// are paid per share; shares can be given back for their price at any time.
/// @custom:safe
contract DividendSharesGood {
    address public immutable manager;
    uint256 public immutable price;
    bool public saleOpen = true;
    uint256 public totalShares;
    uint256 public perShare;
    uint256 public carry;

    mapping(address => uint256) public shares;
    mapping(address => uint256) public seen;
    mapping(address => uint256) public credit;

    event Bought(address indexed who, uint256 n);
    event Redeemed(address indexed who, uint256 n);
    event Distributed(uint256 perShare, uint256 carry);

    constructor(uint256 price_) {
        require(price_ > 0 && price_ <= 100 ether, "price");
        manager = msg.sender;
        price = price_;
    }

    function settle(address who) internal {
        credit[who] += shares[who] * (perShare - seen[who]);
        seen[who] = perShare;
    }

    function buy(uint256 n) external payable {
        require(saleOpen, "sale closed");
        require(n > 0 && n <= 1_000_000, "number");
        require(msg.value == n * price, "price");
        settle(msg.sender);
        shares[msg.sender] += n;
        totalShares += n;
        emit Bought(msg.sender, n);
    }

    function closeSale() external {
        require(msg.sender == manager, "not the manager");
        saleOpen = false;
    }

    /// What does not divide evenly is kept for the next time.
    function distribute() external payable {
        require(!saleOpen, "sale open");
        require(totalShares > 0, "no shares");
        uint256 sum = msg.value + carry;
        perShare += sum / totalShares;
        carry = sum % totalShares;
        emit Distributed(perShare, carry);
    }

    function redeem(uint256 n) external {
        require(n > 0 && n <= shares[msg.sender], "number");
        settle(msg.sender);
        shares[msg.sender] -= n;
        totalShares -= n;
        credit[msg.sender] += n * price;
        emit Redeemed(msg.sender, n);
    }

    function takeCarry() external {
        require(msg.sender == manager, "not the manager");
        require(totalShares == 0, "shares left");
        credit[manager] += carry;
        carry = 0;
    }

    function withdraw(address to) external {
        require(to != address(0), "to");
        settle(msg.sender);
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
