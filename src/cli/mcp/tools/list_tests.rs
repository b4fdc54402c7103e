//! `list_tests`: suites and tests of the project.

use super::{Answer, ToolEffect, define, parse, pattern};
use crate::{
    cli::mcp::{
        page::{limit, line, page},
        server::ToolCall,
    },
    report::list::Listing,
};
use anyhow::{Context as _, Result};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "list_tests";

const DESCRIPTION: &str = "Compiles the project if needed, and lists its test contracts (suites) with their invariants \
                           and fuzz tests.";

/// Number of tests in a list, unless the client asks for another one.
const TESTS: usize = 50;
const MOST_TESTS: usize = 500;
/// Most characters of a name.
const MOST_NAME: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    /// Regular expression: only test contracts whose names match.
    match_contract: Option<String>,
    /// Regular expression: only tests whose signatures match.
    match_test: Option<String>,
    /// Number of tests to skip, the `next_offset` of the list before.
    #[serde(default)]
    offset: usize,
    /// Most tests to list, from 1 to 500; 50 by default.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TestPage {
    suites: Vec<ListedSuite>,
    /// Number of all tests that match.
    total_tests: usize,
    /// `offset` of the tests that follow; null at the end.
    next_offset: Option<usize>,
}

#[derive(Debug, PartialEq, Serialize, JsonSchema)]
struct ListedSuite {
    /// `path:Name`, for `run_tests`.
    suite: String,
    /// Names of invariants and fuzz tests.
    tests: Vec<String>,
}

pub(super) fn definition() -> Tool {
    define::<ListArguments, TestPage>(NAME, "List tests", DESCRIPTION, ToolEffect::Runs)
}

pub(super) async fn call(arguments: serde_json::Value, call: &ToolCall<'_>) -> Result<Answer> {
    let arguments: ListArguments = parse(arguments)?;
    let limit = limit(arguments.limit, TESTS, MOST_TESTS)?;
    let mut flags = vec!["--list".into(), "--json".into()];
    flags.extend(pattern("--match-contract", "match_contract", arguments.match_contract.as_deref())?);
    flags.extend(pattern("--match-test", "match_test", arguments.match_test.as_deref())?);
    let output = call.run("test", flags).await?;
    if !output.succeeded() {
        return Err(output.error());
    }
    let listing: Listing = serde_json::from_str(&output.stdout).context("the list cannot be read")?;
    let listed = part(&listing, arguments.offset, limit)?;
    Answer::new(text(&listed), &listed)
}

/// Returns a part of the tests, by suite.
fn part(listing: &Listing, offset: usize, limit: usize) -> Result<TestPage> {
    let contracts = listing.iter().flat_map(|(path, contracts)| {
        contracts.iter().map(move |(name, tests)| (format!("{path}:{name}"), tests))
    });
    let all: Vec<_> =
        contracts.flat_map(|(suite, tests)| tests.iter().map(move |test| (suite.clone(), test))).collect();
    let shown = page(&all, offset, limit)?;
    let mut suites: Vec<ListedSuite> = Vec::new();
    for (suite, test) in shown.items {
        if suites.last().is_none_or(|last| last.suite != *suite) {
            suites.push(ListedSuite { suite: suite.clone(), tests: Vec::new() });
        }
        suites.last_mut().into_iter().for_each(|last| last.tests.push(line(test, MOST_NAME)));
    }
    Ok(TestPage { suites, total_tests: all.len(), next_offset: shown.next })
}

fn text(listed: &TestPage) -> String {
    let TestPage { suites, total_tests, next_offset } = listed;
    if *total_tests == 0 {
        return "No invariants and fuzz tests match. With `scan`, `run_tests` searches contracts without tests.\n"
            .to_owned();
    }
    let mut text: String = suites
        .iter()
        .map(|ListedSuite { suite, tests }| format!("{suite}\n  {}\n", tests.join("\n  ")))
        .collect();
    if let Some(next) = next_offset {
        text += &format!("{total_tests} tests in all; more with `offset`: {next}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn tests_are_listed_by_suite_in_parts() {
        let contracts = |names: &[(&str, &[&str])]| {
            let names = names.iter();
            names
                .map(|(name, tests)| ((*name).to_owned(), tests.iter().map(|&test| test.into()).collect()))
                .collect()
        };
        let listing: Listing = BTreeMap::from([
            (
                "test/A.t.sol".to_owned(),
                contracts(&[("A", &["invariant_a", "invariant_b"]), ("B", &["testFuzz_c"])]),
            ),
            ("test/B.t.sol".to_owned(), contracts(&[("C", &["invariant_d"])])),
        ]);
        insta::assert_snapshot!(text(&part(&listing, 1, 2).unwrap()), @"
        test/A.t.sol:A
          invariant_b
        test/A.t.sol:B
          testFuzz_c
        4 tests in all; more with `offset`: 3
        ");
        insta::assert_snapshot!(text(&part(&listing, 3, 2).unwrap()), @"
        test/B.t.sol:C
          invariant_d
        ");
        insta::assert_snapshot!(text(&part(&Listing::new(), 0, 2).unwrap()), @"No invariants and fuzz tests match. With `scan`, `run_tests` searches contracts without tests.");
    }
}
