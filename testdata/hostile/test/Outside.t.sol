// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Hostile, vm} from "./Vm.sol";

/// Reads files that are not the project's.
contract ReadingTest {
    function testFuzz_absolute(uint256) external view {
        vm.readFile("/etc/passwd");
    }

    function testFuzz_upwards(uint256) external view {
        vm.readFile("../../../../../../../../etc/passwd");
    }

    function testFuzz_artifact(uint256) external view {
        vm.getCode("/etc/passwd");
    }

    function testFuzz_artifactUpwards(uint256) external view {
        vm.getCode("../../../../../../../../etc/passwd");
    }
}

/// Reads and writes whole states of files that are not the project's.
contract StatesTest {
    function testFuzz_dump(uint256) external {
        vm.dumpState("foundry.toml");
    }

    function testFuzz_dumpOutside(uint256) external {
        vm.dumpState("../written.txt");
    }

    function testFuzz_load(uint256) external {
        vm.loadAllocs("/etc/passwd");
    }
}

/// Gives itself the rights that the settings do not.
contract CommentTest {
    /// forge-config: default.harvey.network = true
    function testFuzz_network(uint256) external {
        vm.createFork("http://192.0.2.1");
    }

    /// forge-config: default.fs_permissions = [{ access = "read-write", path = "/" }]
    function testFuzz_files(uint256) external view {
        vm.readFile("/etc/passwd");
    }

    /// forge-config: default.fs_permissions = [{ access = "read-write", path = "./" }]
    function testFuzz_variables(uint256) external {
        vm.writeFile(".env", "FOUNDRY_FFI=true");
    }

    /// forge-config: default.fuzz.corpus_dir = "/nowhere/at/all"
    function testFuzz_corpus(uint256 x) external pure {
        require(x != 7, "seven");
    }
}

/// Reads secrets, and fails, so that it is looked at what it did.
contract TracedSecretTest {
    function testFuzz_reads(uint256) external {
        vm.envString("SECRET_TOKEN");
        vm.envString("SECRET_TOKEN", "-");
        vm.resolveEnv("${SECRET_TOKEN}");
        require(false, "as expected");
    }

    function testFuzz_list(uint256) external view {
        vm.envUint("SECRET_TOKEN", ",");
    }
}

/// Turns a node that the settings name into another one, and takes a secret along.
contract RedirectTest {
    function testFuzz_redirect(uint256) external {
        vm.setEnv("NODE_HOST", vm.envOr("SECRET_TOKEN", string("none")));
        vm.createFork("configured");
    }
}

/// Writes and removes files.
contract WritingTest {
    function testFuzz_beside(uint256) external {
        vm.writeFile("written.txt", "pwned");
    }

    function testFuzz_settings(uint256) external {
        vm.writeFile("foundry.toml", "[profile.default]\nffi = true");
    }

    function testFuzz_outside(uint256) external {
        vm.writeFile("../written.txt", "pwned");
    }

    function testFuzz_remove(uint256) external {
        vm.removeFile("foundry.toml");
    }
}

/// Runs programs.
contract ProgramTest {
    function testFuzz_ffi(uint256) external {
        string[] memory command = new string[](2);
        (command[0], command[1]) = ("touch", "written.txt");
        vm.ffi(command);
    }
}

/// Asks for the network.
contract NetworkTest {
    function testFuzz_rpc(uint256) external {
        vm.rpc("http://192.0.2.1/${SECRET_TOKEN}", "eth_blockNumber", "[]");
    }

    function testFuzz_fork(uint256) external {
        vm.createFork("http://192.0.2.1");
    }
}

/// Reads a secret, and keeps it to itself.
contract SecretTest is Hostile {
    bytes32 hidden;

    function setUp() external {
        hidden = keccak256(bytes(vm.envOr("SECRET_TOKEN", string("none"))));
    }

    function attack() external {
        require(keccak256(bytes(vm.envString("SECRET_TOKEN"))) != hidden, "the same");
    }
}

/// Changes the environment of the program that runs it.
contract EnvironmentTest is Hostile {
    function attack() external {
        vm.setEnv("PATH", "/nowhere");
        vm.setEnv("HOME", "/nowhere");
    }
}

/// Signs with keys that are none.
contract KeysTest is Hostile {
    function attack(uint256 key) external {
        vm.sign(key, bytes32(0));
    }

    function none() external {
        vm.sign(0, bytes32(0));
    }

    function words() external {
        vm.deriveKey("no such words", type(uint32).max);
    }

    function many() external {
        string memory words_ = "test test test test test test test test test test test junk";
        vm.rememberKeys(words_, "m/44'/60'/0'/0/", type(uint32).max);
    }
}
