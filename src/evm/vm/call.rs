//! Top-level call and its result.

use crate::{
    evm::base::{constants::CALLER, heartbeat::Running},
    model::{Gas, Reentry, Transaction},
};
use alloy_primitives::{Address, Bytes, Selector, U256};
use revm::{
    context_interface::cfg::gas::InitialAndFloorGas, handler::FrameResult, interpreter::InstructionResult,
    primitives::hardfork::SpecId,
};
use std::{sync::Arc, time::Duration};

/// Code that a top-level call runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// Code of an account.
    Account(Address),
    /// Call data as creation code.
    New,
    /// Call data as creation code of a contract at this address.
    NewAt(Address),
}

/// Top-level call.
#[derive(Clone, Debug)]
pub(crate) struct TopCall {
    /// `msg.sender` and `tx.origin`.
    pub(crate) caller: Address,
    pub(crate) to: Callee,
    /// Value in wei.
    pub(crate) value: U256,
    /// Calldata or creation code.
    pub(crate) data: Bytes,
    /// Reentrant call that a callee makes, if there is one.
    pub(crate) reentry: Option<Arc<Reentry>>,
    /// `tx.origin`, if it is not the caller.
    pub(crate) origin: Option<Address>,
}

impl TopCall {
    /// Creates a call without a callback, whose caller is `tx.origin`, too.
    pub(crate) fn plain(caller: Address, to: Callee, value: U256, data: Bytes) -> Self {
        Self { caller, to, value, data, reentry: None, origin: None }
    }

    /// Creates a call without value from `CALLER`, as for properties and getters.
    pub(crate) fn ask(to: Address, data: Bytes) -> Self {
        Self::plain(CALLER, Callee::Account(to), U256::ZERO, data)
    }

    /// Returns the data that the watchdog sees while the call runs.
    pub(super) fn running(&self, limit: Option<Duration>) -> Running {
        let (callee, selector) = match self.to {
            Callee::Account(address) => (Some(address), self.data.get(..4).map(Selector::from_slice)),
            Callee::New | Callee::NewAt(_) => (None, None),
        };
        Running::new(callee, selector, limit)
    }

    /// Creates the call of a transaction, after its delay has passed (`Evm::wait`).
    pub(crate) fn of(tx: &Transaction) -> Self {
        let call = Self::plain(tx.sender, Callee::Account(tx.target), tx.value, tx.input.calldata());
        Self { reentry: tx.reentry.clone(), ..call }
    }
}

/// Result of a top-level call.
#[derive(Clone, Debug)]
pub(crate) struct CallOutput {
    /// revm's result code.
    pub(crate) result: InstructionResult,
    /// Return data, revert data or deployed code.
    pub(crate) output: Bytes,
    /// Gas used, with the intrinsic gas.
    pub(crate) gas: Gas,
    /// Address of the deployed contract.
    pub(crate) created: Option<Address>,
    /// True if the call is invalid as a transaction, so that nothing ran.
    pub(crate) refused: bool,
}

impl CallOutput {
    pub(crate) fn is_success(&self) -> bool {
        self.result.is_ok()
    }

    /// Tells whether the call itself, not one below it, ran out of gas or memory.
    pub(crate) fn is_out_of_gas(&self) -> bool {
        use InstructionResult::{MemoryLimitOOG, MemoryOOG, OutOfGas, ReentrancySentryOOG};
        // SSTORE has an error of its own if less gas than the call stipend is left (EIP-2200).
        matches!(self.result, OutOfGas | MemoryOOG | MemoryLimitOOG | ReentrancySentryOOG)
    }
}

/// Tells whether a call that used this gas is far enough below its gas limit not to depend on it: the EVM keeps back a
/// 64th of the gas at each call level.
pub(crate) fn is_far_below(used: u64, gas_limit: u64) -> bool {
    used.saturating_mul(8) < gas_limit
}

/// Returns the result of a top-level call from that of its outermost frame.
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
