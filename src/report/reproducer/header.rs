//! Comments of a reproducer: its header, and the settings that apply to its contract and its test.

use super::{ReproducerGoal, ReproducerInput, scene::variable};
use crate::report::literal;
use alloy_primitives::Address;

/// Writes the license, and the reason and command of the test.
pub(super) fn header(input: &ReproducerInput<'_>, path: &str, test: &str) -> String {
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
        Some(scene) if scene.origin.is_created() => "after the deployment of",
        Some(_) => "with the code of",
        None => "after setUp() of",
    };
    format!(
        "// SPDX-License-Identifier: UNLICENSED\n\
         // Found by forge-harvey: {after} {} and the calls below {what}.\n\
         // Reason: {}\n\
         // Run: {}forge test --match-path {} --match-test {test}\n",
        comment(&input.suite.to_string()),
        comment(input.reason),
        variable(input.scene),
        comment(path),
    )
}

/// Writes the function by which Forge 1.8 does not run inherited tests.
pub(super) fn marker(suite: &str) -> String {
    format!(
        "    // With this function, Forge 1.8 runs only `test_regression_*`, and not the tests of {suite} again.\n    \
         function __foundry_symbolic_regression_marker() external pure {{}}\n"
    )
}

/// Writes comments with settings, without the settings of `skipped` keys. A profile precedes each key.
pub(super) fn settings(comments: &[String], skipped: &[&str], indent: &str) -> String {
    let key = |line: &str| {
        let (_, key) = line.split_once('.')?;
        key.split(['.', '=']).next().map(|key| key.trim().to_owned())
    };
    let kept = comments.iter().filter(|line| key(line).is_none_or(|key| !skipped.contains(&&*key)));
    kept.map(|line| format!("{indent}/// forge-config: {line}\n")).collect()
}

/// Writes the `sender` setting if the calls are made without pranks and have a common sender. Without pranks
/// `tx.origin` is the configured sender.
pub(super) fn origin(input: &ReproducerInput<'_>) -> String {
    let mut senders: Vec<Address> = input.calls.iter().map(|call| call.tx.sender).collect();
    senders.dedup();
    match senders[..] {
        [sender] if input.pranks => format!("    /// forge-config: default.sender = \"{sender}\"\n"),
        _ => String::new(),
    }
}
