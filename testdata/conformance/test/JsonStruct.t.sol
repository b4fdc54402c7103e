// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// Fields in an order that is neither that of the alphabet nor that of the texts below.
struct Flask {
    uint256 volume;
    string label;
    bytes cork;
}

struct Shelf {
    Flask[] flasks;
    address keeper;
    Flask best;
}

library Chest {
    struct Drawer {
        uint256 width;
        uint256 depth;
    }
}

interface ICrate {
    struct Slat {
        uint256 length_;
        uint256 grain;
    }
}

type Weight is uint128;

enum Wood {
    Oak,
    Pine
}

/// Fields of other kinds of types.
struct Barrel {
    Weight weight;
    Wood wood;
    ICrate crate;
    uint256[2] bands;
}

/// A type with a mapping is not one that JSON is matched with.
struct Hamper {
    uint256 weave;
    mapping(uint256 => uint256) handles;
}

/// Three types with the same three fields: which of them counts?
struct Sieve {
    uint256 mesh;
    uint256 rim;
    uint256 hoop;
}

contract Mill {
    struct Strainer {
        uint256 rim;
        uint256 mesh;
        uint256 hoop;
    }

    struct Colander {
        uint256 rim;
        uint256 hoop;
        uint256 mesh;
    }

    /// `Smithy` has one too.
    struct Anvil {
        uint256 horn;
        uint256 face;
    }
}

contract Smithy {
    struct Anvil {
        uint256 horn;
        uint256 waist;
    }
}

