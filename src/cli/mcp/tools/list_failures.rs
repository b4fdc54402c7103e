//! `list_failures`: failures of the last run.

use super::{Answer, ToolEffect, define, parse};
use crate::cli::mcp::{
    failures::FailureSummary,
    page::{limit, page},
    server::ToolCall,
};
use anyhow::Result;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "list_failures";

const DESCRIPTION: &str =
    "Lists the failing tests and the findings of the last `run_tests` or `replay_failures` of this session.";

/// Number of failures in a list, unless the client asks for another one.
const FAILURES: usize = 20;
const MOST: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FailuresArguments {
    /// Number of failures to skip, the `next_offset` of the list before.
    #[serde(default)]
    offset: usize,
    /// Most failures to list, from 1 to 100; 20 by default.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FailurePage {
    failures: Vec<FailureSummary>,
    /// Number of all failures.
    total: usize,
    /// `offset` of the failures that follow; null at the end.
    next_offset: Option<usize>,
}

pub(super) fn definition() -> Tool {
    define::<FailuresArguments, FailurePage>(NAME, "List failures", DESCRIPTION, ToolEffect::Reads)
}

pub(super) fn call(arguments: serde_json::Value, call: &ToolCall<'_>) -> Result<Answer> {
    let arguments: FailuresArguments = parse(arguments)?;
    let limit = limit(arguments.limit, FAILURES, MOST)?;
    let run = call.server.last_run()?;
    let shown = page(&run.failures, arguments.offset, limit)?;
    let failures = shown.items.iter().map(|failure| failure.summary.clone()).collect();
    let listed = FailurePage { failures, total: run.failures.len(), next_offset: shown.next };
    Answer::new(text(&listed), &listed)
}

fn text(listed: &FailurePage) -> String {
    if listed.total == 0 {
        return "Nothing failed in the last run.\n".to_owned();
    }
    let mut text: String = listed.failures.iter().map(|failure| format!("- {}\n", failure.text())).collect();
    if let Some(next) = listed.next_offset {
        text += &format!("{} failures in all; more with `offset`: {next}\n", listed.total);
    }
    text
}
