//! The limit of any search: transactions with nothing around them. Benchmarks compare with it.

use super::{
    constants::CALLER,
    machine::{Machine, TopCall},
    session::Session,
    stage::Stage,
};
use crate::model::{PropertyKind, Sequence};
use alloy_primitives::{Bytes, U256};
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
            let block = &mut self.machine.vm.ctx.block;
            block.timestamp = block.timestamp.saturating_add(tx.warp);
            block.number = block.number.saturating_add(tx.roll);
            let data = tx.input.calldata();
            let call = TopCall { caller: tx.sender, to: Some(tx.target), value: tx.value, data };
            transactions += 1;
            if !self.machine.transact(&call).is_success() {
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
            let (to, data) = (Some(self.stage.test), data.clone());
            self.machine.transact(&TopCall { caller: CALLER, to, value: U256::ZERO, data });
            self.machine.discard();
        }
        self.properties.len() as u64
    }
}
