// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

contract WidgetTwin {
    uint256 public number = 2;
}

contract Gadget {
    address public immutable maker = msg.sender;
    uint256 public immutable paid = msg.value;
    uint256 public number;

    constructor(uint256 number_) payable {
        number = number_;
    }
}

contract GadgetEnvironment {
    address public immutable origin = tx.origin;
    uint256 public immutable gasPrice = tx.gasprice;
    bytes32 public immutable blob = blobhash(0);
    uint256 public immutable time = block.timestamp;
    uint256 public immutable chain = block.chainid;
}

contract GadgetPlain {
    address public immutable maker = msg.sender;
    uint256 public immutable paid = msg.value;

    constructor() payable {}
}

contract GadgetUnpaid {}

contract GadgetFails {
    error Refused(uint256 code);

    constructor(uint256 code) {
        if (code == 0) revert("no code");
        if (code == 1) revert Refused(1);
        if (code == 2) revert();
        if (code == 3) assert(false);
        if (code == 4) {
            assembly {
                invalid()
            }
        }
        assembly {
            mstore8(0, 0xef)
            return(0, 1)
        }
    }
}

/// deployCode: constructors run in place, by CREATE or CREATE2.
contract DeployCodeTest is Conformance {
    bytes32 constant SALT = "salt";

    function predict(bytes memory initCode) internal view returns (address) {
        return predictBy(address(this), initCode);
    }

    function predictBy(address maker, bytes memory initCode) internal pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", maker, SALT, keccak256(initCode))))));
    }

    function test_deployCode_path() public {
        uint64 nonce = vm.getNonce(address(this));
        address made = vm.deployCode("DeployCode.t.sol:GadgetPlain");
        vm.assertEq(made, vm.computeCreateAddress(address(this), nonce));
        vm.assertEq(vm.getNonce(address(this)), nonce + 1);
        vm.assertEq(vm.getNonce(made), 1);
        vm.assertEq(GadgetPlain(made).maker(), address(this));
        vm.assertEq(GadgetPlain(made).paid(), 0);
    }

    function test_deployCode_json() public {
        address made = vm.deployCode("files/files/artifacts/Plain.json");
        vm.assertEq(made.code, hex"602a60005260206000f3");
    }

    function test_deployCode_arguments() public {
        Gadget made = Gadget(vm.deployCode("Gadget", abi.encode(42)));
        vm.assertEq(made.number(), 42);
        vm.assertEq(made.maker(), address(this));
    }

    function test_deployCode_value() public {
        vm.deal(address(this), 5);
        GadgetPlain made = GadgetPlain(vm.deployCode("GadgetPlain", uint256(3)));
        vm.assertEq(made.paid(), 3);
        vm.assertEq(address(made).balance, 3);
        vm.assertEq(address(this).balance, 2);
    }

    function test_deployCode_arguments_value() public {
        Gadget made = Gadget(vm.deployCode("Gadget", abi.encode(42), 3));
        vm.assertEq(made.number(), 42);
        vm.assertEq(made.paid(), 3);
    }

    function test_deployCode_salt() public {
        uint64 nonce = vm.getNonce(address(this));
        address made = vm.deployCode("GadgetPlain", SALT);
        vm.assertEq(made, predict(type(GadgetPlain).creationCode));
        vm.assertEq(GadgetPlain(made).maker(), address(this));
        vm.assertEq(vm.getNonce(address(this)), nonce + 1);
    }

    function test_deployCode_arguments_salt() public {
        address made = vm.deployCode("Gadget", abi.encode(42), SALT);
        vm.assertEq(made, predict(abi.encodePacked(type(Gadget).creationCode, abi.encode(42))));
        vm.assertEq(Gadget(made).number(), 42);
    }

    function test_deployCode_value_salt() public {
        address made = vm.deployCode("GadgetPlain", uint256(4), SALT);
        vm.assertEq(made, predict(type(GadgetPlain).creationCode));
        vm.assertEq(GadgetPlain(made).paid(), 4);
    }

    function test_deployCode_arguments_value_salt() public {
        address made = vm.deployCode("Gadget", abi.encode(42), 5, SALT);
        vm.assertEq(made, predict(abi.encodePacked(type(Gadget).creationCode, abi.encode(42))));
        vm.assertEq(Gadget(made).number(), 42);
        vm.assertEq(Gadget(made).paid(), 5);
    }

    function test_deployCode_prank() public {
        vm.deal(address(7), 10);
        vm.prank(address(7));
        GadgetPlain made = GadgetPlain(vm.deployCode("GadgetPlain", uint256(3)));
        vm.assertEq(made.maker(), address(7));
        vm.assertEq(address(made), vm.computeCreateAddress(address(7), 0));
        vm.assertEq(address(7).balance, 7);
        vm.assertEq(GadgetPlain(vm.deployCode("GadgetPlain")).maker(), address(this));
    }

    function checkEnvironment(GadgetEnvironment made) internal {
        vm.assertEq(made.origin(), address(0));
        vm.assertEq(made.gasPrice(), 0);
        vm.assertEq(made.blob(), bytes32(0));
        vm.assertEq(made.time(), 99);
        vm.assertEq(made.chain(), 7);
    }

    function test_deployCode_transaction_is_blank() public {
        vm.warp(99);
        vm.chainId(7);
        vm.txGasPrice(5);
        bytes32[] memory blobs = new bytes32[](1);
        blobs[0] = "blob";
        vm.blobhashes(blobs);
        checkEnvironment(GadgetEnvironment(vm.deployCode("GadgetEnvironment")));
        vm.prank(address(7), address(8));
        checkEnvironment(GadgetEnvironment(vm.deployCode("GadgetEnvironment")));
        vm.assertEq(new GadgetEnvironment().gasPrice(), 5);
        vm.assertEq(new GadgetEnvironment().blob(), "blob");
        vm.assertEq(new GadgetEnvironment().origin(), tx.origin);
    }

    function test_deployCode_start_prank() public {
        vm.startPrank(address(7));
        address first = vm.deployCode("GadgetPlain", SALT);
        address second = vm.deployCode("GadgetPlain");
        vm.stopPrank();
        vm.assertEq(first, predictBy(address(7), type(GadgetPlain).creationCode));
        vm.assertEq(GadgetPlain(second).maker(), address(7));
        vm.assertEq(GadgetPlain(vm.deployCode("GadgetPlain")).maker(), address(this));
    }

    function test_deployCode_same_code_as_new() public {
        vm.assertEq(vm.deployCode("Gadget", abi.encode(1)).code, address(new Gadget(2)).code);
    }

    function deployAndRevert() external {
        address made = vm.deployCode("GadgetPlain");
        revert(vm.toString(made));
    }

    function test_deployCode_undone_by_revert() public {
        uint64 nonce = vm.getNonce(address(this));
        try this.deployAndRevert() {}
        catch Error(string memory made) {
            vm.assertEq(vm.parseAddress(made).code.length, 0);
        }
        vm.assertEq(vm.getNonce(address(this)), nonce);
    }

    function test_deployCode_constructor_revert_is_caught() public {
        vm.expectRevert(abi.encodeWithSelector(GadgetFails.Refused.selector, 1));
        this.deployFailing(1);
    }

    function deployFailing(uint256 code) external {
        vm.deployCode("GadgetFails", abi.encode(code));
    }

    function test_deployCode_is_a_call_for_expectRevert() public {
        vm.expectRevert("no code");
        vm.deployCode("GadgetFails", abi.encode(0));
    }
}

