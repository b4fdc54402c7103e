//! Source coverage: a table of files, and the lines of each file as data for the page's script.

use crate::{
    model::{BranchCoverage, ContractCounts, FileCoverage, Looked, Place, SourceCoverage},
    report::{count, stuck, visible as text},
};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// Most files listed; nobody would read a longer list.
const FILES: usize = 2000;

/// One source, in the form that the script reads.
#[derive(Serialize)]
struct Data {
    text: String,
    /// First line and last line of each statement, and 1 if it ran.
    statements: Vec<(usize, usize, u8)>,
    /// Line and column of each condition with an outcome that never occurred, and a text about it.
    missed: Vec<(usize, usize, String)>,
}

pub(super) fn section(covered: &SourceCoverage) -> Markup {
    html! {
        section #sources aria-labelledby="sources-title" {
            h2 #sources-title { "Sources" }
            @if covered.looked == Looked::Nowhere {
                p {
                    "Nothing was looked at: there was no campaign, or it was interrupted. "
                    "Only Solidity is read."
                }
            } @else {
                @if covered.looked == Looked::Partly {
                    p { strong { "Not everything was looked at: more may have run than is shown." } }
                }
                p {
                    "What ran of runtime code in " code { "setUp" } " and in campaigns; "
                    "constructors do not count. "
                    "In a source, " span .ran { "+" } " ran, " span .missed { "−" } " did not, and "
                    span .partly { "!" } " ran in part, or its condition was always the same."
                }
                (contracts(covered))
                noscript { p { "The lines of sources need JavaScript." } }
                @let (idle, run): (Vec<_>, Vec<_>) = covered.files.iter().take(FILES).enumerate()
                    .partition(|(_, (_, file))| file.counts().statements.0 == 0);
                @for (index, (path, file)) in run { (source(index, path, file)) }
                @if !idle.is_empty() {
                    details .idle {
                        summary { (count(idle.len(), "source")) " of which nothing ran" }
                        @for (index, (path, file)) in idle { (source(index, path, file)) }
                    }
                }
                (more(FILES, covered.files.len()))
            }
        }
    }
}

/// Renders the table of the contracts.
fn contracts(covered: &SourceCoverage) -> Markup {
    let rows = covered.contracts.iter().take(FILES).map(|(id, contract)| (id, contract.counts()));
    html! {
        @if !covered.contracts.is_empty() {
            div .wide tabindex="0" role="region" aria-label="Table of contracts" {
                table {
                    thead {
                        tr {
                            @for title in ["Contract", "Instructions", "Branches", "Events", "Calls"] {
                                th scope="col" { (title) }
                            }
                        }
                    }
                    tbody {
                        @for (id, counts) in rows {
                            tr {
                                th scope="row" { code { (text(id)) } }
                                @let ContractCounts { instructions, branches, events, calls } = counts;
                                @for counts in [instructions, branches, events, calls] {
                                    td { (cell(counts)) }
                                }
                            }
                        }
                    }
                }
            }
            (more(FILES, covered.contracts.len()))
        }
    }
}

/// Renders `75 % (3 of 4)` with a bar.
fn cell(counts: (usize, usize)) -> Markup {
    html! {
        @match share(std::iter::once(counts)) {
            Some(share) => (meter(counts, &format!("{share} ({} of {})", counts.0, counts.1))),
            None => "–",
        }
    }
}

/// Renders a text with a bar that shows a share; there must be something to cover.
fn meter((ran, all): (usize, usize), text: &str) -> Markup {
    html! {
        span .share {
            span .bar aria-hidden="true" { span style={ "width:" (ran * 100 / all) "%" } {} }
            " " (text)
        }
    }
}

/// Renders a note if the list is longer than shown.
pub(super) fn more(shown: usize, all: usize) -> Markup {
    html! { @if all > shown { p .note { (shown) " of " (all) " are shown." } } }
}

/// Renders `3 of 4 statements` with a bar; nothing if there are none.
fn bar((ran, all): (usize, usize), what: &str) -> Markup {
    html! { @if all > 0 { (meter((ran, all), &format!("{ran} of {all} {what}"))) } }
}

fn source(index: usize, path: &str, file: &FileCoverage) -> Markup {
    let counts = file.counts();
    let data = serde_json::to_string(&data(file)).expect("plain data");
    html! {
        details .source id={ "source-" (index) } {
            summary {
                code { (text(path)) } " "
                span .shares {
                    (bar(counts.statements, "statements")) (bar(counts.branches, "branches"))
                    (bar(counts.functions, "functions"))
                }
            }
            div .code tabindex="0" role="region" aria-label={ "Lines of " (text(path)) } {}
            script type="application/json" id={ "data-" (index) } {
                // The data must not end the script element.
                (PreEscaped(data.replace('<', "\\u003c")))
            }
        }
    }
}

fn data(file: &FileCoverage) -> Data {
    let statements = file.statements.iter();
    let statements = statements.map(|(at, ran)| (at.line, at.last_line, u8::from(*ran))).collect();
    let missed = file.branches.iter().filter_map(|(at, branch)| Some((at.line, at.column, missed(branch)?)));
    Data { text: text(&file.text), statements, missed: missed.collect() }
}

/// Describes the missing outcome of a condition: `if (x == 42): never true; x was 5; 37 away`.
/// Returns `None` unless exactly one outcome occurred.
fn missed(branch: &BranchCoverage) -> Option<String> {
    let never = match branch.was {
        [true, false] => "true",
        [false, true] => "false",
        _ => return None,
    };
    let nearest = branch.nearest.as_ref();
    let nearest = nearest.map(|nearest| stuck::compared(&branch.condition, nearest)).unwrap_or_default();
    let nearest = if nearest.is_empty() { nearest } else { format!("; {nearest}") };
    Some(text(&format!("{}: never {never}{nearest}", branch.condition)))
}

/// Renders a place, with a link to its line if its source is on the page.
pub(super) fn link(place: &Place, covered: &SourceCoverage) -> Markup {
    let index = covered.files.keys().take(FILES).position(|path| **path == *place.path);
    html! {
        @match index {
            Some(index) => a data-line=(place.line) href={ "#source-" (index) } {
                (text(&place.to_string()))
            },
            None => (text(&place.to_string())),
        }
    }
}

/// Formats the covered share as `75 %`; `None` if there is nothing to cover.
pub(super) fn share(counts: impl Iterator<Item = (usize, usize)>) -> Option<String> {
    let (ran, all) = counts.fold((0, 0), |sum, (ran, all)| (sum.0 + ran, sum.1 + all));
    (all > 0).then(|| format!("{} %", ran * 100 / all))
}
