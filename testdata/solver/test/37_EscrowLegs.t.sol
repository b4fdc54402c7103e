// SPDX-License-Identifier: MIT
// Class 1: conjunctions over two or three variables (linear, modular, xor/and).
// Hard because: stateful: two stored words and the argument of the last call under three equations (SMT: easy).
pragma solidity ^0.8.20;

import {Test} from "forge-std/Test.sol";

contract EscrowLegs {
    uint256 public buyer;
    uint256 public seller;
    bool public released;

    function setBuyer(uint256 secret) external {
        buyer = secret;
    }

    function setSeller(uint256 secret) external {
        seller = secret;
    }

    function release(uint256 arbiter) external {
        if (buyer == 0 || seller == 0) return;
        unchecked {
            if (buyer + 3 * seller + arbiter != 0x256abe8d7202ab95b4cefdcb6d925dc465dcba4fafc21afc7c9f11ee996b159f) return;
            if (buyer - seller + 5 * arbiter != 0xe5175be2b635b0b59ba49a11fec7c5671eb6260e03b321cf5d0bc2cbfcb7d2b) return;
            if (2 * buyer + seller - arbiter != 0xc14dc9e1ac991be32deaedbc3216ea4e68319ecef9740c57b77efd62fa2f66d) return;
        }
        released = true;
    }
}

contract EscrowLegsTest is Test {
    EscrowLegs internal escrow;

    function setUp() public {
        escrow = new EscrowLegs();
        targetContract(address(escrow));
    }

    function invariant_locked() public view {
        assert(!escrow.released());
    }

    function test_witness() public {
        escrow.setBuyer(_w(0xb22968675282d9f6e8e20d15e6a59116b8372ab267187335e17de6d06b6784de));
        escrow.setSeller(_w(0xbb0c5fb171d46f01b98f17862b399c8cc77120de4bb0f40849c3d569bb375013));
        escrow.release(_w(0xb5320dfd400c93232e72608db7a01451427d5ed207523a30af3742f8219f7a3e));
        try this.invariant_locked() {
            revert("witness does not fail");
        } catch Panic(uint256 code) {
            require(code == 1, "another panic");
        }
    }

    // The witness is kept masked, so that no literal of this file is an answer.
    function _w(uint256 v) private view returns (uint256) {
        return v ^ uint256(keccak256(abi.encode(address(this).code.length > 0)));
    }
}
