// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {CONSOLE, Hostile, vm} from "./Vm.sol";

contract Child {
    uint256 public number = 1;

    function grow() external {
        number++;
    }
}

contract Mortal {
    function end() external {
        selfdestruct(payable(msg.sender));
    }
}

/// Creates thousands of contracts in a call.
contract ManyChildrenTest is Hostile {
    function attack() external {
        for (uint256 i = 0; i < 3_000; i++) new Child();
    }
}

/// Creates targets, more with every call.
contract BreedingTest {
    uint256 public children;

    function setUp() external {
        new Child();
    }

    function attack() external {
        for (uint256 i = 0; i < 200; i++) {
            new Child();
            children++;
        }
    }

    function invariant_holds() external view {}
}

/// Deploys code that is too long, starts with what is forbidden, or is nothing but invalid.
contract OddCodeTest is Hostile {
    function long() external {
        assembly {
            mstore(0, 0x620f42405ff3)
            pop(create(0, 26, 6))
        }
    }

    function forbidden() external {
        assembly {
            mstore(0, 0x60ef5f5360015ff3)
            pop(create(0, 24, 8))
        }
    }

    function initcode() external {
        assembly {
            pop(create2(0, 0, 3000000, 7))
        }
    }

    function invalid() external {
        vm.etch(address(0xbad), hex"fe");
        (bool done,) = address(0xbad).call("");
        done;
    }
}

/// Destroys targets, and itself in `setUp`.
contract SelfDestructTest {
    Mortal mortal = new Mortal();

    function setUp() external {
        selfdestruct(payable(address(mortal)));
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(mortal);
    }

    function invariant_holds() external view {}
}

/// Puts other code in the place of cheatcodes, the console, precompiles, callers and itself.
contract EtchTest is Hostile {
    function attack(uint8 which) external {
        address[5] memory victims = [address(vm), CONSOLE, address(1), msg.sender, address(this)];
        vm.etch(victims[which % 5], hex"5f5ffd");
    }

    function long() external {
        vm.etch(address(0xbad), new bytes(20_000_000));
    }
}

/// Writes into the storage of cheatcodes and mocks everything, itself as well.
contract MockTest is Hostile {
    function attack() external {
        vm.mockCall(address(this), "", "");
        vm.mockCall(address(vm), "", "");
        vm.store(address(vm), bytes32(0), bytes32(uint256(1)));
    }

    function copy() external {
        vm.copyStorage(address(vm), address(this));
    }
}

/// Sets the clock, blocks and balances to the end of their types, and leaves expectations and pranks behind.
contract ExtremesTest is Hostile {
    function attack() external {
        vm.warp(type(uint256).max);
        vm.roll(type(uint256).max);
        vm.deal(address(this), type(uint256).max);
        vm.deal(msg.sender, type(uint256).max);
    }

    function pending() external {
        vm.expectRevert();
        vm.prank(address(0));
    }

    function broadcast() external {
        vm.startBroadcast();
    }
}

/// Names thousands of targets that are nothing.
contract ManyTargetsTest {
    function targetContracts() external pure returns (address[] memory targets) {
        targets = new address[](5_000);
        for (uint256 i = 0; i < targets.length; i++) targets[i] = address(uint160(i + 1_000));
    }

    function invariant_holds() external view {}
}

/// Answers the question for targets with garbage.
contract GarbageTargetsTest {
    Child child = new Child();

    function targetContracts() external pure {
        assembly {
            mstore(0, 32)
            mstore(32, not(0))
            return(0, 64)
        }
    }

    function targetSelectors() external pure {
        assembly {
            mstore(0, 0x4000000000000000000000000000000000000000000000000000000000000000)
            return(0, 40)
        }
    }

    function invariant_holds() external view {}
}

/// Answers it with an endless loop.
contract EndlessTargetsTest {
    function targetContracts() external pure returns (address[] memory) {
        while (true) {}
    }

    function invariant_holds() external view {}
}

/// Calls back whoever sends it anything.
contract FallbackTest is Hostile {
    fallback() external payable {
        (bool done,) = msg.sender.call(msg.data);
        done;
    }

    function attack(bytes calldata data) external {
        (bool done,) = address(this).call(data);
        done;
    }
}
