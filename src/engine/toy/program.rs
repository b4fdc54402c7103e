//! The toy program and its execution.

use crate::model::{
    AssertionFailure, AssertionKind, Branch, BranchKind, BranchOutcome, Broken, EdgeId, Executor, Footprint,
    Input, NewCoverage, Observation, Outcome, Probing, Relation, Sequence, Site, Slot, Step, Transaction,
    ValueId, executor::Checks,
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{B256, I256, U256};
use rustc_hash::FxHasher;
use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use super::{CHILDREN_SLEEP, COUNT_IS_SMALL, HOME, LOCK_IS_SHUT, MAGIC, child, created};

/// Persistent state of the program.
#[derive(Clone, Default, Hash)]
struct State {
    count: u64,
    step: u8,
    sum: i64,
    children: usize,
    pokes: u64,
}

/// Executor of the program.
pub(in crate::engine) struct Toy;

impl Executor for Toy {
    fn run(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation {
        let (mut state, mut seen) = (State::default(), Observation::default());
        for (index, tx) in sequence.iter().enumerate() {
            let is_last = index + 1 == sequence.len();
            if is_last {
                probing.state.iter().for_each(|(slot, word)| state.set(slot, *word));
            }
            let mut run = Run { state: state.clone(), ..Run::default() };
            let outcome = match run.call(tx) {
                Some(()) => Outcome::Success,
                None => Outcome::Revert,
            };
            let mut writes = Vec::new();
            if outcome == Outcome::Success {
                if run.state.children > state.children {
                    seen.created.push(created(index, state.children));
                }
                let words = run.state.words().into_iter().zip(state.words()).enumerate();
                let changed = words.filter(|(_, (after, before))| after != before);
                writes.extend(changed.map(|(place, (after, _))| (slot(place), after)));
                state = run.state;
            }
            let footprint = Footprint { branches: run.branches, reads: run.reads, writes };
            seen.steps.push(Step {
                outcome,
                path: run.path.finish(),
                new_coverage: NewCoverage { edges: run.edges, values: run.values },
                assertion: run.assertion,
                words: run.words,
                footprint: (probing.track && is_last).then(|| Arc::new(footprint)),
                ..Step::default()
            });
            if outcome == Outcome::Success {
                state.check(index, checks, &mut seen);
            }
            if !seen.broken.is_empty() {
                break;
            }
        }
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        seen.state = hasher.finish();
        seen
    }
}

/// Index of the counter among the words of the state.
const COUNT: usize = 0;
/// Index of the step of the lock among the words of the state.
const STEP: usize = 1;

fn slot(place: usize) -> Slot {
    Slot { address: HOME, slot: U256::from(place) }
}

impl State {
    /// Returns the state as words of storage.
    fn words(&self) -> [U256; 5] {
        let Self { count, step, sum, children, pokes } = *self;
        [U256::from(count), U256::from(step), U256::from(sum as u64), U256::from(children), U256::from(pokes)]
    }

    fn set(&mut self, slot: &Slot, word: U256) {
        match slot.slot.to::<usize>() {
            COUNT => self.count = word.wrapping_to(),
            STEP => self.step = word.wrapping_to(),
            _ => {}
        }
    }

    fn check(&self, step: usize, checks: &Checks, seen: &mut Observation) {
        for property in &checks.properties {
            let holds = match *property {
                COUNT_IS_SMALL => self.count < 14,
                LOCK_IS_SHUT => self.step < 3,
                CHILDREN_SLEEP => self.pokes < 2,
                _ => {
                    let sum = I256::unchecked_from(self.sum);
                    let best = seen.best.iter().map(|(_, value, _)| *value).max();
                    if best.is_none_or(|best| sum > best) {
                        seen.best = vec![(*property, sum, step + 1)];
                    }
                    true
                }
            };
            if !holds {
                seen.broken.push(Broken {
                    property: *property,
                    reason: "broken".into(),
                    after_invariant: false,
                });
            }
        }
    }
}

/// Run of one call.
#[derive(Default)]
struct Run {
    state: State,
    path: FxHasher,
    edges: Vec<EdgeId>,
    values: Vec<ValueId>,
    branches: Vec<Branch>,
    reads: Vec<(Slot, U256)>,
    words: Vec<U256>,
    assertion: Option<AssertionFailure>,
}

impl Run {
    /// Executes a call; `None` if it reverts.
    fn call(&mut self, tx: &Transaction) -> Option<()> {
        let Input::Typed { function, args } = &tx.input else { return None };
        function.name.hash(&mut self.path);
        let mut class = FxHasher::default();
        let State { count, step, pokes, .. } = self.state;
        (&function.name, count.checked_ilog2(), step, pokes).hash(&mut class);
        self.values.push(class.finish());
        let number = args.first().and_then(|arg| match arg {
            DynSolValue::Uint(word, _) => Some(*word),
            DynSolValue::Int(word, _) => Some(word.into_raw()),
            _ => None,
        });
        let number = number.unwrap_or_default();
        match function.name.as_str() {
            "inc" => self.state.count += 1,
            "reset" => self.state.count = 0,
            "boom" if self.compare(number, Relation::Equal, U256::from(77)) => {
                self.assertion = Some(assertion());
                return None;
            }
            "unlock" => {
                let step = self.read(STEP);
                self.require_equal(step, 0)?;
                self.require_equal(number, MAGIC)?;
                self.state.step = 1;
            }
            "enter" => {
                let (step, count) = (self.read(STEP), self.read(COUNT));
                self.require_equal(step, 1)?;
                self.require(U256::from(2), Relation::Less, count)?;
                self.require(number, Relation::Equal, count)?;
                self.state.step = 2;
            }
            "finish" => {
                let (step, count) = (self.read(STEP), self.read(COUNT));
                self.require_equal(step, 2)?;
                self.require_equal(count, 0)?;
                self.state.step = 3;
            }
            "add" => self.state.sum += number.wrapping_to::<u64>() as i64,
            "pay" => {
                let lengths = [0, 1].map(|arg| args[arg].as_array().map_or(0, <[_]>::len));
                self.require_equal(U256::from(lengths[0]), lengths[1] as u64)?;
            }
            "never" => self.require_equal(U256::ZERO, 1)?,
            "make" => {
                self.require(U256::from(self.state.children), Relation::Less, U256::from(8))?;
                self.state.children += 1;
            }
            "poke" => {
                let is_there = (0..self.state.children).any(|index| child(index) == tx.target);
                self.require_equal(U256::from(u8::from(is_there)), 1)?;
                self.require_equal(number & U256::from(1), 1)?;
                self.state.pokes += 1;
            }
            _ => {}
        }
        self.words.push(U256::from(self.state.count));
        Some(())
    }

    /// Reads a word of the state.
    fn read(&mut self, place: usize) -> U256 {
        let word = self.state.words()[place];
        if !self.reads.iter().any(|(known, _)| *known == slot(place)) {
            self.reads.push((slot(place), word));
        }
        word
    }

    /// Records a branch on a comparison, and returns the result.
    fn compare(&mut self, left: U256, relation: Relation, right: U256) -> bool {
        let holds = relation.holds(left, right);
        let edges = [false, true].map(|taken| {
            let mut path = self.path.clone();
            taken.hash(&mut path);
            path.finish()
        });
        holds.hash(&mut self.path);
        self.edges.push(edges[usize::from(holds)]);
        self.branches.push(Branch {
            kind: BranchKind::Jump,
            relation,
            left,
            right,
            edges,
            taken: [!holds, holds],
            branch_outcomes: [BranchOutcome::On; 2],
            preimages: Default::default(),
        });
        holds
    }

    fn require(&mut self, left: U256, relation: Relation, right: U256) -> Option<()> {
        self.compare(left, relation, right).then_some(())
    }

    fn require_equal(&mut self, left: U256, right: u64) -> Option<()> {
        self.require(left, Relation::Equal, U256::from(right))
    }
}

fn assertion() -> AssertionFailure {
    AssertionFailure {
        kind: AssertionKind::Panic,
        site: Site { code: B256::repeat_byte(7), pc: 77, location: None },
        reason: "panic: assertion failed (0x01)".into(),
        written: None,
    }
}
