// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

contract Seed {}

contract Sapling {
    uint256 immutable height;

    constructor(uint256 height_) {
        require(height_ < 100, "too high");
        height = height_;
    }

    function grown() external view returns (uint256) {
        return height + 1;
    }
}

/// Leaves one byte of code behind.
contract OneByte {
    constructor() {
        assembly {
            return(0, 1)
        }
    }
}

contract Gardener {
    function plant() external returns (Seed) {
        return new Seed();
    }

    function plantSalted(bytes32 salt) external returns (Seed) {
        return new Seed{salt: salt}();
    }

    function plantAndRevert() external {
        new Seed();
        revert("undone");
    }
}

/// expectCreate and expectCreate2: deployed code, by whom and how.
contract ExpectCreateTest is Conformance {
    Gardener gardener = new Gardener();

    function test_expectCreate_own() public {
        vm.expectCreate(type(Seed).runtimeCode, address(this));
        new Seed();
    }

    function test_expectCreate_deeper() public {
        vm.expectCreate(type(Seed).runtimeCode, address(gardener));
        gardener.plant();
    }

    function test_expectCreate_twice() public {
        vm.expectCreate(type(Seed).runtimeCode, address(this));
        vm.expectCreate(type(Seed).runtimeCode, address(this));
        new Seed();
        new Seed();
        new Seed();
    }

    function test_expectCreate_anyOrder() public {
        vm.expectCreate(hex"00", address(this));
        vm.expectCreate(type(Seed).runtimeCode, address(gardener));
        gardener.plant();
        new OneByte();
    }

    // Not the code of the type, but the code that was left: immutables and all.
    function test_expectCreate_immutables() public {
        bytes memory code = address(new Sapling(5)).code;
        vm.expectCreate(code, address(this));
        new Sapling(5);
    }

    function test_expectCreate_prank() public {
        vm.expectCreate(type(Seed).runtimeCode, address(7));
        vm.prank(address(7));
        new Seed();
    }

    function test_expectCreate_undone() public {
        vm.expectCreate(type(Seed).runtimeCode, address(gardener));
        try gardener.plantAndRevert() {} catch {}
    }

    function test_expectCreate2_own() public {
        vm.expectCreate2(type(Seed).runtimeCode, address(this));
        new Seed{salt: "1"}();
    }

    function test_expectCreate2_deeper() public {
        vm.expectCreate2(type(Seed).runtimeCode, address(gardener));
        gardener.plantSalted("1");
    }

    function test_expectCreate2_byTheFactory() public {
        address factory = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
        vm.expectCreate2(type(Seed).runtimeCode, factory);
        (bool ok,) = factory.call(abi.encodePacked(bytes32("1"), type(Seed).creationCode));
        vm.assertTrue(ok);
    }
}

/// expectCreate and expectCreate2: creations that do not come.
contract ExpectCreateErrors is Conformance {
    Gardener gardener = new Gardener();

    function test_expectCreate_none() public {
        vm.expectCreate(hex"60806040", address(this));
    }

    function test_expectCreate_emptyCode() public {
        vm.expectCreate("", address(this));
        new OneByte();
    }

    function test_expectCreate_otherCode() public {
        vm.expectCreate(hex"01", address(this));
        new OneByte();
    }

    function test_expectCreate_otherDeployer() public {
        vm.expectCreate(hex"00", address(gardener));
        new OneByte();
    }

    function test_expectCreate_before() public {
        new OneByte();
        vm.expectCreate(hex"00", address(this));
    }

    function test_expectCreate_createdWithSalt() public {
        vm.expectCreate(hex"00", address(this));
        new OneByte{salt: "1"}();
    }

    function test_expectCreate2_createdWithoutSalt() public {
        vm.expectCreate2(hex"00", address(this));
        new OneByte();
    }

    function test_expectCreate2_otherDeployer() public {
        vm.expectCreate2(hex"00", address(this));
        gardener.plantSalted("1");
    }

    function test_expectCreate_onceOfTwice() public {
        vm.expectCreate(hex"00", address(this));
        vm.expectCreate(hex"00", address(this));
        new OneByte();
    }

    function test_expectCreate_firstUnmetIsReported() public {
        vm.expectCreate(hex"aa", address(this));
        vm.expectCreate2(hex"bb", address(this));
        new OneByte();
    }

    // The last takes the place of the one that is met.
    function test_expectCreate_orderAfterAMatch() public {
        vm.expectCreate(hex"00", address(this));
        vm.expectCreate(hex"aa", address(this));
        vm.expectCreate(hex"bb", address(this));
        new OneByte();
    }

    function test_expectCreate_constructorReverts() public {
        vm.expectCreate(hex"00", address(this));
        try new Sapling(100) {} catch {}
    }
}
