// SPDX-License-Identifier: MIT
// Class 4: packed words (fields, masks, checksums, sign extension, byte swaps).
// Hard because: six fields of one word, coupled by sums and a checksum (SMT: medium).
pragma solidity ^0.8.20;

contract PackedOrderTest {
    struct Order {
        bool sell;
        uint64 price;
        uint48 qty;
        uint32 nonce;
        uint40 expiry;
        uint16 fee;
        uint48 check;
    }

    function unpack(uint256 w) internal pure returns (Order memory o) {
        o.sell = w & 1 == 1;
        o.price = uint64(w >> 1);
        o.qty = uint48(w >> 65);
        o.nonce = uint32(w >> 113);
        o.expiry = uint40(w >> 145);
        o.fee = uint16(w >> 185);
        o.check = uint48(w >> 201);
    }

    function testFuzz_order(uint256 word) public pure {
        Order memory o = unpack(word);
        if (!o.sell) return;
        if (uint256(o.qty) + o.nonce != 106420868776402) return;
        if (uint256(o.price) ^ (uint256(o.qty) << 16) != 0x19e42bb00f20dfda) return;
        if (int256(uint256(o.expiry)) - int256(uint256(o.nonce)) * 2 != 208538236511) return;
        if (uint256(o.fee) * 3 + o.nonce != 2102530717) return;
        uint256 sum = uint256(o.price) + 3 * uint256(o.qty) + 5 * uint256(o.nonce) + 7 * uint256(o.expiry) + o.fee;
        if (uint48(sum) != o.check) return;
        assert(o.check % 1013 != 173);
    }

    function test_witness() public {
        uint256 w = _w(0xb09877ccceb65f95208ddd0b5270909017dc8ad9e344580fdfc4850441c7b343);
        try this.testFuzz_order(w) {
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
