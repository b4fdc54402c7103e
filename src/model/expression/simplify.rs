//! Simpler forms of operations.
//!
//! Compilers pack values into words and take them out again. The forms leave out what masks and shifts undo, so that
//! little more than the computation of the program is left.

use super::{Expression, ExpressionId, Expressions, MOST_STEPS, SymbolicInput, WordOperator};
use alloy_primitives::U256;

/// Simpler form of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Simplified {
    /// No input changes the result.
    Constant,
    /// The result is one of the operands, or of their operands.
    Same(ExpressionId),
    /// The result is that of another operation.
    Operation(WordOperator, ExpressionId, ExpressionId),
}

/// Returns a simpler form of an operation, if there is one.
pub(super) fn simplified(
    all: &mut Expressions,
    operator: WordOperator,
    operands: &[ExpressionId],
) -> Option<Simplified> {
    match operands {
        [word] if operator == WordOperator::IsZero => {
            let Expression::Operation(WordOperator::IsZero, inner) = all.get(*word) else { return None };
            all.is_boolean(inner[0]).then(|| Simplified::Same(inner[0]))
        }
        [first, second] => {
            let neutral = without_effect(all, operator, *first, *second).map(Simplified::Same);
            neutral.or_else(|| bitwise(all, operator, *first, *second)).or_else(|| match operator {
                WordOperator::And => masked(all, *first, *second),
                WordOperator::ShiftLeft | WordOperator::ShiftRight => shifted(all, operator, *first, *second),
                _ => None,
            })
        }
        _ => None,
    }
}

/// Returns the operand that an operation returns as it is, since the other one is neutral.
fn without_effect(
    all: &Expressions,
    operator: WordOperator,
    first: ExpressionId,
    second: ExpressionId,
) -> Option<ExpressionId> {
    let is = |id: ExpressionId, word: U256| all.constant(id) == Some(word);
    match operator {
        WordOperator::Add | WordOperator::Or | WordOperator::Xor if is(first, U256::ZERO) => Some(second),
        WordOperator::Add | WordOperator::Or | WordOperator::Xor | WordOperator::Sub
            if is(second, U256::ZERO) =>
        {
            Some(first)
        }
        WordOperator::Mul if is(first, U256::ONE) => Some(second),
        WordOperator::Mul | WordOperator::Div if is(second, U256::ONE) => Some(first),
        WordOperator::ShiftLeft | WordOperator::ShiftRight if is(first, U256::ZERO) => Some(second),
        _ => None,
    }
}

/// Returns the shift or the mask that does the same as an operation with a power of two.
fn bitwise(
    all: &mut Expressions,
    operator: WordOperator,
    first: ExpressionId,
    second: ExpressionId,
) -> Option<Simplified> {
    let power = |all: &Expressions, id: ExpressionId| all.constant(id).filter(|word| word.is_power_of_two());
    let (word, power) = match operator {
        WordOperator::Mul => {
            power(all, second).map(|of| (first, of)).or(power(all, first).map(|of| (second, of)))?
        }
        WordOperator::Div | WordOperator::Mod => (first, power(all, second)?),
        _ => return None,
    };
    let (operator, constant) = match operator {
        WordOperator::Mul => (WordOperator::ShiftLeft, U256::from(power.trailing_zeros())),
        WordOperator::Div => (WordOperator::ShiftRight, U256::from(power.trailing_zeros())),
        _ => (WordOperator::And, power - U256::ONE),
    };
    let constant = all.add(Expression::Constant, constant);
    Some(Simplified::Operation(operator, constant, word))
}

/// Returns a simpler form of AND with a constant.
fn masked(all: &mut Expressions, first: ExpressionId, second: ExpressionId) -> Option<Simplified> {
    let (mask, constant, word) = match (all.constant(first), all.constant(second)) {
        (Some(mask), _) => (mask, first, second),
        (_, Some(mask)) => (mask, second, first),
        _ => return None,
    };
    let Bits { possible, fixed } = bits(all, word, MOST_STEPS);
    if (mask & !fixed).is_zero() {
        return Some(Simplified::Constant);
    }
    if (possible & !mask).is_zero() {
        return Some(Simplified::Same(word));
    }
    let narrowed = narrow(all, word, mask);
    if narrowed != word {
        return Some(Simplified::Operation(WordOperator::And, constant, narrowed));
    }
    let Expression::Operation(operator, operands) = all.get(word) else { return None };
    let (operator, &[left, right]) = (*operator, &operands[..]) else { return None };
    match operator {
        WordOperator::And => {
            let (inner, rest) = match (all.constant(left), all.constant(right)) {
                (Some(inner), _) => (inner, right),
                (_, Some(inner)) => (inner, left),
                _ => return None,
            };
            let both = all.add(Expression::Constant, inner & mask);
            Some(Simplified::Operation(WordOperator::And, both, rest))
        }
        WordOperator::ShiftRight => {
            let by = usize::try_from(all.constant(left)?).ok().filter(|by| *by < 256)?;
            let narrowed = narrow(all, right, mask << by);
            if narrowed == right {
                return None;
            }
            let value = all.value(narrowed) >> by;
            let shifted = all.operation(WordOperator::ShiftRight, [left, narrowed].into(), value);
            Some(Simplified::Operation(WordOperator::And, constant, shifted))
        }
        _ => None,
    }
}

