//! Body of the test: the calls of the sequence, and the check that shows the failure.

use super::{ReproducerGoal, ReproducerInput, scene};
use crate::{
    model::{Entry, Input, PROBE_SLOT, SequenceCall, format::Style},
    report::literal,
};
use alloy_primitives::{U256, hex};

/// Length of the longest comment on a call, in characters.
const COMMENT: usize = 160;

/// Most arguments that are written as literals; a call with more arguments is written as raw calldata.
const MOST_ARGUMENTS: usize = 6;

/// Writes the calls, and then the check that shows the failure.
pub(super) fn body(input: &ReproducerInput<'_>, id: &str) -> String {
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
        Some(scene) => scene::creation(tx, scene, id),
        None => {
            let data = encoded(call).unwrap_or_else(|| format!("hex\"{}\"", hex::encode(&call.calldata)));
            format!("send_{id}({}, {}, {}, {data});\n", tx.sender, tx.target, tx.value)
        }
    };
    if let Some((account, back)) = call.called_back_by.zip(tx.reentry.as_deref()) {
        let data = hex::encode(back.input.calldata());
        let value = input.scene.map_or(U256::ZERO, |_| back.value(tx.value));
        out += &format!("        arm_{id}({account}, {}, {value}, hex\"{data}\");\n", back.target);
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
    let Input::Typed { function, args } = &call.tx.input else { return None };
    if args.len() > MOST_ARGUMENTS || function.entry() != Entry::Selector {
        return None;
    }
    let mut words = vec![literal::string(function.signature())];
    for arg in &**args {
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
