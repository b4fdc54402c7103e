//! Measurement of source coverage, and of the branches on which the search is stuck. The sequences that first
//! covered something are run once more.

use super::{
    super::source_coverage::{self, RecordedCoverage},
    Campaign,
};
use crate::{
    engine::{Engine, StuckBranch},
    evm::{EndsWhen, trace::coverage::Coverage},
    model::{EdgeId, Looked, Sequence, SourceCoverage, Stuck, Transaction, executor::Checks},
};
use std::{
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
    let misses: Vec<StuckBranch<'_>> = engine.missed().collect();
    let mut covering: Vec<_> = engine.first_coverers().collect();
    // Short sequences come first, since long ones may begin like them.
    covering.sort_by_key(|sequence| sequence.len());
    look_at_code(campaign, &covering, &misses);
}

/// Measures a call of a unit or table test, if a report shows sources.
pub(super) fn report_row(campaign: &mut Campaign<'_>, row: &Sequence) {
    if campaign.context.options.sources {
        look_at_code(campaign, &[row], &[]);
    }
}

/// Runs as many of the sequences as the limits allow. The report must not depend on the speed of the
/// computer, so stuck branches are left out if the time runs out.
fn look_at_code(campaign: &mut Campaign<'_>, sequences: &[&Sequence], misses: &[StuckBranch<'_>]) {
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
    campaign.executor.end_search();
    if campaign.record.coverage_report.covered.looked == Looked::Nowhere && complete {
        seen.add(&campaign.test_env.setup.coverage);
    }
    let seen = RecordedCoverage::of(campaign.context.project, &seen);
    let looked = if complete { Looked::Everywhere } else { Looked::Partly };
    campaign.record.coverage_report.covered.add(SourceCoverage { looked, ..seen.sources(misses) });
    if complete {
        let identifier = |address| campaign.test_env.identifier(address).map(str::to_owned);
        let entry = |call: &Transaction| source_coverage::entry(call, &identifier);
        campaign.record.coverage_report.stuck.extend(seen.stuck(misses, &entry));
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
