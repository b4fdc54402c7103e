//! Balances, code, storage and nonces.

use super::{
    arbitrary_storage::before_load,
    block_history,
    dispatch::{CheatResult, Cheatcode, Cx, done, ensure},
    undo::StateChange,
    vm::Vm,
};
use alloy_primitives::{Address, B256, U256};
use revm::{
    bytecode::Bytecode,
    state::{Account, AccountStatus},
};
use std::collections::BTreeSet;

impl Cx<'_> {
    /// Loads the account and reads a storage word.
    pub(super) fn load(&mut self, address: Address, slot: U256) -> U256 {
        let journal = &mut self.ctx.journaled_state;
        match journal.inner.sload(&mut journal.database, address, slot, false) {
            Ok(value) => value.data,
            Err(_) => unreachable!("the base state cannot fail and cold loads are not skipped"),
        }
    }

    /// Loads the account and writes a storage word; a revert undoes it.
    pub(super) fn store(&mut self, address: Address, slot: U256, value: U256) {
        self.account(address);
        let journal = &mut self.ctx.journaled_state;
        let stored = journal.inner.sstore(&mut journal.database, address, slot, value, false);
        assert!(stored.is_ok(), "the base state cannot fail and cold loads are not skipped");
    }

    /// Returns the account if it has been loaded.
    fn known(&mut self, address: Address) -> Option<&mut Account> {
        self.ctx.journaled_state.inner.state.get_mut(&address)
    }

    /// Returns the slots of an account that transactions since `setUp` touched.
    pub(super) fn touched(&mut self, address: Address) -> BTreeSet<U256> {
        self.note_calls();
        self.account(address).storage.keys().copied().collect()
    }

    /// Sets a balance; only a revert of the whole transaction undoes it.
    pub(super) fn deal(&mut self, address: Address, balance: U256) {
        let account = self.account(address);
        let added = balance.wrapping_sub(account.info.balance);
        account.info.balance = balance;
        self.cheats.transaction.undo.note(1, address, StateChange::Balance(added));
    }

    /// Sets a nonce; no revert undoes it.
    pub(super) fn set_nonce(&mut self, address: Address, nonce: u64) {
        let account = self.account(address);
        let added = nonce.wrapping_sub(account.info.nonce);
        account.info.nonce = nonce;
        self.cheats.transaction.undo.note(0, address, StateChange::Nonce(added));
    }

    /// Sets runtime code; the calling frame's revert undoes it.
    pub(super) fn set_code(&mut self, address: Address, code: Bytecode) {
        let depth = self.depth();
        let Account { info, status, .. } = self.account(address);
        let change = StateChange::Code(info.code.take(), info.code_hash, *status);
        info.code_hash = code.hash_slow();
        info.code = Some(code);
        self.cheats.transaction.undo.note(depth, address, change);
    }

    /// Sets the flags of a destroyed account to those of `like`; the calling frame's revert undoes it.
    pub(super) fn set_destroyed(&mut self, address: Address, like: AccountStatus) {
        const DESTROYED: AccountStatus =
            AccountStatus::SelfDestructed.union(AccountStatus::SelfDestructedLocal);
        let depth = self.depth();
        let status = &mut self.account(address).status;
        let before = *status;
        *status = (before - DESTROYED) | (like & DESTROYED);
        if *status != before {
            self.cheats.transaction.undo.note(depth, address, StateChange::Status(before));
        }
    }
}

impl Cheatcode for Vm::dealCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.deal(self.account, self.balance);
        done()
    }
}

impl Cheatcode for Vm::etchCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.not_precompile(self.target)?;
        let code = Bytecode::new_raw_checked(self.code);
        let code = code.map_err(|error| format!("failed to create bytecode: {error}"))?;
        cx.set_code(self.target, code);
        done()
    }
}

impl Cheatcode for Vm::storeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.not_precompile(self.target)?;
        if let Some(arbitrary) = &mut cx.ctx.chain.watch.arbitrary {
            arbitrary.keep(self.target, self.slot.into());
        }
        cx.store(self.target, self.slot.into(), self.value.into());
        done()
    }
}

impl Cheatcode for Vm::loadCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        before_load(cx.ctx, self.target, self.slot.into());
        block_history::on_load(cx.ctx, self.target, self.slot.into());
        Ok(B256::from(cx.load(self.target, self.slot.into())))
    }
}

impl Cheatcode for Vm::getNonce_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.account(self.account).info.nonce)
    }
}

impl Cheatcode for Vm::getNonce_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.account(self.wallet.addr).info.nonce)
    }
}

impl Cheatcode for Vm::setNonceCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let (current, new) = (cx.account(self.account).info.nonce, self.nonce);
        ensure!(
            new >= current,
            "new nonce ({new}) must be strictly equal to or higher than \
             the account's current nonce ({current})"
        );
        cx.set_nonce(self.account, new);
        done()
    }
}

