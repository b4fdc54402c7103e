// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable delegatecall multicall(address,bytes[])
contract BatchLedgerBad {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Deposited(address indexed from, address indexed account, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);
    event Withdrawn(address indexed account, address indexed to, uint256 amount);

    function deposit(address account) external payable {
        require(account != address(0), "no account");
        require(msg.value > 0, "nothing sent");
        balanceOf[account] += msg.value;
        emit Deposited(msg.sender, account, msg.value);
    }

    function allow(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function move(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function moveFrom(address from, address to, uint256 amount) external {
        uint256 left = allowance[from][msg.sender];
        require(left >= amount, "not allowed");
        unchecked {
            allowance[from][msg.sender] = left - amount;
        }
        _move(from, to, amount);
    }

    function withdraw(address payable to, uint256 amount) external {
        require(to != address(0), "no receiver");
        uint256 balance = balanceOf[msg.sender];
        require(balance >= amount, "balance too low");
        unchecked {
            balanceOf[msg.sender] = balance - amount;
        }
        emit Withdrawn(msg.sender, to, amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    /// several steps in one transaction, also with the helper contracts that we publish
    function multicall(address helper, bytes[] calldata steps) external returns (bytes[] memory results) {
        results = new bytes[](steps.length);
        for (uint256 i = 0; i < steps.length; ++i) {
            (bool ok, bytes memory result) = helper.delegatecall(steps[i]);
            if (!ok) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }

    function _move(address from, address to, uint256 amount) internal {
        require(to != address(0), "no receiver");
        require(balanceOf[from] >= amount, "balance too low");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Moved(from, to, amount);
    }
}

/// @custom:safe
contract BatchLedgerGood {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Deposited(address indexed from, address indexed account, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);
    event Withdrawn(address indexed account, address indexed to, uint256 amount);

    function deposit(address account) external payable {
        require(account != address(0), "no account");
        require(msg.value > 0, "nothing sent");
        balanceOf[account] += msg.value;
        emit Deposited(msg.sender, account, msg.value);
    }

    function allow(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function move(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function moveFrom(address from, address to, uint256 amount) external {
        uint256 left = allowance[from][msg.sender];
        require(left >= amount, "not allowed");
        unchecked {
            allowance[from][msg.sender] = left - amount;
        }
        _move(from, to, amount);
    }

    function withdraw(address payable to, uint256 amount) external {
        require(to != address(0), "no receiver");
        uint256 balance = balanceOf[msg.sender];
        require(balance >= amount, "balance too low");
        unchecked {
            balanceOf[msg.sender] = balance - amount;
        }
        emit Withdrawn(msg.sender, to, amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    /// several steps of this ledger in one transaction
    function multicall(bytes[] calldata steps) external returns (bytes[] memory results) {
        results = new bytes[](steps.length);
        for (uint256 i = 0; i < steps.length; ++i) {
            (bool ok, bytes memory result) = address(this).delegatecall(steps[i]);
            if (!ok) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }

    function _move(address from, address to, uint256 amount) internal {
        require(to != address(0), "no receiver");
        require(balanceOf[from] >= amount, "balance too low");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Moved(from, to, amount);
    }
}
