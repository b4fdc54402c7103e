//! Actors that call a scanned contract.

use crate::{
    evm::{
        base::constants::{CALLER, CONSOLE_ADDRESS, CREATE2_DEPLOYER, VM_ADDRESS},
        exec::targets::callables,
        trace::cmplog::pushes,
    },
    model::{Actor, Target},
};
use alloy_json_abi::JsonAbi;
use alloy_primitives::{Address, Bytes, U256, address, hex};
use revm::bytecode::{Bytecode, opcode as op};
use std::{collections::BTreeSet, sync::Arc};

/// Deployer of the scanned contract, which it may trust as an owner.
pub(crate) const DEPLOYER: Address = CALLER;

/// Accepts every call. A call by the sender of the transaction stores its first argument in the slot
/// [`Scene::ANSWER`](crate::model::Scene::ANSWER). Other callers get the stored word plus one, so that at first the
/// answer is yes.
const ACCEPT: [u8; 28] = hex!("33321460145760ff5460010160005260206000f35b60043560ff5500");

/// PUSH1 0, DUP1, REVERT.
const REJECT: [u8; 4] = hex!("600080fd");

/// PUSH1 1, PUSH1 0, SSTORE, STOP: uses more than the gas stipend of a `transfer`, even if the value does not
/// change (EIP-2200).
const SPEND: [u8; 6] = hex!("600160005500");

/// Code of an account that the scanned contract names: it rejects all calls in every fourth block, which depends on
/// its address, and answers yes in the others.
const MOODY: [u8; 24] = hex!("433018600316600d57600080fd5b600160005260206000f3");

/// Actor that is a contract and accepts payments.
const WALLET: Address = address!("0000000000000000000000000000000000060000");

/// Maximum number of accounts that are taken from the code.
const MOST_NAMED: usize = 4;

/// Returns the constants of code that look like addresses, in order.
pub(super) fn constants(code: &[u8]) -> Vec<Address> {
    let is_address = |word: &U256| {
        let bytes = word.to_be_bytes::<32>();
        let is_text = bytes[12..].iter().all(|byte| *byte == 0 || byte.is_ascii_graphic() || *byte == b' ');
        // A mask has long runs of ones.
        let is_mask = bytes.iter().filter(|byte| **byte == 0xff).count() >= 8;
        (150..=160).contains(&word.bit_len()) && !is_mask && !is_text
    };
    let words: BTreeSet<U256> = pushes(code).filter(is_address).collect();
    words.into_iter().map(|word| Address::from_word(word.into())).collect()
}

/// Returns the accounts that creation code names.
pub(crate) fn named(init_code: &[u8]) -> Vec<Actor> {
    let known = [VM_ADDRESS, CONSOLE_ADDRESS, CREATE2_DEPLOYER, DEPLOYER];
    let accounts = constants(init_code).into_iter();
    let accounts = accounts.filter(|account| !known.contains(account)).take(MOST_NAMED);
    accounts.map(|address| Actor { name: "named", address, code: Bytes::from_static(&MOODY) }).collect()
}

/// Returns all actors that every scan has. Three are contracts: one accepts all payments, and two are the
/// attackers of sFuzz, Fig. 1. Of these, one rejects payments, and the other uses more gas than the stipend of
/// a `transfer`. Actors that accept payments may also make reentrant calls.
pub(crate) fn all() -> Vec<Actor> {
    let actor = |name, address, code| Actor { name, address, code: Bytes::from_static(code) };
    vec![
        actor("deployer", DEPLOYER, &[]),
        actor("alice", address!("0000000000000000000000000000000000010000"), &[]),
        actor("bob", address!("0000000000000000000000000000000000020000"), &[]),
        actor("wallet", WALLET, &ACCEPT),
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

/// Returns the wallet as a target whose only function says what it answers, if the code of a contract asks other
/// contracts for something: if it looks for their code, or at what they return.
pub(crate) fn answering(code: &[u8]) -> Option<Target> {
    let code = Bytecode::new_legacy(Bytes::copy_from_slice(code));
    code.iter_opcodes().any(|at| matches!(at, op::EXTCODESIZE | op::RETURNDATASIZE)).then(|| {
        let abi = JsonAbi::parse(["function answer(uint256 word)"]).expect("a signature");
        let (functions, views) = callables(&abi);
        Target { address: WALLET, identifier: "wallet".to_owned(), functions, views, abi: Arc::new(abi) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_in_code_are_told_from_masks_and_amounts() {
        let account = address!("9797055B68C5DadDE6b3c7d5D80C9CFE2eecE6c9");
        let code = |word: &str| hex::decode(format!("73{word}50670de0b6b3a764000050")).expect("digits");
        let found: Vec<_> = named(&code("9797055B68C5DadDE6b3c7d5D80C9CFE2eecE6c9"))
            .into_iter()
            .map(|actor| actor.address)
            .collect();
        assert_eq!(found, [account]);
        assert!(named(&code("ffffffffffffffffffffffffffffffffffffffff")).is_empty());
        assert!(named(&code("7109709ECfa91a80626fF3989D68f67F5b1DD12D")).is_empty(), "the cheatcodes");
    }
}
