//! Report for people: a block per suite, the closing summary in `summary`, and its table of contracts in `contracts`.

mod contracts;
mod summary;

use crate::{
    model::{
        CallMetrics, Evidence, Finding, ForgeReplay, Status, SuiteReport, TestKind, TestReport, test_id,
    },
    report::{
        ReportOptions, backtrace, count,
        headline::{self, ReplayHint},
        metrics, notices,
        style::Palette,
        table::TableForm,
        text::styled,
        trace, visible,
    },
};
use std::collections::{BTreeMap, BTreeSet};
pub use summary::{summary, summary_json};
use yansi::Color;

/// Bright colours of the 256-colour palette for the cells of tables.
const GREEN: u8 = 10;
const RED: u8 = 9;
const YELLOW: u8 = 11;
const CYAN: u8 = 14;

/// Formats everything about one suite: notices, tests, findings, calls and result. The text begins with a blank line.
/// Failures whose ids are `known` are those of the baseline.
#[must_use]
pub fn suite(report: &SuiteReport, known: &BTreeSet<String>, options: &ReportOptions) -> String {
    // A scan counts as one test, whose verdict is its findings.
    let tests = if report.scene.is_some() { 1 } else { report.tests.len() };
    let id = visible(&report.id.to_string());
    let mut out = format!("\nRan {} for {id}\n", count(tests, "test"));
    let mark = |id: &str| headline::baseline_mark(known.contains(id));
    out += &notices::of_suite(report, Palette::new(options.color));
    for test in &report.tests {
        out += &test_block(test, mark(&test_id(&report.id, &test.signature)), options);
    }
    if options.campaigns {
        out += &hidden_failures(&report.tests).unwrap_or_default();
    }
    out += &initializers(report);
    for finding in &report.findings {
        out += &finding_block(finding, mark(&finding.id), options);
    }
    out += &replay_notes(report);
    out += &calls_table(report, options);
    out + &suite_result(report, options) + "\n"
}

/// Draws the table of the calls that the campaigns of invariants made, if it is to be shown (`show_metrics`).
fn calls_table(report: &SuiteReport, options: &ReportOptions) -> String {
    let tables = report.tests.iter().filter_map(|test| match &test.kind {
        TestKind::Invariant { metrics, .. } => Some(metrics),
        _ => None,
    });
    let shown: BTreeSet<&String> = tables.flat_map(BTreeMap::keys).collect();
    let functions = report.stats.functions.iter().filter(|function| shown.contains(&function.name));
    let calls: BTreeMap<String, CallMetrics> =
        functions.map(|function| (function.name.clone(), function.metrics)).collect();
    match calls.is_empty() {
        true => String::new(),
        false => format!("\n{}\n", metrics::table(&calls, form(options))),
    }
}

/// Formats notes on the counterexamples that Forge's failure files cannot replay, one for each reason.
fn replay_notes(report: &SuiteReport) -> String {
    let tests = report
        .tests
        .iter()
        .map(|test| (visible(&test.signature), &test.forge_replay, test.counterexample.as_ref()));
    let findings = report.findings.iter().map(|finding| {
        (visible(&headline::entry(finding)), &finding.forge_replay, Some(&finding.counterexample))
    });
    let mut notes: Vec<(ReplayHint<'_>, Vec<String>)> = Vec::new();
    for (name, replay, counterexample) in tests.chain(findings) {
        let Some(hint) = headline::replay_hint(replay, counterexample) else { continue };
        match notes.iter_mut().find(|(known, _)| *known == hint) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => notes.push((hint, vec![name])),
        }
    }
    notes.iter().map(|(hint, names)| hint.text(names) + "\n").collect()
}

