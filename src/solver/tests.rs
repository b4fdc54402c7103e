//! Conditions as a whole.

use super::{Assignment, PathCondition};
use crate::model::{
    Expression, ExpressionId, Expressions, PathDecision, SymbolicInput, SymbolicPath, WordOperator,
};
use alloy_primitives::{U256, keccak256};

/// Number of words that a search may compute.
const BUDGET: u64 = 400_000;

/// Path under construction, whose inputs are words of calldata.
#[derive(Default)]
struct PathBuilder {
    path: SymbolicPath,
    inputs: Vec<U256>,
}

impl PathBuilder {
    fn input(&mut self, value: u64) -> ExpressionId {
        let input = SymbolicInput::Input(0, self.inputs.len());
        self.inputs.push(U256::from(value));
        self.path.expressions.add(Expression::Input(input), U256::from(value))
    }

    fn constant(&mut self, value: u64) -> ExpressionId {
        self.path.expressions.add(Expression::Constant, U256::from(value))
    }

    fn apply(&mut self, operator: WordOperator, operands: &[ExpressionId]) -> ExpressionId {
        let values: Vec<U256> =
            operands.iter().map(|operand| self.path.expressions.value(*operand)).collect();
        let value = super::arithmetic::apply(operator, &values);
        self.path.expressions.operation(operator, operands.into(), value)
    }

    /// Adds the decision about a comparison, as it is.
    fn decide(&mut self, operator: WordOperator, left: ExpressionId, right: ExpressionId) {
        let condition = self.apply(operator, &[left, right]);
        let holds = !self.path.expressions.value(condition).is_zero();
        self.path.decisions.push(PathDecision { condition, holds });
    }

    /// Returns inputs with which the last decision is another and those before it stay.
    fn solve(&self) -> Option<Vec<U256>> {
        let last = self.path.decisions.len() - 1;
        let problem = PathCondition::new(&self.path, last, |_| Some(U256::MAX)).expect("a problem");
        let solution = problem.solve(1, BUDGET);
        let assignment = solution.assignment.filter(|_| solution.is_complete)?;
        Some(self.with(&assignment))
    }

    fn with(&self, assignment: &Assignment) -> Vec<U256> {
        let mut inputs = self.inputs.clone();
        for (input, value) in assignment {
            let SymbolicInput::Input(0, index) = input else { panic!("{input:?}") };
            inputs[*index] = *value;
        }
        inputs
    }
}

fn word(value: u128) -> U256 {
    U256::from(value)
}

#[test]
fn checked_arithmetic_is_made_to_overflow() {
    let mut path = PathBuilder::default();
    let [x, y] = [5, 7].map(|value| path.input(value));
    let bound = path.constant(1_000_000);
    path.decide(WordOperator::Less, y, bound);
    let sum = path.apply(WordOperator::Add, &[x, y]);
    path.decide(WordOperator::Less, sum, x);
    let inputs = path.solve().expect("inputs");
    assert!(inputs[0].checked_add(inputs[1]).is_none() && inputs[1] < word(1_000_000), "{inputs:?}");
}

#[test]
fn a_quotient_of_products_is_met_to_the_unit() {
    let mut path = PathBuilder::default();
    let [amount, supply] = [997_003, 3_000].map(|value| path.input(value));
    let (assets, total) = (path.constant(7_919), path.constant(1_000_003));
    let sum = path.apply(WordOperator::Add, &[amount, supply]);
    path.decide(WordOperator::Equal, sum, total);
    let product = path.apply(WordOperator::Mul, &[amount, assets]);
    let shares = path.apply(WordOperator::Div, &[product, supply]);
    let wanted = path.constant(31_337);
    path.decide(WordOperator::Equal, shares, wanted);
    let inputs = path.solve().expect("inputs");
    assert_eq!(inputs[0] + inputs[1], word(1_000_003));
    assert_eq!(inputs[0] * word(7_919) / inputs[1], word(31_337));
}

#[test]
fn a_bounded_number_is_found_by_its_remainder() {
    // As `bound(x, 1000, 5000)` computes it for a large x.
    let mut path = PathBuilder::default();
    let x = path.input(77_777);
    let (most, size, least) = (path.constant(5_000), path.constant(4_001), path.constant(1_000));
    path.decide(WordOperator::Greater, x, most);
    let above = path.apply(WordOperator::Sub, &[x, most]);
    let rest = path.apply(WordOperator::Mod, &[above, size]);
    let (zero, one) = (path.constant(0), path.constant(1));
    path.decide(WordOperator::Equal, rest, zero);
    let before = path.apply(WordOperator::Add, &[least, rest]);
    let bounded = path.apply(WordOperator::Sub, &[before, one]);
    let wanted = path.constant(4_242);
    path.decide(WordOperator::Equal, bounded, wanted);
    let x = path.solve().expect("inputs")[0];
    assert!(x > word(5_000) && (x - word(5_000)) % word(4_001) + word(999) == word(4_242), "{x}");
}

