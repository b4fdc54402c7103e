// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

// For each example, the calls that show its bug. Nobody measures how long it takes to find a bug that cannot be reached.

import {Baz} from "../src/Baz.sol";
import {Foo} from "../src/Foo.sol";
import {Linear, LinearAssertion} from "../src/Linear.sol";
import {Objectives} from "../src/Objectives.sol";
import {Quartic} from "../src/Quartic.sol";
import {Quiz} from "../src/Quiz.sol";
import {LinearInvariantTest} from "../test/Linear.t.sol";
import {ModulusTest} from "../test/Modulus.t.sol";
import {Witness} from "./Witness.sol";

interface Vm {
    function deployCode(string calldata artifact) external returns (address);
    function load(address target, bytes32 slot) external view returns (bytes32);
}

contract PapersWitness is Witness {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// The tests of table 1 of the paper that reach a path first.
    function test_baz() public {
        Baz baz = new Baz();
        assertFails(address(baz), abi.encodeCall(baz.baz, (-1, 0, -5)));
        assertFails(address(baz), abi.encodeCall(baz.baz, (42, 3, -5)));
        assertFails(address(baz), abi.encodeCall(baz.baz, (-1, 3, -5)));
        assertFails(address(baz), abi.encodeCall(baz.baz, (-1, 6, -5)));
        assertFails(address(baz), abi.encodeCall(baz.baz, (-1, 6, 42)));
    }

    function test_foo() public {
        Foo foo = new Foo();
        foo.SetY(42);
        foo.CopyY();
        assertFails(address(foo), abi.encodeCall(foo.Bar, ()));
    }

    function test_fooByCounting() public {
        Foo foo = new Foo();
        for (uint256 i; i < 42; ++i) foo.IncX();
        assertFails(address(foo), abi.encodeCall(foo.Bar, ()));
    }

    function test_linearAssertion() public {
        LinearAssertion linear = new LinearAssertion();
        linear.SetY(_solution(linear));
        linear.CopyY();
        assertFails(address(linear), abi.encodeCall(linear.Bar, ()));
    }

    function test_linearInvariant() public {
        LinearInvariant suite = new LinearInvariant();
        suite.setUp();
        suite.invariant_targetIsNotHit();
        suite.target().SetY(_solution(suite.target()));
        suite.target().CopyY();
        assertFails(address(suite), abi.encodeCall(suite.invariant_targetIsNotHit, ()));
    }

    function test_modulus() public {
        assertFails(address(new ModulusTest()), abi.encodeCall(ModulusTest.test_modulus, (2 ** 80 - 1234)));
    }

    function test_quartic() public {
        Quartic quartic = new Quartic();
        assertFails(address(quartic), abi.encodeCall(quartic.probe, (123)));
    }

    function test_quiz() public {
        Quiz quiz = new Quiz();
        quiz.start_quiz_game("", "answer");
        quiz.Try{value: 0.1 ether + 1}("answer");
        quiz.Try{value: 0.1 ether}("question");
        assertFails(address(quiz), abi.encodeCall(quiz.Try, ("answer")), 0.1 ether);
    }

    function test_objectives() public {
        Objectives objectives = new Objectives();
        assertFails(address(objectives), abi.encodeCall(objectives.foo, (-10)));
        assertFails(address(objectives), abi.encodeCall(objectives.foo, (100)));
    }

    /// The slot that the paper takes, of which the contract knows nothing.
    function test_wallet() public {
        address wallet = vm.deployCode("Wallet.sol:Wallet");
        uint256 slot = 0xffcaffee;
        succeed(wallet, abi.encodeWithSignature("PopCode()"));
        uint256 start = uint256(keccak256(abi.encode(1)));
        unchecked {
            succeed(wallet, abi.encodeWithSignature("SetCodeAt(uint256,uint256)", slot - start, 7));
        }
        require(uint256(vm.load(wallet, bytes32(slot))) == 7, "the slot was not written");
    }

    /// The x for which 5 * x - 17 is the target: five has an inverse modulo 2^256.
    function _solution(Linear linear) private view returns (int256) {
        unchecked {
            uint256 inverse = 5;
            for (uint256 i; i < 8; ++i) inverse *= 2 - 5 * inverse;
            return int256((uint256(linear.TARGET()) + 17) * inverse);
        }
    }
}

/// Shows the witness the contract under test.
contract LinearInvariant is LinearInvariantTest {
    function target() external view returns (Linear) {
        return linear;
    }
}
