// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// The version of the EVM and the fields that depend on it.
contract EvmVersionTest is Conformance {
    /// An account that returns the word that opcode 0x44 gives, in code of any version.
    function randao() private returns (uint256) {
        address reporter = address(0x44);
        vm.etch(reporter, hex"4460005260206000f3");
        (, bytes memory word) = reporter.staticcall("");
        return abi.decode(word, (uint256));
    }

    function test_difficulty_beforeParis() public {
        vm.prevrandao(uint256(5));
        vm.setEvmVersion("london");
        vm.difficulty(77);
        vm.assertEq(randao(), 77);
        vm.setEvmVersion("paris");
        vm.assertEq(randao(), 5);
    }

    function test_getBlobBaseFee_beforeCancun() public {
        vm.blobBaseFee(9);
        vm.setEvmVersion("shanghai");
        vm.assertEq(vm.getBlobBaseFee(), 9);
    }

    function test_getEvmVersion_default() public {
        vm.assertEq(vm.getEvmVersion(), "osaka");
    }

    function check(string memory version, string memory name) private {
        vm.setEvmVersion(version);
        vm.assertEq(vm.getEvmVersion(), name);
    }

    function test_setEvmVersion_names() public {
        check("homestead", "homestead");
        check("tangerineWhistle", "tangerine");
        check("spuriousDragon", "spurious");
        check("byzantium", "byzantium");
        check("constantinople", "constantinople");
        check("petersburg", "petersburg");
        check("istanbul", "istanbul");
        check("berlin", "berlin");
        check("london", "london");
        check("paris", "merge");
        check("shanghai", "shanghai");
        check("cancun", "cancun");
        check("prague", "prague");
        check("osaka", "osaka");
    }

    function deeperVersion() external {
        check("prague", "prague");
    }

    function test_setEvmVersion_deeper() public {
        this.deeperVersion();
        vm.assertEq(vm.getEvmVersion(), "prague");
    }
}

/// A version set in `setUp` holds in the test.
contract EvmVersionSetUpTest is Conformance {
    function setUp() public {
        vm.setEvmVersion("cancun");
    }

    function test_setEvmVersion_fromSetUp() public {
        vm.assertEq(vm.getEvmVersion(), "cancun");
    }
}

/// What depends on the version and is refused in another.
contract EvmVersionErrors is Conformance {
    function test_difficulty_afterParis() public {
        vm.difficulty(1);
    }

    function test_prevrandao_beforeParis() public {
        vm.setEvmVersion("london");
        vm.prevrandao(uint256(1));
    }

    function test_prevrandao_beforeParisBytes() public {
        vm.setEvmVersion("london");
        vm.prevrandao(bytes32(uint256(1)));
    }

    function test_blobBaseFee_beforeCancun() public {
        vm.setEvmVersion("shanghai");
        vm.blobBaseFee(1);
    }

    function test_blobhashes_beforeCancun() public {
        vm.setEvmVersion("shanghai");
        vm.blobhashes(new bytes32[](1));
    }

    function test_getBlobhashes_beforeCancun() public {
        vm.setEvmVersion("shanghai");
        vm.getBlobhashes();
    }

    function test_setEvmVersion_unknown() public {
        vm.setEvmVersion("atlantis");
    }

    function test_setEvmVersion_case() public {
        vm.setEvmVersion("Osaka");
    }

    function test_setEvmVersion_empty() public {
        vm.setEvmVersion("");
    }

    function test_setEvmVersion_revmName() public {
        vm.setEvmVersion("merge");
    }

    function test_setEvmVersion_unreleased() public {
        vm.setEvmVersion("amsterdam");
    }

    function push0() external pure {}

    /// The version's opcodes hold from the next call on: PUSH0 is not known to London.
    function test_setEvmVersion_opcode() public {
        vm.setEvmVersion("london");
        this.push0();
    }
}
