//! Facts about the words on the stack of one frame.

use alloy_primitives::U256;
use revm::bytecode::opcode as op;

/// Facts about the words on a stack, by position from the bottom. Words without a fact have the default.
#[derive(Clone, Debug, Default)]
pub(super) struct ShadowStack<T>(Vec<T>);

impl<T: Copy + Default + PartialEq> ShadowStack<T> {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(super) fn at(&self, position: usize) -> T {
        self.0.get(position).copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn set(&mut self, position: usize, fact: T) {
        if self.0.len() <= position {
            if fact == T::default() {
                return;
            }
            self.0.resize(position + 1, T::default());
        }
        self.0[position] = fact;
    }

    /// Follows an instruction that only moves words on the stack of this height, as most do. Returns false for other
    /// instructions.
    #[inline]
    pub(super) fn moves(&mut self, instruction: u8, height: usize) -> bool {
        match instruction {
            op::PUSH0..=op::PUSH32 => self.set(height, T::default()),
            op::DUP1..=op::DUP16 => {
                let below = usize::from(instruction - op::DUP1) + 1;
                self.set(height, height.checked_sub(below).map_or_else(T::default, |place| self.at(place)));
            }
            op::SWAP1..=op::SWAP16 => {
                let below = usize::from(instruction - op::SWAP1) + 2;
                if height >= below {
                    self.swap(height - 1, height - below);
                }
            }
            op::POP | op::JUMPDEST => {}
            _ => return false,
        }
        true
    }

    fn swap(&mut self, a: usize, b: usize) {
        let (left, right) = (self.at(a), self.at(b));
        self.set(a, right);
        self.set(b, left);
    }
}

/// Converts an offset or length on the stack; values that do not fit are clamped.
pub(super) fn index(word: U256) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_move_with_their_words() {
        let mut stack = ShadowStack::<u8>::default();
        stack.set(0, 7);
        assert!(stack.moves(op::PUSH1, 1) && stack.moves(op::DUP2, 2));
        assert_eq!([0, 1, 2].map(|place| stack.at(place)), [7, 0, 7]);
        assert!(stack.moves(op::SWAP1, 3));
        assert_eq!([0, 1, 2].map(|place| stack.at(place)), [7, 7, 0]);
        assert!(stack.moves(op::SWAP16, 3) && stack.moves(op::DUP16, 3), "a stack that is too low");
        assert!(!stack.moves(op::ADD, 3));
    }
}
