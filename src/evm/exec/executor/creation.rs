//! The contract that is scanned, created again with other arguments: the first call of some sequences.

use super::{EvmExecutor, oracle_facts};
use crate::{
    evm::vm::call::{CallOutput, Callee, TopCall},
    model::Transaction,
};
use alloy_primitives::U256;

/// Creates the contract in the place of the one that stands there. Only the first call of a sequence may do that: what
/// others did until then was done to another contract.
pub(super) fn create_again(executor: &mut EvmExecutor, tx: &Transaction, index: usize) -> CallOutput {
    let Some(scan) = executor.test_env.scan.clone().filter(|_| index == 0) else {
        return executor.evm.refuse();
    };
    let arguments = tx.input.calldata();
    let data = [&scan.init_code[..], arguments.get(4..).unwrap_or_default()].concat().into();
    executor.evm.vacate(tx.target);
    let to = Callee::NewAt(tx.target);
    executor.call(&TopCall { caller: tx.sender, to, value: tx.value, data, reentry: None })
}

/// Whoever created it calls what initialises it, as the deployer did before.
pub(super) fn initialize_again(executor: &mut EvmExecutor, tx: &Transaction) {
    let Some(scan) = executor.test_env.scan.clone().filter(|_| tx.input.is_creation()) else { return };
    // An owner is no attacker, and calls nobody back.
    let others = scan.reentrants.iter().copied().filter(|account| *account != tx.sender).collect();
    executor.evm.inspector().reentrants = Some(others);
    let aside = oracle_facts::put_aside(executor);
    for data in &scan.scene.initializers {
        let to = Callee::Account(tx.target);
        let call = TopCall { caller: tx.sender, to, value: U256::ZERO, data: data.clone(), reentry: None };
        if executor.call(&call).is_success() {
            executor.evm.commit();
        } else {
            executor.evm.discard();
        }
    }
    oracle_facts::take_up(executor, aside);
}

/// Puts the contract back that stood there before it could not be created again.
pub(super) fn put_back(executor: &mut EvmExecutor, tx: &Transaction, index: usize) {
    if index == 0 && tx.input.is_creation() {
        executor.evm.begin_over(None);
    }
}
