//! Formats of results: pure functions from [`crate::model`] data to text, one file per format.
//!
//! Nothing here prints or keeps global state, and only [`progress`] does I/O. The lines of tests,
//! sequences, tables and traces are those of Forge 1.7.1 for the same data; data that Forge does not have is added in
//! the same style. Unlike Forge, the text says everything once: a table for each suite, and a line for each failure
//! in the closing summary.
//!
//! Output of a run on the terminal:
//!
//! | file | content |
//! |---|---|
//! | `terminal/` | suites as they finish, and the closing summary |
//! | `headline` | verdict, counterexample and numbers of one test or finding |
//! | `sequence` | calls of a counterexample, one line each or as Solidity |
//! | `metrics`, `table` | table of the calls of an invariant (`show_metrics`), and the form of tables |
//! | `trace`, `backtrace` | call trees, and the frames above a failure |
//! | `notices` | functions that never succeed or are never called, and other things that a verdict hides |
//! | `stuck` | branches that campaigns are stuck on |
//! | `progress` | progress bars |
//!
//! Output for programs and services:
//!
//! | file | content |
//! |---|---|
//! | `json` | `--json`, and the JSON Schema of it |
//! | `events` | `--events`, and the JSON Schema of it |
//! | `schema/` | types of the JSON report and of the events, by version |
//! | `junit` | `--junit` |
//! | `sarif`, `github`, `markdown`, `lcov` | `--report` in these formats |
//! | `html/` | `--report html`: a page with plots and source coverage |
//! | `problem` | failing tests and findings in one form, for all formats of `--report` |
//!
//! Output of other commands, and generated Solidity:
//!
//! | file | content |
//! |---|---|
//! | `list` | `--list` |
//! | `corpus` | `corpus show` |
//! | `mutation/` | mutants and the verdicts of the tests on them (`mutate`) |
//! | `reproducer/` | a Solidity test that fails for the same reason (`--emit-repro`) |
//! | `starter` | a first invariant suite for a contract (`init`) |
//! | `literal` | Solidity literals, comments and identifiers |
//!
//! Shared by all:
//!
//! | file | content |
//! |---|---|
//! | `text` | escaping of text from outside |
//! | `style` | colours |
//! | `samples`, `any_text` | reports for tests, and a test of the formats with arbitrary text |

pub mod corpus;
pub mod events;
pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod lcov;
pub mod list;
pub mod markdown;
pub mod mutation;
pub mod progress;
pub mod reproducer;
pub mod sarif;
pub mod starter;
pub mod terminal;

mod backtrace;
mod headline;
mod literal;
mod metrics;
mod notices;
mod problem;
mod schema;
mod sequence;
mod stuck;
mod style;
mod table;
mod text;
mod trace;

#[cfg(test)]
mod any_text;
#[cfg(test)]
pub(crate) mod samples;

use crate::model::{RunReport, SequenceCall};
pub(crate) use text::{sanitized, sanitized_message, visible};

/// Options of the reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportOptions {
    /// Level from 0 to 5. Logs are shown from 2 on, traces of failing tests from 3, all traces and the
    /// `setUp` of failing tests from 4, and every `setUp` and storage changes at 5.
    pub verbosity: u8,
    /// True if text is coloured.
    pub color: bool,
    /// True if logs and traces are shown for failures only.
    pub failures_only: bool,
    /// Form of the closing summary.
    pub summary: SummaryForm,
    /// True if tables are in Markdown.
    pub markdown: bool,
    /// Depth to which traces show calls; `None` means all.
    pub trace_depth: Option<usize>,
    /// True if traces show called contracts by their addresses, not their names.
    pub hide_labels: bool,
    /// True if the JSON report has what Forge 1.8 says of campaigns, and the text says what this version replays
    /// (`ForgeBehaviour::reports_campaigns`).
    pub campaigns: bool,
}

/// Form of the closing summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SummaryForm {
    /// A line with the totals.
    #[default]
    Totals,
    /// A table of the suites, `--summary`.
    Table,
    /// A table with files and times, `--detailed`.
    DetailedTable,
}

/// Returns all failures: an id, which is the same in every run, and a name.
#[must_use]
pub fn failures(report: &RunReport) -> Vec<(String, String)> {
    let problems = problem::problems(report).into_iter();
    problems.map(|problem| (problem.id(), format!("{} of {}", problem.name(), problem.suite().id))).collect()
}

/// Describes a call in a line: `Player.buy(99) from 0x…, 5 seconds later`.
#[must_use]
pub fn call_line(call: &SequenceCall) -> String {
    problem::call(call, &|_| None)
}

/// Base of the paths in reports. Paths begin at the repository, of which the project may be a part.
#[derive(Clone, Debug, Default)]
pub struct LinkBase {
    /// Absolute path of the repository, with `/` as separator.
    pub repository: String,
    /// Path of the project in the repository; empty if the two are the same.
    pub project: String,
}

impl LinkBase {
    /// Returns `path` relative to the repository. It is given relative to the project, or absolute if it lies
    /// elsewhere.
    #[must_use]
    pub fn path(&self, path: &str) -> String {
        let is_absolute = path.starts_with('/') || path.chars().nth(1) == Some(':');
        if is_absolute {
            let inside = path.strip_prefix(&self.repository).and_then(|path| path.strip_prefix('/'));
            return inside.unwrap_or(path).to_owned();
        }
        if self.project.is_empty() { path.to_owned() } else { format!("{}/{path}", self.project) }
    }
}

/// Lists at most `most` names: `a, b and 3 more`.
fn listed(names: &[String], most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// Formats a number and its noun: `1 test`, `2 tests`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
