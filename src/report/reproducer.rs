//! A counterexample as a Solidity test that fails under plain `forge test` for the same reason.
//!
//! The test contract extends the user's own, so that deployment and `setUp` are those of the campaign. All calls
//! are made at low level: the file needs nothing that the user's contract declares, whatever the types of the
//! arguments. What differs from the campaign is that the calls share one transaction.

use crate::{
    model::{ContractId, SequenceCall, format::Style},
    report::literal,
};
use alloy_primitives::{I256, hex, keccak256};

/// Longest comment on a call, in characters.
const COMMENT: usize = 160;

/// What a test has to do for the failure to show after its sequence.
#[derive(Clone, Copy, Debug)]
pub enum Goal<'a> {
    /// The last call of the sequence itself fails (a broken assertion, or a revert under `fail_on_revert`).
    LastCall,
    /// A broken invariant.
    Invariant {
        /// Its signature, `invariant_x()`.
        signature: &'a str,
        /// Whether the contract has an `afterInvariant()`, which Forge calls next.
        after_invariant: bool,
    },
    /// An optimization, whose test fails as long as the sequence reaches the value.
    Optimum {
        /// Its signature, `invariant_max()`.
        signature: &'a str,
        /// The value reached.
        best: I256,
    },
}

/// A counterexample and where its test goes.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The test contract whose `setUp` precedes the sequence.
    pub suite: &'a ContractId,
    /// Directory of the file, relative to the project's root and inside it, with `/` as separator.
    pub dir: &'a str,
    /// The sequence.
    pub calls: &'a [SequenceCall],
    /// How the failure shows.
    pub goal: Goal<'a>,
    /// Its reason as reported.
    pub reason: &'a str,
}

/// A test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproducer {
    /// Its path relative to the project's root.
    pub path: String,
    /// The contract in it.
    pub contract: String,
    /// The test function, without parentheses.
    pub test: String,
    /// The Solidity source.
    pub source: String,
}

/// Writes the test. Names in it end in a hash of the counterexample: they clash with nothing, and the same
/// counterexample gives the same file.
#[must_use]
pub fn reproducer(input: &Input<'_>) -> Reproducer {
    let id = id(input);
    let subject = match input.goal {
        Goal::LastCall => {
            input.calls.last().and_then(|call| call.tx.input.function()).map_or("call", |f| &f.name)
        }
        Goal::Invariant { signature, .. } | Goal::Optimum { signature, .. } => {
            signature.trim_end_matches("()")
        }
    };
    let contract =
        format!("Repro_{}_{}_{id}", literal::identifier(&input.suite.name), literal::identifier(subject));
    let test = format!("test_repro_{id}");
    let dir = input.dir.trim_matches('/').trim_start_matches("./");
    let path =
        if matches!(dir, "" | ".") { format!("{contract}.t.sol") } else { format!("{dir}/{contract}.t.sol") };
    let body = body(input, &id);
    let import = literal::string(&import(&path, &input.suite.path));
    let source = format!(
        "{header}pragma solidity >=0.6.2;\n\nimport {{{base}}} from {import};\n\n{vm}\ncontract {contract} is {base} {{\n    function {test}() public {{\n{body}    }}\n\n{helpers}}}\n",
        header = header(input, &path, &test),
        base = input.suite.name,
        vm = HarveyTemplate(VM).fill(&id, ""),
        helpers = HarveyTemplate(HELPERS).fill(&id, &literal::string(input.reason)),
    );
    Reproducer { path, contract, test, source }
}

/// Eight hexadecimal digits that tell counterexamples apart.
fn id(input: &Input<'_>) -> String {
    let mut text = format!("{}|{:?}|{}", input.suite, input.goal, input.reason);
    for call in input.calls {
        let tx = &call.tx;
        text += &format!("|{}{}{}{}{}{}", tx.sender, tx.target, tx.value, tx.warp, tx.roll, call.calldata);
    }
    hex::encode(&keccak256(text)[..4])
}

/// The import path from one file of the project to another.
fn import(from: &str, to: &str) -> String {
    let depth = from.split('/').filter(|part| !matches!(*part, "" | ".")).count() - 1;
    if depth == 0 { format!("./{to}") } else { "../".repeat(depth) + to }
}