/// Objects whose keys are the fields of a struct: the order of the struct. Forge knows the structs of all files
/// when it compiles all or nothing, and only those of the files it compiles otherwise.
contract JsonStructTest is Conformance {
    function test_parseJson_structInOrderOfItsFields() public {
        Flask memory flask = abi.decode(vm.parseJson('{"cork": "0x12", "label": "tea", "volume": 5}'), (Flask));
        vm.assertEq(abi.encode(flask), abi.encode(Flask(5, "tea", hex"12")));
    }

    /// Only the names of the fields count, not their types.
    function test_parseJson_structWithOtherTypes() public {
        vm.assertEq(vm.parseJson('{"cork": 1, "label": 2, "volume": 3}'), abi.encode(3, 2, 1));
    }

    function test_parseJson_notAllFieldsOfAStruct() public {
        vm.assertEq(vm.parseJson('{"volume": 3, "label": 2}'), abi.encode(2, 3));
        vm.assertEq(vm.parseJson('{"volume": 3, "label": 2, "cork": 1, "wax": 4}'), abi.encode(1, 2, 3, 4));
    }

    function test_parseJson_nestedStructs() public {
        Shelf memory shelf = abi.decode(
            vm.parseJson(
                '{"best": {"cork": "0x00", "label": "gin", "volume": 1}, "keeper": "0x000000000000000000000000000000000000dEaD",'
                '"flasks": [{"volume": 2, "label": "rum", "cork": "0x0102"}, {"label": "", "cork": "0x", "volume": 3}]}'
            ),
            (Shelf)
        );
        vm.assertEq(shelf.keeper, address(0xdEaD));
        vm.assertEq(abi.encode(shelf.best), abi.encode(Flask(1, "gin", hex"00")));
        vm.assertEq(shelf.flasks.length, 2);
        vm.assertEq(abi.encode(shelf.flasks[0]), abi.encode(Flask(2, "rum", hex"0102")));
        vm.assertEq(abi.encode(shelf.flasks[1]), abi.encode(Flask(3, "", "")));
    }

    function test_parseJson_structBehindKey() public {
        string memory json = '{"box": [{"depth": 1, "width": 2}]}';
        Chest.Drawer memory drawer = abi.decode(vm.parseJson(json, ".box[0]"), (Chest.Drawer));
        vm.assertEq(drawer.width, 2);
        vm.assertEq(drawer.depth, 1);
    }

    function test_parseJson_structsOfLibrariesInterfacesAndContracts() public {
        vm.assertEq(vm.parseJson('{"depth": 1, "width": 2}'), abi.encode(2, 1));
        vm.assertEq(vm.parseJson('{"grain": 1, "length_": 2}'), abi.encode(2, 1));
        vm.assertEq(vm.parseJson('{"face": 1, "horn": 2}'), abi.encode(2, 1));
        vm.assertEq(vm.parseJson('{"waist": 1, "horn": 2}'), abi.encode(2, 1));
    }

    function test_parseJson_structOfUserTypes() public {
        vm.assertEq(vm.parseJson('{"bands": 1, "crate": 2, "weight": 3, "wood": 4}'), abi.encode(uint256(3), 4, 2, 1));
    }

    function test_parseJson_structWithMappingDoesNotCount() public {
        vm.assertEq(vm.parseJson('{"weave": 1, "handles": 2}'), abi.encode(2, 1));
    }

    /// Of several structs with these fields the one whose qualified name comes first: `Mill.Colander`.
    function test_parseJson_structsWithTheSameFields() public {
        vm.assertEq(vm.parseJson('{"hoop": 1, "mesh": 2, "rim": 3}'), abi.encode(3, 1, 2));
        vm.assertEq(vm.parseJson('{"mesh": 2, "rim": 3, "hoop": 1}'), abi.encode(3, 1, 2));
    }

    function test_parseToml_structInOrderOfItsFields() public {
        Flask memory flask = abi.decode(vm.parseToml('cork = "0x12"\nlabel = "tea"\nvolume = 5'), (Flask));
        vm.assertEq(abi.encode(flask), abi.encode(Flask(5, "tea", hex"12")));
    }

    function test_parseToml_nestedStructs() public {
        string memory toml = 'keeper = "0x000000000000000000000000000000000000dEaD"\n'
            '[[flasks]]\nlabel = "rum"\ncork = "0x12"\nvolume = 1\n'
            '[[flasks]]\nvolume = 2\nlabel = "gin"\ncork = "0x34"\n'
            '[best]\nlabel = "tea"\ncork = "0x56"\nvolume = 3\n';
        Shelf memory shelf = abi.decode(vm.parseToml(toml), (Shelf));
        vm.assertEq(shelf.keeper, address(0xdEaD));
        vm.assertEq(shelf.flasks.length, 2);
        vm.assertEq(abi.encode(shelf.flasks[1]), abi.encode(Flask(2, "gin", hex"34")));
        vm.assertEq(abi.encode(shelf.best), abi.encode(Flask(3, "tea", hex"56")));
    }

    /// The order of the struct counts, not that of the description.
    function test_parseJsonType_structKnownToTheProject() public {
        string memory json = '{"label": "tea", "cork": "0x12", "volume": "1 gwei", "wax": 1}';
        bytes memory expected = abi.encode(Flask(1 gwei, "tea", hex"12"));
        vm.assertEq(vm.parseJsonType(json, "Flask(uint256 volume,string label,bytes cork)"), expected);
        vm.assertEq(vm.parseJsonType(json, "Flask(bytes cork,string label,uint256 volume)"), expected);
        vm.assertEq(vm.parseJsonType(json, "Flask(bytes cork,bool more,string label,uint256 volume)"), expected);
    }

    function test_parseJsonType_nestedStructsKnownToTheProject() public {
        string memory json = '{"keeper": "0x000000000000000000000000000000000000dEaD",'
            '"flasks": [{"volume": 2, "label": "7", "cork": "0x"}], "best": {"label": "0x12", "cork": "0x12", "volume": 1}}';
        Flask[] memory flasks = new Flask[](1);
        flasks[0] = Flask(2, "7", "");
        vm.assertEq(
            vm.parseJsonType(
                json, "Shelf(Flask best,Flask[] flasks,address keeper)Flask(bytes cork,string label,uint256 volume)"
            ),
            abi.encode(Shelf(flasks, address(0xdEaD), Flask(1, "0x12", hex"12")))
        );
    }

    function test_parseTomlTypeArray_structKnownToTheProject() public {
        Flask[] memory flasks = abi.decode(
            vm.parseTomlTypeArray(
                "k = [{ label = 'a', volume = 1, cork = '0x' }]", ".k", "Flask(bytes cork,string label,uint256 volume)"
            ),
            (Flask[])
        );
        vm.assertEq(flasks.length, 1);
        vm.assertEq(abi.encode(flasks[0]), abi.encode(Flask(1, "a", "")));
    }

    function test_parseJsonType_structOfLibraryOrContract() public {
        bytes memory expected = abi.encode(2, 1);
        vm.assertEq(vm.parseJsonType('{"depth": 1, "width": 2}', "Drawer(uint256 depth,uint256 width)"), expected);
        vm.assertEq(vm.parseJsonType('{"grain": 1, "length_": 2}', "Slat(uint256 grain,uint256 length_)"), expected);
    }

    /// A struct that the project does not know keeps the order of its description.
    function test_parseJsonType_structKnownToNobody() public {
        vm.assertEq(vm.parseJsonType('{"amber": 1, "zinc": 2}', "Ore(uint256 zinc,uint256 amber)"), abi.encode(2, 1));
        vm.assertEq(vm.parseJsonType('{"amber": 1, "zinc": 2}', "Ore(uint8 amber, int8 zinc)"), abi.encode(1, 2));
        vm.assertEq(vm.parseJsonType("{}", "Ore()"), "");
    }

    function test_serializeJsonType_structKnownToTheProject() public {
        string memory json = '{"volume":5,"label":"tea","cork":"0x12"}';
        bytes memory flask = abi.encode(Flask(5, "tea", hex"12"));
        vm.assertEq(vm.serializeJsonType("Flask(bytes cork,string label,uint256 volume)", flask), json);
        vm.assertEq(
            vm.serializeJsonType("o", "zinc", "Flask(string label,uint256 volume,bytes cork)", flask),
            string.concat('{"zinc":', json, "}")
        );
    }

    /// The first type of the description is the one that is meant.
    function test_parseJsonType_severalTypes() public {
        vm.assertEq(
            vm.parseJsonType(
                '{"veins": [{"depth_": 1}, {"depth_": 2}], "main": {"depth_": 3}}',
                "Seam(Vein[2] veins,Vein main)Vein(uint256 depth_)"
            ),
            abi.encode(1, 2, 3)
        );
    }
}

