// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// eip712HashTypedData: digests of JSON.
contract Eip712TypedDataTest is Conformance {
    bytes32 constant NO_DOMAIN = keccak256(abi.encode(keccak256("EIP712Domain()")));

    function digest(bytes32 domain, bytes32 message) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domain, message));
    }

    /// A message of one member has one word to hash.
    function one(string memory kind, string memory json, bytes32 encoded) internal {
        string memory data = string.concat(
            '{"types":{"A":[{"name":"a","type":"',
            kind,
            '"}]},"primaryType":"A","domain":{},"message":{"a":',
            json,
            "}}"
        );
        bytes32 typeHash = keccak256(abi.encodePacked("A(", kind, " a)"));
        vm.assertEq(vm.eip712HashTypedData(data), digest(NO_DOMAIN, keccak256(abi.encode(typeHash, encoded))), json);
    }

    function test_eip712HashTypedData_numbers() public {
        one("uint8", "5", bytes32(uint256(5)));
        one("uint8", '"5"', bytes32(uint256(5)));
        one("uint8", '"0x05"', bytes32(uint256(5)));
        one("uint8", '"0b101"', bytes32(uint256(5)));
        one("int8", "-5", bytes32(type(uint256).max - 4));
        one("int8", '"-5"', bytes32(type(uint256).max - 4));
        one("int8", '"0x05"', bytes32(uint256(5)));
        one("uint256", "18446744073709551615", bytes32(uint256(type(uint64).max)));
        one(
            "uint256",
            '"115792089237316195423570985008687907853269984665640564039457584007913129639935"',
            bytes32(type(uint256).max)
        );
    }

    function test_eip712HashTypedData_otherValues() public {
        one("bool", "true", bytes32(uint256(1)));
        one("bool", '"false"', 0);
        one(
            "address",
            '"0xd8da6bf26964af9d7eed9e03e53415d37aa96045"',
            bytes32(uint256(uint160(0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045)))
        );
        one("string", unicode'"ä\\n"', keccak256(unicode"ä\n"));
        one("bytes", '"0x"', keccak256(""));
        one("bytes", '"0x0102"', keccak256(hex"0102"));
        one("bytes", '"0102"', keccak256(hex"0102"));
        one("bytes4", '"0x01020304"', bytes32(hex"01020304"));
        one("bytes4", '"0x0102"', bytes32(hex"0102"));
        one("bytes4", '"0x0102030405"', bytes32(hex"01020304"));
        one("uint8[]", "[5,6]", keccak256(abi.encode(5, 6)));
        one("uint8[2]", '["5",6]', keccak256(abi.encode(5, 6)));
        one("uint8[]", "[]", keccak256(""));
        one("string[]", '["a","b"]', keccak256(abi.encode(keccak256("a"), keccak256("b"))));
    }

    function test_eip712HashTypedData_domain() public {
        string memory rest = ',"types":{"A":[{"name":"a","type":"uint256"}]},"primaryType":"A","message":{"a":5}}';
        bytes32 message = keccak256(abi.encode(keccak256("A(uint256 a)"), 5));
        vm.assertEq(
            vm.eip712HashTypedData(
                string.concat(
                    '{"domain":{"chainId":1,"verifyingContract":"0x0000000000000000000000000000000000000007","version":"2","name":"N","salt":"0x0000000000000000000000000000000000000000000000000000000000000008"}',
                    rest
                )
            ),
            digest(
                keccak256(
                    abi.encode(
                        keccak256(
                            "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)"
                        ),
                        keccak256("N"),
                        keccak256("2"),
                        1,
                        7,
                        8
                    )
                ),
                message
            )
        );
        vm.assertEq(
            vm.eip712HashTypedData(string.concat('{"domain":{"chainId":"0x1","unknown":3}', rest)),
            digest(keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId)"), 1)), message)
        );
        vm.assertEq(vm.eip712HashTypedData(string.concat('{"other":1', rest)), digest(NO_DOMAIN, message));
    }

    // The type of the domain is made of what the domain has; its definition among the types is not heeded.
    function test_eip712HashTypedData_definedDomain() public {
        vm.assertEq(
            vm.eip712HashTypedData(
                '{"types":{"EIP712Domain":[{"name":"name","type":"string"}],"A":[{"name":"a","type":"uint8"}]},"primaryType":"A","domain":{"chainId":1},"message":{"a":5}}'
            ),
            digest(
                keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId)"), 1)),
                keccak256(abi.encode(keccak256("A(uint8 a)"), 5))
            )
        );
    }

    function test_eip712HashTypedData_domainOnly() public {
        vm.assertEq(
            vm.eip712HashTypedData(
                '{"types":{"EIP712Domain":[]},"primaryType":"EIP712Domain","domain":{},"message":{}}'
            ),
            keccak256(abi.encodePacked(hex"1901", NO_DOMAIN))
        );
    }

    function test_eip712HashTypedData_nested() public {
        bytes32 b = keccak256(
            abi.encode(keccak256("B(C c)C(string d)"), keccak256(abi.encode(keccak256("C(string d)"), keccak256("x"))))
        );
        vm.assertEq(
            vm.eip712HashTypedData(
                '{"types":{"C":[{"name":"d","type":"string"}],"B":[{"name":"c","type":"C"}],"A":[{"name":"e","type":"C[]"},{"name":"b","type":"B"}],"Z":[{"name":"z","type":"uint8"}]},"primaryType":"A","domain":{},"message":{"b":{"c":{"d":"x"}},"e":[],"more":1}}'
            ),
            digest(NO_DOMAIN, keccak256(abi.encode(keccak256("A(C[] e,B b)B(C c)C(string d)"), keccak256(""), b)))
        );
    }

    // The JSON may itself be a JSON string.
    function test_eip712HashTypedData_jsonInAString() public {
        vm.assertEq(
            vm.eip712HashTypedData(
                '"{\\"types\\":{\\"A\\":[{\\"name\\":\\"a\\",\\"type\\":\\"uint8\\"}]},\\"primaryType\\":\\"A\\",\\"domain\\":{},\\"message\\":{\\"a\\":5}}"'
            ),
            digest(NO_DOMAIN, keccak256(abi.encode(keccak256("A(uint8 a)"), 5)))
        );
    }
}

