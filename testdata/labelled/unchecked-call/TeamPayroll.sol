pragma solidity ^0.5.0;

/// @custom:vulnerable unchecked-call payday(address)
/** Monthly payroll from a float that the employer keeps topped up. */
contract TeamPayrollBad {
    uint256 public constant PERIOD = 30 days;
    uint256 public constant MAX_SALARY = 1000 ether;

    struct Employee {
        uint256 salary;
        uint256 paidUntil;
        uint256 totalPaid;
    }

    address public employer;
    mapping(address => Employee) public staff;

    event Hired(address indexed worker, uint256 salary);
    event Dismissed(address indexed worker);
    event Paid(address indexed worker, uint256 amount);

    modifier onlyEmployer() {
        require(msg.sender == employer, "employer only");
        _;
    }

    constructor() public {
        employer = msg.sender;
    }

    function() external payable {}

    function available() public view returns (uint256) {
        return address(this).balance;
    }

    function hire(address worker, uint256 salary) external onlyEmployer {
        require(worker != address(0) && staff[worker].salary == 0, "cannot hire");
        require(salary > 0 && salary <= MAX_SALARY, "salary range");
        staff[worker] = Employee(salary, now, 0);
        emit Hired(worker, salary);
    }

    function dismiss(address worker) external onlyEmployer {
        require(staff[worker].salary > 0, "not on staff");
        if (due(worker) > 0) {
            payday(worker);
        }
        delete staff[worker];
        emit Dismissed(worker);
    }

    function due(address worker) public view returns (uint256) {
        Employee storage e = staff[worker];
        if (e.salary == 0) {
            return 0;
        }
        return e.salary * ((now - e.paidUntil) / PERIOD);
    }

    function payday(address worker) public {
        uint256 amount = due(worker);
        require(amount > 0, "nothing due");
        require(amount <= available(), "top up first");

        Employee storage e = staff[worker];
        e.paidUntil += (amount / e.salary) * PERIOD;
        e.totalPaid += amount;
        worker.call.value(amount)("");
        emit Paid(worker, amount);
    }

    function withdrawSurplus(uint256 amount) external onlyEmployer {
        require(amount <= available(), "not available");
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "withdrawal failed");
    }
}

/// @custom:safe
/** Monthly payroll from a float that the employer keeps topped up. */
contract TeamPayrollGood {
    uint256 public constant PERIOD = 30 days;
    uint256 public constant MAX_SALARY = 1000 ether;

    struct Employee {
        uint256 salary;
        uint256 paidUntil;
        uint256 totalPaid;
    }

    address public employer;
    mapping(address => Employee) public staff;
    mapping(address => uint256) public owed;
    uint256 public reserved;

    event Hired(address indexed worker, uint256 salary);
    event Dismissed(address indexed worker);
    event Paid(address indexed worker, uint256 amount);

    modifier onlyEmployer() {
        require(msg.sender == employer, "employer only");
        _;
    }

    constructor() public {
        employer = msg.sender;
    }

    function() external payable {}

    function available() public view returns (uint256) {
        return address(this).balance - reserved;
    }

    function hire(address worker, uint256 salary) external onlyEmployer {
        require(worker != address(0) && staff[worker].salary == 0, "cannot hire");
        require(salary > 0 && salary <= MAX_SALARY, "salary range");
        staff[worker] = Employee(salary, now, 0);
        emit Hired(worker, salary);
    }

    function dismiss(address worker) external onlyEmployer {
        require(staff[worker].salary > 0, "not on staff");
        if (due(worker) > 0) {
            payday(worker);
        }
        delete staff[worker];
        emit Dismissed(worker);
    }

    function due(address worker) public view returns (uint256) {
        Employee storage e = staff[worker];
        if (e.salary == 0) {
            return 0;
        }
        return e.salary * ((now - e.paidUntil) / PERIOD);
    }

    function payday(address worker) public {
        uint256 amount = due(worker);
        require(amount > 0, "nothing due");
        require(amount <= available(), "top up first");

        Employee storage e = staff[worker];
        e.paidUntil += (amount / e.salary) * PERIOD;
        e.totalPaid += amount;
        (bool ok, ) = worker.call.value(amount)("");
        if (ok) {
            emit Paid(worker, amount);
        } else {
            owed[worker] += amount;
            reserved += amount;
        }
    }

    function collect(address payable to) external {
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing owed");
        owed[msg.sender] = 0;
        reserved -= amount;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
        emit Paid(msg.sender, amount);
    }

    function withdrawSurplus(uint256 amount) external onlyEmployer {
        require(amount <= available(), "not available");
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "withdrawal failed");
    }
}
