//! Facts about one transaction for the oracles, with places that are not yet resolved to sites.

use super::{holders::Holder, lengths::SeenLength};
use crate::{
    evm::base::place::CodePlace,
    model::{Origins, TaintedMessage},
};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Call made by a transaction.
#[derive(Clone, Debug)]
pub(crate) struct SeenCall {
    pub(crate) place: CodePlace,
    pub(crate) message: TaintedMessage,
    pub(crate) decided: Origins,
    /// Place of the instruction that read the block's data that the message or the decisions depend on.
    pub(crate) source: Option<CodePlace>,
    pub(crate) success: bool,
    pub(crate) out_of_gas: bool,
    pub(crate) reverted_at: Option<CodePlace>,
    pub(crate) is_checked: bool,
    /// True if a call around it failed.
    pub(crate) is_undone: bool,
    /// True if the caller wrote storage afterwards.
    pub(crate) is_followed: bool,
}

/// Conditional jump that depends on the block or `tx.origin`.
#[derive(Clone, Debug)]
pub(crate) struct SeenDecision {
    pub(crate) place: CodePlace,
    pub(crate) origins: Origins,
}

/// Arithmetic that wrapped, and whose result was used as a quantity.
#[derive(Clone, Debug)]
pub(crate) struct SeenWrap {
    pub(crate) place: CodePlace,
    /// True if the result went back to the slot that an operand came from.
    pub(crate) grows: bool,
    /// Sender of the transaction that computed it.
    pub(crate) by: Address,
}

/// Facts for oracles about one transaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct TaintFacts {
    pub(crate) calls: Vec<SeenCall>,
    pub(crate) decisions: Vec<SeenDecision>,
    pub(crate) wraps: Vec<SeenWrap>,
    /// Accounts in storage that the sender was found equal to.
    pub(crate) takeovers: Vec<Arc<Holder>>,
    /// Slot of one of them, into which the transaction then wrote another account.
    pub(crate) handed_on: Option<(Address, U256)>,
    pub(crate) lengths: Vec<SeenLength>,
    /// Origins of the last condition of the outermost frame.
    pub(crate) last_condition: Origins,
    pub(crate) wild_jumps: Vec<CodePlace>,
    pub(crate) destroyed: Vec<(CodePlace, Address)>,
    /// Place of the call that was answered by a reentrant call.
    pub(crate) reentered: Option<CodePlace>,
    /// True if the last conditional jump of the outermost frame depended on a failed call.
    pub(crate) is_passed_on: bool,
}

impl TaintFacts {
    /// Forgets what the code of accounts did for which `is_meant` is true.
    pub(crate) fn forget(&mut self, is_meant: impl Fn(Address) -> bool) {
        let is_other = |place: &CodePlace| !is_meant(place.address);
        self.calls.retain(|call| is_other(&call.place));
        self.decisions.retain(|decision| is_other(&decision.place));
        self.takeovers.retain(|holder| is_other(&holder.place));
        self.lengths.retain(|length| is_other(&length.place));
        self.destroyed.retain(|(place, _)| is_other(place));
        self.wraps.retain(|wrap| is_other(&wrap.place));
        self.wild_jumps.retain(is_other);
        self.reentered.take_if(|place| !is_other(place));
    }
}
