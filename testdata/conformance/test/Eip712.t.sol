// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

string constant BINDINGS = "files/expect/Bindings.sol";
string constant ONE_BINDING = "files/expect/OneBinding.sol";

/// eip712HashType: canonical definitions, and those of a file of bindings.
contract Eip712HashTypeTest is Conformance {
    function same(string memory definition, string memory canonical) internal {
        vm.assertEq(vm.eip712HashType(definition), keccak256(bytes(canonical)), definition);
    }

    function test_eip712HashType_canonical() public {
        same("A(uint256 a)", "A(uint256 a)");
        same("A()", "A()");
        same("A(uint256[3][] a,bytes32 b,string c)", "A(uint256[3][] a,bytes32 b,string c)");
        same("Z(A a,C c)A(C c)C(uint8 d)", "Z(A a,C c)A(C c)C(uint8 d)");
    }

    // The primary type, which no other refers to, comes first, the others by name.
    function test_eip712HashType_order() public {
        same("B(int8 x)A(uint256 a,B b)", "A(uint256 a,B b)B(int8 x)");
        same("A(C c,B b)C(int8 y)B(int8 x)", "A(C c,B b)B(int8 x)C(int8 y)");
        same("C(int8 d)B(C[2][] c)A(B b)", "A(B b)B(C[2][] c)C(int8 d)");
    }

    function test_eip712HashType_whitespace() public {
        same(" A( uint256  a, B b) B(int8 x) ", "A(uint256 a,B b)B(int8 x)");
        same("A (uint256 a\n,\tB b)B(int8 x)", "A(uint256 a,B b)B(int8 x)");
    }

    // Types are not canonicalized, and of two definitions the last counts.
    function test_eip712HashType_lenient() public {
        same("A(uint a)", "A(uint a)");
        same("A(uint256 a)A(uint256 b)", "A(uint256 b)");
        same("A(uint256 a", "A()");
        same("A(", "A()");
        same("A(uint256 a)B", "A(uint256 a)");
    }

    function test_eip712HashType_bindings() public {
        vm.assertEq(
            vm.eip712HashType(BINDINGS, "Mail"),
            keccak256("Mail(Person from,Person to,string contents)Person(string name,address wallet)")
        );
        vm.assertEq(vm.eip712HashType(BINDINGS, "Person"), keccak256("Person(string name,address wallet)"));
        vm.assertEq(vm.eip712HashType("./files/../files/expect/OneBinding.sol", "Only"), keccak256("Only(uint256 a)"));
    }

    // A binding is taken as it is.
    function test_eip712HashType_bindingIsNotCanonicalized() public {
        vm.assertEq(vm.eip712HashType(BINDINGS, "Flat"), keccak256("Flat( uint256 a )"));
    }
}

/// eip712HashType with what is no type.
contract Eip712HashTypeErrors is Conformance {
    function test_eip712HashType_missingType() public {
        vm.eip712HashType("A(B b)");
    }

    function test_eip712HashType_notAType() public {
        vm.eip712HashType("A(uint7 a)");
    }

    function test_eip712HashType_twoPrimaries() public {
        vm.eip712HashType("A(uint256 a)B(uint256 b)");
    }

    function test_eip712HashType_recursive() public {
        vm.eip712HashType("A(A[] a)");
    }

    function test_eip712HashType_circular() public {
        vm.eip712HashType("A(B b)B(A a)");
    }

    function test_eip712HashType_noName() public {
        vm.eip712HashType("A(uint256)");
    }

    function test_eip712HashType_spaceAfterName() public {
        vm.eip712HashType("A(uint256 a )");
    }

    // Without a parenthesis it is the name of a type in the default file, which may not be read.
    function test_eip712HashType_defaultBindings() public {
        vm.eip712HashType("Person");
    }

    function test_eip712HashType_emptyName() public {
        vm.eip712HashType("");
    }

    function test_eip712HashType_unknownBinding() public {
        vm.eip712HashType(ONE_BINDING, "Person");
    }

    function test_eip712HashType_noBindings() public {
        vm.eip712HashType("files/expect/NoBindings.sol", "Person");
    }

    function test_eip712HashType_forbiddenPath() public {
        vm.eip712HashType("src/Vm.sol", "Vm");
    }

    function test_eip712HashType_noFile() public {
        vm.eip712HashType("files/expect/none.sol", "Person");
    }
}

