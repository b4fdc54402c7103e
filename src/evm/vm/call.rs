//! A top-level call, and its result.

use crate::{
    evm::{
        base::{
            constants::{CALLER, SKIP_MAGIC},
            heartbeat::Running,
        },
        trace::decode::cut,
    },
    model::{Gas, Reentry, Transaction},
};
use alloy_primitives::{Address, Bytes, Selector, U256};
use revm::{
    context_interface::cfg::gas::InitialAndFloorGas, handler::FrameResult, interpreter::InstructionResult,
    primitives::hardfork::SpecId,
};
use std::{sync::Arc, time::Duration};

/// What a top-level call runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// The code of an account.
    Account(Address),
    /// The data, as creation code.
    New,
    /// The same, whose account is this one.
    NewAt(Address),
}

/// A top-level call.
#[derive(Clone, Debug)]
pub(crate) struct TopCall {
    /// `msg.sender` and `tx.origin`.
    pub(crate) caller: Address,
    pub(crate) to: Callee,
    /// Wei.
    pub(crate) value: U256,
    /// Calldata or creation code.
    pub(crate) data: Bytes,
    /// A call that is answered by calling back.
    pub(crate) reentry: Option<Arc<Reentry>>,
}

impl TopCall {
    /// A call without wei from `CALLER`, as properties and getters are asked.
    pub(crate) fn ask(to: Address, data: Bytes) -> Self {
        Self { caller: CALLER, to: Callee::Account(to), value: U256::ZERO, data, reentry: None }
    }

    /// Returns what the watchdog sees of the call while it runs.
    pub(super) fn running(&self, limit: Option<Duration>) -> Running {
        let (callee, selector) = match self.to {
            Callee::Account(address) => (Some(address), self.data.get(..4).map(Selector::from_slice)),
            Callee::New | Callee::NewAt(_) => (None, None),
        };
        Running::new(callee, selector, limit)
    }

    /// The call that a transaction makes, once its time has passed ([`Evm::wait`]).
    pub(crate) fn of(tx: &Transaction) -> Self {
        Self {
            caller: tx.sender,
            to: Callee::Account(tx.target),
            value: tx.value,
            data: tx.input.calldata(),
            reentry: tx.reentry.clone(),
        }
    }
}

/// How a top-level call ended.
#[derive(Clone, Debug)]
pub(crate) struct CallOutput {
    /// revm's reason.
    pub(crate) result: InstructionResult,
    /// Return data, revert data or deployed code.
    pub(crate) output: Bytes,
    /// Gas used.
    pub(crate) gas: Gas,
    /// The address deployed.
    pub(crate) created: Option<Address>,
    /// Whether it may not be a transaction at all, so that nothing ran.
    pub(crate) refused: bool,
}

impl CallOutput {
    pub(crate) fn is_success(&self) -> bool {
        self.result.is_ok()
    }

    /// The reason of `vm.skip(true)`, when that is what ended the call.
    pub(crate) fn skip_reason(&self) -> Option<Option<String>> {
        let reason = self.output.strip_prefix(SKIP_MAGIC).filter(|_| !self.is_success())?;
        Some((!reason.is_empty()).then(|| cut(String::from_utf8_lossy(reason).into_owned())))
    }

    /// Whether the call itself, not one below it, ran until its gas or memory was spent.
    pub(crate) fn is_out_of_gas(&self) -> bool {
        use InstructionResult::{MemoryLimitOOG, MemoryOOG, OutOfGas, ReentrancySentryOOG};
        // SSTORE halts in its own way below the call stipend (EIP-2200).
        matches!(self.result, OutOfGas | MemoryOOG | MemoryLimitOOG | ReentrancySentryOOG)
    }
}

/// Returns the result of a top-level call whose outermost frame ended.
pub(super) fn output(
    result: FrameResult,
    gas_limit: u64,
    initial: &InitialAndFloorGas,
    spec: SpecId,
) -> CallOutput {
    let created = match &result {
        FrameResult::Create(outcome) => outcome.address,
        FrameResult::Call(_) => None,
    };
    let interpreter = result.interpreter_result();
    let remaining = if interpreter.result.is_ok_or_revert() { interpreter.gas.remaining() } else { 0 };
    let stipend = initial.initial_regular_gas;
    let spent = gas_limit.saturating_sub(remaining) + stipend;
    let refunded = if interpreter.result.is_ok() { interpreter.gas.refunded().max(0) as u64 } else { 0 };
    let most_refunded = spent / if spec.is_enabled_in(SpecId::LONDON) { 5 } else { 2 };
    let used = (spent - refunded.min(most_refunded)).max(initial.floor_gas);
    CallOutput {
        result: interpreter.result,
        output: interpreter.output.clone(),
        gas: Gas { used, stipend },
        created,
        refused: false,
    }
}
