//! Failures of campaigns, as Forge 1.8 lists them.

use super::sequence;
use crate::{
    model::{Finding, Status, SuiteReport, TestKind, TestReport},
    report::schema::v1,
};
use std::collections::BTreeMap;

/// Adds the failures of a suite to its results. Forge has one result for all invariants of a contract. Here, each
/// invariant has its own, with its own failure. The failed assertions of handlers belong to none of them, and are in
/// the first one, which would be Forge's.
pub(super) fn add<'a>(suite: &'a SuiteReport, results: &mut BTreeMap<&'a str, v1::JsonTest<'a>>) {
    let invariants = || suite.tests.iter().filter(|test| matches!(test.kind, TestKind::Invariant { .. }));
    for test in invariants().filter(|test| test.status == Status::Failure) {
        if let Some(result) = results.get_mut(&*test.signature) {
            result.invariant_failures.push(predicate(test));
        }
    }
    let is_check = |test: &&TestReport| matches!(test.kind, TestKind::Invariant { best: None, .. });
    if let Some(result) = invariants().find(is_check).and_then(|first| results.get_mut(&*first.signature)) {
        let assertions = suite.findings.iter().filter(|finding| finding.failure.kind.is_assertion());
        result.invariant_handler_failures.extend(assertions.filter_map(handler));
    }
}

fn predicate(test: &TestReport) -> v1::JsonInvariantFailure<'_> {
    let shown = test.counterexample.as_ref().filter(|counterexample| !counterexample.calls.is_empty());
    v1::JsonInvariantFailure::Predicate {
        name: name(&test.signature),
        reason: test.reason.as_deref().unwrap_or_default(),
        counterexample: shown.map(sequence),
        persisted_path: test.forge_replay.file(),
        is_anchor: true,
    }
}

/// Returns `None` for a call that names no function.
fn handler(finding: &Finding) -> Option<v1::JsonInvariantFailure<'_>> {
    let selector = finding.counterexample.calls.last()?.calldata.get(..4)?;
    Some(v1::JsonInvariantFailure::Handler {
        name: format!("{}::{}", finding.entry.contract, name(&finding.entry.function)),
        reverter: format!("{:#x}", finding.entry.address),
        selector: alloy_primitives::hex::encode_prefixed(selector),
        reason: &finding.failure.reason,
        counterexample: sequence(&finding.counterexample),
    })
}

/// Returns the name in a signature.
fn name(signature: &str) -> &str {
    signature.split_once('(').map_or(signature, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use crate::{
        model::{ForgeReplay, RunReport, Status},
        report::{ReportOptions, json, samples},
    };
    use alloy_primitives::U256;
    use serde_json::Value;

    fn results(campaigns: bool) -> Value {
        let mut broken = samples::broken();
        broken.forge_replay = ForgeReplay::File("cache/invariant/failures/T/invariants/invariant_x".into());
        let tests = vec![samples::invariant("invariant_first", Status::Success, None), broken];
        let suites = vec![samples::suite("T", tests, vec![samples::finding()])];
        let run = RunReport { suites, seed: U256::from(1), planned: 1, ..RunReport::default() };
        let options = ReportOptions { campaigns, ..ReportOptions::default() };
        let report: Value = serde_json::from_str(&json::report(&run, &options)).unwrap();
        report["test/A.t.sol:T"]["test_results"].clone()
    }

    #[test]
    fn each_invariant_has_its_failure_and_the_first_one_those_of_handlers() {
        let results = results(true);
        let first = &results["invariant_first()"];
        assert_eq!(
            (&first["status"], &first["kind"]["Invariant"]["workers"]),
            (&"Success".into(), &1.into())
        );
        assert!(first.get("invariant_failures").is_none());
        insta::assert_snapshot!(first["invariant_handler_failures"], @r#"[{"kind":"handler","name":"test/A.t.sol:Bank::deposit","reverter":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","selector":"0xb6b55f25","reason":"panic: assertion failed (0x01)","counterexample":{"Sequence":[9,[{"warp":null,"roll":null,"sender":"0x0000000000000000000000000000000000001234","addr":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","calldata":"0xb6b55f250000000000000000000000000000000000000000000000000000000000000007","contract_name":"test/A.t.sol:Bank","func_name":"deposit","signature":"deposit(uint256)","args":"7","raw_args":"7"}]]}}]"#);
        insta::assert_snapshot!(results["invariant_lastIsZero()"]["invariant_failures"], @r#"[{"kind":"predicate","name":"invariant_lastIsZero","reason":"last must be zero: 1 != 0","counterexample":{"Sequence":[2,[{"warp":null,"roll":null,"sender":"0x0000000000000000000000000000000000001234","addr":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","calldata":"0xb6b55f25000000000000000000000000000000000000000000000000000000000001e240","contract_name":"test/A.t.sol:Bank","func_name":"deposit","signature":"deposit(uint256)","args":"123456 [1.234e5]","raw_args":"123456"}]]},"persisted_path":"cache/invariant/failures/T/invariants/invariant_x","is_anchor":true}]"#);
    }

    #[test]
    fn a_follower_of_forge_1_7_sees_nothing_of_this() {
        let text = results(false).to_string();
        assert!(
            !text.contains("invariant_failures") && !text.contains("handler") && !text.contains("workers")
        );
    }
}
