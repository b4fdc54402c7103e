//! Who calls a contract that is scanned.

use crate::{evm::constants::CALLER, model::Actor};
use alloy_primitives::{Address, Bytes, address, hex};

/// Deploys, and is trusted by what it deploys: an owner.
pub(crate) const DEPLOYER: Address = CALLER;

/// PUSH1 0, DUP1, REVERT.
const REJECT: [u8; 4] = hex!("600080fd");

/// GAS, PUSH1 0, SSTORE, STOP.
const SPEND: [u8; 5] = hex!("5a60005500");

/// All actors. Those with code are the attackers of sFuzz, Fig. 1: one rejects what it is sent, one uses more gas than a
/// `transfer` gives. Any of them calls back where that is wanted.
pub(crate) fn all() -> Vec<Actor> {
    let actor = |name, address, code| Actor { name, address, code: Bytes::from_static(code) };
    vec![
        actor("deployer", DEPLOYER, &[]),
        actor("alice", address!("0000000000000000000000000000000000010000"), &[]),
        actor("bob", address!("0000000000000000000000000000000000020000"), &[]),
        actor("stranger", address!("0000000000000000000000000000000000030000"), &[]),
        actor("rejecting", address!("0000000000000000000000000000000000040000"), &REJECT),
        actor("costly", address!("0000000000000000000000000000000000050000"), &SPEND),
    ]
}
