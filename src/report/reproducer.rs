//! Reproducer: a counterexample as a Solidity test that fails under plain `forge test` for the same reason.
//!
//! The test contract extends the user's test contract, so that deployment and `setUp` are those of the
//! campaign. All calls are low-level calls: the file needs nothing that the user's contracts declare,
//! whatever the types of the arguments. One difference from the campaign remains: the calls share one
//! transaction.
//!
//! Each call is made under a prank, which sets `msg.sender` and `tx.origin`. A handler that pranks itself
//! would fail under a prank, since Forge does not nest `prank` and `startPrank`. In that case the sender
//! makes the call: it temporarily gets code, which restores the old code and then makes the call. `tx.origin`
//! is then the same for all calls. A prank that `setUp` leaves active does not affect calls of the test
//! contract's own functions.

use crate::{
    model::{self, ContractId, Entry, PROBE_SLOT, Scene, SequenceCall, Trace, TraceKind, format::Style},
    report::{literal, trace::VM},
};
use alloy_primitives::{Address, I256, hex, keccak256};

mod scene;
mod template;

/// Length of the longest comment on a call, in characters.
const COMMENT: usize = 160;

/// Most arguments that are written as literals; a call with more arguments is written as raw calldata.
const MOST_ARGUMENTS: usize = 6;

/// Condition that the test checks after its sequence, so that it fails.
#[derive(Clone, Copy, Debug)]
pub enum ReproducerGoal<'a> {
    /// The last call of the sequence itself fails (a broken assertion, or a revert under `fail_on_revert`).
    LastCall,
    /// The last call succeeds, although it should not.
    GoesThrough,
    /// This account calls back in the last call, and the callback succeeds.
    CallsBack(Address),
    /// The last call writes [`PROBE_SLOT`] in the storage of this account.
    Write(Address),
    /// A broken invariant.
    Invariant {
        /// Signature, as in `invariant_x()`.
        signature: &'a str,
        /// True if the contract has an `afterInvariant()`, which Forge calls next.
        after_invariant: bool,
    },
    /// A property that must return true, by its signature.
    Predicate(&'a str),
    /// A property that must revert, by its signature.
    Refusal(&'a str),
    /// An optimization; the test fails as long as the sequence reaches the value.
    Optimum {
        /// Signature, as in `invariant_max()`.
        signature: &'a str,
        /// The value reached.
        best: I256,
    },
}

/// A counterexample and the place of its test.
#[derive(Clone, Copy, Debug)]
pub struct ReproducerInput<'a> {
    /// The test contract whose `setUp` precedes the sequence.
    pub suite: &'a ContractId,
    /// Directory of the file, relative to the project's root and inside it, with `/` as separator.
    pub dir: &'a str,
    /// The sequence.
    pub calls: &'a [SequenceCall],
    /// Condition that shows the failure.
    pub goal: ReproducerGoal<'a>,
    /// Reason of the failure, as reported.
    pub reason: &'a str,
    /// True if a call of the sequence pranks, see [`pranks`].
    pub pranks: bool,
    /// Id of the finding, if the same calls may show several findings; empty otherwise.
    pub finding: &'a str,
    /// State before the first call, if the contract was called without a test contract.
    pub scene: Option<&'a Scene>,
    /// Settings in the comments of the test contract, and of the property or of the functions of its
    /// campaign. Forge applies neither to a contract that extends the test contract.
    pub comments: [&'a [String]; 2],
}

/// Tells whether an executed call uses a prank cheatcode. Returns true if there are no traces.
#[must_use]
pub fn pranks(traces: &[(TraceKind, Trace)]) -> bool {
    let signatures = ["address", "address,address", "address,bool", "address,address,bool"]
        .into_iter()
        .flat_map(|args| [format!("prank({args})"), format!("startPrank({args})")])
        .chain(["stopPrank()".to_owned(), "readCallers()".to_owned()]);
    let selectors: Vec<_> = signatures.map(|signature| keccak256(signature)[..4].to_vec()).collect();
    let mut executed = traces.iter().filter(|(kind, _)| *kind == TraceKind::Execution).peekable();
    executed.peek().is_none()
        || executed.flat_map(|(_, trace)| &trace.frames).any(|frame| {
            frame.message.code_address == VM
                && selectors.iter().any(|selector| frame.message.input.starts_with(selector))
        })
}

/// A test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproducer {
    /// Path relative to the project's root.
    pub path: String,
    /// Name of the contract in it.
    pub contract: String,
    /// Name of the test function, without parentheses.
    pub test: String,
    /// The Solidity source.
    pub source: String,
}

