//! Who calls a contract that is scanned.

use crate::{evm::base::constants::CALLER, model::Actor};
use alloy_primitives::{Address, Bytes, address, hex};

/// Deploys, and is trusted by what it deploys: an owner.
pub(crate) const DEPLOYER: Address = CALLER;

/// STOP.
const ACCEPT: [u8; 1] = [0];

/// PUSH1 0, DUP1, REVERT.
const REJECT: [u8; 4] = hex!("600080fd");

/// PUSH1 1, PUSH1 0, SSTORE, STOP: more than a `transfer` gives even where nothing changes (EIP-2200).
const SPEND: [u8; 6] = hex!("600160005500");

/// All actors. Three are contracts: one accepts whatever it is sent, and two are the attackers of sFuzz, Fig. 1, of which one
/// rejects it and the other uses more gas than a `transfer` gives. Those who accept call back where that is wanted.
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

/// Those who may answer a call by calling back: they take what they are sent, and no one trusts them.
pub(crate) fn reentrants() -> Vec<Address> {
    let accepts = |actor: &Actor| actor.code.is_empty() || *actor.code == ACCEPT[..];
    let reentrants = all().into_iter().filter(|actor| actor.address != DEPLOYER && accepts(actor));
    reentrants.map(|actor| actor.address).collect()
}
