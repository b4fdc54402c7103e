// Modelled on loot box and mint contracts whose audits note that the rarity, on which a payment hangs, is hashed from the
// time of the block in which the holder chooses to open (SWC-116).
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Keeps the pictures; it knows nothing about money.
contract FoxGallery {
    mapping(address => mapping(uint256 => uint256)) public looks;

    event Hung(address indexed by, uint256 indexed crate, uint256 look);

    function hang(uint256 crate, uint256 look) external {
        looks[msg.sender][crate] = look;
        emit Hung(msg.sender, crate, look);
    }
}

/// The prize in a crate is rolled from the time at which it is opened.
/// @custom:vulnerable timestamp-dependence open(uint256)
contract FoxCratesBad {
    struct Crate {
        address holder;
        bool opened;
    }

    uint256 public constant PRICE = 0.01 ether;
    uint256 public constant PRIZE = 5 * PRICE;

    address public immutable keeper;
    FoxGallery public immutable gallery;
    uint256 public sold;
    uint256 public takings;
    uint256 public prizePool;
    mapping(uint256 => Crate) public crates;
    mapping(address => uint256) public openedBy;
    mapping(address => uint256) public prizes;

    event Bought(uint256 indexed id, address indexed holder);
    event Opened(uint256 indexed id, address indexed holder, uint256 look, uint256 prize);

    constructor(FoxGallery gallery_) {
        keeper = msg.sender;
        gallery = gallery_;
    }

    function buy() external payable returns (uint256 id) {
        require(msg.value == PRICE, "wrong price");
        id = ++sold;
        crates[id].holder = msg.sender;
        prizePool += PRICE / 2;
        takings += PRICE - PRICE / 2;
        emit Bought(id, msg.sender);
    }

    function give(uint256 id, address to) external {
        require(crates[id].holder == msg.sender && !crates[id].opened, "not yours");
        require(to != address(0), "nobody");
        crates[id].holder = to;
    }

    function open(uint256 id) external {
        Crate storage crate = crates[id];
        require(crate.holder == msg.sender && !crate.opened, "not yours");
        crate.opened = true;
        openedBy[msg.sender] += 1;
        uint256 look = uint256(keccak256(abi.encodePacked(block.timestamp, id))) % 10; // <- bug
        uint256 prize = 0;
        if (look == 7) { // <- bug
            prize = prizePool < PRIZE ? prizePool : PRIZE;
            prizePool -= prize;
            prizes[msg.sender] += prize;
        }
        gallery.hang(id, look);
        emit Opened(id, msg.sender, look, prize);
    }

    function withdraw(uint256 amount) external {
        require(prizes[msg.sender] >= amount, "balance too low");
        prizes[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }

    function collect(uint256 amount) external {
        require(msg.sender == keeper, "keeper only");
        require(takings >= amount, "not so much there");
        takings -= amount;
        (bool ok, ) = keeper.call{value: amount}("");
        require(ok, "refused");
    }
}

/// The time only decides what the fox looks like; the prize is in every tenth crate that a holder opens.
/// @custom:safe
contract FoxCratesGood {
    struct Crate {
        address holder;
        bool opened;
    }

    uint256 public constant PRICE = 0.01 ether;
    uint256 public constant PRIZE = 5 * PRICE;

    address public immutable keeper;
    FoxGallery public immutable gallery;
    uint256 public sold;
    uint256 public takings;
    uint256 public prizePool;
    mapping(uint256 => Crate) public crates;
    mapping(address => uint256) public openedBy;
    mapping(address => uint256) public prizes;

    event Bought(uint256 indexed id, address indexed holder);
    event Opened(uint256 indexed id, address indexed holder, uint256 look, uint256 prize);

    constructor(FoxGallery gallery_) {
        keeper = msg.sender;
        gallery = gallery_;
    }

    function buy() external payable returns (uint256 id) {
        require(msg.value == PRICE, "wrong price");
        id = ++sold;
        crates[id].holder = msg.sender;
        prizePool += PRICE / 2;
        takings += PRICE - PRICE / 2;
        emit Bought(id, msg.sender);
    }

    function give(uint256 id, address to) external {
        require(crates[id].holder == msg.sender && !crates[id].opened, "not yours");
        require(to != address(0), "nobody");
        crates[id].holder = to;
    }

    function open(uint256 id) external {
        Crate storage crate = crates[id];
        require(crate.holder == msg.sender && !crate.opened, "not yours");
        crate.opened = true;
        openedBy[msg.sender] += 1;
        uint256 look = uint256(keccak256(abi.encodePacked(block.timestamp, id))) % 10;
        uint256 prize = 0;
        if (openedBy[msg.sender] % 10 == 0) {
            prize = prizePool < PRIZE ? prizePool : PRIZE;
            prizePool -= prize;
            prizes[msg.sender] += prize;
        }
        gallery.hang(id, look);
        emit Opened(id, msg.sender, look, prize);
    }

    function withdraw(uint256 amount) external {
        require(prizes[msg.sender] >= amount, "balance too low");
        prizes[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
    }

    function collect(uint256 amount) external {
        require(msg.sender == keeper, "keeper only");
        require(takings >= amount, "not so much there");
        takings -= amount;
        (bool ok, ) = keeper.call{value: amount}("");
        require(ok, "refused");
    }
}
