//! Symbolic execution of transactions along the path that they take: for each word that an input changes, the
//! expression that computed it.
//!
//! The frames of the transactions run instruction by instruction. Expressions are kept beside the stack, the memory
//! and the storage. They tell what a branch depends on, and under what condition it takes its other edge.
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
use crate::evm::{Ctx, trace::cmplog::CheatcodeComparison};
use crate::model::{
    Dependencies, EdgeId, Expression, ExpressionId, PathDecision, Relation, SymbolicInput, SymbolicPath,
    Transaction, WordOperator,
};
use alloy_primitives::{Address, B256, U256};
use bytes::SymbolicBytes;
use frame::{PendingFrame, SymbolicFrame};
use revm::interpreter::{
    GasTable, InstructionTable, Interpreter, InterpreterAction, InterpreterResult,
    interpreter::EthInterpreter,
};
use rustc_hash::FxHashMap;
use std::mem;

/// Maximum number of expressions. Whatever is computed later counts as constant. Basis: memory.
const MOST: usize = 1 << 16;

/// Maximum number of decisions whose conditions are kept. Basis: memory.
const MOST_DECISIONS: usize = 1 << 14;

/// Word of storage: persistent or transient, account and key.
type StorageKey = (bool, Address, U256);

/// Follows the transactions of a sequence, and the properties after them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolicTracker {
    /// Edge whose decisions are looked for.
    wanted: EdgeId,
    /// Index of the transaction in its sequence, and its sender.
    transaction: usize,
    sender: Address,
    /// Time and number of the block, as far as they are known from the delays.
    time: Option<ExpressionId>,
    number: Option<ExpressionId>,
    /// Accounts that `vm.prank` and `vm.startPrank` made callers.
    pranked: FxHashMap<Address, ExpressionId>,
    /// Frames by depth; the outermost is at index 1.
    frames: Vec<SymbolicFrame>,
    /// Words that were written; `None` for constants.
    storage: FxHashMap<StorageKey, Option<ExpressionId>>,
    /// Words written, each with what was known of it before; `None` if nothing was.
    writes: Vec<(StorageKey, Option<Option<ExpressionId>>)>,
    /// Code of accounts that were created with expressions as immutables.
    codes: FxHashMap<Address, SymbolicBytes>,
    path: SymbolicPath,
    /// True if a decision about the edge was made that depends on no input.
    is_constant: bool,
}

impl SymbolicTracker {
    /// Creates a tracker that looks for the decisions about an edge.
    pub(crate) fn new(wanted: EdgeId) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Begins the transaction at an index of the sequence, which is executed after its delay in the block of this time
    /// and number.
    pub(crate) fn begin(&mut self, index: usize, tx: &Transaction, time: U256, number: U256) {
        (self.transaction, self.sender) = (index, tx.sender);
        self.time = Some(self.later(self.time, SymbolicInput::Delay(index), tx.warp, time));
        self.number = Some(self.later(self.number, SymbolicInput::Blocks(index), tx.roll, number));
        self.storage.retain(|(is_persistent, ..), _| *is_persistent);
        self.writes.clear();
        let calldata = tx.input.calldata();
        let mut input = SymbolicBytes::default();
        for offset in (4..calldata.len()).step_by(32) {
            let mut word = [0; 32];
            let part = &calldata[offset..calldata.len().min(offset + 32)];
            word[..part.len()].copy_from_slice(part);
            let leaf = Expression::Input(SymbolicInput::Input(index, offset));
            input.write(offset, Some(self.path.expressions.add(leaf, U256::from_be_bytes(word))));
        }
        let value = self.path.expressions.add(Expression::Input(SymbolicInput::Value(index)), tx.value);
        self.frame(0).pending = Some(PendingFrame { input, value: Some(value), ..PendingFrame::default() });
    }

    /// Returns the expression of a block value after a delay.
    fn later(
        &mut self,
        before: Option<ExpressionId>,
        delay: SymbolicInput,
        by: U256,
        now: U256,
    ) -> ExpressionId {
        let past = now.wrapping_sub(by);
        let before = self.with_value(before, past).unwrap_or_else(|| self.constant(past));
        let delay = self.path.expressions.add(Expression::Input(delay), by);
        self.path.expressions.operation(WordOperator::Add, [before, delay].into(), now)
    }

    /// Returns what the last decision about the edge depended on, if one was made and not everything of it was lost.
    pub(crate) fn dependencies(&self) -> Option<Dependencies> {
        if self.is_full() {
            return None;
        }
        match self.path.targets.last() {
            Some(target) => {
                let condition = self.path.decisions[*target].condition;
                Some(self.path.expressions.dependencies(condition))
            }
            None => self.is_constant.then(Dependencies::default),
        }
    }

    /// Returns the decisions.
    pub(crate) fn into_path(self) -> SymbolicPath {
        self.path
    }

    /// Returns true if there are so many expressions that whatever is computed later counts as constant.
    fn is_full(&self) -> bool {
        self.path.expressions.len() >= MOST
    }

    fn constant(&mut self, value: U256) -> ExpressionId {
        self.path.expressions.add(Expression::Constant, value)
    }

    /// Returns an expression if it has this value. Cheatcodes may have changed the value.
    fn with_value(&self, expression: Option<ExpressionId>, value: U256) -> Option<ExpressionId> {
        expression.filter(|expression| self.path.expressions.value(*expression) == value)
    }

    /// Follows cheatcodes that change what instructions return, given the selector and the argument as words.
    fn cheat(&mut self, selector: U256, argument: U256, input: &SymbolicBytes) {
        let word = input.word(4, argument, &mut self.path.expressions);
        match u32::from_be_bytes(B256::from(selector)[..4].try_into().unwrap_or_default()) {
            WARP => self.time = word,
            ROLL => self.number = word,
            PRANK | START_PRANK => {
                let account = Address::from_word(argument.into());
                self.pranked.extend(word.map(|word| (account, word)));
            }
            _ => {}
        }
    }

