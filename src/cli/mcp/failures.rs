//! Failures of a report in one form, and their calls in words.

use super::{
    document::{CallDocument, CounterexampleDocument, RunDocument, SuiteDocument, TestDocument},
    page::line,
};
use crate::model::{ContractId, rule, test_id};
use alloy_primitives::U256;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Most characters of a reason, and of a call.
const MOST_LINE: usize = 400;

/// Failing test or finding.
#[derive(Clone, Debug)]
pub(super) struct FoundFailure {
    pub(super) summary: FailureSummary,
    /// Number of calls before the sequence was shrunk.
    pub(super) original_calls: usize,
    /// Calls that make it fail, one line each.
    pub(super) calls: Vec<String>,
}

/// Failure in a list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct FailureSummary {
    /// Id, which is the same in every run and which other tools take.
    pub(super) id: String,
    /// `path:Name` of the test contract, or of the contract that was searched.
    pub(super) suite: String,
    /// Signature of the test, or of the function that was called last.
    pub(super) name: String,
    /// Id of the rule, for `explain_rule`.
    pub(super) rule: String,
    /// Reason, which comes from the contract.
    pub(super) reason: String,
    /// Place of the failed assertion, as `path:line:column`, if it is known.
    pub(super) location: Option<String>,
    /// Number of calls that make it fail.
    pub(super) calls: usize,
}

impl FailureSummary {
    /// Describes the failure on one line.
    pub(super) fn text(&self) -> String {
        let Self { id, name, rule, reason, location, calls, .. } = self;
        let calls = match calls {
            0 => String::new(),
            1 => " (1 call)".to_owned(),
            _ => format!(" ({calls} calls)"),
        };
        let place = location.as_ref().map(|location| format!(" at {location}")).unwrap_or_default();
        // The id of a test names the test.
        let name = if id.ends_with(name.as_str()) { String::new() } else { format!("{name} ") };
        format!("{id}: {name}[{rule}] {reason}{place}{calls}")
    }
}

/// Returns all failures of a report, in the order of its suites.
pub(super) fn failures(report: &RunDocument) -> Vec<FoundFailure> {
    report.iter().flat_map(|(id, suite)| of_suite(id, suite)).collect()
}

fn of_suite(id: &str, suite: &SuiteDocument) -> Vec<FoundFailure> {
    let failed = suite.test_results.iter().filter(|(_, test)| test.status == "Failure");
    let tests = failed.map(|(signature, test)| of_test(id, signature, test));
    let labels = suite.test_results.values().flat_map(|test| test.labeled_addresses.clone()).collect();
    let findings = suite.harvey.findings.iter().map(|finding| {
        let contract = ContractId::parse(&finding.contract).map_or_else(String::new, |id| id.name + ".");
        FoundFailure {
            summary: FailureSummary {
                id: finding.id.clone(),
                suite: line(id, MOST_LINE),
                name: line(&format!("{contract}{}", finding.function), MOST_LINE),
                rule: finding.oracle.clone(),
                reason: line(&finding.reason, MOST_LINE),
                location: Some(line(&finding.location, MOST_LINE)),
                calls: finding.sequence.len(),
            },
            original_calls: finding.original_len,
            calls: calls(&finding.sequence, &labels),
        }
    });
    tests.chain(findings).collect()
}

fn of_test(suite: &str, signature: &str, test: &TestDocument) -> FoundFailure {
    let shown = test.counterexample.as_ref();
    let calls = shown.map(|shown| calls(shown.calls(), &test.labeled_addresses)).unwrap_or_default();
    let is_invariant = test.kind.contains_key("Invariant");
    let id = ContractId::parse(suite).map_or_else(String::new, |suite| test_id(&suite, signature));
    FoundFailure {
        summary: FailureSummary {
            id,
            suite: line(suite, MOST_LINE),
            name: line(signature, MOST_LINE),
            rule: if is_invariant { rule::INVARIANT } else { rule::TEST }.to_owned(),
            reason: line(test.reason.as_deref().unwrap_or("it fails"), MOST_LINE),
            location: None,
            calls: calls.len(),
        },
        original_calls: shown.map_or(0, CounterexampleDocument::original_calls),
        calls,
    }
}

fn calls(calls: &[CallDocument], labels: &BTreeMap<String, String>) -> Vec<String> {
    calls.iter().map(|call| line(&in_words(call, labels), MOST_LINE)).collect()
}

