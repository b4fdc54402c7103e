pragma solidity ^0.5.0;

/// @custom:vulnerable unchecked-call release(uint256)
/** Escrow between clients and freelancers; the deployer arbitrates. */
contract FreelanceEscrowBad {
    enum Status { None, Funded, Released, Refunded }

    struct Job {
        address payable client;
        address payable freelancer;
        uint256 amount;
        Status status;
    }

    address public arbiter;
    uint256 public jobCount;
    mapping(uint256 => Job) public jobs;

    event Funded(uint256 indexed id, address indexed client, address indexed freelancer, uint256 amount);
    event Released(uint256 indexed id);
    event Refunded(uint256 indexed id);

    constructor() public {
        arbiter = msg.sender;
    }

    function fund(address payable freelancer) external payable returns (uint256 id) {
        require(freelancer != address(0), "no freelancer");
        require(msg.value > 0, "nothing sent");
        id = jobCount++;
        jobs[id] = Job(msg.sender, freelancer, msg.value, Status.Funded);
        emit Funded(id, msg.sender, freelancer, msg.value);
    }

    // the client is content, or the arbiter decides for the freelancer
    function release(uint256 id) external {
        Job storage job = jobs[id];
        require(job.status == Status.Funded, "not funded");
        require(msg.sender == job.client || msg.sender == arbiter, "not allowed");
        job.status = Status.Released;
        emit Released(id);
        job.freelancer.call.value(job.amount)("");
    }

    // the freelancer gives up, or the arbiter decides for the client
    function refund(uint256 id) external {
        Job storage job = jobs[id];
        require(job.status == Status.Funded, "not funded");
        require(msg.sender == job.freelancer || msg.sender == arbiter, "not allowed");
        job.status = Status.Refunded;
        emit Refunded(id);
        (bool ok, ) = job.client.call.value(job.amount)("");
        require(ok, "refund failed");
    }
}

/// @custom:safe
/** Escrow between clients and freelancers; the deployer arbitrates. */
contract FreelanceEscrowGood {
    enum Status { None, Funded, Released, Refunded }

    struct Job {
        address payable client;
        address payable freelancer;
        uint256 amount;
        Status status;
    }

    address public arbiter;
    uint256 public jobCount;
    mapping(uint256 => Job) public jobs;
    mapping(address => uint256) public unpaid;

    event Funded(uint256 indexed id, address indexed client, address indexed freelancer, uint256 amount);
    event Released(uint256 indexed id);
    event Refunded(uint256 indexed id);

    constructor() public {
        arbiter = msg.sender;
    }

    function fund(address payable freelancer) external payable returns (uint256 id) {
        require(freelancer != address(0), "no freelancer");
        require(msg.value > 0, "nothing sent");
        id = jobCount++;
        jobs[id] = Job(msg.sender, freelancer, msg.value, Status.Funded);
        emit Funded(id, msg.sender, freelancer, msg.value);
    }

    // the client is content, or the arbiter decides for the freelancer
    function release(uint256 id) external {
        Job storage job = jobs[id];
        require(job.status == Status.Funded, "not funded");
        require(msg.sender == job.client || msg.sender == arbiter, "not allowed");
        job.status = Status.Released;
        emit Released(id);
        (bool ok, ) = job.freelancer.call.value(job.amount)("");
        if (!ok) {
            unpaid[job.freelancer] += job.amount;
        }
    }

    // the freelancer gives up, or the arbiter decides for the client
    function refund(uint256 id) external {
        Job storage job = jobs[id];
        require(job.status == Status.Funded, "not funded");
        require(msg.sender == job.freelancer || msg.sender == arbiter, "not allowed");
        job.status = Status.Refunded;
        emit Refunded(id);
        (bool ok, ) = job.client.call.value(job.amount)("");
        require(ok, "refund failed");
    }

    // a payment that did not go through; anybody may start it again
    function payAgain(address payable freelancer) external {
        payUnpaid(freelancer, freelancer);
    }

    function claimUnpaid(address payable to) external {
        require(to != address(0), "no receiver");
        payUnpaid(msg.sender, to);
    }

    function payUnpaid(address freelancer, address payable to) internal {
        uint256 amount = unpaid[freelancer];
        require(amount > 0, "nothing unpaid");
        unpaid[freelancer] = 0;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
    }
}
