//! `--json`: Forge's schema on one line, and a `harvey` object in each suite.

mod failures;

use crate::{
    model::{
        self, Counterexample, FailureEvent, OriginStats, Predictions, RunReport, SequenceCall, SolverCounts,
        Status, SuiteReport, TestKind, TestReport, format::Style,
    },
    report::{ReportOptions, schema::v1, stuck as words, text::escaped},
};
use alloy_primitives::U256;
use schemars::generate::SchemaSettings;
use std::{collections::BTreeMap, time::Duration};

/// Formats the whole report as one line that ends in a newline. It contains decoded logs from verbosity 2 on.
#[must_use]
pub fn report(report: &RunReport, options: &ReportOptions) -> String {
    let suites =
        report.suites.iter().map(|suite| (suite.id.to_string(), self::suite(suite, report, options)));
    line(&suites.collect::<v1::JsonReport<'_>>())
}

/// Returns the JSON Schema of the whole report, as it is published.
#[must_use]
pub fn schema() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<v1::JsonReport<'_>>();
    schema.insert("title".to_owned(), format!("forge-harvey test --json, version {}", v1::VERSION).into());
    format!("{:#}\n", schema.to_value())
}

/// Serialises data of this program, which has only string keys and so cannot fail.
pub(super) fn line(data: &impl serde::Serialize) -> String {
    escaped(serde_json::to_string(data).expect("report data has string keys")) + "\n"
}

fn suite<'a>(suite: &'a SuiteReport, report: &RunReport, options: &ReportOptions) -> v1::JsonSuite<'a> {
    let logs = options.verbosity >= 2;
    let tests = suite.tests.iter().map(|test| (&*test.signature, self::test(test, options)));
    let mut test_results: BTreeMap<_, _> = tests.collect();
    if options.campaigns {
        failures::add(suite, &mut test_results);
    }
    v1::JsonSuite {
        duration: duration(suite.duration),
        test_results,
        warnings: &suite.warnings,
        harvey: v1::JsonHarvey {
            version: v1::VERSION,
            seed: format!("{:#x}", report.seed),
            interrupted: report.interrupted,
            findings: suite.findings.iter().map(|finding| self::finding(finding, logs)).collect(),
            stats: stats(suite),
            functions: suite.stats.functions.iter().map(function).collect(),
            vacuous: &suite.stats.vacuous,
            sources: suite.coverage.counts.iter().map(|(path, counts)| (&**path, source(counts))).collect(),
            contracts: suite
                .coverage
                .contracts
                .iter()
                .map(|(id, counts)| (&**id, contract(counts)))
                .collect(),
            looked: match suite.coverage.looked {
                model::Looked::Nowhere => "nowhere",
                model::Looked::Partly => "partly",
                model::Looked::Everywhere => "everywhere",
            },
            stuck: suite.coverage.stuck.iter().map(stuck).collect(),
        },
    }
}

fn function(function: &model::FunctionStats) -> (&str, v1::JsonFunction<'_>) {
    let model::CallMetrics { calls, reverts, discards } = function.metrics;
    let reasons = function.reasons.iter().map(|(reason, times)| (&**reason, *times)).collect();
    (&function.name, v1::JsonFunction { calls, reverts, discards, reasons })
}

fn source(counts: &model::SourceCounts) -> v1::JsonSource {
    let model::SourceCounts { functions, statements, branches, others } = *counts;
    v1::JsonSource { functions, statements, branches, other_branches: others }
}

fn contract(counts: &model::ContractCounts) -> v1::JsonContract {
    let model::ContractCounts { instructions, branches, events, calls } = *counts;
    v1::JsonContract { instructions, branches, events, calls }
}