/// Describes a call: `Player.buy(99) from alice (0x...), 30 seconds later`.
fn in_words(call: &CallDocument, labels: &BTreeMap<String, String>) -> String {
    let account = |address: &str| match labels.get(address) {
        Some(label) => format!("{label} ({address})"),
        None => address.to_owned(),
    };
    let address = call.addr.as_deref().unwrap_or_default();
    let contract = call.contract_name.as_deref().and_then(ContractId::parse);
    let mut text = contract.map_or_else(|| account(address), |id| id.name);
    text += &match &call.func_name {
        Some(name) => format!(".{name}"),
        None => format!(".call({})", call.calldata),
    };
    text += &call.value.as_deref().map(|value| format!("{{value: {}}}", decimal(value))).unwrap_or_default();
    let arguments = call.raw_args.as_ref().filter(|_| call.func_name.is_some());
    text += &arguments.map(|arguments| format!("({arguments})")).unwrap_or_default();
    text += &call.sender.as_deref().map(|sender| format!(" from {}", account(sender))).unwrap_or_default();
    for (number, unit) in [(&call.warp, "seconds"), (&call.roll, "blocks")] {
        text += &number
            .as_deref()
            .map(|number| format!(", {} {unit} later", decimal(number)))
            .unwrap_or_default();
    }
    if let Some(back) = &call.reentry {
        let nth = back.nth + 1;
        text +=
            &format!("; its outside call {nth} calls back {} with {}", account(&back.addr), back.calldata);
    }
    text
}

/// Formats a `0x` quantity as a decimal number.
fn decimal(quantity: &str) -> String {
    quantity.parse::<U256>().map_or_else(|_| quantity.to_owned(), |number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{ContractId, RunReport},
        report::{ReportOptions, json, samples},
    };

    fn report() -> RunDocument {
        let suite = samples::suite("Bank", vec![samples::broken()], vec![samples::finding()]);
        let run = RunReport { suites: vec![suite], planned: 1, ..RunReport::default() };
        serde_json::from_str(&json::report(&run, &ReportOptions::default())).unwrap()
    }

    #[test]
    fn tests_and_findings_of_the_real_report_have_one_form() {
        let found = failures(&report());
        let text =
            |failure: &FoundFailure| format!("{}\n  {}", failure.summary.text(), failure.calls.join("\n  "));
        insta::assert_snapshot!(found.iter().map(text).collect::<Vec<_>>().join("\n"), @"
        test/A.t.sol:Bank.invariant_lastIsZero(): [invariant] last must be zero: 1 != 0 (1 call)
          Bank.deposit(123456) from 0x0000000000000000000000000000000000001234
        assertion-1f2e3d4c: Bank.deposit(uint256) [assertion] panic: assertion failed (0x01) at test/A.t.sol:8:5 (1 call)
          Bank.deposit(7) from 0x0000000000000000000000000000000000001234
        ");
        let suite = ContractId::parse(&found[0].summary.suite).unwrap();
        assert_eq!(found[0].summary.id, test_id(&suite, "invariant_lastIsZero()"));
        assert_eq!((found[0].original_calls, found[1].original_calls), (2, 9));
    }

    #[test]
    fn a_call_is_told_with_everything_that_it_needs() {
        let labels = BTreeMap::from([("0xa".to_owned(), "Alice".to_owned())]);
        let call = CallDocument {
            warp: Some("0x1e".to_owned()),
            roll: Some("0x2".to_owned()),
            value: Some("0xa".to_owned()),
            sender: Some("0xa".to_owned()),
            addr: Some("0xb".to_owned()),
            contract_name: Some("src/A.sol:A".to_owned()),
            func_name: Some("pay".to_owned()),
            raw_args: Some("1, \"x\ny\"".to_owned()),
            ..CallDocument::default()
        };
        insta::assert_snapshot!(calls(std::slice::from_ref(&call), &labels)[0], @r#"A.pay{value: 10}(1, "x y") from Alice (0xa), 30 seconds later, 2 blocks later"#);
        let reentry =
            super::super::document::ReentryDocument { addr: "0xa".into(), nth: 0, calldata: "0x12".into() };
        let raw = CallDocument {
            calldata: "0x".into(),
            addr: call.addr,
            reentry: Some(reentry),
            ..CallDocument::default()
        };
        insta::assert_snapshot!(calls(&[raw], &labels)[0], @"0xb.call(0x); its outside call 1 calls back Alice (0xa) with 0x12");
    }
}
