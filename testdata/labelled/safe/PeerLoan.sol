// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:safe
/** A lender offers money to somebody he trusts; it is paid back with interest as agreed. */
contract PeerLoanGood {
    enum State { None, Offered, Drawn, Repaid, Cancelled }

    struct Loan {
        address lender;
        address borrower;
        uint256 principal;
        uint256 owed;
        State state;
    }

    mapping(uint256 => Loan) public loans;
    mapping(address => uint256) public credit;
    uint256 public count;

    event Offered(uint256 indexed id, address indexed lender, address indexed borrower, uint256 principal);
    event Drawn(uint256 indexed id);
    event Repaid(uint256 indexed id, uint256 amount, uint256 left);

    function offer(address borrower, uint256 interest) external payable returns (uint256 id) {
        require(borrower != address(0) && borrower != address(this), "borrower");
        require(msg.value > 0, "nothing");
        require(interest <= msg.value, "usury");
        id = count;
        count = id + 1;
        loans[id] = Loan(msg.sender, borrower, msg.value, msg.value + interest, State.Offered);
        emit Offered(id, msg.sender, borrower, msg.value);
    }

    function cancel(uint256 id) external {
        Loan storage l = loans[id];
        require(msg.sender == l.lender && l.state == State.Offered, "no offer");
        l.state = State.Cancelled;
        l.owed = 0;
        credit[l.lender] += l.principal;
    }

    function draw(uint256 id, address payable to) external {
        Loan storage l = loans[id];
        require(msg.sender == l.borrower && l.state == State.Offered, "no offer");
        require(to != address(0), "to");
        l.state = State.Drawn;
        emit Drawn(id);
        pay(to, l.principal);
    }

    /// Anybody may help to pay back; what is too much is returned at once.
    function repay(uint256 id) external payable {
        Loan storage l = loans[id];
        require(l.state == State.Drawn, "no debt");
        require(msg.value > 0, "nothing");
        uint256 used = msg.value < l.owed ? msg.value : l.owed;
        l.owed -= used;
        credit[l.lender] += used;
        if (l.owed == 0) l.state = State.Repaid;
        emit Repaid(id, used, l.owed);
        if (msg.value > used) pay(msg.sender, msg.value - used);
    }

    function withdraw(address payable to) external {
        require(to != address(0), "to");
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        pay(to, amount);
    }

    function pay(address payable to, uint256 amount) private {
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
    }
}
