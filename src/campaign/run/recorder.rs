//! Storage of inputs that reached something new. They are written during the search, so that a killed
//! campaign loses at most those of the last few seconds.

use crate::{
    campaign::store::corpus::{CorpusEntry, CorpusStore, Covered, FULL_CORPUS, MOST_OF_SUITE},
    engine::{Learned, Novelty},
    model::{Observation, Outcome, TargetSet, Transaction},
};
use std::{
    mem,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Interval between two writes.
const INTERVAL: Duration = Duration::from_secs(2);
/// Size of a suite's inputs in bytes, as text, above which those that showed only a new path are not stored. The next
/// run would take long to run them.
const MANY_BYTES: usize = MOST_OF_SUITE / 2;

/// Data that waits to be written, from all threads of a campaign.
#[derive(Default)]
struct Pending {
    entries: Vec<CorpusEntry>,
    covered: Covered,
    /// Reason for which the last write failed.
    error: Option<String>,
    /// True if the error was reported.
    is_told: bool,
    is_over: bool,
}

/// Stores the inputs of one campaign in the corpus of its suite.
pub(super) struct CorpusRecorder {
    /// `None` if nothing is stored.
    corpus: Option<CorpusStore>,
    targets: TargetSet,
    /// Size of the suite's inputs in bytes, including those that wait to be written.
    bytes: Arc<AtomicUsize>,
    pending: Mutex<Pending>,
    wake: Condvar,
}

impl CorpusRecorder {
    /// Creates a recorder for a suite whose corpus has this number of `bytes`, to which all of its campaigns
    /// add.
    pub(super) fn new(corpus: Option<CorpusStore>, targets: TargetSet, bytes: Arc<AtomicUsize>) -> Self {
        Self { corpus, targets, bytes, pending: Mutex::default(), wake: Condvar::new() }
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the part of a run from which an engine learned something, unless the corpus is full.
    pub(super) fn note(&self, sequence: &[Transaction], seen: &Observation, learned: Learned) {
        if self.corpus.is_none() || !learned.is_new() {
            return;
        }
        // Rejected calls have no effect.
        let steps = sequence.iter().zip(&seen.steps).take(learned.steps);
        let calls = steps.filter(|(_, step)| step.outcome != Outcome::Discard).map(|(tx, _)| tx.clone());
        let calls: Vec<_> = calls.collect();
        let most = if learned.novelty == Novelty::Reach { MOST_OF_SUITE } else { MANY_BYTES };
        if calls.is_empty() || self.bytes.load(Ordering::Relaxed) >= most {
            return;
        }
        let entry = CorpusEntry::new(&calls, &self.targets);
        self.bytes.fetch_add(entry.line().len(), Ordering::Relaxed);
        self.pending().entries.push(entry);
    }

    /// Records the coverage of the campaign, which the next segment of the corpus will contain.
    pub(super) fn note_covered(&self, covered: Covered) {
        self.pending().covered = covered;
    }

    /// Writes waiting inputs every few seconds until the campaign is over. Inputs that cannot be written keep
    /// waiting.
    pub(super) fn write_now_and_then(&self) {
        let Some(corpus) = &self.corpus else { return };
        let mut pending = self.pending();
        loop {
            let is_over = pending.is_over;
            let (entries, covered) = (mem::take(&mut pending.entries), pending.covered);
            drop(pending);
            let written = corpus.write(&entries, covered);
            pending = self.pending();
            pending.error = written.err().map(|error| {
                // Inputs added in the meantime come last.
                pending.entries.splice(0..0, entries);
                error.to_string()
            });
            if is_over {
                return;
            }
            let waited = self.wake.wait_timeout_while(pending, INTERVAL, |pending| !pending.is_over);
            (pending, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the writing after a last attempt.
    pub(super) fn end(&self) {
        self.pending().is_over = true;
        self.wake.notify_all();
    }

    /// Returns the reason that something cannot be written, but only once.
    pub(super) fn first_error(&self) -> Option<String> {
        let mut pending = self.pending();
        if pending.is_told {
            return None;
        }
        pending.is_told = pending.error.is_some();
        pending.error.clone()
    }

    /// Returns the reason that the last write failed, if it did, and the reason that nothing more is stored.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        let is_full = self.corpus.is_some() && self.bytes.load(Ordering::Relaxed) >= MOST_OF_SUITE;
        let full = is_full.then(|| format!("no more inputs are stored: {FULL_CORPUS}"));
        self.pending().error.take().into_iter().chain(full)
    }
}

/// Guard that ends a recorder's writing, even if the campaign panics.
pub(super) struct Ending<'a>(pub(super) &'a CorpusRecorder);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ContractId, Input, Step};
    use alloy_primitives::{Address, U256};

    fn calls(count: usize) -> Vec<Transaction> {
        let call = Transaction {
            sender: Address::ZERO,
            target: Address::ZERO,
            value: U256::ZERO,
            warp: U256::ZERO,
            roll: U256::ZERO,
            input: Input::Raw([1, 2, 3, 4].into()),
            reentry: None,
        };
        vec![call; count]
    }

    fn seen(outcomes: &[Outcome]) -> Observation {
        let steps = outcomes.iter().map(|outcome| Step { outcome: *outcome, ..Step::default() }).collect();
        Observation { steps, ..Observation::default() }
    }

    fn corpus(dir: &tempfile::TempDir) -> CorpusStore {
        CorpusStore::new(dir.path(), &ContractId { path: "test/A.t.sol".into(), name: "A".into() })
    }

    #[test]
    fn what_taught_something_is_written_up_to_the_step_that_did() {
        let dir = tempfile::tempdir().unwrap();
        let recorder = CorpusRecorder::new(Some(corpus(&dir)), TargetSet::default(), Arc::default());
        let all = [Outcome::Success, Outcome::Discard, Outcome::Revert, Outcome::Success];
        recorder.note(&calls(4), &seen(&all), Learned { novelty: Novelty::Reach, steps: 3 });
        recorder.note(&calls(4), &seen(&all), Learned::default());
        recorder.end();
        recorder.write_now_and_then();
        let loaded = corpus(&dir).read();
        assert_eq!(loaded.entries.iter().map(CorpusEntry::len).collect::<Vec<_>>(), [2]);
        assert_eq!((loaded.warnings.len(), recorder.warnings().count()), (0, 0));
    }

    #[test]
    fn a_large_corpus_takes_only_what_reaches_a_branch_and_a_full_one_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let once = seen(&[Outcome::Success]);
        for (bytes, expected) in [(MANY_BYTES - 1, 2), (MANY_BYTES, 1), (MOST_OF_SUITE, 0)] {
            let bytes = Arc::new(AtomicUsize::new(bytes));
            let recorder = CorpusRecorder::new(Some(corpus(&dir)), TargetSet::default(), bytes);
            for novelty in [Novelty::Path, Novelty::Reach, Novelty::Path] {
                recorder.note(&calls(1), &once, Learned { novelty, steps: 1 });
            }
            assert_eq!(recorder.pending().entries.len(), expected);
            assert_eq!(recorder.warnings().count(), usize::from(expected == 0));
        }
    }

    #[test]
    fn what_cannot_be_written_waits_and_is_written_later() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("inputs"), "a file where a directory is needed").unwrap();
        let recorder = CorpusRecorder::new(Some(corpus(&dir)), TargetSet::default(), Arc::default());
        recorder.note(&calls(1), &seen(&[Outcome::Success]), Learned { novelty: Novelty::Path, steps: 1 });
        recorder.end();
        recorder.write_now_and_then();
        assert!(recorder.warnings().next().unwrap().starts_with("cannot write "));
        std::fs::remove_file(dir.path().join("inputs")).unwrap();
        recorder.write_now_and_then();
        assert_eq!((corpus(&dir).read().entries.len(), recorder.warnings().count()), (1, 0));
    }
}
