//! List of failed tests behind `--rerun`: one regular expression, `a|b|c`, in `cache/test-failures`, shared
//! with Forge.

use crate::{
    files::{WriteError, nofollow},
    model::{RunReport, Status, SuiteReport, TestReport},
};
use std::path::Path;

/// Returns the pattern that `--rerun` uses in place of `--match-test`. Returns `None` if nothing is recorded:
/// then, as in Forge, every test runs, regardless of `--match-test`.
#[must_use]
pub fn read(path: &Path) -> Option<String> {
    nofollow::read_text(path).ok().filter(|pattern| !pattern.is_empty())
}

/// Returns Forge's warning, without `Warning: `, for a list that is not a regular expression; then every test
/// runs.
#[must_use]
pub fn unparsable_warning(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("failed to parse test filter from {path:?}: {error}")
}

/// Records the failed tests, and returns true if there are any. Otherwise the former list is kept, as in
/// Forge (which writes it only with plain output, not with `--json` or `--junit`).
pub fn write(path: &Path, report: &RunReport) -> Result<bool, WriteError> {
    let failed = failed(report);
    if !failed.is_empty() {
        nofollow::write(path, pattern(&failed).as_bytes())?;
    }
    Ok(!failed.is_empty())
}

/// Returns the names of the failed functions, by suite and signature.
///
/// We attribute a failed assertion to no test function. Forge attributes it to every invariant of the suite,
/// and so does this list, since the suite would not run again otherwise.
fn failed(report: &RunReport) -> Vec<&str> {
    let blamed = |suite: &SuiteReport, test: &TestReport| {
        test.status == Status::Failure || (test.status == Status::Success && !suite.findings.is_empty())
    };
    let mut suites: Vec<_> = report.suites.iter().collect();
    suites.sort_by_cached_key(|suite| suite.id.to_string());
    suites
        .into_iter()
        .flat_map(|suite| suite.tests.iter().filter(move |test| blamed(suite, test)))
        .map(|test| test.signature.split('(').next().unwrap_or_default())
        .collect()
}

/// Returns the pattern as Forge builds it: it omits `setUp` and `constructor`, but not the `|` before them. A
/// pattern that ends in `|` matches every test, so a failed `setUp` runs again.
fn pattern(failed: &[&str]) -> String {
    let is_test = |name: &str| {
        ["test", "invariant", "statefulFuzz", "table"].iter().any(|prefix| name.starts_with(prefix))
    };
    let mut pattern = String::new();
    for (index, name) in failed.iter().enumerate().filter(|(_, name)| is_test(name)) {
        pattern.push_str(name);
        if index + 1 < failed.len() {
            pattern.push('|');
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        AssertionFailure, AssertionKind, ContractId, Counterexample, EntryPoint, Evidence, Finding,
        ForgeReplay, Found, ReportSettings, Site,
    };
    use alloy_primitives::{Address, B256};

    fn test(signature: &str, status: Status) -> TestReport {
        TestReport::new(signature, status)
    }

    fn suite(name: &str, tests: Vec<TestReport>) -> SuiteReport {
        let id = ContractId { path: "test/A.t.sol".into(), name: name.into() };
        SuiteReport { tests, ..SuiteReport::new(id) }
    }

    fn report(suites: Vec<SuiteReport>) -> RunReport {
        RunReport { suites, planned: 1, ..RunReport::default() }
    }

    fn finding() -> Finding {
        Finding {
            id: "assert".into(),
            oracle: "assert",
            failure: AssertionFailure {
                kind: AssertionKind::Panic,
                site: Site { code: B256::ZERO, pc: 0, location: None },
                reason: "panic: assertion failed (0x01)".into(),
                written: None,
            },
            others: Vec::new(),
            entry: EntryPoint {
                contract: "test/A.t.sol:H".into(),
                address: Address::ZERO,
                function: "boom()".into(),
            },
            reverts: true,
            counterexample: Counterexample { original_len: 1, calls: vec![] },
            evidence: Evidence::default(),
            replayed: false,
            found: Found::default(),
            settings: ReportSettings::default(),
            forge_replay: ForgeReplay::default(),
        }
    }

    #[test]
    fn names_stand_in_order_of_suite_and_are_repeated() {
        use Status::{Failure, Success};
        let report = report(vec![
            suite("B", vec![test("invariant_r()", Failure), test("test_a()", Failure)]),
            suite(
                "A",
                vec![test("invariant_n()", Failure), test("test_a()", Failure), test("test_c()", Success)],
            ),
        ]);
        assert_eq!(pattern(&failed(&report)), "invariant_n|test_a|invariant_r|test_a");
    }

    #[test]
    fn a_failed_setup_after_the_last_test_leaves_a_bar() {
        assert_eq!(pattern(&["invariant_k", "setUp", "constructor"]), "invariant_k|");
        assert_eq!(pattern(&["setUp", "invariant_k"]), "invariant_k");
        assert_eq!(pattern(&["setUp"]), "");
    }

    #[test]
    fn a_failed_assertion_stands_for_the_invariants_of_its_suite() {
        let mut broken =
            suite("A", vec![test("invariant_a()", Status::Success), test("invariant_s()", Status::Skipped)]);
        broken.findings.push(finding());
        assert_eq!(failed(&report(vec![broken])), ["invariant_a"]);
    }

    #[test]
    fn the_list_is_kept_while_nothing_fails() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cache/test-failures");
        assert_eq!(read(&path), None);
        let failing = report(vec![suite("A", vec![test("invariant_a()", Status::Failure)])]);
        assert!(write(&path, &failing).unwrap());
        let passing = report(vec![suite("A", vec![test("invariant_b()", Status::Success)])]);
        assert!(!write(&path, &passing).unwrap());
        assert_eq!(read(&path).as_deref(), Some("invariant_a"));
        // If only `setUp` failed, Forge writes an empty list, which means that nothing is recorded.
        assert!(write(&path, &report(vec![suite("A", vec![test("setUp()", Status::Failure)])])).unwrap());
        assert_eq!(read(&path), None);
    }
}
