//! `--report html`: one page that needs neither a network nor another file.
//!
//! The page holds sources as data, and `page.js` renders the lines of a source when a user opens it. So a
//! page with twenty thousand lines opens as fast as a small one. Everything else works without a script.
//!
//! | file | content |
//! |---|---|
//! | `facts` | date, command and commit of the run |
//! | `failures`, `calls`, `excerpt` | failures with their rules, calls, sources and reproducers |
//! | `branches` | branches on which campaigns are stuck |
//! | `suites`, `plot` | suites, their tests and plots, and the table of functions |
//! | `sources` | source coverage |
//! | `page.css`, `page.js` | style, and the script for sources and for buttons |

mod branches;
mod calls;
mod excerpt;
mod facts;
mod failures;
mod plot;
mod sources;
mod suites;
#[cfg(test)]
mod tests;

pub use facts::PageFacts;

use crate::{
    model::{Looked, RunReport, Status, SuiteReport},
    report::{
        count,
        problem::{self, Problem},
        visible,
    },
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Content security policy: the page may not load or send anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:; base-uri 'none'; form-action 'none'";

/// Renders the page of a run.
#[must_use]
pub fn report(report: &RunReport, facts: &PageFacts) -> String {
    let problems = problem::problems(report);
    let title = visible(&facts.title);
    let body = html! {
        (head(report, &title, facts, &problems))
        main #main {
            (failures::section(&problems, &report.covered, facts))
            (branches::section(report))
            (suites::section(report))
            (suites::functions(report))
            (sources::section(&report.covered))
        }
    };
    document(&title, &body)
}

/// Renders a whole page around the header and the main part. The title must be [`visible`].
pub(super) fn document(title: &str, body: &Markup) -> String {
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
                (body)
                (foot())
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn head(report: &RunReport, title: &str, facts: &PageFacts, problems: &[Problem<'_>]) -> Markup {
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
            (facts::list(report, facts))
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

fn foot() -> Markup {
    html! {
        footer { p { "Written by " (concat!("forge-harvey ", env!("CARGO_PKG_VERSION"))) "." } }
    }
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
