//! Taint of a word.

use crate::model::Origins;
use alloy_primitives::{Address, U256};
use rustc_hash::FxHasher;
use std::{
    hash::{Hash as _, Hasher as _},
    ops::{BitOr, BitOrAssign},
};

/// Maximum number of calls and wraps that are distinguished; new ones replace the oldest.
pub(super) const KEPT: usize = 32;

/// Least number of seconds of a period. Whoever makes a block cannot choose its time by as much: nodes refused blocks
/// from so far in the future.
pub(super) const LEAST_PERIOD_S: U256 = U256::from_limbs([900, 0, 0, 0]);

/// Origins of a word, and the calls and wraps that it depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taint {
    pub(super) origins: Origins,
    /// Calls whose success flag it depends on, one bit each.
    pub(super) calls: u32,
    /// Wraps whose result it is, one bit each.
    pub(super) wraps: u32,
    /// Wraps whose result was compared by size to compute it, one bit each.
    pub(super) compared: u32,
    /// Hash of the storage slot that it was just read from; zero for other words.
    pub(super) slot: u32,
    /// Hash of the storage slot whose word and a constant it is the sum of; zero for other words.
    pub(super) grown: u32,
    /// Set of the marks below.
    pub(super) marks: u8,
    /// Number of the instruction that read the block's data that it depends on, counted from one; zero for
    /// none.
    pub(super) source: u8,
}

impl Taint {
    /// No taint.
    pub(super) const NONE: Self = Self {
        origins: Origins::NONE,
        calls: 0,
        wraps: 0,
        compared: 0,
        slot: 0,
        grown: 0,
        marks: 0,
        source: 0,
    };
    /// Mark of a signed number.
    pub(super) const SIGNED: u8 = 1;
    /// Mark of the result of intended modular arithmetic.
    pub(super) const MODULAR: u8 = 1 << 1;
    /// Mark of a word that is not a constant in the code.
    pub(super) const DATA: u8 = 1 << 2;
    /// Mark of a hash, or of a storage slot derived from one.
    pub(super) const HASH: u8 = 1 << 3;
    /// Mark of a product that was just divided by one of its factors, to check that it did not wrap.
    pub(super) const FACTOR: u8 = 1 << 4;
    /// Mark of the wei that came in with a call.
    pub(super) const WEI: u8 = 1 << 5;

    pub(super) fn of(origins: Origins) -> Self {
        Self { origins, ..Self::NONE }
    }

    pub(super) fn of_call(number: usize) -> Self {
        Self { calls: 1 << (number % KEPT), ..Self::NONE }
    }

    pub(super) fn is(self, mark: u8) -> bool {
        self.marks & mark != 0
    }

    pub(super) fn with(self, mark: u8) -> Self {
        Self { marks: self.marks | mark, ..self }
    }

    pub(super) fn without(self, mark: u8) -> Self {
        Self { marks: self.marks & !mark, ..self }
    }

    /// Tells whether the word was just read from storage.
    pub(super) fn is_loaded(self) -> bool {
        self.slot != 0
    }

    /// Returns the taint of a word that was computed from this one.
    pub(super) fn used(self) -> Self {
        Self { slot: 0, grown: 0, ..self.without(Self::FACTOR | Self::WEI) }
    }

    /// Returns the taint of a number that was drawn from this word.
    pub(super) fn drawn(self) -> Self {
        Self { origins: self.origins.drawn(), ..self }
    }

    /// Returns the taint of a number of periods. To count by days is no choice; see also [`Origins::of_place`].
    pub(super) fn of_period(self) -> Self {
        Self { origins: self.origins.without(Origins::TIME | Origins::PAST_TIME), ..self }
    }

    /// Returns the taint of a word after a part of it was cut off, or after a comparison. A part of a hash is
    /// drawn from what was hashed.
    pub(super) fn drawn_if_hash(self) -> Self {
        if self.is(Self::HASH) { self.drawn() } else { self }
    }

    /// Returns the taint of this operand of a sum or difference. The remainder of a time that is added to a
    /// time, or taken from it, only rounds it.
    pub(super) fn rounding(self, other: Self) -> Self {
        let time = Origins::TIME | Origins::BLOCK | Origins::PAST_TIME | Origins::PAST_BLOCK;
        let is_rounding = self.is_drawn() && !other.is_drawn() && other.origins.has(time);
        if is_rounding { Self { origins: self.origins.without(Origins::DRAWN), ..self } } else { self }
    }

    fn is_drawn(self) -> bool {
        self.origins.has(Origins::DRAWN)
    }

    /// Returns the taint of a result from which the wrapped operand can no longer be told.
    pub(super) fn scrambled(self) -> Self {
        Self { wraps: 0, ..self.without(Self::HASH) }
    }
}

impl BitOr for Taint {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        // What was drawn matters more.
        let is_first = match (self.is_drawn(), other.is_drawn()) {
            (false, true) => self.source != 0 && other.source == 0,
            (true, false) => true,
            _ => self.source != 0,
        };
        Self {
            origins: self.origins | other.origins,
            calls: self.calls | other.calls,
            wraps: self.wraps | other.wraps,
            compared: self.compared | other.compared,
            slot: if self.is_loaded() { self.slot } else { other.slot },
            grown: if self.grown != 0 { self.grown } else { other.grown },
            marks: self.marks | other.marks,
            source: if is_first { self.source } else { other.source },
        }
    }
}

impl BitOrAssign for Taint {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// Returns a hash of a storage slot that is not zero.
pub(super) fn slot_hash((account, slot): (Address, U256)) -> u32 {
    let mut hasher = FxHasher::default();
    (account, slot).hash(&mut hasher);
    (hasher.finish() >> 32) as u32 | 1
}
