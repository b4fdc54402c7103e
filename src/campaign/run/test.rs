//! Unit, fuzz and table tests. Their sequences are one call of the test itself, and the first failure
//! decides.

use super::{super::verdict::failed, Campaign, coverage_report, ending, replay};
use crate::{
    engine::{fixture_key, parameter_key},
    model::{
        Counterexample, Gas, GasOfRuns, Observation, Outcome, Sequence, SequenceCall, Status, TestKind,
        TestReport, Transaction,
    },
    project::FunctionKind,
};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt};

/// Replays failures of earlier runs, and then searches.
pub(super) fn fuzz(campaign: &mut Campaign<'_>) {
    campaign.begin();
    replay::replay_persisted(campaign);
    if !is_decided(campaign) {
        campaign.search();
    }
}

/// Fails a test because a call that must precede it failed. As in Forge, no reason is given.
pub(super) fn fail_unprepared(campaign: &mut Campaign<'_>) {
    let signature = campaign.test_env.suite.properties[0].function.signature();
    let report = TestReport { reason: None, ..failed(signature, String::new()) };
    campaign.results.properties.set_aside(0, report);
}

/// Tells whether there is a verdict on the test.
pub(super) fn is_decided(campaign: &Campaign<'_>) -> bool {
    campaign.spec.test.is_some() && campaign.results.properties.alive.is_empty()
}

/// Maximum number of runs of a test whose gas is kept: a test may run for hours.
const MOST_GAS: usize = 1 << 20;

/// Counts a run of a test that neither failed nor was rejected, and keeps its gas if it is one of the first.
pub(super) fn note_gas(campaign: &mut Campaign<'_>, observation: &Observation) {
    let counts = |outcome, reason: &Option<String>| outcome != Outcome::Discard && reason.is_none();
    if campaign.spec.test.is_some() && observation.skipped.is_none() {
        let runs = observation.steps.iter().filter(|step| counts(step.outcome, &step.reason));
        for step in runs {
            keep_gas(campaign, step.gas);
        }
    }
}

fn keep_gas(campaign: &mut Campaign<'_>, gas: Gas) {
    campaign.results.runs += 1;
    if campaign.results.gas.len() < MOST_GAS {
        campaign.results.gas.push(gas);
    }
}

/// Maximum number of lines of logs that are kept of the runs of a test.
const MOST_LOGS: usize = 1 << 16;

/// Keeps the logs of a run of a fuzz test, if those of all runs are to be shown.
pub(super) fn note_logs(campaign: &mut Campaign<'_>, sequence: &Sequence) {
    if campaign.spec.test == Some(FunctionKind::Fuzz)
        && campaign.spec.config.fuzz.show_logs
        && campaign.context.options.verbosity >= 2
        && campaign.results.logs.len() < MOST_LOGS
    {
        let checks = campaign.checks();
        campaign.results.logs.append(&mut campaign.executor.replay(sequence, &checks).logs);
        if campaign.results.logs.len() >= MOST_LOGS {
            campaign.results.logs.push("(the logs of further runs are left out)".to_owned());
        }
    }
}

/// Returns the figures that are shown after a test's name.
pub(super) fn figures_of_test(campaign: &Campaign<'_>, kind: FunctionKind) -> TestKind {
    let runs = GasOfRuns { runs: campaign.results.runs, ..GasOfRuns::new(&campaign.results.gas) };
    match kind {
        FunctionKind::Fuzz => {
            TestKind::Fuzz { first: campaign.results.gas.first().copied().unwrap_or_default(), runs }
        }
        FunctionKind::Table if runs.runs > 0 => TestKind::Table { runs },
        _ => TestKind::Unit { gas: campaign.results.gas.last().map_or(0, |gas| gas.of_code()) },
    }
}

/// Records the verdict of a test that skipped itself. Returns true if it did.
pub(super) fn is_skipped(
    campaign: &mut Campaign<'_>,
    sequence: &Sequence,
    observation: &Observation,
) -> bool {
    let Some(reason) = observation.skipped.clone() else { return false };
    let signature = campaign.test_env.suite.properties[0].function.signature();
    let fuzzed = campaign.spec.test == Some(FunctionKind::Fuzz);
    let mut report = TestReport { status: Status::Skipped, reason, ..failed(signature, String::new()) };
    if fuzzed {
        report.kind = ending::figures(campaign);
        report.counterexample = Some(only_call(campaign, sequence));
        let replay = campaign.executor.replay(sequence, &campaign.checks());
        ending::show_replay(campaign, replay, &mut report);
    }
    campaign.results.properties.set_aside(0, report);
    true
}

