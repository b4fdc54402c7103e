//! Taint of the stack, memory and calldata of one frame.

use super::{word::Taint, wraps::Arithmetic};
use crate::evm::base::place::CodePlace;
use alloy_primitives::U256;
use std::collections::VecDeque;

/// Bytes that share a taint: selectors of four bytes put all words behind them at odd places.
const GRAIN: usize = 4;
/// Grains of memory that are followed at most.
const MOST: usize = 1 << 16;

/// Bytes in a row, as of memory; those beyond the end have no taint.
#[derive(Clone, Debug, Default)]
pub(super) struct Tainted(Vec<Taint>);

impl Tainted {
    /// All that is known of a range of bytes.
    pub(super) fn range(&self, offset: usize, length: usize) -> Taint {
        let range = grains(offset, length);
        let end = range.end.min(self.0.len());
        let grains = self.0.get(range.start..end).unwrap_or_default();
        grains.iter().fold(Taint::NONE, |all, grain| all | *grain)
    }

    /// Bytes were written. What is written in part keeps what it had.
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

    /// Copies from elsewhere, grain by grain as far as that goes.
    pub(super) fn copy(&mut self, offset: usize, from: &Self, start: usize, length: usize) {
        for done in (0..length.min(MOST * GRAIN)).step_by(GRAIN) {
            let size = GRAIN.min(length - done);
            self.write(offset.saturating_add(done), size, from.range(start.saturating_add(done), size));
        }
    }

    /// A part of it, for another frame.
    pub(super) fn part(&self, offset: usize, length: usize) -> Self {
        let mut part = Self::default();
        part.copy(0, self, offset, length);
        part
    }
}

/// The grains that a range of bytes touches.
fn grains(offset: usize, length: usize) -> std::ops::Range<usize> {
    if length == 0 {
        return 0..0;
    }
    offset / GRAIN..offset.saturating_add(length).div_ceil(GRAIN)
}

/// A call that was begun.
#[derive(Clone, Debug)]
pub(super) struct PendingCall {
    /// Index among the transaction's calls; `None` of one that is not noted.
    pub(super) number: Option<usize>,
    /// Place on the stack of its success.
    pub(super) outcome: usize,
    /// Where in memory the result goes.
    pub(super) result: (usize, usize),
    /// Writes to storage, accounts written to and contracts destroyed before it began.
    pub(super) writes: usize,
    pub(super) wrote: usize,
    pub(super) destroyed: usize,
    /// What it sends along.
    pub(super) input: Tainted,
    /// Whether code of the callee runs.
    pub(super) is_entered: bool,
}

/// One frame.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameTaint {
    stack: Vec<Taint>,
    /// The last sums, differences and products.
    arithmetic: VecDeque<Arithmetic>,
    pub(super) memory: Tainted,
    pub(super) calldata: Tainted,
    /// Of the last call that it made.
    pub(super) returned: Tainted,
    pub(super) pending: Option<PendingCall>,
    /// What it returns, once it has ended.
    pub(super) result: Tainted,
    /// Where it decided last.
    pub(super) decided_at: Option<CodePlace>,
    /// The failed calls by whose success it decided last.
    pub(super) by_failures: u32,
}

/// Sums, differences and products that are remembered of one frame: they are masked soon.
const REMEMBERED: usize = 32;

impl FrameTaint {
    pub(super) fn begin(&mut self, calldata: Tainted) {
        self.stack.clear();
        self.arithmetic.clear();
        self.memory = Tainted::default();
        self.calldata = calldata;
        self.returned = Tainted::default();
        self.pending = None;
        self.result = Tainted::default();
        (self.decided_at, self.by_failures) = (None, 0);
    }

    /// Remembers what was computed.
    pub(super) fn computed(&mut self, arithmetic: Arithmetic) {
        self.arithmetic.truncate(REMEMBERED - 1);
        self.arithmetic.push_front(arithmetic);
    }

    /// What a word was computed from, if that was done just now.
    pub(super) fn made_from(&self, word: U256) -> Option<&Arithmetic> {
        self.arithmetic.iter().find(|arithmetic| arithmetic.result == word)
    }

    /// Taint of a place on the stack, counted from the bottom.
    pub(super) fn at(&self, place: usize) -> Taint {
        self.stack.get(place).copied().unwrap_or(Taint::NONE)
    }

    pub(super) fn set(&mut self, place: usize, taint: Taint) {
        if self.stack.len() <= place {
            if taint == Taint::NONE {
                return;
            }
            self.stack.resize(place + 1, Taint::NONE);
        }
        self.stack[place] = taint;
    }

    pub(super) fn swap(&mut self, a: usize, b: usize) {
        let (left, right) = (self.at(a), self.at(b));
        self.set(a, right);
        self.set(b, left);
    }
}

/// An offset or a length on the stack; what does not fit is as far as can be.
pub(super) fn index(word: U256) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Origins;

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
