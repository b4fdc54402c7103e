//! Calls that run as transactions of their own (`isolate`).
//!
//! As in Forge, these are the calls and creations of the outermost frame. Static calls of the outermost frame
//! are no transactions: they find all accounts cold and pay no base cost. All isolated calls share the
//! journal of the test. The journal's transaction number decides which entries are warm, changed or newly
//! created, and it is replaced while an isolated call runs.

use crate::evm::{Ctx, state::layers::LayeredDb};
use alloy_primitives::{Address, Bytes, U256, map::HashSet};
use revm::{
    Database as _, JournalEntry,
    context::{Journal, JournalInner, JournalTr as _, TxEnv},
    context_interface::{cfg::gas::InitialAndFloorGas, journaled_state::account::JournaledAccountTr as _},
    handler::validation::validate_initial_tx_gas_with_gas_params,
    interpreter::{Gas, InstructionResult, InterpreterResult},
    primitives::{TxKind, hardfork::SpecId},
    state::{AccountInfo, AccountStatus, EvmStorageSlot, TransactionId, TransientStorage},
};
use std::mem;

/// Gas that Forge adds to a call that runs as a transaction.
const BASE_COST: u64 = 21_000;

/// Call to run as a transaction.
pub(crate) struct IsolatedCall {
    pub(crate) caller: Address,
    pub(crate) kind: TxKind,
    pub(crate) value: U256,
    pub(crate) data: Bytes,
    /// Gas that the caller passes.
    pub(crate) gas_limit: u64,
}

/// State of the outer transaction while an isolated call runs.
#[derive(Clone, Debug)]
struct OuterTransaction {
    gas_limit: u64,
    /// Gas limit of the isolated transaction.
    limit: u64,
    initial: InitialAndFloorGas,
    gas_price: u128,
    base_fee: u64,
    outside: OuterJournal,
}

/// Part of the journal that belongs to the outer transaction only.
#[derive(Clone, Debug)]
struct OuterJournal {
    number: TransactionId,
    /// Number of entries.
    entries: usize,
    transient: TransientStorage,
    /// Address, slot and original value of the words that the outer transaction has changed.
    originals: Vec<(Address, U256, U256)>,
    /// Accounts that stay cold for the outer transaction: as in Forge, an isolated call does not warm them.
    cold: Vec<Address>,
}

impl OuterJournal {
    /// Switches the journal to a new transaction, and returns the state of the outer one.
    fn leave(journal: &mut Journal<LayeredDb>, originals: Vec<(Address, U256, U256)>) -> Self {
        destroy(&mut journal.inner);
        let number = journal.transaction_id;
        let own = journal.state.iter().filter(|(_, account)| account.transaction_id == number);
        let cold = own.filter(|(_, account)| account.status.contains(AccountStatus::Cold));
        let cold = cold.map(|(address, _)| *address).collect();
        journal.transaction_id.increment();
        let (entries, transient) = (journal.journal.len(), mem::take(&mut journal.transient_storage));
        Self { number, entries, transient, originals, cold }
    }

    /// Switches the journal back to this outer transaction. Accounts and slots that the isolated one touched are warm.
    fn enter(self, journal: &mut Journal<LayeredDb>, has_all_entries: bool) {
        journal.transient_storage = self.transient;
        let inside = mem::replace(&mut journal.transaction_id, self.number);
        for account in journal.state.values_mut().filter(|account| account.transaction_id == inside) {
            account.transaction_id = self.number;
        }
        visit_slots(&mut journal.inner, has_all_entries.then_some(self.entries), |slot| {
            if slot.transaction_id == inside {
                slot.transaction_id = self.number;
            }
        });
        for address in self.cold {
            if let Some(account) = journal.state.get_mut(&address) {
                account.mark_cold();
            }
        }
        for (address, slot, original) in self.originals {
            let slot = journal.state.get_mut(&address).and_then(|account| account.storage.get_mut(&slot));
            if let Some(slot) = slot {
                (slot.original_value, slot.transaction_id) = (original, self.number);
            }
        }
    }
}

