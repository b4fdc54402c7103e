//! Expressions of one frame.

use super::bytes::SymbolicBytes;
use crate::{
    evm::trace::shadow_stack::ShadowStack,
    model::{Expression, ExpressionId},
};

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
    pub(super) stack: ShadowStack<Option<ExpressionId>>,
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
}
