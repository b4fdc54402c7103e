// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Scratch} from "./Files.t.sol";
import {Vm} from "../src/Vm.sol";

/// A directory of its own with links made by `ln`.
abstract contract Links is Scratch {
    function link(string memory target, string memory path) internal {
        string[] memory command = new string[](4);
        (command[0], command[1], command[2], command[3]) = ("ln", "-s", target, path);
        vm.ffi(command);
    }
}

/// Directories created, removed and listed; links; metadata.
contract DirsTest is Links {
    string constant TREE = "files/files/tree";

    function checkEntry(Vm.DirEntry memory entry, string memory path, uint64 depth, bool isDir) internal {
        vm.assertEq(entry.path, string.concat(vm.projectRoot(), "/", path));
        vm.assertEq(entry.depth, depth);
        vm.assertEq(entry.isDir, isDir);
        vm.assertFalse(entry.isSymlink);
        vm.assertEq(entry.errorMessage, "");
    }

    function test_currentFilePath_of_the_running_test() public {
        vm.assertEq(inheritedFilePath(), "test/Dirs.t.sol");
    }

    function test_createDir_one() public {
        string memory path = string.concat(scratch("createDir"), "/one");
        vm.createDir(path, false);
        vm.assertTrue(vm.isDir(path));
    }

    function test_createDir_recursive() public {
        string memory dir = scratch("createDir-recursive");
        vm.createDir(string.concat(dir, "/a/b/c"), true);
        vm.createDir(string.concat(dir, "/a/b/c"), true);
        vm.assertTrue(vm.isDir(string.concat(dir, "/a/b/c")));
    }

    function test_removeDir_empty() public {
        string memory dir = scratch("removeDir");
        vm.removeDir(dir, false);
        vm.assertFalse(vm.exists(dir));
    }

    function test_removeDir_recursive() public {
        string memory dir = scratch("removeDir-recursive");
        vm.createDir(string.concat(dir, "/a/b"), true);
        vm.writeFile(string.concat(dir, "/a/file"), "x");
        vm.removeDir(dir, true);
        vm.assertFalse(vm.exists(dir));
    }

    function test_readDir_depth_one() public {
        Vm.DirEntry[] memory entries = vm.readDir(TREE);
        vm.assertEq(entries.length, 3);
        checkEntry(entries[0], "files/files/tree/Zed.txt", 1, false);
        checkEntry(entries[1], "files/files/tree/a", 1, true);
        checkEntry(entries[2], "files/files/tree/b", 1, true);
    }

    function test_readDir_depth_two() public {
        Vm.DirEntry[] memory entries = vm.readDir(TREE, 2);
        vm.assertEq(entries.length, 6);
        checkEntry(entries[0], "files/files/tree/Zed.txt", 1, false);
        checkEntry(entries[1], "files/files/tree/a", 1, true);
        checkEntry(entries[2], "files/files/tree/a/one.txt", 2, false);
        checkEntry(entries[3], "files/files/tree/b", 1, true);
        checkEntry(entries[4], "files/files/tree/b/deep", 2, true);
        checkEntry(entries[5], "files/files/tree/b/two.txt", 2, false);
    }

    function test_readDir_depth_all() public {
        Vm.DirEntry[] memory entries = vm.readDir(TREE, type(uint64).max);
        vm.assertEq(entries.length, 7);
        checkEntry(entries[5], "files/files/tree/b/deep/three.txt", 3, false);
    }

    function test_readDir_depth_zero_is_one() public {
        vm.assertEq(vm.readDir(TREE, 0).length, 3);
    }

    function test_readDir_empty() public {
        vm.assertEq(vm.readDir(scratch("readDir-empty")).length, 0);
    }

    function test_readDir_file() public {
        vm.assertEq(vm.readDir("files/files/lines.txt").length, 0);
    }

    function test_readDir_path_is_normalized() public {
        checkEntry(vm.readDir("./files/files/../files/tree/")[0], "files/files/tree/Zed.txt", 1, false);
    }

    function test_readDir_missing_is_an_entry() public {
        Vm.DirEntry[] memory entries = vm.readDir("files/files/missing");
        string memory path = string.concat(vm.projectRoot(), "/files/files/missing");
        vm.assertEq(entries.length, 1);
        vm.assertEq(entries[0].path, path);
        vm.assertEq(entries[0].depth, 0);
        vm.assertFalse(entries[0].isDir);
        vm.assertEq(
            entries[0].errorMessage,
            string.concat("IO error for operation on ", path, ": No such file or directory (os error 2)")
        );
    }

    function test_readDir_links_not_followed() public {
        string memory dir = scratch("readDir-links");
        link("../../../files/files/tree/b", string.concat(dir, "/link"));
        Vm.DirEntry[] memory entries = vm.readDir(dir, 3, false);
        vm.assertEq(entries.length, 1);
        vm.assertFalse(entries[0].isDir);
        vm.assertTrue(entries[0].isSymlink);
    }

    function test_readDir_links_followed() public {
        string memory dir = scratch("readDir-follow");
        link("../../../files/files/tree/b", string.concat(dir, "/link"));
        Vm.DirEntry[] memory entries = vm.readDir(dir, 2, true);
        vm.assertEq(entries.length, 3);
        vm.assertTrue(entries[0].isDir);
        vm.assertTrue(entries[0].isSymlink);
        checkEntry(entries[1], string.concat(dir, "/link/deep"), 2, true);
        checkEntry(entries[2], string.concat(dir, "/link/two.txt"), 2, false);
    }

    function test_readDir_link_loop_is_an_entry() public {
        string memory dir = scratch("readDir-loop");
        link(".", string.concat(dir, "/loop"));
        Vm.DirEntry[] memory entries = vm.readDir(dir, 5, true);
        string memory root = string.concat(vm.projectRoot(), "/", dir);
        vm.assertEq(entries.length, 1);
        vm.assertEq(entries[0].path, string.concat(root, "/loop"));
        vm.assertEq(entries[0].depth, 1);
        vm.assertEq(
            entries[0].errorMessage,
            string.concat("File system loop found: ", root, "/loop points to an ancestor ", root)
        );
    }

    function test_readLink_inside() public {
        string memory dir = scratch("readLink");
        link("nowhere", string.concat(dir, "/link"));
        vm.assertEq(vm.readLink(string.concat(dir, "/link")), "nowhere");
    }

    function test_exists_link() public {
        string memory dir = scratch("exists-link");
        link("nowhere", string.concat(dir, "/dangling"));
        link("../../../files/files/lines.txt", string.concat(dir, "/link"));
        vm.assertFalse(vm.exists(string.concat(dir, "/dangling")));
        vm.assertTrue(vm.isFile(string.concat(dir, "/link")));
        vm.assertFalse(vm.isDir(string.concat(dir, "/link")));
    }

    function test_removeFile_of_a_link_removes_the_target() public {
        string memory dir = scratch("removeFile-link");
        vm.writeFile(string.concat(dir, "/target"), "x");
        link("target", string.concat(dir, "/link"));
        vm.removeFile(string.concat(dir, "/link"));
        vm.assertFalse(vm.exists(string.concat(dir, "/target")));
        vm.assertEq(vm.readLink(string.concat(dir, "/link")), "target");
        vm.removeFile(string.concat(dir, "/link"));
        vm.assertEq(vm.readDir(dir).length, 0);
    }

    function test_fsMetadata_file() public {
        string memory path = string.concat(scratch("fsMetadata"), "/a.txt");
        vm.writeFile(path, "abc");
        Vm.FsMetadata memory meta = vm.fsMetadata(path);
        vm.assertFalse(meta.isDir);
        vm.assertFalse(meta.isSymlink);
        vm.assertEq(meta.length, 3);
        vm.assertFalse(meta.readOnly);
        uint256 second = vm.unixTime() / 1000;
        vm.assertApproxEqAbs(meta.modified, second, 60);
        vm.assertApproxEqAbs(meta.accessed, second, 60);
        vm.assertApproxEqAbs(meta.created, second, 60);
    }

    function test_fsMetadata_directory() public {
        Vm.FsMetadata memory meta = vm.fsMetadata(TREE);
        vm.assertTrue(meta.isDir);
        vm.assertFalse(meta.isSymlink);
    }

    function test_fsMetadata_link_is_its_target() public {
        string memory dir = scratch("fsMetadata-link");
        link("../../../files/files/lines.txt", string.concat(dir, "/link"));
        Vm.FsMetadata memory meta = vm.fsMetadata(string.concat(dir, "/link"));
        vm.assertFalse(meta.isSymlink);
        vm.assertEq(meta.length, 24);
    }

    function test_fsMetadata_read_only() public {
        string memory path = string.concat(scratch("fsMetadata-readOnly"), "/a.txt");
        vm.writeFile(path, "");
        string[] memory command = new string[](3);
        (command[0], command[1], command[2]) = ("chmod", "444", path);
        vm.ffi(command);
        vm.assertTrue(vm.fsMetadata(path).readOnly);
    }
}

