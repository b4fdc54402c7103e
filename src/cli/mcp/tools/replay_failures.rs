//! `replay_failures`: the saved failures, run again.

use super::{Answer, ToolEffect, define, failure_lines, first, parse, pattern, report};
use crate::cli::mcp::{failures::FailureSummary, server::ToolCall};
use anyhow::Result;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "replay_failures";

const DESCRIPTION: &str = "Runs the failures that earlier runs saved again on the present code, without a search, and \
                           lists those that still fail.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReplayArguments {
    /// Regular expression: only failures of contracts whose names match.
    match_contract: Option<String>,
    /// Regular expression: only failures of tests whose signatures match.
    match_test: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ReplaySummary {
    /// Number of failures that still fail.
    still_failing: usize,
    /// The first of them; `list_failures` lists all.
    failures: Vec<FailureSummary>,
}

pub(super) fn definition() -> Tool {
    define::<ReplayArguments, ReplaySummary>(NAME, "Replay failures", DESCRIPTION, ToolEffect::Runs)
}

pub(super) async fn call(arguments: serde_json::Value, call: &ToolCall<'_>) -> Result<Answer> {
    let arguments: ReplayArguments = parse(arguments)?;
    let mut flags = vec!["--json".into()];
    flags.extend(pattern("--match-contract", "match_contract", arguments.match_contract.as_deref())?);
    flags.extend(pattern("--match-test", "match_test", arguments.match_test.as_deref())?);
    let output = call.run("replay", flags).await?;
    // A replay that an error ended has no report.
    if output.stdout.is_empty() {
        return Err(output.error());
    }
    let run = call.server.remember(report(&output.stdout)?);
    let summary = ReplaySummary { still_failing: run.failures.len(), failures: first(&run.failures) };
    let text = match summary.still_failing {
        0 => "Nothing fails: there is no saved failure, or none that still fails.\n".to_owned(),
        count => format!("Failures that still fail: {count}\n{}", failure_lines(&summary.failures, count)),
    };
    Answer::new(text, &summary)
}
