// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

// Modelled on the loss of a payment-channel contract in October 2018: the time-out of a channel paid back ether and a token
// that its opener had chosen, and deleted the channel last.

interface ChannelToken {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// @custom:vulnerable reentrancy expire(uint256)
/** The channel is deleted after its deposits have been paid back, so that the opener can let it expire again meanwhile. */
contract ChannelDeskBad {
    struct Channel {
        address payable opener;
        address payable peer;
        uint256 weiLeft;
        uint256 tokensLeft;
        ChannelToken token;
        uint256 expiry;
    }

    mapping(uint256 => Channel) public channels;
    uint256 public opened;

    event Opened(uint256 indexed id, address indexed opener, address indexed peer);
    event Paid(uint256 indexed id, uint256 weiAmount, uint256 tokens);
    event Expired(uint256 indexed id);

    modifier onlyOpener(uint256 id) {
        require(channels[id].opener == msg.sender, "not your channel");
        _;
    }

    function open(address payable peer, uint256 lifetime, ChannelToken token, uint256 tokens) external payable returns (uint256 id) {
        require(peer != address(0) && lifetime <= 365 days, "bad terms");
        require(msg.value > 0 || tokens > 0, "empty");
        if (tokens > 0) {
            require(token.transferFrom(msg.sender, address(this), tokens), "no tokens");
        }
        id = ++opened;
        channels[id] = Channel(msg.sender, peer, msg.value, tokens, token, now + lifetime);
        emit Opened(id, msg.sender, peer);
    }

    /// The opener pays his peer by instalments.
    function pay(uint256 id, uint256 weiAmount, uint256 tokens) external onlyOpener(id) {
        Channel storage channel = channels[id];
        require(weiAmount <= channel.weiLeft && tokens <= channel.tokensLeft, "not covered");
        channel.weiLeft -= weiAmount;
        channel.tokensLeft -= tokens;
        refund(channel.peer, weiAmount, channel.token, tokens);
        emit Paid(id, weiAmount, tokens);
    }

    function expire(uint256 id) external onlyOpener(id) {
        Channel memory channel = channels[id];
        require(now >= channel.expiry, "still open");
        refund(channel.opener, channel.weiLeft, channel.token, channel.tokensLeft); // <- bug
        delete channels[id]; // <- bug
        emit Expired(id);
    }

    function refund(address payable to, uint256 weiAmount, ChannelToken token, uint256 tokens) private {
        if (weiAmount > 0) {
            (bool ok, ) = to.call.value(weiAmount)("");
            require(ok, "ether rejected");
        }
        if (tokens > 0) {
            require(token.transfer(to, tokens), "tokens rejected");
        }
    }
}

/// @custom:safe
/** The channel is deleted before its deposits are paid back. */
contract ChannelDeskGood {
    struct Channel {
        address payable opener;
        address payable peer;
        uint256 weiLeft;
        uint256 tokensLeft;
        ChannelToken token;
        uint256 expiry;
    }

    mapping(uint256 => Channel) public channels;
    uint256 public opened;

    event Opened(uint256 indexed id, address indexed opener, address indexed peer);
    event Paid(uint256 indexed id, uint256 weiAmount, uint256 tokens);
    event Expired(uint256 indexed id);

    modifier onlyOpener(uint256 id) {
        require(channels[id].opener == msg.sender, "not your channel");
        _;
    }

    function open(address payable peer, uint256 lifetime, ChannelToken token, uint256 tokens) external payable returns (uint256 id) {
        require(peer != address(0) && lifetime <= 365 days, "bad terms");
        require(msg.value > 0 || tokens > 0, "empty");
        if (tokens > 0) {
            require(token.transferFrom(msg.sender, address(this), tokens), "no tokens");
        }
        id = ++opened;
        channels[id] = Channel(msg.sender, peer, msg.value, tokens, token, now + lifetime);
        emit Opened(id, msg.sender, peer);
    }

    /// The opener pays his peer by instalments.
    function pay(uint256 id, uint256 weiAmount, uint256 tokens) external onlyOpener(id) {
        Channel storage channel = channels[id];
        require(weiAmount <= channel.weiLeft && tokens <= channel.tokensLeft, "not covered");
        channel.weiLeft -= weiAmount;
        channel.tokensLeft -= tokens;
        refund(channel.peer, weiAmount, channel.token, tokens);
        emit Paid(id, weiAmount, tokens);
    }

    function expire(uint256 id) external onlyOpener(id) {
        Channel memory channel = channels[id];
        require(now >= channel.expiry, "still open");
        delete channels[id];
        refund(channel.opener, channel.weiLeft, channel.token, channel.tokensLeft);
        emit Expired(id);
    }

    function refund(address payable to, uint256 weiAmount, ChannelToken token, uint256 tokens) private {
        if (weiAmount > 0) {
            (bool ok, ) = to.call.value(weiAmount)("");
            require(ok, "ether rejected");
        }
        if (tokens > 0) {
            require(token.transfer(to, tokens), "tokens rejected");
        }
    }
}
