//! Comparisons that assertions make, from which the fuzzer computes the distance to a failure.

use super::{Assertion, Op, distance_and_base, relative};
use crate::{
    evm::trace::cmplog::{CheatcodeComparison, ComparedWord},
    model::Relation,
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::U256;

impl Assertion {
    /// Returns the compared words and the asserted relation. `hash` hashes values that have no distance
    /// (strings and bytes).
    pub(super) fn comparison(
        &self,
        arguments: &[DynSolValue],
        mut hash: impl FnMut(&[u8]) -> U256,
    ) -> Option<CheatcodeComparison> {
        let (first, second) = (&arguments[0], arguments.get(1));
        if let Op::True | Op::False = self.op {
            return Some(CheatcodeComparison::Truth(0, word(first)?, self.op == Op::True));
        }
        let second = second?;
        let less = if let DynSolValue::Int(..) = first { Relation::SignedLess } else { Relation::Less };
        let ordered = |left: usize, right: usize, wanted: bool| {
            let operands = [argument(arguments, left)?, argument(arguments, right)?];
            Some(CheatcodeComparison::Relation(less, operands, wanted))
        };
        match self.op {
            Op::Eq | Op::NotEq => {
                let (left, right) = difference(first, second, &mut hash)?;
                // Words of arrays and hashes are no arguments, which shows in their values.
                let operands =
                    [(left, 0), (right, 1)].map(|(word, index)| ComparedWord { word, argument: Some(index) });
                Some(CheatcodeComparison::Relation(Relation::Equal, operands, self.op == Op::Eq))
            }
            Op::Lt => ordered(0, 1, true),
            Op::Gt => ordered(1, 0, true),
            Op::Le => ordered(1, 0, false),
            Op::Ge => ordered(0, 1, false),
            Op::ApproxEqAbs | Op::ApproxEqRel => {
                let (distance, base) = distance_and_base(arguments);
                let absolute = self.op == Op::ApproxEqAbs;
                let real = if absolute { Some(distance) } else { relative(distance, base) };
                let real = ComparedWord { word: real.unwrap_or(U256::MAX), argument: None };
                Some(CheatcodeComparison::Relation(Relation::Less, [argument(arguments, 2)?, real], false))
            }
            Op::True | Op::False => None,
        }
    }
}

/// Returns two words that are equal if and only if the operands are.
fn difference(
    left: &DynSolValue,
    right: &DynSolValue,
    hash: &mut impl FnMut(&[u8]) -> U256,
) -> Option<(U256, U256)> {
    use DynSolValue::{Array, Bytes, String};
    match (left, right) {
        (String(left), String(right)) => Some((hash(left.as_bytes()), hash(right.as_bytes()))),
        (Bytes(left), Bytes(right)) => Some((hash(left), hash(right))),
        // Compares the first elements that differ, or else the lengths.
        (Array(left), Array(right)) if left.len() == right.len() => {
            match left.iter().zip(right).find(|(left, right)| left != right) {
                Some((left, right)) => difference(left, right, hash),
                None => Some((U256::from(left.len()), U256::from(right.len()))),
            }
        }
        (Array(left), Array(right)) => Some((U256::from(left.len()), U256::from(right.len()))),
        _ => Some((word(left)?, word(right)?)),
    }
}

/// Returns an argument of a single word.
fn argument(arguments: &[DynSolValue], index: usize) -> Option<ComparedWord> {
    Some(ComparedWord { word: word(arguments.get(index)?)?, argument: Some(index) })
}

/// Returns a single-word value as the EVM represents it.
fn word(value: &DynSolValue) -> Option<U256> {
    value.as_word().map(|word| U256::from_be_bytes(word.0))
}

#[cfg(test)]
mod tests {
    use super::{super::find, *};
    use alloy_primitives::{I256, keccak256};

    fn comparison(signature: &str, arguments: &[DynSolValue]) -> CheatcodeComparison {
        let selector = keccak256(signature)[..4].try_into().unwrap();
        let hash = |preimage: &[u8]| keccak256(preimage).into();
        find(selector).unwrap().comparison(arguments, hash).unwrap()
    }

    fn uint(value: u64) -> DynSolValue {
        DynSolValue::Uint(U256::from(value), 256)
    }

    fn operand(word: u64, argument: Option<usize>) -> ComparedWord {
        ComparedWord { word: U256::from(word), argument }
    }

    #[test]
    fn operands_stand_in_the_order_of_less() {
        let comparison = |name: &str| comparison(&format!("{name}(uint256,uint256)"), &[uint(1), uint(2)]);
        let [one, two] = [0, 1].map(|index| operand(index as u64 + 1, Some(index)));
        let less = |operands, wanted| CheatcodeComparison::Relation(Relation::Less, operands, wanted);
        assert_eq!(comparison("assertLt"), less([one, two], true));
        assert_eq!(comparison("assertGt"), less([two, one], true));
        assert_eq!(comparison("assertLe"), less([two, one], false));
        assert_eq!(comparison("assertGe"), less([one, two], false));
        assert_eq!(
            comparison("assertNotEq"),
            CheatcodeComparison::Relation(Relation::Equal, [one, two], false)
        );
    }

    #[test]
    fn approximate_equality_compares_the_distance_with_the_bound() {
        let int = |value: i64| DynSolValue::Int(I256::try_from(value).unwrap(), 256);
        let bound = uint(3);
        let comparison = comparison("assertApproxEqAbs(int256,int256,uint256)", &[int(-2), int(5), bound]);
        assert_eq!(
            comparison,
            CheatcodeComparison::Relation(Relation::Less, [operand(3, Some(2)), operand(7, None)], false)
        );
    }

    #[test]
    fn arrays_are_compared_where_they_differ_first_and_texts_by_their_hashes() {
        let list = |values: &[u64]| DynSolValue::Array(values.iter().copied().map(uint).collect());
        let arrays = |left: &[u64], right: &[u64]| {
            let CheatcodeComparison::Relation(Relation::Equal, [left, right], true) =
                comparison("assertEq(uint256[],uint256[])", &[list(left), list(right)])
            else {
                panic!("an equality")
            };
            (left.word.to::<u64>(), right.word.to::<u64>())
        };
        assert_eq!(arrays(&[1, 2, 9], &[1, 5, 8]), (2, 5));
        assert_eq!(arrays(&[1], &[2, 3]), (1, 2));
        assert_eq!(arrays(&[4], &[4]), (1, 1));
        let text = |text: &str| DynSolValue::String(text.into());
        let hash = |text: &str, index: usize| ComparedWord {
            word: U256::from_be_bytes(keccak256(text).0),
            argument: Some(index),
        };
        assert_eq!(
            comparison("assertEq(string,string)", &[text("a"), text("b")]),
            CheatcodeComparison::Relation(Relation::Equal, [hash("a", 0), hash("b", 1)], true)
        );
    }
}
