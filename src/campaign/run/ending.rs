//! Results at the end of a campaign.

use super::{super::verdict::failed, Campaign, CampaignOutcome, optima, test};
use crate::{
    engine::{OperatorCost, Reward, TechniqueCost},
    evm::exec::executor::RecordedRun,
    model::{
        Frame, Observation, OriginStats, Sequence, Stats, Status, TestKind, TestReport, TraceKind,
        executor::Checks,
    },
};

/// Ends the campaign if it cannot go on: the test skipped itself, a cheatcode is not supported, or
/// `vm.assume` rejected too many inputs. Returns true in these cases.
pub(super) fn gives_up(campaign: &mut Campaign<'_>, sequence: &Sequence, observation: &Observation) -> bool {
    if test::is_skipped(campaign, sequence, observation) {
        return true;
    }
    let bound = campaign.spec.config.invariant.max_assume_rejects;
    let too_many = match campaign.spec.test {
        None => campaign.metrics.rejects > bound,
        // For a test, the bound is for all of its inputs, and zero means that there is no bound.
        Some(_) => bound > 0 && campaign.metrics.discards >= bound.into(),
    };
    match &observation.unsupported {
        Some(unsupported) => fail_all(campaign, unsupported),
        None if too_many => fail_for_rejects(campaign),
        None => return false,
    }
    true
}

pub(super) fn fail_for_rejects(campaign: &mut Campaign<'_>) {
    let bound = campaign.spec.config.invariant.max_assume_rejects;
    fail_all(campaign, &format!("`vm.assume` rejected too many inputs ({bound} allowed)"));
}

/// Fails all remaining properties for one reason.
pub(super) fn fail_all(campaign: &mut Campaign<'_>, reason: &str) {
    for index in campaign.results.properties.alive.clone() {
        let signature = campaign.test_env.suite.properties[index].function.signature();
        let report = TestReport { kind: figures(campaign), ..failed(signature, reason.to_owned()) };
        campaign.results.properties.set_aside(index, report);
    }
}

pub(super) fn figures(campaign: &Campaign<'_>) -> TestKind {
    if let Some(kind) = campaign.spec.test {
        return test::figures_of_test(campaign, kind);
    }
    TestKind::Invariant {
        runs: campaign.metrics.runs(campaign.spec.config.invariant.depth),
        calls: campaign.metrics.calls,
        reverts: campaign.metrics.reverts,
        workers: campaign.context.threads,
        metrics: campaign.metrics.metrics(),
        best: None,
    }
}

/// Returns the reports of all properties, and the statistics of the campaign.
pub(super) fn finish(mut campaign: Campaign<'_>) -> CampaignOutcome {
    warn_of_writing_invariants(&mut campaign);
    let last = campaign.results.last.take().filter(|_| campaign.context.options.verbosity >= 2);
    let searched = campaign.metrics.calls > 0 || !campaign.context.stop.is_run_ending();
    for index in std::mem::take(&mut campaign.results.properties.alive) {
        if campaign.test_env.scene().is_some() && !campaign.results.findings.all.is_empty() {
            // The findings are the verdict.
            continue;
        }
        if campaign.context.options.replay.is_some() {
            if let Some(sequence) = campaign.results.held.remove(&index) {
                let report = passed(&mut campaign, index, Some(&sequence));
                campaign.results.properties.reports.insert(index, report);
            }
            continue;
        }
        if !searched {
            let signature = campaign.test_env.suite.properties[index].function.signature();
            campaign.results.warnings.push(format!("{signature} was not searched: the run ended before"));
            continue;
        }
        let report = passed(&mut campaign, index, last.as_ref());
        campaign.results.properties.reports.insert(index, report);
    }
    let vacuous = vacuous(&campaign);
    add_setup(&mut campaign);
    apply_display_settings(&mut campaign);
    CampaignOutcome {
        stats: Stats {
            seconds: campaign.time().as_secs_f64(),
            calls: campaign.metrics.calls + campaign.metrics.discards,
            executions: campaign.executions() + campaign.confirmer.executions,
            paths: campaign.metrics.paths(),
            branches: campaign.record.statistics.branches,
            predictions: campaign.record.statistics.predictions,
            solver: campaign.record.statistics.solver,
            kept: (campaign.record.statistics.kept, campaign.record.statistics.kept_calls),
            origins: campaign.record.statistics.origins.iter().map(origin_stats).collect(),
            coverage: campaign.record.coverage,
            functions: campaign.metrics.functions(&campaign.test_env),
            vacuous,
        },
        coverage_report: campaign.record.coverage_report,
        cpu: campaign.usage.solver.spent() + campaign.usage.worker_cpu,
        tests: campaign.results.properties.reports.into_values().collect(),
        findings: campaign.results.findings.all,
        warnings: campaign.results.warnings,
        replayed: campaign.results.replayed,
    }
}

/// Minimum number of calls after which it means something that no call changed what an invariant reads.
const MANY_CALLS: u64 = 1000;

