//! Sequences stored by earlier campaigns, in our corpus or in Forge's (`corpus_dir`). They take a small part of the
//! budget: some run before the search, the others from time to time during it.

use super::{super::store::forge::ForgeCorpus, Campaign, epoch::Execution, events};
use crate::{
    engine::{Candidate, Engine},
    model::{Input, Sequence},
};
use alloy_primitives::{Address, Selector};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
    time::Instant,
};

/// Stored sequences that have not run yet.
pub(super) struct KeptInputs {
    waiting: VecDeque<Sequence>,
}

impl KeptInputs {
    /// Reads the sequences of our corpus and of Forge's, with the calls that the current targets have.
    pub(super) fn read(campaign: &mut Campaign<'_>, forge: Option<&ForgeCorpus>) -> Self {
        let targets = &campaign.test_env.targets;
        let own = campaign.context.kept.iter().flat_map(|kept| &kept.entries);
        let mut sequences: Vec<Sequence> = own.map(|entry| entry.sequence(targets)).collect();
        sequences.retain(|sequence| !sequence.is_empty());
        if let Some(forge) = forge {
            let (more, warnings) = forge.read(targets);
            sequences.extend(more);
            campaign.results.warnings.extend(warnings);
        }
        Self { waiting: mixed(sequences) }
    }

    /// Runs as many of the sequences as the budget allows now. Their calls do not count, as in Forge. Returns the
    /// runs that showed something new, from which other engines learn, and true if the search may go on.
    pub(super) fn run_some(
        &mut self,
        campaign: &mut Campaign<'_>,
        engine: &mut Engine,
    ) -> (Vec<Arc<Execution>>, bool) {
        let mut checks = campaign.checks();
        let mut new_runs = Vec::new();
        while let Some(most) = campaign.budget.stored_calls(&campaign.usage.stored, &campaign.spent()) {
            let Some(mut sequence) = self.waiting.pop_front() else { break };
            sequence.truncate(most.min(campaign.spec.config.invariant.depth as usize));
            let (start, before) = (Instant::now(), campaign.executor.executions());
            let ran = Execution::of(Candidate::kept(sequence), &mut campaign.executor, &mut checks);
            let goes_on = campaign.confirm_if_notable(&ran, &mut checks);
            let stored = &mut campaign.usage.stored;
            stored.executions += campaign.executor.executions() - before;
            stored.calls += ran.calls();
            stored.time += start.elapsed();
            if engine.tell(&ran.candidate, &ran.observation).is_new() {
                new_runs.push(Arc::new(ran));
            }
            if !goes_on || campaign.is_over() {
                return (new_runs, goes_on);
            }
            if campaign.events.is_progress_due() {
                events::emit_progress(campaign, Some("Corpus"));
            }
        }
        (new_runs, true)
    }
}

/// Mixes sequences so that the first ones are as different as possible: those that call the same set of functions
/// take turns with the others. Within a set, the order stays.
fn mixed(sequences: Vec<Sequence>) -> VecDeque<Sequence> {
    let mut turns: BTreeMap<BTreeSet<(Address, Option<Selector>)>, usize> = BTreeMap::new();
    let mut numbered: Vec<(usize, Sequence)> = Vec::new();
    for sequence in sequences {
        let functions = sequence.iter().map(|tx| (tx.target, selector(&tx.input))).collect();
        let turn = turns.entry(functions).or_default();
        numbered.push((*turn, sequence));
        *turn += 1;
    }
    numbered.sort_by_key(|(turn, _)| *turn);
    numbered.into_iter().map(|(_, sequence)| sequence).collect()
}

fn selector(input: &Input) -> Option<Selector> {
    input.calldata().get(..4).map(Selector::from_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Transaction;
    use alloy_primitives::U256;

    #[test]
    fn sequences_of_other_functions_come_before_more_of_the_same() {
        let call = |function: u8, value: u8| Transaction {
            sender: Address::ZERO,
            target: Address::ZERO,
            value: U256::ZERO,
            warp: U256::ZERO,
            roll: U256::ZERO,
            input: Input::Raw([0, 0, 0, function, value].into()),
            reentry: None,
        };
        let all =
            vec![vec![call(1, 1)], vec![call(1, 2)], vec![call(1, 3)], vec![call(2, 1)], vec![call(2, 2)]];
        let order: Vec<_> = mixed(all).iter().map(|calls| calls[0].input.calldata()[3..].to_vec()).collect();
        assert_eq!(order, [[1, 1], [2, 1], [1, 2], [2, 2], [1, 3]]);
    }
}
