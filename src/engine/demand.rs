//! Demand-driven sequence fuzzing (Harvey section 5): knowledge about functions that gain from another state,
//! and about calls that lead to such a state.
//!
//! A run in aggressive mode replaces a word of storage that the last call reads. If the run covers a new
//! branch or halves the distance to one, the function of the last call is marked: longer sequences that end
//! in it are worth their cost. All functions are marked at first, and lose the mark after some aggressive
//! runs without a gain. A function that reads no storage cannot be tested in this way and keeps the mark. The
//! slot of the word is remembered for the branch, and calls that write the slot are put before calls that
//! read it.

use crate::engine::tuning::demand::{CHAIN, CREDIT, GAINS, OF_CONTRACT, READS, SLOTS, WRITERS};
use crate::{
    engine::{
        call_generator::{self, CallGenerator},
        functions::Callable,
        rng::Rng,
        seed::CreatedCallable,
        traced_run::{RunPart, TracedRun},
    },
    model::{EdgeId, Footprint, Slot, Transaction},
};
use alloy_primitives::{Address, Selector, U256};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Call that wrote storage, with the slots that it read.
#[derive(Debug)]
struct StorageWriter {
    tx: Transaction,
    reads: Vec<Slot>,
}

/// Call that wrote a certain slot.
#[derive(Clone, Debug)]
struct SlotWriter {
    call: Arc<StorageWriter>,
    /// Bits of the word that calls of its function changed.
    changed: U256,
}

/// Knowledge from aggressive runs and read sets.
#[derive(Debug, Default)]
pub(super) struct Demand {
    writers: FxHashMap<Slot, Vec<SlotWriter>>,
    of_contract: FxHashMap<Address, Vec<SlotWriter>>,
    gains: FxHashMap<EdgeId, Vec<Slot>>,
    marks: FxHashMap<(Address, Selector), Mark>,
}

/// Result of the aggressive runs of a function.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Number of aggressive runs without a gain that are left before the function loses its mark.
    credit: u32,
    has_gained: bool,
}

impl Demand {
    /// Records the reads and writes of a call that succeeded.
    pub(super) fn learn(&mut self, tx: &Transaction, footprint: &Footprint) {
        if footprint.writes.is_empty() || tx.input.function().is_none() {
            return;
        }
        let reads = footprint.reads.iter().take(READS).map(|(slot, _)| *slot).collect();
        let call = Arc::new(StorageWriter { tx: tx.clone(), reads });
        for (slot, word) in &footprint.writes {
            if self.writers.len() >= SLOTS {
                self.writers.clear();
            }
            if self.of_contract.len() >= SLOTS {
                self.of_contract.clear();
            }
            let before = footprint.reads.iter().find(|(read, _)| read == slot);
            let changed = before.map_or(U256::MAX, |(_, before)| before ^ word);
            let writer = SlotWriter { call: call.clone(), changed };
            remember(self.of_contract.entry(slot.address).or_default(), &writer, OF_CONTRACT);
            remember(self.writers.entry(*slot).or_default(), &writer, WRITERS);
        }
    }

    /// Records the result of an aggressive run of `function` that changed `slots`. `gained` are the branches
    /// that the run brought nearer or covered. `fails` is true if the run broke a property or an assertion.
    pub(super) fn record_aggressive(
        &mut self,
        function: (Address, Selector),
        slots: &[Slot],
        gained: &[EdgeId],
        fails: bool,
    ) {
        if self.marks.len() >= SLOTS {
            self.marks.clear();
        }
        if gained.is_empty() && !fails {
            let first = Mark { credit: CREDIT, has_gained: false };
            let mark = self.marks.entry(function).or_insert(first);
            mark.credit = mark.credit.saturating_sub(1);
            return;
        }
        self.marks.insert(function, Mark { credit: CREDIT, has_gained: true });
        for edge in gained {
            let known = self.gains.entry(*edge).or_default();
            for slot in slots {
                if known.len() < GAINS && !known.contains(slot) {
                    known.push(*slot);
                }
            }
        }
    }

    /// Tells whether longer sequences that end in `function` may be worth their cost.
    pub(super) fn is_marked(&self, function: (Address, Selector)) -> bool {
        self.marks.get(&function).is_none_or(|mark| mark.credit > 0)
    }

    /// Tells whether `function` gained from another state recently.
    pub(super) fn has_gained(&self, function: (Address, Selector)) -> bool {
        self.marks.get(&function).is_some_and(|mark| mark.has_gained && mark.credit > 0)
    }

