// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// @custom:safe
/** Prepaid subscriptions: each period of 30 days is paid at its beginning, from money that the subscriber may take back until then. */
contract SubscriptionGood {
    struct Plan {
        address merchant;
        uint256 price;
    }

    struct Sub {
        uint256 funds;
        uint256 paidUntil;
        bool active;
    }

    uint256 public constant PERIOD = 30 days;
    Plan[] public plans;
    mapping(uint256 => mapping(address => Sub)) public subs;
    mapping(address => uint256) public earned;

    event PlanAdded(uint256 indexed plan, address indexed merchant, uint256 price);
    event Charged(uint256 indexed plan, address indexed who, uint256 periods);

    function addPlan(uint256 price) external returns (uint256 plan) {
        require(price > 0 && price <= 1000 ether, "price");
        plan = plans.length;
        plans.push(Plan(msg.sender, price));
        emit PlanAdded(plan, msg.sender, price);
    }

    function fund(uint256 plan) external payable {
        require(plan < plans.length, "plan");
        settle(plan, msg.sender);
        Sub storage s = subs[plan][msg.sender];
        s.funds += msg.value;
        if (!s.active) {
            require(s.funds >= plans[plan].price, "too little");
            s.active = true;
            s.paidUntil = now;
            settle(plan, msg.sender);
        }
    }

    /// Anybody may have the periods charged that have begun.
    function settle(uint256 plan, address who) public {
        require(plan < plans.length, "plan");
        Sub storage s = subs[plan][who];
        if (!s.active || now < s.paidUntil) return;
        Plan storage p = plans[plan];
        uint256 begun = (now - s.paidUntil) / PERIOD + 1;
        uint256 can = s.funds / p.price;
        if (can < begun) {
            begun = can;
            s.active = false;
        }
        uint256 cost = begun * p.price;
        s.funds -= cost;
        s.paidUntil += begun * PERIOD;
        earned[p.merchant] += cost;
        emit Charged(plan, who, begun);
    }

    function leave(uint256 plan, address payable to) external {
        require(to != address(0), "to");
        settle(plan, msg.sender);
        Sub storage s = subs[plan][msg.sender];
        uint256 rest = s.funds;
        s.funds = 0;
        s.active = false;
        (bool ok, ) = to.call.value(rest)("");
        require(ok, "payment failed");
    }

    function collect(address payable to) external {
        require(to != address(0), "to");
        uint256 amount = earned[msg.sender];
        require(amount > 0, "nothing");
        earned[msg.sender] = 0;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
    }
}
