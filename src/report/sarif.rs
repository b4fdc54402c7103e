//! `--report sarif`: SARIF 2.1.0, for GitHub's code scanning and for editors.

use crate::{
    model::{Place, Rule, RunReport, SequenceCall},
    report::{
        LinkBase,
        problem::{self, CallParts, Problem, short},
        text::escaped,
    },
};
use alloy_primitives::Address;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Base of relative paths.
const BASE: &str = "%SRCROOT%";

/// Characters that must be escaped in a URI.
const UNSAFE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}')
    .add(b':');

/// Formats the report as one document.
#[must_use]
pub fn report(report: &RunReport, rules: &[Rule], base: &LinkBase) -> String {
    let results: Vec<_> = {
        let known = |problem: &Problem<'_>| report.known.contains(&problem.id());
        let problems = problem::problems(report).into_iter();
        problems.map(|problem| result(problem, known(&problem), rules, base)).collect()
    };
    log(rules.iter().map(rule).collect(), results, !report.interrupted)
}

/// Formats rules and results as a document. `is_complete` is false for a run that was interrupted.
pub(super) fn log(rules: Vec<Value>, results: Vec<Value>, is_complete: bool) -> String {
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "forge-harvey",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [{ "executionSuccessful": is_complete }],
            "originalUriBaseIds": { BASE: { "description": { "text": "The repository." } } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    escaped(format!("{log:#}\n"))
}

fn rule(rule: &Rule) -> Value {
    let mut tags: Vec<String> =
        if rule.severity.is_some() { vec!["security".into()] } else { vec!["test".into()] };
    tags.extend(rule.swc_id());
    let mut value = json!({
        "id": rule.id,
        "name": rule.name,
        "shortDescription": { "text": format!("{}.", rule.summary) },
        // Some viewers show this one and never the help.
        "fullDescription": { "text": rule.help, "markdown": rule.help },
        "help": { "text": rule.help, "markdown": rule.help },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": tags, "precision": "very-high" },
    });
    if let Some(severity) = rule.severity {
        value["properties"]["security-severity"] = format!("{severity:.1}").into();
    }
    if let Some(confidence) = rule.confidence {
        value["properties"]["precision"] = confidence.name().into();
    }
    if let Some(uri) = rule.swc_uri() {
        value["helpUri"] = uri.into();
    }
    value
}

fn result(problem: Problem<'_>, is_known: bool, rules: &[Rule], base: &LinkBase) -> Value {
    let place = place(problem);
    let mut result = json!({
        "ruleId": problem.rule(),
        "kind": "fail",
        "level": "error",
        "message": { "text": message(problem) },
        "locations": [location(&place, base)],
        "partialFingerprints": { "forgeHarvey/v1": problem.id() },
    });
    if is_known {
        result["baselineState"] = "unchanged".into();
    }
    if let Some(index) = rules.iter().position(|rule| rule.id == problem.rule()) {
        result["ruleIndex"] = index.into();
    }
    if let Some(flow) = flow(problem, base) {
        result["codeFlows"] = json!([flow]);
    }
    result
}

/// Returns the place of a failure, or else the beginning of the suite's file: code scanning rejects results
/// without a place.
fn place(problem: Problem<'_>) -> Place {
    let suite = || Place { path: problem.suite().id.path.clone(), line: 1, column: 1 };
    problem.place().cloned().unwrap_or_else(suite)
}

/// Describes the failure and its calls. Viewers without code flows show nothing else.
fn message(problem: Problem<'_>) -> String {
    let (name, suite) = (problem.name(), &problem.suite().id.name);
    let of = match name.strip_prefix(&**suite).is_some_and(|rest| rest.starts_with('.')) {
        true => String::new(),
        false => format!(" of {suite}"),
    };
    let head = format!("{name}{of}: {}.", problem.reason());
    unlinked([vec![head], problem.steps()].concat().join("\n"))
}

/// Escapes text that looks like a link, so that it contains none (SARIF 2.1.0, 3.11.6).
pub(super) fn unlinked(text: String) -> String {
    if !text.contains("](") {
        return text;
    }
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// Returns the sequence as steps. A call of an unknown function is placed at the failure.
fn flow(problem: Problem<'_>, base: &LinkBase) -> Option<Value> {
    let calls = &problem.counterexample()?.calls;
    let end = &place(problem);
    let step = |place: &Place, text: String| {
        let mut location = location(place, base);
        location["message"] = json!({ "text": unlinked(text) });
        json!({ "location": location })
    };
    // Viewers cut a step off after some forty characters; the message has the addresses.
    let name = |account: Address| problem.label(account).map_or_else(|| short(account), str::to_owned);
    let senders: BTreeSet<Address> = calls.iter().map(|call| call.tx.sender).collect();
    let names: Vec<_> = senders.into_iter().map(|sender| (sender.to_string(), name(sender))).collect();
    let text = |call: &SequenceCall| {
        let CallParts { called, rest } = problem.call_parts(call);
        let called = names.iter().fold(called, |called, (address, name)| called.replace(address, name));
        format!("{called} from {}{rest}", name(call.tx.sender))
    };
    let mut steps: Vec<_> =
        calls.iter().map(|call| step(call.place.as_ref().unwrap_or(end), text(call))).collect();
    steps.push(step(end, problem.reason().to_owned()));
    Some(json!({ "threadFlows": [{ "locations": steps }] }))
}

/// Formats a place.
pub(super) fn location(place: &Place, base: &LinkBase) -> Value {
    let uri = base.path(&place.path);
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": utf8_percent_encode(&uri, UNSAFE).to_string(), "uriBaseId": BASE },
        "region": { "startLine": place.line, "startColumn": place.column },
    } })
}
