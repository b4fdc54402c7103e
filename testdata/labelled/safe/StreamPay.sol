// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Money that flows by the second from a payer to a recipient.
/// @custom:safe
contract StreamPayGood {
    struct Stream {
        address payer;
        address recipient;
        uint128 deposit;
        uint128 taken;
        uint64 start;
        uint64 length;
    }

    mapping(uint256 => Stream) public streams;
    mapping(address => uint256) public credit;
    uint256 public count;

    event Opened(uint256 indexed id, address indexed payer, address indexed recipient, uint256 amount);
    event Taken(uint256 indexed id, uint256 amount);
    event Cancelled(uint256 indexed id, uint256 toRecipient, uint256 toPayer);

    function open(address recipient, uint256 lengthDays) external payable returns (uint256 id) {
        require(recipient != address(0) && recipient != address(this), "recipient");
        require(lengthDays >= 1 && lengthDays <= 3650, "length");
        require(msg.value > 0 && msg.value <= type(uint128).max, "value");
        id = count++;
        streams[id] = Stream({
            payer: msg.sender,
            recipient: recipient,
            deposit: uint128(msg.value),
            taken: 0,
            start: uint64(block.timestamp),
            length: uint64(lengthDays * 1 days)
        });
        emit Opened(id, msg.sender, recipient, msg.value);
    }

    function earned(uint256 id) public view returns (uint256) {
        Stream storage s = streams[id];
        if (s.payer == address(0)) return 0;
        uint256 elapsed = block.timestamp - s.start;
        if (elapsed >= s.length) return s.deposit;
        return uint256(s.deposit) * elapsed / s.length;
    }

    function take(uint256 id, address to) external {
        Stream storage s = streams[id];
        require(msg.sender == s.recipient, "not recipient");
        require(to != address(0), "to");
        uint256 amount = earned(id) - s.taken;
        require(amount > 0, "nothing");
        s.taken += uint128(amount);
        emit Taken(id, amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    /// Either side may stop; what has flowed so far is the recipient's, the rest the payer's.
    function cancel(uint256 id) external {
        Stream memory s = streams[id];
        require(s.payer != address(0), "no stream");
        require(msg.sender == s.payer || msg.sender == s.recipient, "not a party");
        uint256 sum = earned(id);
        delete streams[id];
        credit[s.recipient] += sum - s.taken;
        credit[s.payer] += s.deposit - sum;
        emit Cancelled(id, sum - s.taken, s.deposit - sum);
    }

    function withdrawCredit(address to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