#[test]
fn products_and_sums_of_two_numbers_determine_both() {
    let mut path = PathBuilder::default();
    let [x, y] = [400, 600].map(|value| path.input(value));
    let (total, product) = (path.constant(1_000), path.constant(213_831));
    let sum = path.apply(WordOperator::Add, &[x, y]);
    path.decide(WordOperator::Equal, sum, total);
    let both = path.apply(WordOperator::Mul, &[x, y]);
    path.decide(WordOperator::Equal, both, product);
    let inputs = path.solve().expect("inputs");
    assert_eq!((inputs[0] + inputs[1], inputs[0] * inputs[1]), (word(1_000), word(213_831)));
}

#[test]
fn fields_of_one_word_are_chosen_together() {
    let mut path = PathBuilder::default();
    let packed = path.input(0);
    let (shift, mask) = (path.constant(96), path.constant(u32::MAX.into()));
    let low = path.apply(WordOperator::And, &[packed, mask]);
    let high = path.apply(WordOperator::ShiftRight, &[shift, packed]);
    let (third, wanted) = (path.constant(3), path.constant(123_456_789));
    let triple = path.apply(WordOperator::Mul, &[high, third]);
    let sum = path.apply(WordOperator::Add, &[triple, low]);
    let limit = path.constant(1_000);
    path.decide(WordOperator::Less, low, limit);
    path.decide(WordOperator::Equal, sum, wanted);
    let packed = path.solve().expect("inputs")[0];
    let (low, high) = (packed & word(u32::MAX.into()), packed >> 96);
    assert!(low < word(1_000) && high * word(3) + low == word(123_456_789), "{packed:x}");
}

#[test]
fn hashes_are_equal_if_what_they_hash_is() {
    let mut path = PathBuilder::default();
    let [x, y] = [1, 2].map(|value| path.input(value));
    let (length, secret) = (path.constant(32), path.constant(0xdead_beef));
    let sum = path.apply(WordOperator::Add, &[x, y]);
    let [left, right] = [sum, secret].map(|of| path.apply(WordOperator::Hash, &[length, of]));
    assert_eq!(
        path.path.expressions.value(right),
        U256::from_be_bytes(keccak256(word(0xdead_beef).to_be_bytes::<32>()).0)
    );
    path.decide(WordOperator::Equal, left, right);
    let inputs = path.solve().expect("inputs");
    assert_eq!(inputs[0].wrapping_add(inputs[1]), word(0xdead_beef));
}

#[test]
fn what_cannot_be_costs_its_budget() {
    let mut path = PathBuilder::default();
    let x = path.input(3);
    let (two, seven) = (path.constant(2), path.constant(7));
    let even = path.apply(WordOperator::Mul, &[x, two]);
    path.decide(WordOperator::Equal, even, seven);
    assert_eq!(path.solve(), None);
}

#[test]
fn answers_are_accepted_only_if_they_meet_the_conditions() {
    let mut path = PathBuilder::default();
    let x = path.input(3);
    let nine = path.constant(9);
    let square = path.apply(WordOperator::Mul, &[x, x]);
    let limit = path.constant(100);
    path.decide(WordOperator::Less, x, limit);
    path.decide(WordOperator::Less, nine, square);
    let problem = PathCondition::new(&path.path, 1, |_| Some(U256::from(50))).expect("a problem");
    assert_eq!(problem.accept(&[(0, word(4))]), Some(vec![(SymbolicInput::Input(0, 0), word(4))]));
    assert_eq!(problem.accept(&[(0, word(2))]), None, "nine is not less");
    assert_eq!(problem.accept(&[(0, word(60))]), None, "too large for the input");
    assert_eq!(problem.accept(&[(7, word(4))]), None, "no such variable");
}

