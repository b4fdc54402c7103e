// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Everybody may keep money here and name an heir, who can take it
/// when no sign of life has come for as long as the owner chose.
/// @custom:safe
contract DeadManVaultGood {
    struct Vault {
        uint256 amount;
        address heir;
        uint256 lastSign;
        uint256 patience;
    }

    mapping(address => Vault) public vaults;

    event SignOfLife(address indexed owner);
    event HeirNamed(address indexed owner, address indexed heir, uint256 patience);
    event Inherited(address indexed owner, address indexed heir, uint256 amount);

    modifier alive() {
        vaults[msg.sender].lastSign = block.timestamp;
        emit SignOfLife(msg.sender);
        _;
    }

    function deposit() external payable alive {
        require(msg.value > 0, "nothing");
        vaults[msg.sender].amount += msg.value;
    }

    /// Somebody else's payment is no sign of life.
    function depositFor(address owner) external payable {
        require(msg.value > 0, "nothing");
        require(owner != address(0) && owner != address(this), "owner");
        vaults[owner].amount += msg.value;
    }

    function nameHeir(address heir, uint256 patienceDays) external alive {
        require(patienceDays >= 30 && patienceDays <= 3650, "patience");
        require(heir != msg.sender && heir != address(this), "heir");
        vaults[msg.sender].heir = heir;
        vaults[msg.sender].patience = patienceDays * 1 days;
        emit HeirNamed(msg.sender, heir, patienceDays);
    }

    function ping() external alive {}

    function withdraw(uint256 amount, address to) external alive {
        Vault storage v = vaults[msg.sender];
        require(to != address(0), "to");
        require(amount > 0 && amount <= v.amount, "amount");
        v.amount -= amount;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    function inherit(address owner, address to) external {
        Vault storage v = vaults[owner];
        require(msg.sender == v.heir, "not the heir");
        require(block.timestamp > v.lastSign + v.patience, "owner lives");
        require(to != address(0), "to");
        uint256 amount = v.amount;
        require(amount > 0, "empty");
        v.amount = 0;
        emit Inherited(owner, msg.sender, amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
