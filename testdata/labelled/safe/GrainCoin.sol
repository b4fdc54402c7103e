pragma solidity ^0.4.24;

/// @custom:safe
/** Coins at a fixed rate, always covered by ether; redeeming costs half a percent. */
contract GrainCoinGood {
    uint256 private constant UNIT = 10 ** 9;
    uint256 private constant MAX_WEI = 10 ** 30;

    address public owner;
    uint256 public rate; // coins for UNIT wei
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 rate_) public {
        // at least one coin for a wei
        require(rate_ >= UNIT && rate_ <= 10 ** 15, "rate");
        owner = msg.sender;
        rate = rate_;
    }

    function times(uint256 x, uint256 y) private pure returns (uint256 z) {
        z = x * y;
        require(x == 0 || z / x == y, "times");
    }

    /// Ether that must be here for so many coins, rounded up.
    function cover(uint256 coins) public view returns (uint256) {
        if (coins == 0) return 0;
        return (times(coins, UNIT) - 1) / rate + 1;
    }

    function buy() external payable {
        require(msg.value > 0 && msg.value <= MAX_WEI, "value");
        uint256 coins = msg.value * rate / UNIT; // 30 + 15 digits
        totalSupply += coins;
        balanceOf[msg.sender] += coins;
        require(totalSupply >= coins && balanceOf[msg.sender] >= coins, "add");
        emit Transfer(address(0), msg.sender, coins);
    }

    function redeem(uint256 coins, address to) external {
        require(to != address(0), "to");
        uint256 before = balanceOf[msg.sender];
        uint256 afterwards = before - coins;
        require(afterwards <= before, "balance");
        balanceOf[msg.sender] = afterwards;
        totalSupply -= coins; // >= any balance
        uint256 gross = times(coins, UNIT) / rate;
        uint256 net = gross - gross / 200;
        require(net > 0, "too few");
        emit Transfer(msg.sender, address(0), coins);
        require(to.call.value(net)(), "payment");
    }

    function transfer(address to, uint256 coins) external returns (bool) {
        require(to != address(0) && to != address(this), "to");
        require(balanceOf[msg.sender] - coins <= balanceOf[msg.sender], "balance");
        balanceOf[msg.sender] -= coins;
        balanceOf[to] += coins;
        emit Transfer(msg.sender, to, coins);
        return true;
    }

    /// Fees and rounding: all that the coins do not need.
    function skim(address to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "to");
        uint256 needed = cover(totalSupply);
        require(address(this).balance > needed, "nothing");
        require(to.call.value(address(this).balance - needed)(), "payment");
    }
}
