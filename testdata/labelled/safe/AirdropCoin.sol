pragma solidity ^0.5.0;

/// @custom:safe
/** Token with an airdrop for people whom the owner lists. Checks come in several old styles. */
contract AirdropCoinGood {
    string public constant name = "Anchor";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 10000000 * 10 ** 18;

    address public owner;
    address public nextOwner;
    uint256 public closes;
    uint256 public reserve;  // not in anybody's balance yet
    uint256 public allotted; // part of the reserve that is promised
    mapping(address => uint256) public allotment;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() public {
        owner = msg.sender;
        closes = now + 60 days;
        reserve = totalSupply / 10;
        balanceOf[msg.sender] = totalSupply - reserve;
        emit Transfer(address(0), msg.sender, totalSupply - reserve);
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function add(uint256 x, uint256 y) internal pure returns (uint256 z) {
        require((z = x + y) >= x, "add");
    }

    function sub(uint256 x, uint256 y) internal pure returns (uint256 z) {
        require((z = x - y) <= x, "sub");
    }

    function mul(uint256 x, uint256 y) internal pure returns (uint256 z) {
        require(y == 0 || (z = x * y) / y == x, "mul");
    }

    function offer(address to) external onlyOwner {
        nextOwner = to;
    }

    function accept() external {
        require(msg.sender == nextOwner, "not offered");
        owner = nextOwner;
        nextOwner = address(0);
    }

    function allot(address who, uint256 value) external onlyOwner {
        require(now < closes, "closed");
        require(who != address(0) && who != address(this), "who");
        allotted = add(sub(allotted, allotment[who]), value);
        require(allotted <= reserve, "reserve");
        allotment[who] = value;
    }

    function claim() external {
        require(now < closes, "closed");
        uint256 value = allotment[msg.sender];
        require(value > 0, "nothing for you");
        allotment[msg.sender] = 0;
        allotted -= value; // sum of all the allotments
        reserve -= value;  // allotted <= reserve
        balanceOf[msg.sender] += value; // <= totalSupply
        emit Transfer(address(0), msg.sender, value);
    }

    function sweep() external onlyOwner {
        require(now >= closes, "open");
        uint256 value = reserve;
        reserve = 0;
        allotted = 0;
        closes = 0;
        balanceOf[owner] += value;
        emit Transfer(address(0), owner, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] = sub(allowance[from][msg.sender], value);
        move(from, to, value);
        return true;
    }

    function batchTransfer(address[] calldata to, uint256 value) external {
        require(to.length <= 50, "too many");
        require(balanceOf[msg.sender] >= mul(to.length, value), "balance");
        for (uint256 i = 0; i < to.length; i++) move(msg.sender, to[i], value);
    }

    function move(address from, address to, uint256 value) private {
        require(to != address(0) && to != address(this), "to");
        balanceOf[from] = sub(balanceOf[from], value);
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
