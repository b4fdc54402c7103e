//! Suites with their tests and plots, and the table of functions.

use super::{grouped, plot, sources};
use crate::{
    model::{FunctionStats, RunReport, Stats, Status, SuiteReport, TestKind, TestReport},
    report::{headline, problem, visible as text},
};
use maud::{Markup, html};

/// Most rows shown of functions, of which there may be thousands.
const ROWS: usize = 200;

/// Most revert reasons shown of each function.
const REASONS: usize = 4;

pub(super) fn section(report: &RunReport) -> Markup {
    let suites = problem::suites(report);
    let only = suites.len() == 1;
    html! {
        section #suites aria-labelledby="suites-title" {
            h2 #suites-title { "Suites" }
            @for suite in suites { (self::suite(suite, only)) }
        }
    }
}

fn suite(suite: &SuiteReport, open: bool) -> Markup {
    let failed = suite.count(Status::Failure) + suite.findings.len();
    let verdict = match (failed, suite.count(Status::Success)) {
        (0, 0) => "skipped".to_owned(),
        (0, _) => "held".to_owned(),
        _ => format!("{failed} failed"),
    };
    html! {
        details .suite open[open || failed > 0] {
            summary {
                span .mark.bad[failed > 0] { (verdict) } " "
                code { (text(&suite.id.to_string())) } " "
                span .quiet {
                    (grouped(suite.stats.calls)) " calls, "
                    (format!("{:.1} s", suite.duration.as_secs_f64()))
                }
            }
            (tests(suite))
            (plot::growth(suite))
            @if !suite.warnings.is_empty() {
                ul .warnings { @for warning in &suite.warnings { li { (text(warning)) } } }
            }
        }
    }
}

fn tests(suite: &SuiteReport) -> Markup {
    html! {
        div .wide tabindex="0" role="region" aria-label={ "Properties of " (text(&suite.id.to_string())) } {
            table {
                caption { "Properties and tests" }
                thead { tr {
                    th scope="col" { "Property" }
                    th scope="col" { "Verdict" }
                    th scope="col" { "Figures" }
                    th scope="col" { "Reason" }
                } }
                tbody {
                    @for test in &suite.tests {
                        tr {
                            th scope="row" { code { (text(&test.signature)) } }
                            td { (verdict(test.status)) }
                            td { (figures(test)) }
                            td { (text(test.reason.as_deref().unwrap_or_default())) }
                        }
                    }
                    @for finding in &suite.findings {
                        tr {
                            th scope="row" { code { (text(&headline::entry(finding))) } }
                            td { (verdict(Status::Failure)) }
                            td { (finding.oracle) }
                            td { (text(&finding.failure.reason)) }
                        }
                    }
                }
            }
        }
    }
}

fn verdict(status: Status) -> Markup {
    let (class, word) = match status {
        Status::Success => ("good", "held"),
        Status::Failure => ("bad", "failed"),
        Status::Skipped => ("quiet", "skipped"),
    };
    html! { span .mark.(class) { (word) } }
}

fn figures(test: &TestReport) -> String {
    match &test.kind {
        TestKind::Unit { gas } => format!("gas {}", grouped(*gas)),
        TestKind::Fuzz { runs, .. } | TestKind::Table { runs } => {
            format!("{} runs, mean gas {}", grouped(runs.runs), grouped(runs.mean))
        }
        TestKind::Invariant { calls, reverts, best, .. } => {
            let best = best.map(|best| format!("best {best}, ")).unwrap_or_default();
            format!("{best}calls {}, reverts {}", grouped(*calls), grouped(*reverts))
        }
    }
}

/// Renders the table of functions, those with the most reverts first.
pub(super) fn functions(report: &RunReport) -> Markup {
    let mut all = Stats::default();
    for function in report.suites.iter().flat_map(|suite| &suite.stats.functions) {
        all.add_function(function.clone());
    }
    all.functions.sort_by(|a, b| b.metrics.reverts.cmp(&a.metrics.reverts).then_with(|| a.name.cmp(&b.name)));
    html! {
        section #functions aria-labelledby="functions-title" {
            h2 #functions-title { "Functions" }
            @if all.functions.is_empty() { p { "No function was called." } } @else {
                div .wide tabindex="0" role="region" aria-label="Table of functions" {
                    table .numbers {
                        caption { "Calls of each function, those that revert most first" }
                        thead { tr {
                            @for name in ["Function", "Calls", "Reverts", "Discards", "Why it reverts"] {
                                th scope="col" { (name) }
                            }
                        } }
                        tbody { @for function in all.functions.iter().take(ROWS) { (called(function)) } }
                    }
                }
                (sources::more(ROWS, all.functions.len()))
            }
        }
    }
}

fn called(function: &FunctionStats) -> Markup {
    let metrics = function.metrics;
    html! {
        tr {
            th scope="row" { code title=(function.name) { (function.short()) } }
            td { (grouped(metrics.calls)) }
            td { (grouped(metrics.reverts)) " " span .quiet { (percent(metrics.reverts, metrics.calls)) } }
            td { (grouped(metrics.discards)) }
            td .text {
                @if !function.reasons.is_empty() {
                    ul { @for (reason, times) in function.reasons.iter().take(REASONS) {
                        li { (text(reason)) " " span .quiet { "× " (grouped(*times)) } }
                    } }
                }
            }
        }
    }
}

/// Formats a share as `12 %`, rounded down; empty if `part` or `whole` is zero.
fn percent(part: u64, whole: u64) -> String {
    if part == 0 || whole == 0 { String::new() } else { format!("{} %", part * 100 / whole) }
}