/// eip712HashStruct: the encoding of all kinds of members.
contract Eip712HashStructTest is Conformance {
    struct Person {
        string name;
        address wallet;
    }

    struct Mail {
        Person from;
        Person to;
        string contents;
    }

    struct Lists {
        uint256[] numbers;
        Person[] people;
        bytes data;
        bool[2] flags;
    }

    string constant PERSON = "Person(string name,address wallet)";
    string constant LISTS = "Lists(uint256[] numbers,Person[] people,bytes data,bool[2] flags)";

    function hash(Person memory person) internal pure returns (bytes32) {
        return keccak256(abi.encode(keccak256(bytes(PERSON)), keccak256(bytes(person.name)), person.wallet));
    }

    function one(string memory member, uint256 given, uint256 encoded) internal {
        string memory definition = string.concat("A(", member, ")");
        vm.assertEq(
            vm.eip712HashStruct(definition, abi.encode(given)),
            keccak256(abi.encode(keccak256(bytes(definition)), encoded)),
            member
        );
    }

    function test_eip712HashStruct_values() public {
        one("uint256 a", 1, 1);
        one("uint a", 1, 1);
        one("int8 a", type(uint256).max, type(uint256).max);
        one("bytes32 a", 7, 7);
        one("bool a", 1, 1);
        one("address a", 5, 5);
    }

    // Bits beyond the type are kept in numbers and bytes, but not in bools and addresses.
    function test_eip712HashStruct_dirtyValues() public {
        one("uint8 a", 257, 257);
        one("int8 a", 255, 255);
        one("bytes4 a", type(uint256).max, type(uint256).max);
        one("bool a", 2, 1);
        one("address a", type(uint256).max, type(uint160).max);
    }

    function test_eip712HashStruct_dynamic() public {
        Person memory alice = Person("Alice", address(1));
        vm.assertEq(vm.eip712HashStruct(PERSON, abi.encode(alice)), hash(alice));
    }

    function test_eip712HashStruct_nested() public {
        Mail memory mail = Mail(Person("Alice", address(1)), Person("Bob", address(2)), "Hello");
        string memory definition = string.concat("Mail(Person from,Person to,string contents)", PERSON);
        bytes32 expected =
            keccak256(abi.encode(keccak256(bytes(definition)), hash(mail.from), hash(mail.to), keccak256("Hello")));
        vm.assertEq(vm.eip712HashStruct(definition, abi.encode(mail)), expected);
        vm.assertEq(vm.eip712HashStruct(BINDINGS, "Mail", abi.encode(mail)), expected);
    }

    function test_eip712HashStruct_lists() public {
        Lists memory lists = Lists(new uint256[](3), new Person[](2), hex"0102", [true, false]);
        lists.numbers[2] = 9;
        lists.people[0] = Person("Alice", address(1));
        vm.assertEq(
            vm.eip712HashStruct(string.concat(LISTS, PERSON), abi.encode(lists)),
            keccak256(
                abi.encode(
                    keccak256(abi.encodePacked(LISTS, PERSON)),
                    keccak256(abi.encode(0, 0, 9)),
                    keccak256(abi.encode(hash(lists.people[0]), hash(lists.people[1]))),
                    keccak256(hex"0102"),
                    keccak256(abi.encode(true, false))
                )
            )
        );
    }

    function test_eip712HashStruct_empty() public {
        vm.assertEq(vm.eip712HashStruct("A()", ""), keccak256(abi.encode(keccak256("A()"))));
    }

    function test_eip712HashStruct_moreData() public {
        vm.assertEq(
            vm.eip712HashStruct(ONE_BINDING, "Only", abi.encode(1, 2)),
            keccak256(abi.encode(keccak256("Only(uint256 a)"), 1))
        );
    }
}

/// eip712HashStruct with types and data that do not fit.
contract Eip712HashStructErrors is Conformance {
    function test_eip712HashStruct_noData() public {
        vm.eip712HashStruct("A(uint256 a)", "");
    }

    // The members of a struct with dynamic ones are behind an offset.
    function test_eip712HashStruct_withoutOffset() public {
        vm.eip712HashStruct("A(string a,uint256 b)", abi.encode("x", 1));
    }

    function test_eip712HashStruct_missingType() public {
        vm.eip712HashStruct("A(B b)", abi.encode(1));
    }

    function test_eip712HashStruct_notAType() public {
        vm.eip712HashStruct("A(uint7 a)", abi.encode(1));
    }

    function test_eip712HashStruct_defaultBindings() public {
        vm.eip712HashStruct("Person", abi.encode(1));
    }

    function test_eip712HashStruct_unknownBinding() public {
        vm.eip712HashStruct(ONE_BINDING, "Two", abi.encode(1));
    }

    function test_eip712HashStruct_noDataForBinding() public {
        vm.eip712HashStruct(ONE_BINDING, "Only", "");
    }

    function test_eip712HashStruct_forbiddenPath() public {
        vm.eip712HashStruct("foundry.toml", "Only", abi.encode(1));
    }
}
