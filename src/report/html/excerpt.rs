//! Excerpts of sources around a line that failed.

use super::{PageFacts, sources};
use crate::{
    model::{Place, SourceCoverage},
    report::visible as text,
};
use maud::{Markup, html};

/// Lines shown before the marked line, and after it.
const BEFORE: usize = 4;
const AFTER: usize = 3;

/// Most characters shown of a line. Generated sources may have all their text on one.
const LONGEST: usize = 240;

/// Renders the lines around a place, of which the line of the place is marked. Returns `None` if the source is not
/// known or has no such line.
pub(super) fn excerpt(place: &Place, covered: &SourceCoverage, facts: &PageFacts) -> Option<Markup> {
    let source = facts.sources.get(&*place.path)?;
    let first = place.line.saturating_sub(BEFORE).max(1);
    let lines: Vec<_> =
        source.lines().enumerate().skip(first - 1).take(place.line + AFTER + 1 - first).collect();
    let indents = lines.iter().filter(|(_, line)| !line.trim().is_empty()).map(|(_, line)| indent(line));
    let common = indents.min().unwrap_or_default();
    let is_there = lines.iter().any(|(index, _)| index + 1 == place.line);
    is_there.then(|| {
        html! {
            figure .excerpt {
                figcaption { (sources::link(place, covered)) }
                pre tabindex="0" role="group" aria-label={ "Source at " (text(&place.to_string())) } {
                    @for (index, line) in lines { (row(index + 1, line, common, place)) }
                }
            }
        }
    })
}

/// Returns the number of blanks or tabs at the beginning of a line.
fn indent(line: &str) -> usize {
    line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Renders one line with its number, without the first `common` characters, by which all lines are indented.
fn row(number: usize, line: &str, common: usize, place: &Place) -> Markup {
    let fails = number == place.line;
    let column = if fails { place.column.saturating_sub(common) } else { 1 };
    let line = line.get(common..).unwrap_or_default();
    html! {
        span .row.failing[fails] {
            span .number { (number) }
            span .sign { @if fails { "▶" span .unseen { " fails here: " } } @else { " " } }
            code { (text(&cut(line, column))) "\n" }
        }
    }
}

/// Cuts a long line to the part around a column.
fn cut(line: &str, column: usize) -> String {
    if line.chars().count() <= LONGEST {
        return line.to_owned();
    }
    let from = column.saturating_sub(LONGEST / 2);
    let part: String = line.chars().skip(from).take(LONGEST).collect();
    let begin = if from > 0 { "…" } else { "" };
    let end = if line.chars().nth(from + LONGEST).is_some() { "…" } else { "" };
    format!("{begin}{part}{end}")
}
