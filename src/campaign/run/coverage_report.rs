//! Measurement of source coverage, and of the branches on which the search is stuck. The sequences that first
//! covered something are run once more.

use super::{
    super::source_coverage::{self, MissingCalls, RecordedCoverage},
    Campaign,
};
use crate::{
    engine::{Engine, StuckBranch},
    evm::{
        EndsWhen,
        exec::{executor::EvmExecutor, test_env::TestEnv},
        trace::coverage::Coverage,
    },
    model::{
        Dependencies, EdgeId, Looked, Sequence, Slot, SourceCoverage, Stuck, Transaction, executor::Checks,
    },
};
use alloy_primitives::U256;
use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

/// Limits for the calls that are run once more if no report shows sources: the number of executions of the
/// search, but at most `FEW`, or one call for each `EXECUTIONS_PER_CALL` executions if these are more.
const FEW: u64 = 512;
const EXECUTIONS_PER_CALL: u64 = 10;

/// Maximum time of the measurement in addition to half the time of the search. It is slow, since each
/// instruction is recorded, and contracts may loop.
const LONGEST: Duration = Duration::from_secs(2);
/// The same if a report shows sources.
const LONGEST_FOR_REPORTS: Duration = Duration::from_secs(60);

/// Maximum number of sequences run for missed branches that no other sequence shows.
const MOST_MISSES: usize = 128;

/// Result of the measurement.
#[derive(Debug, Default)]
pub(in crate::campaign) struct CoverageReport {
    pub(in crate::campaign) covered: SourceCoverage,
    /// Branches on which the search is stuck; empty if not everything was measured.
    pub(in crate::campaign) stuck: Vec<Stuck>,
}

/// Measures the sequences that an engine kept. After a search for invariants this is always done, with a
/// small share of the calls; after other searches, only if a report shows sources.
pub(super) fn report_coverage(campaign: &mut Campaign<'_>, engine: &Engine) {
    if campaign.spec.test.is_some() && !campaign.context.options.sources {
        return;
    }
    let failures = counterexamples(campaign);
    let mut covering: Vec<_> = engine.first_coverers().chain(&failures).collect();
    // Short sequences come first, since long ones may begin like them.
    covering.sort_by_key(|sequence| sequence.len());
    look_at_code(campaign, &covering, Some(engine));
}

/// Returns the sequences of all failures, which pass branches like others.
fn counterexamples(campaign: &Campaign<'_>) -> Vec<Sequence> {
    let (properties, findings) = (&campaign.results.properties, &campaign.results.findings);
    let broken = properties.reports.values().filter_map(|report| report.counterexample.as_ref());
    let all = broken.chain(findings.all.iter().map(|finding| &finding.counterexample));
    all.map(|shown| shown.calls.iter().map(|call| call.tx.clone()).collect()).collect()
}

/// Measures a call of a unit or table test, if a report shows sources.
pub(super) fn report_row(campaign: &mut Campaign<'_>, row: &Sequence) {
    if campaign.context.options.sources {
        look_at_code(campaign, &[row], None);
    }
}

/// Runs as many of the sequences as the limits allow. The report must not depend on the speed of the
/// computer, so stuck branches are left out if the time runs out.
fn look_at_code(campaign: &mut Campaign<'_>, sequences: &[&Sequence], engine: Option<&Engine>) {
    let misses: Vec<StuckBranch<'_>> = engine.into_iter().flat_map(Engine::missed).collect();
    let misses = &misses[..];
    let mut left = match campaign.context.options.sources {
        true => u64::MAX,
        false => campaign.executions().min(FEW).max(campaign.executions() / EXECUTIONS_PER_CALL),
    };
    let mut fits = |sequence: &&&Sequence| {
        left = left.saturating_sub(sequence.len() as u64);
        left > 0
    };
    let chosen: Vec<&Sequence> = sequences.iter().take_while(&mut fits).copied().collect();
    let mut complete = chosen.len() == sequences.len();
    let checks =
        Checks { properties: (0..campaign.test_env.suite.properties.len()).collect(), ..campaign.checks() };
    let edges = || -> Vec<EdgeId> { misses.iter().map(|miss| miss.edge).collect() };
    let mut seen = Coverage::default();
    campaign.executor.begin_replays(end_of_report(campaign));
    complete &= campaign.executor.cover(&mut seen, &chosen, edges(), &checks);
    let is_unseen = |miss: &&StuckBranch<'_>| miss.leads_on && seen.missed(miss.edge).is_none();
    let unseen = misses.iter().filter(is_unseen).map(|miss| miss.sequence);
    let unseen: Vec<&Sequence> = unseen.take(MOST_MISSES).collect();
    complete &= campaign.executor.cover(&mut seen, &unseen, edges(), &checks);
    if campaign.record.coverage_report.covered.looked == Looked::Nowhere && complete {
        seen.add(&campaign.test_env.setup.coverage);
    }
    let seen = RecordedCoverage::of(campaign.context.project, &seen);
    let looked = if complete { Looked::Everywhere } else { Looked::Partly };
    campaign.record.coverage_report.covered.add(SourceCoverage { looked, ..seen.sources(misses) });
    if complete {
        let checks = campaign.checks();
        let (executor, test_env) = (&mut campaign.executor, &campaign.test_env);
        let stuck = seen.stuck(misses, &mut Replays { executor, test_env, engine, checks });
        campaign.record.coverage_report.stuck.extend(stuck);
    }
    campaign.executor.end_search();
}

/// Runs the calls again that missed a branch.
struct Replays<'a> {
    executor: &'a mut EvmExecutor,
    test_env: &'a TestEnv,
    engine: Option<&'a Engine>,
    checks: Checks,
}

impl MissingCalls for Replays<'_> {
    fn name(&self, call: &Transaction) -> Option<String> {
        let identifier = |address| self.test_env.identifier(address).map(str::to_owned);
        source_coverage::entry(call, &identifier)
    }

    fn dependencies(&mut self, miss: &StuckBranch<'_>) -> Option<Dependencies> {
        self.executor.dependencies(miss.sequence, miss.edge, &self.checks)
    }

    fn writers(&self, slot: Slot, bits: U256) -> BTreeSet<String> {
        let calls = self.engine.into_iter().flat_map(|engine| engine.writers(slot, bits));
        calls.filter_map(|call| self.name(call)).collect()
    }
}

/// Returns the condition that ends the measurement: the user interrupted the run, or the measurement took too
/// long. If only the time of the run is up, there is a little time left for it.
pub(super) fn end_of_report(campaign: &Campaign<'_>) -> EndsWhen {
    let longest = if campaign.context.options.sources { LONGEST_FOR_REPORTS } else { LONGEST };
    let searched = Duration::from_secs_f64(campaign.budget.seconds());
    let (stop, end) = (campaign.context.stop.clone(), Instant::now() + searched / 2 + longest);
    Arc::new(move || Instant::now() >= end || stop.is_run_ending() && !stop.is_late() || stop.is_overdue())
}