fn stuck(stuck: &model::Stuck) -> v1::JsonStuck<'_> {
    let model::Nearest { relation, left, right, wanted, distance } = &stuck.nearest;
    v1::JsonStuck {
        location: stuck.place.to_string(),
        condition: &stuck.condition,
        relation: match relation {
            model::Relation::Equal => "equal",
            model::Relation::Less => "less",
            model::Relation::SignedLess => "signed-less",
        },
        wanted: *wanted,
        left: format!("{left:#x}"),
        right: format!("{right:#x}"),
        distance: distance.to_string(),
        tries: stuck.tries,
        never: stuck.never,
        functions: stuck.functions.iter().map(String::as_str).collect(),
        writers: stuck.writers.iter().map(String::as_str).collect(),
        behind: stuck.lines().iter().map(|(path, line)| format!("{path}:{line}")).collect(),
        needs: stuck.needs.iter().map(|need| need.name()).collect(),
        nearest: words::nearest(stuck),
        advice: words::advice(stuck),
    }
}

fn test<'a>(test: &'a TestReport, options: &ReportOptions) -> v1::JsonTest<'a> {
    let shown = test.counterexample.as_ref().filter(|counterexample| !counterexample.calls.is_empty());
    let has_sender = options.campaigns && matches!(test.kind, TestKind::Fuzz { .. });
    v1::JsonTest {
        status: match test.status {
            Status::Success => "Success",
            Status::Failure => "Failure",
            Status::Skipped => "Skipped",
        },
        reason: test.reason.as_deref(),
        invariant_failures: Vec::new(),
        invariant_handler_failures: Vec::new(),
        counterexample: shown.map(|shown| match &shown.calls[..] {
            [only] if test.kind.is_of_one_call() => {
                v1::JsonCounterexample::Single(Box::new(input(only, has_sender)))
            }
            _ => sequence(shown),
        }),
        logs: [],
        decoded_logs: if options.verbosity >= 2 { &test.evidence.logs } else { &[] },
        kind: kind(&test.kind, options),
        labeled_addresses: test
            .evidence
            .labels
            .iter()
            .map(|(address, label)| (format!("{address:#x}"), &**label))
            .collect(),
        duration: duration(test.duration),
        breakpoints: BTreeMap::new(),
        gas_snapshots: BTreeMap::new(),
    }
}

fn kind<'a>(kind: &'a TestKind, options: &ReportOptions) -> v1::JsonKind<'a> {
    match kind {
        TestKind::Unit { gas } => v1::JsonKind::Unit { gas: *gas },
        TestKind::Fuzz { first, runs } => v1::JsonKind::Fuzz {
            first_case: v1::JsonGas { gas: first.used, stipend: first.stipend },
            runs: runs.runs,
            mean_gas: runs.mean,
            median_gas: runs.median,
            failed_corpus_replays: 0,
        },
        TestKind::Table { runs } => {
            v1::JsonKind::Table { runs: runs.runs, mean_gas: runs.mean, median_gas: runs.median }
        }
        TestKind::Invariant { runs, calls, reverts, workers, metrics, best } => v1::JsonKind::Invariant {
            runs: *runs,
            calls: *calls,
            reverts: *reverts,
            workers: options.campaigns.then_some(*workers),
            metrics: metrics
                .iter()
                .map(|(key, m)| {
                    (&**key, v1::JsonMetrics { calls: m.calls, reverts: m.reverts, discards: m.discards })
                })
                .collect(),
            failed_corpus_replays: 0,
            optimization_best_value: best.map(|best| best.to_string()),
        },
    }
}

fn sequence(counterexample: &Counterexample) -> v1::JsonCounterexample<'_> {
    v1::JsonCounterexample::Sequence(counterexample.original_len, calls(&counterexample.calls))
}

pub(super) fn calls(calls: &[SequenceCall]) -> Vec<v1::JsonCall<'_>> {
    calls.iter().map(call).collect()
}

