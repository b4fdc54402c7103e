//! Closing summary of a run: totals, failures once more, and next steps.

use super::{CYAN, GREEN, RED, YELLOW, contracts, counts, form};
use crate::{
    model::{RunReport, Status, SuiteReport, TestKind, TestReport, test_id},
    report::{
        ReportOptions, SummaryForm, count, headline, stuck,
        style::Palette,
        table::{Cell, table},
        visible,
    },
};
use serde::Serialize;
use std::{collections::BTreeSet, time::Duration};
use yansi::Color;

/// Formats the end of a run: totals and failures. The text begins with a blank line.
#[must_use]
pub fn summary(report: &RunReport, options: &ReportOptions) -> String {
    let mut out = match options.summary {
        SummaryForm::Totals => totals(report, options),
        // Forge shows no table without suites, either.
        _ if report.suites.is_empty() => String::new(),
        _ => format!("\n{}\n{}", suites(report, options), contracts::section(&report.covered, options)),
    };
    out += &stuck::section(report, Palette::new(options.color));
    if report.interrupted {
        out += &interrupted(report);
    }
    if report.suites.iter().any(SuiteReport::failed) {
        out += &failures(report, options);
    }
    out
}

/// Row of the table of suites. A finding counts as a failed test.
#[derive(Serialize)]
struct SuiteRow<'a> {
    suite: &'a str,
    passed: usize,
    failed: usize,
    skipped: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<String>,
}

impl<'a> SuiteRow<'a> {
    fn new(suite: &'a SuiteReport, detailed: bool) -> Self {
        Self {
            suite: &suite.id.name,
            passed: suite.count(Status::Success),
            failed: suite.count(Status::Failure) + suite.findings.len(),
            skipped: suite.count(Status::Skipped),
            file_path: detailed.then_some(&*suite.id.path),
            duration: detailed.then(|| format!("{:.2?}", suite.duration)),
        }
    }

    fn cells(&self) -> Vec<Cell> {
        let number = |number: usize, color| (number.to_string(), (number > 0).then_some(color));
        let mut cells = vec![
            (visible(self.suite), None),
            number(self.passed, GREEN),
            number(self.failed, RED),
            number(self.skipped, YELLOW),
        ];
        cells.extend(self.file_path.map(|path| (visible(path), None)));
        cells.extend(self.duration.clone().map(|duration| (duration, None)));
        cells
    }
}

/// Returns the rows of the table, ordered by suite.
fn rows(report: &RunReport, form: SummaryForm) -> Vec<SuiteRow<'_>> {
    let mut suites: Vec<_> = report.suites.iter().collect();
    suites.sort_by_key(|suite| suite.id.to_string());
    suites.into_iter().map(|suite| SuiteRow::new(suite, form == SummaryForm::DetailedTable)).collect()
}

/// Draws the table of the suites.
fn suites(report: &RunReport, options: &ReportOptions) -> String {
    let mut header: Vec<Cell> = [
        ("Test Suite", None),
        ("Passed", Some(GREEN)),
        ("Failed", Some(RED)),
        ("Skipped", Some(YELLOW)),
        ("File Path", Some(CYAN)),
        ("Duration", Some(CYAN)),
    ]
    .map(|(title, color)| (title.to_owned(), color))
    .into();
    if options.summary != SummaryForm::DetailedTable {
        header.truncate(4);
    }
    let rows: Vec<_> = rows(report, options.summary).iter().map(SuiteRow::cells).collect();
    table(&header, &rows, form(options))
}

/// Formats the table of the suites as JSON, as Forge does for `--json --summary`.
#[must_use]
pub fn summary_json(report: &RunReport, form: SummaryForm) -> String {
    #[derive(Serialize)]
    struct Summary<'a> {
        results: Vec<SuiteRow<'a>>,
    }
    let summary = Summary { results: rows(report, form) };
    serde_json::to_string_pretty(&summary).expect("texts and numbers are JSON") + "\n"
}

