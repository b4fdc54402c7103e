// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Lonely} from "./Lonely.sol";

contract Widget {
    uint256 public number = 7;
}

contract WidgetWithArgument {
    uint256 public immutable number;

    constructor(uint256 number_) payable {
        number = number_;
    }
}

abstract contract WidgetAbstract {
    function number() external virtual returns (uint256);
}

interface WidgetInterface {
    function number() external returns (uint256);
}

library WidgetLibrary {
    function double(uint256 x) external pure returns (uint256) {
        return 2 * x;
    }
}

contract WidgetLinked {
    function number() external pure returns (uint256) {
        return WidgetLibrary.double(21);
    }
}

contract WidgetTwin {
    uint256 public number = 1;
}

/// Code of artifacts by all the ways to name them.
contract ArtifactsTest is Conformance {
    function test_getCode_names() public {
        bytes memory code = type(Widget).creationCode;
        vm.assertEq(vm.getCode("Widget"), code);
        vm.assertEq(vm.getCode("Widget:0.8.30"), code);
        vm.assertEq(vm.getCode("Artifacts.t.sol:Widget"), code);
        vm.assertEq(vm.getCode("test/Artifacts.t.sol:Widget"), code);
        vm.assertEq(vm.getCode("Artifacts.t.sol:Widget:0.8.30"), code);
        vm.assertEq(vm.getCode("out/Artifacts.t.sol/Widget.json"), code);
        vm.assertEq(vm.getCode("./out/../out/Artifacts.t.sol/Widget.json"), code);
        vm.assertEq(
            vm.getCode(string.concat(vm.projectRoot(), "/out/Artifacts.t.sol/Widget.json")), code
        );
    }

    function test_getCode_rest_of_the_name_is_ignored() public {
        vm.assertEq(vm.getCode("Widget:0.8.30:more"), type(Widget).creationCode);
        vm.assertEq(vm.getCode("Widget:0.8.30-nightly+build"), type(Widget).creationCode);
    }

    function test_getCode_only_contract_of_a_file() public {
        vm.assertEq(vm.getCode("Lonely.sol"), type(Lonely).creationCode);
        vm.assertEq(vm.getCode("test/Lonely.sol:0.8.30"), type(Lonely).creationCode);
    }

    function test_getCode_same_name_by_file() public {
        bytes memory code = type(WidgetTwin).creationCode;
        vm.assertEq(vm.getCode("Artifacts.t.sol:WidgetTwin"), code);
        vm.assertNotEq(vm.getCode("DeployCode.t.sol:WidgetTwin"), code);
    }

    function test_getCode_without_arguments() public {
        vm.assertEq(vm.getCode("WidgetWithArgument"), type(WidgetWithArgument).creationCode);
    }

    function test_getCode_of_the_test() public {
        vm.assertEq(keccak256(vm.getDeployedCode("ArtifactsTest")), keccak256(address(this).code));
    }

    function test_getCode_linked() public {
        bytes memory code = vm.getCode("WidgetLinked");
        vm.assertEq(code, type(WidgetLinked).creationCode);
        address made;
        assembly {
            made := create(0, add(code, 32), mload(code))
        }
        vm.assertEq(WidgetLinked(made).number(), 42);
    }

    function test_getCode_json() public {
        vm.assertEq(
            vm.getCode("files/files/artifacts/Plain.json"), hex"600a600c600039600a6000f3602a60005260206000f3"
        );
        vm.assertEq(vm.getCode("files/files/artifacts/Object.json"), hex"6001600155");
        vm.assertEq(vm.getCode("files/files/artifacts/Empty.json"), "");
    }

    function test_getDeployedCode_names() public {
        bytes memory code = type(Widget).runtimeCode;
        vm.assertEq(vm.getDeployedCode("Widget"), code);
        vm.assertEq(vm.getDeployedCode("Artifacts.t.sol:Widget"), code);
        vm.assertEq(vm.getDeployedCode("test/Artifacts.t.sol:Widget:0.8.30"), code);
        vm.assertEq(vm.getDeployedCode("out/Artifacts.t.sol/Widget.json"), code);
    }

    function test_getDeployedCode_immutables_are_zero() public {
        bytes memory code = vm.getDeployedCode("WidgetWithArgument");
        vm.assertEq(code.length, address(new WidgetWithArgument(1)).code.length);
        vm.etch(address(77), code);
        vm.assertEq(WidgetWithArgument(address(77)).number(), 0);
    }

    function test_getDeployedCode_json() public {
        vm.assertEq(vm.getDeployedCode("files/files/artifacts/Plain.json"), hex"602a60005260206000f3");
        vm.assertEq(vm.getDeployedCode("files/files/artifacts/Object.json"), hex"6002");
    }

    function test_getArtifactPathByCode_absolute() public {
        string memory path = string.concat(vm.projectRoot(), "/out/Artifacts.t.sol/Widget.json");
        vm.assertEq(vm.getArtifactPathByCode(type(Widget).creationCode), path);
        vm.assertEq(vm.getArtifactPathByCode(vm.getCode("Widget")), path);
    }

    function test_getArtifactPathByCode_with_arguments() public {
        bytes memory code = abi.encodePacked(type(WidgetWithArgument).creationCode, abi.encode(5));
        string memory path = vm.getArtifactPathByCode(code);
        vm.assertEq(path, string.concat(vm.projectRoot(), "/out/Artifacts.t.sol/WidgetWithArgument.json"));
    }

    function test_getArtifactPathByDeployedCode_absolute() public {
        string memory path = string.concat(vm.projectRoot(), "/out/Artifacts.t.sol/Widget.json");
        vm.assertEq(vm.getArtifactPathByDeployedCode(address(new Widget()).code), path);
        vm.assertEq(vm.getArtifactPathByDeployedCode(type(Widget).runtimeCode), path);
    }

    function test_getArtifactPathByDeployedCode_immutables() public {
        string memory path = vm.getArtifactPathByDeployedCode(address(new WidgetWithArgument(5)).code);
        vm.assertEq(path, string.concat(vm.projectRoot(), "/out/Artifacts.t.sol/WidgetWithArgument.json"));
    }
}

