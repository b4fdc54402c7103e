//! Taint tracking for oracles: follows data through transactions to find the origins of words, whether the
//! success of calls is checked, and which arithmetic wrapped.
//!
//! Frames of these transactions run instruction by instruction. The taint of words is kept beside the stack,
//! memory and storage. Storage taint is kept from the first call of a sequence to the last.
//!
//! | file | holds |
//! |---|---|
//! | `word` | taint of a word |
//! | `facts` | what the oracles learn about one transaction |
//! | `frame` | taint of the words of a frame |
//! | `instructions` | effect of instructions on taint |
//! | `holders` | accounts in storage that callers are compared with |
//! | `lengths` | lengths of stored lists that earlier transactions made grow |
//! | `calls` | calls, from their beginning to their end |
//! | `wraps` | arithmetic that leaves the range of its type |

mod calls;
mod facts;
mod frame;
mod holders;
mod instructions;
mod lengths;
mod word;
mod wraps;

use super::stepping;
use crate::evm::{Ctx, base::place::CodePlace};
use crate::model::{Input, Origins, Transaction};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, U256};
pub(crate) use facts::{SeenCall, SeenDecision, SeenWrap, TaintFacts};
use frame::{FrameTaint, Tainted};
pub(crate) use holders::Holder;
pub(crate) use lengths::SeenLength;
use revm::interpreter::{
    GasTable, InstructionTable, Interpreter, InterpreterAction, InterpreterResult,
    interpreter::EthInterpreter,
};
use rustc_hash::FxHashMap;
use std::{mem, sync::Arc};
use word::{KEPT, Taint};

/// Maximum number of facts of each kind kept per transaction.
const MOST: usize = 64;

/// Arithmetic result that wrapped.
#[derive(Clone, Debug)]
struct WrappedResult {
    place: CodePlace,
    operands: [U256; 2],
    /// True for a subtraction.
    is_difference: bool,
    /// Hash of the storage slot that a sum or product makes grow; zero if there is none.
    grown: u32,
    /// Sender of the transaction that computed it.
    by: Address,
}

/// Taint of a word in storage.
#[derive(Clone, Debug, Default)]
struct StoredWord {
    taint: Taint,
    /// Write of an account into the slot, if the word was one.
    holder: Option<Arc<Holder>>,
    /// Number of the transaction that counted the word up by one, from one; zero for other words.
    counted_by: u32,
}

/// Taint of the storage.
#[derive(Clone, Debug, Default)]
pub(crate) struct StorageTaint {
    words: FxHashMap<(Address, U256), StoredWord>,
    /// Places of the instructions that read data of the block, see [`Taint::source`].
    sources: Vec<CodePlace>,
}

/// Taint between two transactions of a sequence.
#[derive(Clone, Debug)]
pub(crate) struct TaintSnapshot {
    storage: StorageTaint,
    wraps: Vec<WrappedResult>,
    wrapped: usize,
    number: u32,
}

/// Tracks taint through the transactions of one sequence.
#[derive(Clone, Debug, Default)]
pub(crate) struct TaintTracker {
    /// Sender of the transaction.
    sender: Address,
    /// Frames by depth; the outermost is at index 1.
    frames: Vec<FrameTaint>,
    storage: StorageTaint,
    /// Slots written by the transaction, with their taint before each write.
    writes: Vec<((Address, U256), StoredWord)>,
    /// Most recent wraps, by index modulo [`KEPT`].
    wraps: Vec<WrappedResult>,
    /// Number of wraps in the sequence, and the number before this transaction.
    wrapped: usize,
    wrapped_before: usize,
    /// Number of transactions in the sequence so far.
    number: u32,
    /// Failed calls of the transaction, one bit each.
    failed: u32,
    /// Taint of all conditions so far.
    decided: Taint,
    facts: TaintFacts,
}

impl TaintTracker {
    /// Begins a sequence over storage with this taint.
    pub(crate) fn begin_sequence(&mut self, start: &StorageTaint) {
        self.storage.clone_from(start);
        self.wraps.clear();
        (self.wrapped, self.wrapped_before, self.number) = (0, 0, 0);
    }

    /// Returns a snapshot between two transactions.
    pub(crate) fn snapshot(&self) -> TaintSnapshot {
        let Self { storage, wraps, wrapped, number, .. } = self;
        TaintSnapshot { storage: storage.clone(), wraps: wraps.clone(), wrapped: *wrapped, number: *number }
    }

    /// Continues after a snapshot.
    pub(crate) fn resume(&mut self, snapshot: &TaintSnapshot) {
        self.storage.clone_from(&snapshot.storage);
        self.wraps.clone_from(&snapshot.wraps);
        (self.wrapped, self.wrapped_before, self.number) =
            (snapshot.wrapped, snapshot.wrapped, snapshot.number);
    }

