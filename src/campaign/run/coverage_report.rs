//! What ran of the sources, and what the search is stuck on: found out by running once more what covered something
//! first.

use super::{
    super::source_coverage::{self, RecordedCoverage},
    Campaign,
};
use crate::{
    engine::{Engine, StuckBranch},
    evm::{EndsWhen, trace::coverage::Coverage},
    model::{EdgeId, Looked, Sequence, SourceCoverage, Stuck, executor::Checks},
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Where no report shows sources, as many calls may be run once more as the search made executions, up to this number, and
/// then one for so many of them.
const FEW: u64 = 512;
const EXECUTIONS_PER_CALL: u64 = 10;

/// The most time that it takes beside half of the search's: each instruction is looked at, and contracts may loop.
const LONGEST: Duration = Duration::from_secs(2);
/// The same where a report shows sources.
const LONGEST_FOR_REPORTS: Duration = Duration::from_secs(60);

/// Sequences run for misses that no other sequence shows.
const MOST_MISSES: usize = 128;

/// What was found out.
#[derive(Debug, Default)]
pub(in crate::campaign) struct CoverageReport {
    pub(in crate::campaign) covered: SourceCoverage,
    /// Nothing where not everything was looked at.
    pub(in crate::campaign) stuck: Vec<Stuck>,
}

/// Looks at what an engine kept: after each search for invariants, for a small share of its calls, and after others
/// where a report shows sources.
pub(super) fn report_coverage(campaign: &mut Campaign<'_>, engine: &Engine) {
    if campaign.spec.test.is_some() && !campaign.context.options.sources {
        return;
    }
    let misses: Vec<StuckBranch<'_>> = engine.missed().collect();
    let mut covering: Vec<_> = engine.coverage_corpus().collect();
    // Short ones first, for long ones may begin like them.
    covering.sort_by_key(|sequence| sequence.len());
    look_at_code(campaign, &covering, &misses);
}

/// The same for a test that is no fuzz test, where a report shows sources.
pub(super) fn report_row(campaign: &mut Campaign<'_>, row: &Sequence) {
    if campaign.context.options.sources {
        look_at_code(campaign, &[row], &[]);
    }
}

/// Runs sequences, as many as it may. What is told must not depend on how fast a machine is: where the time ends it,
/// nothing is told.
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
        let entry = |miss: &StuckBranch<'_>| source_coverage::entry(miss, &identifier);
        campaign.record.coverage_report.stuck.extend(seen.stuck(misses, &entry));
    }
}

/// Ends it when somebody interrupts the run, or waits for a report for long; when the time for a run is up there is a
/// little for this.
fn end_of_report(campaign: &Campaign<'_>) -> EndsWhen {
    let longest = if campaign.context.options.sources { LONGEST_FOR_REPORTS } else { LONGEST };
    let searched = Duration::from_secs_f64(campaign.budget.seconds());
    let (stop, end) = (campaign.context.stop.clone(), Instant::now() + searched / 2 + longest);
    Arc::new(move || Instant::now() >= end || stop.requested() && !stop.is_late() || stop.is_overdue())
}
