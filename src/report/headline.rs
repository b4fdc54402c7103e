//! Verdict, counterexample and numbers of one test or finding.

use crate::{
    model::{
        Counterexample, Finding, ForgeReplay, GasOfRuns, SequenceCall, Status, TestKind, TestReport,
        Transaction, format::Style,
    },
    report::{ReportOptions, listed, sequence::block, style::Palette, visible},
};
use yansi::Color;

/// Formats the verdict of a test: `[PASS] invariant_x() (runs: 1, calls: 2, reverts: 0)`. A sequence, if
/// there is one, stands between the verdict and the name.
///
/// A verdict with a sequence ends in a newline inside its colour codes, so that the next line begins with a
/// space, as in Forge.
pub(super) fn test(test: &TestReport, options: &ReportOptions) -> String {
    let palette = Palette::new(options.color);
    let (word, color) = match test.status {
        Status::Success => ("PASS", Color::Green),
        Status::Failure => ("FAIL", Color::Red),
        Status::Skipped => ("SKIP", Color::Yellow),
    };
    let title = if test.status == Status::Success { "Best sequence" } else { "Sequence" };
    let reason = test.reason.as_deref().filter(|_| test.status != Status::Success);
    let shown = test.counterexample.as_ref();
    let verdict = if test.kind.is_of_one_call() {
        let input = shown.filter(|_| test.status == Status::Failure).and_then(|shown| shown.calls.last());
        let input = input.map(|call| palette.dim_hints(&input_of(call))).unwrap_or_default();
        format!("[{word}{}{input}]", colon(reason))
    } else {
        verdict(word, reason, &sequence(title, shown, test.settings.show_solidity, palette))
    };
    format!("{} {} {}", palette.wrap(color, &verdict), visible(&test.signature), numbers(&test.kind))
}

/// Formats a finding like a test, with its site, its oracle, and the number of calls after which it was
/// found.
pub(super) fn finding(finding: &Finding, options: &ReportOptions) -> String {
    let palette = Palette::new(options.color);
    let sequence =
        sequence("Sequence", Some(&finding.counterexample), finding.settings.show_solidity, palette);
    let verdict = verdict("FAIL", Some(&finding.failure.reason), &sequence);
    let found =
        if finding.replayed { "replayed".to_owned() } else { format!("calls: {}", finding.found.calls) };
    format!(
        "{} {}{} at {} ({}, {found})",
        palette.wrap(Color::Red, &verdict),
        visible(&entry(finding)),
        visible(&others(finding)),
        visible(&finding.failure.site.to_string()),
        finding.oracle,
    )
}

/// Returns the suffix of a failure that is in the baseline; empty for others.
pub(super) fn baseline_mark(is_known: bool) -> &'static str {
    if is_known { " (in the baseline)" } else { "" }
}

/// Formats the verdict and the name of a test, without its counterexample.
pub(super) fn short_test(test: &TestReport, palette: Palette) -> String {
    let verdict = format!("[FAIL{}]", colon(test.reason.as_deref()));
    format!("{} {}", palette.paint(Color::Red, &verdict), visible(&test.signature))
}

/// Formats the reason and the place of a finding, without its counterexample.
pub(super) fn short_finding(finding: &Finding, palette: Palette) -> String {
    let verdict = format!("[FAIL{}]", colon(Some(&finding.failure.reason)));
    format!(
        "{} {} at {} ({})",
        palette.paint(Color::Red, &verdict),
        visible(&entry(finding)),
        visible(&finding.failure.site.to_string()),
        finding.oracle
    )
}

/// Reason for which Forge's failure file cannot replay a counterexample, and another way to replay it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReplayHint<'a> {
    reason: &'a str,
    instead: &'static str,
}

/// Maximum number of failures that a note names.
const NAMES: usize = 4;

impl ReplayHint<'_> {
    /// Formats the note about the failures with these names.
    pub(super) fn text(&self, names: &[String]) -> String {
        let shown = listed(names, NAMES);
        let Self { reason, instead } = self;
        format!("Note: `forge test` cannot replay {shown} from its failure file ({reason}); {instead}")
    }
}

/// Returns the reason for which Forge's failure file cannot replay a counterexample, if there is one.
pub(super) fn replay_hint<'a>(
    replay: &'a ForgeReplay,
    counterexample: Option<&Counterexample>,
) -> Option<ReplayHint<'a>> {
    let instead = match counterexample.is_some_and(Counterexample::calls_back) {
        true => "the next run here does",
        false => "`--emit-repro DIR` writes a Solidity test that can",
    };
    replay.obstacle().map(|reason| ReplayHint { reason, instead })
}

/// Returns the contract and function called last, as in `Hand.bump(uint256)`.
pub(super) fn entry(finding: &Finding) -> String {
    let contract = finding.entry.contract.rsplit_once(':').map_or(&*finding.entry.contract, |(_, name)| name);
    format!("{contract}.{}", finding.entry.function)
}

/// Returns the other functions that reach the place of a finding, as in ` (also close(), kill())`.
fn others(finding: &Finding) -> String {
    let names: Vec<&str> = finding.others.iter().map(|entry| &*entry.function).collect();
    if names.is_empty() { String::new() } else { format!(" (also {})", names.join(", ")) }
}

fn verdict(word: &str, reason: Option<&str>, sequence: &str) -> String {
    format!("[{word}{}]{sequence}", colon(reason))
}

fn colon(reason: Option<&str>) -> String {
    reason.map(|reason| format!(": {}", visible(reason))).unwrap_or_default()
}

/// Formats the failing input of a test, as Forge 1.8 does: with its sender and target if it sends value.
fn input_of(call: &SequenceCall) -> String {
    let args = call.args(Style::Pretty).unwrap_or_default();
    let Transaction { sender, target, value, .. } = &call.tx;
    let paid = match value.is_zero() {
        true => String::new(),
        false => format!("sender={sender} addr={target} value={value} "),
    };
    format!("; counterexample: {paid}calldata={} args=[{args}]", call.calldata)
}

/// Formats the sequence with its title, after a newline; empty if there are no calls.
fn sequence(title: &str, shown: Option<&Counterexample>, as_solidity: bool, palette: Palette) -> String {
    let shown = shown.filter(|counterexample| !counterexample.calls.is_empty());
    shown.map(|shown| format!("\n{}", block(title, shown, as_solidity, palette))).unwrap_or_default()
}

fn numbers(kind: &TestKind) -> String {
    match kind {
        TestKind::Unit { gas } => format!("(gas: {gas})"),
        TestKind::Fuzz { runs, .. } | TestKind::Table { runs } => {
            let GasOfRuns { runs, mean, median } = runs;
            format!("(runs: {runs}, μ: {mean}, ~: {median})")
        }
        TestKind::Invariant { runs, calls, best: Some(best), .. } => {
            format!("(best: {best}, runs: {runs}, calls: {calls})")
        }
        TestKind::Invariant { runs, calls, reverts, .. } => {
            format!("(runs: {runs}, calls: {calls}, reverts: {reverts})")
        }
    }
}
