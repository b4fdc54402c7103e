// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The owner's chest. The heir he names may take over after half a year of silence and a month's notice.
/// @custom:safe
contract HeirChestGood {
    uint256 public constant SILENCE = 180 days;
    uint256 public constant NOTICE = 30 days;

    address public owner;
    address public heir;
    uint256 public lastSeen;
    uint256 public noticeGiven;

    event Seen(uint256 at);
    event HeirNamed(address indexed heir);
    event NoticeGiven(address indexed heir, uint256 at);
    event Inherited(address indexed from, address indexed to);
    event Paid(address indexed to, uint256 amount);

    constructor(address heir_) {
        owner = msg.sender;
        lastSeen = block.timestamp;
        _name(heir_);
    }

    /// Every act of the owner is a sign of life and cancels a notice.
    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        lastSeen = block.timestamp;
        noticeGiven = 0;
        emit Seen(block.timestamp);
        _;
    }

    receive() external payable {}

    function ping() external onlyOwner {}

    function nameHeir(address who) external onlyOwner {
        _name(who);
    }

    function pay(address payable to, uint256 amount) external onlyOwner {
        require(to != address(0), "to");
        require(amount <= address(this).balance, "too much");
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment");
        emit Paid(to, amount);
    }

    function silentFor() public view returns (uint256) {
        unchecked {
            return block.timestamp - lastSeen;
        }
    }

    function giveNotice() external {
        require(msg.sender == heir, "not the heir");
        require(noticeGiven == 0, "given");
        require(silentFor() >= SILENCE, "owner was seen");
        noticeGiven = block.timestamp;
        emit NoticeGiven(msg.sender, block.timestamp);
    }

    function inherit() external {
        require(msg.sender == heir, "not the heir");
        uint256 given = noticeGiven;
        require(given != 0, "no notice");
        unchecked {
            require(block.timestamp - given >= NOTICE, "too early");
        }
        emit Inherited(owner, heir);
        owner = heir;
        heir = address(0);
        noticeGiven = 0;
        lastSeen = block.timestamp;
    }

    function _name(address who) private {
        require(who != address(0) && who != owner, "heir");
        heir = who;
        emit HeirNamed(who);
    }
}
