// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract WalletLayout {
    struct Session {
        uint256 expires;
        uint256 remaining;
    }

    address public owner;
    mapping(address => Session) public sessions;
    mapping(address => bool) public modules;
}

contract PayoutModule is WalletLayout {
    event PaidOut(address indexed by, address indexed to, uint256 amount);

    function pay(address payable to, uint256 amount) external {
        if (msg.sender != owner) {
            Session storage s = sessions[msg.sender];
            require(block.timestamp < s.expires, "no session");
            require(amount <= s.remaining, "over the session limit");
            s.remaining -= amount;
        }
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
        emit PaidOut(msg.sender, to, amount);
    }
}

/// @custom:vulnerable delegatecall runModule(address,bytes)
/** Wallet with session keys whose features live in modules that run in its storage. */
contract ModularWalletBad is WalletLayout {
    uint256 public constant MAX_SESSION = 30 days;

    PayoutModule public immutable payouts;
    address public pendingOwner;

    event ModuleSet(address indexed module, bool enabled);
    event SessionOpened(address indexed key, uint256 expires, uint256 limit);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() {
        owner = msg.sender;
        PayoutModule module = new PayoutModule();
        payouts = module;
        modules[address(module)] = true;
    }

    receive() external payable {}

    function setModule(address module, bool enabled) external onlyOwner {
        modules[module] = enabled;
        emit ModuleSet(module, enabled);
    }

    function openSession(address key, uint256 duration, uint256 limit) external onlyOwner {
        require(key != address(0) && duration > 0 && duration <= MAX_SESSION, "session");
        sessions[key] = Session(block.timestamp + duration, limit);
        emit SessionOpened(key, block.timestamp + duration, limit);
    }

    function closeSession(address key) external onlyOwner {
        delete sessions[key];
    }

    // Modules see the original msg.sender and do their own checks of what the caller may do.
    function runModule(address module, bytes calldata data) external returns (bytes memory) {
        uint256 size;
        assembly {
            size := extcodesize(module)
        }
        require(size > 0, "no such module");
        (bool ok, bytes memory result) = module.delegatecall(data);
        if (!ok) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
        return result;
    }

    function offerOwnership(address next) external onlyOwner {
        pendingOwner = next;
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "not offered to you");
        owner = msg.sender;
        pendingOwner = address(0);
    }
}

/// @custom:safe
/** Wallet with session keys whose features live in modules that run in its storage. */
contract ModularWalletGood is WalletLayout {
    uint256 public constant MAX_SESSION = 30 days;

    PayoutModule public immutable payouts;
    address public pendingOwner;

    event ModuleSet(address indexed module, bool enabled);
    event SessionOpened(address indexed key, uint256 expires, uint256 limit);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() {
        owner = msg.sender;
        PayoutModule module = new PayoutModule();
        payouts = module;
        modules[address(module)] = true;
    }

    receive() external payable {}

    function setModule(address module, bool enabled) external onlyOwner {
        modules[module] = enabled;
        emit ModuleSet(module, enabled);
    }

    function openSession(address key, uint256 duration, uint256 limit) external onlyOwner {
        require(key != address(0) && duration > 0 && duration <= MAX_SESSION, "session");
        sessions[key] = Session(block.timestamp + duration, limit);
        emit SessionOpened(key, block.timestamp + duration, limit);
    }

    function closeSession(address key) external onlyOwner {
        delete sessions[key];
    }

    // Modules see the original msg.sender and do their own checks of what the caller may do.
    function runModule(address module, bytes calldata data) external returns (bytes memory) {
        require(modules[module], "module not enabled");
        (bool ok, bytes memory result) = module.delegatecall(data);
        if (!ok) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
        return result;
    }

    function offerOwnership(address next) external onlyOwner {
        pendingOwner = next;
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "not offered to you");
        owner = msg.sender;
        pendingOwner = address(0);
    }
}
