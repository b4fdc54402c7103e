pragma solidity ^0.5.0;

/// @custom:vulnerable selfdestruct shutdown()
/** Holds the deposits of a landlord's tenants until their leases end. */
contract RentalDepositBad {
    enum State { None, Open, Paid }

    struct Lease {
        State state;
        uint256 deposit;
        uint256 endsAt;
    }

    uint256 public constant GRACE = 30 days;

    address payable public landlord;
    uint256 public openLeases;
    uint256 public totalHeld;
    mapping(address => Lease) public leases;
    mapping(address => uint256) public credits;

    event LeaseOpened(address indexed tenant, uint256 deposit, uint256 endsAt);
    event DepositPaid(address indexed tenant, uint256 amount);
    event LeaseEnded(address indexed tenant, uint256 returned, uint256 kept);

    modifier onlyLandlord() {
        require(msg.sender == landlord, "not the landlord");
        _;
    }

    constructor() public {
        landlord = msg.sender;
    }

    function openLease(address tenant, uint256 deposit, uint256 months) external onlyLandlord {
        require(tenant != address(0) && leases[tenant].state == State.None, "lease exists");
        require(deposit > 0 && months >= 1 && months <= 120, "bad terms");
        uint256 endsAt = now + months * 30 days;
        leases[tenant] = Lease(State.Open, deposit, endsAt);
        openLeases += 1;
        emit LeaseOpened(tenant, deposit, endsAt);
    }

    function cancelLease(address tenant) external onlyLandlord {
        require(leases[tenant].state == State.Open, "not open");
        delete leases[tenant];
        openLeases -= 1;
    }

    function payDeposit() external payable {
        Lease storage lease = leases[msg.sender];
        require(lease.state == State.Open, "no open lease");
        require(msg.value == lease.deposit, "wrong amount");
        lease.state = State.Paid;
        totalHeld += msg.value;
        emit DepositPaid(msg.sender, msg.value);
    }

    // the landlord keeps what repairs cost and releases the rest
    function endLease(address tenant, uint256 kept) external onlyLandlord {
        require(leases[tenant].state == State.Paid, "no deposit");
        require(kept <= leases[tenant].deposit, "more than the deposit");
        close(tenant, kept);
    }

    // a landlord who forgets the tenant for a month keeps nothing
    function reclaim() external {
        require(leases[msg.sender].state == State.Paid, "no deposit");
        require(now >= leases[msg.sender].endsAt + GRACE, "too early");
        close(msg.sender, 0);
    }

    function withdraw(address payable to) external {
        require(to != address(0), "no receiver");
        uint256 amount = credits[msg.sender];
        require(amount > 0, "no credit");
        credits[msg.sender] = 0;
        totalHeld -= amount;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
    }

    function shutdown() external {
        selfdestruct(landlord);
    }

    function close(address tenant, uint256 kept) internal {
        uint256 returned = leases[tenant].deposit - kept;
        delete leases[tenant];
        openLeases -= 1;
        credits[tenant] += returned;
        credits[landlord] += kept;
        emit LeaseEnded(tenant, returned, kept);
    }
}

/// @custom:safe
/** Holds the deposits of a landlord's tenants until their leases end. */
contract RentalDepositGood {
    enum State { None, Open, Paid }

    struct Lease {
        State state;
        uint256 deposit;
        uint256 endsAt;
    }

    uint256 public constant GRACE = 30 days;

    address payable public landlord;
    uint256 public openLeases;
    uint256 public totalHeld;
    mapping(address => Lease) public leases;
    mapping(address => uint256) public credits;

    event LeaseOpened(address indexed tenant, uint256 deposit, uint256 endsAt);
    event DepositPaid(address indexed tenant, uint256 amount);
    event LeaseEnded(address indexed tenant, uint256 returned, uint256 kept);

    modifier onlyLandlord() {
        require(msg.sender == landlord, "not the landlord");
        _;
    }

    constructor() public {
        landlord = msg.sender;
    }

    function openLease(address tenant, uint256 deposit, uint256 months) external onlyLandlord {
        require(tenant != address(0) && leases[tenant].state == State.None, "lease exists");
        require(deposit > 0 && months >= 1 && months <= 120, "bad terms");
        uint256 endsAt = now + months * 30 days;
        leases[tenant] = Lease(State.Open, deposit, endsAt);
        openLeases += 1;
        emit LeaseOpened(tenant, deposit, endsAt);
    }

    function cancelLease(address tenant) external onlyLandlord {
        require(leases[tenant].state == State.Open, "not open");
        delete leases[tenant];
        openLeases -= 1;
    }

    function payDeposit() external payable {
        Lease storage lease = leases[msg.sender];
        require(lease.state == State.Open, "no open lease");
        require(msg.value == lease.deposit, "wrong amount");
        lease.state = State.Paid;
        totalHeld += msg.value;
        emit DepositPaid(msg.sender, msg.value);
    }

    // the landlord keeps what repairs cost and releases the rest
    function endLease(address tenant, uint256 kept) external onlyLandlord {
        require(leases[tenant].state == State.Paid, "no deposit");
        require(kept <= leases[tenant].deposit, "more than the deposit");
        close(tenant, kept);
    }

    // a landlord who forgets the tenant for a month keeps nothing
    function reclaim() external {
        require(leases[msg.sender].state == State.Paid, "no deposit");
        require(now >= leases[msg.sender].endsAt + GRACE, "too early");
        close(msg.sender, 0);
    }

    function withdraw(address payable to) external {
        require(to != address(0), "no receiver");
        uint256 amount = credits[msg.sender];
        require(amount > 0, "no credit");
        credits[msg.sender] = 0;
        totalHeld -= amount;
        (bool ok, ) = to.call.value(amount)("");
        require(ok, "payment failed");
    }

    function shutdown() external onlyLandlord {
        require(openLeases == 0 && totalHeld == 0, "still in use");
        selfdestruct(landlord);
    }

    function close(address tenant, uint256 kept) internal {
        uint256 returned = leases[tenant].deposit - kept;
        delete leases[tenant];
        openLeases -= 1;
        credits[tenant] += returned;
        credits[landlord] += kept;
        emit LeaseEnded(tenant, returned, kept);
    }
}
