//! Seed dictionary from deployed code and the test contract: PUSH constants, addresses, fixtures.

use super::{executor::EvmExecutor, test_env::TestEnv};
use crate::{
    evm::{state::fork::Chain, trace::cmplog::pushes, vm::call::TopCall},
    model::ChainAccount,
    project::{Literals, WordKind},
};
use alloy_dyn_abi::{DynSolValue, FunctionExt, JsonAbiExt};
use alloy_json_abi::Function;
use alloy_primitives::{Address, Bytes, I256, U256};
use std::collections::BTreeSet;

/// Maximum number of values read from a fixture array.
const MAX_FIXTURE_ROWS: u64 = 1024;

/// Returns the constants pushed by the code of all contracts that exist after `setUp`, sorted. Of a forked chain, these
/// are the scanned ones.
#[must_use]
pub fn push_constants(test_env: &TestEnv) -> Vec<U256> {
    let mut constants = BTreeSet::new();
    for account in test_env.start.base_state.accounts.values() {
        if let Some(code) = &account.info.code {
            constants.extend(pushes(code.original_byte_slice()));
        }
    }
    for (chain, account) in scanned_on_chain(test_env) {
        let code = chain.info(account.code_at()).and_then(|info| info.code.as_ref());
        constants.extend(code.into_iter().flat_map(|code| pushes(code.original_byte_slice())));
    }
    constants.into_iter().collect()
}

/// Returns the literals of the sources as values of the types for which they stand.
#[must_use]
pub fn literals(literals: &Literals) -> Vec<DynSolValue> {
    let words = literals.words.iter().map(|(kind, word)| match kind {
        WordKind::Uint => DynSolValue::Uint(*word, 256),
        WordKind::Int => DynSolValue::Int(I256::from_raw(*word), 256),
        WordKind::Address => DynSolValue::Address(Address::from_word((*word).into())),
        WordKind::FixedBytes => DynSolValue::FixedBytes((*word).into(), 32),
    });
    let strings = literals.strings.iter().map(|text| DynSolValue::String(text.clone()));
    let bytes = literals.bytes.iter().map(|bytes| DynSolValue::Bytes(bytes.to_vec()));
    words.chain(strings).chain(bytes).collect()
}

/// Returns the words in the storage of all contracts after `setUp`, sorted. Of a forked chain, these are those
/// that getters of the scanned contract read.
#[must_use]
pub fn stored_words(test_env: &TestEnv) -> Vec<U256> {
    let words =
        test_env.start.base_state.accounts.values().flat_map(|account| account.storage.values().copied());
    let read = test_env.scene().into_iter().flat_map(|scene| &scene.prepared.words).copied();
    words.chain(read).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the chain with each scanned contract on it.
fn scanned_on_chain(test_env: &TestEnv) -> impl Iterator<Item = (&Chain, ChainAccount)> {
    let scene = test_env.scene().zip(test_env.start.base_state.fork.as_deref());
    scene.into_iter().flat_map(|(scene, chain)| scene.on_chain().map(move |account| (chain, account)))
}

/// Returns all accounts that exist after `setUp`, sorted.
#[must_use]
pub fn accounts(test_env: &TestEnv) -> Vec<Address> {
    if let Some(scene) = test_env.scene() {
        // Accounts that only tests know are irrelevant for a scan.
        let actors = scene.actors.iter().map(|actor| actor.address);
        let built = scene.dependencies.iter().chain([&scene.contract]).map(|built| built.address);
        return actors.chain(built).collect::<BTreeSet<_>>().into_iter().collect();
    }
    test_env.start.base_state.accounts.keys().copied().collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the values of a fixture: a function that returns an array, or the getter of a public array,
/// which is read by index until it reverts. Returns `None` for any other function.
pub fn fixture(executor: &mut EvmExecutor, function: &Function) -> Option<Vec<DynSolValue>> {
    executor.reset();
    match &function.inputs[..] {
        [] => match <[_; 1]>::try_from(ask(executor, function, &[])?) {
            Ok([DynSolValue::Array(values) | DynSolValue::FixedArray(values)]) => Some(values),
            _ => None,
        },
        [index] if index.ty == "uint256" => {
            let indices = (0..MAX_FIXTURE_ROWS).map(|row| DynSolValue::Uint(U256::from(row), 256));
            let value = |index| <[_; 1]>::try_from(ask(executor, function, &[index])?).ok();
            Some(indices.map_while(value).flatten().collect())
        }
        _ => None,
    }
}

/// Calls a function of the test contract and discards the changes; `None` if it reverts.
fn ask(executor: &mut EvmExecutor, function: &Function, args: &[DynSolValue]) -> Option<Vec<DynSolValue>> {
    let data = Bytes::from(function.abi_encode_input(args).ok()?);
    let call = TopCall::ask(executor.test(), data);
    let output = executor.throw_away(&call);
    output.is_success().then(|| function.abi_decode_output(&output.output).ok())?
}