    /// Begins a frame at this depth, which runs the code of an account.
    pub(crate) fn enter(&mut self, depth: usize, account: Address) {
        let caller = self.frames.get_mut(depth.wrapping_sub(1));
        let pending = caller.and_then(|caller| caller.pending.as_mut()).map(|pending| {
            pending.is_entered = true;
            (mem::take(&mut pending.input), pending.is_creation, pending.value)
        });
        let (input, is_creation, value) = pending.unwrap_or_default();
        let (input, code) = match is_creation {
            true => (SymbolicBytes::default(), input),
            false => (input, self.codes.get(&account).cloned().unwrap_or_default()),
        };
        self.frame(depth).begin(input, code, value);
    }

    /// Ends a frame that was called by the one at this depth.
    pub(crate) fn frame_ended(&mut self, depth: usize, result: &InterpreterResult) {
        let pending = self.frames.get_mut(depth).and_then(|frame| frame.pending.take());
        let Some(pending) = pending else { return };
        let PendingFrame { input, is_creation, is_entered, result: (offset, length), writes, .. } = pending;
        if !result.result.is_ok() {
            self.undo(writes);
        }
        let returned = match is_entered {
            true => mem::take(&mut self.frame(depth + 1).result),
            false => self.computed(&input, &result.output),
        };
        let frame = self.frame(depth);
        if is_creation {
            frame.created = returned;
            return;
        }
        frame.memory.copy(offset, &returned, 0, length.min(result.output.len()));
        frame.returned = returned;
    }

    /// Records that the pending call of the frame at this depth is answered by a reentrant call, whose input is no part
    /// of the transaction's.
    pub(crate) fn reentered(&mut self, depth: usize) {
        if let Some(pending) = self.frames.get_mut(depth).and_then(|frame| frame.pending.as_mut()) {
            (pending.input, pending.value) = Default::default();
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
            if self.is_full() {
                break;
            }
            let expressions = &mut self.path.expressions;
            let value = U256::from_be_slice(word);
            let output = expressions.operation(WordOperator::Builtin, operands.clone(), value);
            returned.write(32 * index, Some(output));
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

    #[inline]
    fn frame(&mut self, depth: usize) -> &mut SymbolicFrame {
        if self.frames.len() <= depth {
            self.frames.resize_with(depth + 1, SymbolicFrame::default);
        }
        &mut self.frames[depth]
    }

    /// Records a decision that may take these edges, with its condition and the outcome.
    fn decide(
        &mut self,
        mut edges: impl Iterator<Item = EdgeId>,
        condition: Option<ExpressionId>,
        holds: bool,
    ) {
        let is_wanted = edges.any(|edge| edge == self.wanted);
        let condition = condition.filter(|condition| self.path.expressions.constant(*condition).is_none());
        let Some(condition) = condition else {
            self.is_constant |= is_wanted;
            return;
        };
        let decisions = &mut self.path.decisions;
        if decisions.len() < MOST_DECISIONS {
            if is_wanted {
                self.path.targets.push(decisions.len());
            }
            decisions.push(PathDecision { condition, holds });
        }
    }

    /// Records the decision of an assertion or assumption that the frame at `depth` calls.
    pub(crate) fn compared(
        &mut self,
        depth: usize,
        edges: impl Iterator<Item = EdgeId>,
        by: CheatcodeComparison,
    ) {
        let Some(PendingFrame { input, .. }) =
            self.frames.get(depth).and_then(|frame| frame.pending.as_ref())
        else {
            return;
        };
        let all = &mut self.path.expressions;
        let mut word = |nth: usize, value: U256| {
            let word = input.word(4 + 32 * nth, value, all)?;
            (all.value(word) == value).then_some(word)
        };
        match by {
            CheatcodeComparison::Truth(nth, value, _) => {
                let condition = word(nth, value);
                self.decide(edges, condition, !value.is_zero());
            }
            CheatcodeComparison::Relation(relation, operands, _) => {
                let words = operands.map(|operand| word(operand.argument?, operand.word));
                if words.iter().all(Option::is_none) {
                    return;
                }
                let operator = match relation {
                    Relation::Equal => WordOperator::Equal,
                    Relation::Less => WordOperator::Less,
                    Relation::SignedLess => WordOperator::SignedLess,
                };
                let [left, right] = operands.map(|operand| operand.word);
                let operands = [(words[0], left), (words[1], right)]
                    .map(|(word, value)| word.unwrap_or_else(|| all.add(Expression::Constant, value)));
                let holds = relation.holds(left, right);
                let condition = all.operation(operator, operands.into(), U256::from(holds));
                self.decide(edges, Some(condition), holds);
            }
        }
    }
}

/// Selectors of `warp(uint256)`, `roll(uint256)`, `prank(address)` and `startPrank(address)`.
const WARP: u32 = 0xe5d6_bf02;
const ROLL: u32 = 0x1f7b_4f30;
const PRANK: u32 = 0xca66_9fa7;
const START_PRANK: u32 = 0x0644_7d56;

/// Runs a frame until it calls or ends, and follows each instruction.
pub(crate) fn run(
    interpreter: &mut Interpreter<EthInterpreter>,
    table: &InstructionTable<EthInterpreter, Ctx>,
    gas: &GasTable,
    host: &mut Ctx,
) -> InterpreterAction {
    stepping::tracked(interpreter, table, gas, host, |host| &mut host.chain.symbolic, instructions::before)
}
