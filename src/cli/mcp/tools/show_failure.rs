//! `show_failure`: one failure with its calls and its trace.

use super::{Answer, ToolEffect, define, parse, report};
use crate::{
    campaign::store::own,
    cli::mcp::{
        failures::{FailureSummary, FoundFailure, failures},
        page::{cut, page},
        server::ToolCall,
    },
    files,
};
use anyhow::{Result, anyhow, bail};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

pub(super) const NAME: &str = "show_failure";

const DESCRIPTION: &str = "Shows one failure in full: its calls, and the logs and the trace of a replay on the present \
                           code. The id may also be one of an earlier session, if the failure is saved.";

/// Lines of the trace in a result, unless the client asks for another number.
const LINES: usize = 60;
const MOST_LINES: usize = 400;
/// Most characters of a line of a trace.
const MOST_LINE: usize = 300;
/// Most calls in a result.
const MOST_CALLS: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FailureArguments {
    /// Id of the failure, as `run_tests` and `list_failures` show it.
    id: String,
    /// First line of the trace to show, the `next_line` of the result before; 1 by default.
    #[schemars(range(min = 1))]
    from_line: Option<usize>,
    /// Most lines of the trace to show, from 1 to 400; 60 by default.
    #[schemars(range(min = 1, max = 400))]
    lines: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FailureDetails {
    failure: FailureSummary,
    /// The calls, one line each, fifty at most.
    sequence: Vec<String>,
    /// Number of calls before the sequence was shrunk.
    original_calls: usize,
    /// File of the failure, relative to the project; null if it is not saved.
    saved_file: Option<String>,
    /// False if it does not fail any more; null if it could not be replayed.
    still_fails: Option<bool>,
    /// Part of the logs and the trace of the replay.
    trace: Vec<String>,
    /// Number of all lines of the trace.
    total_lines: usize,
    /// `from_line` of the lines that follow; null at the end.
    next_line: Option<usize>,
}

pub(super) fn definition() -> Tool {
    define::<FailureArguments, FailureDetails>(NAME, "Show a failure", DESCRIPTION, ToolEffect::Runs)
}

pub(super) async fn call(arguments: serde_json::Value, call: &ToolCall<'_>) -> Result<Answer> {
    let FailureArguments { id, from_line, lines } = parse(arguments)?;
    let (from, lines) = part(from_line, lines)?;
    let file = saved(call, &id)?;
    let known = call.server.last().and_then(|run| run.failure(&id).cloned());
    let found = match (known, &file) {
        (Some(known), _) => known,
        (None, Some(file)) => replayed(call, &id, file).await?,
        (None, None) => bail!("{}", unknown(&id)),
    };
    let (still_fails, trace) = match &file {
        None => (None, Vec::new()),
        Some(file) => {
            let output = call.run("replay", vec![file.into()]).await?;
            if !output.stdout.contains(END) {
                return Err(output.error());
            }
            (Some(!output.succeeded()), trace(&output.stdout))
        }
    };
    let shown = page(&trace, from - 1, lines).map_err(|_| no_such_line(from, trace.len()))?;
    let saved_file = file.as_deref().map(|file| files::shown(file, call.root()));
    let FoundFailure { summary: failure, original_calls, mut calls } = found;
    calls.truncate(MOST_CALLS);
    let details = FailureDetails {
        failure,
        sequence: calls,
        original_calls,
        saved_file,
        still_fails,
        trace: shown.items.to_vec(),
        total_lines: trace.len(),
        next_line: shown.next.map(|next| next + 1),
    };
    Answer::new(text(&details), &details)
}

/// Returns the first line and the number of lines to show.
fn part(from: Option<usize>, lines: Option<usize>) -> Result<(usize, usize)> {
    let (from, lines) = (from.unwrap_or(1), lines.unwrap_or(LINES));
    if from == 0 {
        bail!("`from_line` must be 1 or more");
    }
    if !(1..=MOST_LINES).contains(&lines) {
        bail!("`lines` must be from 1 to {MOST_LINES}, not {lines}");
    }
    Ok((from, lines))
}

fn no_such_line(from: usize, lines: usize) -> anyhow::Error {
    anyhow!("`from_line` is {from}, but the trace has {lines} lines")
}

/// Returns the message for an id that belongs to no failure.
pub(super) fn unknown(id: &str) -> String {
    format!(
        "there is no failure {id:?} in the last run, and none is saved: `list_failures` lists the former, and \
         `replay_failures` the latter, of which it removes those that do not fail any more"
    )
}

/// Returns the file of the failure with this id, if it is saved.
///
/// # Errors
/// When the configuration of the project is wrong.
pub(super) fn saved(call: &ToolCall<'_>, id: &str) -> Result<Option<PathBuf>> {
    Ok(own::find(&call.configuration()?.config.paths.corpus, id))
}

/// Replays a saved failure that the last run does not have.
async fn replayed(call: &ToolCall<'_>, id: &str, file: &Path) -> Result<FoundFailure> {
    let output = call.run("replay", vec!["--json".into(), file.into()]).await?;
    if output.stdout.is_empty() {
        return Err(output.error());
    }
    let found = failures(&report(&output.stdout)?).into_iter().find(|found| found.summary.id == id);
    found.ok_or_else(|| {
        anyhow!("{id} does not fail any more; {} holds its calls", files::shown(file, call.root()))
    })
}

/// Beginning of the line after the tests of a suite.
const END: &str = "\nSuite result:";

/// Returns the lines of logs and traces in the output of a replay.
fn trace(output: &str) -> Vec<String> {
    let suite = output.split(END).next().unwrap_or_default();
    let lines = suite.lines().skip_while(|line| !matches!(*line, "Logs:" | "Traces:"));
    let mut lines: Vec<_> = lines.map(|line| cut(line, MOST_LINE)).collect();
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines
}

fn text(details: &FailureDetails) -> String {
    let FailureDetails { failure, sequence, original_calls, trace, .. } = details;
    let mut text = format!("{}\n", failure.text());
    if !sequence.is_empty() {
        text += &format!("\nCalls (before shrinking: {original_calls}):\n");
        text.extend(sequence.iter().zip(1..).map(|(call, number)| format!("{number}. {call}\n")));
        if failure.calls > sequence.len() {
            text += &format!("... {} more\n", failure.calls - sequence.len());
        }
    }
    text += match (&details.saved_file, details.still_fails) {
        (None, _) => "\nIt is not saved, so that there is no trace.\n",
        (_, Some(false)) => "\nIt does not fail any more on the present code. Replay:\n",
        _ => "\n",
    };
    text.extend(trace.iter().map(|line| format!("{line}\n")));
    if let Some(next) = details.next_line {
        text += &format!("{} lines of trace in all; more with `from_line`: {next}\n", details.total_lines);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "No files changed\n\nRan 1 test for test/A.t.sol:A\n[FAIL: bad]\n\t[Sequence]\n invariant_x()\n\
                          Logs:\n  hello\n\nTraces:\n  [1] A::f()\n    └─ ← [Stop]\n\nSuite result: FAILED.\nTraces:\n";

    #[test]
    fn logs_and_traces_of_the_suite_are_taken() {
        assert_eq!(trace(OUTPUT), ["Logs:", "  hello", "", "Traces:", "  [1] A::f()", "    └─ ← [Stop]"]);
        assert_eq!(trace("nothing"), [""; 0]);
    }

    #[test]
    fn a_failure_is_shown_in_parts() {
        let failure = FailureSummary {
            id: "test/A.t.sol:A.invariant_x()".into(),
            suite: "test/A.t.sol:A".into(),
            name: "invariant_x()".into(),
            rule: "invariant".into(),
            reason: "bad".into(),
            location: None,
            calls: 3,
        };
        let mut details = FailureDetails {
            failure,
            sequence: vec!["A.f() from 0x1".into(), "A.g() from 0x1".into()],
            original_calls: 9,
            saved_file: Some("cache/x.json".into()),
            still_fails: Some(true),
            trace: trace(OUTPUT)[3..5].to_vec(),
            total_lines: 6,
            next_line: Some(6),
        };
        insta::assert_snapshot!(text(&details), @"
        test/A.t.sol:A.invariant_x(): [invariant] bad (3 calls)

        Calls (before shrinking: 9):
        1. A.f() from 0x1
        2. A.g() from 0x1
        ... 1 more

        Traces:
          [1] A::f()
        6 lines of trace in all; more with `from_line`: 6
        ");
        (details.saved_file, details.trace, details.next_line) = (None, vec![], None);
        insta::assert_snapshot!(text(&details), @"
        test/A.t.sol:A.invariant_x(): [invariant] bad (3 calls)

        Calls (before shrinking: 9):
        1. A.f() from 0x1
        2. A.g() from 0x1
        ... 1 more

        It is not saved, so that there is no trace.
        ");
    }

    #[test]
    fn lines_have_bounds() {
        assert_eq!(part(None, None).unwrap(), (1, 60));
        for (from, lines) in [(Some(0), None), (None, Some(0)), (None, Some(401))] {
            part(from, lines).unwrap_err();
        }
    }
}
