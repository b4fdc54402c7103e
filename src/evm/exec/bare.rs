//! Executor without any recording, as a baseline for benchmarks: an upper bound for the speed of a search.

use super::test_env::TestEnv;
use crate::evm::vm::{call::TopCall, evm::Evm, inspector::CallInspector};
use crate::model::Transaction;
use alloy_primitives::Bytes;
use std::sync::Arc;

/// Executor that runs sequences with revm's own instructions and records nothing.
pub struct BareExecutor {
    evm: Evm,
    test_env: Arc<TestEnv>,
    /// Calldata of the properties.
    properties: Vec<Bytes>,
}

impl BareExecutor {
    /// Creates an executor on the state of `test_env`.
    #[must_use]
    pub fn new(test_env: Arc<TestEnv>) -> Self {
        let selector = |selector: &[u8]| Bytes::copy_from_slice(selector);
        let properties = test_env.suite.properties.iter();
        let properties = properties.map(|property| selector(property.function.selector().as_slice()));
        Self {
            properties: properties.collect(),
            evm: Evm::bare(
                test_env.start.base_state.clone(),
                &test_env.start.env,
                CallInspector::new(test_env.start.cheats.clone()),
            ),
            test_env,
        }
    }

    /// Runs calls on the state after `setUp`. After some calls it runs properties, given as pairs of the
    /// call's index and the property's, in order. Returns the number of transactions.
    pub fn run(&mut self, calls: &[Transaction], properties: impl Iterator<Item = (usize, usize)>) -> u64 {
        self.evm.begin_over(None);
        self.evm.surround(&self.test_env.start.block_context);
        self.evm.inspector().cheats.clone_from(&self.test_env.start.cheats);
        let mut properties = properties.peekable();
        let mut transactions = 0;
        for (index, tx) in calls.iter().enumerate() {
            self.evm.wait(tx);
            transactions += 1;
            if self.evm.transact(&TopCall::of(tx)).is_success() {
                self.evm.commit();
            } else {
                self.evm.discard();
            }
            while let Some((_, property)) = properties.next_if(|(call, _)| *call == index) {
                transactions += 1;
                self.evm.transact(&TopCall::ask(self.test_env.suite.test, self.properties[property].clone()));
                self.evm.discard();
            }
        }
        transactions
    }
}
