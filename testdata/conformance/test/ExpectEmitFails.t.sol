// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Conformance} from "../src/Conformance.sol";
import {Speaker, Ticked, Nameless, Wordless} from "./ExpectEmit.t.sol";

/// Logs under signatures no artifact has: Forge would name those it finds in its cache of signatures.
abstract contract RawLogs {
    bytes32 constant FIRST = keccak256("first");
    bytes32 constant SECOND = keccak256("second");

    function log(bytes32 signature, bytes memory data) public {
        assembly {
            log1(add(data, 32), mload(data), signature)
        }
    }

    function log(bytes32 signature, uint256 a, bytes memory data) public {
        assembly {
            log2(add(data, 32), mload(data), signature, a)
        }
    }

    function log(bytes32 signature, uint256 a, uint256 b, uint256 c, bytes memory data) public {
        assembly {
            log4(add(data, 32), mload(data), signature, a, b, c)
        }
    }
}

contract RawSpeaker is RawLogs {
    function several(uint256 last) external {
        for (uint256 i = 1; i <= last; i++) {
            log(FIRST, i, "");
        }
    }
}

/// expectEmit: which logs do not satisfy it, by what differs.
contract ExpectEmitMismatchErrors is Conformance, RawLogs {
    RawSpeaker speaker = new RawSpeaker();
    Speaker other = new Speaker();

    function test_expectEmit_signature() public {
        vm.expectEmit();
        log(FIRST, 1, "");
        speaker.log(SECOND, 1, "");
    }

    function test_expectEmit_topicCount() public {
        vm.expectEmit();
        log(FIRST, 1, "");
        speaker.log(FIRST, abi.encode(1));
    }

    function test_expectEmit_topic1() public {
        vm.expectEmit(true, false, false, false);
        log(FIRST, 1, 2, 3, abi.encode(4));
        speaker.log(FIRST, 5, 6, 7, abi.encode(8));
    }

    function test_expectEmit_topic2() public {
        vm.expectEmit(false, true, false, false);
        log(FIRST, 1, 2, 3, abi.encode(4));
        speaker.log(FIRST, 5, 6, 7, abi.encode(8));
    }

    function test_expectEmit_topic3() public {
        vm.expectEmit(false, false, true, false);
        log(FIRST, 1, 2, 3, abi.encode(4));
        speaker.log(FIRST, 5, 6, 7, abi.encode(8));
    }

    function test_expectEmit_data() public {
        vm.expectEmit(false, false, false, true);
        log(FIRST, 1, 2, 3, abi.encode(4, 5, 6));
        speaker.log(FIRST, 5, 6, 7, abi.encode(4, 9, 8));
    }

    function test_expectEmit_everything() public {
        vm.expectEmit();
        log(FIRST, 1, 2, 3, abi.encode(4));
        speaker.log(FIRST, 5, 6, 7, abi.encode(8));
    }

    function test_expectEmit_dataLength() public {
        vm.expectEmit();
        log(FIRST, 1, abi.encode(1));
        speaker.log(FIRST, 1, abi.encode(1, 2));
    }

    function test_expectEmit_dataNotInWords() public {
        vm.expectEmit();
        log(FIRST, 1, "abc");
        speaker.log(FIRST, 1, "abd");
    }

    function test_expectEmit_lastMismatchIsReported() public {
        vm.expectEmit();
        log(FIRST, 9, "");
        speaker.several(3);
    }

    function test_expectEmit_templatesAfterTheExpectations() public {
        vm.expectEmit();
        vm.expectEmit();
        log(FIRST, 1, "");
        log(FIRST, 2, "");
        speaker.several(2);
    }

    function test_expectEmit_emitter() public {
        vm.expectEmit(address(other));
        log(FIRST, 1, "");
        speaker.log(FIRST, 1, "");
    }

    function test_expectEmit_flagsEmitter() public {
        vm.expectEmit(false, true, true, false, address(other));
        log(FIRST, 1, 2, 3, "");
        speaker.log(FIRST, 4, 2, 3, "x");
    }

    function test_expectEmit_topicBeforeEmitter() public {
        vm.expectEmit(address(other));
        log(FIRST, 1, "");
        speaker.log(FIRST, 2, "");
    }

    function test_expectEmitAnonymous_topic0() public {
        vm.expectEmitAnonymous();
        emit Nameless(1, 2);
        other.nameless(3, 4);
    }

    function test_expectEmitAnonymous_data() public {
        vm.expectEmitAnonymous(false, true, true, true, true);
        emit Nameless(1, 2);
        other.nameless(3, 4);
    }

    function test_expectEmitAnonymous_topicCount() public {
        vm.expectEmitAnonymous();
        emit Nameless(1, 2);
        other.wordless();
    }

    function test_expectEmitAnonymous_emitter() public {
        vm.expectEmitAnonymous(address(speaker));
        emit Nameless(1, 2);
        other.nameless(1, 2);
    }

    function test_expectEmitAnonymous_flagsEmitter() public {
        vm.expectEmitAnonymous(true, false, false, false, false, address(speaker));
        emit Nameless(1, 2);
        other.nameless(1, 3);
    }
}

