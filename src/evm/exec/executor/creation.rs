//! Repeated creation of the scanned contract with other arguments, as the first call of a sequence.

use super::{EvmExecutor, oracle_facts};
use crate::{
    evm::vm::call::{CallOutput, Callee, TopCall},
    model::Transaction,
};
use alloy_primitives::U256;

/// Creates the contract again and replaces the existing one. Only the first call of a sequence may do that:
/// earlier calls would have acted on the replaced contract.
pub(super) fn create_again(executor: &mut EvmExecutor, tx: &Transaction, index: usize) -> CallOutput {
    let Some(scan) = executor.test_env.scan.clone().filter(|_| index == 0) else {
        return executor.evm.refuse();
    };
    let arguments = tx.input.calldata();
    let data = [&scan.init_code[..], arguments.get(4..).unwrap_or_default()].concat().into();
    executor.evm.vacate(tx.target);
    let to = Callee::NewAt(tx.target);
    executor.call(&TopCall::plain(tx.sender, to, tx.value, data))
}

/// Calls the initializers of the contract from its new creator, as the deployer did before.
pub(super) fn initialize_again(executor: &mut EvmExecutor, tx: &Transaction) {
    let Some(scan) = executor.test_env.scan.clone().filter(|_| tx.input.is_creation()) else { return };
    // The creator may be the owner, which is not an attacker and makes no reentrant calls.
    let others = scan.reentrants.iter().copied().filter(|account| *account != tx.sender).collect();
    executor.evm.inspector().reentrants = Some(others);
    let aside = oracle_facts::put_aside(executor);
    for initializer in &scan.scene.initializers {
        let to = Callee::Account(tx.target);
        let call = TopCall::plain(tx.sender, to, U256::ZERO, initializer.calldata.clone());
        if executor.call(&call).is_success() {
            executor.evm.commit();
        } else {
            executor.evm.discard();
        }
    }
    oracle_facts::take_up(executor, aside);
}

/// Restores the contract after its repeated creation failed.
pub(super) fn put_back(executor: &mut EvmExecutor, tx: &Transaction, index: usize) {
    if index == 0 && tx.input.is_creation() {
        executor.evm.begin_over(None);
    }
}
