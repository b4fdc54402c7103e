pragma solidity ^0.4.24;

/// @custom:vulnerable integer-overflow batchTransfer(address[],uint256)
/** ERC-20 token with a batch transfer for airdrops, after BeautyChain (CVE-2018-10299). */
contract BatchAirdropTokenBad {
    string public constant name = "Batch Airdrop Token";
    string public constant symbol = "BAT5";
    uint8 public constant decimals = 18;

    uint256 public constant MAX_SUPPLY = 1e30;
    uint256 public constant MAX_RECEIVERS = 20;

    uint256 public totalSupply;
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) internal allowed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 supply) public {
        require(supply > 0 && supply <= MAX_SUPPLY, "supply range");
        totalSupply = supply;
        balances[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address who) external view returns (uint256) {
        return balances[who];
    }

    function allowance(address owner, address spender) external view returns (uint256) {
        return allowed[owner][spender];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(value <= allowed[from][msg.sender], "allowance");
        allowed[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowed[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function increaseApproval(address spender, uint256 added) external returns (bool) {
        uint256 updated = allowed[msg.sender][spender] + added;
        require(updated >= added, "allowance overflow");
        allowed[msg.sender][spender] = updated;
        emit Approval(msg.sender, spender, updated);
        return true;
    }

    function decreaseApproval(address spender, uint256 removed) external returns (bool) {
        uint256 old = allowed[msg.sender][spender];
        uint256 updated = removed >= old ? 0 : old - removed;
        allowed[msg.sender][spender] = updated;
        emit Approval(msg.sender, spender, updated);
        return true;
    }

    function batchTransfer(address[] receivers, uint256 value) external returns (bool) {
        uint256 count = receivers.length;
        require(count > 0 && count <= MAX_RECEIVERS, "receivers");
        uint256 amount = count * value;
        require(value > 0 && balances[msg.sender] >= amount, "balance");

        balances[msg.sender] -= amount;
        for (uint256 i = 0; i < count; i++) {
            require(receivers[i] != address(0), "receiver");
            balances[receivers[i]] += value;
            emit Transfer(msg.sender, receivers[i], value);
        }
        return true;
    }

    function move(address from, address to, uint256 value) internal {
        require(to != address(0), "receiver");
        require(value <= balances[from], "balance");
        balances[from] -= value;
        balances[to] += value;
        emit Transfer(from, to, value);
    }
}

/// @custom:safe
/** ERC-20 token with a batch transfer for airdrops, after BeautyChain (CVE-2018-10299). */
contract BatchAirdropTokenGood {
    string public constant name = "Batch Airdrop Token";
    string public constant symbol = "BAT5";
    uint8 public constant decimals = 18;

    uint256 public constant MAX_SUPPLY = 1e30;
    uint256 public constant MAX_RECEIVERS = 20;

    uint256 public totalSupply;
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) internal allowed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 supply) public {
        require(supply > 0 && supply <= MAX_SUPPLY, "supply range");
        totalSupply = supply;
        balances[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address who) external view returns (uint256) {
        return balances[who];
    }

    function allowance(address owner, address spender) external view returns (uint256) {
        return allowed[owner][spender];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(value <= allowed[from][msg.sender], "allowance");
        allowed[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowed[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function increaseApproval(address spender, uint256 added) external returns (bool) {
        uint256 updated = allowed[msg.sender][spender] + added;
        require(updated >= added, "allowance overflow");
        allowed[msg.sender][spender] = updated;
        emit Approval(msg.sender, spender, updated);
        return true;
    }

    function decreaseApproval(address spender, uint256 removed) external returns (bool) {
        uint256 old = allowed[msg.sender][spender];
        uint256 updated = removed >= old ? 0 : old - removed;
        allowed[msg.sender][spender] = updated;
        emit Approval(msg.sender, spender, updated);
        return true;
    }

    function batchTransfer(address[] receivers, uint256 value) external returns (bool) {
        uint256 count = receivers.length;
        require(count > 0 && count <= MAX_RECEIVERS, "receivers");
        require(value > 0 && value <= totalSupply, "value");
        uint256 amount = count * value;
        require(balances[msg.sender] >= amount, "balance");

        balances[msg.sender] -= amount;
        for (uint256 i = 0; i < count; i++) {
            require(receivers[i] != address(0), "receiver");
            balances[receivers[i]] += value;
            emit Transfer(msg.sender, receivers[i], value);
        }
        return true;
    }

    function move(address from, address to, uint256 value) internal {
        require(to != address(0), "receiver");
        require(value <= balances[from], "balance");
        balances[from] -= value;
        balances[to] += value;
        emit Transfer(from, to, value);
    }
}