    /// Returns the taint of the storage, for sequences that begin with it.
    pub(crate) fn into_storage(mut self) -> StorageTaint {
        for stored in self.storage.words.values_mut() {
            stored.taint.wraps = 0;
            if let Some(holder) = &mut stored.holder {
                Arc::make_mut(holder).is_initial = true;
            }
        }
        self.storage
    }

    /// Begins a transaction of the sequence.
    pub(crate) fn begin(&mut self, tx: &Transaction) {
        self.begin_call(tx.sender, arguments(tx));
    }

    /// Begins a call of the deployment, whose arguments nobody chose to do harm.
    pub(crate) fn begin_deployment(&mut self, sender: Address) {
        self.begin_call(sender, Tainted::default());
    }

    fn begin_call(&mut self, sender: Address, calldata: Tainted) {
        self.sender = sender;
        self.number += 1;
        self.writes.clear();
        self.failed = 0;
        self.decided = Taint::NONE;
        self.facts = TaintFacts::default();
        let mut outermost = FrameTaint::default();
        outermost.pending = Some(calls::outermost(calldata));
        self.frames.clear();
        self.frames.push(outermost);
    }

    /// Ends the transaction and returns its facts. Its writes are undone unless they are `kept`.
    pub(crate) fn end(&mut self, kept: bool) -> TaintFacts {
        let mut stored = 0;
        if kept {
            for (slot, _) in mem::take(&mut self.writes) {
                if let Some(StoredWord { taint, .. }) = self.storage.words.get_mut(&slot) {
                    taint.origins = taint.origins.later();
                    stored |= taint.wraps;
                }
            }
        } else {
            self.undo(0);
        }
        // Wraps whose results are not stored are forgotten.
        let is_stored = |number: &usize| stored & (1 << (number % KEPT)) != 0;
        self.wrapped =
            (self.wrapped_before..self.wrapped).rfind(is_stored).map_or(self.wrapped_before, |last| last + 1);
        self.wrapped_before = self.wrapped;
        if let Some(outermost) = self.frames.get(1) {
            self.facts.is_passed_on = outermost.by_failures != 0;
            self.facts.last_condition = outermost.decided_by;
        }
        mem::take(&mut self.facts)
    }

    /// Undoes all but the first `writes` writes.
    fn undo(&mut self, writes: usize) {
        for (slot, before) in self.writes.drain(writes.min(self.writes.len())..).rev() {
            self.storage.words.insert(slot, before);
        }
    }

    #[inline]
    fn frame(&mut self, depth: usize) -> &mut FrameTaint {
        if self.frames.len() <= depth {
            self.frames.resize(depth + 1, FrameTaint::default());
        }
        &mut self.frames[depth]
    }

    /// Begins a frame at this depth.
    pub(crate) fn enter(&mut self, depth: usize) {
        let caller = self.frames.get_mut(depth.wrapping_sub(1));
        let pending = caller.and_then(|caller| caller.pending.as_mut());
        let calldata = pending.map(|pending| {
            pending.is_entered = true;
            mem::take(&mut pending.input)
        });
        let calldata = calldata.unwrap_or_default();
        self.frame(depth).begin(calldata);
    }

    /// Ends a frame that was called by the one at this depth.
    pub(crate) fn frame_ended(&mut self, depth: usize, result: &InterpreterResult) {
        calls::ended(self, depth, result);
    }

    /// Records that the pending call of the frame at this depth is answered by a reentrant call with `length`
    /// bytes of calldata.
    pub(crate) fn reentered(&mut self, depth: usize, length: usize) {
        let Some(pending) = self.frames.get_mut(depth).and_then(|frame| frame.pending.as_mut()) else {
            return;
        };
        pending.input = Tainted::default();
        pending.input.write(0, length, Taint::of(Origins::INPUT).with(Taint::DATA));
        let call = pending.number.and_then(|number| self.facts.calls.get(number));
        self.facts.reentered = call.map(|call| call.place.clone());
    }

    /// Records that the reentrant call, which the frame at this depth answers, failed. The call that it answered
    /// succeeds nevertheless.
    pub(crate) fn reentrant_call_failed(&mut self, depth: usize) {
        let Some(pending) = self.frames.get_mut(depth).and_then(|frame| frame.pending.take()) else { return };
        calls::undo(self, &pending);
        self.frame(depth).pending = Some(pending);
    }

    /// Returns the number of an instruction that reads data of the block, counted from one, or zero if there
    /// are too many.
    fn source(&mut self, place: CodePlace) -> u8 {
        let sources = &mut self.storage.sources;
        let known = sources.iter().position(|known| *known == place);
        let index = known.unwrap_or_else(|| {
            sources.push(place);
            sources.len() - 1
        });
        u8::try_from(index + 1).unwrap_or_else(|_| {
            sources.truncate(usize::from(u8::MAX));
            0
        })
    }