/// The expressions must be evaluated as the EVM computed them.
#[test]
fn the_values_of_a_path_are_those_of_its_expressions() {
    let mut all = Expressions::default();
    let x = all.add(Expression::Input(SymbolicInput::Value(0)), word(11));
    let three = all.add(Expression::Constant, word(3));
    let rest = all.operation(WordOperator::Mod, [x, three].into(), word(2));
    let mut program = super::program::WordProgram::default();
    let index = program.compile(&all, rest, &mut |_, value| {
        assert_eq!(value, word(11));
        Some(0)
    });
    assert_eq!(program.evaluate(&[word(11)])[index], word(2));
    assert_eq!(program.evaluate(&[word(15)])[index], U256::ZERO);
}

#[test]
fn a_script_has_as_many_bits_for_a_word_as_it_can_need() {
    let mut path = PathBuilder::default();
    let [start, end] = [path.input(10), path.input(50)];
    path.decide(WordOperator::Less, end, start);
    let elapsed = path.apply(WordOperator::Sub, &[end, start]);
    let rate = path.input(7);
    let product = path.apply(WordOperator::Mul, &[elapsed, rate]);
    let undone = path.apply(WordOperator::Div, &[product, elapsed]);
    path.decide(WordOperator::Equal, undone, rate);
    let divisor = path.constant(1000);
    let quotient = path.apply(WordOperator::Div, &[product, divisor]);
    let wanted = path.constant(123);
    path.decide(WordOperator::Equal, quotient, wanted);
    let most = U256::from(0xff_ffff_ffff_u64);
    let problem = PathCondition::new(&path.path, 2, |_| Some(most)).expect("a problem");
    insta::assert_snapshot!(problem.bit_vector_script().expect("a script"), @"
    (set-option :produce-models true)
    (set-logic QF_BV)
    (declare-const v0 (_ BitVec 40))
    (declare-const v1 (_ BitVec 40))
    (declare-const v2 (_ BitVec 40))
    (define-fun w4 () (_ BitVec 40) (bvsub v2 v1))
    (define-fun w5 () (_ BitVec 80) (bvmul (concat (_ bv0 40) w4) (concat (_ bv0 40) v0)))
    (define-fun w6 () (_ BitVec 71) ((_ extract 70 0) (bvudiv w5 (_ bv1000 80))))
    (define-fun w9 () (_ BitVec 80) (ite (= w4 (_ bv0 40)) (_ bv0 80) (bvudiv w5 (concat (_ bv0 40) w4))))
    (assert (= (_ bv123 71) w6))
    (assert (or (not (= w4 (_ bv0 40))) (= v0 (_ bv0 40))))
    (assert (not (bvult v2 v1)))
    (check-sat)
    (get-value (v0 v1 v2))
    ");
}

#[test]
fn a_script_of_integers_states_checked_arithmetic_without_quotients() {
    let mut path = PathBuilder::default();
    let [shares, assets] = [path.input(10), path.input(50)];
    let product = path.apply(WordOperator::Mul, &[shares, assets]);
    let undone = path.apply(WordOperator::Div, &[product, shares]);
    path.decide(WordOperator::Equal, undone, assets);
    let supply = path.constant(1003);
    let payout = path.apply(WordOperator::Div, &[product, supply]);
    let left = path.apply(WordOperator::Sub, &[assets, payout]);
    path.decide(WordOperator::Greater, left, assets);
    let (mask, wanted) = (path.constant(0xff00), path.constant(0x4200));
    let masked = path.apply(WordOperator::And, &[left, mask]);
    path.decide(WordOperator::Equal, masked, wanted);
    let problem = PathCondition::new(&path.path, 2, |_| Some(U256::MAX)).expect("a problem");
    insta::assert_snapshot!(problem.integer_script().expect("a script"), @"
    (set-option :produce-models true)
    (set-logic QF_NIA)
    (declare-const v0 Int)
    (assert (and (<= 0 v0) (<= v0 115792089237316195423570985008687907853269984665640564039457584007913129639935)))
    (declare-const v1 Int)
    (assert (and (<= 0 v1) (<= v1 115792089237316195423570985008687907853269984665640564039457584007913129639935)))
    (define-fun w3 () Int (* v1 v0))
    (assert (<= w3 115792089237316195423570985008687907853269984665640564039457584007913129639935))
    (define-fun w4 () Int (div w3 1003))
    (define-fun w5 () Int (- v0 w4))
    (assert (<= 0 w5))
    (define-fun w7 () Int (* (mod (div w5 256) 256) 256))
    (define-fun w11 () Int (ite (= v1 0) 0 (div w3 v1)))
    (assert (= 16896 w7))
    (assert (not (< v0 w4)))
    (assert (or (not (= v1 0)) (= v0 0)))
    (check-sat)
    (get-value (v0 v1))
    ");
}