/// Returns the signatures of the invariants that held although no call changed what they read.
fn vacuous(campaign: &Campaign<'_>) -> Vec<String> {
    if campaign.spec.test.is_some() || campaign.metrics.calls < MANY_CALLS {
        return Vec::new();
    }
    let held = |index: &usize| {
        let report = campaign.results.properties.reports.get(index);
        report.is_some_and(|report| report.status == Status::Success)
    };
    let signature = |index: usize| campaign.test_env.suite.properties[index].function.signature().to_owned();
    campaign.metrics.vacuous().filter(held).map(signature).collect()
}

/// Warns of invariants that write to storage: their next check does not see these writes.
fn warn_of_writing_invariants(campaign: &mut Campaign<'_>) {
    if campaign.spec.test.is_some()
        || campaign.spec.config.harvey.invariant_calls
        || campaign.context.options.replay.is_some()
    {
        return;
    }
    let test_env = campaign.test_env.clone();
    let may_write = |index: &usize| test_env.suite.properties[*index].may_write();
    let properties: Vec<usize> =
        campaign.results.properties.alive.iter().copied().filter(may_write).collect();
    if properties.is_empty() || campaign.context.stop.is_run_ending() {
        return;
    }
    let sequence = campaign.results.last.clone().unwrap_or_default();
    let checks = Checks { properties: properties.clone(), after_invariant: false, ..campaign.checks() };
    let traces = campaign.executor.replay(&sequence, &checks).traces;
    // Writes to other contracts do not count: they may be undone, or intended.
    let keeps = |frame: &Frame| {
        frame.message.address == test_env.suite.test
            && frame.result.status.is_success()
            && !frame.storage.is_empty()
    };
    for (index, trace) in properties.into_iter().zip(traces.iter().skip(sequence.len())) {
        if trace.frames.iter().any(keeps) {
            campaign.results.warnings.push(format!(
                "{}.{} writes storage, which its next check does not see (as in Forge, it runs on a copy of the \
                 state); `invariant_calls = true` in [profile.default.harvey] calls it in sequences too",
                test_env.suite.id.name,
                test_env.suite.properties[index].function.signature()
            ));
        }
    }
}

/// Puts the traces and logs of deployment and `setUp` before those of each property's replay.
pub(super) fn add_setup(campaign: &mut Campaign<'_>) {
    let shown = campaign.context.options.verbosity >= 3;
    let setup = campaign.test_env.setup.traces.iter().filter(|_| shown);
    let traces: Vec<_> =
        setup.map(|(kind, trace)| (*kind, campaign.test_env.decode(trace.clone()))).collect();
    for report in campaign.results.properties.reports.values_mut() {
        report.evidence.traces.splice(0..0, traces.iter().cloned());
        report
            .evidence
            .logs
            .splice(0..0, campaign.test_env.setup.logs.iter().chain(&campaign.results.logs).cloned());
        report.evidence.labels = campaign.test_env.names.labels.clone();
    }
}

/// Applies the display settings in the comments of each property.
pub(super) fn apply_display_settings(campaign: &mut Campaign<'_>) {
    for (index, report) in &mut campaign.results.properties.reports {
        report.settings.comments.clone_from(&campaign.spec.comments);
        if campaign.spec.test.is_some() {
            continue;
        }
        let shown = campaign.context.suite.shown[*index];
        report.settings.show_solidity = shown.solidity;
        if let TestKind::Invariant { metrics, .. } = &mut report.kind
            && !shown.metrics
        {
            metrics.clear();
        }
    }
}

/// Returns the report of a property that was not broken, with a replay of the sequence `last`.
pub(super) fn passed(campaign: &mut Campaign<'_>, index: usize, last: Option<&Sequence>) -> TestReport {
    let test_env = campaign.test_env.clone();
    let signature = test_env.suite.properties[index].function.signature();
    let mut report = TestReport {
        status: Status::Success,
        reason: None,
        kind: figures(campaign),
        duration: campaign.results.properties.started.elapsed(),
        ..failed(signature, String::new())
    };
    if optima::add_optimum(campaign, index, &mut report) {
        return report;
    }
    if let Some(sequence) = last {
        let checks = Checks { properties: vec![index], ..campaign.checks() };
        let replay = campaign.executor.replay(sequence, &checks);
        show_replay(campaign, replay, &mut report);
        if !campaign.results.logs.is_empty() {
            // They are already among the logs of all runs.
            report.evidence.logs.clear();
        }
    }
    report
}

pub(super) fn show_replay(campaign: &Campaign<'_>, replay: RecordedRun, report: &mut TestReport) {
    let decoded =
        replay.traces.into_iter().map(|trace| (TraceKind::Execution, campaign.test_env.decode(trace)));
    report.evidence.traces = decoded.collect();
    report.evidence.logs = replay.logs;
}

fn origin_stats(origin: &OperatorCost) -> OriginStats {
    let TechniqueCost { sequences, executions, cost, cpu, reward } = origin.account;
    let Reward { edges, values, nearer, better, paths, findings } = reward;
    let (technique, operator) = (origin.technique.name(), origin.operator);
    OriginStats {
        technique,
        operator,
        sequences,
        executions,
        cost,
        cpu,
        edges,
        values,
        nearer: nearer + better,
        paths,
        findings,
    }
}
