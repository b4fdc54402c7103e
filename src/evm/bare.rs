//! The limit of any search: transactions with nothing around them. Benchmarks compare with it.

use super::{
    machine::{Machine, TopCall},
    session::Session,
    stage::Stage,
};
use crate::model::{PropertyKind, Sequence};
use alloy_primitives::Bytes;
use std::sync::Arc;

/// Runs sequences by revm's own instructions, and records nothing.
pub struct Bare {
    machine: Machine,
    stage: Arc<Stage>,
    /// Calldata of the properties.
    properties: Vec<Bytes>,
}

impl Bare {
    /// A machine over the state that `stage` holds.
    #[must_use]
    pub fn new(stage: Arc<Stage>) -> Self {
        let invariants = stage.properties.iter().filter(|property| property.kind != PropertyKind::Test);
        let selector = |selector: &[u8]| Bytes::copy_from_slice(selector);
        let properties = invariants.map(|invariant| selector(invariant.function.selector().as_slice()));
        Self {
            properties: properties.collect(),
            machine: Machine::bare(stage.world.clone(), &stage.env, Session::new(stage.cheats.clone())),
            stage,
        }
    }

    /// Runs a sequence from the state after `setUp`, and the properties after each call from `from` on that succeeds.
    /// Returns how many transactions that took.
    pub fn run(&mut self, sequence: &Sequence, from: usize) -> u64 {
        self.machine.begin_over(None);
        self.machine.surround(&self.stage.surroundings);
        self.machine.session().cheats.clone_from(&self.stage.cheats);
        let mut transactions = 0;
        for (index, tx) in sequence.iter().enumerate() {
            self.machine.wait(tx);
            transactions += 1;
            if !self.machine.transact(&TopCall::of(tx)).is_success() {
                self.machine.discard();
                continue;
            }
            self.machine.commit();
            if index >= from {
                transactions += self.evaluate();
            }
        }
        transactions
    }

    fn evaluate(&mut self) -> u64 {
        for data in &self.properties {
            self.machine.transact(&TopCall::ask(self.stage.test, data.clone()));
            self.machine.discard();
        }
        self.properties.len() as u64
    }
}
