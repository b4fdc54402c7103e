//! The limit of any search: transactions with nothing around them. Benchmarks compare with it.

use super::test_env::TestEnv;
use crate::evm::vm::{
    evm::{Evm, TopCall},
    inspector::CallInspector,
};
use crate::model::Transaction;
use alloy_primitives::Bytes;
use std::sync::Arc;

/// Runs sequences by revm's own instructions, and records nothing.
pub struct BareExecutor {
    machine: Evm,
    stage: Arc<TestEnv>,
    /// Calldata of the properties.
    properties: Vec<Bytes>,
}

impl BareExecutor {
    /// A machine over the state that `stage` holds.
    #[must_use]
    pub fn new(stage: Arc<TestEnv>) -> Self {
        let selector = |selector: &[u8]| Bytes::copy_from_slice(selector);
        let properties = stage.properties.iter();
        let properties = properties.map(|property| selector(property.function.selector().as_slice()));
        Self {
            properties: properties.collect(),
            machine: Evm::bare(stage.world.clone(), &stage.env, CallInspector::new(stage.cheats.clone())),
            stage,
        }
    }

    /// Runs calls from the state after `setUp`, and after some of them properties: pairs of the call's index and the
    /// property's, in order. Returns how many transactions that took.
    pub fn run(&mut self, calls: &[Transaction], properties: impl Iterator<Item = (usize, usize)>) -> u64 {
        self.machine.begin_over(None);
        self.machine.surround(&self.stage.surroundings);
        self.machine.session().cheats.clone_from(&self.stage.cheats);
        let mut properties = properties.peekable();
        let mut transactions = 0;
        for (index, tx) in calls.iter().enumerate() {
            self.machine.wait(tx);
            transactions += 1;
            if self.machine.transact(&TopCall::of(tx)).is_success() {
                self.machine.commit();
            } else {
                self.machine.discard();
            }
            while let Some((_, property)) = properties.next_if(|(call, _)| *call == index) {
                transactions += 1;
                self.machine.transact(&TopCall::ask(self.stage.test, self.properties[property].clone()));
                self.machine.discard();
            }
        }
        transactions
    }
}
