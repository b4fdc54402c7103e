// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

type Price is uint64;

/// The first slot is inherited.
contract LayoutBase {
    uint256 internal inherited = 1;
}

/// Variables of all kinds, written in groups.
contract Layout is LayoutBase {
    enum Color {
        Red,
        Green
    }

    struct Pair {
        uint256 a;
        address b;
        bool c;
    }

    struct Halves {
        uint128 a;
        uint128 b;
    }

    struct Deep {
        Pair pair;
        uint256 z;
        Halves[2] halves;
    }

    int256 private signed;
    bytes32 private word;
    address private owner;
    int8 private tiny;
    bool private flag;
    bytes4 private selector;
    Color private color;
    Layout private self;
    Price private price;
    uint128 private low;
    uint128 private high;
    Pair private pair;
    Halves private halves;
    Deep private deep;
    uint256[3] private three;
    uint256[2][3] private grid;
    uint64[5] private five;
    Halves[2] private twoHalves;
    uint256[] private list;
    uint64[] private packedList;
    Pair[] private pairs;
    mapping(uint256 => uint256) private byNumber;
    mapping(address => bool) private byAddress;
    mapping(bytes32 => address) private byWord;
    mapping(int8 => uint256) private byTiny;
    mapping(bool => uint256) private byFlag;
    mapping(Color => uint256) private byColor;
    mapping(string => uint256) private byText;
    mapping(address => mapping(uint256 => uint256)) private nested;
    mapping(uint256 => Pair) private pairBy;
    mapping(uint256 => uint256[]) private listBy;
    mapping(uint256 => uint256[2]) private twoBy;
    mapping(uint256 => string) private textBy;
    string private text;
    bytes private data;
    function() external private callback;

    string private constant LONG = "a text that is longer than one word, in fact longer";

    function values() external {
        inherited = 5;
        signed = -5;
        word = "abc";
        owner = address(0xabcdef);
    }

    function packed() external {
        tiny = -3;
        flag = true;
        selector = 0x12345678;
        color = Color.Green;
        self = this;
        price = Price.wrap(7);
        low = 8;
        high = 9;
    }

    function structs() external {
        pair = Pair(1, address(2), true);
        halves = Halves(3, 4);
        deep.pair = Pair(5, address(6), false);
        deep.z = 7;
        deep.halves[0] = Halves(8, 9);
        deep.halves[1].b = 10;
    }

    function arrays() external {
        three = [1, 2, uint256(3)];
        grid[0][0] = 4;
        grid[0][1] = 5;
        grid[2][1] = 6;
        five = [7, 8, 9, 10, uint64(11)];
        twoHalves[1].a = 12;
    }

    function lists() external {
        list.push(1);
        list.push(2);
        packedList.push(3);
        packedList.push(4);
        pairs.push(Pair(5, address(6), true));
    }

    function maps() external {
        byNumber[5] = 1;
        byNumber[type(uint256).max] = 2;
        byAddress[address(0xab)] = true;
        byWord["key"] = address(3);
        byTiny[-3] = 4;
        byFlag[true] = 5;
        byColor[Color.Green] = 6;
        byText["key"] = 7;
    }

    function mapsOfMaps() external {
        nested[address(0xab)][5] = 1;
        nested[address(0xab)][6] = 2;
        pairBy[3] = Pair(4, address(5), true);
        listBy[6].push(7);
        twoBy[8] = [9, uint256(10)];
    }

    function texts() external {
        text = "short";
        data = hex"0102";
        textBy[3] = "four";
    }

    function longTexts() external {
        text = LONG;
        data = bytes(LONG);
        textBy[3] = LONG;
    }

    function others() external {
        callback = this.others;
        assembly {
            sstore(0xffff, 5)
        }
    }

    function setNumber(uint256 key, uint256 value) external {
        byNumber[key] = value;
    }

    function setSigned(int256 value) external {
        signed = value;
    }

    function fail() external {
        signed = 7;
        revert();
    }

    function pay() external payable {}

    function send(address payable to, uint256 value) external {
        to.transfer(value);
    }
}

/// Its code differs from its artifact's by an immutable.
contract LayoutImmutable {
    uint256 private immutable step;
    uint256 private total;

    constructor(uint256 step_) {
        step = step_;
    }

    function add() external {
        total += step;
    }
}

/// Delegates everything to a layout, on slots of its own names.
contract LayoutProxy {
    address private immutable model;
    uint256 private proxyValue;

    constructor(address model_) {
        model = model_;
    }

    fallback() external payable {
        (bool done,) = model.delegatecall(msg.data);
        require(done);
    }
}

/// The name by which forge knows proxies of EIP-1967.
contract TransparentUpgradeableProxy {
    uint256 private nameOfProxy;
}

/// The name by which forge knows proxies of EIP-1822.
contract UUPSUpgradeable {
    uint256 private nameOfUups;
}

/// Has the slot of EIP-1967 in its code.
contract LayoutTransparent {
    uint256 private ownName;

    function set(uint256 value) external {
        ownName = value;
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, value)
        }
    }
}

/// Has the slot of EIP-1822 in its code.
contract LayoutUups {
    uint256 private ownName;

    function set(uint256 value) external {
        ownName = value;
        assembly {
            sstore(0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7, value)
        }
    }
}
