//! Calls that run as transactions of their own (`isolate`).
//!
//! As in Forge, these are the calls and creations of the outermost frame. Static calls of the outermost frame
//! are no transactions: they find all accounts cold and pay no base cost. All isolated calls share the
//! journal of the test. The journal's transaction number decides which entries are warm, changed or newly
//! created, and it is replaced while an isolated call runs.

use crate::evm::{Ctx, state::layers::LayeredDb};
use alloy_primitives::{Address, Bytes, U256};
use revm::{
    Database as _,
    context::{Journal, JournalTr as _, TxEnv},
    context_interface::{cfg::gas::InitialAndFloorGas, journaled_state::account::JournaledAccountTr as _},
    handler::validation::validate_initial_tx_gas_with_gas_params,
    interpreter::{Gas, InstructionResult, InterpreterResult},
    primitives::{TxKind, hardfork::SpecId},
    state::{AccountStatus, EvmStorageSlot, TransactionId, TransientStorage},
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
pub(crate) struct OuterTransaction {
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
    transient: TransientStorage,
    /// Address, slot and original value of the words that the outer transaction has changed.
    originals: Vec<(Address, U256, U256)>,
    /// Accounts that stay cold for the outer transaction: as in Forge, an isolated call does not warm them.
    cold: Vec<Address>,
}

impl OuterJournal {
    /// Switches the journal to a new transaction, and returns the state of the outer one.
    fn leave(journal: &mut Journal<LayeredDb>) -> Self {
        let number = journal.transaction_id;
        let originals = journal.state.iter().flat_map(|(address, account)| {
            let own =
                account.storage.iter().filter(|(_, slot)| slot.transaction_id == number && slot.is_changed());
            own.map(|(slot, value)| (*address, *slot, value.original_value))
        });
        let originals = originals.collect();
        let own = journal.state.iter().filter(|(_, account)| account.transaction_id == number);
        let cold = own.filter(|(_, account)| account.status.contains(AccountStatus::Cold));
        let cold = cold.map(|(address, _)| *address).collect();
        journal.transaction_id.increment();
        Self { number, transient: mem::take(&mut journal.transient_storage), originals, cold }
    }

    /// Switches the journal back to this outer transaction. Accounts and slots that the isolated one touched are warm.
    fn enter(self, journal: &mut Journal<LayeredDb>) {
        journal.transient_storage = self.transient;
        let inside = mem::replace(&mut journal.transaction_id, self.number);
        for account in journal.state.values_mut() {
            if account.transaction_id == inside {
                account.transaction_id = self.number;
            }
            for slot in account.storage.values_mut().filter(|slot| slot.transaction_id == inside) {
                slot.transaction_id = self.number;
            }
        }
        for address in self.cold {
            if let Some(account) = journal.state.get_mut(&address) {
                account.mark_cold();
            }
        }
        for (address, slot, original) in self.originals {
            let slot = journal.state.get_mut(&address).and_then(|account| account.storage.get_mut(&slot));
            if let Some(slot) = slot {
                slot.original_value = original;
            }
        }
    }
}

/// Marks all accounts and slots as cold.
pub(crate) fn cool(ctx: &mut Ctx) {
    let journal = &mut ctx.journaled_state;
    let number = journal.transaction_id;
    for account in journal.state.values_mut().filter(|account| account.transaction_id == number) {
        account.mark_cold();
        let slots = account.storage.values_mut().filter(|slot| slot.transaction_id == number);
        slots.for_each(EvmStorageSlot::mark_cold);
    }
}

/// Begins a transaction with a gas limit of at most `most`. Returns it with the gas that is left for its
/// code; `None` if such a transaction is invalid.
pub(crate) fn enter(ctx: &mut Ctx, call: IsolatedCall, most: u64) -> Option<(OuterTransaction, u64)> {
    let limit = call.gas_limit.saturating_add(BASE_COST).min(most);
    let initial = initial_gas(ctx, &call, limit).filter(|_| balance(ctx, call.caller) >= call.value)?;
    let journal = &mut ctx.journaled_state;
    let outside = OuterJournal::leave(journal);
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

/// Ends the isolated transaction, and charges the gas that it used to the call.
pub(crate) fn leave(ctx: &mut Ctx, waiting: OuterTransaction, result: &mut InterpreterResult) {
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
    waiting.outside.enter(&mut ctx.journaled_state);
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
