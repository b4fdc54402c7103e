//! Tags of a running frame: ids of the nodes of words on its stack and in its memory.

use super::exprs::ExprId;
use rustc_hash::FxHashMap;

/// Maximum number of words on a stack.
const STACK: usize = 1024;

/// Maximum number of tagged memory words per frame.
const REMEMBERED: usize = 1 << 12;

/// Tags of one frame.
#[derive(Clone, Debug)]
pub(in crate::evm) struct FrameTags {
    stack: [ExprId; STACK],
    /// End of the tagged part of the stack: positions from here on have no tags.
    top: usize,
    memory: FxHashMap<usize, ExprId>,
    /// Memory offsets of the arguments and of the result of the call that is being made.
    pub(in crate::evm) arguments: usize,
    pub(in crate::evm) result: usize,
    /// Stack position of its success flag.
    pub(in crate::evm) outcome: usize,
    /// Tag of the word that it returned. None if it returned something else.
    pub(in crate::evm) returned: Option<ExprId>,
}

impl Default for FrameTags {
    fn default() -> Self {
        Self {
            stack: [0; STACK],
            top: 0,
            memory: FxHashMap::default(),
            arguments: 0,
            result: 0,
            outcome: 0,
            returned: None,
        }
    }
}

impl FrameTags {
    /// Clears all tags for a new frame.
    pub(in crate::evm) fn reset(&mut self) {
        self.stack[..self.top].fill(0);
        self.top = 0;
        self.memory.clear();
    }

    /// Returns the tag of a stack position, counted from the bottom; zero means none.
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

    /// Sets the tag of a word written to memory.
    pub(in crate::evm) fn store(&mut self, offset: usize, node: ExprId) {
        if node == 0 {
            if !self.memory.is_empty() {
                self.memory.remove(&offset);
            }
        } else if self.memory.len() < REMEMBERED {
            self.memory.insert(offset, node);
        }
    }

    /// Returns the tag of a memory word; zero means none.
    pub(in crate::evm) fn load(&self, offset: usize) -> ExprId {
        self.memory.get(&offset).copied().unwrap_or_default()
    }
}