/// Formats the totals: `Ran 2 test suites in ...`.
fn totals(report: &RunReport, options: &ReportOptions) -> String {
    let palette = Palette::new(options.color);
    let suites = &report.suites;
    let sum = |status| suites.iter().map(|suite| suite.count(status)).sum();
    let [passed, failed, skipped] = counts(sum, palette);
    let findings = match suites.iter().map(|suite| suite.findings.len()).sum() {
        0 => String::new(),
        n => format!(", {}", palette.paint(Color::Red, &count(n, "finding"))),
    };
    format!(
        "\nRan {} in {:.2?} ({:.2?} CPU time): \
         {passed} tests passed, {failed} failed, {skipped} skipped{findings} ({} total tests)\n",
        count(suites.len(), "test suite"),
        report.duration,
        suites.iter().map(|suite| suite.cpu).sum::<Duration>(),
        suites.iter().map(|suite| suite.tests.len()).sum::<usize>(),
    )
}

/// Formats the extent of an interrupted run, since the tests that passed were not searched to the end.
fn interrupted(report: &RunReport) -> String {
    let calls: u64 = report.suites.iter().map(|suite| suite.stats.calls).sum();
    let (begun, planned) = (report.suites.len(), report.planned);
    format!("Interrupted after {calls} calls, with {begun} of {} begun\n", count(planned, "test suite"))
}

/// Lists the failures of several suites once more, suites ordered by name, and the next steps.
fn failures(report: &RunReport, options: &ReportOptions) -> String {
    let palette = Palette::new(options.color);
    let mut suites: Vec<_> = report.suites.iter().filter(|suite| suite.failed()).collect();
    suites.sort_by_key(|suite| suite.id.to_string());
    let mut out = String::from("\n");
    if report.suites.len() > 1 {
        out += "Failing tests:\n";
        out.extend(suites.iter().map(|suite| failing_suite(suite, &report.known, palette)));
    }
    let sum = |status| report.suites.iter().map(|suite| suite.count(status)).sum::<usize>();
    let failed = sum(Status::Failure);
    let findings: usize = suites.iter().map(|suite| suite.findings.len()).sum();
    let findings = if findings == 0 {
        String::new()
    } else {
        format!(" {},", palette.paint(Color::Red, &count(findings, "finding")))
    };
    out += &format!(
        "Encountered a total of {} failing tests,{findings} {} tests succeeded\n",
        palette.paint(Color::Red, &failed.to_string()),
        palette.paint(Color::Green, &sum(Status::Success).to_string()),
    );
    if failed > 0 {
        let command = palette.paint(Color::Cyan, "`forge-harvey test --rerun`");
        out += &format!("\nTip: Run {command} to retry only the {}\n", count(failed, "failed test"));
    }
    if suites.iter().any(|suite| was_fuzzed(suite)) {
        let seed = palette.paint(Color::Cyan, &format!("{:#x}", report.seed));
        let flag = palette.paint(Color::Cyan, "`--fuzz-seed`");
        out += &format!("\nFuzz seed: {seed} (use {flag} to reproduce)\n");
    }
    out
}

/// Tells whether a failure of the suite may depend on the seed.
fn was_fuzzed(suite: &SuiteReport) -> bool {
    let fuzzed = |test: &TestReport| {
        test.status == Status::Failure
            && matches!(test.kind, TestKind::Invariant { .. } | TestKind::Fuzz { .. })
    };
    !suite.findings.is_empty() || suite.tests.iter().any(fuzzed)
}

