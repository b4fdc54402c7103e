//! Contract with the hashes of the last blocks (EIP-2935), which Forge 1.8 deploys in tests.
//!
//! The hash of a block is stored when somebody asks the contract for it. Thus the contract follows the block number,
//! whoever changes it.

use crate::evm::{
    Ctx,
    state::layers::{info, stored},
};
use alloy_eips::eip2935::{HISTORY_SERVE_WINDOW, HISTORY_STORAGE_ADDRESS, HISTORY_STORAGE_CODE};
use alloy_primitives::{Address, Bytes, U256, uint};
use revm::{Database as _, interpreter::CallInputs};
use std::collections::BTreeSet;

/// Number of blocks whose hashes the contract has, and number of its slots.
const WINDOW: U256 = uint!(8191_U256);
const _: () = assert!(HISTORY_SERVE_WINDOW == 8191);

/// Hashes that were stored because somebody asked for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockHistory {
    /// True if the contract follows the block.
    pub(super) is_deployed: bool,
    /// Slots and values. Other values were stored by the test, and stay.
    written: BTreeSet<(U256, U256)>,
}

/// Returns the number of the block whose hash a slot has, while the block with the number `current` runs.
fn block_in(slot: U256, current: U256) -> Option<U256> {
    let last = current.checked_sub(U256::ONE)?;
    let since = last.checked_sub(slot).filter(|_| slot < WINDOW)?;
    Some(last - since % WINDOW)
}

/// Returns the address and the code of the contract.
pub(crate) fn contract() -> (Address, Bytes) {
    (HISTORY_STORAGE_ADDRESS, HISTORY_STORAGE_CODE.clone())
}

/// Prepares the contract for a call.
pub(super) fn on_call(ctx: &mut Ctx, inputs: &CallInputs) {
    if inputs.target_address == HISTORY_STORAGE_ADDRESS
        && let Ok(number) = <[u8; 32]>::try_from(&inputs.input.bytes(ctx)[..])
    {
        fill(ctx, U256::from_be_bytes(number) % WINDOW);
    }
}

/// Prepares an account for a load of a slot by a cheatcode.
pub(super) fn on_load(ctx: &mut Ctx, address: Address, slot: U256) {
    if address == HISTORY_STORAGE_ADDRESS {
        fill(ctx, slot);
    }
}

/// Stores the hash that belongs into a slot of the contract, unless the test has stored something else there, or has
/// replaced the contract.
fn fill(ctx: &mut Ctx, slot: U256) {
    let is_ours = ctx.chain.watch.history.is_deployed && ctx.chain.watch.fork.is_none();
    let code = info(ctx, HISTORY_STORAGE_ADDRESS).and_then(|info| info.code.as_ref());
    if !is_ours || code.is_none_or(|code| code.original_byte_slice() != &HISTORY_STORAGE_CODE[..]) {
        return;
    }
    let before = stored(ctx, HISTORY_STORAGE_ADDRESS, slot);
    if !before.is_zero() && !ctx.chain.watch.history.written.contains(&(slot, before)) {
        return;
    }
    let number = block_in(slot, ctx.block.number).and_then(|number| u64::try_from(number).ok());
    let Some(number) = number else { return };
    let given = ctx.chain.watch.block_hashes.get(&number).copied();
    let Ok(hash) = given.map_or_else(|| ctx.journaled_state.database.block_hash(number), Ok);
    let hash = U256::from_be_bytes(hash.0);
    ctx.chain.watch.history.written.insert((slot, hash));
    store_cold(ctx, slot, hash);
}

