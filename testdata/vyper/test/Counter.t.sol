// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Vm {
    function deployCode(string calldata artifact) external returns (address);
    function expectRevert(bytes calldata reason) external;
}

interface Counter {
    function number() external view returns (uint256);
    function increment() external;
    function set_number(uint256 n) external;
}

contract CounterTest {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    Counter internal counter;

    function setUp() public {
        counter = Counter(vm.deployCode("src/Counter.vy"));
    }

    function test_increment() public {
        counter.increment();
        require(counter.number() == 1, "not one");
    }

    function test_tooLarge() public {
        vm.expectRevert("too large");
        counter.set_number(1000);
    }

    function testFuzz_set(uint256 n) public {
        counter.set_number(n % 1000);
        require(counter.number() == n % 1000, "another number");
    }

    function invariant_small() public view {
        require(counter.number() < 100, "large");
    }

    function invariant_bounded() public view {
        require(counter.number() < 1 << 128, "unbounded");
    }
}
