//! Decides whether a reproducer can have the plain form, and finds the names that it uses.

use crate::{
    model::{ContractId, Entry, FrameResult, Input, SequenceCall, Trace, TraceKind},
    project::Project,
    report::reproducer::{
        ACTORS, CHEATCODES, PlainNames, ReproducerGoal, ReproducerInput, THIS, has_literals,
    },
};
use alloy_json_abi::Function;

/// A counterexample to reproduce, with its replay.
#[derive(Clone, Copy)]
pub(super) struct Replayed<'a> {
    pub(super) input: ReproducerInput<'a>,
    /// Traces of the replay.
    pub(super) traces: &'a [(TraceKind, Trace)],
    /// True if the sequence is one call of a test.
    pub(super) is_test: bool,
}

/// Returns the names for the plain form; `None` if the calls cannot be written in it so that they compile and do the
/// same.
pub(super) fn names(replayed: &Replayed<'_>, project: &Project, via_ir: bool) -> Option<PlainNames> {
    let Replayed { input, traces, is_test } = *replayed;
    let ReproducerInput { suite, calls, goal, pranks, scene, .. } = input;
    let delays = calls.iter().filter(|call| !call.tx.warp.is_zero() || !call.tx.roll.is_zero()).count();
    // Compiled through Yul, `block.timestamp` is read once.
    let is_plain = scene.is_none()
        && matches!(goal, ReproducerGoal::Invariant { .. } | ReproducerGoal::LastCall)
        && (!pranks || is_test)
        && (delays <= 1 || !via_ir)
        && reverts_at_the_end(calls, goal, traces)
        && calls.iter().all(|call| is_writable(call, project));
    if !is_plain {
        return None;
    }
    let variables = project.variables(suite);
    let mut names = PlainNames { has_vm: has_vm(&variables, project), ..PlainNames::default() };
    for call in calls {
        let target = ContractId::parse(call.contract.as_deref()?)?;
        let receiver =
            if is_test { THIS.to_owned() } else { receiver(&target, call, &variables, &mut names)? };
        names.receivers.push(receiver);
    }
    let is_taken = |name: &str| calls.len() > 1 && variables.iter().any(|(known, _)| known == name);
    (!ACTORS.into_iter().chain([CHEATCODES]).any(is_taken)).then_some(names)
}

/// Tells whether every call succeeds up to the one that shows the failure, which reverts with data: the last one, or
/// that of the invariant. Without data, the test would fail without the reason.
fn reverts_at_the_end(
    calls: &[SequenceCall],
    goal: ReproducerGoal<'_>,
    traces: &[(TraceKind, Trace)],
) -> bool {
    let executed = traces.iter().filter(|(kind, _)| *kind == TraceKind::Execution);
    let ends: Option<Vec<&FrameResult>> =
        executed.map(|(_, trace)| trace.frames.first().map(|frame| &frame.result)).collect();
    let before = calls.len() - usize::from(matches!(goal, ReproducerGoal::LastCall));
    let Some(ends) = ends.filter(|ends| ends.len() > before) else { return false };
    let (before, after) = ends.split_at(before);
    let failing = after.iter().find(|end| !end.status.is_success());
    before.iter().all(|end| end.status.is_success()) && failing.is_some_and(|end| !end.output.is_empty())
}

/// Tells whether Solidity has literals for the arguments of a call, and its function is the only one with its name.
fn is_writable(call: &SequenceCall, project: &Project) -> bool {
    let Input::Typed { function, args } = &call.tx.input else { return false };
    // Contracts, enums and types of users need conversions.
    let is_elementary = |function: &Function| {
        let written = |param: &alloy_json_abi::Param| {
            param.internal_type().is_none_or(|written| written.to_string() == param.ty)
        };
        function.inputs.iter().all(written)
    };
    let id = call.contract.as_deref().and_then(ContractId::parse);
    let Some(contract) = id.and_then(|id| project.contract(&id).cloned()) else { return false };
    call.tx.reentry.is_none()
        && function.entry() == Entry::Selector
        && has_literals(args)
        && is_elementary(function)
        && contract.abi.function(&function.name).is_some_and(|overloads| overloads.len() == 1)
}

/// Tells whether a variable `vm` has Forge's cheatcodes.
fn has_vm(variables: &[(String, Option<String>)], project: &Project) -> bool {
    let is_vm = |(name, named): &&(String, Option<String>)| {
        let has = |function: &str, parameters| {
            named.as_ref().is_some_and(|named| project.declares(named, function, parameters))
        };
        name == "vm" && has("prank", 2) && has("deal", 2) && has("warp", 1) && has("roll", 1)
    };
    variables.iter().any(|variable| is_vm(&variable))
}

/// Returns an expression for the target of a call: the only variable of its type, or a conversion of its address.
fn receiver(
    target: &ContractId,
    call: &SequenceCall,
    variables: &[(String, Option<String>)],
    names: &mut PlainNames,
) -> Option<String> {
    let bare = target.bare_name();
    let of_type: Vec<_> = variables.iter().filter(|(_, named)| named.as_deref() == Some(bare)).collect();
    if let [(name, _)] = of_type[..] {
        return Some(name.clone());
    }
    let known = names.imports.iter().find(|(name, _)| name == bare);
    if known.is_some_and(|(_, path)| *path != target.path) {
        return None;
    }
    if known.is_none() {
        names.imports.push((bare.to_owned(), target.path.clone()));
    }
    let address = call.tx.target;
    Some(match call.tx.value.is_zero() {
        true => format!("{bare}({address})"),
        false => format!("{bare}(payable({address}))"),
    })
}