/// Errors of directories and links.
contract DirsErrors is Links {
    function test_createDir_exists() public {
        vm.createDir(scratch("createDir-exists"), false);
    }

    function test_createDir_no_parent() public {
        vm.createDir("scratch/dirs-none/a", false);
    }

    function test_createDir_recursive_onto_file() public {
        string memory path = string.concat(scratch("createDir-file"), "/a");
        vm.writeFile(path, "");
        vm.createDir(path, true);
    }

    function test_createDir_below_a_file() public {
        string memory path = string.concat(scratch("createDir-below"), "/a");
        vm.writeFile(path, "");
        vm.createDir(string.concat(path, "/b"), true);
    }

    function test_removeDir_missing() public {
        vm.removeDir("scratch/dirs-none", false);
    }

    function test_removeDir_recursive_missing() public {
        vm.removeDir("scratch/dirs-none", true);
    }

    function test_removeDir_not_empty() public {
        string memory dir = scratch("removeDir-full");
        vm.createDir(string.concat(dir, "/a"), false);
        vm.removeDir(dir, false);
    }

    function test_removeDir_file() public {
        string memory path = string.concat(scratch("removeDir-file"), "/a");
        vm.writeFile(path, "");
        vm.removeDir(path, false);
    }

    function test_readLink_file() public {
        vm.readLink("files/files/lines.txt");
    }

    function test_readLink_missing() public {
        vm.readLink("files/files/missing");
    }

    function test_readLink_of_an_existing_target() public {
        string memory dir = scratch("readLink-target");
        vm.writeFile(string.concat(dir, "/target"), "");
        link("target", string.concat(dir, "/link"));
        vm.readLink(string.concat(dir, "/link"));
    }

    function test_readDir_link_out_of_the_permitted_paths() public {
        string memory dir = scratch("readDir-outside");
        link("../../../src", string.concat(dir, "/link"));
        vm.readDir(string.concat(dir, "/link"));
    }

    function test_fsMetadata_missing() public {
        vm.fsMetadata("files/files/missing");
    }

    function test_fsMetadata_below_a_file() public {
        vm.fsMetadata("files/files/lines.txt/inside");
    }
}
