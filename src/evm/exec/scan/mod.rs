//! Scan of contracts without a test contract: the replacement for `setUp`, and the actors.
//!
//! The contract and its dependencies are created at fixed addresses of our choice, so that the constructor
//! can run again with other arguments. It is the first call of a sequence, and is fuzzed like any other
//! (sFuzz section 3.1, where inputs begin with the constructor's).

pub(crate) mod actors;
mod arguments;
mod copy;
mod creation;
mod deploy;
mod initialize;
mod matching;
mod payable;
mod proxy;
mod tokens;

pub(crate) use actors::answering;
pub(crate) use creation::{Rejected, Unmet};
pub(crate) use deploy::{Deployer, ETHER, Undeployable, scanned};
pub(crate) use initialize::initialize;
pub(crate) use matching::{is_plain_address, means, suggests};
pub(crate) use payable::can_pay;
pub(crate) use proxy::{ADMIN_SLOTS, Accounts, constants_with_code, implementation, is_minimal};
pub(crate) use tokens::{TokenHolder, is_of_token, is_token};

use crate::model::Scene;
use alloy_json_abi::Function;
use alloy_primitives::{Address, Bytes};
use revm::bytecode::{Bytecode, opcode as op};
use std::sync::Arc;

/// Data needed to create the scanned contract again.
#[derive(Clone, Debug)]
pub(crate) struct ScanRule {
    /// Creation code, without arguments.
    pub(crate) init_code: Bytes,
    pub(crate) scene: Scene,
    /// `balanceOf(address)`, if the contract has it.
    pub(crate) balance_of: Option<Function>,
    /// Actors that may answer a call with a reentrant call.
    pub(crate) reentrants: Arc<[Address]>,
}

/// Tells whether code reads the time or the number of the block.
pub(crate) fn reads_time(code: &[u8]) -> bool {
    let code = Bytecode::new_legacy(Bytes::copy_from_slice(code));
    code.iter_opcodes().any(|at| matches!(at, op::TIMESTAMP | op::NUMBER))
}
