// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

interface IDeedReceiver {
    function onDeedReceived(address from, uint256 id) external returns (bytes4);
}

/// @custom:safe
/** Deeds are registered for a deposit, which comes back when the deed is burnt. Contracts that receive a deed are asked, as in ERC-721. */
contract DeedOfficeGood {
    uint256 public immutable deposit;
    uint256 public nextId = 1;
    uint256 public moves;
    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => uint256) public askedFor;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public credit;

    event Moved(uint256 indexed id, address indexed from, address indexed to);
    event Asked(uint256 indexed id, uint256 price);

    constructor(uint256 deposit_) {
        require(deposit_ > 0 && deposit_ <= 100 ether, "deposit");
        deposit = deposit_;
    }

    function register() external payable returns (uint256 id) {
        require(msg.value == deposit, "deposit");
        id = nextId++;
        move(id, address(0), msg.sender);
    }

    function give(uint256 id, address to) external {
        require(ownerOf[id] == msg.sender, "not yours");
        require(to != address(0) && to != address(this), "to");
        move(id, msg.sender, to);
    }

    function ask(uint256 id, uint256 price) external {
        require(ownerOf[id] == msg.sender, "not yours");
        askedFor[id] = price;
        emit Asked(id, price);
    }

    function buy(uint256 id) external payable {
        address seller = ownerOf[id];
        uint256 price = askedFor[id];
        require(seller != address(0) && seller != msg.sender, "seller");
        require(price > 0 && msg.value == price, "price");
        credit[seller] += price;
        move(id, seller, msg.sender);
    }

    function burn(uint256 id) external {
        require(ownerOf[id] == msg.sender, "not yours");
        credit[msg.sender] += deposit;
        move(id, msg.sender, address(0));
    }

    function move(uint256 id, address from, address to) internal {
        askedFor[id] = 0;
        ownerOf[id] = to;
        if (from != address(0)) balanceOf[from] -= 1;
        if (to != address(0)) balanceOf[to] += 1;
        emit Moved(id, from, to);
        if (to != address(0) && isContract(to)) {
            bytes4 answer = IDeedReceiver(to).onDeedReceived(from, id);
            require(answer == IDeedReceiver.onDeedReceived.selector, "refused");
        }
        moves += 1;
    }

    function isContract(address a) private view returns (bool) {
        uint256 size;
        assembly { size := extcodesize(a) }
        return size > 0;
    }

    function withdraw(address to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
