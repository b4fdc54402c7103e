//! List of failed tests behind `--rerun`, in `cache/test-failures`, shared with Forge. It is JSON since Forge 1.8, and
//! was one regular expression, `a|b|c`, before. Both are read.

use crate::{
    config::ForgeVersion,
    files::{WriteError, nofollow},
    model::{RunReport, Status, SuiteReport, TestReport},
};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The tests that failed last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailedTests {
    /// A regular expression, in place of `--match-test`.
    Pattern(String),
    /// The suite, `path:Name`, and the name of each.
    List(Vec<(String, String)>),
}

/// File of Forge 1.8.
#[derive(Deserialize, Serialize)]
struct RerunFile {
    version: u8,
    failures: Vec<RerunEntry>,
}

#[derive(Deserialize, Serialize)]
struct RerunEntry {
    /// `path:Name` of the suite.
    contract: String,
    /// Name of the test.
    test: String,
}

/// Returns the tests that `--rerun` runs. Returns `None` if nothing is recorded: then, as in Forge, every test
/// runs, regardless of `--match-test`.
#[must_use]
pub fn read(path: &Path) -> Option<FailedTests> {
    let text = nofollow::read_text(path).ok().filter(|text| !text.is_empty())?;
    let Ok(RerunFile { failures, .. }) = serde_json::from_str(&text) else {
        return Some(FailedTests::Pattern(text));
    };
    let list: Vec<_> = failures.into_iter().map(|entry| (entry.contract, entry.test)).collect();
    (!list.is_empty()).then_some(FailedTests::List(list))
}

/// Returns Forge's warning, without `Warning: `, for a list that is not a regular expression; then every test
/// runs.
#[must_use]
pub fn unparsable_warning(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("failed to parse test filter from {path:?}: {error}")
}

/// Records the failed tests, and returns true if there are any. Otherwise the former list is kept, as in
/// Forge (which writes it only with plain output, not with `--json` or `--junit`).
pub fn write(path: &Path, report: &RunReport, forge: ForgeVersion) -> Result<bool, WriteError> {
    let failed = failed(report);
    if !failed.is_empty() {
        let text = match forge.behaviour().lists_failures_as_json {
            true => list(&failed),
            false => pattern(&failed),
        };
        nofollow::write(path, text.as_bytes())?;
    }
    Ok(!failed.is_empty())
}

/// Returns the suites and the names of the failed functions, by suite and signature.
///
/// We attribute a failed assertion to no test function. Forge attributes it to every invariant of the suite,
/// and so does this list, since the suite would not run again otherwise.
fn failed(report: &RunReport) -> Vec<(String, &str)> {
    let blamed = |suite: &SuiteReport, test: &TestReport| {
        test.status == Status::Failure || (test.status == Status::Success && !suite.findings.is_empty())
    };
    // Forge has no tests for contracts without a test contract.
    let mut suites: Vec<_> = report.suites.iter().filter(|suite| suite.scene.is_none()).collect();
    suites.sort_by_cached_key(|suite| suite.id.to_string());
    suites
        .into_iter()
        .flat_map(|suite| {
            let failed = suite.tests.iter().filter(move |test| blamed(suite, test));
            failed
                .map(move |test| (suite.id.to_string(), test.signature.split('(').next().unwrap_or_default()))
        })
        .collect()
}

/// Tells whether a function is a test by its name, and not `setUp` or the constructor.
fn is_test(name: &str) -> bool {
    ["test", "invariant", "statefulFuzz", "table"].iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the list as Forge 1.8 writes it: without `setUp` and `constructor`. An empty list means that nothing is
/// recorded.
fn list(failed: &[(String, &str)]) -> String {
    let tests = failed.iter().filter(|(_, name)| is_test(name));
    let entry =
        |(suite, name): &(String, &str)| RerunEntry { contract: suite.clone(), test: (*name).to_owned() };
    let file = RerunFile { version: 1, failures: tests.map(entry).collect() };
    serde_json::to_string(&file).expect("names are JSON")
}

/// Returns the pattern as Forge 1.7 builds it: it omits `setUp` and `constructor`, but not the `|` before them. A
/// pattern that ends in `|` matches every test, so a failed `setUp` runs again.
fn pattern(failed: &[(String, &str)]) -> String {
    let mut pattern = String::new();
    for (index, (_, name)) in failed.iter().enumerate().filter(|(_, (_, name))| is_test(name)) {
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
        let of =
            |names: &[&'static str]| names.iter().map(|name| ("A".to_owned(), *name)).collect::<Vec<_>>();
        assert_eq!(pattern(&of(&["invariant_k", "setUp", "constructor"])), "invariant_k|");
        assert_eq!(pattern(&of(&["setUp", "invariant_k"])), "invariant_k");
        assert_eq!(pattern(&of(&["setUp"])), "");
    }

    #[test]
    fn a_failed_assertion_stands_for_the_invariants_of_its_suite() {
        let mut broken =
            suite("A", vec![test("invariant_a()", Status::Success), test("invariant_s()", Status::Skipped)]);
        broken.findings.push(finding());
        assert_eq!(failed(&report(vec![broken])), [("test/A.t.sol:A".to_owned(), "invariant_a")]);
    }

    #[test]
    fn the_list_is_kept_while_nothing_fails() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cache/test-failures");
        assert_eq!(read(&path), None);
        let failing = report(vec![suite("A", vec![test("invariant_a()", Status::Failure)])]);
        let written = |report: &RunReport| write(&path, report, ForgeVersion::V1_7).unwrap();
        assert!(written(&failing));
        let passing = report(vec![suite("A", vec![test("invariant_b()", Status::Success)])]);
        assert!(!written(&passing));
        assert_eq!(read(&path), Some(FailedTests::Pattern("invariant_a".to_owned())));
        // If only `setUp` failed, Forge writes an empty list, which means that nothing is recorded.
        let without = report(vec![suite("A", vec![test("setUp()", Status::Failure)])]);
        assert!(written(&without));
        assert_eq!(read(&path), None);
        write(&path, &without, ForgeVersion::V1_8).unwrap();
        assert_eq!(read(&path), None);
    }

    #[test]
    fn forge_1_8_lists_suites_and_names() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cache/test-failures");
        let tests = vec![test("setUp()", Status::Failure), test("invariant_a()", Status::Failure)];
        write(&path, &report(vec![suite("A", tests)]), ForgeVersion::V1_8).unwrap();
        let text = nofollow::read_text(&path).unwrap();
        assert_eq!(text, r#"{"version":1,"failures":[{"contract":"test/A.t.sol:A","test":"invariant_a"}]}"#);
        let listed = [("test/A.t.sol:A".to_owned(), "invariant_a".to_owned())];
        assert_eq!(read(&path), Some(FailedTests::List(listed.to_vec())));
    }
}