/// Returns a simpler form of a shift by a constant.
fn shifted(
    all: &mut Expressions,
    operator: WordOperator,
    amount: ExpressionId,
    word: ExpressionId,
) -> Option<Simplified> {
    let by = usize::try_from(all.constant(amount)?).ok().filter(|by| *by < 256)?;
    let is_left = operator == WordOperator::ShiftLeft;
    let kept = if is_left { U256::MAX >> by } else { U256::MAX << by };
    if (kept & !bits(all, word, MOST_STEPS).fixed).is_zero() {
        return Some(Simplified::Constant);
    }
    let narrowed = narrow(all, word, kept);
    if narrowed != word {
        return Some(Simplified::Operation(operator, amount, narrowed));
    }
    let Expression::Operation(inner, operands) = all.get(word) else { return None };
    let (WordOperator::ShiftLeft, &[left, right], false) = (*inner, &operands[..], is_left) else {
        return None;
    };
    let back = usize::try_from(all.constant(left)?).ok().filter(|back| *back < 256)?;
    let mask = U256::MAX >> back;
    let (value, mask) = (all.value(right) & mask, all.add(Expression::Constant, mask));
    let right = all.operation(WordOperator::And, [mask, right].into(), value);
    let (rest, operator) = match by.checked_sub(back) {
        Some(0) => return Some(Simplified::Same(right)),
        Some(rest) => (rest, WordOperator::ShiftRight),
        None => (back - by, WordOperator::ShiftLeft),
    };
    let rest = all.add(Expression::Constant, U256::from(rest));
    Some(Simplified::Operation(operator, rest, right))
}

/// Returns a word that has the same bits where they are kept, without the masks and the other halves of packed words
/// that only change other ones.
fn narrow(all: &Expressions, mut word: ExpressionId, kept: U256) -> ExpressionId {
    for _ in 0..MOST_STEPS {
        let Expression::Operation(operator, operands) = all.get(word) else { break };
        let [left, right] = operands[..] else { break };
        let has_kept = |mask: ExpressionId| all.constant(mask).is_some_and(|mask| (kept & !mask).is_zero());
        let next = match operator {
            WordOperator::Or => without_bits(all, left, right, kept),
            WordOperator::And if has_kept(left) => Some(right),
            WordOperator::And if has_kept(right) => Some(left),
            _ => None,
        };
        let Some(next) = next else { break };
        word = next;
    }
    word
}

/// Returns the one of two words that alone may have some of these bits.
fn without_bits(
    all: &Expressions,
    left: ExpressionId,
    right: ExpressionId,
    kept: U256,
) -> Option<ExpressionId> {
    let is_absent = |word: ExpressionId| (possible_bits(all, word) & kept).is_zero();
    if is_absent(left) { Some(right) } else { is_absent(right).then_some(left) }
}

/// Returns the bits of a word that may be ones.
pub(super) fn possible_bits(all: &Expressions, word: ExpressionId) -> U256 {
    bits(all, word, MOST_STEPS).possible
}

/// Knowledge about the bits of a word.
#[derive(Clone, Copy)]
struct Bits {
    /// Bits that may be ones.
    possible: U256,
    /// Bits that no input changes.
    fixed: U256,
}