/// Formats a note if `forge test` of 1.8 shows the first invariant's failure from its file, and then does not run the
/// other invariants, some of which failed as well.
fn hidden_failures(tests: &[TestReport]) -> Option<String> {
    let is_predicate = |test: &&TestReport| matches!(test.kind, TestKind::Invariant { best: None, .. });
    let has_file = |test: &&TestReport| matches!(test.forge_replay, ForgeReplay::File(_));
    let mut invariants: Vec<_> = tests.iter().filter(is_predicate).collect();
    invariants.sort_unstable_by_key(|test| &test.signature);
    let (first, others) = invariants.split_first().filter(|(first, _)| has_file(first))?;
    let other = others.iter().copied().find(has_file)?;
    let name = |test: &TestReport| visible(test.signature.trim_end_matches("()"));
    Some(format!(
        "Note: `forge test` replays {} and then runs no other invariant; `forge test --match-test '^{}$'` replays another \
         failure\n",
        name(first),
        name(other)
    ))
}

/// Formats a note about the calls that come before every sequence of a scan, if there are findings to understand.
fn initializers(report: &SuiteReport) -> String {
    let calls = report.scene.iter().flat_map(|scene| &scene.initializers);
    let calls: Vec<_> = calls.map(|call| visible(&call.signature)).collect();
    match report.findings.is_empty() || calls.is_empty() {
        true => String::new(),
        false => format!("Note: before each sequence, the deployer calls {}\n", calls.join(", ")),
    }
}

/// Formats the result of a suite, without a newline: `Suite result: ok. 1 passed; 0 failed; 0 skipped;
/// finished in 1.00s (1.00s CPU time)`.
#[must_use]
pub fn suite_result(report: &SuiteReport, options: &ReportOptions) -> String {
    let palette = Palette::new(options.color);
    let (word, color) = if report.failed() { ("FAILED", Color::Red) } else { ("ok", Color::Green) };
    let [passed, failed, skipped] = counts(|status| report.count(status), palette);
    let findings = if report.findings.is_empty() {
        String::new()
    } else {
        format!("; {}", palette.paint(Color::Red, &count(report.findings.len(), "finding")))
    };
    format!(
        "Suite result: {}. {passed} passed; {failed} failed; {skipped} skipped{findings}; \
         finished in {:.2?} ({:.2?} CPU time)",
        palette.paint(color, word),
        report.duration,
        report.cpu,
    )
}

fn test_block(test: &TestReport, known: &str, options: &ReportOptions) -> String {
    let details = details(&test.evidence, test.status == Status::Failure, options);
    headline::test(test, options) + known + "\n" + &details
}

fn finding_block(finding: &Finding, known: &str, options: &ReportOptions) -> String {
    headline::finding(finding, options) + known + "\n" + &details(&finding.evidence, true, options)
}

fn form(options: &ReportOptions) -> TableForm {
    TableForm { palette: Palette::new(options.color), markdown: options.markdown }
}

/// Formats the logs and traces that the verbosity includes.
fn details(evidence: &Evidence, failed: bool, options: &ReportOptions) -> String {
    let Evidence { logs, traces, .. } = evidence;
    let mut out = String::new();
    if options.failures_only && !failed {
        return out;
    }
    if options.verbosity >= 2 && !logs.is_empty() {
        out += "Logs:\n";
        out.extend(logs.iter().map(|log| format!("  {}\n", styled(log, options.color))));
        out.push('\n');
    }
    if options.verbosity >= 3 {
        out += &trace::all(traces, failed, options);
        if failed {
            out += &backtrace::first(traces, options).unwrap_or_default();
        }
    }
    out
}