/// Structs: descriptions that do not fit.
contract JsonStructErrors is Conformance {
    function test_parseJsonType_structWithoutField() public {
        vm.parseJsonType('{"volume": 1, "label": ""}', "Flask(uint256 volume,string label)");
    }

    function test_parseJsonType_structsOfTheSameName() public {
        vm.parseJsonType('{"horn": 1, "face": 2}', "Anvil(uint256 horn,uint256 face)");
    }

    function test_parseJsonType_fieldMissing() public {
        vm.parseJsonType('{"zinc": 1}', "Ore(uint256 zinc,uint256 amber)");
    }

    function test_parseJsonType_fieldMissingInInnerStruct() public {
        vm.parseJsonType('{"main": [{}]}', "Seam(Vein[] main)Vein(uint256 depth_)");
    }

    function test_parseJsonType_structFromArray() public {
        vm.parseJsonType("[1, 2]", "Ore(uint256 zinc,uint256 amber)");
    }

    function test_parseJsonType_structFromNumber() public {
        vm.parseJsonType("1", "Ore(uint256 zinc,uint256 amber)");
    }

    function test_parseJsonType_typeNotDescribed() public {
        vm.parseJsonType('{"main": {}}', "Seam(Vein main)");
    }

    function test_parseJsonType_typeOfItself() public {
        vm.parseJsonType('{"next": {}}', "Chain(uint256 link,Chain[] next)");
    }

    /// A name with a dot is an enum.
    function test_parseJsonType_qualifiedStruct() public {
        vm.parseJsonType('{"horn": 1, "face": 2}', "Mill.Anvil(uint256 horn,uint256 face)");
    }

    function test_serializeJsonType_structWithoutField() public {
        vm.serializeJsonType("Flask(uint256 volume)", abi.encode(1));
    }

    function test_serializeJsonType_structsOfTheSameName() public {
        vm.serializeJsonType("o", "k", "Anvil(uint256 horn,uint256 face)", abi.encode(1, 2));
    }

    function test_parseTomlType_structWithoutField() public {
        vm.parseTomlType("volume = 1\n", "Flask(uint256 volume)");
    }

    function test_parseToml_structOfFloats() public {
        vm.parseToml('cork = "0x12"\nlabel = "tea"\nvolume = 5.0');
    }
}
