//! `--report markdown`: a summary for the page of a workflow run or for a comment.

use crate::{
    model::{RunReport, Status, Stuck},
    report::{
        count,
        problem::{self, Problem},
        stuck, visible,
    },
};

/// Formats the whole report.
#[must_use]
pub fn report(report: &RunReport) -> String {
    let problems = problem::problems(report);
    let mut out = format!("## forge-harvey: {}\n\n", verdict(report, problems.len()));
    out += &table(report);
    for problem in &problems {
        out += &section(*problem);
    }
    out += &stuck_on(&report.stuck);
    let warnings = report.suites.iter().flat_map(|suite| &suite.warnings);
    let warnings: String = warnings.map(|warning| format!("* {}\n", code(warning))).collect();
    if !warnings.is_empty() {
        out += &format!("\n### Warnings\n\n{warnings}");
    }
    out += &format!(
        "\nSeed `{:#x}`: `--fuzz-seed` reproduces a run on as many threads that no time ends.\n",
        report.seed
    );
    out
}

fn verdict(report: &RunReport, problems: usize) -> String {
    let tests: usize = report.suites.iter().map(|suite| suite.count(Status::Success)).sum();
    let mut text = match problems {
        0 => format!("{} held", count(tests, "test")),
        _ => format!("{}, {} held", count(problems, "failure"), count(tests, "test")),
    };
    let left = report.planned.saturating_sub(report.suites.len());
    if left > 0 {
        text += &format!(", {} not run", count(left, "suite"));
    }
    if report.interrupted {
        text += " (interrupted)";
    }
    text
}

fn table(report: &RunReport) -> String {
    let mut out = "| suite | held | failed | skipped | calls | branches | seconds |\n".to_owned();
    out += "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for suite in problem::suites(report) {
        out += &format!(
            "| {} | {} | {} | {} | {} | {} | {:.1} |\n",
            code(&suite.id.to_string()).replace('|', "\\|"),
            suite.count(Status::Success),
            suite.count(Status::Failure) + suite.findings.len(),
            suite.count(Status::Skipped),
            suite.stats.calls,
            suite.stats.branches,
            suite.duration.as_secs_f64(),
        );
    }
    out
}

/// Lists the few missed branches with the most uncovered code behind them.
fn stuck_on(all: &[Stuck]) -> String {
    let mut out = String::new();
    for stuck in all.iter().take(stuck::SHOWN) {
        let (condition, place) = (code(&stuck.condition), code(&stuck.place.to_string()));
        let (nearest, advice) = (stuck::nearest(stuck), stuck::advice(stuck));
        let nearest = if nearest.is_empty() { nearest } else { format!("; nearest {}", code(&nearest)) };
        out += &format!("* {condition} at {place}: {}{nearest}\n", stuck::behind(stuck));
        if !advice.is_empty() {
            out += &format!("  needs {advice}\n");
        }
    }
    if out.is_empty() { out } else { format!("\n### Stuck on\n\n{out}") }
}

fn section(problem: Problem<'_>) -> String {
    let place = problem.place().map(|place| format!(" at {}", code(&place.to_string()))).unwrap_or_default();
    let mut out = format!("\n### {}{place}\n\n{}\n", code(&problem.name()), code(problem.reason()));
    let steps = problem.steps();
    if !steps.is_empty() {
        out += &format!("\n{}", block("text", &steps.join("\n")));
    }
    out
}

/// Formats text as a code span on one line, so that nothing in it is markup.
pub(super) fn code(text: &str) -> String {
    let text = visible(text).replace(['\n', '\r'], " ");
    let ticks = "`".repeat(1 + longest_run(&text));
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// Formats text as a code block in a language, so that nothing in it is markup.
pub(super) fn block(language: &str, text: &str) -> String {
    let text = &visible(text);
    let fence = "`".repeat(3.max(1 + longest_run(text)));
    format!("{fence}{language}\n{text}\n{fence}\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
