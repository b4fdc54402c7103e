//! Taint of the stack, memory and calldata of one frame.

use super::{word::Taint, wraps::Arithmetic};
use crate::{
    evm::{base::place::CodePlace, trace::shadow_stack::ShadowStack},
    model::Origins,
};
use alloy_primitives::U256;
use std::collections::VecDeque;

/// Number of bytes that share one taint: after a selector of four bytes, words are not aligned to 32 bytes.
const GRAIN: usize = 4;
/// Maximum number of grains of memory whose taint is tracked.
const MOST: usize = 1 << 16;

/// Taint of a byte sequence, for example memory. Bytes beyond the end have no taint.
#[derive(Clone, Debug, Default)]
pub(super) struct Tainted(Vec<Taint>);

impl Tainted {
    /// Returns the combined taint of a range of bytes.
    pub(super) fn range(&self, offset: usize, length: usize) -> Taint {
        let range = grains(offset, length);
        let end = range.end.min(self.0.len());
        let grains = self.0.get(range.start..end).unwrap_or_default();
        grains.iter().fold(Taint::NONE, |all, grain| all | *grain)
    }

    /// Sets the taint of written bytes. Grains that are written in part keep their old taint as well.
    pub(super) fn write(&mut self, offset: usize, length: usize, taint: Taint) {
        let range = grains(offset, length);
        let end = range.end.min(MOST);
        if taint == Taint::NONE && range.start >= self.0.len() {
            return;
        }
        if self.0.len() < end {
            self.0.resize(end, Taint::NONE);
        }
        for grain in range.start..end {
            let is_whole = offset <= grain * GRAIN && (grain + 1) * GRAIN <= offset.saturating_add(length);
            self.0[grain] = if is_whole { taint } else { self.0[grain] | taint };
        }
    }

    /// Copies taint from elsewhere, grain by grain if possible.
    pub(super) fn copy(&mut self, offset: usize, from: &Self, start: usize, length: usize) {
        for done in (0..length.min(MOST * GRAIN)).step_by(GRAIN) {
            let size = GRAIN.min(length - done);
            self.write(offset.saturating_add(done), size, from.range(start.saturating_add(done), size));
        }
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns a part of it, for another frame.
    pub(super) fn part(&self, offset: usize, length: usize) -> Self {
        let mut part = Self::default();
        part.copy(0, self, offset, length);
        part
    }
}

/// Returns the grains that a range of bytes touches.
fn grains(offset: usize, length: usize) -> std::ops::Range<usize> {
    if length == 0 {
        return 0..0;
    }
    offset / GRAIN..offset.saturating_add(length).div_ceil(GRAIN)
}

/// Call that has begun and not ended.
#[derive(Clone, Debug)]
pub(super) struct PendingCall {
    /// Index among the recorded calls of the transaction; `None` if it is not recorded.
    pub(super) number: Option<usize>,
    /// Stack position of its success flag.
    pub(super) outcome: usize,
    /// Offset and length of the result in memory.
    pub(super) result: (usize, usize),
    /// Numbers of storage writes, destroyed contracts and wraps before it began.
    pub(super) writes: usize,
    pub(super) destroyed: usize,
    pub(super) wraps: usize,
    /// Taint of its calldata.
    pub(super) input: Tainted,
    /// True if code of the callee runs.
    pub(super) is_entered: bool,
}

/// Taint of one frame.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameTaint {
    pub(super) stack: ShadowStack<Taint>,
    /// Most recent sums, differences and products.
    arithmetic: VecDeque<Arithmetic>,
    pub(super) memory: Tainted,
    pub(super) calldata: Tainted,
    /// Return data of the last call.
    pub(super) returned: Tainted,
    pub(super) pending: Option<PendingCall>,
    /// Return data of this frame, once it has ended.
    pub(super) result: Tainted,
    /// Place of its last conditional jump.
    pub(super) decided_at: Option<CodePlace>,
    /// Origins of the condition of its last conditional jump.
    pub(super) decided_by: Origins,
    /// Failed calls whose success its last conditional jump depended on, one bit each.
    pub(super) by_failures: u32,
    /// True if it reverted as a function of a token that refuses a transfer.
    pub(super) is_refusal: bool,
}

/// Maximum number of arithmetic results kept per frame; masks follow soon after the computation.
const REMEMBERED: usize = 32;

impl FrameTaint {
    pub(super) fn begin(&mut self, calldata: Tainted) {
        self.stack.clear();
        self.arithmetic.clear();
        // Memory is allocated once for all frames of this depth.
        [&mut self.memory, &mut self.returned, &mut self.result].into_iter().for_each(Tainted::clear);
        self.calldata = calldata;
        self.pending = None;
        (self.decided_at, self.decided_by, self.by_failures) = (None, Origins::NONE, 0);
        self.is_refusal = false;
    }

    /// Records an arithmetic result.
    pub(super) fn computed(&mut self, arithmetic: Arithmetic) {
        self.arithmetic.truncate(REMEMBERED - 1);
        self.arithmetic.push_front(arithmetic);
    }

    /// Returns the recent computation of a word, if it is still kept.
    pub(super) fn made_from(&self, word: U256) -> Option<&Arithmetic> {
        self.arithmetic.iter().find(|arithmetic| arithmetic.result == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_over_whole_grains_is_all_that_is_known_of_them() {
        let [time, input] = [Origins::TIME, Origins::INPUT].map(Taint::of);
        let mut memory = Tainted::default();
        memory.write(32, 32, time);
        memory.write(42, 4, input);
        assert_eq!(memory.range(0, 32), Taint::NONE);
        assert_eq!(memory.range(60, 8), time);
        assert_eq!(memory.range(40, 8), time | input);
        memory.write(32, 32, Taint::NONE);
        assert_eq!(memory.range(0, 96), Taint::NONE);
        memory.write(usize::MAX, 32, time);
        memory.write(0, usize::MAX, Taint::NONE);
    }

    #[test]
    fn copies_keep_words_apart() {
        let mut from = Tainted::default();
        from.write(36, 32, Taint::of(Origins::TIME));
        let part = from.part(4, 96);
        assert_eq!(part.range(0, 32), Taint::NONE);
        assert_eq!(part.range(32, 32), Taint::of(Origins::TIME));
        assert_eq!(part.range(64, 32), Taint::NONE);
    }
}
