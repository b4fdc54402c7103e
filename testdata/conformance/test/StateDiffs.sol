// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Vm} from "../src/Vm.sol";

/// Recorded accesses as text: a line for each account's access and, indented, for each slot's.
abstract contract StateDiffs is Conformance {
    mapping(address => string) private names;

    /// Names an account in the texts; small addresses are written as numbers.
    function name(address who, string memory called) internal {
        names[who] = called;
    }

    function text(Vm.AccountAccess[] memory accesses) internal returns (string memory all) {
        for (uint256 i; i < accesses.length; ++i) {
            Vm.AccountAccess memory a = accesses[i];
            all = string.concat(all, head(a), changes(a), a.reverted ? " reverted\n" : "\n");
            for (uint256 j; j < a.storageAccesses.length; ++j) {
                all = string.concat(all, slot(a.storageAccesses[j], a.account));
            }
        }
    }

    /// The kind, the account, who accessed it, the depth, and whether the account is new.
    function head(Vm.AccountAccess memory a) private returns (string memory) {
        string memory by = string.concat(nameOf(a.account), " by ", nameOf(a.accessor), " at ");
        return string.concat(kind(a.kind), " ", by, vm.toString(a.depth), a.initialized ? "" : " new");
    }

    /// What is not empty of data, value, balance, nonce and the length of the code.
    function changes(Vm.AccountAccess memory a) private returns (string memory all) {
        if (a.data.length > 4) all = string.concat(" data ", vm.toString(a.data.length));
        else if (a.data.length != 0) all = string.concat(" data ", vm.toString(a.data));
        if (a.value != 0) all = string.concat(all, " value ", vm.toString(a.value));
        all = string.concat(all, change(" balance ", a.oldBalance, a.newBalance));
        all = string.concat(all, change(" nonce ", a.oldNonce, a.newNonce));
        if (a.deployedCode.length != 0) all = string.concat(all, " code ", vm.toString(a.deployedCode.length));
    }

    function change(string memory what, uint256 old, uint256 next) private returns (string memory) {
        if (old != next) return string.concat(what, vm.toString(old), ">", vm.toString(next));
        return old == 0 ? "" : string.concat(what, vm.toString(old));
    }

    function slot(Vm.StorageAccess memory s, address owner) private returns (string memory) {
        string memory place = s.account == owner ? "  " : string.concat("  of ", nameOf(s.account), " ");
        string memory values = string.concat(word(s.previousValue), s.isWrite ? ">" : "=", word(s.newValue));
        return string.concat(place, word(s.slot), ": ", values, s.reverted ? " reverted\n" : "\n");
    }

    function word(bytes32 value) private returns (string memory) {
        uint256 number = uint256(value);
        if (number < 1 << 64) return vm.toString(number);
        return number < 1 << 160 ? nameOf(address(uint160(number))) : vm.toString(value);
    }

    function nameOf(address who) private returns (string memory) {
        if (who == address(this)) return "test";
        if (who == address(vm)) return "vm";
        if (uint160(who) < 1 << 64) return vm.toString(uint256(uint160(who)));
        return bytes(names[who]).length == 0 ? vm.toString(who) : names[who];
    }

    function kind(uint8 k) private pure returns (string memory) {
        string[11] memory kinds = [
            "Call",
            "DelegateCall",
            "CallCode",
            "StaticCall",
            "Create",
            "SelfDestruct",
            "Resume",
            "Balance",
            "Extcodesize",
            "Extcodehash",
            "Extcodecopy"
        ];
        return kinds[k];
    }
}

/// Does what is recorded.
contract StateDiffBox {
    uint256 public first = 1;
    uint256 public second;
    uint256 private transient passing;

    constructor() payable {}

    receive() external payable {}

    function set(uint256 value) external payable {
        first = value;
    }

    function rewrite(uint256 value) external {
        first = value;
        first = value + 1;
        second = first;
        second = second;
    }

    function pass() external {
        passing = 4;
        passing++;
    }

    function fail() external payable {
        first = 9;
        revert();
    }

    /// Writes before, between and after two calls.
    function between(StateDiffBox next) external {
        second = 1;
        next.set(7);
        second = 2;
        next.set{value: 2}(8);
        second = 3;
    }

    function through(StateDiffBox next, uint256 value) external {
        next.set(value);
    }

    function chain(StateDiffBox next, StateDiffBox last) external {
        next.between(last);
        second = 5;
    }

    function catching(StateDiffBox next) external {
        second = 1;
        try next.fail() {} catch {}
        second = 2;
    }

    function failing(StateDiffBox next) external {
        second = 1;
        next.set(4);
        second = 2;
        revert();
    }

    function delegate(address model, uint256 value) external {
        second = 1;
        (bool done,) = model.delegatecall(abi.encodeCall(this.set, (value)));
        require(done);
        second = 2;
    }

    function borrow(address model) external payable {
        bytes memory data = abi.encodeCall(this.set, (7));
        assembly {
            pop(callcode(gas(), model, 3, add(data, 32), mload(data), 0, 0))
        }
    }

    function look(address at) external view returns (uint256 sum) {
        sum = first + at.balance + at.code.length + uint256(at.codehash) % 2 + second;
        bytes memory code = at.code;
        sum += code.length + address(this).balance + address(this).code.length;
    }

    function lookAndWrite(address at) external {
        second = 1;
        second = at.balance + 2;
        second = 4;
    }

    function send(address payable to, uint256 value) external {
        to.transfer(value);
    }

    function die(address payable to) external {
        selfdestruct(to);
    }

    function make(bool failing_) external returns (StateDiffMade made) {
        second = 1;
        try new StateDiffMade{value: 1}(failing_) returns (StateDiffMade created) {
            made = created;
        } catch {}
        second = 2;
    }
}

/// Writes when it is created, and may fail then.
contract StateDiffMade {
    uint256 private number;

    constructor(bool failing) payable {
        number = 1;
        require(!failing);
        ++number;
    }
}
