//! `vm.setArbitraryStorage`: accounts whose storage reads as random words until it is written.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done},
    random::CheatRng,
    vm::Vm,
};
use crate::evm::{Ctx, state::layers::stored};
use alloy_primitives::{Address, U256};
use std::collections::{BTreeMap, BTreeSet};

/// Accounts with arbitrary storage, and their slots with random words.
#[derive(Clone, Debug)]
pub(crate) struct Arbitrary {
    /// Accounts with arbitrary storage; true if nonzero slots are overwritten with random words, too.
    accounts: BTreeMap<Address, bool>,
    drawn: BTreeSet<(Address, U256)>,
    /// Source account of each copy; a copy has the same words as its source.
    sources: BTreeMap<Address, Address>,
    rng: CheatRng,
}

/// Stores a random word in a slot that is about to be read for the first time, if its account has arbitrary
/// storage.
pub(crate) fn before_load(ctx: &mut Ctx, address: Address, slot: U256) {
    let Some(arbitrary) = ctx.chain.watch.arbitrary.as_deref_mut() else { return };
    let Some(overwrite) = arbitrary.accounts.get(&address).copied() else { return };
    if !arbitrary.drawn.insert((address, slot)) {
        return;
    }
    let (source, drawn) = (arbitrary.sources.get(&address).copied(), arbitrary.rng.word());
    let word = source.map_or(drawn, |source| {
        before_load(ctx, source, slot);
        stored(ctx, source, slot)
    });
    let journal = &mut ctx.journaled_state;
    let touched =
        journal.inner.state.get(&address).is_some_and(|account| account.storage.contains_key(&slot));
    let Ok(value) = journal.inner.sload(&mut journal.database, address, slot, false) else { return };
    if overwrite || value.data.is_zero() && !touched {
        let stored = journal.inner.sstore(&mut journal.database, address, slot, word, false);
        debug_assert!(stored.is_ok(), "the base state cannot fail and cold loads are not skipped");
    }
}

impl Arbitrary {
    /// Tells whether an account has arbitrary storage.
    pub(super) fn has(&self, address: Address) -> bool {
        self.accounts.contains_key(&address)
    }

    /// Lets a slot keep the word that a cheatcode stores in it, even if it is zero.
    pub(super) fn keep(&mut self, address: Address, slot: U256) {
        if self.has(address) {
            self.drawn.insert((address, slot));
        }
    }

    /// Gives `to` the same arbitrary storage as `from`, if `from` has any.
    pub(super) fn copy(&mut self, from: Address, to: Address) {
        if let Some(overwrite) = self.accounts.get(&from).copied() {
            self.accounts.insert(to, overwrite);
            self.sources.insert(to, from);
        }
    }
}

fn draw(cx: &mut Cx<'_>, target: Address, overwrite: bool) -> Result<(), CheatError> {
    cx.not_precompile(target)?;
    let rng = cx.cheats.utilities.rng.fork();
    let arbitrary = cx.ctx.chain.watch.arbitrary.get_or_insert_with(|| {
        Box::new(Arbitrary {
            accounts: BTreeMap::new(),
            drawn: BTreeSet::new(),
            sources: BTreeMap::new(),
            rng,
        })
    });
    arbitrary.accounts.insert(target, overwrite);
    Ok(())
}

impl Cheatcode for Vm::setArbitraryStorage_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        draw(cx, self.target, false)?;
        done()
    }
}

impl Cheatcode for Vm::setArbitraryStorage_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        draw(cx, self.target, self.overwrite)?;
        done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{Lab, Program};
    use alloy_primitives::B256;
    use revm::bytecode::opcode as op;

    #[test]
    fn an_unset_slot_reads_as_one_random_word() {
        let target = Address::repeat_byte(1);
        let mut lab = Lab::new();
        lab.put(target, &[op::PUSH0, op::SLOAD, op::PUSH0, op::MSTORE, op::PUSH1, 32, op::PUSH0, op::RETURN]);
        let first =
            lab.run(&Program::new().vm(&Vm::setArbitraryStorage_0Call { target }).call(target, []).give());
        let second = lab.run(&Program::new().call(target, []).give());
        assert_ne!(U256::from_be_slice(&first.output), U256::ZERO);
        assert_eq!(first.output, second.output);
    }

    #[test]
    fn a_zero_that_the_test_stores_stays() {
        let target = Address::repeat_byte(1);
        for overwrite in [false, true] {
            let mut lab = Lab::new();
            let store = Vm::storeCall { target, slot: B256::ZERO, value: B256::ZERO };
            lab.run(&Program::new().vm(&Vm::setArbitraryStorage_1Call { target, overwrite }).vm(&store));
            let load = |slot| Program::new().vm(&Vm::loadCall { target, slot }).give();
            assert_eq!(lab.run(&load(B256::ZERO)).output[..], [0; 32]);
            assert_ne!(lab.run(&load(B256::with_last_byte(1))).output[..], [0; 32]);
        }
    }
}
