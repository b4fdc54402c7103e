//! What ran of the sources: a table of files, and each file's lines as data for the page's script.

use super::text;
use crate::{
    model::{BranchCoverage, FileCoverage, Place, SourceCoverage, Way},
    report::{count, stuck},
};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// Beyond so many files they are not listed: nobody would look.
const FILES: usize = 2000;

/// One source as the script takes it.
#[derive(Serialize)]
struct Data<'a> {
    text: &'a str,
    /// First and last line of statements, and whether they ran.
    statements: Vec<(usize, usize, u8)>,
    /// Line and column of decisions of which a way was never gone, and what to say of them.
    missed: Vec<(usize, usize, String)>,
}

pub(super) fn section(covered: &SourceCoverage) -> Markup {
    html! {
        section #sources aria-labelledby="sources-title" {
            h2 #sources-title { "Sources" }
            @if covered.files.is_empty() { p { "No source of the project ran." } } @else {
                p {
                    "What runtime code ran in campaigns; constructors and " code { "setUp" } " do not count. "
                    "In a source, " span .ran { "+" } " ran, " span .missed { "−" } " did not, and "
                    span .partly { "!" } " went only one way."
                }
                noscript { p { "The lines of sources need JavaScript." } }
                @let (idle, run): (Vec<_>, Vec<_>) = covered.files.iter().take(FILES).enumerate()
                    .partition(|(_, (_, file))| file.statement_counts().0 == 0);
                @for (index, (path, file)) in run { (source(index, path, file)) }
                @if !idle.is_empty() {
                    details .idle {
                        summary { (count(idle.len(), "source")) " of which nothing ran" }
                        @for (index, (path, file)) in idle { (source(index, path, file)) }
                    }
                }
            }
        }
    }
}

/// `3 of 4 statements`, with a bar; nothing of nothing.
fn bar((ran, all): (usize, usize), what: &str) -> Markup {
    html! {
        @if all > 0 {
            span .share {
                span .bar aria-hidden="true" { span style={ "width:" (ran * 100 / all) "%" } {} }
                " " (ran) " of " (all) " " (what)
            }
        }
    }
}

fn source(index: usize, path: &str, file: &FileCoverage) -> Markup {
    let data = serde_json::to_string(&data(file)).expect("plain data");
    html! {
        details .source id=(anchor(path)) {
            summary {
                code { (text(path)) } " "
                span .shares {
                    (bar(file.statement_counts(), "statements")) (bar(file.way_counts(), "branches"))
                    (bar(file.function_counts(), "functions"))
                }
            }
            div .code tabindex="0" role="region" aria-label={ "Lines of " (text(path)) } {}
            script type="application/json" id={ "data-" (index) } {
                // Nothing in it may end the script.
                (PreEscaped(data.replace('<', "\\u003c")))
            }
        }
    }
}

fn data(file: &FileCoverage) -> Data<'_> {
    let statements = file.statements.iter();
    let statements = statements.map(|(at, ran)| (at.line, at.last_line, u8::from(*ran))).collect();
    let missed = file.branches.iter().filter_map(|(at, branch)| Some((at.line, at.column, missed(branch)?)));
    Data { text: &file.text, statements, missed: missed.collect() }
}

/// `never went to line 12; nearest: 5 != 42, 37 away`.
fn missed(branch: &BranchCoverage) -> Option<String> {
    if branch.ways.values().all(|gone| *gone) || branch.ways.values().all(|gone| !gone) {
        return None;
    }
    let missed = branch.ways.iter().filter(|(_, gone)| !**gone);
    let ways: Vec<_> = missed.map(|(way, _)| self::way(*way, branch)).collect();
    let nearest = branch.nearest.as_ref();
    let nearest =
        nearest.map(|nearest| format!("; nearest: {}", stuck::nearest(nearest))).unwrap_or_default();
    Some(format!("{}: never {}{nearest}", branch.condition, ways.join(" or ")))
}

fn way(way: Way, branch: &BranchCoverage) -> String {
    match way {
        Way::Line(line) => format!("went to line {line}"),
        Way::Revert => "failed".to_owned(),
        Way::Other(_) if branch.ways.contains_key(&Way::Revert) => "passed".to_owned(),
        Way::Other(_) => "went its other way".to_owned(),
    }
}

/// A place, linked to its line where the source is on the page.
pub(super) fn link(place: &Place) -> Markup {
    html! { a data-line=(place.line) href={ "#" (anchor(&place.path)) } { (text(&place.to_string())) } }
}

/// The id of a source's element.
fn anchor(path: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '_' };
    format!("source-{}", path.chars().map(plain).collect::<String>())
}

/// `75 %` of all; nothing where there is nothing.
pub(super) fn share(counts: impl Iterator<Item = (usize, usize)>) -> Option<String> {
    let (ran, all) = counts.fold((0, 0), |sum, (ran, all)| (sum.0 + ran, sum.1 + all));
    (all > 0).then(|| format!("{} %", ran * 100 / all))
}