/// eip712HashTypedData with JSON that is no typed data.
contract Eip712TypedDataErrors is Conformance {
    function hash(string memory kind, string memory message) internal {
        vm.eip712HashTypedData(
            string.concat(
                '{"types":{"A":[{"name":"a","type":"',
                kind,
                '"}]},"primaryType":"A","domain":{},"message":',
                message,
                "}"
            )
        );
    }

    function test_eip712HashTypedData_empty() public {
        vm.eip712HashTypedData("");
    }

    function test_eip712HashTypedData_notJson() public {
        vm.eip712HashTypedData("[1");
    }

    function test_eip712HashTypedData_noMembers() public {
        vm.eip712HashTypedData("{}");
    }

    function test_eip712HashTypedData_noPrimaryType() public {
        vm.eip712HashTypedData('{"types":{"A":[]},"domain":{},"message":{}}');
    }

    function test_eip712HashTypedData_unknownPrimaryType() public {
        vm.eip712HashTypedData('{"types":{"A":[]},"primaryType":"B","domain":{},"message":{}}');
    }

    function test_eip712HashTypedData_unknownType() public {
        hash("B", '{"a":1}');
    }

    function test_eip712HashTypedData_circular() public {
        hash("A", '{"a":1}');
    }

    function test_eip712HashTypedData_missingMember() public {
        hash("uint256", '{"b":1}');
    }

    function test_eip712HashTypedData_null() public {
        hash("uint8", '{"a":null}');
    }

    function test_eip712HashTypedData_tooLarge() public {
        hash("uint8", '{"a":256}');
    }

    function test_eip712HashTypedData_tooLargeInt() public {
        hash("int8", '{"a":128}');
    }

    function test_eip712HashTypedData_negative() public {
        hash("uint8", '{"a":-1}');
    }

    function test_eip712HashTypedData_fraction() public {
        hash("uint8", '{"a":5.0}');
    }

    function test_eip712HashTypedData_tooLargeForANumber() public {
        hash("uint256", '{"a":18446744073709551616}');
    }

    function test_eip712HashTypedData_notANumber() public {
        hash("uint8", '{"a":"x"}');
    }

    function test_eip712HashTypedData_numberForBool() public {
        hash("bool", '{"a":1}');
    }

    function test_eip712HashTypedData_numberForString() public {
        hash("string", '{"a":1}');
    }

    function test_eip712HashTypedData_shortAddress() public {
        hash("address", '{"a":"0x01"}');
    }

    function test_eip712HashTypedData_oddHex() public {
        hash("bytes", '{"a":"0x012"}');
    }

    function test_eip712HashTypedData_tooFewElements() public {
        hash("uint8[2]", '{"a":[5]}');
    }

    function test_eip712HashTypedData_elementOfAnotherType() public {
        hash("uint8[]", '{"a":[5,true]}');
    }

    function test_eip712HashTypedData_messageIsAList() public {
        hash("uint8", "[5]");
    }
}