/// Writes the test. Its names end in a hash of the counterexample: they are unique, and the same
/// counterexample gives the same file.
#[must_use]
pub fn reproducer(input: &ReproducerInput<'_>) -> Reproducer {
    let id = id(input);
    let subject = match input.goal {
        ReproducerGoal::LastCall
        | ReproducerGoal::GoesThrough
        | ReproducerGoal::CallsBack(_)
        | ReproducerGoal::Write(_) => {
            input.calls.last().and_then(|call| call.tx.input.function()).map_or("call", |f| &f.name)
        }
        ReproducerGoal::Invariant { signature, .. }
        | ReproducerGoal::Predicate(signature)
        | ReproducerGoal::Refusal(signature)
        | ReproducerGoal::Optimum { signature, .. } => signature.trim_end_matches("()"),
    };
    let suite = bare(&input.suite.name);
    let contract = format!("Repro_{}_{}_{id}", literal::identifier(suite), literal::identifier(subject));
    let test = format!("test_repro_{id}");
    let dir = input.dir.trim_start_matches("./").trim_matches('/');
    let path = if dir.is_empty() { format!("{contract}.t.sol") } else { format!("{dir}/{contract}.t.sol") };
    let fill = |part: &str| part.replace("ID", &id);
    let import = match input.scene {
        Some(_) => String::new(),
        None => {
            format!("import {{{suite}}} from {};\n\n", literal::string(&import(&path, &input.suite.path)))
        }
    };
    let base = if input.scene.is_some() { String::new() } else { format!(" is {suite}") };
    let calls_back = input.calls.iter().any(|call| call.called_back_by.is_some());
    let set_up = input.scene.map(|scene| scene::set_up(scene, input.calls, &id));
    let send = if input.pranks { template::SEND_AS_SENDER } else { template::SEND_UNDER_PRANK };
    let check = fill(template::CHECK).replace("REASON", &literal::string(input.reason));
    let source = [
        header(input, &path, &test),
        format!("pragma solidity >=0.6.2;\n\n{import}"),
        fill(template::VM_INTERFACE),
        if input.pranks { fill(template::SENDER) } else { String::new() },
        if calls_back { fill(template::CALLER) } else { String::new() },
        format!(
            "{}contract {contract}{base} {{\n{}{}{}    function {test}() public {{\n",
            settings(input.comments[0], &["invariant"], ""),
            set_up.unwrap_or_default(),
            // `sender` is left out, since a plain test has no sender that calls an invariant; see [`origin`].
            settings(input.comments[1], &["invariant", "sender"], "    "),
            origin(input)
        ),
        body(input, &id) + "    }\n\n",
        fill(template::HELPERS) + &fill(send) + &check,
        input.scene.map(|_| fill(template::CREATE)).unwrap_or_default(),
        if calls_back { fill(template::ARM) } else { String::new() } + "}\n",
    ];
    let source = source.concat();
    Reproducer { path, contract, test, source }
}

