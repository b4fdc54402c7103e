//! Scripts answered by z3: they must mean what the EVM computes.

use super::{of_bit_vectors, of_integers};
use crate::{
    model::{Relation, SymbolicInput, WordOperator},
    solver::{
        PathCondition,
        formula::{Formula, WordComparison},
        path_condition::Variable,
        program::{Computation, WordProgram},
    },
};
use alloy_primitives::U256;
use rand::{Rng as _, SeedableRng as _, seq::IndexedRandom as _};
use rand_xoshiro::Xoshiro256StarStar;
use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

const OPERATORS: [WordOperator; 25] = [
    WordOperator::Add,
    WordOperator::Mul,
    WordOperator::Sub,
    WordOperator::Div,
    WordOperator::SignedDiv,
    WordOperator::Mod,
    WordOperator::SignedMod,
    WordOperator::AddMod,
    WordOperator::MulMod,
    WordOperator::Exp,
    WordOperator::SignExtend,
    WordOperator::Less,
    WordOperator::Greater,
    WordOperator::SignedLess,
    WordOperator::SignedGreater,
    WordOperator::Equal,
    WordOperator::IsZero,
    WordOperator::And,
    WordOperator::Or,
    WordOperator::Xor,
    WordOperator::Not,
    WordOperator::Byte,
    WordOperator::ShiftLeft,
    WordOperator::ShiftRight,
    WordOperator::SignedShiftRight,
];

/// Answers of z3 to several scripts, in one process.
fn answers(scripts: &[String]) -> Vec<String> {
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cache/python/bin/z3");
    assert!(z3.is_file(), "scripts/test installs it");
    let mut z3 = Command::new(z3);
    let mut child =
        z3.args(["-smt2", "-in"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a process");
    let all = scripts.join("(reset)\n").replace("(set-option :produce-models true)", "");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(all.as_bytes()).expect("all is read"));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("all was written");
    let output = String::from_utf8(output.stdout).expect("text");
    output.lines().filter(|line| ["sat", "unsat", "unknown"].contains(line)).map(str::to_owned).collect()
}

/// Returns a number of any size, often at an end of a range.
fn number(rng: &mut Xoshiro256StarStar) -> U256 {
    let bits = *[1, 3, 8, 8, 16, 64, 128, 255, 256].choose(rng).expect("one");
    let most = crate::solver::arithmetic::low_bits(bits);
    match rng.random_range(0..6) {
        0 => most,
        1 => (most >> 1) + U256::ONE,
        2 => U256::from(rng.random_range(0..34_u8)),
        _ => U256::from_limbs(rng.random()) & most,
    }
}

/// Returns a comparison of two words, as it is.
fn comparison(rng: &mut Xoshiro256StarStar, program: &WordProgram, values: &[U256]) -> WordComparison {
    let [left, right] = [0, 1].map(|_| rng.random_range(0..program.len()));
    let [mut relation, equal] = [[Relation::Less, Relation::SignedLess], [Relation::Equal; 2]]
        .map(|all| *all.choose(rng).expect("one"));
    if rng.random_bool(0.4) {
        relation = equal;
    }
    let values = program.evaluate(values);
    WordComparison { relation, left, right, holds: relation.holds(values[left], values[right]) }
}

/// Returns a condition that only the values of its variables meet, and that they do not meet with the first comparison
/// the other way.
fn condition(rng: &mut Xoshiro256StarStar) -> PathCondition {
    let mut program = WordProgram::default();
    let variables: Vec<Variable> = (0..3)
        .map(|index| {
            let [value, other] = [number(rng), number(rng)];
            program.push(Computation::Variable(index));
            Variable { input: SymbolicInput::Input(0, index), value, most: value.max(other) }
        })
        .collect();
    for _ in 0..rng.random_range(1..6) {
        let operator = *OPERATORS.choose(rng).expect("one");
        let count = match operator {
            WordOperator::IsZero | WordOperator::Not => 1,
            WordOperator::AddMod | WordOperator::MulMod => 3,
            _ => 2,
        };
        let operand = |program: &mut WordProgram, rng: &mut Xoshiro256StarStar| match rng.random_bool(0.3) {
            true => program.push(Computation::Constant(number(rng))),
            false => rng.random_range(0..program.len()),
        };
        let mut operands: Vec<usize> = (0..count).map(|_| operand(&mut program, rng)).collect();
        // Compilers check products by dividing them again.
        if operator == WordOperator::Div && rng.random_bool(0.5) {
            let product = program.push(Computation::Operation(WordOperator::Mul, operands.clone().into()));
            operands = vec![product, operands[0]];
        }
        program.push(Computation::Operation(operator, operands.into()));
    }
    let values: Vec<U256> = variables.iter().map(|variable| variable.value).collect();
    let mut conditions = vec![Formula::Compared(comparison(rng, &program, &values))];
    for _ in 0..rng.random_range(0..4) {
        let others = Formula::Compared(comparison(rng, &program, &values));
        conditions.push(if rng.random_bool(0.7) {
            others
        } else {
            Formula::Any(vec![others.clone(), others])
        });
    }
    for (index, value) in values.iter().enumerate() {
        let right = program.push(Computation::Constant(*value));
        let equal = WordComparison { relation: Relation::Equal, left: index, right, holds: true };
        let equal = Formula::Compared(equal);
        // Alternatives are no facts from which bounds follow.
        let is_fact = rng.random_bool(0.3);
        conditions.push(if is_fact { equal } else { Formula::Any(vec![equal.clone(), equal]) });
    }
    PathCondition { program, variables, conditions }
}

fn turned(condition: &PathCondition) -> PathCondition {
    let mut turned = condition.clone();
    let Some(Formula::Compared(first)) = turned.conditions.first_mut() else { panic!("a comparison") };
    first.holds = !first.holds;
    turned
}

#[test]
fn scripts_mean_what_the_evm_computes() {
    let mut rng = Xoshiro256StarStar::seed_from_u64(7);
    let conditions: Vec<PathCondition> = (0..500).map(|_| condition(&mut rng)).collect();
    let theories: [fn(&PathCondition) -> Option<String>; 2] = [of_integers, of_bit_vectors];
    let mut cases = Vec::new();
    for script in theories {
        for condition in &conditions {
            cases.extend(script(condition).map(|script| (script, "sat")));
            cases.extend(script(&turned(condition)).map(|script| (script, "unsat")));
        }
    }
    assert!(cases.len() > 1_500, "of {} conditions", cases.len());
    let (scripts, expected): (Vec<String>, Vec<&str>) = cases.into_iter().unzip();
    let answers = answers(&scripts);
    assert_eq!(answers.len(), scripts.len());
    for ((script, expected), answer) in scripts.iter().zip(expected).zip(answers) {
        assert_eq!(answer, expected, "{script}");
    }
}
