// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Layout, LayoutImmutable, LayoutProxy, LayoutTransparent, LayoutUups} from "./StateDiffLayout.sol";

/// State diffs as text and as JSON, with the names and values of the variables.
contract StateDiffTextTest is Conformance {
    Layout private kept;

    function setUp() public {
        kept = new Layout();
    }

    function start() private returns (Layout layout) {
        layout = kept;
        vm.startStateDiffRecording();
    }

    /// Compares both forms with the files of that name.
    function check(string memory name) private {
        string memory path = string.concat("files/state/diff/", name);
        vm.assertEq(vm.getStateDiff(), vm.readFile(string.concat(path, ".txt")));
        vm.assertEq(vm.getStateDiffJson(), vm.readFile(string.concat(path, ".json")));
    }

    function test_getStateDiff_nothing() public {
        vm.assertEq(vm.getStateDiff(), "");
        vm.assertEq(vm.getStateDiffJson(), "{}");
        start();
        vm.assertEq(vm.getStateDiff(), "");
        vm.assertEq(vm.getStateDiffJson(), "{}");
    }

    function test_getStateDiff_unrecorded() public {
        kept.values();
        vm.assertEq(vm.getStateDiff(), "");
        kept.values();
        vm.assertEq(vm.getStateDiffJson(), "{}");
    }

    function test_getStateDiff_values() public {
        start().values();
        check("values");
    }

    function test_getStateDiff_packed() public {
        start().packed();
        check("packed");
    }

    function test_getStateDiff_structs() public {
        start().structs();
        check("structs");
    }

    function test_getStateDiff_arrays() public {
        start().arrays();
        check("arrays");
    }

    function test_getStateDiff_lists() public {
        start().lists();
        check("lists");
    }

    function test_getStateDiff_maps() public {
        start().maps();
        check("maps");
    }

    function test_getStateDiff_mapsOfMaps() public {
        start().mapsOfMaps();
        check("maps-of-maps");
    }

    function test_getStateDiff_texts() public {
        start().texts();
        check("texts");
    }

    function test_getStateDiff_longTexts() public {
        start().longTexts();
        check("long-texts");
    }

    /// A long text that becomes a short one in the same recording, and one that was long before.
    function test_getStateDiff_shortenedTexts() public {
        Layout layout = start();
        layout.longTexts();
        layout.texts();
        check("shortened-texts");
        vm.startStateDiffRecording();
        layout.longTexts();
        check("lengthened-texts");
    }

    function test_getStateDiff_others() public {
        start().others();
        check("others");
    }

    /// The value before the first write and after the last, even if they are the same.
    function test_getStateDiff_rewritten() public {
        Layout layout = start();
        layout.setSigned(1);
        layout.setSigned(-1);
        layout.setNumber(5, 6);
        layout.setNumber(5, 0);
        check("rewritten");
    }

    function test_getStateDiff_reverted() public {
        Layout layout = start();
        try layout.fail() {} catch {}
        vm.assertEq(vm.getStateDiff(), "");
        vm.assertEq(vm.getStateDiffJson(), "{}");
        layout.setSigned(2);
        try layout.fail() {} catch {}
        check("reverted");
    }

    function test_getStateDiff_label() public {
        vm.label(address(kept), "the layout");
        start().setSigned(2);
        check("label");
    }

    /// Of an account without a layout there are no names.
    function test_getStateDiff_unknownCode() public {
        vm.etch(address(0xe0a), hex"600560045500");
        start();
        (bool done,) = address(0xe0a).call("");
        vm.assertTrue(done);
        check("unknown-code");
    }

    function test_getStateDiff_immutable() public {
        LayoutImmutable other = new LayoutImmutable(3);
        start();
        other.add();
        check("immutable");
    }

    /// The names are those of the account whose slots they are.
    function test_getStateDiff_proxy() public {
        Layout proxy = Layout(payable(address(new LayoutProxy(address(kept)))));
        start();
        proxy.values();
        proxy.maps();
        check("proxy");
    }

    /// Code with the slot of a standard proxy is taken for a contract of the standard's name.
    function test_getStateDiff_standardProxies() public {
        LayoutTransparent transparent = new LayoutTransparent();
        LayoutUups uups = new LayoutUups();
        vm.startStateDiffRecording();
        transparent.set(1);
        uups.set(2);
        check("standard-proxies");
        vm.assertEq(vm.getStorageSlots(address(uups), "nameOfUups")[0], 0);
    }

    function test_getStateDiff_accounts() public {
        Layout layout = start();
        layout.pay{value: 100}();
        layout.send(payable(address(0xe0a)), 30);
        layout.pay{value: 5}();
        payable(address(0xe0b)).transfer(1 ether);
        payable(address(0xe0c)).transfer(0);
        check("accounts");
    }

    function test_getStateDiff_createdAccounts() public {
        start();
        new Layout();
        LayoutImmutable other = new LayoutImmutable(7);
        other.add();
        check("created-accounts");
    }

    function test_getStateDiff_sentAndReturned() public {
        Layout layout = start();
        layout.pay{value: 100}();
        layout.send(payable(address(this)), 100);
        check("sent-and-returned");
    }

    receive() external payable {}

    function test_getStateDiff_keepsRecording() public {
        Layout layout = start();
        layout.setSigned(2);
        string memory diff = vm.getStateDiff();
        vm.assertEq(vm.getStateDiff(), diff);
        layout.setNumber(1, 2);
        vm.assertNotEq(vm.getStateDiff(), diff);
        vm.assertEq(vm.getStorageAccesses().length, 2);
        vm.stopAndReturnStateDiff();
        vm.assertEq(vm.getStateDiff(), "");
    }
}
