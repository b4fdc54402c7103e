pragma solidity ^0.4.24;

/// @custom:vulnerable reentrancy withdrawCredit()
/** Prepaid credit with which customers renew monthly plans of providers. */
contract PrepaidCreditBad {
    struct Plan {
        address provider;
        uint256 price;
        bool active;
    }

    uint256 public constant PERIOD = 30 days;

    uint256 public planCount;
    mapping(uint256 => Plan) public plans;
    mapping(address => uint256) public credit;
    mapping(address => uint256) public earned;
    mapping(uint256 => mapping(address => uint256)) public paidUntil;

    event PlanCreated(uint256 indexed id, address indexed provider, uint256 price);
    event Renewed(uint256 indexed id, address indexed customer, uint256 until);
    event CreditWithdrawn(address indexed customer, uint256 amount);

    function createPlan(uint256 price) external returns (uint256 id) {
        require(price > 0, "price is zero");
        id = planCount++;
        plans[id] = Plan(msg.sender, price, true);
        emit PlanCreated(id, msg.sender, price);
    }

    function retirePlan(uint256 id) external {
        require(plans[id].provider == msg.sender, "not the provider");
        plans[id].active = false;
    }

    function topUp() external payable {
        require(msg.value > 0, "nothing sent");
        credit[msg.sender] += msg.value;
    }

    function renew(uint256 id) external {
        Plan storage plan = plans[id];
        require(plan.active, "no such plan");
        require(credit[msg.sender] >= plan.price, "credit too low");

        credit[msg.sender] -= plan.price;
        earned[plan.provider] += plan.price;

        uint256 start = paidUntil[id][msg.sender];
        if (start < now) {
            start = now;
        }
        paidUntil[id][msg.sender] = start + PERIOD;
        emit Renewed(id, msg.sender, start + PERIOD);
    }

    // credit that is not spent goes back to the customer
    function withdrawCredit() external returns (bool) {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");

        require(msg.sender.call.value(amount)(), "payment failed");
        credit[msg.sender] = 0;
        emit CreditWithdrawn(msg.sender, amount);
        return true;
    }

    function collect(address to) external {
        require(to != address(0), "no receiver");
        uint256 amount = earned[msg.sender];
        require(amount > 0, "nothing earned");
        earned[msg.sender] = 0;
        require(to.call.value(amount)(), "payment failed");
    }

    function isActive(uint256 id, address customer) external view returns (bool) {
        return paidUntil[id][customer] >= now;
    }
}

/// @custom:safe
/** Prepaid credit with which customers renew monthly plans of providers. */
contract PrepaidCreditGood {
    struct Plan {
        address provider;
        uint256 price;
        bool active;
    }

    uint256 public constant PERIOD = 30 days;

    uint256 public planCount;
    mapping(uint256 => Plan) public plans;
    mapping(address => uint256) public credit;
    mapping(address => uint256) public earned;
    mapping(uint256 => mapping(address => uint256)) public paidUntil;

    event PlanCreated(uint256 indexed id, address indexed provider, uint256 price);
    event Renewed(uint256 indexed id, address indexed customer, uint256 until);
    event CreditWithdrawn(address indexed customer, uint256 amount);

    function createPlan(uint256 price) external returns (uint256 id) {
        require(price > 0, "price is zero");
        id = planCount++;
        plans[id] = Plan(msg.sender, price, true);
        emit PlanCreated(id, msg.sender, price);
    }

    function retirePlan(uint256 id) external {
        require(plans[id].provider == msg.sender, "not the provider");
        plans[id].active = false;
    }

    function topUp() external payable {
        require(msg.value > 0, "nothing sent");
        credit[msg.sender] += msg.value;
    }

    function renew(uint256 id) external {
        Plan storage plan = plans[id];
        require(plan.active, "no such plan");
        require(credit[msg.sender] >= plan.price, "credit too low");

        credit[msg.sender] -= plan.price;
        earned[plan.provider] += plan.price;

        uint256 start = paidUntil[id][msg.sender];
        if (start < now) {
            start = now;
        }
        paidUntil[id][msg.sender] = start + PERIOD;
        emit Renewed(id, msg.sender, start + PERIOD);
    }

    // credit that is not spent goes back to the customer
    function withdrawCredit() external returns (bool) {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");

        credit[msg.sender] = 0;
        if (!msg.sender.call.value(amount)()) {
            credit[msg.sender] += amount;
            return false;
        }
        emit CreditWithdrawn(msg.sender, amount);
        return true;
    }

    function collect(address to) external {
        require(to != address(0), "no receiver");
        uint256 amount = earned[msg.sender];
        require(amount > 0, "nothing earned");
        earned[msg.sender] = 0;
        require(to.call.value(amount)(), "payment failed");
    }

    function isActive(uint256 id, address customer) external view returns (bool) {
        return paidUntil[id][customer] >= now;
    }
}
