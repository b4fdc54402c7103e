//! Which node a word on the stack or in memory belongs to, for each frame that runs.

use super::exprs::ExprId;
use rustc_hash::FxHashMap;

/// Words that a stack can hold.
const STACK: usize = 1024;

/// Tagged words of memory that are remembered of one frame at most.
const REMEMBERED: usize = 1 << 12;

/// The tags of one frame.
#[derive(Clone, Debug)]
pub(in crate::evm) struct FrameTags {
    stack: [ExprId; STACK],
    /// Positions from this one on have no tags.
    top: usize,
    memory: FxHashMap<usize, ExprId>,
    /// Offsets in memory of the arguments and of the result of the call that is being made.
    pub(in crate::evm) arguments: usize,
    pub(in crate::evm) result: usize,
    /// Position on the stack where its success goes.
    pub(in crate::evm) outcome: usize,
}

impl Default for FrameTags {
    fn default() -> Self {
        Self { stack: [0; STACK], top: 0, memory: FxHashMap::default(), arguments: 0, result: 0, outcome: 0 }
    }
}

impl FrameTags {
    /// For a new frame at this depth.
    pub(in crate::evm) fn reset(&mut self) {
        self.stack[..self.top].fill(0);
        self.top = 0;
        self.memory.clear();
    }

    /// Tag of a position, counted from the bottom of the stack; zero is none.
    pub(in crate::evm) fn at(&self, position: usize) -> ExprId {
        self.stack[position % STACK]
    }

    pub(in crate::evm) fn set(&mut self, position: usize, node: ExprId) {
        let position = position % STACK;
        self.stack[position] = node;
        self.top = self.top.max(position + 1);
    }

    pub(in crate::evm) fn swap(&mut self, a: usize, b: usize) {
        let (a, b) = (a % STACK, b % STACK);
        self.stack.swap(a, b);
        self.top = self.top.max(a.max(b) + 1);
    }

    /// A word was written to memory.
    pub(in crate::evm) fn store(&mut self, offset: usize, node: ExprId) {
        if node == 0 {
            if !self.memory.is_empty() {
                self.memory.remove(&offset);
            }
        } else if self.memory.len() < REMEMBERED {
            self.memory.insert(offset, node);
        }
    }

    /// Tag of a word of memory; zero is none.
    pub(in crate::evm) fn load(&self, offset: usize) -> ExprId {
        self.memory.get(&offset).copied().unwrap_or_default()
    }
}
