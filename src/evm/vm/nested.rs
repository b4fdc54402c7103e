//! Complete transactions inside a call of a test: signed ones, and ones from the history of a forked chain.
//! Each runs in an EVM of its own over the current accounts, with all checks of the protocol.

use super::inspector::CallInspector;
use crate::evm::{
    Ctx, InnerEvm,
    base::limits::Limits,
    cheats::{
        Cheats,
        nested::{NestedEffects, NestedResult, TransactionEnv},
    },
    state::fork::ForkView,
    vm::{instructions, recorder::TraceRecorder},
};
use alloy_primitives::hex;
use revm::{
    Context, Journal,
    context::{
        TxEnv,
        result::{EVMError, ExecutionResult},
    },
    context_interface::JournalTr as _,
    handler::{EthFrame, EthPrecompiles, MainnetHandler},
    inspector::InspectorHandler as _,
    interpreter::interpreter::EthInterpreter,
};
use std::convert::Infallible;

/// Runs a transaction over the accounts of `view`, within the limits of the call in which it runs. The caller
/// decides whether to keep its changes.
pub(crate) fn run(
    view: &ForkView,
    around: &TransactionEnv,
    limits: &Limits,
    cheats: &mut Cheats,
    tx: TxEnv,
) -> (NestedResult, NestedEffects) {
    let spec = around.cfg.spec;
    let context: Ctx = Context {
        block: around.block.clone(),
        tx,
        cfg: around.cfg.clone(),
        journaled_state: Journal::new(view.database()),
        chain: TraceRecorder::new(limits.clone()),
        local: Default::default(),
        error: Ok(()),
    };
    let mut vm: InnerEvm = InnerEvm::new_with_inspector(
        context,
        CallInspector::new(cheats.clone()),
        instructions::recording(spec),
        EthPrecompiles::new(spec),
    );
    vm.inspector.cheats.enter_transaction(&mut vm.ctx);
    let mut handler = MainnetHandler::<InnerEvm, EVMError<Infallible>, EthFrame<EthInterpreter>>::default();
    let result = handler.inspect_run(&mut vm);
    vm.inspector.cheats.leave_transaction(&mut vm.ctx);
    cheats.after_transaction(vm.inspector.cheats.clone());
    let changes = vm.ctx.journaled_state.finalize();
    let ended = match result {
        Ok(ExecutionResult::Success { output, .. }) => NestedResult::Success(output.into_data()),
        Ok(ExecutionResult::Revert { output, .. }) => {
            NestedResult::Failed(format!("transaction reverted: {}", hex::encode_prefixed(output)))
        }
        Ok(ExecutionResult::Halt { reason, .. }) => {
            NestedResult::Failed(format!("transaction halted: {reason:?}"))
        }
        Err(error) => NestedResult::Invalid(error.to_string()),
    };
    (ended, NestedEffects { changes, block: vm.ctx.block.clone(), excess: vm.ctx.chain.limits.excess })
}