fn call(call: &SequenceCall) -> v1::JsonCall<'_> {
    let quantity = |number: U256| (!number.is_zero()).then(|| format!("{number:#x}"));
    let function = call.tx.input.function();
    v1::JsonCall {
        warp: quantity(call.tx.warp),
        roll: quantity(call.tx.roll),
        value: quantity(call.tx.value),
        sender: Some(format!("{:#x}", call.tx.sender)),
        addr: Some(format!("{:#x}", call.tx.target)),
        calldata: call.calldata.to_string(),
        contract_name: call.contract.as_deref().filter(|_| function.is_some()),
        func_name: function.map(|function| &*function.name),
        signature: call.signature(),
        args: call.args(Style::Pretty),
        raw_args: call.args(Style::Raw),
        reentry: call.tx.reentry.as_deref().map(|back| v1::JsonReentry {
            addr: format!("{:#x}", back.target),
            nth: back.nth,
            calldata: back.input.calldata().to_string(),
        }),
    }
}

/// Formats the failing input of a test, for which Forge 1.7 prints only calldata and arguments.
fn input(call: &SequenceCall, has_sender: bool) -> v1::JsonCall<'_> {
    let whole = self::call(call);
    v1::JsonCall {
        warp: None,
        roll: None,
        sender: whole.sender.filter(|_| has_sender),
        addr: whole.addr.filter(|_| has_sender),
        contract_name: None,
        func_name: None,
        signature: None,
        reentry: None,
        ..whole
    }
}

fn finding(finding: &model::Finding, logs: bool) -> v1::JsonFinding<'_> {
    v1::JsonFinding {
        id: &finding.id,
        oracle: finding.oracle,
        kind: finding.failure.kind.name(),
        contract: &finding.entry.contract,
        address: format!("{:#x}", finding.entry.address),
        function: &finding.entry.function,
        also: finding.others.iter().map(|entry| &*entry.function).collect(),
        location: finding.failure.site.to_string(),
        reason: &finding.failure.reason,
        original_len: finding.counterexample.original_len,
        sequence: calls(&finding.counterexample.calls),
        forge_file: finding.forge_replay.file(),
        unforgeable: finding.forge_replay.obstacle(),
        decoded_logs: if logs { &finding.evidence.logs } else { &[] },
    }
}

fn predictions(all: Predictions) -> v1::JsonPredictions {
    let Predictions { tried, one_shot, iterated, unreached, no_nearer } = all;
    v1::JsonPredictions { tried, one_shot, iterated, unreached, no_nearer }
}

fn solver(counts: SolverCounts) -> v1::JsonSolver {
    let SolverCounts { conditions, solved, asked, answered, left } = counts;
    v1::JsonSolver { conditions, solved, asked, answered, left }
}

fn stats(suite: &SuiteReport) -> v1::JsonStats<'_> {
    let stats = &suite.stats;
    let tests = suite.tests.iter().filter_map(|test| Some((&*test.signature, test.found?)));
    let findings = suite.findings.iter().map(|finding| (&*finding.id, finding.found));
    v1::JsonStats {
        seconds: stats.seconds,
        calls: stats.calls,
        calls_per_second: if stats.seconds > 0.0 { stats.calls as f64 / stats.seconds } else { 0.0 },
        executions: stats.executions,
        paths: stats.paths,
        branches: stats.branches,
        predictions: predictions(stats.predictions.all),
        property_predictions: predictions(stats.predictions.of_properties),
        solver: solver(stats.solver),
        suite: stats.kept,
        techniques: techniques(&stats.origins),
        coverage: stats
            .coverage
            .iter()
            .map(|point| (point.executions, point.seconds, point.paths, point.branches))
            .collect(),
        found: tests.chain(findings).map(|(key, found)| (key, self::found(found))).collect(),
    }
}

fn found(found: model::Found) -> v1::JsonFound {
    let model::Found { calls, executions, seconds, cpu_seconds, operator } = found;
    v1::JsonFound { calls, executions, seconds, cpu_seconds, operator }
}

fn techniques(origins: &[OriginStats]) -> BTreeMap<&str, v1::JsonTechnique<'_>> {
    let mut techniques: BTreeMap<&str, v1::JsonTechnique<'_>> = BTreeMap::new();
    for origin in origins {
        let technique = techniques.entry(origin.technique).or_default();
        add(&mut technique.account, origin);
        add(technique.operators.entry(origin.operator).or_default(), origin);
    }
    techniques
}