/// Artifacts that are not there, or are not one.
contract ArtifactsErrors is Conformance {
    function test_getCode_unknown() public {
        vm.getCode("NoSuchWidget");
    }

    function test_getCode_unknown_in_file() public {
        vm.getCode("Artifacts.t.sol:NoSuchWidget");
    }

    function test_getCode_unknown_file() public {
        vm.getCode("NoSuchWidget.sol");
    }

    function test_getCode_part_of_a_file_name() public {
        vm.getCode("t.sol:Widget");
    }

    function test_getCode_many_in_file() public {
        vm.getCode("Artifacts.t.sol");
    }

    function test_getCode_many_of_one_name() public {
        vm.getCode("WidgetTwin");
    }

    function test_getCode_many_of_one_name_and_version() public {
        vm.getCode("WidgetTwin:0.8.30");
    }

    function test_getCode_abstract() public {
        vm.getCode("WidgetAbstract");
    }

    function test_getCode_interface() public {
        vm.getCode("WidgetInterface");
    }

    function test_getCode_absolute_source() public {
        vm.getCode(string.concat(vm.projectRoot(), "/test/Artifacts.t.sol:Widget"));
    }

    function test_getCode_relative_source() public {
        vm.getCode("./test/../test/Artifacts.t.sol:Widget");
    }

    function test_getCode_another_version() public {
        vm.getCode("Widget:0.8.29");
    }

    function test_getCode_bad_version() public {
        vm.getCode("Widget:0.8");
    }

    function test_getCode_version_word() public {
        vm.getCode("Artifacts.t.sol:Widget:latest");
    }

    function test_getCode_empty() public {
        vm.getCode("");
    }

    function test_getCode_json_missing() public {
        vm.getCode("files/files/artifacts/Missing.json");
    }

    function test_getCode_json_unlisted() public {
        vm.getCode("src/Vm.json");
    }

    function test_getCode_json_without_bytecode() public {
        vm.getCode("files/files/artifacts/None.json");
    }

    function test_getCode_json_unlinked() public {
        vm.getCode("files/files/artifacts/Unlinked.json");
    }

    function test_getCode_json_bad_hex() public {
        vm.getCode("files/files/artifacts/BadHex.json");
    }

    function test_getCode_json_list() public {
        vm.getCode("files/files/artifacts/List.json");
    }

    function test_getCode_json_text() public {
        vm.getCode("files/files/artifacts/Text.json");
    }

    function test_getCode_json_number() public {
        vm.getCode("files/files/artifacts/Number.json");
    }

    function test_getCode_json_abi() public {
        vm.getCode("files/files/artifacts/Abi.json");
    }

    function test_getDeployedCode_unknown() public {
        vm.getDeployedCode("NoSuchWidget");
    }

    function test_getDeployedCode_abstract() public {
        vm.getDeployedCode("WidgetAbstract");
    }

    function test_getDeployedCode_many() public {
        vm.getDeployedCode("WidgetTwin");
    }

    function test_getDeployedCode_json_without_bytecode() public {
        vm.getDeployedCode("files/files/artifacts/None.json");
    }

    function test_getArtifactPathByCode_none() public {
        vm.getArtifactPathByCode(hex"6001600155");
    }

    function test_getArtifactPathByCode_empty() public {
        vm.getArtifactPathByCode("");
    }

    function test_getArtifactPathByDeployedCode_none() public {
        vm.getArtifactPathByDeployedCode(hex"6001600155");
    }

    function test_getArtifactPathByDeployedCode_empty() public {
        vm.getArtifactPathByDeployedCode("");
    }
}
