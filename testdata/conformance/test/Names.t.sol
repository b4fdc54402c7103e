// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

contract Nothing {}

/// label, getLabel and ensNamehash.
contract NamesTest is Conformance {
    function test_label_getLabel() public {
        vm.label(address(0xA11CE), "Alice");
        vm.assertEq(vm.getLabel(address(0xA11CE)), "Alice");
        vm.label(address(0xA11CE), unicode"Älice\n");
        vm.assertEq(vm.getLabel(address(0xA11CE)), unicode"Älice\n");
        vm.label(address(0), "zero");
        vm.assertEq(vm.getLabel(address(0)), "zero");
    }

    function test_label_empty() public {
        vm.label(address(0xA11CE), "");
        vm.assertEq(vm.getLabel(address(0xA11CE)), "");
    }

    function test_label_notUtf8() public {
        vm.label(address(0xA11CE), string(bytes(hex"61ff62")));
        vm.assertEq(bytes(vm.getLabel(address(0xA11CE))), bytes(unicode"a\ufffdb"));
    }

    function test_label_isNotUndone() public {
        uint256 id = vm.snapshotState();
        try this.labelAndRevert() {} catch {}
        vm.revertToState(id);
        vm.assertEq(vm.getLabel(address(0xA11CE)), "kept");
    }

    function labelAndRevert() external {
        vm.label(address(0xA11CE), "kept");
        revert();
    }

    // With the checksum; names that only traces show are no labels.
    function test_getLabel_unlabeled() public {
        vm.assertEq(
            vm.getLabel(0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045),
            "unlabeled:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
        );
        vm.assertEq(vm.getLabel(address(vm)), "unlabeled:0x7109709ECfa91a80626fF3989D68f67F5b1DD12D");
        vm.assertEq(vm.getLabel(address(1)), "unlabeled:0x0000000000000000000000000000000000000001");
        vm.assertEq(vm.getLabel(address(this)), "unlabeled:0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496");
    }

    function node(bytes32 parent, string memory name) internal pure returns (bytes32) {
        return keccak256(abi.encode(parent, keccak256(bytes(name))));
    }

    function test_ensNamehash_known() public {
        vm.assertEq(vm.ensNamehash(""), 0);
        vm.assertEq(vm.ensNamehash("eth"), 0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae);
        vm.assertEq(vm.ensNamehash("foo.eth"), 0xde9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f);
        vm.assertEq(vm.ensNamehash("a.foo.eth"), node(vm.ensNamehash("foo.eth"), "a"));
    }

    // Nothing is normalized, and empty labels count: only U+FE0F is left out.
    function test_ensNamehash_odd() public {
        bytes32 eth = vm.ensNamehash("eth");
        vm.assertEq(vm.ensNamehash("Foo.eth"), node(eth, "Foo"));
        vm.assertEq(vm.ensNamehash(unicode"ä.eth"), node(eth, unicode"ä"));
        vm.assertEq(vm.ensNamehash(" foo.eth"), node(eth, " foo"));
        vm.assertEq(vm.ensNamehash("foo..eth"), node(node(eth, ""), "foo"));
        vm.assertEq(vm.ensNamehash(".foo.eth"), node(node(eth, "foo"), ""));
        vm.assertEq(vm.ensNamehash("foo.eth."), node(node(node(0, ""), "eth"), "foo"));
        vm.assertEq(vm.ensNamehash("."), node(node(0, ""), ""));
        vm.assertEq(vm.ensNamehash(unicode"fo\ufe0fo.eth"), vm.ensNamehash("foo.eth"));
    }
}

/// computeCreateAddress and computeCreate2Address.
contract ComputeAddressTest is Conformance {
    function test_computeCreateAddress_nextOne() public {
        address expected = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        vm.assertEq(address(new Nothing()), expected);
    }

    function test_computeCreateAddress_nonces() public {
        vm.assertEq(vm.computeCreateAddress(address(1), 0), 0x522B3294E6d06aA25Ad0f1B8891242E335D3B459);
        vm.assertEq(
            vm.computeCreateAddress(address(1), 0x7f),
            address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", address(1), hex"7f")))))
        );
        vm.assertEq(
            vm.computeCreateAddress(address(1), 0x80),
            address(uint160(uint256(keccak256(abi.encodePacked(hex"d794", address(1), hex"8180")))))
        );
        vm.assertEq(vm.computeCreateAddress(address(1), type(uint64).max), 0x001567239734AeADea21023c2A7C0D9BB9aE4Af9);
    }

    function test_computeCreate2Address_deployer() public {
        address expected = vm.computeCreate2Address("salt", keccak256(type(Nothing).creationCode), address(this));
        vm.assertEq(address(new Nothing{salt: "salt"}()), expected);
    }

    function test_computeCreate2Address_defaultDeployer() public {
        bytes32 hash = keccak256(type(Nothing).creationCode);
        vm.assertEq(
            vm.computeCreate2Address("salt", hash),
            vm.computeCreate2Address("salt", hash, 0x4e59b44847b379578588920cA78FbF26c0B4956C)
        );
        vm.assertEq(
            vm.computeCreate2Address(0, 0, address(0)),
            address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(0), bytes32(0), bytes32(0))))))
        );
    }
}

/// computeCreateAddress with a nonce that is none.
contract ComputeAddressErrors is Conformance {
    function test_computeCreateAddress_nonce() public {
        vm.computeCreateAddress(address(1), 2 ** 64);
    }

    function test_computeCreateAddress_maxNonce() public {
        vm.computeCreateAddress(address(1), type(uint256).max);
    }
}
