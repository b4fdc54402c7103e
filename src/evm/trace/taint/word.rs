//! Taint of a word.

use crate::model::Origins;
use std::ops::{BitOr, BitOrAssign};

/// Maximum number of calls and wraps that are distinguished; new ones replace the oldest.
pub(super) const KEPT: usize = 32;

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
    /// Set of the marks below.
    pub(super) marks: u8,
}

impl Taint {
    /// No taint.
    pub(super) const NONE: Self =
        Self { origins: Origins::NONE, calls: 0, wraps: 0, compared: 0, slot: 0, marks: 0 };
    /// Mark of a signed number.
    pub(super) const SIGNED: u8 = 1;
    /// Mark of the result of intended modular arithmetic.
    pub(super) const MODULAR: u8 = 1 << 1;
    /// Mark of a word that is not a constant in the code.
    pub(super) const DATA: u8 = 1 << 2;
    /// Mark of a hash, or of a storage slot derived from one.
    pub(super) const HASH: u8 = 1 << 3;

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
        Self { slot: 0, ..self }
    }

    /// Returns the taint of a result from which the wrapped operand can no longer be told.
    pub(super) fn scrambled(self) -> Self {
        Self { wraps: 0, ..self.without(Self::HASH) }
    }
}

impl BitOr for Taint {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            origins: self.origins | other.origins,
            calls: self.calls | other.calls,
            wraps: self.wraps | other.wraps,
            compared: self.compared | other.compared,
            slot: if self.is_loaded() { self.slot } else { other.slot },
            marks: self.marks | other.marks,
        }
    }
}

impl BitOrAssign for Taint {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}