/// Returns the name of the contract in the source. The name of an artifact may end in a version or profile.
fn bare(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Returns eight hexadecimal digits that identify the counterexample.
fn id(input: &ReproducerInput<'_>) -> String {
    let mut text = format!("{}|{:?}|{}", input.suite, input.goal, input.reason);
    for call in input.calls {
        let tx = &call.tx;
        text += &format!("|{}{}{}{}{}{}", tx.sender, tx.target, tx.value, tx.warp, tx.roll, call.calldata);
        text += &tx.reentry.as_ref().map(|back| back.input.calldata().to_string()).unwrap_or_default();
    }
    text += input.finding;
    hex::encode(&keccak256(text)[..4])
}

/// Returns the import path from one file of the project to another, both relative to the root.
fn import(from: &str, to: &str) -> String {
    match from.matches('/').count() {
        0 => format!("./{to}"),
        depth => "../".repeat(depth) + to,
    }
}

fn header(input: &ReproducerInput<'_>, path: &str, test: &str) -> String {
    let comment = |text: &str| literal::comment(text, usize::MAX);
    let what = match input.goal {
        ReproducerGoal::LastCall => "its last call fails",
        ReproducerGoal::GoesThrough => "the last one goes through",
        ReproducerGoal::CallsBack(_) => "a callee of the last one calls back",
        ReproducerGoal::Write(_) => "the last one writes where it is told to",
        ReproducerGoal::Invariant { .. } | ReproducerGoal::Predicate(_) | ReproducerGoal::Refusal(_) => {
            "the invariant is broken"
        }
        ReproducerGoal::Optimum { .. } => "the optimization reaches its value",
    };
    let after = match input.scene {
        Some(_) => "after the deployment of",
        None => "after setUp() of",
    };
    format!(
        "// SPDX-License-Identifier: UNLICENSED\n\
         // Found by forge-harvey: {after} {} and the calls below {what}.\n\
         // Reason: {}\n\
         // Run: forge test --match-path {} --match-test {test}\n",
        comment(&input.suite.to_string()),
        comment(input.reason),
        comment(path),
    )
}

/// Writes comments with settings, without the settings of `skipped` keys. A profile precedes each key.
fn settings(comments: &[String], skipped: &[&str], indent: &str) -> String {
    let key = |line: &str| {
        let (_, key) = line.split_once('.')?;
        key.split(['.', '=']).next().map(|key| key.trim().to_owned())
    };
    let kept = comments.iter().filter(|line| key(line).is_none_or(|key| !skipped.contains(&&*key)));
    kept.map(|line| format!("{indent}/// forge-config: {line}\n")).collect()
}

/// Writes the `sender` setting if the calls are made without pranks and have a common sender. Without pranks
/// `tx.origin` is the configured sender.
fn origin(input: &ReproducerInput<'_>) -> String {
    let mut senders: Vec<Address> = input.calls.iter().map(|call| call.tx.sender).collect();
    senders.dedup();
    match senders[..] {
        [sender] if input.pranks => format!("    /// forge-config: default.sender = \"{sender}\"\n"),
        _ => String::new(),
    }
}

/// Writes the calls, and then the check that shows the failure.
fn body(input: &ReproducerInput<'_>, id: &str) -> String {
    let mut out = String::new();
    for (i, call) in input.calls.iter().enumerate() {
        let last = i + 1 == input.calls.len();
        if last && matches!(input.goal, ReproducerGoal::Write(_)) {
            out += &format!("        vm_{id}.record();\n");
        }
        let is_checked = last && matches!(input.goal, ReproducerGoal::LastCall | ReproducerGoal::GoesThrough);
        out += &statements(call, input, id, is_checked);
    }
    match input.goal {
        ReproducerGoal::LastCall | ReproducerGoal::GoesThrough => {}
        ReproducerGoal::CallsBack(account) => {
            let reason = literal::string(input.reason);
            out += &format!("        require(!Caller_{id}(payable({account})).hasCalledBack(), {reason});\n");
        }
        ReproducerGoal::Write(account) => {
            let reason = literal::string(input.reason);
            out += &format!(
                "        (, bytes32[] memory written) = vm_{id}.accesses({account});\n        \
                 for (uint256 i = 0; i < written.length; i++) {{\n            \
                 require(written[i] != {:#066x}, {reason});\n        }}\n",
                PROBE_SLOT
            );
        }
        ReproducerGoal::Invariant { signature, after_invariant } => {
            for signature in
                [Some(signature), after_invariant.then_some("afterInvariant()")].into_iter().flatten()
            {
                out += &format!("        hold_{id}({});\n", literal::string(signature));
            }
        }
        ReproducerGoal::Predicate(signature) | ReproducerGoal::Refusal(signature) => {
            let (result, holds) = match input.goal {
                ReproducerGoal::Refusal(_) => ("", "!ok"),
                _ => ("bytes memory result", "ok && abi.decode(result, (bool))"),
            };
            let [signature, reason] = [signature, input.reason].map(literal::string);
            out += &format!("        (bool ok, {result}) = property_{id}({signature});\n");
            out += &format!("        require({holds}, {reason});\n");
        }
        ReproducerGoal::Optimum { signature, best } => {
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

/// Writes one call with its delays, after a comment that describes it. `checked` is true if the result of
/// this call decides whether the test fails.
fn statements(call: &SequenceCall, input: &ReproducerInput<'_>, id: &str, checked: bool) -> String {
    let tx = &call.tx;
    let mut out = format!("        // {}\n", literal::comment(&describe(call), COMMENT));
    if !tx.warp.is_zero() || !tx.roll.is_zero() {
        out += &format!("        advance_{id}({}, {});\n", tx.warp, tx.roll);
    }
    let send = match input.scene.filter(|_| call.tx.input.is_creation()) {
        Some(scene) => scene::creation(tx, &scene.contract, &scene.initializers, id),
        None => {
            let data = encoded(call).unwrap_or_else(|| format!("hex\"{}\"", hex::encode(&call.calldata)));
            format!("send_{id}({}, {}, {}, {data});\n", tx.sender, tx.target, tx.value)
        }
    };
    if let Some((account, back)) = call.called_back_by.zip(tx.reentry.as_deref()) {
        let data = hex::encode(back.input.calldata());
        out += &format!("        arm_{id}({account}, {}, hex\"{data}\");\n", back.target);
    }
    if checked && matches!(input.goal, ReproducerGoal::GoesThrough) {
        let reason = literal::string(input.reason);
        out + &format!("        (bool ok, ) = {send}        require(!ok, {reason});\n")
    } else if checked {
        out + &format!("        (bool ok, bytes memory result) = {send}        check_{id}(ok, result);\n")
    } else {
        out + &format!("        {send}")
    }
}

/// Writes calldata as `abi.encodeWithSignature("deposit(uint256)", 65)`. Returns `None` if an argument has no
/// literal, if there are too many arguments for the compiler's stack, or if the function has no selector.
fn encoded(call: &SequenceCall) -> Option<String> {
    let model::Input::Typed { function, args } = &call.tx.input else { return None };
    if args.len() > MOST_ARGUMENTS || function.entry() != Entry::Selector {
        return None;
    }
    let mut words = vec![literal::string(function.signature())];
    for arg in args {
        words.push(literal::value(arg)?);
    }
    Some(format!("abi.encodeWithSignature({})", words.join(", ")))
}

/// Describes a call as `Bank.deposit(65)`.
fn describe(call: &SequenceCall) -> String {
    let contract = call.contract.as_deref().map(|name| name.rsplit_once(':').map_or(name, |(_, name)| name));
    let contract = contract.map_or_else(|| call.tx.target.to_string(), Into::into);
    match (call.tx.input.function(), call.args(Style::Raw)) {
        (Some(function), Some(args)) => format!("{contract}.{}({args})", function.name),
        _ => format!("{contract}, calldata not decoded"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;
    use alloy_primitives::U256;

    fn suite() -> ContractId {
        ContractId { path: "test/A.t.sol".into(), name: "FailInv".into() }
    }

    fn render(calls: &[SequenceCall], goal: ReproducerGoal<'_>, pranks: bool) -> Reproducer {
        render_under([&[], &[]], calls, goal, pranks)
    }

    fn render_under(
        comments: [&[String]; 2],
        calls: &[SequenceCall],
        goal: ReproducerGoal<'_>,
        pranks: bool,
    ) -> Reproducer {
        let reason = "last must be \"zero\"\nü";
        let (scene, finding) = (None, "");
        reproducer(&ReproducerInput {
            finding,
            suite: &suite(),
            dir: "test/repro/",
            calls,
            goal,
            reason,
            pranks,
            scene,
            comments,
        })
    }

    fn broken() -> ReproducerGoal<'static> {
        ReproducerGoal::Invariant { signature: "invariant_x()", after_invariant: true }
    }

    #[test]
    fn a_test_replays_the_calls_and_then_asks_the_invariant() {
        let mut first = samples::deposit(123_456);
        (first.tx.warp, first.tx.roll, first.tx.value) = (U256::from(5), U256::from(6), U256::from(7));
        let repro = render(&[first, samples::unknown_call()], broken(), false);
        let head = repro.source.split("interface").next().unwrap();
        insta::assert_snapshot!(head, @r#"
        // SPDX-License-Identifier: UNLICENSED
        // Found by forge-harvey: after setUp() of test/A.t.sol:FailInv and the calls below the invariant is broken.
        // Reason: last must be "zero"\n\u{fc}
        // Run: forge test --match-path test/repro/Repro_FailInv_invariant_x_881bc12e.t.sol --match-test test_repro_881bc12e
        pragma solidity >=0.6.2;

        import {FailInv} from "../../test/A.t.sol";
        "#);
        let test = repro.source.split("contract Repro").nth(1).unwrap().split("    Vm_").next().unwrap();
        insta::assert_snapshot!(test, @r#"
        _FailInv_invariant_x_881bc12e is FailInv {
            function test_repro_881bc12e() public {
                // Bank.deposit(123456)
                advance_881bc12e(5, 6);
                send_881bc12e(0x0000000000000000000000000000000000001234, 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f, 7, abi.encodeWithSignature("deposit(uint256)", 123456));
                // Bank, calldata not decoded
                send_881bc12e(0x0000000000000000000000000000000000001234, 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f, 0, hex"0102030405");
                hold_881bc12e("invariant_x()");
                hold_881bc12e("afterInvariant()");
            }
        "#);
        assert!(repro.source.contains(r#""last must be \"zero\"\x0a\xc3\xbc");"#));
    }

    #[test]
    fn a_broken_assertion_is_the_failure_of_the_last_call_alone() {
        let calls = [samples::deposit(1), samples::deposit(2)];
        let source = render(&calls, ReproducerGoal::LastCall, false).source;
        assert_eq!(source.matches("(bool ok, bytes memory result) = send_").count(), 1);
        assert!(!source.contains("        hold_"));
    }

    #[test]
    fn an_arbitrary_write_fails_as_long_as_the_last_call_makes_it() {
        let goal = ReproducerGoal::Write(Address::repeat_byte(7));
        let source = render(&[samples::deposit(1), samples::deposit(2)], goal, false).source;
        let test = source.split("deposit(2)").nth(1).unwrap().split("    }\n\n").next().unwrap();
        insta::assert_snapshot!(test, @r#"

        send_fb7d4e9f(0x0000000000000000000000000000000000001234, 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f, 0, abi.encodeWithSignature("deposit(uint256)", 2));
        (, bytes32[] memory written) = vm_fb7d4e9f.accesses(0x0707070707070707070707070707070707070707);
        for (uint256 i = 0; i < written.length; i++) {
            require(written[i] != 0x2d7c96319ad634a917ceecf40600310a343fd15aab05fe309b02f8b6bd084daf, "last must be \"zero\"\x0a\xc3\xbc");
        }
        "#);
        assert_eq!(source.matches(".record();").count(), 1);
    }

    #[test]
    fn an_optimum_fails_as_long_as_it_is_reached() {
        let goal = ReproducerGoal::Optimum { signature: "invariant_max()", best: I256::MINUS_ONE };
        let source = render(&[samples::deposit(1)], goal, false).source;
        assert!(
            source.contains(
                r#"require(!ok || abi.decode(result, (int256)) < -1, "invariant_max() reaches -1");"#
            )
        );
    }

    #[test]
    fn calls_that_prank_are_made_by_the_sender_itself() {
        let one = samples::deposit(1);
        let mut other = samples::deposit(2);
        other.tx.sender = Address::repeat_byte(9);
        let same = render(&[one.clone(), one.clone()], broken(), true).source;
        assert!(same.contains(".etch(sender") && !same.contains(".prank(sender"));
        assert!(
            same.contains(
                r#"/// forge-config: default.sender = "0x0000000000000000000000000000000000001234""#
            )
        );
        assert!(!render(&[one, other], broken(), true).source.contains("forge-config"));
    }

    #[test]
    fn settings_in_comments_are_repeated_as_far_as_they_count_for_a_plain_test() {
        let contract = ["default.invariant.runs = 3", "default.evm_version = \"london\""].map(str::to_owned);
        let function = ["ci.sender = \"0x01\"", "default.assertions_revert = false"].map(str::to_owned);
        let source = render_under([&contract, &function], &[samples::deposit(1)], broken(), true).source;
        let lines: Vec<_> = source.lines().filter(|line| line.contains("forge-config")).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        /// forge-config: default.evm_version = "london"
            /// forge-config: default.assertions_revert = false
            /// forge-config: default.sender = "0x0000000000000000000000000000000000001234"
        "#);
    }

    #[test]
    fn no_placeholder_remains_and_names_differ_between_counterexamples() {
        let repro = |amount| render(&[samples::deposit(amount)], broken(), true);
        let (one, two) = (repro(1), repro(2));
        assert_eq!(one, repro(1));
        assert_ne!((one.contract, one.test), (two.contract, two.test));
        assert!(!one.source.contains("_ID") && !one.source.contains("REASON"));
    }

    #[test]
    fn a_suite_of_several_compilers_is_imported_by_the_name_in_its_source() {
        let suite = ContractId { name: "FailInv.0.8.23".into(), ..suite() };
        let (dir, reason, comments) = ("test/repro", "no", [&[][..], &[][..]]);
        let (goal, pranks, finding, scene) = (broken(), false, "", None);
        let input = ReproducerInput {
            suite: &suite,
            dir,
            calls: &[],
            goal,
            reason,
            pranks,
            finding,
            scene,
            comments,
        };
        let source = reproducer(&input).source;
        assert!(source.contains("import {FailInv} from") && source.contains(" is FailInv {"), "{source}");
    }

    #[test]
    fn imports_are_relative_to_the_file() {
        assert_eq!(import("R.t.sol", "test/A.t.sol"), "./test/A.t.sol");
        assert_eq!(import("test/repro/R.t.sol", "test/A.t.sol"), "../../test/A.t.sol");
    }

    #[test]
    fn pranks_are_seen_in_executed_traces_and_assumed_without_any() {
        let mut trace = samples::invariant_trace();
        let vm = trace.frames.iter_mut().find(|frame| frame.message.code_address == VM).unwrap();
        vm.message.input = keccak256("startPrank(address,address)")[..4].to_vec().into();
        assert!(pranks(&[(TraceKind::Execution, trace.clone())]));
        assert!(!pranks(&[(TraceKind::Setup, trace), (TraceKind::Execution, samples::deposit_trace())]));
        assert!(pranks(&[]));
    }
}