/// Constructors that fail.
contract DeployCodeErrors is Conformance {
    function test_deployCode_revert_reason() public {
        vm.deployCode("GadgetFails", abi.encode(0));
    }

    function test_deployCode_revert_error() public {
        vm.deployCode("GadgetFails", abi.encode(1));
    }

    function test_deployCode_revert_empty() public {
        vm.deployCode("GadgetFails", abi.encode(2));
    }

    function test_deployCode_panic() public {
        vm.deployCode("GadgetFails", abi.encode(3));
    }

    function test_deployCode_invalid_opcode() public {
        vm.deployCode("GadgetFails", abi.encode(4));
    }

    function test_deployCode_bad_first_byte() public {
        vm.deployCode("GadgetFails", abi.encode(5));
    }

    function test_deployCode_missing_arguments() public {
        vm.deployCode("Gadget");
    }

    function test_deployCode_not_payable() public {
        vm.deployCode("GadgetUnpaid", uint256(1));
    }

    function test_deployCode_not_enough_balance() public {
        vm.deal(address(this), 1);
        vm.deployCode("GadgetPlain", uint256(2));
    }

    function test_deployCode_not_enough_balance_salt() public {
        vm.deal(address(this), 1);
        vm.deployCode("GadgetPlain", uint256(2), bytes32("salt"));
    }

    function test_deployCode_salt_twice() public {
        vm.deployCode("GadgetPlain", bytes32("salt"));
        vm.deployCode("GadgetPlain", bytes32("salt"));
    }

    function test_deployCode_arguments_salt_twice() public {
        vm.deployCode("Gadget", abi.encode(1), bytes32("salt"));
        vm.deployCode("Gadget", abi.encode(1), 1, bytes32("salt"));
    }

    function test_deployCode_arguments_value_fails() public {
        vm.deployCode("GadgetFails", abi.encode(0), 1);
    }

    function test_deployCode_unknown() public {
        vm.deployCode("NoSuchGadget");
    }

    function test_deployCode_many() public {
        vm.deployCode("WidgetTwin");
    }

    function test_deployCode_interface() public {
        vm.deployCode("Vm.sol:Vm");
    }
}
