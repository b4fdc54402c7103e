//! Expressions of one frame.

use super::bytes::SymbolicBytes;
use crate::{
    evm::trace::shadow_stack::ShadowStack,
    model::{ExpressionId, SymbolicInput, WordOperator},
};

/// Call that has begun and not ended.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingFrame {
    /// Its calldata, or the code that a creation runs.
    pub(super) input: SymbolicBytes,
    pub(super) is_creation: bool,
    /// Wei sent along.
    pub(super) value: Option<ExpressionId>,
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
    /// An input.
    Input(SymbolicInput),
    /// Result of an operation.
    Operation(WordOperator, Box<[ExpressionId]>),
    /// An expression, or else an input that is used if the expression has another value.
    Known(Option<ExpressionId>, Option<SymbolicInput>),
    /// Word of memory at an offset.
    Memory(usize),
    /// Word of the calldata at an offset.
    Calldata(usize),
    /// Word of the code at an offset.
    Code(usize),
    /// Account that a creation created.
    Created,
}

/// Expressions of one frame.
#[derive(Clone, Debug, Default)]
pub(super) struct SymbolicFrame {
    pub(super) stack: ShadowStack<Option<ExpressionId>>,
    pub(super) memory: SymbolicBytes,
    pub(super) calldata: SymbolicBytes,
    /// Code, of which arguments of a constructor and immutables may be expressions.
    pub(super) code: SymbolicBytes,
    /// Wei that the frame received.
    pub(super) value: Option<ExpressionId>,
    /// Return data of the last call.
    pub(super) returned: SymbolicBytes,
    /// Return data of this frame, once it has ended.
    pub(super) result: SymbolicBytes,
    /// Code that the last creation returned.
    pub(super) created: SymbolicBytes,
    pub(super) pending: Option<PendingFrame>,
    /// Result of the last instruction, with its position on the stack.
    pub(super) pushed: Option<(usize, Pushed)>,
}

impl SymbolicFrame {
    pub(super) fn begin(
        &mut self,
        calldata: SymbolicBytes,
        code: SymbolicBytes,
        value: Option<ExpressionId>,
    ) {
        self.stack.clear();
        for bytes in [&mut self.memory, &mut self.returned, &mut self.result] {
            bytes.clear();
        }
        (self.calldata, self.code, self.value) = (calldata, code, value);
        (self.pending, self.pushed) = (None, None);
    }
}