/// expectEmit: missing logs, their order and their number.
contract ExpectEmitErrors is Conformance {
    Speaker speaker = new Speaker();
    Speaker other = new Speaker();

    function test_expectEmit_noTemplate() public {
        vm.expectEmit();
    }

    function test_expectEmit_noCall() public {
        vm.expectEmit();
        emit Ticked(1);
    }

    function test_expectEmit_templateFromTheCall() public {
        vm.expectEmit();
        speaker.tick(1);
    }

    function test_expectEmit_nothingEmitted() public {
        vm.expectEmit();
        emit Ticked(1);
        speaker.quiet();
    }

    function test_expectEmit_viewOnly() public {
        vm.expectEmit();
        emit Ticked(1);
        speaker.look();
    }

    function test_expectEmit_order() public {
        vm.expectEmit();
        emit Ticked(2);
        vm.expectEmit();
        emit Ticked(1);
        speaker.tickTo(2);
    }

    function test_expectEmit_oneCallOnly() public {
        vm.expectEmit();
        emit Ticked(1);
        vm.expectEmit();
        emit Ticked(2);
        speaker.tick(1);
        speaker.tick(2);
    }

    function test_expectEmit_tooFew() public {
        vm.expectEmit(uint64(2));
        emit Ticked(1);
        speaker.tick(1);
    }

    function test_expectEmit_emitterTooFew() public {
        vm.expectEmit(address(speaker), 3);
        emit Ticked(1);
        speaker.throughBoth(other, 1);
    }

    function test_expectEmit_flagsTooFew() public {
        vm.expectEmit(true, true, true, false, 3);
        emit Ticked(0);
        speaker.tickTo(2);
    }

    function test_expectEmit_flagsEmitterTooFew() public {
        vm.expectEmit(true, true, true, false, address(speaker), 3);
        emit Ticked(0);
        speaker.tickTo(2);
    }

    function test_expectEmit_zeroButEmitted() public {
        vm.expectEmit(uint64(0));
        emit Ticked(1);
        speaker.tick(1);
    }

    function test_expectEmit_emitterZeroButEmitted() public {
        vm.expectEmit(address(speaker), 0);
        emit Ticked(1);
        speaker.tick(1);
    }

    function test_expectEmit_reverted() public {
        vm.expectEmit();
        emit Ticked(1);
        speaker.tickAndRevert(1, 1);
    }

    function test_expectEmit_revertedUnseen() public {
        vm.expectEmit();
        emit Ticked(2);
        speaker.tickAndRevert(1, 1);
    }

    function test_expectEmit_ownRevert() public {
        vm.expectEmit();
        emit Ticked(2);
        revert("own");
    }

    function test_expectEmit_anonymousTemplate() public {
        vm.expectEmit();
        emit Wordless();
        speaker.wordless();
    }

    function test_expectEmitAnonymous_noCall() public {
        vm.expectEmitAnonymous();
        emit Wordless();
    }
}
