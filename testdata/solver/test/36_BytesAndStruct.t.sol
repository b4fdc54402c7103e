// SPDX-License-Identifier: MIT
// Class 6: timestamp, value, sender, hash equality, arrays, bytes and structs.
// Hard because: words of a bytes argument against the fields of a struct argument (SMT: easy).
pragma solidity ^0.8.20;

/// A signed-looking message: the body (three words) must agree with the header.
contract BytesAndStructTest {
    struct Header {
        uint128 amount;
        uint48 deadline;
        uint64 nonce;
    }

    function word(bytes memory data, uint256 i) internal pure returns (uint256 w) {
        assembly {
            w := mload(add(add(data, 32), mul(32, i)))
        }
    }

    function testFuzz_message(Header memory hdr, bytes memory body) public pure {
        if (body.length != 96) return;
        uint256 w0 = word(body, 0);
        uint256 w1 = word(body, 1);
        uint256 w2 = word(body, 2);
        if (hdr.nonce < 1 << 61) return;
        unchecked {
            if (w0 - 3 * w1 != w2) return;
            if (w0 + hdr.amount != 0xa4808eceb135261a88cc126a716ee1f799deba4f304c72e180759f90ac38c922) return;
            if (w1 ^ (uint256(hdr.deadline) << 128) ^ hdr.nonce != 0x191aab85cc032dabdd34f44b4f6ab30216ff7471f2a872497ab7cfbf52a78e84) return;
            if (w2 + w1 != 0x724b37c3192ecac2ce6228fd14fe109b6bdfd15d538bf389fe55a148a870db98) return;
            if (uint256(hdr.amount) + 5 * uint256(hdr.deadline) + hdr.nonce != 1106543831758282991283517395727) return;
        }
        assert(hdr.deadline <= 1 << 39);
    }

    function test_witness() public {
        Header memory hdr = Header(
            uint128(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b470dad2ab7c24d787fd5a89222)),
            uint48(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcb1f56a8d75a)),
            uint64(_w(0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0731e0ea108b5e72529))
        );
        bytes memory body = abi.encode(
            _w(0x158ea39cc7272121ae22df9700108bc5952af10bc21e686fbd3d2011fe1c26b8),
            _w(0xa81486d7ba112a90fbda394bdf46029c1a0b3f3b086ac23a64b96eb7e740abad),
            _w(0xe83ea16f3b399a2dd7c3f9bb17bbcddf581417a19a21313398b13011e04c38cb)
        );
        try this.testFuzz_message(hdr, body) {
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
