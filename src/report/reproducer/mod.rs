//! Reproducer: a counterexample as a Solidity test that fails under plain `forge test` for the same reason.
//!
//! The test contract extends the user's test contract, so that deployment and `setUp` are those of the
//! campaign. If possible, the calls are those that a person would write, on variables of the test contract. Otherwise
//! they are low-level calls: the file then needs nothing that the user's contracts declare, whatever the types of the
//! arguments. One difference from the campaign remains: the calls share one
//! transaction.
//!
//! Each call is made under a prank, which sets `msg.sender` and `tx.origin`. A handler that pranks itself
//! would fail under a prank, since Forge does not nest `prank` and `startPrank`. In that case the sender
//! makes the call: it temporarily gets code, which restores the old code and then makes the call. `tx.origin`
//! is then the same for all calls. A prank that `setUp` leaves active does not affect calls of the test
//! contract's own functions.
//!
//! | file | content |
//! |---|---|
//! | `mod` | the file, put together from its parts |
//! | `plain` | the plain form, for calls that a person could write |
//! | `header` | comments: header and settings |
//! | `scene` | `setUp` of a contract that is called without a test contract |
//! | `body` | calls of the sequence, and the check that shows the failure |
//! | `template` | parts that are the same in every file |
//! | `pranks` | search for prank cheatcodes in traces |

mod body;
mod header;
mod plain;
mod pranks;
mod scene;
mod template;

use crate::{
    model::{ContractId, Scene, SequenceCall},
    report::literal,
};
use alloy_primitives::{Address, I256, hex, keccak256};
use body::body;
use header::{header, marker, origin, settings};
pub(super) use plain::actor;
pub use plain::{ACTORS, CHEATCODES, PlainNames, THIS, has_literals};
pub use pranks::pranks;
use std::collections::BTreeSet;

/// Condition that the test checks after its sequence, so that it fails.
#[derive(Clone, Copy, Debug)]
pub enum ReproducerGoal<'a> {
    /// The last call of the sequence itself fails (a broken assertion, or a revert under `fail_on_revert`).
    LastCall,
    /// The last call succeeds, although it should not.
    GoesThrough,
    /// This account calls back in the last call, and the callback succeeds.
    CallsBack(Address),
    /// The last call writes [`PROBE_SLOT`](crate::model::PROBE_SLOT) in the storage of this account.
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
    /// Names for the plain form, if the calls can be written in it.
    pub plain: Option<&'a PlainNames>,
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
    /// Beginning of the command that runs it: an environment variable and a blank, or nothing.
    pub variable: String,
    /// The Solidity source.
    pub source: String,
}

/// Writes the test. Its names are those of the suite and of what fails in it, and differ from the names in `taken`,
/// which are lost in files.
#[must_use]
pub fn reproducer(input: &ReproducerInput<'_>, taken: &mut BTreeSet<String>) -> Reproducer {
    let named = named(input, taken);
    match input.plain {
        Some(names) => plain::plain(input, names, named),
        None => general(input, named),
    }
}

/// Returns the names of the file, the contract and the function.
fn named(input: &ReproducerInput<'_>, taken: &mut BTreeSet<String>) -> Reproducer {
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
    let [suite, subject] = [input.suite.bare_name(), subject].map(literal::identifier);
    let names = (1..).map(|number| match number {
        1 => subject.clone(),
        _ => format!("{subject}_{number}"),
    });
    let mut names = names.map(|subject| (format!("Repro_{suite}_{subject}"), subject));
    let (contract, subject) = names.find(|(contract, _)| taken.insert(contract.clone())).expect("endless");
    let dir = input.dir.trim_start_matches("./").trim_matches('/');
    let path = if dir.is_empty() { format!("{contract}.t.sol") } else { format!("{dir}/{contract}.t.sol") };
    let (test, variable) = (format!("test_regression_{subject}"), scene::variable(input.scene));
    Reproducer { path, contract, test, variable, source: String::new() }
}

/// Writes the test with low-level calls.
fn general(input: &ReproducerInput<'_>, named: Reproducer) -> Reproducer {
    let id = id(input);
    let Reproducer { path, contract, test, .. } = &named;
    let suite = input.suite.bare_name();
    let fill = |part: &str| part.replace("ID", &id);
    let import = match input.scene {
        Some(_) => String::new(),
        None => {
            format!("import {{{suite}}} from {};\n\n", literal::string(&import(path, &input.suite.path)))
        }
    };
    let base = if input.scene.is_some() { String::new() } else { format!(" is {suite}") };
    let calls_back = input.calls.iter().any(|call| call.called_back_by.is_some());
    let set_up = input.scene.map(|scene| scene::set_up(scene, input.calls, &id));
    let send = if input.pranks { template::SEND_AS_SENDER } else { template::SEND_UNDER_PRANK };
    let fallback = match input.scene {
        Some(_) => template::CALL_BACK_AS_ACTOR.replace("SLOT", &Scene::ANSWER.to_string()),
        None => template::CALL_BACK.to_owned(),
    };
    let check = fill(template::CHECK).replace("REASON", &literal::string(input.reason));
    let source = [
        header(input, path, test),
        format!("pragma solidity >=0.6.2;\n\n{import}"),
        fill(template::VM_INTERFACE),
        if input.pranks { fill(template::SENDER) } else { String::new() },
        if calls_back { fill(template::CALLER).replace("FALLBACK", &fallback) } else { String::new() },
        format!(
            "{}contract {contract}{base} {{\n{}{}{}    function {test}() public {{\n",
            settings(input.comments[0], &["invariant"], ""),
            set_up.unwrap_or_default(),
            // `sender` is left out, since a plain test has no sender that calls an invariant; see [`origin`].
            settings(input.comments[1], &["invariant", "sender"], "    "),
            origin(input)
        ),
        body(input, &id) + "    }\n\n",
        if input.scene.is_some() { String::new() } else { marker(suite) + "\n" },
        fill(template::HELPERS) + &fill(send) + &check,
        input.scene.map(|_| fill(template::CREATE)).unwrap_or_default(),
        if calls_back { fill(template::ARM) } else { String::new() } + "}\n",
    ];
    let source = source.concat();
    Reproducer { source, ..named }
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

#[cfg(test)]
mod tests;