fn header(input: &Input<'_>, path: &str, test: &str) -> String {
    let comment = |text: &str| literal::comment(text, COMMENT);
    let what = match input.goal {
        Goal::LastCall => "its last call fails",
        Goal::Invariant { .. } => "the invariant is broken",
        Goal::Optimum { .. } => "the optimization reaches its value",
    };
    format!(
        "// SPDX-License-Identifier: UNLICENSED\n\
         // Found by forge-harvey: after setUp() of {} and the calls below {what}.\n\
         // Reason: {}\n\
         // Run: forge test --match-path {} --match-test {test}\n",
        comment(&input.suite.to_string()),
        comment(input.reason),
        comment(path),
    )
}

/// The calls, then what shows the failure.
fn body(input: &Input<'_>, id: &str) -> String {
    let mut out = String::new();
    for (i, call) in input.calls.iter().enumerate() {
        let last = i + 1 == input.calls.len();
        out += &statements(call, id, last && matches!(input.goal, Goal::LastCall));
    }
    match input.goal {
        Goal::LastCall => {}
        Goal::Invariant { signature, after_invariant } => {
            for signature in
                [Some(signature), after_invariant.then_some("afterInvariant()")].into_iter().flatten()
            {
                out += &format!("        hold_{id}({});\n", literal::string(signature));
            }
        }
        Goal::Optimum { signature, best } => {
            out += &format!(
                "        (bool ok, bytes memory result) = property_{id}({});\n",
                literal::string(signature)
            );
            let reason = literal::string(&format!("{signature} reaches {best}"));
            out += &format!("        require(!ok || abi.decode(result, (int256)) < {best}, {reason});\n");
        }
    }
    out
}

/// One call with its delays, described in a comment; `checked` when its failure is the failure.
fn statements(call: &SequenceCall, id: &str, checked: bool) -> String {
    let tx = &call.tx;
    let mut out = format!("        // {}\n", literal::comment(&describe(call), COMMENT));
    if !tx.warp.is_zero() || !tx.roll.is_zero() {
        out += &format!("        advance_{id}({}, {});\n", tx.warp, tx.roll);
    }
    let data = hex::encode(&call.calldata);
    let send = format!("send_{id}({}, {}, {}, hex\"{data}\");\n", tx.sender, tx.target, tx.value);
    if checked {
        out + &format!("        (bool ok, bytes memory result) = {send}        check_{id}(ok, result);\n")
    } else {
        out + &format!("        {send}")
    }
}

/// `Bank.deposit(65)`.
fn describe(call: &SequenceCall) -> String {
    let contract = call.contract.as_deref().map(|name| name.rsplit_once(':').map_or(name, |(_, name)| name));
    let contract = contract.map_or_else(|| call.tx.target.to_string(), Into::into);
    match (call.tx.input.function(), call.args(Style::Raw)) {
        (Some(function), Some(args)) => format!("{contract}.{}({args})", function.name),
        _ => format!("{contract}, calldata not decoded"),
    }
}

/// Source with `ID` and `REASON` to be replaced.
struct HarveyTemplate(&'static str);

impl HarveyTemplate {
    fn fill(&self, id: &str, reason: &str) -> String {
        self.0.replace("ID", id).replace("REASON", reason)
    }
}

const VM: &str = r#"interface Vm_ID {
    function warp(uint256 timestamp) external;
    function roll(uint256 number) external;
    function getBlockTimestamp() external view returns (uint256);
    function getBlockNumber() external view returns (uint256);
    function deal(address account, uint256 balance) external;
    function prank(address sender, address origin) external;
    function startPrank(address sender, address origin) external;
    function stopPrank() external;
    function readCallers() external view returns (uint8 mode, address sender, address origin);
    function load(address account, bytes32 slot) external view returns (bytes32);
}
"#;

const HELPERS: &str = r#"    Vm_ID private constant vm_ID = Vm_ID(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

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
        vm_ID.prank(sender, sender);
        (ok, result) = target.call{value: value}(data);
        if (mode == 3) vm_ID.prank(pranked, origin);
        if (mode == 4) vm_ID.startPrank(pranked, origin);
    }

    // Calls a function of this contract, public or external, without changing msg.sender.
    function property_ID(string memory signature) private returns (bool, bytes memory) {
        return address(this).delegatecall(abi.encodeWithSignature(signature));
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