/// Ends the accounts that calls of this transaction have destroyed. revm does that when they are loaded in the next
/// one, and drops their slots, which it looks up if the test reverts.
fn destroy(journal: &mut JournalInner<JournalEntry>) {
    let number = journal.transaction_id;
    let accounts = journal.state.values_mut();
    for account in
        accounts.filter(|account| account.is_selfdestructed_locally() && account.transaction_id == number)
    {
        account.info = AccountInfo::default();
        for slot in account.storage.values_mut() {
            slot.present_value = U256::ZERO;
            slot.mark_cold();
        }
        account.unmark_selfdestructed_locally();
    }
}

/// Visits the slots that became warm since the journal had so many entries; all slots for `None`. Those that became
/// cold again, because a call reverted, are not among the former.
fn visit_slots(
    journal: &mut JournalInner<JournalEntry>,
    since: Option<usize>,
    mut visit: impl FnMut(&mut EvmStorageSlot),
) {
    let Some(since) = since else {
        return journal.state.values_mut().flat_map(|account| account.storage.values_mut()).for_each(visit);
    };
    for entry in journal.journal.iter().skip(since) {
        if let JournalEntry::StorageWarmed { address, key } = entry
            && let Some(account) = journal.state.get_mut(address)
            && let Some(slot) = account.storage.get_mut(key)
        {
            visit(slot);
        }
    }
}

/// Isolated calls of a transaction. Large suites read thousands of words in one transaction, and make hundreds of calls
/// there, so a call costs what was touched since the last one, and not what was touched so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Isolation {
    /// Outer transaction of the call that runs.
    outer: Option<Box<OuterTransaction>>,
    /// Number of entries that the journal had when all slots became cold.
    cooled: usize,
    /// Number of entries of the journal whose changed words are in `changed`.
    collected: usize,
    /// Address and slot of words that were changed.
    changed: HashSet<(Address, U256)>,
}

impl Isolation {
    /// Marks all accounts and slots as cold.
    pub(super) fn cool(&mut self, ctx: &mut Ctx) {
        let has_all_entries = ctx.chain.watch.keeps_journal();
        let journal = &mut ctx.journaled_state.inner;
        destroy(journal);
        let number = journal.transaction_id;
        for account in journal.state.values_mut().filter(|account| account.transaction_id == number) {
            account.mark_cold();
        }
        visit_slots(journal, has_all_entries.then_some(self.cooled), |slot| {
            if slot.transaction_id == number {
                slot.mark_cold();
            }
        });
        self.cooled = journal.journal.len();
    }

    /// Begins a transaction with a gas limit of at most `most`. Returns the gas that is left for its code; `None` if
    /// such a transaction is invalid.
    pub(super) fn enter(&mut self, ctx: &mut Ctx, call: IsolatedCall, most: u64) -> Option<u64> {
        let (outer, gas) = enter(ctx, call, most, |ctx| self.originals(ctx))?;
        self.outer = Some(Box::new(outer));
        Some(gas)
    }

    /// Ends the isolated transaction, if one runs, and charges the gas that it used to the call.
    pub(super) fn leave(&mut self, ctx: &mut Ctx, result: &mut InterpreterResult) {
        if let Some(outer) = self.outer.take() {
            leave(ctx, *outer, result);
        }
    }

    /// Returns address, slot and original value of the words that the current transaction has changed.
    fn originals(&mut self, ctx: &Ctx) -> Vec<(Address, U256, U256)> {
        let journal = &ctx.journaled_state.inner;
        let is_own =
            |slot: &EvmStorageSlot| slot.transaction_id == journal.transaction_id && slot.is_changed();
        if !ctx.chain.watch.keeps_journal() {
            let slots = journal.state.iter().flat_map(|(address, account)| {
                account.storage.iter().map(|(slot, value)| (*address, *slot, value))
            });
            let own = slots.filter(|(_, _, value)| is_own(value));
            return own.map(|(address, slot, value)| (address, slot, value.original_value)).collect();
        }
        for entry in journal.journal.iter().skip(self.collected) {
            if let JournalEntry::StorageChanged { address, key, .. } = entry {
                self.changed.insert((*address, *key));
            }
        }
        self.collected = journal.journal.len();
        let original = |(address, slot): &(Address, U256)| {
            let value = journal.state.get(address)?.storage.get(slot).filter(|value| is_own(value))?;
            Some((*address, *slot, value.original_value))
        };
        self.changed.iter().filter_map(original).collect()
    }
}