/// Runs a unit test, or each row of a table test.
pub(super) fn run_rows(campaign: &mut Campaign<'_>, kind: FunctionKind) {
    let rows = if kind == FunctionKind::Unit { Ok(vec![Vec::new()]) } else { rows(campaign) };
    let function = campaign.test_env.suite.properties[0].function.clone();
    let rows = match rows {
        Ok(rows) => rows,
        Err(reason) => return campaign.results.properties.set_aside(0, failed(function.signature(), reason)),
    };
    let mut last =
        TestReport { status: Status::Success, reason: None, ..failed(function.signature(), String::new()) };
    let mut logs = Vec::new();
    campaign.executor.be_patient();
    for args in rows {
        let sequence = vec![Transaction::plain(
            campaign.test_env.start.env.sender,
            campaign.test_env.suite.test,
            &function,
            args,
        )];
        let mut report = run_row(campaign, &sequence);
        if campaign.executor.was_ended() || campaign.context.stop.is_overdue() {
            note_ended(campaign, function.signature());
            return;
        }
        coverage_report::report_row(campaign, &sequence);
        if is_decided(campaign) {
            return;
        }
        logs.append(&mut report.evidence.logs);
        report.evidence.logs.clone_from(&logs);
        if report.status == Status::Failure {
            return campaign.results.properties.set_aside(0, report);
        }
        last = report;
    }
    campaign.results.properties.set_aside(0, last);
}

/// Warns that the run ended in the middle of a test, which therefore has no verdict.
fn note_ended(campaign: &mut Campaign<'_>, signature: &str) {
    campaign.results.properties.alive.clear();
    campaign
        .results
        .warnings
        .push(format!("{signature} of {} was ended with the run", campaign.test_env.suite.id.name));
}

/// Runs one call of the test and returns its report. A row that rejects its arguments fails, as in Forge.
fn run_row(campaign: &mut Campaign<'_>, sequence: &Sequence) -> TestReport {
    let replay = campaign.executor.replay(sequence, &campaign.checks());
    let observation = &replay.observation;
    campaign.metrics.add(&campaign.test_env, sequence, observation, 1);
    campaign.record.operator = "row";
    let signature = campaign.test_env.suite.properties[0].function.signature().to_owned();
    let mut report = failed(&signature, String::new());
    if is_skipped(campaign, sequence, observation) {
        return report;
    }
    let Some(step) = observation.steps.first() else { return report };
    keep_gas(campaign, step.gas);
    let rejected = || (step.outcome == Outcome::Discard).then(|| "FOUNDRY::ASSUME".to_owned());
    let failure = campaign.executor.take_unsupported().or_else(rejected).or_else(|| step.reason.clone());
    report.kind = ending::figures(campaign);
    report.status = if failure.is_some() { Status::Failure } else { Status::Success };
    if failure.is_some() {
        let tabled = campaign.spec.test == Some(FunctionKind::Table);
        report.counterexample = tabled.then(|| only_call(campaign, sequence));
        report.found = Some(campaign.found());
    }
    report.reason = failure.filter(|reason| !reason.is_empty());
    ending::show_replay(campaign, replay, &mut report);
    report
}

/// Returns the arguments of each row of a table. Each parameter has a fixture, and all fixtures have the same
/// length.
fn rows(campaign: &mut Campaign<'_>) -> Result<Vec<Vec<DynSolValue>>, String> {
    let function = campaign.test_env.suite.properties[0].function.clone();
    let Some(first) = function.inputs.first() else {
        return Err("Table test should have at least one parameter".to_owned());
    };
    let fixtures = campaign.persistence.fixtures(&mut campaign.executor);
    let of = |name: &str| {
        let named = fixtures.iter().find(|fixture| fixture_key(&fixture.0) == parameter_key(name));
        named.map(|fixture| &fixture.1)
    };
    let Some(length) = of(&first.name).map(Vec::len) else {
        return Err("Table test should have fixtures defined".to_owned());
    };
    if length == 0 {
        return Err("Table test should have at least one fixture".to_owned());
    }
    let mut rows = vec![Vec::new(); length];
    for param in &function.inputs {
        let Some(values) = of(&param.name) else {
            return Err(format!("No fixture defined for param {}", param.name));
        };
        if values.len() != length {
            let (defined, name) = (values.len(), &param.name);
            return Err(format!("{defined} fixtures defined for {name} (expected {length})"));
        }
        rows.iter_mut().zip(values).for_each(|(row, value)| row.push(value.clone()));
    }
    // Fixtures are matched by name, so their types may not fit.
    rows.iter()
        .try_for_each(|row| function.abi_encode_input(row).map(drop))
        .map_err(|error| error.to_string())?;
    Ok(rows)
}

/// Returns the call of the test as a counterexample.
fn only_call(campaign: &Campaign<'_>, sequence: &Sequence) -> Counterexample {
    let identifier = Some(campaign.test_env.suite.id.to_string());
    let calls = sequence.iter().map(|tx| SequenceCall::new(tx.clone(), identifier.clone())).collect();
    Counterexample { original_len: 1, calls }
}
