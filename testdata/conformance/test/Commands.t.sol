// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

/// A command line for `sh`.
abstract contract Shell is Conformance {
    function sh(string memory script) internal pure returns (string[] memory command) {
        command = new string[](3);
        (command[0], command[1], command[2]) = ("sh", "-c", script);
    }
}

/// Commands run by ffi and tryFfi.
contract CommandsTest is Shell {
    function test_ffi_text() public {
        vm.assertEq(vm.ffi(sh("echo gm")), "gm");
        vm.assertEq(vm.ffi(sh("true")), "");
    }

    function test_ffi_text_is_trimmed() public {
        vm.assertEq(vm.ffi(sh("printf ' \\t a b \\n\\n'")), "a b");
        vm.assertEq(vm.ffi(sh("printf ' 0xab \\n'")), hex"ab");
    }

    function test_ffi_hex_is_decoded() public {
        vm.assertEq(vm.ffi(sh("echo 0x00Ff")), hex"00ff");
        vm.assertEq(vm.ffi(sh("echo abcd")), hex"abcd");
        vm.assertEq(vm.ffi(sh("echo 12")), hex"12");
        vm.assertEq(vm.ffi(sh("echo 0x")), "");
    }

    function test_ffi_odd_hex_is_text() public {
        vm.assertEq(vm.ffi(sh("echo 123")), "123");
        vm.assertEq(vm.ffi(sh("echo 0x123")), "0x123");
        vm.assertEq(vm.ffi(sh("echo 0Xab")), "0Xab");
        vm.assertEq(vm.ffi(sh("echo 12 34")), "12 34");
    }

    function test_ffi_errors_ignored_on_success() public {
        vm.assertEq(vm.ffi(sh("echo warning >&2; echo ok")), "ok");
    }

    function test_ffi_directory_is_the_root() public {
        vm.assertEq(string(vm.ffi(sh("pwd -P"))), vm.projectRoot());
    }

    function test_ffi_arguments_are_not_split() public {
        string[] memory command = new string[](3);
        (command[0], command[1], command[2]) = ("printf", "<%s>", "a b $HOME '");
        vm.assertEq(vm.ffi(command), "<a b $HOME '>");
    }

    function test_ffi_no_input() public {
        vm.assertEq(vm.ffi(sh("wc -c")), "0");
    }

    function test_tryFfi_success() public {
        Vm.FfiResult memory result = vm.tryFfi(sh("echo 0x1234; echo warning >&2"));
        vm.assertEq(result.exitCode, 0);
        vm.assertEq(result.stdout, hex"1234");
        vm.assertEq(result.stderr, "warning\n");
    }

    function test_tryFfi_failure() public {
        Vm.FfiResult memory result = vm.tryFfi(sh("echo out; printf 0xff >&2; exit 7"));
        vm.assertEq(result.exitCode, 7);
        vm.assertEq(result.stdout, "out");
        vm.assertEq(result.stderr, "0xff");
    }

    function test_tryFfi_killed() public {
        Vm.FfiResult memory result = vm.tryFfi(sh("kill -9 $$"));
        vm.assertEq(result.exitCode, 69);
        vm.assertEq(result.stdout, "");
        vm.assertEq(result.stderr, "");
    }
}

/// Commands that fail or cannot be run.
contract CommandsErrors is Shell {
    function test_ffi_exit_code() public {
        vm.ffi(sh("echo out; echo \"bad\tluck\" >&2; exit 3"));
    }

    function test_ffi_killed() public {
        vm.ffi(sh("kill -9 $$"));
    }

    function test_ffi_quotes_of_the_command() public {
        vm.ffi(sh(unicode"false # \" ' \\ é \n"));
    }

    function test_ffi_stderr_not_text() public {
        vm.ffi(sh("printf '\\377' >&2; false"));
    }

    function test_ffi_stdout_not_text() public {
        vm.ffi(sh("printf ' \\377\\n'"));
    }

    function test_tryFfi_stdout_not_text() public {
        vm.tryFfi(sh("printf '\\303'; false"));
    }

    function test_ffi_empty() public {
        vm.ffi(new string[](0));
    }

    function test_ffi_empty_program() public {
        vm.ffi(new string[](2));
    }

    function test_ffi_no_such_program() public {
        string[] memory command = new string[](2);
        (command[0], command[1]) = ("no-such-program", "a b");
        vm.ffi(command);
    }

    function test_tryFfi_empty() public {
        vm.tryFfi(new string[](0));
    }

    function test_tryFfi_empty_program() public {
        vm.tryFfi(new string[](1));
    }

    function test_tryFfi_no_such_program() public {
        string[] memory command = new string[](1);
        command[0] = "no-such-program";
        vm.tryFfi(command);
    }

    function test_tryFfi_directory() public {
        string[] memory command = new string[](1);
        command[0] = "./files";
        vm.tryFfi(command);
    }

    function test_tryFfi_nul() public {
        string[] memory command = new string[](2);
        (command[0], command[1]) = ("echo", "a\x00b");
        vm.tryFfi(command);
    }
}

/// Prompts where there is no terminal.
contract PromptErrors is Conformance {
    function test_prompt_no_terminal() public {
        vm.prompt("Name");
    }

    function test_promptSecret_no_terminal() public {
        vm.promptSecret("Secret");
    }

    function test_promptSecretUint_no_terminal() public {
        vm.promptSecretUint("Secret number");
    }

    function test_promptAddress_no_terminal() public {
        vm.promptAddress("Address");
    }

    function test_promptUint_no_terminal() public {
        vm.promptUint("Number");
    }
}