fn failing_suite(suite: &SuiteReport, known: &BTreeSet<String>, palette: Palette) -> String {
    let failed = suite.count(Status::Failure);
    let mut what = Vec::new();
    if failed > 0 {
        what.push(count(failed, "failing test"));
    }
    if !suite.findings.is_empty() {
        what.push(count(suite.findings.len(), "finding"));
    }
    let mark = |id: &str| headline::baseline_mark(known.contains(id));
    let id = visible(&suite.id.to_string());
    let mut out = format!("Encountered {} in {id}\n", what.join(" and "));
    for test in suite.tests.iter().filter(|test| test.status == Status::Failure) {
        let known = mark(&test_id(&suite.id, &test.signature));
        out += &format!("{}{known}\n", headline::short_test(test, palette));
    }
    for finding in &suite.findings {
        out += &format!("{}{}\n", headline::short_finding(finding, palette), mark(&finding.id));
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{self, run, verbosity};

    #[test]
    fn an_interrupted_run_says_how_far_it_went() {
        let suites = vec![samples::suite("A", vec![], vec![])];
        let report = RunReport { interrupted: true, planned: 3, ..run(suites) };
        let text = summary(&report, &verbosity(0));
        assert!(text.ends_with("\nInterrupted after 1000 calls, with 1 of 3 test suites begun\n"), "{text}");
    }

    #[test]
    fn the_summary_of_several_suites_lists_failures_by_suite_name() {
        let setup = samples::unit("setUp()", Status::Failure, Some("EvmError: Revert"));
        let suites = vec![
            samples::suite("Z", vec![setup.clone(), setup], vec![]),
            samples::suite("Ok", vec![samples::invariant("invariant_x", Status::Success, None)], vec![]),
            samples::suite("FailInv", vec![samples::broken()], vec![]),
        ];
        assert_eq!(
            summary(&run(suites), &verbosity(5)),
            "
Ran 3 test suites in 31.00ms (7.50ms CPU time): 1 tests passed, 3 failed, 0 skipped (4 total tests)

Failing tests:
Encountered 1 failing test in test/A.t.sol:FailInv
[FAIL: last must be zero: 1 != 0] invariant_lastIsZero()

Encountered 2 failing tests in test/A.t.sol:Z
[FAIL: EvmError: Revert] setUp()
[FAIL: EvmError: Revert] setUp()

Encountered a total of 3 failing tests, 1 tests succeeded

Tip: Run `forge-harvey test --rerun` to retry only the 3 failed tests

Fuzz seed: 0x1 (use `--fuzz-seed` to reproduce)
"
        );
    }

    #[test]
    fn a_run_without_failures_has_a_short_summary() {
        let suites =
            vec![samples::suite("Ok", vec![samples::unit("setUp()", Status::Skipped, None)], vec![])];
        insta::assert_snapshot!(summary(&run(suites), &verbosity(0)).trim(),
            @"Ran 1 test suite in 31.00ms (2.50ms CPU time): 0 tests passed, 0 failed, 1 skipped (1 total tests)");
    }

    #[test]
    fn a_table_shows_the_suites_in_order() {
        let setup = samples::unit("setUp()", Status::Failure, None);
        let held = samples::invariant("invariant_x", Status::Success, None);
        let suites = vec![
            samples::suite("Z", vec![held], vec![samples::finding()]),
            samples::suite("A", vec![setup], vec![]),
        ];
        let report = run(suites);
        let form = |summary, markdown| {
            let text = summary_of(&report, summary, markdown);
            text.split_once("\n\n\n").map(|(table, _)| table.trim().to_owned()).unwrap()
        };
        insta::assert_snapshot!(form(SummaryForm::Table, false), @r"
        ╭------------+--------+--------+---------╮
        | Test Suite | Passed | Failed | Skipped |
        +========================================+
        | A          | 0      | 1      | 0       |
        |------------+--------+--------+---------|
        | Z          | 1      | 1      | 0       |
        ╰------------+--------+--------+---------╯
        ");
        insta::assert_snapshot!(form(SummaryForm::DetailedTable, true), @r"
        | Test Suite | Passed | Failed | Skipped | File Path    | Duration |
        |------------|--------|--------|---------|--------------|----------|
        | A          | 0      | 1      | 0       | test/A.t.sol | 29.00ms  |
        | Z          | 1      | 1      | 0       | test/A.t.sol | 29.00ms  |
        ");
        let json: serde_json::Value =
            serde_json::from_str(&summary_json(&report, SummaryForm::Table)).unwrap();
        assert_eq!(
            json["results"][1],
            serde_json::json!({"suite": "Z", "passed": 1, "failed": 1, "skipped": 0})
        );
    }

    fn summary_of(report: &RunReport, form: SummaryForm, markdown: bool) -> String {
        summary(report, &ReportOptions { summary: form, markdown, ..ReportOptions::default() })
    }

    #[test]
    fn only_failures_of_fuzzed_tests_name_the_seed() {
        let setup = samples::unit("setUp()", Status::Failure, None);
        let text = summary(&run(vec![samples::suite("S", vec![setup], vec![])]), &verbosity(0));
        assert!(
            text.ends_with("\nTip: Run `forge-harvey test --rerun` to retry only the 1 failed test\n"),
            "{text}"
        );
    }
}