/// Stores a word in the contract. Accounts and slots that were cold stay cold.
fn store_cold(ctx: &mut Ctx, slot: U256, word: U256) {
    let journal = &mut ctx.journaled_state;
    let number = journal.inner.transaction_id;
    let account = journal.inner.state.get(&HISTORY_STORAGE_ADDRESS);
    let is_cold = account.is_none_or(|account| account.is_cold_transaction_id(number));
    let loaded = account.and_then(|account| account.storage.get(&slot));
    let is_slot_cold = loaded.is_none_or(|slot| slot.is_cold_transaction_id(number));
    let Ok(_) = journal.inner.load_account(&mut journal.database, HISTORY_STORAGE_ADDRESS);
    journal.inner.touch(HISTORY_STORAGE_ADDRESS);
    let stored = journal.inner.sstore(&mut journal.database, HISTORY_STORAGE_ADDRESS, slot, word, false);
    debug_assert!(stored.is_ok(), "the base state cannot fail and cold loads are not skipped");
    let Some(account) = journal.inner.state.get_mut(&HISTORY_STORAGE_ADDRESS) else { return };
    if is_cold {
        account.mark_cold();
    }
    if let Some(slot) = account.storage.get_mut(&slot).filter(|_| is_slot_cold) {
        slot.mark_cold();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{Lab, Program, Vm};
    use alloy_primitives::{B256, keccak256};

    /// Contract that follows the block.
    fn lab() -> Lab {
        let mut lab = Lab::new();
        let (address, code) = contract();
        lab.put(address, &code);
        lab.cheats().recording.watch.history.is_deployed = true;
        lab
    }

    fn roll(number: u64) -> Program {
        Program::new().vm(&Vm::rollCall { number: U256::from(number) })
    }

    fn ask(program: Program, number: u64) -> Program {
        program.must(HISTORY_STORAGE_ADDRESS, U256::from(number).to_be_bytes::<32>()).give()
    }

    #[test]
    fn the_contract_follows_the_block_and_given_hashes() {
        let mut lab = lab();
        let hash = |number: u64| keccak256(number.to_string());
        assert_eq!(lab.run(&ask(roll(5), 4)).output[..], hash(4)[..]);
        assert_eq!(lab.run(&ask(roll(4 + 8191 + 1), 4 + 8191)).output[..], hash(4 + 8191)[..]);
        assert!(!lab.run(&ask(Program::new(), 4)).is_success());
        let given = B256::repeat_byte(7);
        let set = Vm::setBlockhashCall { number: U256::from(8000), hash: given };
        assert_eq!(lab.run(&ask(Program::new().vm(&set), 8000)).output[..], given[..]);
    }

    #[test]
    fn words_and_code_of_the_test_stay() {
        let mut lab = lab();
        let (target, slot, value) = (HISTORY_STORAGE_ADDRESS, B256::with_last_byte(3), B256::repeat_byte(9));
        let kept = lab.run(&ask(roll(9).vm(&Vm::storeCall { target, slot, value }), 3));
        assert_eq!(kept.output[..], value[..]);
        let slot = B256::with_last_byte(4);
        let load = Vm::loadCall { target, slot };
        assert_eq!(lab.run(&Program::new().vm(&load).give()).output[..], keccak256("4")[..]);
        let slot = B256::with_last_byte(5);
        let etch = Vm::etchCall { target, code: Bytes::from_static(&[0]) };
        let output = lab.run(&Program::new().vm(&etch).vm(&Vm::loadCall { target, slot }).give()).output;
        assert_eq!(output[..], [0; 32]);
    }

    #[test]
    fn a_slot_has_the_hash_of_the_newest_block_before_the_current_one() {
        let block = |slot: u64, current: u64| {
            block_in(U256::from(slot), U256::from(current)).map(|number| number.to::<u64>())
        };
        assert_eq!(block(0, 0), None);
        assert_eq!(block(0, 1), Some(0));
        assert_eq!(block(1, 1), None);
        assert_eq!(block(8190, 8191), Some(8190));
        assert_eq!(block(0, 8191), Some(0));
        assert_eq!(block(0, 8192), Some(8191));
        assert_eq!(block(1, 8192), Some(1));
        assert_eq!(block(8191, 20000), None);
    }
}
