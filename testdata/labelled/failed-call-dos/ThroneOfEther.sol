pragma solidity ^0.4.24;

/// @custom:vulnerable failed-call-dos claimThrone(string)
/** King-of-the-hill game after KingOfTheEtherThrone: the usurper's payment goes to the dethroned monarch. */
contract ThroneOfEtherBad {
    struct Monarch {
        address holder;
        string title;
        uint256 paid;
        uint256 since;
    }

    uint256 public constant MAX_REIGN = 14 days;

    address public wizard;
    uint256 public startingPrice;
    uint256 public nextPrice;
    uint256 public feesHeld;
    Monarch public current;

    event ThroneClaimed(address indexed monarch, string title, uint256 paid);
    event Compensated(address indexed monarch, uint256 amount);

    modifier onlyWizard() {
        require(msg.sender == wizard, "wizard only");
        _;
    }

    constructor(uint256 _startingPrice) public {
        require(_startingPrice >= 1 finney && _startingPrice <= 100 ether, "price range");
        wizard = msg.sender;
        startingPrice = _startingPrice;
        nextPrice = _startingPrice;
    }

    function claimPrice() public view returns (uint256) {
        if (current.holder != address(0) && now > current.since + MAX_REIGN) {
            return startingPrice;
        }
        return nextPrice;
    }

    function claimThrone(string title) external payable {
        require(msg.value >= claimPrice(), "too little");
        require(bytes(title).length <= 64, "title too long");

        address dethroned = current.holder;
        current = Monarch(msg.sender, title, msg.value, now);
        nextPrice = msg.value + msg.value / 2;
        emit ThroneClaimed(msg.sender, title, msg.value);

        if (dethroned == address(0)) {
            feesHeld += msg.value;
            return;
        }
        uint256 fee = msg.value / 100;
        uint256 compensation = msg.value - fee;
        feesHeld += fee;
        require(dethroned.call.value(compensation)(), "compensation failed");
        emit Compensated(dethroned, compensation);
    }

    function sweepFees() external onlyWizard {
        uint256 amount = feesHeld;
        feesHeld = 0;
        require(wizard.call.value(amount)(), "sweep failed");
    }
}

/// @custom:safe
/** King-of-the-hill game after KingOfTheEtherThrone: the usurper's payment goes to the dethroned monarch. */
contract ThroneOfEtherGood {
    struct Monarch {
        address holder;
        string title;
        uint256 paid;
        uint256 since;
    }

    uint256 public constant MAX_REIGN = 14 days;

    address public wizard;
    uint256 public startingPrice;
    uint256 public nextPrice;
    uint256 public feesHeld;
    Monarch public current;
    mapping(address => uint256) public credits;

    event ThroneClaimed(address indexed monarch, string title, uint256 paid);
    event Compensated(address indexed monarch, uint256 amount);

    modifier onlyWizard() {
        require(msg.sender == wizard, "wizard only");
        _;
    }

    constructor(uint256 _startingPrice) public {
        require(_startingPrice >= 1 finney && _startingPrice <= 100 ether, "price range");
        wizard = msg.sender;
        startingPrice = _startingPrice;
        nextPrice = _startingPrice;
    }

    function claimPrice() public view returns (uint256) {
        if (current.holder != address(0) && now > current.since + MAX_REIGN) {
            return startingPrice;
        }
        return nextPrice;
    }

    function claimThrone(string title) external payable {
        require(msg.value >= claimPrice(), "too little");
        require(bytes(title).length <= 64, "title too long");

        address dethroned = current.holder;
        current = Monarch(msg.sender, title, msg.value, now);
        nextPrice = msg.value + msg.value / 2;
        emit ThroneClaimed(msg.sender, title, msg.value);

        if (dethroned == address(0)) {
            feesHeld += msg.value;
            return;
        }
        uint256 fee = msg.value / 100;
        uint256 compensation = msg.value - fee;
        feesHeld += fee;
        if (dethroned.send(compensation)) {
            emit Compensated(dethroned, compensation);
        } else {
            credits[dethroned] += compensation;
        }
    }

    function withdrawCredit() external {
        uint256 amount = credits[msg.sender];
        require(amount > 0, "nothing due");
        credits[msg.sender] = 0;
        require(msg.sender.call.value(amount)(), "withdrawal failed");
        emit Compensated(msg.sender, amount);
    }

    function sweepFees() external onlyWizard {
        uint256 amount = feesHeld;
        feesHeld = 0;
        require(wizard.call.value(amount)(), "sweep failed");
    }
}
