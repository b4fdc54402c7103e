// Modelled on audit findings about vaults that always ask the strategy for the rest of a withdrawal, while the strategy refuses
// to be asked for nothing (SWC-123).
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Where a vault puts most of its money. It belongs to the vault that made it.
contract TidePool {
    address public immutable vault;
    uint256 public held;

    event Put(uint256 amount);
    event Pulled(uint256 amount);

    modifier onlyVault() {
        require(msg.sender == vault, "vault only");
        _;
    }

    constructor() {
        vault = msg.sender;
    }

    function put() external payable onlyVault {
        require(msg.value > 0, "put nothing");
        held += msg.value;
        emit Put(msg.value);
    }

    function pull(uint256 amount) external onlyVault {
        require(amount > 0, "pull nothing");
        require(amount <= held, "not so much there");
        held -= amount;
        (bool ok, ) = vault.call{value: amount}("");
        require(ok, "refused");
        emit Pulled(amount);
    }
}

/// A withdrawal that the idle money covers asks the pool for nothing, which the pool refuses.
/// @custom:vulnerable requirement-violation withdraw(uint256)
contract TideVaultBad {
    uint256 public constant IDLE_PERCENT = 10;

    TidePool public immutable pool;
    address public immutable keeper;
    uint256 public idle;
    uint256 public depositors;
    mapping(address => uint256) public balanceOf;

    event Deposited(address indexed who, uint256 amount, uint256 invested);
    event Withdrawn(address indexed who, uint256 amount, uint256 fromPool);
    event Rebalanced(uint256 invested);

    constructor() {
        keeper = msg.sender;
        pool = new TidePool();
    }

    receive() external payable {
        require(msg.sender == address(pool), "use deposit");
    }

    function deposit() external payable {
        require(msg.value > 0, "nothing");
        if (balanceOf[msg.sender] == 0) {
            depositors++;
        }
        balanceOf[msg.sender] += msg.value;
        uint256 invested = msg.value - (msg.value * IDLE_PERCENT + 99) / 100;
        idle += msg.value - invested;
        if (invested > 0) {
            pool.put{value: invested}();
        }
        emit Deposited(msg.sender, msg.value, invested);
    }

    function withdraw(uint256 amount) external {
        require(amount > 0 && balanceOf[msg.sender] >= amount, "balance too low");
        balanceOf[msg.sender] -= amount;
        if (balanceOf[msg.sender] == 0) {
            depositors--;
        }
        uint256 fromIdle = amount < idle ? amount : idle;
        uint256 fromPool = amount - fromIdle;
        idle -= fromIdle;
        pool.pull(fromPool); // <- bug
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        emit Withdrawn(msg.sender, amount, fromPool);
    }

    /// Brings the idle money back to its share.
    function rebalance() external {
        require(msg.sender == keeper, "keeper only");
        uint256 wanted = ((idle + pool.held()) * IDLE_PERCENT) / 100;
        if (idle > wanted) {
            uint256 invested = idle - wanted;
            idle = wanted;
            pool.put{value: invested}();
            emit Rebalanced(invested);
        }
    }

    function total() external view returns (uint256) {
        return idle + pool.held();
    }
}

/// The pool is only asked if the idle money does not suffice.
/// @custom:safe
contract TideVaultGood {
    uint256 public constant IDLE_PERCENT = 10;

    TidePool public immutable pool;
    address public immutable keeper;
    uint256 public idle;
    uint256 public depositors;
    mapping(address => uint256) public balanceOf;

    event Deposited(address indexed who, uint256 amount, uint256 invested);
    event Withdrawn(address indexed who, uint256 amount, uint256 fromPool);
    event Rebalanced(uint256 invested);

    constructor() {
        keeper = msg.sender;
        pool = new TidePool();
    }

    receive() external payable {
        require(msg.sender == address(pool), "use deposit");
    }

    function deposit() external payable {
        require(msg.value > 0, "nothing");
        if (balanceOf[msg.sender] == 0) {
            depositors++;
        }
        balanceOf[msg.sender] += msg.value;
        uint256 invested = msg.value - (msg.value * IDLE_PERCENT + 99) / 100;
        idle += msg.value - invested;
        if (invested > 0) {
            pool.put{value: invested}();
        }
        emit Deposited(msg.sender, msg.value, invested);
    }

    function withdraw(uint256 amount) external {
        require(amount > 0 && balanceOf[msg.sender] >= amount, "balance too low");
        balanceOf[msg.sender] -= amount;
        if (balanceOf[msg.sender] == 0) {
            depositors--;
        }
        uint256 fromIdle = amount < idle ? amount : idle;
        uint256 fromPool = amount - fromIdle;
        idle -= fromIdle;
        if (fromPool > 0) {
            pool.pull(fromPool);
        }
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        emit Withdrawn(msg.sender, amount, fromPool);
    }

    /// Brings the idle money back to its share.
    function rebalance() external {
        require(msg.sender == keeper, "keeper only");
        uint256 wanted = ((idle + pool.held()) * IDLE_PERCENT) / 100;
        if (idle > wanted) {
            uint256 invested = idle - wanted;
            idle = wanted;
            pool.put{value: invested}();
            emit Rebalanced(invested);
        }
    }

    function total() external view returns (uint256) {
        return idle + pool.held();
    }
}
