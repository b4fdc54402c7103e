//! Contracts without a test contract: what is put in place of `setUp`, and who calls.
//!
//! The contract, and what its constructor's parameters ask for, are created at addresses of our choice, so that the
//! constructor can be run again with other arguments: that is the first call of a sequence, and fuzzed like any other
//! (sFuzz section 3.1, whose inputs begin with the constructor's).

pub(crate) mod actors;
mod arguments;
mod deploy;
mod payable;

pub(crate) use deploy::{Deployer, Undeployable, initialize};
pub(crate) use payable::can_pay;

use crate::model::Scene;
use alloy_json_abi::Function;
use alloy_primitives::{Address, Bytes};
use std::sync::Arc;

/// How the contract that is scanned is created again.
#[derive(Clone, Debug)]
pub(crate) struct ScanRule {
    /// Its creation code, without arguments.
    pub(crate) init_code: Bytes,
    pub(crate) scene: Scene,
    /// `balanceOf(address)`, if the contract has it.
    pub(crate) balance_of: Option<Function>,
    /// Who may answer a call by calling back.
    pub(crate) reentrants: Arc<[Address]>,
    /// Whether data is followed through transactions.
    pub(crate) is_audited: bool,
}
