// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {CONSOLE, Hostile, vm} from "./Vm.sol";

// What terminals, pages and workflows would act upon.
string constant TERMINAL = "\x1b[31mred\x1b]0;title\x07 \x1b[2J\r over";
string constant PAGE = "<script>alert(1)</script> ![x](javascript:alert(1)) `|` </td> <!-- --> ```\n# Heading\n::error::injected";
string constant BIDI = unicode"user‮resu‬⁦x⁩";

/// Fails for reasons that control terminals, pages and workflows.
contract ReasonsTest {
    uint256 public calls;

    function setUp() external {
        vm.label(address(this), TERMINAL);
        vm.label(address(1), PAGE);
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(this);
    }

    function attack(string calldata) external {
        calls++;
        (bool done,) = CONSOLE.staticcall(abi.encodeWithSignature("log(string)", TERMINAL));
        (done,) = CONSOLE.staticcall(abi.encodeWithSignature("log(string)", PAGE));
    }

    function invariant_terminal() external view {
        require(calls < 1, TERMINAL);
    }

    function invariant_page() external view {
        require(calls < 2, PAGE);
    }

    function invariant_direction() external view {
        require(calls < 3, BIDI);
    }

    function testFuzz_terminal(string calldata) external pure {
        revert(TERMINAL);
    }
}

/// Is skipped for such a reason.
contract SkippedTest {
    function testFuzz_skip(uint256) external {
        vm.skip(true, TERMINAL);
    }
}

/// Fails an assertion with bytes that are no text.
contract NoTextTest is Hostile {
    error Odd(bytes data, string text);

    function attack(uint256 x) external {
        bytes memory reason = hex"fffe80c0af00";
        require(x > 3, string(reason));
        revert Odd(hex"1b5b33316d", TERMINAL);
    }
}
