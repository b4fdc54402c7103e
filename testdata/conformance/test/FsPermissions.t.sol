// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Scratch} from "./Files.t.sol";

/// Paths that foundry.toml permits, however they are written.
contract FsPermissionsTest is Scratch {
    function test_readFile_permission_of_a_directory() public {
        vm.assertTrue(vm.isDir("files"));
        vm.assertTrue(vm.isDir("files/"));
        vm.assertTrue(vm.isDir("./out/../files/."));
        vm.assertTrue(vm.isDir(string.concat(vm.projectRoot(), "/files")));
    }

    function test_exists_out_permitted() public {
        vm.assertTrue(vm.exists("out/Conformance.sol/Conformance.json"));
    }

    function test_writeFile_read_back() public {
        string memory dir = scratch("permissions");
        vm.writeFile(string.concat(dir, "/../permissions/a.txt"), "a");
        vm.assertEq(vm.readFile(string.concat(dir, "/a.txt")), "a");
    }
}

/// What foundry.toml does not permit.
contract FsPermissionsErrors is Scratch {
    function test_readFile_unlisted() public {
        vm.readFile("src/Vm.sol");
    }

    function test_readFile_foundry_toml() public {
        vm.readFile("foundry.toml");
    }

    function test_readFile_project_root() public {
        vm.readFile("");
    }

    function test_readFile_dot() public {
        vm.readFile(".");
    }

    function test_readFile_absolute() public {
        vm.readFile("/etc/hostname");
    }

    function test_readFile_missing_absolute() public {
        vm.readFile("/etc/../missing-of-conformance");
    }

    function test_readFile_parent() public {
        vm.readFile("../missing-of-conformance");
    }

    function test_readFile_traversal() public {
        vm.readFile("files/../src/Vm.sol");
    }

    function test_readFile_missing_traversal() public {
        vm.readFile("files/nowhere/../../src/missing.sol");
    }

    function test_readFile_prefix_of_a_name() public {
        vm.readFile("filesystem.txt");
    }

    function test_readFile_absolute_inside_root() public {
        vm.readFile(string.concat(vm.projectRoot(), "/src/Vm.sol"));
    }

    function test_readFileBinary_unlisted() public {
        vm.readFileBinary("src/Vm.sol");
    }

    function test_readLine_unlisted() public {
        vm.readLine("src/Vm.sol");
    }

    function test_closeFile_unlisted() public {
        vm.closeFile("src/Vm.sol");
    }

    function test_exists_unlisted() public {
        vm.exists("src/Vm.sol");
    }

    function test_isFile_unlisted() public {
        vm.isFile("src/Vm.sol");
    }

    function test_isDir_unlisted() public {
        vm.isDir("src");
    }

    function test_readDir_unlisted() public {
        vm.readDir("src");
    }

    function test_readDir_depth_unlisted() public {
        vm.readDir("src", 1);
    }

    function test_readDir_links_unlisted() public {
        vm.readDir("src", 1, true);
    }

    function test_readLink_unlisted() public {
        vm.readLink("src/link");
    }

    function test_fsMetadata_unlisted() public {
        vm.fsMetadata("src/Vm.sol");
    }

    function test_writeFile_read_only() public {
        vm.writeFile("files/new.txt", "a");
    }

    function test_writeFile_unlisted() public {
        vm.writeFile("new.txt", "a");
    }

    function test_writeFile_out() public {
        vm.writeFile("out/new.txt", "a");
    }

    function test_writeFile_foundry_toml() public {
        vm.writeFile("foundry.toml", "a");
    }

    function test_writeFileBinary_read_only() public {
        vm.writeFileBinary("files/new.bin", hex"01");
    }

    function test_writeLine_read_only() public {
        vm.writeLine("files/new.txt", "a");
    }

    function test_copyFile_from_unlisted() public {
        vm.copyFile("src/Vm.sol", "scratch/Vm.sol");
    }

    function test_copyFile_to_read_only() public {
        vm.copyFile("files/files/lines.txt", "files/copy.txt");
    }

    function test_createDir_read_only() public {
        vm.createDir("files/new", true);
    }

    function test_removeDir_read_only() public {
        vm.removeDir("files/missing", true);
    }

    function test_removeFile_read_only() public {
        vm.removeFile("files/missing.txt");
    }

    function test_writeFile_through_a_link() public {
        string memory dir = scratch("permissions-link");
        string[] memory command = new string[](4);
        (command[0], command[1], command[2]) = ("ln", "-s", "../../../files/files/lines.txt");
        command[3] = string.concat(dir, "/link");
        vm.ffi(command);
        vm.writeFile(command[3], "a");
    }
}
