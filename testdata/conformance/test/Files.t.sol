// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";

/// A directory of its own under scratch/files/ for a test.
abstract contract Scratch is Conformance {
    function inheritedFilePath() internal returns (string memory) {
        return vm.currentFilePath();
    }

    function scratch(string memory name) internal returns (string memory dir) {
        dir = string.concat("scratch/files/", name);
        if (vm.exists(dir)) vm.removeDir(dir, true);
        vm.createDir(dir, true);
    }
}

/// Files read, written, copied and removed.
contract FilesTest is Scratch {
    string constant LINES = "files/files/lines.txt";

    function test_readFile_text() public {
        vm.assertEq(vm.readFile(LINES), "first\nsecond\r\n\n  third  ");
        vm.assertEq(vm.readFile("files/files/empty.txt"), "");
        vm.assertEq(vm.readFile(string.concat(vm.projectRoot(), "/files/files/tree/a/one.txt")), "A");
        vm.assertEq(vm.readFile("./files/../files/files/tree/b/../a/one.txt"), "A");
    }

    function test_readFileBinary_bytes() public {
        vm.assertEq(vm.readFileBinary("files/files/raw.bin"), hex"fffe0001");
        vm.assertEq(vm.readFileBinary("files/files/empty.txt"), "");
    }

    function test_readLine_lines() public {
        vm.assertEq(vm.readLine(LINES), "first");
        vm.assertEq(vm.readLine(LINES), "second");
        vm.assertEq(vm.readLine(LINES), "");
        vm.assertEq(vm.readLine(LINES), "  third  ");
        vm.assertEq(vm.readLine(LINES), "");
        vm.assertEq(vm.readLine(LINES), "");
    }

    function test_readLine_same_file_by_another_path() public {
        vm.assertEq(vm.readLine(LINES), "first");
        vm.assertEq(vm.readLine("./files/files/../files/lines.txt"), "second");
    }

    function test_readLine_independent_files() public {
        vm.assertEq(vm.readLine(LINES), "first");
        vm.assertEq(vm.readLine("files/files/tree/a/one.txt"), "A");
        vm.assertEq(vm.readLine(LINES), "second");
    }

    function readAndRevert() external {
        vm.readLine(LINES);
        revert("undone");
    }

    function test_readLine_position_survives_revert() public {
        try this.readAndRevert() {} catch {}
        vm.assertEq(vm.readLine(LINES), "second");
    }

    function test_readLine_position_survives_snapshot() public {
        uint256 id = vm.snapshotState();
        vm.readLine(LINES);
        vm.revertToState(id);
        vm.assertEq(vm.readLine(LINES), "second");
    }

    function test_readLine_sees_appended_lines() public {
        string memory path = string.concat(scratch("readLine"), "/log.txt");
        vm.writeLine(path, "one");
        vm.assertEq(vm.readLine(path), "one");
        vm.assertEq(vm.readLine(path), "");
        vm.writeLine(path, "two");
        vm.assertEq(vm.readLine(path), "two");
    }

    function test_closeFile_starts_again() public {
        vm.assertEq(vm.readLine(LINES), "first");
        vm.closeFile(LINES);
        vm.assertEq(vm.readLine(LINES), "first");
    }

    function test_closeFile_never_opened() public {
        vm.closeFile(LINES);
        vm.closeFile("files/files/missing.txt");
    }

    function test_writeFile_replaces() public {
        string memory path = string.concat(scratch("writeFile"), "/a.txt");
        vm.writeFile(path, "a long text\nwith lines");
        vm.writeFile(path, unicode"é");
        vm.assertEq(vm.readFile(path), unicode"é");
        vm.assertEq(vm.readFileBinary(path), hex"c3a9");
        vm.writeFile(path, "");
        vm.assertEq(vm.readFile(path), "");
        vm.assertTrue(vm.isFile(path));
    }

    function writeAndRevert(string calldata path) external {
        vm.writeFile(path, "kept");
        revert("undone");
    }

    function test_writeFile_survives_revert() public {
        string memory path = string.concat(scratch("writeFile-revert"), "/a.txt");
        try this.writeAndRevert(path) {} catch {}
        vm.assertEq(vm.readFile(path), "kept");
    }

    function test_writeFileBinary_replaces() public {
        string memory path = string.concat(scratch("writeFileBinary"), "/a.bin");
        vm.writeFileBinary(path, hex"00010203ff");
        vm.assertEq(vm.readFileBinary(path), hex"00010203ff");
        vm.writeFileBinary(path, hex"ff");
        vm.assertEq(vm.readFileBinary(path), hex"ff");
        vm.writeFileBinary(path, "");
        vm.assertEq(vm.readFileBinary(path), "");
    }

    function test_writeLine_appends() public {
        string memory path = string.concat(scratch("writeLine"), "/a.txt");
        vm.writeLine(path, "one");
        vm.writeLine(path, "");
        vm.writeLine(path, "two\nthree\n");
        vm.assertEq(vm.readFile(path), "one\n\ntwo\nthree\n\n");
    }

    function test_writeLine_after_open_end() public {
        string memory path = string.concat(scratch("writeLine-end"), "/a.txt");
        vm.writeFile(path, "one");
        vm.writeLine(path, "two");
        vm.assertEq(vm.readFile(path), "onetwo\n");
    }

    function test_copyFile_length() public {
        string memory path = string.concat(scratch("copyFile"), "/a.txt");
        vm.assertEq(vm.copyFile(LINES, path), 24);
        vm.assertEq(vm.readFile(path), vm.readFile(LINES));
        vm.assertEq(vm.copyFile("files/files/empty.txt", path), 0);
        vm.assertEq(vm.readFile(path), "");
    }

    function test_removeFile_gone() public {
        string memory path = string.concat(scratch("removeFile"), "/a.txt");
        vm.writeFile(path, "a");
        vm.removeFile(path);
        vm.assertFalse(vm.exists(path));
    }

    function test_removeFile_closes() public {
        string memory path = string.concat(scratch("removeFile-closes"), "/a.txt");
        vm.writeFile(path, "one\ntwo\n");
        vm.assertEq(vm.readLine(path), "one");
        vm.removeFile(path);
        vm.writeFile(path, "three\nfour\n");
        vm.assertEq(vm.readLine(path), "three");
    }

    function test_exists_kinds() public {
        vm.assertTrue(vm.exists(LINES));
        vm.assertTrue(vm.exists("files"));
        vm.assertTrue(vm.exists("files/files/tree/"));
        vm.assertFalse(vm.exists("files/files/missing.txt"));
        vm.assertFalse(vm.exists("files/files/lines.txt/inside"));
    }

    function test_isFile_kinds() public {
        vm.assertTrue(vm.isFile(LINES));
        vm.assertFalse(vm.isFile("files/files/tree"));
        vm.assertFalse(vm.isFile("files/files/missing.txt"));
    }

    function test_isDir_kinds() public {
        vm.assertTrue(vm.isDir("files/files/tree"));
        vm.assertFalse(vm.isDir(LINES));
        vm.assertFalse(vm.isDir("files/files/missing"));
    }

    function test_projectRoot_absolute() public {
        string memory root = vm.projectRoot();
        vm.assertEq(vm.indexOf(root, "/"), 0);
        vm.assertTrue(vm.isFile(string.concat(root, "/files/files/lines.txt")));
    }

    function test_currentFilePath_of_this_file() public {
        vm.assertEq(vm.currentFilePath(), "test/Files.t.sol");
        vm.assertEq(inheritedFilePath(), "test/Files.t.sol");
    }

    function test_unixTime_milliseconds() public {
        uint256 time = vm.unixTime();
        vm.assertGt(time, 1_700_000_000_000);
        vm.assertLt(time, 10_000_000_000_000);
        vm.assertGe(vm.unixTime(), time);
    }
}

