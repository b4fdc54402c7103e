// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {CONSOLE, Hostile, vm} from "./Vm.sol";

/// Touches memory far away.
contract FarMemoryTest is Hostile {
    function attack(uint256 at) external {
        assembly {
            mstore(at, 1)
        }
    }

    function most() external {
        assembly {
            mstore(134217000, 1)
        }
    }
}

/// Copies what is not there to where nothing is.
contract CopiesTest is Hostile {
    function attack(uint256 to, uint256 from, uint256 length) external {
        assembly {
            calldatacopy(to, from, length)
            codecopy(to, from, length)
            extcodecopy(address(), to, from, length)
            mcopy(to, from, length)
        }
    }

    function returned(uint256 from, uint256 length) external {
        assembly {
            returndatacopy(0, from, length)
        }
    }
}

/// Returns a hundred megabytes.
contract LongReturnTest is Hostile {
    function attack() external {
        assembly {
            return(0, 100000000)
        }
    }
}

/// Reverts with a hundred megabytes.
contract LongRevertTest is Hostile {
    function attack() external {
        assembly {
            revert(0, 100000000)
        }
    }

    /// Reads what its own call reverted with, again and again.
    function bomb() external {
        for (uint256 i = 0; i < 8; i++) {
            (bool done, bytes memory data) = address(this).call(abi.encodeCall(this.attack, ()));
            require(!done || data.length > 0);
        }
    }
}

/// Breaks its invariant for a reason of five megabytes.
contract LongReasonTest is Hostile {
    uint256 public calls;

    function attack() external {
        calls++;
    }

    function invariant_holds() external view override {
        if (calls > 1) revert(string(new bytes(5_000_000)));
    }
}

/// Emits logs of gigabytes.
contract LogsTest is Hostile {
    function attack() external {
        assembly {
            for { let i := 0 } lt(i, 100) { i := add(i, 1) } { log4(0, 16000000, i, i, i, i) }
        }
    }

    function many() external {
        assembly {
            for { let i := 0 } lt(i, 200000) { i := add(i, 1) } { log0(0, 0) }
        }
    }
}

/// Prints a hundred thousand lines, and a line of megabytes.
contract ConsoleFloodTest is Hostile {
    function lines() external {
        bytes memory data = abi.encodeWithSignature("log(string)", "flood");
        for (uint256 i = 0; i < 100_000; i++) {
            (bool done,) = CONSOLE.staticcall(data);
            done;
        }
    }

    function line() external {
        (bool done,) = CONSOLE.staticcall(abi.encodeWithSignature("log(string)", string(new bytes(8_000_000))));
        done;
    }
}

/// Writes thousands of slots, transient ones as well.
contract StorageFloodTest is Hostile {
    mapping(uint256 => uint256) slots;

    function attack(uint256 seed) external {
        for (uint256 i = 0; i < 20_000; i++) slots[seed + i] = i + 1;
    }

    function transient_(uint256 seed) external {
        for (uint256 i = 0; i < 100_000; i++) {
            assembly {
                tstore(add(seed, i), not(0))
            }
        }
    }
}

/// Takes lists of lists of bytes, and long lists.
contract WideInputsTest is Hostile {
    struct Node {
        bytes[][] data;
        string[3][] names;
        uint256[100] numbers;
    }

    uint256 public total;

    function attack(Node[] calldata nodes, uint256[1000] calldata numbers) external {
        total += nodes.length + numbers[999];
    }

    function testFuzz_lists(bytes[][] calldata lists, Node[][2] calldata nodes) external pure {
        bytes memory all;
        for (uint256 i = 0; i < lists.length; i++) all = abi.encode(all, lists[i], nodes);
    }
}

/// Takes arguments that no memory holds.
contract HugeInputsTest is Hostile {
    error Huge(uint256[100_000_000] numbers);

    uint256 public total;

    function attack(uint256[100_000_000] calldata numbers) external {
        total += numbers[3];
    }

    function look(uint256[100_000_000] calldata numbers) external pure returns (uint256) {
        return numbers[3];
    }

    function fail() external pure {
        assembly {
            mstore(0, shl(224, 0x12345678))
            revert(0, 4)
        }
    }

    function testFuzz_numbers(uint256[100_000_000] calldata numbers) external pure {
        require(numbers[3] != 7, "seven");
    }
}

/// Takes snapshots for ever.
contract SnapshotsTest is Hostile {
    function attack() external {
        for (uint256 i = 0; i < 5_000; i++) vm.snapshotState();
    }
}

/// Asks for text of megabytes.
contract LongTextTest is Hostile {
    function attack() external {
        vm.toString(new bytes(10_000_000));
    }

    function nested() external {
        bytes memory json = new bytes(200_000);
        for (uint256 i = 0; i < json.length; i++) json[i] = "[";
        vm.parseJson(string(json));
    }

    function toml() external {
        bytes memory text = new bytes(200_000);
        text[0] = "a";
        text[1] = "=";
        for (uint256 i = 2; i < text.length; i++) text[i] = "[";
        vm.parseToml(string(text));
    }
}