fn bits(all: &Expressions, id: ExpressionId, steps: usize) -> Bits {
    let unknown = Bits { possible: U256::MAX, fixed: U256::ZERO };
    let boolean = Bits { possible: U256::ONE, fixed: !U256::ONE };
    let (operator, operands) = match all.get(id) {
        Expression::Constant => return Bits { possible: all.value(id), fixed: U256::MAX },
        Expression::Input(SymbolicInput::Success(_)) => return boolean,
        Expression::Input(_) => return unknown,
        Expression::Operation(operator, _) if operator.is_comparison() => return boolean,
        Expression::Operation(operator, operands) => (operator, operands),
    };
    let [first, second] = operands[..] else { return unknown };
    if steps == 0 {
        return unknown;
    }
    let of = |id: ExpressionId| bits(all, id, steps - 1);
    let shift = || all.constant(first).and_then(|by| usize::try_from(by).ok()).filter(|by| *by < 256);
    match operator {
        WordOperator::And => {
            let (left, right) = (of(first), of(second));
            let possible = left.possible & right.possible;
            Bits { possible, fixed: left.fixed & right.fixed | !possible }
        }
        WordOperator::Or | WordOperator::Xor => {
            let (left, right) = (of(first), of(second));
            Bits { possible: left.possible | right.possible, fixed: left.fixed & right.fixed }
        }
        WordOperator::ShiftLeft => shift().map_or(unknown, |by| {
            let Bits { possible, fixed } = of(second);
            Bits { possible: possible << by, fixed: fixed << by | !(U256::MAX << by) }
        }),
        WordOperator::ShiftRight => shift().map_or(unknown, |by| {
            let Bits { possible, fixed } = of(second);
            Bits { possible: possible >> by, fixed: fixed >> by | !(U256::MAX >> by) }
        }),
        _ => unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(all: &mut Expressions, value: U256) -> ExpressionId {
        all.add(Expression::Constant, value)
    }

    fn low(bits: usize) -> U256 {
        (U256::ONE << bits) - U256::ONE
    }

    /// Packs two inputs of 128 bits, and returns them with the word.
    fn packed(all: &mut Expressions) -> [ExpressionId; 3] {
        let mask = constant(all, low(128));
        let [high, low] = [(4, 7_u64), (36, 9)].map(|(offset, value)| {
            let input = all.add(Expression::Input(SymbolicInput::Input(0, offset)), U256::from(value));
            all.operation(WordOperator::And, [input, mask].into(), U256::from(value))
        });
        let by = constant(all, U256::from(128));
        let upper = all.operation(WordOperator::ShiftLeft, [by, high].into(), U256::from(7) << 128);
        let word =
            all.operation(WordOperator::Or, [upper, low].into(), (U256::from(7) << 128) | U256::from(9));
        [high, low, word]
    }

    #[test]
    fn what_is_packed_is_taken_out_again() {
        let mut all = Expressions::default();
        let [high, low_half, word] = packed(&mut all);
        let (by, mask) = (constant(&mut all, U256::from(128)), constant(&mut all, low(128)));
        assert_eq!(all.operation(WordOperator::ShiftRight, [by, word].into(), U256::from(7)), high);
        assert_eq!(all.operation(WordOperator::And, [mask, word].into(), U256::from(9)), low_half);
        let narrow = constant(&mut all, low(16));
        let masked = all.operation(WordOperator::And, [narrow, word].into(), U256::from(9));
        let Expression::Operation(WordOperator::And, operands) = all.get(masked).clone() else {
            panic!("a mask")
        };
        assert_eq!(all.constant(operands[0]), Some(low(16)), "masks are joined");
    }

    #[test]
    fn a_selector_in_front_of_an_input_is_a_constant() {
        let mut all = Expressions::default();
        let input = all.add(Expression::Input(SymbolicInput::Input(0, 4)), U256::MAX);
        let (by, bits) = (constant(&mut all, U256::from(32)), constant(&mut all, U256::from(224)));
        let moved = all.operation(WordOperator::ShiftRight, [by, input].into(), U256::MAX >> 32);
        let selector = constant(&mut all, U256::from(0xdead_beef_u32) << 224);
        let word =
            all.operation(WordOperator::Or, [moved, selector].into(), U256::from(0xdead_beef_u32) << 224);
        let taken = all.operation(WordOperator::ShiftRight, [bits, word].into(), U256::from(0xdead_beef_u32));
        assert_eq!(all.constant(taken), Some(U256::from(0xdead_beef_u32)));
    }

    #[test]
    fn neutral_operands_and_double_negations_are_left_out() {
        let mut all = Expressions::default();
        let input = all.add(Expression::Input(SymbolicInput::Value(0)), U256::from(3));
        let [zero, one, bound] = [0, 1, 5].map(|value| constant(&mut all, U256::from(value)));
        assert_eq!(all.operation(WordOperator::Add, [zero, input].into(), U256::from(3)), input);
        assert_eq!(all.operation(WordOperator::Div, [input, one].into(), U256::from(3)), input);
        let less = all.operation(WordOperator::Less, [input, bound].into(), U256::ONE);
        let not = all.operation(WordOperator::IsZero, [less].into(), U256::ZERO);
        assert_eq!(all.operation(WordOperator::IsZero, [not].into(), U256::ONE), less);
        let byte = constant(&mut all, U256::from(0xff));
        assert_eq!(all.operation(WordOperator::And, [byte, less].into(), U256::ONE), less);
    }

    #[test]
    fn compilers_that_divide_to_unpack_are_understood() {
        let mut all = Expressions::default();
        let [high, low_half, word] = packed(&mut all);
        let power = constant(&mut all, U256::ONE << 128);
        assert_eq!(all.operation(WordOperator::Div, [word, power].into(), U256::from(7)), high);
        assert_eq!(all.operation(WordOperator::Mod, [word, power].into(), U256::from(9)), low_half);
    }
}
