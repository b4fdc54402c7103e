//! Sequences that an earlier campaign kept, ours or Forge's (`corpus_dir`).

use super::{super::store::forge::ForgeCorpus, Hunt, helpers::Ran};
use crate::engine::{Candidate, Engine};
use std::sync::Arc;

impl Hunt<'_> {
    /// Runs what was kept, which counts for no calls, as in Forge. Returned are what was new in it, for other engines, and
    /// whether there is a reason to go on.
    pub(super) fn run_kept(&mut self, corpus: &ForgeCorpus, engine: &mut Engine) -> (Vec<Arc<Ran>>, bool) {
        let (sequences, damaged) = corpus.read(&self.stage.targets);
        self.warnings.extend(damaged.iter().map(|path| {
            format!("{} holds no sequence of calls that can be read; remove it", path.display())
        }));
        let mut checks = self.checks();
        let mut news = Vec::new();
        for mut sequence in sequences {
            sequence.truncate(self.config.invariant.depth as usize);
            let ran = Ran::of(Candidate::kept(sequence), &mut self.executor, &mut checks);
            let goes_on = self.look_at(&ran, &mut checks);
            if engine.tell(&ran.candidate, &ran.observation) {
                news.push(Arc::new(ran));
            }
            if !goes_on || self.is_over() {
                return (news, goes_on);
            }
        }
        (news, true)
    }

    /// Keeps what covered something for the first time.
    pub(super) fn keep(&mut self, corpus: &ForgeCorpus, engine: &Engine) {
        let pioneers: Vec<_> = engine.pioneers().collect();
        let error = corpus.write(pioneers.iter().copied()).err();
        self.warnings.extend(error.map(|error| error.to_string()));
    }
}
