//! `run_tests`: a search for failures within a budget.

use super::{Answer, ToolEffect, define, failure_lines, first, parse, pattern, report};
use crate::{
    cli::mcp::{
        document::RunDocument,
        failures::FailureSummary,
        page::line,
        server::{LastRun, ToolCall},
    },
    files,
    model::ContractId,
};
use alloy_primitives::U256;
use anyhow::{Context as _, Result, anyhow, bail};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::BTreeSet, ffi::OsString, path::Path};

pub(super) const NAME: &str = "run_tests";

const DESCRIPTION: &str = "Searches for inputs that break the invariants and fuzz tests of the project, or of one suite, \
                           within a budget. Failures are shrunk, saved in cache/harvey and in Forge's files, and \
                           replayed first by the next run.";

/// Seconds of a run, unless the client gives another number.
const BUDGET: u32 = 30;
const MOST_BUDGET: u32 = 600;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunArguments {
    /// Only this suite, `path:Name` as `list_tests` shows it. All suites by default.
    suite: Option<String>,
    /// Regular expression: only test contracts whose names match. Not together with `suite`.
    match_contract: Option<String>,
    /// Regular expression: only tests whose signatures match.
    match_test: Option<String>,
    /// Seconds for the search, without compilation, from 1 to 600; 30 by default.
    #[schemars(range(min = 1, max = 600))]
    budget_seconds: Option<u32>,
    /// Seed of all random choices, in decimal or hex (0x). Random by default; the result names it.
    #[schemars(with = "Option<String>")]
    seed: Option<Value>,
    /// Also call contracts that have no tests, and look for failed assertions in them.
    #[serde(default)]
    scan: bool,
    /// Further oracles for contracts without tests: ids that `explain_rule` lists, or `all`.
    #[serde(default)]
    oracles: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RunSummary {
    /// `held`, `failed`, or `interrupted` if the run was ended before anything failed.
    verdict: &'static str,
    /// Invariants and fuzz tests that held.
    passed: usize,
    /// Those that failed.
    failed: usize,
    skipped: usize,
    /// Failed assertions and findings of oracles.
    findings: usize,
    /// Number of suites that ran.
    suites: usize,
    calls: u64,
    /// Seconds of the suites, added.
    seconds: f64,
    /// `0x` quantity, for `seed`.
    seed: String,
    /// The first failures; `list_failures` lists all.
    failures: Vec<FailureSummary>,
    /// Number of all failures.
    total_failures: usize,
    /// Number of branches on which the search is stuck, for `show_stuck`.
    stuck: usize,
    /// Warnings, such as functions that always revert.
    warnings: Vec<String>,
}

pub(super) fn definition() -> Tool {
    define::<RunArguments, RunSummary>(NAME, "Run tests", DESCRIPTION, ToolEffect::Runs)
}

pub(super) async fn call(arguments: Value, call: &ToolCall<'_>) -> Result<Answer> {
    let directory = tempfile::tempdir().context("cannot create a temporary directory")?;
    let file = directory.path().join("report.json");
    let flags = flags(&parse(arguments)?, &file)?;
    let output = call.run("test", flags).await?;
    // A run that an error ended has no report.
    let Ok(written) = files::read_text(&file) else { return Err(output.error()) };
    let report = report(&written)?;
    if report.is_empty() {
        return Err(nothing_ran(&output.messages()));
    }
    let summary = summary(&call.server.remember(report));
    Answer::new(text(&summary), &summary)
}

fn nothing_ran(messages: &str) -> anyhow::Error {
    let hint = "nothing ran: `list_tests` lists what there is, and `scan` searches contracts without tests";
    anyhow!("{}", format!("{hint}\n{messages}").trim_end())
}

/// Returns the flags of `forge-harvey test`, which writes its report to a file.
fn flags(arguments: &RunArguments, file: &Path) -> Result<Vec<OsString>> {
    let budget = arguments.budget_seconds.unwrap_or(BUDGET);
    if !(1..=MOST_BUDGET).contains(&budget) {
        bail!("`budget_seconds` must be from 1 to {MOST_BUDGET}, not {budget}");
    }
    let mut json = OsString::from("--json-file=");
    json.push(file);
    let mut flags = vec!["--events=-".into(), json, format!("--budget={budget}").into()];
    match (&arguments.suite, &arguments.match_contract) {
        (Some(_), Some(_)) => bail!("give `suite` or `match_contract`, not both"),
        (Some(suite), None) => {
            let Some(ContractId { path, name }) = ContractId::parse(suite) else {
                bail!("`suite` must be path:Name as `list_tests` shows it, not {suite:?}");
            };
            flags.push(format!("--match-path={}", globset::escape(&path)).into());
            flags.push(format!("--match-contract=^{}$", regex::escape(&name)).into());
        }
        (None, contract) => flags.extend(pattern("--match-contract", "match_contract", contract.as_deref())?),
    }
    flags.extend(pattern("--match-test", "match_test", arguments.match_test.as_deref())?);
    if let Some(seed) = &arguments.seed {
        flags.push(format!("--fuzz-seed={:#x}", self::seed(seed)?).into());
    }
    flags.extend(arguments.scan.then(|| "--scan".into()));
    flags.extend(arguments.oracles.iter().map(|oracle| format!("--oracles={oracle}").into()));
    Ok(flags)
}

/// Reads a seed, which clients send as a text or as a number.
fn seed(given: &Value) -> Result<U256> {
    let text = given.as_str().map_or_else(|| given.to_string(), str::to_owned);
    text.parse().map_err(|_| anyhow!("`seed` must be a number in decimal or hex (0x), not {given}"))
}

fn summary(run: &LastRun) -> RunSummary {
    let LastRun { report, failures } = run;
    let count = |status: &str| {
        let tests = report.values().flat_map(|suite| suite.test_results.values());
        tests.filter(|test| test.status == status).count()
    };
    let suites = || report.values().map(|suite| &suite.harvey);
    let verdict = match (failures.is_empty(), suites().any(|suite| suite.interrupted)) {
        (false, _) => "failed",
        (true, true) => "interrupted",
        (true, false) => "held",
    };
    RunSummary {
        verdict,
        passed: count("Success"),
        failed: count("Failure"),
        skipped: count("Skipped"),
        findings: suites().map(|suite| suite.findings.len()).sum(),
        suites: report.len(),
        calls: suites().map(|suite| suite.stats.calls).sum(),
        seconds: suites().map(|suite| suite.stats.seconds).sum(),
        seed: suites().next().map_or_else(String::new, |suite| suite.seed.clone()),
        failures: first(failures),
        total_failures: failures.len(),
        stuck: suites().map(|suite| suite.stuck.len()).sum(),
        warnings: warnings(report),
    }
}

/// Most warnings in a result, and most characters of one.
const MOST_WARNINGS: usize = 10;
const MOST_WARNING: usize = 300;

/// Returns the first warnings of a report, and what a verdict may hide.
fn warnings(report: &RunDocument) -> Vec<String> {
    let of_suites = report.values().flat_map(|suite| suite.warnings.iter().cloned());
    let vacuous = report.values().flat_map(|suite| &suite.harvey.vacuous);
    let vacuous = vacuous.map(|test| format!("{test} held, but no call changed what it reads"));
    let functions = report.values().flat_map(|suite| &suite.harvey.functions);
    let reverting =
        functions.filter(|(_, function)| function.calls > 0 && function.calls == function.reverts);
    let reverting = reverting.map(|(name, function)| {
        let reason = function.reasons.first().map(|(reason, _)| format!(", mostly for: {reason}"));
        format!("all {} calls of {name} reverted{}", function.calls, reason.unwrap_or_default())
    });
    let mut seen = BTreeSet::new();
    let all = of_suites.chain(vacuous).chain(reverting).map(|warning| line(&warning, MOST_WARNING));
    all.filter(|warning| seen.insert(warning.clone())).take(MOST_WARNINGS).collect()
}

fn text(summary: &RunSummary) -> String {
    let RunSummary { verdict, passed, failed, skipped, findings, suites, calls, seconds, seed, .. } = summary;
    let mut text = format!(
        "Verdict: {verdict}. Tests: {passed} held, {failed} failed, {skipped} skipped. Findings: {findings}.\n\
         Suites: {suites}, calls: {calls}, seconds: {seconds:.1}, seed: {seed}\n"
    );
    if summary.total_failures > 0 {
        text += &format!("\nFailures: {}\n", summary.total_failures);
        text += &failure_lines(&summary.failures, summary.total_failures);
        text += "`show_failure` shows the calls and the trace of one.\n";
    }
    if summary.stuck > 0 {
        text += &format!("\nThe search is stuck on {} branches: `show_stuck` says why.\n", summary.stuck);
    }
    if !summary.warnings.is_empty() {
        text += "\n";
        text.extend(summary.warnings.iter().map(|warning| format!("Warning: {warning}\n")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::mcp::failures::failures;
    use serde_json::json;

    fn flags_of(arguments: Value) -> Result<String> {
        let flags = flags(&parse(arguments)?, Path::new("/tmp/r.json"))?;
        Ok(flags.iter().map(|flag| flag.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn arguments_become_flags() {
        insta::assert_snapshot!(flags_of(json!({})).unwrap(), @"--events=- --json-file=/tmp/r.json --budget=30");
        let all = json!({
            "suite": "test/A[1].t.sol:A$", "match_test": "x|y", "budget_seconds": 5, "seed": "0x10",
            "scan": true, "oracles": ["reentrancy", "tx-origin"],
        });
        insta::assert_snapshot!(flags_of(all).unwrap(), @r"--events=- --json-file=/tmp/r.json --budget=5 --match-path=test/A[[]1[]].t.sol --match-contract=^A\$$ --match-test=x|y --fuzz-seed=0x10 --scan --oracles=reentrancy --oracles=tx-origin");
        insta::assert_snapshot!(flags_of(json!({ "match_contract": "^A", "seed": 7 })).unwrap(), @"--events=- --json-file=/tmp/r.json --budget=30 --match-contract=^A --fuzz-seed=0x7");
    }

    #[test]
    fn wrong_arguments_are_explained() {
        let wrong = [
            json!({ "budget_seconds": 0 }),
            json!({ "budget_seconds": 601 }),
            json!({ "budget_seconds": -1 }),
            json!({ "suite": "A" }),
            json!({ "suite": "a:A", "match_contract": "A" }),
            json!({ "seed": "x" }),
            json!({ "match_test": "[" }),
            json!({ "budget": 5 }),
        ];
        let errors: Vec<_> =
            wrong.into_iter().map(|wrong| format!("{:#}", flags_of(wrong).unwrap_err())).collect();
        insta::assert_snapshot!(errors.join("\n"), @r#"
        `budget_seconds` must be from 1 to 600, not 0
        `budget_seconds` must be from 1 to 600, not 601
        wrong arguments: `budget_seconds`: invalid number
        `suite` must be path:Name as `list_tests` shows it, not "A"
        give `suite` or `match_contract`, not both
        `seed` must be a number in decimal or hex (0x), not "x"
        `match_test` is no regular expression: regex parse error:
            [
            ^
        error: unclosed character class
        wrong arguments: `budget`: unknown field `budget`, expected one of `suite`, `match_contract`, `match_test`, `budget_seconds`, `seed`, `scan`, `oracles`
        "#);
    }

    #[test]
    fn a_run_is_summed_up() {
        let suite = |status: &str, vacuous: &[&str], interrupted: bool| {
            json!({
                "test_results": { "invariant_x()": {
                    "status": status, "reason": "bad", "counterexample": null, "kind": { "Invariant": {} }, "labeled_addresses": {},
                } },
                "warnings": ["odd"],
                "harvey": {
                    "seed": "0x1", "interrupted": interrupted, "findings": [], "stats": { "seconds": 1.5, "calls": 10 },
                    "functions": { "A.f": { "calls": 3, "reverts": 3, "reasons": [["no", 2], ["never", 1]] } },
                    "vacuous": vacuous, "stuck": [],
                },
            })
        };
        let run = |report: Value| {
            let report = serde_json::from_value(report).unwrap();
            LastRun { failures: failures(&report), report }
        };
        let failed = run(
            json!({ "a:A": suite("Failure", &[], true), "a:B": suite("Success", &["invariant_x()"], false) }),
        );
        insta::assert_snapshot!(text(&summary(&failed)), @"
        Verdict: failed. Tests: 1 held, 1 failed, 0 skipped. Findings: 0.
        Suites: 2, calls: 20, seconds: 3.0, seed: 0x1

        Failures: 1
        - a:A.invariant_x(): [invariant] bad
        `show_failure` shows the calls and the trace of one.

        Warning: odd
        Warning: invariant_x() held, but no call changed what it reads
        Warning: all 3 calls of A.f reverted, mostly for: no
        ");
        assert_eq!(summary(&run(json!({ "a:A": suite("Success", &[], true) }))).verdict, "interrupted");
        assert_eq!(summary(&run(json!({ "a:A": suite("Success", &[], false) }))).verdict, "held");
    }
}
