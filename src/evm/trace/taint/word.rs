//! What is known of a word's making.

use crate::model::Origins;
use std::ops::{BitOr, BitOrAssign};

/// Calls and wraps that are told apart; older ones give way.
pub(super) const KEPT: usize = 32;

/// Sources of a word, and whether it stems from the success of a call or from arithmetic that wrapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taint {
    pub(super) origins: Origins,
    /// Calls whose success it tells, a bit each.
    pub(super) calls: u32,
    /// Wraps whose result it is.
    pub(super) wraps: u32,
    /// Wraps whose result was compared by size to get it.
    pub(super) compared: u32,
    /// What else is known.
    pub(super) marks: u8,
}

impl Taint {
    /// Nothing known.
    pub(super) const NONE: Self = Self { origins: Origins::NONE, calls: 0, wraps: 0, compared: 0, marks: 0 };
    /// A number that may be negative.
    pub(super) const SIGNED: u8 = 1;
    /// Computed modulo something on purpose.
    pub(super) const MODULAR: u8 = 1 << 1;
    /// Just read from storage.
    pub(super) const LOADED: u8 = 1 << 2;
    /// No constant of the code.
    pub(super) const DATA: u8 = 1 << 3;
    /// A hash, or a place in storage behind one.
    pub(super) const HASH: u8 = 1 << 4;

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

    /// Of a word from which the wrapped result cannot be seen any more.
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
            marks: self.marks | other.marks,
        }
    }
}

impl BitOrAssign for Taint {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}
