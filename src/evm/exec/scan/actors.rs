//! Actors that call a scanned contract.

use crate::{evm::base::constants::CALLER, model::Actor};
use alloy_primitives::{Address, Bytes, address, hex};

/// Deployer of the scanned contract, which it may trust as an owner.
pub(crate) const DEPLOYER: Address = CALLER;

/// STOP.
const ACCEPT: [u8; 1] = [0];

/// PUSH1 0, DUP1, REVERT.
const REJECT: [u8; 4] = hex!("600080fd");

/// PUSH1 1, PUSH1 0, SSTORE, STOP: uses more than the gas stipend of a `transfer`, even if the value does not
/// change (EIP-2200).
const SPEND: [u8; 6] = hex!("600160005500");

/// Returns all actors. Three are contracts: one accepts all payments, and two are the attackers of sFuzz,
/// Fig. 1. Of these, one rejects payments, and the other uses more gas than the stipend of a `transfer`.
/// Actors that accept payments may also make reentrant calls.
pub(crate) fn all() -> Vec<Actor> {
    let actor = |name, address, code| Actor { name, address, code: Bytes::from_static(code) };
    vec![
        actor("deployer", DEPLOYER, &[]),
        actor("alice", address!("0000000000000000000000000000000000010000"), &[]),
        actor("bob", address!("0000000000000000000000000000000000020000"), &[]),
        actor("wallet", address!("0000000000000000000000000000000000060000"), &ACCEPT),
        actor("stranger", address!("0000000000000000000000000000000000030000"), &[]),
        actor("rejecting", address!("0000000000000000000000000000000000040000"), &REJECT),
        actor("costly", address!("0000000000000000000000000000000000050000"), &SPEND),
    ]
}

/// Returns the actors that may answer a call with a reentrant call: they accept payments, and the contract
/// does not trust them.
pub(crate) fn reentrants() -> Vec<Address> {
    let accepts = |actor: &Actor| actor.code.is_empty() || *actor.code == ACCEPT[..];
    let reentrants = all().into_iter().filter(|actor| actor.address != DEPLOYER && accepts(actor));
    reentrants.map(|actor| actor.address).collect()
}