    /// Returns calls to put before the last call of `base`, so that the branch at `place` finds another
    /// state. One call writes a slot on which the branch depends, the call before it writes a slot that the
    /// former reads, and so on.
    pub(super) fn chain(
        &self,
        base: &TracedRun,
        place: EdgeId,
        edge: EdgeId,
        generator: &CallGenerator,
        rng: &mut Rng,
    ) -> Vec<Transaction> {
        let Some(subject) = base.subject(place) else { return Vec::new() };
        let mut slots = self.gains.get(&edge).cloned().unwrap_or_default();
        if slots.is_empty() || rng.below(4) == 0 {
            slots = relevant(base, place, subject, rng);
        }
        slots.retain(|slot| self.has_writer(*slot));
        let mut chain = Vec::new();
        let mut exclude = Vec::new();
        while chain.len() < CHAIN {
            let Some(slot) = rng.pick(&slots).copied() else { break };
            let Some(writer) = self.writer(slot, rng) else { break };
            let mut call = vary(&writer.tx, generator, rng);
            let reader = chain.last().or(base.seed.calls.last());
            if let Some(reader) = reader.filter(|_| rng.coin()) {
                relate(&mut call, reader, rng);
            }
            chain.push(call);
            exclude.push(slot);
            if rng.coin() {
                break;
            }
            let is_next = |slot: &&Slot| !exclude.contains(*slot) && self.has_writer(**slot);
            slots = writer.reads.iter().filter(is_next).copied().collect();
        }
        chain.reverse();
        chain
    }

    /// Returns true if there is a known call that writes the slot, or another slot of the same account.
    pub(super) fn has_writer(&self, slot: Slot) -> bool {
        self.of_contract.contains_key(&slot.address)
    }

    /// Returns calls that changed one of these bits of a slot, the newest one of each function.
    pub(super) fn writers(&self, slot: Slot, bits: U256) -> impl Iterator<Item = &Transaction> {
        let writers = self.writers.get(&slot).into_iter().flatten();
        writers.filter(move |writer| !(writer.changed & bits).is_zero()).map(|writer| &writer.call.tx)
    }

    fn writer(&self, slot: Slot, rng: &mut Rng) -> Option<&Arc<StorageWriter>> {
        let exact =
            self.writers.get(&slot).filter(|_| rng.below(8) > 0).and_then(|writers| rng.pick(writers));
        let writer = exact.or_else(|| rng.pick(self.of_contract.get(&slot.address)?));
        writer.map(|writer| &writer.call)
    }
}

/// Remembers the newest call of each function, up to `most` functions.
fn remember(writers: &mut Vec<SlotWriter>, writer: &SlotWriter, most: usize) {
    let function = function_of(&writer.call.tx);
    if let Some(known) = writers.iter_mut().find(|known| function_of(&known.call.tx) == function) {
        let changed = known.changed | writer.changed;
        *known = SlotWriter { changed, ..writer.clone() };
    } else if writers.len() < most {
        writers.push(writer.clone());
    }
}

/// Returns the slots that `subject` read and whose values the branch at `place` compares.
pub(super) fn compared(base: &TracedRun, place: EdgeId, subject: RunPart) -> Vec<Slot> {
    let operands = base.at(place).map(|branch| [branch.left, branch.right]);
    let is_operand = |value: &U256| operands.is_some_and(|operands| operands.contains(value));
    base.reads(subject).filter(|(_, value)| is_operand(value)).map(|(slot, _)| slot).collect()
}

/// Returns the slots that `subject` read; usually only those whose values are compared, if there are any.
fn relevant(base: &TracedRun, place: EdgeId, subject: RunPart, rng: &mut Rng) -> Vec<Slot> {
    let compared = compared(base, place, subject);
    if !compared.is_empty() && rng.below(4) > 0 {
        return compared;
    }
    base.reads(subject).map(|(slot, _)| slot).collect()
}

/// Returns the target and selector of a call.
pub(super) fn function_of(tx: &Transaction) -> Option<(Address, Selector)> {
    tx.input.function().map(|function| (tx.target, function.selector()))
}