fn add(account: &mut v1::JsonAccount, origin: &OriginStats) {
    account.sequences += origin.sequences;
    account.executions += origin.executions;
    account.cost += origin.cost;
    account.cpu_seconds += origin.cpu.as_secs_f64();
    account.edges += origin.edges;
    account.values += origin.values;
    account.nearer += origin.nearer;
    account.paths += origin.paths;
    account.findings += origin.findings;
}

/// Formats a duration as in Forge's JSON: `1h 2m 29ms 1µs 168ns`, `0s`.
fn duration(duration: Duration) -> String {
    let (seconds, nanos) = (duration.as_secs(), u64::from(duration.subsec_nanos()));
    let parts = [
        (seconds / 86_400, if seconds / 86_400 == 1 { "day" } else { "days" }),
        (seconds / 3600 % 24, "h"),
        (seconds / 60 % 60, "m"),
        (seconds % 60, "s"),
        (nanos / 1_000_000, "ms"),
        (nanos / 1000 % 1000, "µs"),
        (nanos % 1000, "ns"),
    ];
    let shown: Vec<_> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, unit)| format!("{n}{unit}")).collect();
    if shown.is_empty() { "0s".to_owned() } else { shown.join(" ") }
}

/// Formats the current figures of a campaign as one line, like Forge's `pulse` event.
#[must_use]
pub fn pulse_event(suite: &str, calls: u64, paths: u64, broken: usize, timestamp: u64) -> String {
    let metrics = serde_json::json!({ "calls": calls, "paths": paths, "failures": broken });
    let event =
        serde_json::json!({ "timestamp": timestamp, "event": "pulse", "target": suite, "metrics": metrics });
    format!("{event}\n")
}