impl Cheatcode for Vm::setNonceUnsafeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.set_nonce(self.account, self.nonce);
        done()
    }
}

impl Cheatcode for Vm::resetNonceCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        // EIP-161: nonces of contracts start at one.
        let contract = !cx.account(self.account).info.is_empty_code_hash();
        cx.set_nonce(self.account, u64::from(contract));
        done()
    }
}

impl Cheatcode for Vm::coolCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.ctx.chain.watch.bypasses_journal = true;
        // Only slots become cold; the account itself stays warm if it was.
        if let Some(account) = cx.known(self.target) {
            account.storage.values_mut().for_each(|slot| slot.mark_cold());
        }
        done()
    }
}

impl Cheatcode for Vm::coolSlotCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.ctx.chain.watch.bypasses_journal = true;
        if let Some(slot) = cx.known(self.target).and_then(|known| known.storage.get_mut(&self.slot.into())) {
            slot.mark_cold();
        }
        done()
    }
}

impl Cheatcode for Vm::warmSlotCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.ctx.chain.watch.bypasses_journal = true;
        // As in Forge, a slot that was not read in this transaction stays as it is.
        let transaction = cx.ctx.journaled_state.inner.transaction_id;
        let slot = cx.known(self.target).and_then(|known| known.storage.get_mut(&self.slot.into()));
        if let Some(slot) = slot.filter(|slot| slot.transaction_id == transaction) {
            slot.mark_warm_with_transaction_id(transaction);
        }
        done()
    }
}

impl Cheatcode for Vm::copyStorageCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let arbitrary = cx.ctx.chain.watch.arbitrary.as_deref();
        let is_arbitrary = arbitrary.is_some_and(|arbitrary| arbitrary.has(self.to));
        ensure!(!is_arbitrary, "target address cannot have arbitrary storage");
        // As in Forge: only slots that transactions touched are copied, and earlier writes to the target are
        // dropped.
        for slot in cx.touched(self.to) {
            let value = cx.ctx.journaled_state.database.word(self.to, slot);
            cx.store(self.to, slot, value);
        }
        for slot in cx.touched(self.from) {
            let value = cx.load(self.from, slot);
            cx.store(self.to, slot, value);
        }
        if let Some(arbitrary) = cx.ctx.chain.watch.arbitrary.as_deref_mut() {
            arbitrary.copy(self.from, self.to);
        }
        done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{ALICE, KEEPER, Lab, Program, reason};
    use alloy_primitives::Address;

    #[test]
    fn a_nonce_only_grows_unless_it_is_reset() {
        let mut lab = Lab::new();
        let set = |nonce| Vm::setNonceCall { account: ALICE, nonce };
        let output = lab.run(&Program::new().vm(&set(5)).vm(&set(4)));
        insta::assert_snapshot!(
            reason(&output.output),
            @"vm.setNonce: new nonce (4) must be strictly equal to or higher than \
              the account's current nonce (5)"
        );
        lab.run(&Program::new().vm(&Vm::resetNonceCall { account: KEEPER }));
        lab.run(&Program::new().vm(&Vm::resetNonceCall { account: ALICE }));
        assert_eq!((lab.info(KEEPER).nonce, lab.info(ALICE).nonce), (1, 0));
    }

    #[test]
    fn precompiles_have_no_storage_to_write() {
        let target = Address::with_last_byte(1);
        let call = Vm::storeCall { target, slot: B256::ZERO, value: B256::ZERO };
        let output = Lab::new().run(&Program::new().vm(&call));
        insta::assert_snapshot!(
            reason(&output.output),
            @"vm.store: cannot use precompile 0x0000000000000000000000000000000000000001 as an argument"
        );
    }

    #[test]
    fn precompiles_have_storage_to_read_as_in_forge_1_8() {
        let call = Vm::loadCall { target: Address::with_last_byte(1), slot: B256::ZERO };
        assert_eq!(Lab::new().run(&Program::new().vm(&call).give()).output[..], [0; 32]);
    }

    #[test]
    fn a_stored_word_is_undone_by_a_revert() {
        let mut lab = Lab::new();
        let inner = Address::repeat_byte(1);
        let call = Vm::storeCall { target: KEEPER, slot: B256::ZERO, value: B256::repeat_byte(1) };
        lab.put(inner, &Program::new().vm(&call).fail(b"").assemble());
        lab.run(&Program::new().call(inner, []));
        assert_eq!(lab.evm.storage(KEEPER, U256::ZERO), U256::ZERO);
    }

    #[test]
    fn storage_is_copied_slot_by_slot() {
        let mut lab = Lab::new();
        let copy = Vm::copyStorageCall { from: KEEPER, to: ALICE };
        lab.run(&Program::new().call(KEEPER, [3; 32]).vm(&copy));
        assert_eq!(lab.evm.storage(ALICE, U256::ZERO), U256::from_be_bytes([3; 32]));
    }
}
