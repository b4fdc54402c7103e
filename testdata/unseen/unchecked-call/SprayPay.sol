// Modelled on audit findings about batch payment contracts: the result of each low-level call in the batch is dropped, but
// the payer is charged for all of them (SWC-104).
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The payer is charged for every payment of a batch, also for those that the recipients refused.
/// @custom:vulnerable unchecked-call spray(address[],uint256[])
contract SprayPayBad {
    uint256 public constant MAX_BATCH = 20;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public paid;
    uint256 public digest; // over all recipients, to compare with the web page

    event Deposited(address indexed payer, uint256 amount);
    event Sprayed(address indexed payer, uint256 recipients, uint256 total);
    event Withdrawn(address indexed payer, uint256 amount);

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        require(msg.value > 0, "nothing");
        balanceOf[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function spray(address[] calldata to, uint256[] calldata amounts) external {
        require(to.length == amounts.length && to.length <= MAX_BATCH, "bad batch");
        uint256 total;
        for (uint256 i = 0; i < to.length; i++) {
            uint256 amount = amounts[i];
            unchecked {
                digest = digest * 31 + uint160(to[i]); // wraps on purpose
            }
            require(to[i] != address(0) && to[i] != address(this), "bad recipient");
            require(balanceOf[msg.sender] >= amount, "balance too low");
            balanceOf[msg.sender] -= amount;
            paid[msg.sender][to[i]] += amount;
            total += amount;
            to[i].call{value: amount}(""); // <- bug
        }
        emit Sprayed(msg.sender, to.length, total);
    }

    function withdraw(uint256 amount) external {
        require(balanceOf[msg.sender] >= amount, "balance too low");
        balanceOf[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        emit Withdrawn(msg.sender, amount);
    }
}

/// What a recipient refused stays with the payer.
/// @custom:safe
contract SprayPayGood {
    uint256 public constant MAX_BATCH = 20;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public paid;
    uint256 public digest; // over all recipients, to compare with the web page

    event Deposited(address indexed payer, uint256 amount);
    event Sprayed(address indexed payer, uint256 recipients, uint256 total);
    event Withdrawn(address indexed payer, uint256 amount);

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        require(msg.value > 0, "nothing");
        balanceOf[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function spray(address[] calldata to, uint256[] calldata amounts) external {
        require(to.length == amounts.length && to.length <= MAX_BATCH, "bad batch");
        uint256 total;
        for (uint256 i = 0; i < to.length; i++) {
            uint256 amount = amounts[i];
            unchecked {
                digest = digest * 31 + uint160(to[i]); // wraps on purpose
            }
            require(to[i] != address(0) && to[i] != address(this), "bad recipient");
            require(balanceOf[msg.sender] >= amount, "balance too low");
            balanceOf[msg.sender] -= amount;
            (bool ok, ) = to[i].call{value: amount}("");
            if (ok) {
                paid[msg.sender][to[i]] += amount;
                total += amount;
            } else {
                balanceOf[msg.sender] += amount;
            }
        }
        emit Sprayed(msg.sender, to.length, total);
    }

    function withdraw(uint256 amount) external {
        require(balanceOf[msg.sender] >= amount, "balance too low");
        balanceOf[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        emit Withdrawn(msg.sender, amount);
    }
}