/// Returns the numbers of passed, failed and skipped tests, coloured.
fn counts(number: impl Fn(Status) -> usize, palette: Palette) -> [String; 3] {
    let colored =
        [(Status::Success, Color::Green), (Status::Failure, Color::Red), (Status::Skipped, Color::Yellow)];
    colored.map(|(status, color)| palette.paint(color, &number(status).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{self, run, verbosity};

    fn without_metrics(mut test: TestReport) -> TestReport {
        if let TestKind::Invariant { metrics, .. } = &mut test.kind {
            metrics.clear();
        }
        test
    }

    #[test]
    fn a_suite_is_printed_in_forges_lines() {
        let tests = vec![
            samples::broken(),
            samples::optimization(),
            samples::invariant("invariant_pass", Status::Success, None),
            samples::invariant("invariant_skip", Status::Skipped, Some("later")),
            samples::invariant("invariant_zskip", Status::Skipped, None),
            samples::unit("setUp()", Status::Failure, Some("EvmError: Revert")),
        ];
        let text = suite(&samples::suite("FailInv", tests, vec![]), &BTreeSet::new(), &verbosity(2));
        assert_eq!(
            text,
            "
Ran 6 tests for test/A.t.sol:FailInv
[FAIL: last must be zero: 1 != 0]
\t[Sequence] (original: 2, shrunk: 1)
\t\tsender=0x0000000000000000000000000000000000001234 addr=[test/A.t.sol:Bank]0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f calldata=deposit(uint256) args=[123456 [1.234e5]]
 invariant_lastIsZero() (runs: 0, calls: 0, reverts: 2)
Logs:
  setup log
  checking 44

[PASS]
\t[Best sequence] (original: 2, shrunk: 1)
\t\tsender=0x0000000000000000000000000000000000001234 addr=[test/A.t.sol:Bank]0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f calldata=deposit(uint256) args=[6098]
 invariant_max() (best: 103, runs: 3, calls: 18)
[PASS] invariant_pass() (runs: 3, calls: 18, reverts: 7)
[SKIP: later] invariant_skip() (runs: 3, calls: 18, reverts: 7)
[SKIP] invariant_zskip() (runs: 3, calls: 18, reverts: 7)
[FAIL: EvmError: Revert] setUp() (gas: 0)

╭----------+----------+-------+---------+----------╮
| Contract | Selector | Calls | Reverts | Discards |
+==================================================+
| Child    | kill     | 1     | 0       | 0        |
|----------+----------+-------+---------+----------|
| Bank     | deposit  | 64133 | 2       | 0        |
╰----------+----------+-------+---------+----------╯

Suite result: FAILED. 2 passed; 2 failed; 2 skipped; finished in 29.00ms (2.50ms CPU time)
"
        );
    }

    #[test]
    fn findings_fail_a_suite_whose_tests_hold() {
        let held = samples::invariant("invariant_x", Status::Success, None);
        let report = samples::suite("S", vec![held], vec![samples::finding()]);
        insta::assert_snapshot!(suite(&report, &BTreeSet::new(), &verbosity(0)).trim(), @"
        Ran 1 test for test/A.t.sol:S
        [PASS] invariant_x() (runs: 3, calls: 18, reverts: 7)
        [FAIL: panic: assertion failed (0x01)]
        	[Sequence] (original: 9, shrunk: 1)
        		sender=0x0000000000000000000000000000000000001234 addr=[test/A.t.sol:Bank]0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f calldata=deposit(uint256) args=[7]
         Bank.deposit(uint256) at test/A.t.sol:8:5 (assertion, calls: 12)
        Note: `forge test` cannot replay Bank.deposit(uint256) from its failure file (it sends value); `--emit-repro DIR` writes a Solidity test that can
        Suite result: FAILED. 1 passed; 0 failed; 0 skipped; 1 finding; finished in 29.00ms (2.50ms CPU time)
        ");
        insta::assert_snapshot!(summary(&run(vec![report]), &verbosity(0)).trim(), @"
        Ran 1 test suite in 31.00ms (2.50ms CPU time): 1 tests passed, 0 failed, 0 skipped, 1 finding (1 total tests)

        Encountered a total of 0 failing tests, 1 finding, 1 tests succeeded

        Fuzz seed: 0x1 (use `--fuzz-seed` to reproduce)
        ");
    }

    #[test]
    fn a_failure_that_forge_1_8_would_not_reach_is_named() {
        let broken = |name: &str, forge_replay: ForgeReplay| TestReport {
            forge_replay,
            ..samples::invariant(name, Status::Failure, Some("broken"))
        };
        let file = || ForgeReplay::File("cache/invariant".to_owned());
        let note = |tests: [TestReport; 2]| hidden_failures(&tests);
        let both = || [broken("invariant_b", file()), broken("invariant_a", file())];
        insta::assert_snapshot!(note(both()).unwrap().trim(), @"Note: `forge test` replays invariant_a and then runs no other invariant; `forge test --match-test '^invariant_b$'` replays another failure");
        let [second, _] = both();
        assert_eq!(note([broken("invariant_a", ForgeReplay::NotWritten), second]), None);
        let [second, _] = both();
        assert_eq!(note([samples::invariant("invariant_a", Status::Success, None), second]), None);

        let printed = |campaigns| {
            let options = ReportOptions { campaigns, ..verbosity(0) };
            suite(&samples::suite("S", both().to_vec(), vec![]), &BTreeSet::new(), &options)
                .contains("replays another failure")
        };
        assert!(printed(true) && !printed(false));
    }

    #[test]
    fn traces_follow_the_logs_and_end_in_a_backtrace() {
        let mut test = without_metrics(samples::broken());
        test.evidence.traces.remove(2);
        insta::assert_snapshot!(suite(&samples::suite("FailInv", vec![test], vec![]), &BTreeSet::new(), &verbosity(4)).trim(), @r#"
        Ran 1 test for test/A.t.sol:FailInv
        [FAIL: last must be zero: 1 != 0]
        	[Sequence] (original: 2, shrunk: 1)
        		sender=0x0000000000000000000000000000000000001234 addr=[test/A.t.sol:Bank]0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f calldata=deposit(uint256) args=[123456 [1.234e5]]
         invariant_lastIsZero() (runs: 0, calls: 0, reverts: 2)
        Logs:
          setup log
          checking 44

        Traces:
          [628695] FailInv::setUp()
            └─ ← [Stop]

          [18160] FailInv::invariant_lastIsZero()
            ├─ [2470] Bank::total() [staticcall]
            │   └─ ← [Return] 44
            ├─ [0] console::log("checking", 44) [staticcall]
            │   └─ ← [Stop]
            ├─ [0] VM::assertEq(1, 0, "last must be zero") [staticcall]
            │   └─ ← [Revert] last must be zero: 1 != 0
            └─ ← [Revert] last must be zero: 1 != 0

        Backtrace:
          at VM.assertEq
          at FailInv.invariant_lastIsZero

        Suite result: FAILED. 0 passed; 1 failed; 0 skipped; finished in 29.00ms (2.50ms CPU time)
        "#);
    }

    #[test]
    fn colours_are_forges() {
        let report = samples::suite("FailInv", vec![without_metrics(samples::broken())], vec![]);
        let options = ReportOptions { color: true, ..ReportOptions::default() };
        let text = suite(&report, &BTreeSet::new(), &options) + &summary(&run(vec![report]), &options);
        insta::assert_snapshot!(text.trim().replace('\u{1b}', "^"), @"
        Ran 1 test for test/A.t.sol:FailInv
        ^[31m[FAIL: last must be zero: 1 != 0]
        	[Sequence] (original: 2, shrunk: 1)
        		sender=0x0000000000000000000000000000000000001234 addr=[test/A.t.sol:Bank]0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f calldata=deposit(uint256) args=[123456 ^[2m[1.234e5]^[0m^[31m]
        ^[0m invariant_lastIsZero() (runs: 0, calls: 0, reverts: 2)
        Suite result: ^[31mFAILED^[0m. ^[32m0^[0m passed; ^[31m1^[0m failed; ^[33m0^[0m skipped; finished in 29.00ms (2.50ms CPU time)

        Ran 1 test suite in 31.00ms (2.50ms CPU time): ^[32m0^[0m tests passed, ^[31m1^[0m failed, ^[33m0^[0m skipped (1 total tests)

        Encountered a total of ^[31m1^[0m failing tests, ^[32m0^[0m tests succeeded

        Tip: Run ^[36m`forge-harvey test --rerun`^[0m to retry only the 1 failed test

        Fuzz seed: ^[36m0x1^[0m (use ^[36m`--fuzz-seed`^[0m to reproduce)
        ");
    }
}