/// Returns the call unchanged, or a call of the same function with other arguments.
fn vary(tx: &Transaction, generator: &CallGenerator, rng: &mut Rng) -> Transaction {
    let method = tx.input.function().and_then(|function| generator.functions.method(function));
    match method {
        Some(method) if rng.below(4) > 0 => {
            let fresh = generator.call_of(&Callable { target: tx.target, method }, rng);
            let sender = if rng.coin() { tx.sender } else { fresh.sender };
            Transaction { sender, ..fresh }
        }
        _ => tx.clone(),
    }
}

/// Gives a value of the reading call to the call that writes, and usually its sender, too, because both must
/// use the same mapping keys.
fn relate(call: &mut Transaction, reader: &Transaction, rng: &mut Rng) {
    call_generator::repeat(call, reader, rng);
    if rng.below(4) > 0 {
        call.sender = reader.sender;
    }
}

/// Tells whether the targets of all calls exist: always, or as one of the contracts in `born`.
pub(super) fn can_stand(chain: &[Transaction], born: &[CreatedCallable], generator: &CallGenerator) -> bool {
    chain.iter().all(|tx| {
        generator.functions.is_fixed(tx.target) || born.iter().any(|born| born.callable.target == tx.target)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{seed::Seed, toy},
        model::{Branch, BranchKind, BranchOutcome, Observation, Relation, Step},
    };

    const X: Slot = Slot { address: Address::repeat_byte(0xa1), slot: U256::from_limbs([1, 0, 0, 0]) };
    const Y: Slot = Slot { address: Address::repeat_byte(0xa1), slot: U256::from_limbs([2, 0, 0, 0]) };

    fn writes(reads: &[Slot], writes: &[Slot]) -> Footprint {
        let zero = |slots: &[Slot]| slots.iter().map(|slot| (*slot, U256::ZERO)).collect();
        Footprint { reads: zero(reads), writes: zero(writes), ..Footprint::default() }
    }

    /// Returns a run of `finish()` that read `X` and compared it.
    fn base() -> TracedRun {
        let branch = Branch {
            kind: BranchKind::Jump,
            relation: Relation::Equal,
            left: U256::ZERO,
            right: U256::from(42),
            edges: [7, 8],
            taken: [true, false],
            branch_outcomes: [BranchOutcome::On; 2],
            preimages: Default::default(),
        };
        let footprint = Footprint { branches: vec![branch], ..writes(&[X], &[]) };
        let step = Step { path: 1, footprint: Some(footprint.into()), ..Step::default() };
        let seen = Observation { steps: vec![step], ..Observation::default() };
        let calls = vec![toy::call("finish", &[])];
        TracedRun::new(
            1,
            Arc::new(Seed { calls, born: Arc::default(), extendable: true }),
            &seen,
            &toy::generator(),
        )
    }

    #[test]
    fn calls_that_write_what_is_compared_are_put_before_it_and_before_them_what_they_read() {
        let mut demand = Demand::default();
        demand.learn(&toy::call("inc", &[]), &writes(&[Y], &[X]));
        demand.learn(&toy::call("reset", &[]), &writes(&[], &[Y]));
        let (base, generator, mut rng) = (base(), toy::generator(), Rng::new(1, 0));
        let chains: Vec<Vec<String>> = (0..200)
            .map(|_| demand.chain(&base, 7, 8, &generator, &mut rng))
            .map(|chain| chain.iter().map(|tx| tx.input.function().expect("typed").name.clone()).collect())
            .collect();
        assert!(chains.contains(&vec!["inc".to_owned()]));
        assert!(chains.contains(&vec!["reset".to_owned(), "inc".to_owned()]));
        assert!(chains.iter().filter(|chain| chain.last().is_some_and(|last| last == "inc")).count() > 150);
    }

    #[test]
    fn a_mark_is_given_for_a_gain_and_lost_without_one() {
        let mut demand = Demand::default();
        let function = function_of(&toy::call("finish", &[])).expect("typed");
        assert!(demand.is_marked(function), "nothing is known of it yet");
        (0..CREDIT).for_each(|_| demand.record_aggressive(function, &[X], &[], false));
        assert!(!demand.is_marked(function));
        demand.record_aggressive(function, &[X], &[], true);
        assert!(demand.is_marked(function));
        demand.record_aggressive(function, &[X], &[8], false);
        (1..CREDIT).for_each(|_| demand.record_aggressive(function, &[X], &[], false));
        assert!(demand.is_marked(function));
        demand.record_aggressive(function, &[X], &[], false);
        assert!(!demand.is_marked(function));
    }
}
