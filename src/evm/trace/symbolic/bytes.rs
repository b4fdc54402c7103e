//! Expressions behind a sequence of bytes, for example memory.

use crate::model::{Expression, ExpressionId, Expressions, WordOperator};
use alloy_primitives::U256;
use std::ops::Range;

/// Maximum number of bytes that are tracked.
const MOST: usize = 1 << 18;

/// A byte of an expression; the most significant byte has index 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SymbolicByte {
    of: ExpressionId,
    index: u8,
}

/// Expressions behind a sequence of bytes. Bytes that no input changes have none, nor have those beyond the end.
#[derive(Clone, Debug, Default)]
pub(super) struct SymbolicBytes(Vec<Option<SymbolicByte>>);

/// Bytes of one expression that follow each other in a word, from index `at` on.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: SymbolicByte,
    at: usize,
    length: usize,
}

impl SymbolicBytes {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Tells whether no input changes any byte.
    pub(super) fn is_constant(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes a word, or a constant one for `None`.
    pub(super) fn write(&mut self, offset: usize, word: Option<ExpressionId>) {
        let byte = |index: u8| word.map(|of| SymbolicByte { of, index });
        (0..32).for_each(|index| self.set(offset.saturating_add(index.into()), byte(index)));
    }

    /// Writes the last byte of a word.
    pub(super) fn write_byte(&mut self, offset: usize, word: Option<ExpressionId>) {
        self.set(offset, word.map(|of| SymbolicByte { of, index: 31 }));
    }

    fn set(&mut self, offset: usize, byte: Option<SymbolicByte>) {
        if offset >= self.0.len() {
            if byte.is_none() || offset >= MOST {
                return;
            }
            self.0.resize(offset + 1, None);
        }
        self.0[offset] = byte;
    }

    /// Writes bytes that no input changes.
    pub(super) fn erase(&mut self, offset: usize, length: usize) {
        let range = self.within(offset, length);
        self.0[range].fill(None);
    }

    /// Returns a part, for another frame.
    pub(super) fn part(&self, offset: usize, length: usize) -> Self {
        Self(self.0[self.within(offset, length)].to_vec())
    }

    /// Copies bytes from elsewhere.
    pub(super) fn copy(&mut self, offset: usize, from: &Self, start: usize, length: usize) {
        let length = length.min(MOST);
        self.erase(offset, length);
        let part = &from.0[from.within(start, length)];
        for (index, byte) in part.iter().enumerate().filter(|(_, byte)| byte.is_some()) {
            self.set(offset.saturating_add(index), *byte);
        }
    }

    fn within(&self, offset: usize, length: usize) -> Range<usize> {
        let start = offset.min(self.0.len());
        start..offset.saturating_add(length).min(self.0.len()).max(start)
    }

    /// Returns the expressions behind a range of bytes, each once, in order.
    pub(super) fn expressions(&self, offset: usize, length: usize) -> Box<[ExpressionId]> {
        let mut found = Vec::new();
        for byte in self.0[self.within(offset, length)].iter().flatten() {
            if !found.contains(&byte.of) {
                found.push(byte.of);
            }
        }
        found.into()
    }

    /// Returns the expression of the word at an offset, which had this value; `None` if no input changes it.
    pub(super) fn word(&self, offset: usize, value: U256, all: &mut Expressions) -> Option<ExpressionId> {
        let runs = self.runs(offset);
        match runs[..] {
            [] => return None,
            [Run { first: SymbolicByte { of, index: 0 }, length: 32, .. }] => return Some(of),
            _ => {}
        }
        let mut constant = value;
        let mut sum = None;
        for run in runs {
            let place = mask(run.length) << (8 * (32 - run.at - run.length));
            constant &= !place;
            let piece = piece(run, value & place, all);
            sum = Some(join(sum, piece, all));
        }
        match constant.is_zero() {
            true => sum,
            false => {
                let constant = all.add(Expression::Constant, constant);
                Some(join(sum, constant, all))
            }
        }
    }

    fn runs(&self, offset: usize) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (at, byte) in self.0[self.within(offset, 32)].iter().enumerate() {
            let Some(byte) = byte else { continue };
            match runs.last_mut() {
                Some(run)
                    if run.first.of == byte.of
                        && run.at + run.length == at
                        && usize::from(run.first.index) + run.length == usize::from(byte.index) =>
                {
                    run.length += 1;
                }
                _ => runs.push(Run { first: *byte, at, length: 1 }),
            }
        }
        runs
    }
}

/// Returns the bytes of a run at their place in the word, where they had this value.
fn piece(run: Run, value: U256, all: &mut Expressions) -> ExpressionId {
    let Run { first: SymbolicByte { of, index }, at, length } = run;
    let drop = 8 * (32 - usize::from(index) - length);
    let place = 8 * (32 - at - length);
    let shifted = all.value(of) >> drop;
    let shifted = with_constant(WordOperator::ShiftRight, U256::from(drop), of, shifted, all);
    let masked = with_constant(WordOperator::And, mask(length), shifted, value >> place, all);
    with_constant(WordOperator::ShiftLeft, U256::from(place), masked, value, all)
}

fn with_constant(
    operator: WordOperator,
    constant: U256,
    operand: ExpressionId,
    value: U256,
    all: &mut Expressions,
) -> ExpressionId {
    let constant = all.add(Expression::Constant, constant);
    all.operation(operator, [constant, operand].into(), value)
}

fn mask(length: usize) -> U256 {
    if length >= 32 { U256::MAX } else { (U256::ONE << (8 * length)) - U256::ONE }
}

fn join(sum: Option<ExpressionId>, piece: ExpressionId, all: &mut Expressions) -> ExpressionId {
    let Some(sum) = sum else { return piece };
    let value = all.value(sum) | all.value(piece);
    all.operation(WordOperator::Or, [sum, piece].into(), value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SymbolicInput;

    #[test]
    fn words_are_read_as_they_were_written_whole_in_part_or_across() {
        let mut all = Expressions::default();
        let value = U256::from_be_bytes(std::array::from_fn::<_, 32, _>(|index| index as u8));
        let word = all.add(Expression::Input(SymbolicInput::Input(0, 4)), value);
        let mut memory = SymbolicBytes::default();
        memory.write(36, Some(word));
        assert_eq!(memory.word(36, value, &mut all), Some(word));
        assert_eq!(memory.word(0, U256::ONE, &mut all), None);
        // Four bytes of a selector stand before it.
        let across = (value >> 32) | (U256::from(0xdead_beef_u32) << 224);
        let read = memory.word(32, across, &mut all).expect("an expression");
        assert_eq!(all.value(read), across);
        assert!(all.dependencies(read).input);
        memory.write_byte(40, None);
        assert_eq!(memory.expressions(36, 32)[..], [word]);
        assert_ne!(memory.word(36, value, &mut all), Some(word));
        memory.write(36, None);
        assert!(memory.expressions(0, 100).is_empty());
    }

    #[test]
    fn parts_and_copies_keep_their_places() {
        let mut all = Expressions::default();
        let word = all.add(Expression::Input(SymbolicInput::Sender(0)), U256::ONE);
        let mut memory = SymbolicBytes::default();
        memory.write(64, Some(word));
        let part = memory.part(60, 100);
        assert_eq!(part.word(4, U256::ONE, &mut all), Some(word));
        memory.copy(0, &part, 4, 32);
        assert_eq!(memory.word(0, U256::ONE, &mut all), Some(word));
        memory.copy(0, &part, usize::MAX, usize::MAX);
        assert!(memory.expressions(0, 200).is_empty());
    }
}
