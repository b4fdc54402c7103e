// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @custom:vulnerable gasless-send release(uint256)
contract BandSplitterBad {
    uint256 public constant SLOTS = 3;

    uint256 public totalReleased;
    address[3] public wallet;
    address[3] public nextWallet;
    uint256[3] public released;

    event Received(address indexed from, uint256 amount);
    event Released(uint256 indexed slot, address indexed to, uint256 amount);
    event WalletChanged(uint256 indexed slot, address indexed wallet);

    constructor(address singer, address drummer, address producer) {
        require(singer != address(0) && drummer != address(0) && producer != address(0), "no wallet");
        wallet[0] = singer;
        wallet[1] = drummer;
        wallet[2] = producer;
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    /// 50, 30 and 20 per cent
    function percentOf(uint256 slot) public pure returns (uint256) {
        if (slot == 0) {
            return 50;
        }
        return slot == 1 ? 30 : 20;
    }

    function due(uint256 slot) public view returns (uint256) {
        require(slot < SLOTS, "no such slot");
        uint256 received = address(this).balance + totalReleased;
        return received * percentOf(slot) / 100 - released[slot];
    }

    /// anybody may start a payment; it goes to the wallet of the slot
    function release(uint256 slot) external {
        uint256 amount = due(slot);
        require(amount > 0, "nothing due");
        released[slot] += amount;
        totalReleased += amount;
        address to = wallet[slot];
        emit Released(slot, to, amount);
        payable(to).transfer(amount);
    }

    /// a new wallet has to show that it can act
    function proposeWallet(uint256 slot, address candidate) external {
        require(slot < SLOTS && msg.sender == wallet[slot], "not your slot");
        nextWallet[slot] = candidate;
    }

    function acceptWallet(uint256 slot) external {
        require(slot < SLOTS && msg.sender == nextWallet[slot], "not proposed");
        wallet[slot] = msg.sender;
        nextWallet[slot] = address(0);
        emit WalletChanged(slot, msg.sender);
    }
}

/// @custom:safe
contract BandSplitterGood {
    uint256 public constant SLOTS = 3;

    uint256 public totalReleased;
    address[3] public wallet;
    address[3] public nextWallet;
    uint256[3] public released;

    event Received(address indexed from, uint256 amount);
    event Released(uint256 indexed slot, address indexed to, uint256 amount);
    event WalletChanged(uint256 indexed slot, address indexed wallet);

    constructor(address singer, address drummer, address producer) {
        require(singer != address(0) && drummer != address(0) && producer != address(0), "no wallet");
        wallet[0] = singer;
        wallet[1] = drummer;
        wallet[2] = producer;
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    /// 50, 30 and 20 per cent
    function percentOf(uint256 slot) public pure returns (uint256) {
        if (slot == 0) {
            return 50;
        }
        return slot == 1 ? 30 : 20;
    }

    function due(uint256 slot) public view returns (uint256) {
        require(slot < SLOTS, "no such slot");
        uint256 received = address(this).balance + totalReleased;
        return received * percentOf(slot) / 100 - released[slot];
    }

    /// anybody may start a payment; it goes to the wallet of the slot
    function release(uint256 slot) external {
        uint256 amount = due(slot);
        require(amount > 0, "nothing due");
        released[slot] += amount;
        totalReleased += amount;
        address to = wallet[slot];
        emit Released(slot, to, amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    /// a new wallet has to show that it can act
    function proposeWallet(uint256 slot, address candidate) external {
        require(slot < SLOTS && msg.sender == wallet[slot], "not your slot");
        nextWallet[slot] = candidate;
    }

    function acceptWallet(uint256 slot) external {
        require(slot < SLOTS && msg.sender == nextWallet[slot], "not proposed");
        wallet[slot] = msg.sender;
        nextWallet[slot] = address(0);
        emit WalletChanged(slot, msg.sender);
    }
}
