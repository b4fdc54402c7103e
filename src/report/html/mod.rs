//! `--report html`: one page that needs neither a network nor another file.
//!
//! The page holds sources as data, and `page.js` renders the lines of a source when a user opens it. So a
//! page with twenty thousand lines opens as fast as a small one. Everything else works without a script.

mod plot;
mod sources;

use crate::{
    model::{
        Evidence, FunctionStats, Looked, RunReport, SourceCoverage, Status, SuiteReport, TestKind, TestReport,
    },
    report::{
        ReportOptions, count,
        problem::{self, Problem},
        stuck, trace, visible as text,
    },
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Content security policy: the page may not load or send anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:; base-uri 'none'; form-action 'none'";

/// Most rows shown of functions and of branches, of which there may be thousands.
const ROWS: usize = 200;

/// Most revert reasons shown of each function.
const REASONS: usize = 4;

/// Renders the page of a run on the project named `title`.
#[must_use]
pub fn report(report: &RunReport, title: &str) -> String {
    let problems = problem::problems(report);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="generator" content=(concat!("forge-harvey ", env!("CARGO_PKG_VERSION")));
                title { (title) " – forge-harvey" }
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body {
                a .skip href="#main" { "Skip to the results" }
                (head(report, title, &problems))
                main #main {
                    (failures(&problems, &report.covered))
                    (stuck_on(report))
                    (suites(report))
                    (functions(report))
                    (sources::section(&report.covered))
                }
                (foot(report))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn head(report: &RunReport, title: &str, problems: &[Problem<'_>]) -> Markup {
    let held: usize = report.suites.iter().map(|suite| suite.count(Status::Success)).sum();
    let skipped: usize = report.suites.iter().map(|suite| suite.count(Status::Skipped)).sum();
    let sum = |of: fn(&SuiteReport) -> u64| -> u64 { report.suites.iter().map(of).sum() };
    let verdict = match problems.len() {
        0 if report.suites.is_empty() => "Nothing was run".to_owned(),
        0 => "Nothing failed".to_owned(),
        number => count(number, "failure"),
    };
    let contracts = report.covered.files.values().filter(|file| file.is_contract);
    let statements = sources::share(contracts.map(|file| file.counts().statements));
    let statements = statements.filter(|_| report.covered.looked != Looked::Nowhere);
    html! {
        header {
            p .brand { "forge-harvey" }
            h1 { (title) }
            p .verdict.bad[!problems.is_empty()] { (verdict) @if report.interrupted { ", interrupted" } }
            dl .figures {
                (figure("held", &held.to_string()))
                (figure("failed", &problems.len().to_string()))
                @if skipped > 0 { (figure("skipped", &skipped.to_string())) }
                (figure("calls", &grouped(sum(|suite| suite.stats.calls))))
                (figure("executions", &grouped(sum(|suite| suite.stats.executions))))
                (figure("paths", &grouped(sum(|suite| suite.stats.paths))))
                @if let Some(statements) = statements { (figure("statements", &statements)) }
                (figure("time", &format!("{:.1} s", report.duration.as_secs_f64())))
            }
            nav aria-label="Sections" {
                ul {
                    @for (id, name) in [("failures", "Failures"), ("stuck", "Stuck on"), ("suites", "Suites"),
                        ("functions", "Functions"), ("sources", "Sources")] {
                        li { a href={ "#" (id) } { (name) } }
                    }
                }
            }
        }
    }
}

fn figure(name: &str, value: &str) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

fn foot(report: &RunReport) -> Markup {
    html! {
        footer {
            p {
                "Seed " code { (format!("{:#x}", report.seed)) } "; " code { "--fuzz-seed" }
                " repeats a run on as many threads that no time ends. Written by "
                (concat!("forge-harvey ", env!("CARGO_PKG_VERSION"))) "."
            }
        }
    }
}

fn failures(problems: &[Problem<'_>], covered: &SourceCoverage) -> Markup {
    html! {
        section #failures aria-labelledby="failures-title" {
            h2 #failures-title { "Failures" }
            @if problems.is_empty() { p { "No property was broken and no assertion failed." } }
            @for (index, problem) in problems.iter().enumerate() { (failure(*problem, index, covered)) }
        }
    }
}

fn failure(problem: Problem<'_>, index: usize, covered: &SourceCoverage) -> Markup {
    let suite = problem.suite();
    let steps = problem.calls();
    html! {
        article .failure aria-labelledby={ "failure-" (index) } {
            h3 id={ "failure-" (index) } { code { (text(&problem.name())) } }
            p .reason { span .badge { (problem.rule()) } " " (text(problem.reason())) }
            p .where {
                (text(&suite.id.to_string()))
                @if let Some(place) = problem.place() { ", " (sources::link(place, covered)) }
            }
            @if !steps.is_empty() {
                ol .calls { @for step in &steps { li { code { (text(step)) } } } }
            }
            @if let Some(counterexample) = problem.counterexample() {
                p .note {
                    @if counterexample.original_len > steps.len() {
                        "Shrunk from " (count(counterexample.original_len, "call")) ". "
                    }
                    @match problem.found() {
                        Some(found) if found.calls > 0 => {
                            "Found after " (grouped(found.calls)) " calls by " code { (found.operator) } ". "
                        }
                        Some(_) => { "Kept from an earlier run. " }
                        None => {}
                    }
                    "Shown again by "
                    code { "forge-harvey replay --match-contract " (text(&suite.id.name)) } "."
                }
            }
            (traces(problem))
        }
    }
}

fn traces(problem: Problem<'_>) -> Markup {
    let options = ReportOptions { verbosity: 3, ..ReportOptions::default() };
    let Evidence { traces, logs, .. } = problem.evidence();
    let shown = trace::all(traces, true, &options);
    html! {
        @if !logs.is_empty() {
            details { summary { "Logs" } pre tabindex="0" { (text(&logs.join("\n"))) } }
        }
        @if !shown.trim().is_empty() {
            details { summary { "Traces" } pre tabindex="0" { (text(shown.trim_end())) } }
        }
    }
}

fn stuck_on(report: &RunReport) -> Markup {
    html! {
        section #stuck aria-labelledby="stuck-title" {
            h2 #stuck-title { "Stuck on" }
            @if report.covered.looked != Looked::Everywhere {
                p { "It is not known: there was no campaign, or not everything that it kept was looked at." }
            } @else if report.stuck.is_empty() {
                p {
                    "Every branch that calls reached, and that has code behind it which nothing ran, "
                    "was passed."
                }
            } @else {
                p {
                    "Branches that were reached and that nothing passed, those first that most code is behind "
                    "which nothing ran."
                }
                ol .stuck {
                    @for stuck in report.stuck.iter().take(ROWS) {
                        li {
                            p { code .condition { (text(&stuck.condition)) } }
                            dl {
                                div { dt { "place" } dd { (sources::link(&stuck.place, &report.covered)) } }
                                (figure("behind it", &stuck::behind(stuck)))
                                (figure("nearest", &stuck::nearest(stuck)))
                                (figure("so far", &stuck::reached(stuck)))
                                div { dt { "needs" } dd { (marked(&stuck::advice(stuck))) } }
                            }
                        }
                    }
                }
                (sources::more(ROWS, report.stuck.len()))
            }
        }
    }
}

fn suites(report: &RunReport) -> Markup {
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
        div .wide tabindex="0" role="region" aria-label={ "Properties of " (text(&suite.id.name)) } {
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
                            th scope="row" { code { (text(&crate::report::headline::entry(finding))) } }
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
fn functions(report: &RunReport) -> Markup {
    let mut all = crate::model::Stats::default();
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

/// Renders text of this program, in which backticks enclose code.
fn marked(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// Formats a number as `12 345`, with spaces that do not break.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}
