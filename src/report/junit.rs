//! `--junit`: XML in the form that Forge writes.

use crate::{
    model::{Finding, RunReport, Status, SuiteReport, TestReport},
    report::{ReportOptions, headline, terminal, text::styled, visible},
};
use chrono::{DateTime, Utc};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::SystemTime;

/// Formats the report as XML; `started` is the time at which the tests began. Broken assertions become failed
/// test cases of their suite.
///
/// Colours are left out, regardless of the options.
#[must_use]
pub fn report(report: &RunReport, started: SystemTime, options: &ReportOptions) -> String {
    let options = ReportOptions { color: false, ..*options };
    let mut suites: Vec<_> = report.suites.iter().collect();
    suites.sort_by_key(|suite| suite.id.to_string());
    let mut out = Report::new("Test run");
    out.set_timestamp(DateTime::<Utc>::from(started));
    out.set_time(report.duration);
    out.add_test_suites(suites.into_iter().map(|suite| self::suite(suite, &options)));
    out.to_string().expect("writing to memory does not fail")
}

fn suite(report: &SuiteReport, options: &ReportOptions) -> TestSuite {
    let mut suite = TestSuite::new(report.id.to_string());
    suite.set_time(report.duration);
    suite.set_system_out(terminal::suite_result(report, options));
    suite.add_test_cases(report.tests.iter().map(|test| self::test(test, options)));
    suite.add_test_cases(report.findings.iter().map(|finding| self::finding(finding, options)));
    suite
}

fn test(test: &TestReport, options: &ReportOptions) -> TestCase {
    let mut status = match test.status {
        Status::Success => TestCaseStatus::success(),
        Status::Failure => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Status::Skipped => TestCaseStatus::skipped(),
    };
    if let Some(reason) = &test.reason {
        status.set_message(visible(reason));
    }
    let mut case = TestCase::new(&*test.signature, status);
    case.set_time(test.duration);
    case.set_system_out(headline::test(test, options) + &logs(&test.evidence.logs, options));
    case
}

fn finding(finding: &Finding, options: &ReportOptions) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(visible(&finding.failure.reason));
    let mut case = TestCase::new(format!("{} at {}", headline::entry(finding), finding.failure.site), status);
    case.set_system_out(headline::finding(finding, options) + &logs(&finding.evidence.logs, options));
    case
}

/// Formats logs as Forge does: a backslash and an `n` separate the lines, not a newline.
fn logs(logs: &[String], options: &ReportOptions) -> String {
    if options.verbosity < 2 || logs.is_empty() {
        return String::new();
    }
    logs.iter().fold("\\nLogs:\\n".to_owned(), |out, log| out + "  " + &styled(log, false) + "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;
    use alloy_primitives::U256;
    use std::time::Duration;

    #[test]
    fn suites_are_sorted_and_findings_are_failed_cases() {
        let tests = vec![
            samples::broken(),
            samples::invariant("invariant_pass", Status::Success, None),
            samples::invariant("invariant_skip", Status::Skipped, Some("no \"fork\"")),
            samples::invariant("invariant_zskip", Status::Skipped, None),
        ];
        let suites = vec![
            samples::suite("FailInv", tests, vec![samples::finding()]),
            samples::suite(
                "CtorFail",
                vec![samples::unit("constructor()", Status::Failure, Some("bad child"))],
                vec![],
            ),
        ];
        let duration = Duration::from_millis(31);
        let campaign =
            RunReport { suites, duration, seed: U256::from(1), planned: 1, ..RunReport::default() };
        let started = SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_226_869_036);
        let options = ReportOptions { verbosity: 2, color: true, ..ReportOptions::default() };
        insta::assert_snapshot!(report(&campaign, started, &options), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="Test run" tests="6" failures="3" errors="0" timestamp="2026-11-21T02:07:49.036+00:00" time="0.031">
            <testsuite name="test/A.t.sol:CtorFail" tests="1" disabled="0" errors="0" failures="1" time="0.029">
                <testcase name="constructor()" time="0.000">
                    <failure message="bad child"/>
                    <system-out>[FAIL: bad child] constructor() (gas: 0)</system-out>
                </testcase>
                <system-out>Suite result: FAILED. 0 passed; 1 failed; 0 skipped; finished in 29.00ms (2.50ms CPU time)</system-out>
            </testsuite>
            <testsuite name="test/A.t.sol:FailInv" tests="5" disabled="2" errors="0" failures="2" time="0.029">
                <testcase name="invariant_lastIsZero()" time="0.010">
                    <failure message="last must be zero: 1 != 0"/>
                    <system-out>[FAIL: last must be zero: 1 != 0]
        [Sequence] (original: 2, shrunk: 1)
        sender=0x0000000000000000000000000000000000001234 addr=[test/A.t.sol:Bank]0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f calldata=deposit(uint256) args=[123456 [1.234e5]]
         invariant_lastIsZero() (runs: 0, calls: 0, reverts: 2)\nLogs:\n  setup log\n  checking 44\n</system-out>
                </testcase>
                <testcase name="invariant_pass()" time="0.010">
                    <system-out>[PASS] invariant_pass() (runs: 3, calls: 18, reverts: 7)</system-out>
                </testcase>
                <testcase name="invariant_skip()" time="0.010">
                    <skipped message="no &quot;fork&quot;"/>
                    <system-out>[SKIP: no &quot;fork&quot;] invariant_skip() (runs: 3, calls: 18, reverts: 7)</system-out>
                </testcase>
                <testcase name="invariant_zskip()" time="0.010">
                    <skipped/>
                    <system-out>[SKIP] invariant_zskip() (runs: 3, calls: 18, reverts: 7)</system-out>
                </testcase>
                <testcase name="Bank.deposit(uint256) at test/A.t.sol:8:5">
                    <failure message="panic: assertion failed (0x01)"/>
                    <system-out>[FAIL: panic: assertion failed (0x01)]
        [Sequence] (original: 9, shrunk: 1)
        sender=0x0000000000000000000000000000000000001234 addr=[test/A.t.sol:Bank]0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f calldata=deposit(uint256) args=[7]
         Bank.deposit(uint256) at test/A.t.sol:8:5 (assertion, calls: 12)</system-out>
                </testcase>
                <system-out>Suite result: FAILED. 1 passed; 1 failed; 2 skipped; 1 finding; finished in 29.00ms (2.50ms CPU time)</system-out>
            </testsuite>
        </testsuites>
        "#);
    }
}
