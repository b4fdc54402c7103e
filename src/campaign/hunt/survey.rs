//! What ran of the sources, and what the search is stuck on: found out by running once more what covered something
//! first.

use super::{super::coverage, Hunt};
use crate::{
    engine::{Engine, Miss},
    evm::coverage::Coverage,
    model::{EdgeId, Sequence, SourceCoverage, Stuck, executor::Checks},
};
use std::{
    rc::Rc,
    time::{Duration, Instant},
};

/// Time that it may take where no report shows sources, beside a share of the search's.
const LEAST: Duration = Duration::from_millis(250);
/// The same where one does.
const LEAST_FOR_REPORTS: Duration = Duration::from_secs(20);

/// Sequences run for misses that no other sequence shows.
const MOST_MISSES: usize = 128;

/// What was found out.
#[derive(Debug, Default)]
pub(in crate::campaign) struct Survey {
    pub(in crate::campaign) covered: SourceCoverage,
    pub(in crate::campaign) stuck: Vec<Stuck>,
}

impl Hunt<'_> {
    /// Looks at what an engine kept: after each search for invariants, which takes a hundredth of its time, and after
    /// others where a report shows sources.
    pub(super) fn survey(&mut self, engine: &Engine) {
        if self.test.is_some() && !self.share.options.sources {
            return;
        }
        let misses: Vec<Miss<'_>> = engine.missed().collect();
        let mut pioneers: Vec<_> = engine.pioneers().collect();
        // Short ones first, for long ones may begin like them.
        pioneers.sort_by_key(|sequence| sequence.len());
        self.look_at_code(&pioneers, &misses);
    }

    /// The same for a test that is no fuzz test, where a report shows sources.
    pub(super) fn survey_row(&mut self, row: &Sequence) {
        if self.share.options.sources {
            self.look_at_code(&[row], &[]);
        }
    }

    /// Runs sequences as far as there is time for it.
    fn look_at_code(&mut self, sequences: &[&Sequence], misses: &[Miss<'_>]) {
        let searched = Duration::from_secs_f64(self.budget.seconds());
        let time =
            if self.share.options.sources { LEAST_FOR_REPORTS + searched } else { LEAST + searched / 20 };
        let (stop, end) = (self.share.stop.clone(), Instant::now() + time);
        // When the time for a run is up there is time for this.
        let is_over = move || Instant::now() >= end || stop.requested() && !stop.is_late();
        let checks = Checks { properties: (0..self.stage.properties.len()).collect(), ..self.checks() };
        let edges = || -> Vec<EdgeId> { misses.iter().map(|miss| miss.edge).collect() };
        let mut seen = Coverage::default();
        self.executor.begin_replays(Rc::new(is_over));
        self.executor.cover(&mut seen, sequences, edges(), &checks);
        let is_unseen = |miss: &&Miss<'_>| miss.leads_on && seen.missed(miss.edge).is_none();
        let unseen = misses.iter().filter(is_unseen).map(|miss| miss.sequence);
        let unseen: Vec<&Sequence> = unseen.take(MOST_MISSES).collect();
        self.executor.cover(&mut seen, &unseen, edges(), &checks);
        self.executor.end_search();
        let project = self.share.project;
        let identifier = |address| self.stage.identifier(address).map(str::to_owned);
        let covered = coverage::of_sources(project, &seen, misses);
        let entry = |miss: &Miss<'_>| coverage::entry(miss, &identifier);
        self.survey.stuck.extend(coverage::stuck(project, &seen, &covered, misses, &entry));
        self.survey.covered.add(&covered);
    }
}
