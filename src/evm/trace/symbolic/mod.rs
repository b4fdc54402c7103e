//! Symbolic execution of one transaction along the path that it takes: for each word that an input changes, the
//! expression that computed it.
//!
//! The frames of the transaction run instruction by instruction. Expressions are kept beside the stack, the memory
//! and the storage. They tell what a branch depends on.
//!
//! | file | holds |
//! |---|---|
//! | `bytes` | expressions behind memory and other sequences of bytes |
//! | `frame` | expressions of one frame |
//! | `instructions` | effect of instructions |

mod bytes;
mod frame;
mod instructions;

use super::stepping;
use crate::evm::{Ctx, trace::cmplog::CmpSite};
use crate::model::{
    Dependencies, EdgeId, Expression, ExpressionId, Expressions, SymbolicInput, Transaction, WordOperator,
};
use alloy_primitives::{Address, U256};
use bytes::SymbolicBytes;
use frame::{PendingFrame, SymbolicFrame};
use revm::interpreter::{
    GasTable, InstructionTable, Interpreter, InterpreterAction, InterpreterResult,
    interpreter::EthInterpreter,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem;

/// Maximum number of expressions of a transaction. Whatever is computed later counts as constant. Basis: memory.
const MOST: usize = 1 << 18;

/// Word of storage: persistent or transient, account and key.
type StorageKey = (bool, Address, U256);

/// Follows one transaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolicTracker {
    /// Edges whose decisions are looked for.
    wanted: FxHashSet<EdgeId>,
    sender: Address,
    expressions: Expressions,
    /// Frames by depth; the outermost is at index 1.
    frames: Vec<SymbolicFrame>,
    /// Words that the transaction wrote; `None` for constants.
    storage: FxHashMap<StorageKey, Option<ExpressionId>>,
    /// Words written, each with what was known of it before; `None` if nothing was.
    writes: Vec<(StorageKey, Option<Option<ExpressionId>>)>,
    /// Conditions of the wanted edges that were found, in their last evaluation.
    conditions: FxHashMap<EdgeId, Option<ExpressionId>>,
}

impl SymbolicTracker {
    /// Creates a tracker for a transaction that decides about these edges.
    pub(crate) fn new(tx: &Transaction, wanted: impl IntoIterator<Item = EdgeId>) -> Self {
        let mut tracker = Self { wanted: wanted.into_iter().collect(), sender: tx.sender, ..Self::default() };
        let calldata = tx.input.calldata();
        let mut input = SymbolicBytes::default();
        for offset in (4..calldata.len()).step_by(32) {
            let mut word = [0; 32];
            let part = &calldata[offset..calldata.len().min(offset + 32)];
            word[..part.len()].copy_from_slice(part);
            let leaf = Expression::Input(SymbolicInput::Input(offset));
            input.write(offset, Some(tracker.expressions.add(leaf, U256::from_be_bytes(word))));
        }
        tracker.frame(0).pending = Some(PendingFrame { input, ..PendingFrame::default() });
        tracker
    }

    /// Returns what the condition of a wanted edge depended on, if the transaction evaluated it and not everything of
    /// it was lost.
    pub(crate) fn dependencies(&self, edge: EdgeId) -> Option<Dependencies> {
        if self.expressions.len() >= MOST {
            return None;
        }
        let condition = self.conditions.get(&edge)?;
        Some(condition.map(|condition| self.expressions.dependencies(condition)).unwrap_or_default())
    }

    /// Begins a frame at this depth.
    pub(crate) fn enter(&mut self, depth: usize) {
        let caller = self.frames.get_mut(depth.wrapping_sub(1));
        let input = caller.and_then(|caller| caller.pending.as_mut()).map(|pending| {
            pending.is_entered = true;
            mem::take(&mut pending.input)
        });
        self.frame(depth).begin(input.unwrap_or_default());
    }

    /// Ends a frame that was called by the one at this depth.
    pub(crate) fn frame_ended(&mut self, depth: usize, result: &InterpreterResult) {
        let pending = self.frames.get_mut(depth).and_then(|frame| frame.pending.take());
        let Some(PendingFrame { input, is_entered, result: (offset, length), writes }) = pending else {
            return;
        };
        if !result.result.is_ok() {
            self.undo(writes);
        }
        let returned = match is_entered {
            true => mem::take(&mut self.frame(depth + 1).result),
            false => self.computed(&input, &result.output),
        };
        if depth == 0 {
            // What is called later is no part of the transaction.
            self.wanted.clear();
        }
        let frame = self.frame(depth);
        frame.memory.copy(offset, &returned, 0, length.min(result.output.len()));
        frame.returned = returned;
    }

    /// Records that the pending call of the frame at this depth is answered by a reentrant call, whose input is no part
    /// of the transaction's.
    pub(crate) fn reentered(&mut self, depth: usize) {
        if let Some(pending) = self.frames.get_mut(depth).and_then(|frame| frame.pending.as_mut()) {
            pending.input.clear();
        }
    }

    /// Returns the output of a callee without visible code: each word depends on the whole input.
    fn computed(&mut self, input: &SymbolicBytes, output: &[u8]) -> SymbolicBytes {
        let mut returned = SymbolicBytes::default();
        let operands = input.expressions(0, usize::MAX);
        if operands.is_empty() {
            return returned;
        }
        for (index, word) in output.chunks_exact(32).enumerate() {
            let expression = Expression::Operation(WordOperator::Builtin, operands.clone());
            let word = self.add(expression, U256::from_be_slice(word));
            returned.write(32 * index, word);
        }
        returned
    }

    fn undo(&mut self, writes: usize) {
        for (key, before) in self.writes.drain(writes.min(self.writes.len())..).rev() {
            match before {
                Some(before) => drop(self.storage.insert(key, before)),
                None => drop(self.storage.remove(&key)),
            }
        }
    }

    fn write(&mut self, key: StorageKey, word: Option<ExpressionId>) {
        let before = self.storage.insert(key, word);
        self.writes.push((key, before));
    }

    fn add(&mut self, expression: Expression, value: U256) -> Option<ExpressionId> {
        (self.expressions.len() < MOST).then(|| self.expressions.add(expression, value))
    }

    #[inline]
    fn frame(&mut self, depth: usize) -> &mut SymbolicFrame {
        if self.frames.len() <= depth {
            self.frames.resize_with(depth + 1, SymbolicFrame::default);
        }
        &mut self.frames[depth]
    }

    /// Records the condition of a conditional jump.
    fn decide(&mut self, place: CmpSite, condition: Option<ExpressionId>) {
        for edge in place.edges_decided() {
            if self.wanted.contains(&edge) {
                self.conditions.insert(edge, condition);
            }
        }
    }
}

/// Runs a frame until it calls or ends, and follows each instruction.
pub(crate) fn run(
    interpreter: &mut Interpreter<EthInterpreter>,
    table: &InstructionTable<EthInterpreter, Ctx>,
    gas: &GasTable,
    host: &mut Ctx,
) -> InterpreterAction {
    stepping::tracked(interpreter, table, gas, host, |host| &mut host.chain.symbolic, instructions::before)
}
