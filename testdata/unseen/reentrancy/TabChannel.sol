// Modelled on the payment channel incident of October 2018: cancelling a channel paid the ether and called the transfer of
// a token that its opener had chosen, before the channel was struck off; the token came back for more (SWC-107).
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface ITabToken {
    function transfer(address to, uint256 amount) external returns (bool);

    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// A tab is paid back before it is struck off, so that its opener, or the opener's token, can cancel it again meanwhile.
/// @custom:vulnerable reentrancy cancel(uint256)
contract TabChannelBad {
    struct Tab {
        address payer;
        address payee;
        ITabToken token;
        uint256 weiHeld;
        uint256 tokensHeld;
        bool joined;
    }

    mapping(uint256 => Tab) public tabs;
    mapping(address => uint256) public credit;
    uint256 public lastTab;

    event TabOpened(uint256 indexed id, address indexed payer, address indexed payee, uint256 weiHeld);
    event TabJoined(uint256 indexed id);
    event TabClosed(uint256 indexed id, uint256 toPayee);
    event TabCancelled(uint256 indexed id);

    /// Without a token the tab is in ether only.
    function open(address payee, ITabToken token, uint256 tokens) external payable returns (uint256 id) {
        require(payee != address(0) && payee != address(this), "no payee");
        require(msg.value > 0, "no ether");
        id = ++lastTab;
        tabs[id] = Tab(msg.sender, payee, token, msg.value, tokens, false);
        if (tokens > 0) {
            require(token.transferFrom(msg.sender, address(this), tokens), "tokens refused");
        }
        emit TabOpened(id, msg.sender, payee, msg.value);
    }

    function join(uint256 id) external {
        require(tabs[id].payee == msg.sender, "not your tab");
        tabs[id].joined = true;
        emit TabJoined(id);
    }

    /// The payer may leave as long as the payee has not joined.
    function cancel(uint256 id) external {
        Tab memory tab = tabs[id];
        require(tab.payer == msg.sender && !tab.joined, "not cancellable");
        if (tab.tokensHeld > 0) {
            require(tab.token.transfer(tab.payer, tab.tokensHeld), "tokens refused"); // <- bug
        }
        (bool ok, ) = tab.payer.call{value: tab.weiHeld}(""); // <- bug
        require(ok, "ether refused");
        delete tabs[id]; // <- bug
        emit TabCancelled(id);
    }

    /// The payee settles for as much as the payer has agreed to elsewhere; here it is the payer who says it.
    function close(uint256 id, uint256 toPayee) external {
        Tab memory tab = tabs[id];
        require(tab.payer == msg.sender && tab.joined, "not closable");
        require(toPayee <= tab.weiHeld, "too much");
        delete tabs[id];
        credit[tab.payee] += toPayee;
        credit[tab.payer] += tab.weiHeld - toPayee;
        if (tab.tokensHeld > 0) {
            require(tab.token.transfer(tab.payee, tab.tokensHeld), "tokens refused");
        }
        emit TabClosed(id, toPayee);
    }

    function withdraw(uint256 amount) external {
        require(credit[msg.sender] >= amount, "balance too low");
        credit[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }
}

/// The tab is struck off first; what is paid back is read from a copy.
/// @custom:safe
contract TabChannelGood {
    struct Tab {
        address payer;
        address payee;
        ITabToken token;
        uint256 weiHeld;
        uint256 tokensHeld;
        bool joined;
    }

    mapping(uint256 => Tab) public tabs;
    mapping(address => uint256) public credit;
    uint256 public lastTab;

    event TabOpened(uint256 indexed id, address indexed payer, address indexed payee, uint256 weiHeld);
    event TabJoined(uint256 indexed id);
    event TabClosed(uint256 indexed id, uint256 toPayee);
    event TabCancelled(uint256 indexed id);

    /// Without a token the tab is in ether only.
    function open(address payee, ITabToken token, uint256 tokens) external payable returns (uint256 id) {
        require(payee != address(0) && payee != address(this), "no payee");
        require(msg.value > 0, "no ether");
        id = ++lastTab;
        tabs[id] = Tab(msg.sender, payee, token, msg.value, tokens, false);
        if (tokens > 0) {
            require(token.transferFrom(msg.sender, address(this), tokens), "tokens refused");
        }
        emit TabOpened(id, msg.sender, payee, msg.value);
    }

    function join(uint256 id) external {
        require(tabs[id].payee == msg.sender, "not your tab");
        tabs[id].joined = true;
        emit TabJoined(id);
    }

    /// The payer may leave as long as the payee has not joined.
    function cancel(uint256 id) external {
        Tab memory tab = tabs[id];
        require(tab.payer == msg.sender && !tab.joined, "not cancellable");
        delete tabs[id];
        if (tab.tokensHeld > 0) {
            require(tab.token.transfer(tab.payer, tab.tokensHeld), "tokens refused");
        }
        (bool ok, ) = tab.payer.call{value: tab.weiHeld}("");
        require(ok, "ether refused");
        emit TabCancelled(id);
    }

    /// The payee settles for as much as the payer has agreed to elsewhere; here it is the payer who says it.
    function close(uint256 id, uint256 toPayee) external {
        Tab memory tab = tabs[id];
        require(tab.payer == msg.sender && tab.joined, "not closable");
        require(toPayee <= tab.weiHeld, "too much");
        delete tabs[id];
        credit[tab.payee] += toPayee;
        credit[tab.payer] += tab.weiHeld - toPayee;
        if (tab.tokensHeld > 0) {
            require(tab.token.transfer(tab.payee, tab.tokensHeld), "tokens refused");
        }
        emit TabClosed(id, toPayee);
    }

    function withdraw(uint256 amount) external {
        require(credit[msg.sender] >= amount, "balance too low");
        credit[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }
}
