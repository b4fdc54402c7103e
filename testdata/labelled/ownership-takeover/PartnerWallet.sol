pragma solidity ^0.5.0;

/// @custom:vulnerable ownership-takeover initWallet(address,address,uint256)
/** Wallet of a partnership: the owner disposes of everything, a cashier up to a daily limit (after the Parity wallet). */
contract PartnerWalletBad {
    address public deployer;
    address public owner;
    address public pendingOwner;
    address public cashier;
    uint256 public dailyLimit;
    uint256 public spentToday;
    uint256 public lastDay;
    bool public initialised;

    event Deposited(address indexed from, uint256 amount);
    event Executed(address indexed to, uint256 amount);
    event OwnerChanged(address indexed owner);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() public {
        deployer = msg.sender;
    }

    function() external payable {
        emit Deposited(msg.sender, msg.value);
    }

    function initWallet(address _owner, address _cashier, uint256 _dailyLimit) external {
        require(_owner != address(0), "no owner");
        initialised = true;
        owner = _owner;
        cashier = _cashier;
        dailyLimit = _dailyLimit;
        emit OwnerChanged(_owner);
    }

    function offerOwnership(address next) external onlyOwner {
        pendingOwner = next;
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "not offered to you");
        owner = pendingOwner;
        pendingOwner = address(0);
        emit OwnerChanged(owner);
    }

    function setCashier(address _cashier, uint256 _dailyLimit) external onlyOwner {
        cashier = _cashier;
        dailyLimit = _dailyLimit;
    }

    function execute(address to, uint256 amount, bytes calldata data) external onlyOwner {
        (bool ok, ) = to.call.value(amount)(data);
        require(ok, "call failed");
        emit Executed(to, amount);
    }

    function payOut(address to, uint256 amount) external {
        require(msg.sender == cashier, "cashier only");
        uint256 today = now / 1 days;
        if (today > lastDay) {
            lastDay = today;
            spentToday = 0;
        }
        require(spentToday <= dailyLimit && amount <= dailyLimit - spentToday, "over the limit");
        spentToday += amount;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
        emit Executed(to, amount);
    }
}

/// @custom:safe
/** Wallet of a partnership: the owner disposes of everything, a cashier up to a daily limit (after the Parity wallet). */
contract PartnerWalletGood {
    address public deployer;
    address public owner;
    address public pendingOwner;
    address public cashier;
    uint256 public dailyLimit;
    uint256 public spentToday;
    uint256 public lastDay;
    bool public initialised;

    event Deposited(address indexed from, uint256 amount);
    event Executed(address indexed to, uint256 amount);
    event OwnerChanged(address indexed owner);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() public {
        deployer = msg.sender;
    }

    function() external payable {
        emit Deposited(msg.sender, msg.value);
    }

    function initWallet(address _owner, address _cashier, uint256 _dailyLimit) external {
        require(msg.sender == deployer && !initialised, "already set up");
        require(_owner != address(0), "no owner");
        initialised = true;
        owner = _owner;
        cashier = _cashier;
        dailyLimit = _dailyLimit;
        emit OwnerChanged(_owner);
    }

    function offerOwnership(address next) external onlyOwner {
        pendingOwner = next;
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "not offered to you");
        owner = pendingOwner;
        pendingOwner = address(0);
        emit OwnerChanged(owner);
    }

    function setCashier(address _cashier, uint256 _dailyLimit) external onlyOwner {
        cashier = _cashier;
        dailyLimit = _dailyLimit;
    }

    function execute(address to, uint256 amount, bytes calldata data) external onlyOwner {
        (bool ok, ) = to.call.value(amount)(data);
        require(ok, "call failed");
        emit Executed(to, amount);
    }

    function payOut(address to, uint256 amount) external {
        require(msg.sender == cashier, "cashier only");
        uint256 today = now / 1 days;
        if (today > lastDay) {
            lastDay = today;
            spentToday = 0;
        }
        require(spentToday <= dailyLimit && amount <= dailyLimit - spentToday, "over the limit");
        spentToday += amount;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
        emit Executed(to, amount);
    }
}