/// Begins a transaction as [`Isolation::enter`] does, and returns the outer one, too.
fn enter(
    ctx: &mut Ctx,
    call: IsolatedCall,
    most: u64,
    originals: impl FnOnce(&Ctx) -> Vec<(Address, U256, U256)>,
) -> Option<(OuterTransaction, u64)> {
    let limit = call.gas_limit.saturating_add(BASE_COST).min(most);
    let initial = initial_gas(ctx, &call, limit).filter(|_| balance(ctx, call.caller) >= call.value)?;
    let originals = originals(ctx);
    let journal = &mut ctx.journaled_state;
    let outside = OuterJournal::leave(journal, originals);
    let Ok(mut caller) = journal.load_account_mut(call.caller);
    if let TxKind::Call(to) = call.kind {
        caller.bump_nonce();
        let Ok(_) = journal.load_account(to);
    }
    let waiting = OuterTransaction {
        gas_limit: call.gas_limit,
        limit,
        initial,
        gas_price: ctx.tx.gas_price,
        base_fee: ctx.block.basefee,
        outside,
    };
    let fees = ctx.chain.watch.fees;
    if !fees.gas_price {
        ctx.tx.gas_price = 0;
    }
    if !fees.base_fee {
        ctx.block.basefee = 0;
    }
    Some((waiting, limit - initial.initial_regular_gas))
}

/// Returns the balance of an account in wei, without warming the account.
fn balance(ctx: &mut Ctx, address: Address) -> U256 {
    let journal = &mut ctx.journaled_state;
    if let Some(account) = journal.state.get(&address) {
        return account.info.balance;
    }
    let Ok(info) = journal.database.basic(address);
    info.unwrap_or_default().balance
}

fn initial_gas(ctx: &Ctx, call: &IsolatedCall, gas_limit: u64) -> Option<InitialAndFloorGas> {
    let tx = TxEnv { kind: call.kind, data: call.data.clone(), gas_limit, ..TxEnv::default() };
    let cfg = &ctx.cfg;
    validate_initial_tx_gas_with_gas_params(&tx, cfg.spec, &cfg.gas_params, false, false, u64::MAX).ok()
}

/// Returns the result of a call that is invalid as a transaction. As in Forge, it has no revert reason.
pub(crate) fn refused(gas_limit: u64) -> InterpreterResult {
    InterpreterResult { result: InstructionResult::Revert, output: Bytes::new(), gas: Gas::new(gas_limit) }
}

/// Ends a transaction as [`Isolation::leave`] does.
fn leave(ctx: &mut Ctx, waiting: OuterTransaction, result: &mut InterpreterResult) {
    result.gas = waiting.gas(result, ctx.cfg.spec);
    if !result.result.is_ok_or_revert() {
        result.output = Bytes::new();
    }
    let fees = ctx.chain.watch.fees;
    if !fees.gas_price {
        ctx.tx.gas_price = waiting.gas_price;
    }
    if !fees.base_fee {
        ctx.block.basefee = waiting.base_fee;
    }
    let has_all_entries = ctx.chain.watch.keeps_journal();
    waiting.outside.enter(&mut ctx.journaled_state, has_all_entries);
}

