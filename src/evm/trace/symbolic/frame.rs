//! Expressions of one frame.

use super::bytes::SymbolicBytes;
use crate::model::{Expression, ExpressionId};
use alloy_primitives::U256;
use revm::bytecode::opcode as op;

/// Call that has begun and not ended.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingFrame {
    /// Its calldata.
    pub(super) input: SymbolicBytes,
    /// True if code of the callee runs.
    pub(super) is_entered: bool,
    /// Offset and length of the result in memory.
    pub(super) result: (usize, usize),
    /// Number of storage writes before it began.
    pub(super) writes: usize,
}

/// Word that the last instruction pushes. Its value is known at the next instruction.
#[derive(Clone, Debug)]
pub(super) enum Pushed {
    /// Result of an operation, or an input.
    Expression(Expression),
    /// Word of memory at an offset.
    Memory(usize),
    /// Word of the calldata at an offset.
    Calldata(usize),
}

/// Expressions of one frame.
#[derive(Clone, Debug, Default)]
pub(super) struct SymbolicFrame {
    stack: Vec<Option<ExpressionId>>,
    pub(super) memory: SymbolicBytes,
    pub(super) calldata: SymbolicBytes,
    /// Return data of the last call.
    pub(super) returned: SymbolicBytes,
    /// Return data of this frame, once it has ended.
    pub(super) result: SymbolicBytes,
    pub(super) pending: Option<PendingFrame>,
    /// Result of the last instruction, with its position on the stack.
    pub(super) pushed: Option<(usize, Pushed)>,
}

impl SymbolicFrame {
    pub(super) fn begin(&mut self, calldata: SymbolicBytes) {
        self.stack.clear();
        for bytes in [&mut self.memory, &mut self.returned, &mut self.result] {
            bytes.clear();
        }
        self.calldata = calldata;
        (self.pending, self.pushed) = (None, None);
    }

    /// Returns the expression at a position of the stack, counted from the bottom.
    #[inline]
    pub(super) fn at(&self, position: usize) -> Option<ExpressionId> {
        self.stack.get(position).copied().flatten()
    }

    #[inline]
    pub(super) fn set(&mut self, position: usize, word: Option<ExpressionId>) {
        if self.stack.len() <= position {
            if word.is_none() {
                return;
            }
            self.stack.resize(position + 1, None);
        }
        self.stack[position] = word;
    }

    /// Follows an instruction that only moves words on the stack of this height, as most do. Returns false for other
    /// instructions.
    #[inline]
    pub(super) fn moves(&mut self, instruction: u8, height: usize) -> bool {
        match instruction {
            op::PUSH0..=op::PUSH32 => self.set(height, None),
            op::DUP1..=op::DUP16 => {
                let below = usize::from(instruction - op::DUP1) + 1;
                let word = height.checked_sub(below).and_then(|position| self.at(position));
                self.set(height, word);
            }
            op::SWAP1..=op::SWAP16 => {
                let below = usize::from(instruction - op::SWAP1) + 2;
                if height >= below {
                    let (top, other) = (self.at(height - 1), self.at(height - below));
                    self.set(height - 1, other);
                    self.set(height - below, top);
                }
            }
            op::POP | op::JUMPDEST => {}
            _ => return false,
        }
        true
    }
}

/// Converts an offset or length on the stack; values that do not fit are clamped.
pub(super) fn index(word: U256) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}
