//! `--report github`: annotations that a GitHub workflow reads from the log of a step.

use crate::{
    model::RunReport,
    report::{
        LinkBase,
        problem::{self, Problem},
        visible,
    },
};

/// Formats one annotation line for each failure.
#[must_use]
pub fn report(report: &RunReport, base: &LinkBase) -> String {
    problem::problems(report).into_iter().map(|problem| annotation(problem, base)).collect()
}

fn annotation(problem: Problem<'_>, base: &LinkBase) -> String {
    let title = property(&format!("{} of {}", problem.name(), problem.suite().id.name));
    let place = problem.place().map(|place| {
        let file = property(&base.path(&place.path));
        format!("file={file},line={},col={},", place.line, place.column)
    });
    let message = [vec![problem.reason().to_owned()], problem.steps()].concat().join("\n");
    format!("::error {}title={title}::{}\n", place.unwrap_or_default(), data(&message))
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