    /// Records a wrap and returns its bit, or zero if one transaction has too many to be distinguished.
    fn note_wrap(&mut self, wrap: WrappedResult) -> u32 {
        if self.wrapped - self.wrapped_before >= KEPT {
            return 0;
        }
        let number = self.wrapped % KEPT;
        if self.wrapped >= KEPT {
            // It replaces an older one.
            self.storage.words.values_mut().for_each(|stored| stored.taint.wraps &= !(1 << number));
        }
        match self.wraps.get_mut(number) {
            Some(older) => *older = wrap,
            None => self.wraps.push(wrap),
        }
        self.wrapped += 1;
        1 << number
    }

    /// Records that the results of these wraps were used as quantities.
    fn used(&mut self, wraps: u32) {
        self.note_use(wraps, |_| false);
    }

    /// Records the use of these wraps, and which of them make a slot grow.
    fn note_use(&mut self, wraps: u32, grows: impl Fn(&WrappedResult) -> bool) {
        if wraps == 0 {
            return;
        }
        for number in (0..KEPT).filter(|number| wraps & (1 << number) != 0) {
            let Some(wrap) = self.wraps.get(number) else { continue };
            let seen = SeenWrap { place: wrap.place.clone(), grows: grows(wrap), by: wrap.by };
            match self.facts.wraps.iter().position(|known| known.place == seen.place) {
                Some(index) => self.facts.wraps[index].grows |= seen.grows,
                None if self.facts.wraps.len() < MOST => self.facts.wraps.push(seen),
                None => {}
            }
        }
    }

    /// Records that the results of these wraps are stored. Only differences count, since no hash is computed
    /// by subtraction, and results that go back to the slot that an operand came from.
    fn stored(&mut self, wraps: u32, slot: u32) {
        if wraps == 0 {
            return;
        }
        let is_quantity = |wrap: &WrappedResult| wrap.is_difference || wrap.grown == slot;
        let is_quantity = |number: usize| self.wraps.get(number).is_some_and(is_quantity);
        let quantities = (0..KEPT).filter(|number| is_quantity(*number));
        let quantities = quantities.fold(0, |all, number| all | 1 << number);
        self.note_use(wraps & quantities, |wrap| wrap.grown == slot);
    }

    /// Records that an account wrote storage after the calls that it has made.
    fn follow_calls(&mut self, account: Address) {
        let made = self.facts.calls.iter_mut().filter(|call| call.success && call.message.from == account);
        made.for_each(|call| call.is_followed = true);
    }

    /// Records that the success of these calls was checked.
    fn checked(&mut self, calls: u32) {
        if calls != 0 {
            let is_meant = |number: usize| calls & Taint::of_call(number).calls != 0;
            let numbered = self.facts.calls.iter_mut().enumerate();
            numbered.filter(|(number, _)| is_meant(*number)).for_each(|(_, call)| call.is_checked = true);
        }
    }
}

/// Returns the taint of a transaction's calldata: it is chosen by the caller, and some of its words are
/// signed.
fn arguments(tx: &Transaction) -> Tainted {
    let mut calldata = Tainted::default();
    let input = Taint::of(Origins::INPUT).with(Taint::DATA);
    calldata.write(0, tx.input.calldata().len(), input);
    if let Input::Typed { args, .. } = &tx.input {
        let mut offset = 4;
        for arg in &**args {
            sign(&mut calldata, arg, &mut offset, input);
        }
    }
    calldata
}

/// Marks the signed words of an argument, as far as they are in the head of the calldata.
fn sign(calldata: &mut Tainted, arg: &DynSolValue, offset: &mut usize, input: Taint) {
    let is_dynamic = arg.is_dynamic();
    match arg {
        DynSolValue::Int(..) => calldata.write(*offset, 32, input.with(Taint::SIGNED)),
        DynSolValue::Tuple(items) | DynSolValue::FixedArray(items) if !is_dynamic => {
            return items.iter().for_each(|item| sign(calldata, item, offset, input));
        }
        _ => {}
    }
    *offset += 32;
}

/// Runs a frame until it calls or ends, and tracks its taint.
pub(crate) fn run(
    interpreter: &mut Interpreter<EthInterpreter>,
    table: &InstructionTable<EthInterpreter, Ctx>,
    gas: &GasTable,
    host: &mut Ctx,
) -> InterpreterAction {
    stepping::tracked(
        interpreter,
        table,
        gas,
        host,
        |host| &mut host.chain.taint,
        |tracker, depth, interpreter, _| {
            instructions::before(tracker, depth, interpreter);
        },
    )
}
