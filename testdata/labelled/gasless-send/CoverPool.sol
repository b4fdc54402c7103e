pragma solidity ^0.5.0;

/// @custom:vulnerable gasless-send withdraw()
/** Insurance pool: holders buy cover for thirty days, the underwriter assesses claims, payouts are drawn by the holders. */
contract CoverPoolBad {
    uint256 public constant TERM = 30 days;
    uint256 public constant CLAIM_WINDOW = 14 days;
    uint256 public constant MIN_COVER = 0.01 ether;
    uint256 public constant MAX_COVER = 1000 ether;

    struct Policy {
        address holder;
        uint256 cover;
        uint256 expires;
        bool open;
    }

    address public underwriter;
    uint256 public rateBps;
    uint256 public locked;
    uint256 public totalCredits;
    Policy[] public policies;
    mapping(address => uint256) public credits;

    event Covered(uint256 indexed id, address indexed holder, uint256 cover);
    event Awarded(uint256 indexed id, uint256 amount);
    event Released(uint256 indexed id);

    modifier onlyUnderwriter() {
        require(msg.sender == underwriter, "underwriter only");
        _;
    }

    constructor(uint256 _rateBps) public {
        require(_rateBps > 0 && _rateBps <= 5000, "rate range");
        underwriter = msg.sender;
        rateBps = _rateBps;
    }

    function fund() external payable onlyUnderwriter {}

    function free() public view returns (uint256) {
        return address(this).balance - locked - totalCredits;
    }

    function premiumFor(uint256 cover) public view returns (uint256) {
        return (cover * rateBps + 9999) / 10000;
    }

    function buyCover(uint256 cover) external payable returns (uint256 id) {
        require(cover >= MIN_COVER && cover <= MAX_COVER, "cover range");
        require(msg.value == premiumFor(cover), "exact premium only");
        require(free() >= cover, "pool exhausted");
        locked += cover;
        id = policies.length;
        policies.push(Policy(msg.sender, cover, now + TERM, true));
        emit Covered(id, msg.sender, cover);
    }

    function award(uint256 id, uint256 amount) external onlyUnderwriter {
        require(id < policies.length, "no such policy");
        Policy storage p = policies[id];
        require(p.open && now <= p.expires + CLAIM_WINDOW, "closed");
        require(amount > 0 && amount <= p.cover, "amount");
        p.open = false;
        locked -= p.cover;
        totalCredits += amount;
        credits[p.holder] += amount;
        emit Awarded(id, amount);
    }

    function release(uint256 id) external {
        require(id < policies.length, "no such policy");
        Policy storage p = policies[id];
        require(p.open && now > p.expires + CLAIM_WINDOW, "still open");
        p.open = false;
        locked -= p.cover;
        emit Released(id);
    }

    function withdraw() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "nothing awarded");
        credits[msg.sender] = 0;
        totalCredits -= amount;
        msg.sender.transfer(amount);
    }

    function defund(uint256 amount) external onlyUnderwriter {
        require(amount <= free(), "tied up");
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "payment failed");
    }
}

/// @custom:safe
/** Insurance pool: holders buy cover for thirty days, the underwriter assesses claims, payouts are drawn by the holders. */
contract CoverPoolGood {
    uint256 public constant TERM = 30 days;
    uint256 public constant CLAIM_WINDOW = 14 days;
    uint256 public constant MIN_COVER = 0.01 ether;
    uint256 public constant MAX_COVER = 1000 ether;

    struct Policy {
        address holder;
        uint256 cover;
        uint256 expires;
        bool open;
    }

    address public underwriter;
    uint256 public rateBps;
    uint256 public locked;
    uint256 public totalCredits;
    Policy[] public policies;
    mapping(address => uint256) public credits;

    event Covered(uint256 indexed id, address indexed holder, uint256 cover);
    event Awarded(uint256 indexed id, uint256 amount);
    event Released(uint256 indexed id);

    modifier onlyUnderwriter() {
        require(msg.sender == underwriter, "underwriter only");
        _;
    }

    constructor(uint256 _rateBps) public {
        require(_rateBps > 0 && _rateBps <= 5000, "rate range");
        underwriter = msg.sender;
        rateBps = _rateBps;
    }

    function fund() external payable onlyUnderwriter {}

    function free() public view returns (uint256) {
        return address(this).balance - locked - totalCredits;
    }

    function premiumFor(uint256 cover) public view returns (uint256) {
        return (cover * rateBps + 9999) / 10000;
    }

    function buyCover(uint256 cover) external payable returns (uint256 id) {
        require(cover >= MIN_COVER && cover <= MAX_COVER, "cover range");
        require(msg.value == premiumFor(cover), "exact premium only");
        require(free() >= cover, "pool exhausted");
        locked += cover;
        id = policies.length;
        policies.push(Policy(msg.sender, cover, now + TERM, true));
        emit Covered(id, msg.sender, cover);
    }

    function award(uint256 id, uint256 amount) external onlyUnderwriter {
        require(id < policies.length, "no such policy");
        Policy storage p = policies[id];
        require(p.open && now <= p.expires + CLAIM_WINDOW, "closed");
        require(amount > 0 && amount <= p.cover, "amount");
        p.open = false;
        locked -= p.cover;
        totalCredits += amount;
        credits[p.holder] += amount;
        emit Awarded(id, amount);
    }

    function release(uint256 id) external {
        require(id < policies.length, "no such policy");
        Policy storage p = policies[id];
        require(p.open && now > p.expires + CLAIM_WINDOW, "still open");
        p.open = false;
        locked -= p.cover;
        emit Released(id);
    }

    function withdraw() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "nothing awarded");
        credits[msg.sender] = 0;
        totalCredits -= amount;
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "payment failed");
    }

    function defund(uint256 amount) external onlyUnderwriter {
        require(amount <= free(), "tied up");
        (bool ok, ) = msg.sender.call.value(amount)("");
        require(ok, "payment failed");
    }
}
