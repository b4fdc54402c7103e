//! `show_stuck`: branches on which the last run is stuck.

use super::{Answer, ToolEffect, define, parse};
use crate::cli::mcp::{
    document::{RunDocument, StuckDocument},
    page::{limit, line, page},
    server::ToolCall,
};
use anyhow::Result;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "show_stuck";

const DESCRIPTION: &str = "Shows the branches that no input of the last run passed, those first that hide the most \
                           code, with the nearest values and with what would help.";

/// Number of branches in a list, unless the client asks for another one.
const BRANCHES: usize = 5;
const MOST: usize = 50;
/// Most characters of a text, and most functions and lines that are named.
const MOST_TEXT: usize = 300;
const MOST_NAMED: usize = 10;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StuckArguments {
    /// Number of branches to skip, the `next_offset` of the list before.
    #[serde(default)]
    offset: usize,
    /// Most branches to show, from 1 to 50; 5 by default.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct StuckPage {
    branches: Vec<UnpassedBranch>,
    /// Number of all branches.
    total: usize,
    /// `offset` of the branches that follow; null at the end.
    next_offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct UnpassedBranch {
    suite: String,
    /// `path:line:column` of the condition.
    location: String,
    /// Its source.
    condition: String,
    /// Result that it never had; null if the branch decides only a part of it.
    never: Option<bool>,
    /// Values of the nearest execution.
    nearest: String,
    /// Changes that may pass it: `role`, `time`, `hash`, `ether`, `call`, `value`, `state` or `deployment`.
    needs: Vec<String>,
    /// Advice on how to get past it.
    advice: String,
    /// Functions whose calls reached the condition, ten at most.
    functions: Vec<String>,
    /// Calls spent on it since it last came nearer.
    tries: u64,
    /// Number of lines behind it that nothing ran.
    hidden_lines: usize,
    /// The first of these lines, `path:line`.
    hidden_from: Option<String>,
}

pub(super) fn definition() -> Tool {
    define::<StuckArguments, StuckPage>(NAME, "Show stuck branches", DESCRIPTION, ToolEffect::Reads)
}

pub(super) fn call(arguments: serde_json::Value, call: &ToolCall<'_>) -> Result<Answer> {
    let arguments: StuckArguments = parse(arguments)?;
    let limit = limit(arguments.limit, BRANCHES, MOST)?;
    let run = call.server.last_run()?;
    let all = all(&run.report);
    let shown = page(&all, arguments.offset, limit)?;
    let branches = shown.items.iter().map(|(suite, stuck)| branch(suite, stuck)).collect();
    let listed = StuckPage { branches, total: all.len(), next_offset: shown.next };
    Answer::new(text(&listed), &listed)
}

/// Returns all branches with their suites, those first that hide the most code.
fn all(report: &RunDocument) -> Vec<(&str, &StuckDocument)> {
    let suites = report.iter();
    let stuck = suites.flat_map(|(id, suite)| suite.harvey.stuck.iter().map(move |stuck| (&**id, stuck)));
    let mut all: Vec<_> = stuck.collect();
    all.sort_by_key(|(_, stuck)| std::cmp::Reverse(stuck.behind.len()));
    all
}

fn branch(suite: &str, stuck: &StuckDocument) -> UnpassedBranch {
    let short = |text: &str| line(text, MOST_TEXT);
    UnpassedBranch {
        suite: short(suite),
        location: short(&stuck.location),
        condition: short(&stuck.condition),
        never: stuck.never,
        nearest: short(&stuck.nearest),
        needs: stuck.needs.iter().map(|need| short(need)).collect(),
        advice: short(&stuck.advice),
        functions: stuck.functions.iter().take(MOST_NAMED).map(|name| short(name)).collect(),
        tries: stuck.tries,
        hidden_lines: stuck.behind.len(),
        hidden_from: stuck.behind.first().map(|place| short(place)),
    }
}

fn text(listed: &StuckPage) -> String {
    if listed.total == 0 {
        return "The last run is stuck on no branch that hides code.\n".to_owned();
    }
    let mut text = String::new();
    for branch in &listed.branches {
        let result = branch.never.map_or("not passed".to_owned(), |never| format!("never {never}"));
        let from = branch.hidden_from.as_ref().map(|from| format!(", from {from}")).unwrap_or_default();
        text += &format!("{} {}\n", branch.location, branch.condition);
        text += &match branch.functions.is_empty() {
            true => format!("  {result}\n"),
            false => format!("  {result} in calls of {}\n", branch.functions.join(", ")),
        };
        let behind = format!("{}{from}", branch.hidden_lines);
        let figures = [
            ("nearest", &branch.nearest),
            ("lines behind it that nothing ran", &behind),
            ("needs", &branch.advice),
        ];
        for (label, figure) in figures.into_iter().filter(|(_, figure)| !figure.is_empty()) {
            text += &format!("  {label}: {figure}\n");
        }
    }
    if let Some(next) = listed.next_offset {
        text += &format!("{} branches in all; more with `offset`: {next}\n", listed.total);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stuck(location: &str, behind: &[&str]) -> StuckDocument {
        StuckDocument {
            location: location.to_owned(),
            condition: "if (amount ==\n magic)".to_owned(),
            tries: 812,
            never: Some(true),
            functions: vec!["Vault.deposit".to_owned()],
            behind: behind.iter().map(|&line| line.to_owned()).collect(),
            needs: vec!["value".to_owned()],
            nearest: "amount was 5, magic was 4716; 4711 away".to_owned(),
            advice: "another value".to_owned(),
        }
    }

    #[test]
    fn a_branch_is_shown_with_what_would_help() {
        let shown = StuckPage {
            branches: vec![branch(
                "test/A.t.sol:A",
                &stuck("src/A.sol:3:4", &["src/A.sol:4", "src/A.sol:5"]),
            )],
            total: 2,
            next_offset: Some(1),
        };
        insta::assert_snapshot!(text(&shown), @"
        src/A.sol:3:4 if (amount ==  magic)
          never true in calls of Vault.deposit
          nearest: amount was 5, magic was 4716; 4711 away
          lines behind it that nothing ran: 2, from src/A.sol:4
          needs: another value
        2 branches in all; more with `offset`: 1
        ");
        let none = StuckPage { branches: Vec::new(), total: 0, next_offset: None };
        insta::assert_snapshot!(text(&none), @"The last run is stuck on no branch that hides code.");
    }
}
