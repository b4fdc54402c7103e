// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {CONSOLE, Hostile, vm} from "./Vm.sol";

/// Text of many parts.
function repeated(string memory part, uint256 times) pure returns (string memory) {
    bytes memory text = bytes(part);
    while (times > 1) {
        text = bytes.concat(text, text);
        times /= 2;
    }
    return string(text);
}

/// Paths into JSON for which the library that follows them is not prepared.
contract JsonPathsTest is Hostile {
    function steps() external {
        vm.parseJson("[1]", "$[0:1:0]");
    }

    function infinity() external {
        vm.parseJson("[{\"a\":1}]", "$[?(@.a == 1e999)]");
    }

    function slices() external {
        vm.parseJson("[{\"a\":1}]", "$[?(@[0:1] == 1)]");
    }

    function long() external {
        vm.parseJson("{\"a\":1}", string.concat("$", repeated(".a", 65_536)));
    }

    function descents() external {
        string memory json = string.concat(repeated("[", 64), "1", repeated("]", 64));
        vm.parseJson(json, "$..*..*..*..*..*..*..*..*");
    }

    function choices() external {
        string memory json = string.concat(repeated("[", 64), "1", repeated("]", 64));
        vm.parseJson(json, string.concat("$", repeated("[0,0]", 32)));
    }
}

/// Texts that become very long.
contract LongerTextTest is Hostile {
    function replaced() external {
        string memory text = repeated("x", 1 << 20);
        vm.replace(text, "", text);
    }

    function pieces() external {
        vm.split(repeated("x", 1 << 23), "");
    }

    function variables() external {
        vm.setEnv("A", repeated("x", 1 << 20));
        vm.resolveEnv(repeated("${A}", 1 << 18));
    }

    function json() external {
        vm.parseJson(string.concat("[", repeated("1,", 1 << 23), "1]"));
    }

    function decimals() external {
        (bool done,) = CONSOLE.staticcall(abi.encodeWithSignature("log(string,uint256)", "%70000e", 1));
        (done,) = CONSOLE.staticcall(abi.encodeWithSignature("log(string,uint256)", "%18446744073709551615e", 1));
    }
}

/// Types that are deep, wide, or copies of copies.
contract TypesTest is Hostile {
    function deep() external {
        vm.serializeJsonType(string.concat("uint256", repeated("[]", 1 << 17)), "");
    }

    function tuples() external {
        vm.serializeJsonType(string.concat(repeated("(", 1 << 17), repeated(")", 1 << 17)), "");
    }

    function wide() external {
        vm.serializeJsonType("uint256[1099511627776]", abi.encode(1));
    }

    function empty() external {
        vm.serializeJsonType("uint256[0][]", abi.encode(32, type(uint64).max));
    }

    function copies() external {
        string memory kinds = "A(B a,B b)B(C a,C b)C(D a,D b)D(E a,E b)E(F a,F b)F(G a,G b)G(H a,H b)H(I a,I b)I(J a,J b)";
        kinds = string.concat(kinds, "J(K a,K b)K(L a,L b)L(M a,M b)M(N a,N b)N(O a,O b)O(P a,P b)P(Q a,Q b)Q(R a,R b)");
        kinds = string.concat(kinds, "R(S a,S b)S(T a,T b)T(U a,U b)U(V a,V b)V(W a,W b)W(X a,X b)X(Y a,Y b)Y(Z a,Z b)");
        kinds = string.concat(kinds, "Z(AA a,AA b)AA(AB a,AB b)AB(AC a,AC b)AC(AD a,AD b)AD(AE a,AE b)AE(uint256 x)");
        vm.eip712HashStruct(kinds, "");
    }

    function itself() external {
        vm.eip712HashStruct("A(A a)", "");
    }

    function data() external {
        vm.eip712HashTypedData("{\"types\":{\"A\":[{\"name\":\"a\",\"type\":\"A\"}]},\"primaryType\":\"A\",\"domain\":{},\"message\":{}}");
    }

    function keys() external {
        vm.parseToml(string.concat("a", repeated(".a", 1 << 17), " = 1"));
    }
}

/// Has cheatcodes keep megabytes that cost nothing.
contract HoardTest is Hostile {
    function mocks() external {
        vm.pauseGasMetering();
        bytes memory result = new bytes(1 << 20);
        for (uint256 i = 0;; i++) vm.mockCall(address(1), abi.encode(i), result);
    }

    function labels() external {
        vm.pauseGasMetering();
        string memory name = string(new bytes(1 << 20));
        for (uint160 i = 0;; i++) vm.label(address(i), name);
    }

    function logs() external {
        vm.pauseGasMetering();
        assembly {
            for {} 1 {} { log0(0, 1048576) }
        }
    }

    function lines() external {
        vm.pauseGasMetering();
        bytes memory line = abi.encodeWithSignature("log(string)", string(new bytes(1 << 20)));
        for (;;) {
            (bool done,) = CONSOLE.staticcall(line);
            done;
        }
    }

    function slots() external {
        vm.pauseGasMetering();
        assembly {
            for { let i := 0 } 1 { i := add(i, 1) } { sstore(i, not(0)) }
        }
    }
}

/// Runs a transaction that does not end, as long as transactions were not bounded (EIP-7825).
/// forge-config: default.evm_version = "cancun"
contract TransactionTest is Hostile {
    function attack() external {
        // Nonce, price, gas, creation, no value, code that loops.
        bytes[] memory fields = new bytes[](6);
        fields[2] = hex"4000000000000000";
        fields[5] = hex"5b600056";
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(7, keccak256(vm.toRlp(fields)));
        bytes[] memory signed = new bytes[](9);
        for (uint256 i = 0; i < 6; i++) signed[i] = fields[i];
        (signed[6], signed[7], signed[8]) = (abi.encodePacked(v), abi.encodePacked(r), abi.encodePacked(s));
        vm.executeTransaction(vm.toRlp(signed));
    }
}
