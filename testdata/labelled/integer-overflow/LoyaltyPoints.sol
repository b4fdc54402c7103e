pragma solidity ^0.4.24;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a);
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a);
        return a - b;
    }
}

/// @custom:vulnerable integer-overflow batchTransfer(address[],uint256)
/** Points of a shop's loyalty programme, a token of fixed supply that can be burnt. */
contract LoyaltyPointsBad {
    using SafeMath for uint256;

    string public constant name = "Loyalty Points";
    string public constant symbol = "LOYAL";
    uint8 public constant decimals = 18;
    uint256 public constant MAX_RECEIVERS = 20;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed holder, address indexed spender, uint256 value);

    constructor(uint256 supply) public {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) public returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        allowance[from][msg.sender] = allowance[from][msg.sender].sub(value);
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) public returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    // the same number of points for each receiver, e.g. a season's gift
    function batchTransfer(address[] receivers, uint256 value) public returns (bool) {
        uint256 count = receivers.length;
        require(count > 0 && count <= MAX_RECEIVERS);
        uint256 amount = count * value;
        require(value > 0 && balanceOf[msg.sender] >= amount);

        balanceOf[msg.sender] = balanceOf[msg.sender].sub(amount);
        for (uint256 i = 0; i < count; i++) {
            require(receivers[i] != address(0));
            balanceOf[receivers[i]] = balanceOf[receivers[i]].add(value);
            emit Transfer(msg.sender, receivers[i], value);
        }
        return true;
    }

    function burn(uint256 value) public {
        balanceOf[msg.sender] = balanceOf[msg.sender].sub(value);
        totalSupply = totalSupply.sub(value);
        emit Transfer(msg.sender, address(0), value);
    }

    function move(address from, address to, uint256 value) internal {
        require(to != address(0));
        balanceOf[from] = balanceOf[from].sub(value);
        balanceOf[to] = balanceOf[to].add(value);
        emit Transfer(from, to, value);
    }
}

/// @custom:safe
/** Points of a shop's loyalty programme, a token of fixed supply that can be burnt. */
contract LoyaltyPointsGood {
    using SafeMath for uint256;

    string public constant name = "Loyalty Points";
    string public constant symbol = "LOYAL";
    uint8 public constant decimals = 18;
    uint256 public constant MAX_RECEIVERS = 20;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed holder, address indexed spender, uint256 value);

    constructor(uint256 supply) public {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) public returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        allowance[from][msg.sender] = allowance[from][msg.sender].sub(value);
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) public returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    // the same number of points for each receiver, e.g. a season's gift
    function batchTransfer(address[] receivers, uint256 value) public returns (bool) {
        uint256 count = receivers.length;
        require(count > 0 && count <= MAX_RECEIVERS);
        require(value > 0 && value <= balanceOf[msg.sender] / count);
        uint256 amount = count * value;

        balanceOf[msg.sender] -= amount;
        for (uint256 i = 0; i < count; i++) {
            require(receivers[i] != address(0));
            balanceOf[receivers[i]] = balanceOf[receivers[i]].add(value);
            emit Transfer(msg.sender, receivers[i], value);
        }
        return true;
    }

    function burn(uint256 value) public {
        balanceOf[msg.sender] = balanceOf[msg.sender].sub(value);
        totalSupply = totalSupply.sub(value);
        emit Transfer(msg.sender, address(0), value);
    }

    function move(address from, address to, uint256 value) internal {
        require(to != address(0));
        balanceOf[from] = balanceOf[from].sub(value);
        balanceOf[to] = balanceOf[to].add(value);
        emit Transfer(from, to, value);
    }
}