impl OuterTransaction {
    /// Returns the gas that is left of the gas passed by the caller, by the rules for
    /// transactions (EIP-3529, EIP-7623).
    fn gas(&self, result: &InterpreterResult, spec: SpecId) -> Gas {
        let intrinsic = self.initial.initial_regular_gas;
        let remaining = if result.result.is_ok_or_revert() { result.gas.remaining() } else { 0 };
        let spent = (self.limit - intrinsic).saturating_sub(remaining) + intrinsic;
        let refunded = if result.result.is_ok() { result.gas.refunded().max(0) as u64 } else { 0 };
        let refunded = refunded.min(spent / if spec.is_enabled_in(SpecId::LONDON) { 5 } else { 2 });
        let is_floored = spent - refunded < self.initial.floor_gas;
        let mut gas = Gas::new(self.gas_limit);
        if result.result.is_ok() && !is_floored {
            gas.set_refund(refunded as i64);
        }
        // As in Forge, nothing is charged if the transaction used more than the call's gas.
        let _ = gas.record_regular_cost(if is_floored { self.initial.floor_gas } else { spent - refunded });
        gas
    }
}

#[cfg(test)]
mod tests {
    use crate::evm::cheats::testing::{ALICE, KEEPER, Lab, Random, TEST, WHO};
    use alloy_primitives::{Bytes, U256};
    use revm::{bytecode::opcode as op, primitives::hardfork::SpecId};

    /// Returns code that reads and writes a few slots and calls other contracts, and reverts now and then.
    fn program(random: &mut Random, length: usize) -> Vec<u8> {
        let mut code = Vec::new();
        for _ in 0..length {
            let slot = random.below(6) as u8;
            match random.below(8) {
                0 | 1 => code.extend([op::PUSH1, slot, op::SLOAD, op::POP]),
                2 | 3 => code.extend([op::PUSH1, random.below(3) as u8, op::PUSH1, slot, op::SSTORE]),
                kind => {
                    let callee = [ALICE, KEEPER, WHO][random.below(3)];
                    let (call, value) = match kind {
                        4 => (op::STATICCALL, None),
                        5 => (op::DELEGATECALL, None),
                        _ => (op::CALL, Some(op::PUSH0)),
                    };
                    code.extend([op::PUSH0; 4]);
                    code.extend(value);
                    code.push(op::PUSH20);
                    code.extend(callee);
                    code.extend([op::PUSH3, 2, 0, 0, call, op::POP]);
                }
            }
        }
        match random.below(4) {
            0 => code.extend([op::PUSH0, op::PUSH0, op::REVERT]),
            1 => code.extend([op::CALLER, op::SELFDESTRUCT]),
            _ => code.push(op::STOP),
        }
        code
    }

    /// Runs random contracts with isolated calls. Returns the gas of each run, and the words that it leaves.
    fn run(seed: u64, bypasses_journal: bool) -> (Vec<u64>, Vec<U256>) {
        let mut random = Random(seed);
        let mut lab = Lab::configured(|env| env.config.isolate = true);
        for callee in [ALICE, KEEPER, WHO] {
            lab.put(callee, &program(&mut random, 5));
        }
        lab.put(TEST, &program(&mut random, 30));
        // Before Cancun, any contract can be destroyed.
        lab.evm.vm.ctx.cfg.spec = SpecId::SHANGHAI;
        let mut bypasses = bypasses_journal.then(|| Random(seed + 1));
        let gas = (0..4).map(|_| {
            let bypasses_journal = bypasses.as_mut().is_some_and(|random| random.below(3) > 0);
            lab.evm.vm.ctx.chain.watch.bypasses_journal = bypasses_journal;
            let gas = lab.call(Bytes::new()).gas.used;
            if random.below(3) == 0 {
                lab.evm.discard()
            } else {
                lab.evm.commit()
            }
            gas
        });
        let gas = gas.collect();
        let words = [TEST, ALICE, KEEPER, WHO].into_iter().flat_map(|account| {
            let journal = &lab.evm.vm.ctx.journaled_state;
            (0..6).map(move |slot| journal.database.word_under(&journal.state, account, U256::from(slot)))
        });
        (gas, words.collect())
    }

    #[test]
    fn entries_of_the_journal_show_all_that_a_look_at_all_slots_shows() {
        let mut gas = 0;
        for seed in 0..120 {
            let (by_entries, by_look) = (run(seed, false), run(seed, true));
            assert_eq!(by_entries, by_look, "seed {seed}");
            gas = gas.max(by_entries.0[0]);
        }
        assert!(gas > 100_000, "{gas}");
    }
}
