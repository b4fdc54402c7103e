pragma solidity ^0.4.24;

/// @custom:safe
/** One-way payment channels: the payer signs vouchers, the payee cashes the last one. */
contract VoucherChannelGood {
    struct Channel {
        address payer;
        address payee;
        uint256 deposit;
        uint256 expires;
    }

    mapping(uint256 => Channel) public channels;
    mapping(address => uint256) public credit;
    uint256 public count;

    event Opened(uint256 indexed id, address indexed payer, address indexed payee, uint256 deposit);
    event Closed(uint256 indexed id, uint256 toPayee, uint256 toPayer);

    function open(address payee, uint256 daysOpen) external payable returns (uint256 id) {
        require(payee != address(0) && payee != address(this), "payee");
        require(daysOpen >= 1 && daysOpen <= 365, "days");
        require(msg.value > 0, "nothing");
        id = count;
        count = id + 1;
        channels[id] = Channel(msg.sender, payee, msg.value, now + daysOpen * 1 days);
        emit Opened(id, msg.sender, payee, msg.value);
    }

    function topUp(uint256 id) external payable {
        Channel storage c = channels[id];
        require(msg.sender == c.payer, "not the payer");
        c.deposit += msg.value;
    }

    function voucherHash(uint256 id, uint256 amount) public view returns (bytes32) {
        bytes32 inner = keccak256(abi.encodePacked(address(this), id, amount));
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", inner));
    }

    /// The payee gets what was signed; the rest is kept for the payer to fetch.
    function cash(uint256 id, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        Channel memory c = channels[id];
        require(c.payer != address(0), "no channel");
        require(msg.sender == c.payee, "not the payee");
        require(amount <= c.deposit, "too much");
        require(ecrecover(voucherHash(id, amount), v, r, s) == c.payer, "signature");
        finish(id, c, amount);
    }

    /// The payer may hand over everything at any time, and decides alone after the expiry.
    function grant(uint256 id, uint256 amount) external {
        Channel memory c = channels[id];
        require(c.payer != address(0) && msg.sender == c.payer, "not the payer");
        require(amount == c.deposit || now > c.expires, "not expired");
        require(amount <= c.deposit, "too much");
        finish(id, c, amount);
    }

    function finish(uint256 id, Channel memory c, uint256 amount) internal {
        delete channels[id];
        credit[c.payee] += amount;
        credit[c.payer] += c.deposit - amount;
        emit Closed(id, amount, c.deposit - amount);
    }

    function withdraw(address to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        require(to.call.value(amount)(""), "payment failed");
    }
}
