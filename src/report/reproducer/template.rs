//! Fixed parts of a reproducer. `ID` is replaced by the hash that makes its names unique.

/// Cheatcodes that the other parts need.
pub(super) const VM_INTERFACE: &str = r#"interface Vm_ID {
    function warp(uint256 timestamp) external;
    function roll(uint256 number) external;
    function getBlockTimestamp() external view returns (uint256);
    function getBlockNumber() external view returns (uint256);
    function deal(address account, uint256 balance) external;
    function etch(address account, bytes calldata code) external;
    function prank(address sender, address origin) external;
    function startPrank(address sender, address origin) external;
    function stopPrank() external;
    function readCallers() external view returns (uint8 mode, address sender, address origin);
    function load(address account, bytes32 slot) external view returns (bytes32);
    function record() external;
    function accesses(address account) external returns (bytes32[] memory reads, bytes32[] memory writes);
    function getCode(string calldata artifact) external view returns (bytes memory);
    function store(address account, bytes32 slot, bytes32 value) external;
    function envString(string calldata name) external view returns (string memory);
    function createSelectFork(string calldata url, uint256 number) external returns (uint256 id);
    function setNonceUnsafe(address account, uint64 nonce) external;
}

"#;

/// Contract with the temporary code of a sender, for [`SEND_AS_SENDER`].
pub(super) const SENDER: &str = r#"// The code that a sender has until it makes its call.
contract Sender_ID {
    function send(address target, uint256 value, bytes calldata data, bytes calldata code)
        external
        returns (bool, bytes memory)
    {
        Vm_ID(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).etch(address(this), code);
        return target.call{value: value}(data);
    }
}

"#;

/// Functions for delays and calls.
pub(super) const HELPERS: &str = concat!(
    "    Vm_ID private constant vm_ID = Vm_ID(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);\n",
    r#"
    // Lets time pass. The compiler takes block.timestamp for a constant, so the cheatcode is asked.
    function advance_ID(uint256 secs, uint256 blocks) private {
        vm_ID.warp(vm_ID.getBlockTimestamp() + secs);
        vm_ID.roll(vm_ID.getBlockNumber() + blocks);
    }

    // Makes one call of the sequence. A prank that setUp left behind is put aside for it.
    function send_ID(address sender, address target, uint256 value, bytes memory data)
        private
        returns (bool ok, bytes memory result)
    {
        if (sender.balance < value) vm_ID.deal(sender, value);
        (uint8 mode, address pranked, address origin) = vm_ID.readCallers();
        if (mode > 2) vm_ID.stopPrank();
        (ok, result) = sendAs_ID(sender, target, value, data);
        if (mode == 3) vm_ID.prank(pranked, origin);
        if (mode == 4) vm_ID.startPrank(pranked, origin);
    }

"#
);

/// Function that sets `msg.sender` and `tx.origin` by a prank.
pub(super) const SEND_UNDER_PRANK: &str = concat!(
    "    function sendAs_ID(address sender, address target, uint256 value, bytes memory data)\n",
    r#"        private
        returns (bool, bytes memory)
    {
        vm_ID.prank(sender, sender);
        return target.call{value: value}(data);
    }

"#
);

/// Function that sets `msg.sender` without a prank.
pub(super) const SEND_AS_SENDER: &str = concat!(
    "    // Pranks of the callee fail under a prank, so the sender itself makes the call.\n",
    r#"    function sendAs_ID(address sender, address target, uint256 value, bytes memory data)
        private
        returns (bool, bytes memory)
    {
        bytes memory code;
        assembly {
            let size := extcodesize(sender)
            code := mload(64)
            mstore(64, add(code, and(add(size, 63), not(31))))
            mstore(code, size)
            extcodecopy(sender, add(code, 32), 0, size)
        }
        vm_ID.etch(sender, type(Sender_ID).runtimeCode);
        return Sender_ID(sender).send(target, value, data, code);
    }

"#
);

/// Functions that check properties and fail with the right reason; `REASON` is replaced by a string literal.
pub(super) const CHECK: &str = r#"    // Calls a function of this contract from where Forge calls invariants.
    function property_ID(string memory signature) private returns (bool, bytes memory) {
        bytes memory data = abi.encodeWithSignature(signature);
        return send_ID(0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38, address(this), 0, data);
    }

    // Fails if that function does.
    function hold_ID(string memory signature) private {
        (bool ok, bytes memory result) = property_ID(signature);
        check_ID(ok, result);
    }

    // Fails as the call failed; where it left no reason, or only the global flag, with the reason reported.
    function check_ID(bool ok, bytes memory result) private view {
        if (!ok && result.length > 0) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
        require(ok && vm_ID.load(address(vm_ID), "failed") == 0, REASON);
    }
"#;

/// Function that creates contracts at given addresses, for a test that extends no contract of the project.
pub(super) const CREATE: &str = r#"
    // Creates a contract at an address: its creation code runs there, and what it returns is put in its place.
    function create_ID(
        bytes memory code,
        address sender,
        address account,
        uint256 value,
        bytes memory args
    ) private returns (bool ok, bytes memory result) {
        vm_ID.etch(account, abi.encodePacked(code, args));
        vm_ID.setNonceUnsafe(account, 1);
        (ok, result) = send_ID(sender, account, value, "");
        if (ok) vm_ID.etch(account, result);
    }
"#;

/// Contract with the code of accounts that call back.
pub(super) const CALLER: &str = r#"// The code of an account that answers a call by calling back.
contract Caller_ID {
    address private target;
    uint256 private amount;
    bytes private data;
    bool public hasCalledBack;

    function arm(address target_, uint256 amount_, bytes calldata data_) external {
        (target, amount, data, hasCalledBack) = (target_, amount_, data_, false);
    }

    fallback() external payable {
FALLBACK        assembly {
            return(add(result, 32), mload(result))
        }
    }
}

"#;

/// Statements by which an account calls back, and answers with the result.
pub(super) const CALL_BACK: &str = "        if (msg.sender != target) return;
        target = address(0);
        bytes memory result;
        (hasCalledBack, result) = msg.sender.call{value: amount}(data);
";

/// The same for an actor of a scan. The sender of the transaction tells it what to answer instead of nothing.
pub(super) const CALL_BACK_AS_ACTOR: &str = "        bytes memory result;
        if (msg.sender == target) {
            target = address(0);
            (hasCalledBack, result) = msg.sender.call{value: amount}(data);
        } else if (msg.data.length == 0) {
            return;
        } else if (msg.sender == tx.origin) {
            assembly {
                sstore(SLOT, calldataload(4))
            }
            return;
        }
        if (result.length == 0) {
            uint256 answer;
            assembly {
                answer := add(sload(SLOT), 1)
            }
            result = abi.encode(answer);
        }
";

/// Function that lets an account call back once.
pub(super) const ARM: &str = r#"
    // Lets an account answer the next call of the target by calling it back.
    function arm_ID(address account, address target, uint256 amount, bytes memory data) private {
        vm_ID.etch(account, type(Caller_ID).runtimeCode);
        Caller_ID(payable(account)).arm(target, amount, data);
    }
"#;