/// Errors of files: missing ones, directories in their place, text that is none.
contract FilesErrors is Scratch {
    function test_readFile_missing() public {
        vm.readFile("files/files/missing.txt");
    }

    function test_readFile_not_text() public {
        vm.readFile("files/files/raw.bin");
    }

    function test_readFile_directory() public {
        vm.readFile("files/files/tree");
    }

    function test_readFileBinary_missing() public {
        vm.readFileBinary("files/files/missing.bin");
    }

    function test_readFileBinary_directory() public {
        vm.readFileBinary("files/files/tree");
    }

    function test_readLine_missing() public {
        vm.readLine("files/files/missing.txt");
    }

    function test_readLine_directory() public {
        vm.readLine("files/files/tree");
    }

    function test_readLine_not_text() public {
        vm.readLine("files/files/raw.bin");
    }

    function test_writeFile_no_directory() public {
        vm.writeFile("scratch/files-none/a.txt", "a");
    }

    function test_writeFile_onto_directory() public {
        vm.writeFile(scratch("writeFile-dir"), "a");
    }

    function test_writeFileBinary_no_directory() public {
        vm.writeFileBinary("scratch/files-none/a.bin", hex"01");
    }

    function test_writeLine_no_directory() public {
        vm.writeLine("scratch/files-none/a.txt", "a");
    }

    function test_copyFile_missing() public {
        vm.copyFile("files/files/missing.txt", string.concat(scratch("copyFile-missing"), "/a.txt"));
    }

    function test_copyFile_no_directory() public {
        vm.copyFile("files/files/empty.txt", "scratch/files-none/a.txt");
    }

    function test_copyFile_directory() public {
        vm.copyFile("files/files/tree", string.concat(scratch("copyFile-dir"), "/a.txt"));
    }

    function test_removeFile_missing() public {
        vm.removeFile("scratch/files-none.txt");
    }

    function test_removeFile_directory() public {
        vm.removeFile(scratch("removeFile-dir"));
    }
}
