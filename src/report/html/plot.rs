//! Plots of the coverage of a campaign over its executions.

use super::grouped;
use crate::model::{CoveragePoint, Found, SuiteReport};
use maud::{Markup, html};
use std::fmt::Write as _;

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 190.0;
/// Left margin, with room for the numbers at the axis.
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 28.0;
const TOP: f64 = 30.0;
const RIGHT: f64 = 12.0;

/// Approximate number of points in a plot.
const POINTS: usize = 240;

/// Renders paths, branches and failures over the executions of a suite's campaigns. Each campaign begins at
/// zero executions. Renders nothing if there was no campaign.
pub(super) fn growth(suite: &SuiteReport) -> Markup {
    let campaigns: Vec<_> = suite.stats.coverage.chunk_by(|a, b| a.executions <= b.executions).collect();
    let lasts = || campaigns.iter().filter_map(|points| points.last());
    let end = lasts().map(|last| last.executions).max().unwrap_or_default();
    let seconds = lasts().map(|last| last.seconds).fold(0.0, f64::max);
    if suite.stats.coverage.len() < 2 || end == 0 {
        return html! {};
    }
    let found = found(suite);
    let axis = Axis { end, said: format!("{} executions, {seconds:.1} s", grouped(end)) };
    let curves = |value: fn(&CoveragePoint) -> u64| -> Vec<Vec<(u64, u64)>> {
        let curve = |points: &&[CoveragePoint]| points.iter().map(|at| (at.executions, value(at))).collect();
        campaigns.iter().map(curve).collect()
    };
    let mut times: Vec<u64> = found.iter().map(|(_, found)| found.executions.min(end)).collect();
    times.sort_unstable();
    html! {
        figure {
            div .plots {
                (chart("Paths", &curves(|point| point.paths), &axis, &found))
                (chart("Branches", &curves(|point| point.branches), &axis, &found))
                @if !found.is_empty() { (chart("Failures", &[stairs(&times, end)], &axis, &found)) }
            }
            figcaption {
                @if campaigns.len() > 1 { "One curve for each of " (campaigns.len()) " campaigns. " }
                @if !found.is_empty() { "A vertical line is a failure found." }
            }
        }
    }
}

/// Horizontal axis of a plot.
struct Axis {
    /// Number of executions at its end.
    end: u64,
    /// Label at its end.
    said: String,
}

/// Returns the points of a step curve that rises by one at each of these times, in executions.
fn stairs(times: &[u64], end: u64) -> Vec<(u64, u64)> {
    let mut points = Vec::new();
    for (index, time) in times.iter().enumerate() {
        points.extend([(*time, index as u64), (*time, index as u64 + 1)]);
    }
    points.push((end, times.len() as u64));
    points
}

/// Returns the names of all failures found, and the times at which they were found.
fn found(suite: &SuiteReport) -> Vec<(String, Found)> {
    let tests = suite.tests.iter().filter_map(|test| Some((test.signature.clone(), test.found?)));
    let findings = suite.findings.iter().map(|finding| (finding.id.clone(), finding.found));
    tests.chain(findings).collect()
}

/// Renders one plot of curves over executions.
fn chart(name: &str, curves: &[Vec<(u64, u64)>], axis: &Axis, found: &[(String, Found)]) -> Markup {
    let most = curves.iter().flatten().map(|point| point.1).max().unwrap_or(1).max(1);
    let executions = axis.end;
    let x = |at: u64| LEFT + (WIDTH - LEFT - RIGHT) * at as f64 / executions as f64;
    let y = |at: u64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * at as f64 / most as f64;
    let step = curves.iter().map(Vec::len).sum::<usize>().div_ceil(POINTS).max(1);
    let mut line = String::new();
    for curve in curves {
        _ = write!(line, "M{LEFT:.1},{:.1}", y(0));
        for (at, value) in curve.iter().step_by(step).chain(curve.last()) {
            _ = write!(line, "L{:.1},{:.1}", x(*at), y(*value));
        }
    }
    let label = format!("{name} over executions: {} at {}", grouped(most), grouped(executions));
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
            text .title x="0" y="14" { (name) }
            @for share in if most > 1 { &[0.0, 0.5, 1.0][..] } else { &[0.0, 1.0] } {
                @let at = HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share;
                line .grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(at) y2=(at) {}
                text x=(LEFT - 6.0) y=(at + 4.0) text-anchor="end" { (grouped((most as f64 * share) as u64)) }
            }
            text x=(LEFT) y=(HEIGHT - 8.0) { "0" }
            text x=(WIDTH - RIGHT) y=(HEIGHT - 8.0) text-anchor="end" {
                (axis.said)
            }
            @for (name, found) in found {
                @let x = x(found.executions.min(executions));
                line .found x1=(x) x2=(x) y1=(TOP) y2=(HEIGHT - BOTTOM) {
                    title { (name) }
                }
            }
            path .curve d=(line) {}
        }
    }
}