/// Formats the line that Forge writes to stderr when an invariant is broken, with a newline.
#[must_use]
pub fn failure_event(failure: &FailureEvent) -> String {
    let FailureEvent { suite, property, reason, timestamp, .. } = failure;
    let target = suite.to_string();
    let (timestamp, event) = (*timestamp, "failure");
    line(&v1::JsonFailureEvent { timestamp, event, invariant: property, target: &target, reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;
    use serde_json::Value;

    fn json(suites: Vec<SuiteReport>, verbosity: u8) -> Value {
        let campaign = RunReport { suites, seed: U256::from(1), planned: 1, ..RunReport::default() };
        let text = report(&campaign, &ReportOptions { verbosity, ..ReportOptions::default() });
        assert_eq!(text.matches('\n').count(), 1, "one line");
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn the_schema_is_the_published_one() {
        let published = include_str!("../../docs/report.schema.json");
        assert!(published == schema(), "`forge-harvey schema > docs/report.schema.json` writes it");
    }

    #[test]
    fn a_broken_invariant_has_forges_fields_in_forges_order() {
        let suite = &json(vec![samples::suite("FailInv", vec![samples::broken()], vec![])], 2)["test/A.t.sol:FailInv"];
        insta::assert_snapshot!(suite["test_results"], @r#"{"invariant_lastIsZero()":{"status":"Failure","reason":"last must be zero: 1 != 0","counterexample":{"Sequence":[2,[{"warp":null,"roll":null,"sender":"0x0000000000000000000000000000000000001234","addr":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","calldata":"0xb6b55f25000000000000000000000000000000000000000000000000000000000001e240","contract_name":"test/A.t.sol:Bank","func_name":"deposit","signature":"deposit(uint256)","args":"123456 [1.234e5]","raw_args":"123456"}]]},"logs":[],"decoded_logs":["setup log","checking 44"],"kind":{"Invariant":{"runs":0,"calls":0,"reverts":2,"metrics":{"Child.kill":{"calls":1,"reverts":0,"discards":0},"test/A.t.sol:Bank.deposit":{"calls":64133,"reverts":2,"discards":0}},"failed_corpus_replays":0,"optimization_best_value":null}},"labeled_addresses":{"0x0000000000000000000000000000000000000abc":"Alice"},"duration":"10ms 443µs 877ns","breakpoints":{},"gas_snapshots":{}}}"#);
        insta::assert_snapshot!(suite["duration"], @r#""29ms 1µs 168ns""#);
    }

    #[test]
    fn what_only_we_have_stands_in_a_harvey_object() {
        let suite = samples::suite("FailInv", vec![samples::broken()], vec![samples::finding()]);
        insta::assert_snapshot!(json(vec![suite], 0)["test/A.t.sol:FailInv"]["harvey"], @r#"{"version":1,"seed":"0x1","interrupted":false,"findings":[{"id":"assertion-1f2e3d4c","oracle":"assertion","kind":"panic","contract":"test/A.t.sol:Bank","address":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","function":"deposit(uint256)","location":"test/A.t.sol:8:5","reason":"panic: assertion failed (0x01)","original_len":9,"sequence":[{"warp":null,"roll":null,"sender":"0x0000000000000000000000000000000000001234","addr":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","calldata":"0xb6b55f250000000000000000000000000000000000000000000000000000000000000007","contract_name":"test/A.t.sol:Bank","func_name":"deposit","signature":"deposit(uint256)","args":"7","raw_args":"7"}],"forge_file":null,"unforgeable":"it sends value"}],"stats":{"seconds":2.0,"calls":1000,"calls_per_second":500.0,"executions":1500,"paths":12,"branches":0,"predictions":{"tried":0,"one_shot":0,"iterated":0,"unreached":0,"no_nearer":0},"property_predictions":{"tried":0,"one_shot":0,"iterated":0,"unreached":0,"no_nearer":0},"solver":{"conditions":0,"solved":0,"asked":0,"answered":0,"left":0},"suite":[0,0],"techniques":{},"coverage":[],"found":{"assertion-1f2e3d4c":{"calls":12,"executions":20,"seconds":0.25,"cpu_seconds":0.2,"operator":"predict"},"invariant_lastIsZero()":{"calls":3,"executions":5,"seconds":0.5,"cpu_seconds":0.4,"operator":"random"}}},"functions":{"Child.kill":{"calls":1,"reverts":0,"discards":0,"reasons":[]},"test/A.t.sol:Bank.deposit":{"calls":64133,"reverts":2,"discards":0,"reasons":[]}},"vacuous":[],"sources":{},"contracts":{},"looked":"nowhere","stuck":[]}"#);
    }

    #[test]
    fn logs_need_verbosity_two_and_an_optimum_is_a_decimal_string() {
        let tests = vec![samples::optimization(), samples::broken()];
        let suite = &json(vec![samples::suite("Opt", tests, vec![])], 1)["test/A.t.sol:Opt"]["test_results"];
        assert_eq!(suite["invariant_lastIsZero()"]["decoded_logs"], Value::Array(vec![]));
        assert_eq!(suite["invariant_max()"]["kind"]["Invariant"]["optimization_best_value"], "103");
        assert_eq!(suite["invariant_max()"]["status"], "Success");
    }

    #[test]
    fn an_undecoded_call_has_no_names() {
        let mut test = samples::broken();
        let calls = vec![samples::unknown_call()];
        test.counterexample = Some(model::Counterexample { original_len: 1, calls });
        let report = json(vec![samples::suite("F", vec![test], vec![])], 0);
        let call = &report["test/A.t.sol:F"]["test_results"]["invariant_lastIsZero()"]["counterexample"]["Sequence"]
            [1][0];
        for field in ["contract_name", "func_name", "signature", "args", "raw_args", "warp"] {
            assert_eq!(call[field], Value::Null, "{field}");
        }
    }

    #[test]
    fn durations_name_every_unit_that_is_not_zero() {
        assert_eq!(duration(Duration::ZERO), "0s");
        assert_eq!(duration(Duration::new(90_061, 1_000_002)), "1day 1h 1m 1s 1ms 2ns");
        assert_eq!(duration(Duration::from_nanos(207_590)), "207µs 590ns");
    }
}
