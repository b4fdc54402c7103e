//! Comparisons of a call, recorded to be added again in place of an equal call that does not run.

use super::{CmpLog, CmpSite, CodeKey, Evaluation, copied_expr::CopiedExpr};
use crate::evm::trace::read_set::StateRead;
use crate::model::branch::Slot;
use alloy_primitives::U256;
use revm::bytecode::opcode;
use rustc_hash::FxHashSet;

/// Maximum number of comparisons that are recorded of calls.
pub(super) const MOST_RECORDED: usize = 1 << 14;

/// Comparison at a place of code, in whatever transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallBranch {
    pub(super) code: CodeKey,
    pub(super) pc: usize,
    pub(super) seen: Evaluation,
}

/// Part of a transaction's trace that a call adds, besides its reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct TracedCall {
    branches: Box<[CallBranch]>,
    /// Expression of the word that it returned. None if it returned something else than a word.
    returned: Option<CopiedExpr>,
}

impl TracedCall {
    /// Returns the bytes that it owns.
    pub(crate) fn size(&self) -> usize {
        size_of_val(&*self.branches) + self.returned.as_ref().map_or(0, CopiedExpr::size)
    }
}

impl CmpLog {
    /// Begins or ends the recording of the comparisons of calls. Those so far are forgotten.
    pub(crate) fn record_calls(&mut self, on: bool) {
        self.records_calls = on && self.on;
        self.of_calls.clear();
    }

    /// Returns the number of comparisons since the recording began.
    pub(crate) fn branch_count(&self) -> usize {
        self.of_calls.len()
    }

    /// Returns what a call of the frame at `depth` has added, whose comparisons begin with this one. Returns `None` if
    /// that is too much.
    pub(crate) fn traced_call(&self, depth: usize, from: usize) -> Option<TracedCall> {
        let returned = match self.frames.get(depth).and_then(|frame| frame.returned) {
            Some(node) => Some(self.exprs.copied(node)?),
            None => None,
        };
        let mut known = FxHashSet::default();
        let all = self.of_calls.get(from..).filter(|_| self.of_calls.len() < MOST_RECORDED)?;
        // The same comparison at the same place changes nothing.
        let branches = all.iter().filter(|branch| known.insert(**branch)).copied().collect();
        Some(TracedCall { branches, returned })
    }

    /// Adds what a call of the frame at `depth` adds that does not run, with its reads. `place` returns the place of
    /// code in this transaction.
    pub(crate) fn recall(
        &mut self,
        call: &TracedCall,
        reads: &[(StateRead, U256)],
        depth: usize,
        place: impl Fn(CodeKey, usize) -> CmpSite,
    ) {
        for (read, value) in reads {
            match *read {
                StateRead::Word(slot) => self.touched.load(slot, *value),
                StateRead::Environment(opcode::TIMESTAMP) => self.touched.load(Slot::TIMESTAMP, *value),
                StateRead::Environment(opcode::NUMBER) => self.touched.load(Slot::BLOCK_NUMBER, *value),
                StateRead::Environment(_) | StateRead::Code(_) | StateRead::Balance(_) => {}
            }
        }
        for CallBranch { code, pc, seen } in &*call.branches {
            self.record(place(*code, *pc), *seen);
        }
        if let Some(returned) = &call.returned {
            let node = self.exprs.paste(returned);
            if let Some(caller) = self.frames.get_mut(depth) {
                caller.store(caller.result, node);
            }
        }
    }

    /// Tells whether comparisons in a call that the frame at `depth` makes do not depend on how its arguments were
    /// computed.
    pub(crate) fn passes_plain_words(&self, depth: usize, input: &[u8]) -> bool {
        let Some(frame) = self.frames.get(depth) else { return true };
        let selector = input.len() % 32;
        input.get(selector..).unwrap_or_default().chunks_exact(32).enumerate().all(|(index, word)| {
            let tag = frame.load(frame.arguments.saturating_add(selector + 32 * index));
            let word = U256::from_be_slice(word);
            self.exprs.hides_origin(self.exprs.valid(tag, word))
        })
    }
}
