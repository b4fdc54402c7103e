//! How results look: pure functions from [`crate::model`] data to text, one file a format.
//!
//! Nothing here prints, keeps global state or reads a clock, and nothing but [`progress`] does I/O. Without
//! colours the terminal report is byte for byte what Forge 1.7.1 prints for the same data; what Forge does not
//! know (assert findings) is added in the same visual language.
//!
//! | file | what |
//! |---|---|
//! | `terminal` | suites as they finish, and the closing summary |
//! | `headline` | verdict, counterexample and numbers of one test or finding |
//! | `sequence` | the calls of a counterexample, plain or as Solidity |
//! | `metrics` | the table of calls |
//! | `trace`, `backtrace` | call trees |
//! | `json`, `schema` | `--json` |
//! | `junit` | `--junit` |
//! | `sarif`, `github`, `markdown`, `lcov`, `html` | `--report` |
//! | `stuck` | what campaigns are stuck on |
//! | `problem` | what failed, in one form for those |
//! | `list` | `--list` |
//! | `corpus` | `corpus show` |
//! | `reproducer`, `literal` | a Solidity test that fails for the same reason |
//! | `starter` | a first suite for a contract |
//! | `progress` | bars on a terminal |
//! | `text` | what is somebody else's, made harmless |

pub mod corpus;
pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod lcov;
pub mod list;
pub mod markdown;
pub mod progress;
pub mod reproducer;
pub mod sarif;
pub mod starter;
pub mod terminal;

mod backtrace;
mod headline;
mod literal;
mod metrics;
mod problem;
mod schema;
mod sequence;
mod stuck;
mod style;
mod text;
mod trace;

#[cfg(test)]
mod any_text;
#[cfg(test)]
mod samples;

use crate::model::RunReport;
pub(crate) use text::{harmless, tamed, visible};

/// What reporters show.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportOptions {
    /// 0 to 5: from 2 on logs, 3 traces of failing tests, 4 all traces and the setUp of failing tests, 5
    /// every setUp and storage changes.
    pub verbosity: u8,
    /// Whether text is coloured.
    pub color: bool,
    /// Whether logs and traces are those of failures alone.
    pub failures_only: bool,
}

/// All that failed: an id, which is the same in every run, and a name.
#[must_use]
pub fn failures(report: &RunReport) -> Vec<(String, String)> {
    let problems = problem::problems(report).into_iter();
    problems.map(|problem| (problem.id(), format!("{} of {}", problem.name(), problem.suite().id))).collect()
}

/// Where paths begin in reports: at the repository, which the project may be a part of.
#[derive(Clone, Debug, Default)]
pub struct LinkBase {
    /// The repository, absolute, with `/`.
    pub repository: String,
    /// The project in it; empty if they are one.
    pub project: String,
}

impl LinkBase {
    /// A path relative to the project, or absolute where it lies elsewhere, from the repository on.
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

/// `1 test`, `2 tests`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
