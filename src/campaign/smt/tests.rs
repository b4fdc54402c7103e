use super::*;
use crate::model::{Expression, Expressions, PathDecision, SymbolicInput, SymbolicPath, WordOperator};
use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

/// Path that did not take the branch `x * y == 391` for two arguments that are not one.
fn factors() -> PathCondition {
    let mut all = Expressions::default();
    let [x, y] =
        [4, 36].map(|offset| all.add(Expression::Input(SymbolicInput::Input(0, offset)), U256::from(5)));
    let product = all.operation(WordOperator::Mul, [x, y].into(), U256::from(25));
    let wanted = all.add(Expression::Constant, U256::from(391));
    let one = all.add(Expression::Constant, U256::ONE);
    let above = [x, y].map(|input| all.operation(WordOperator::Greater, [input, one].into(), U256::ONE));
    let equal = all.operation(WordOperator::Equal, [product, wanted].into(), U256::ZERO);
    let mut decisions: Vec<_> = above.map(|condition| PathDecision { condition, holds: true }).into();
    decisions.push(PathDecision { condition: equal, holds: false });
    let path = SymbolicPath { expressions: all, decisions, targets: vec![2] };
    PathCondition::new(&path, 2, |_| Some(U256::MAX)).expect("a problem")
}

/// Writes a program that prints something, or does something else.
fn program(directory: &Path, text: &str) -> SmtSolver {
    let path = directory.join("solver");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    SmtSolver::new(SolverProgram::new(path), Duration::from_millis(900), 5)
}

#[test]
fn a_correct_answer_is_accepted_in_both_notations() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut solver =
        program(directory.path(), "cat > /dev/null; printf 'sat\\n((v0 #x11)\\n (v1 #b00010111))\\n'");
    let SmtAnswer::Inputs(found) = solver.solve(&factors()) else { panic!("inputs") };
    let values: Vec<U256> = found.iter().map(|(_, value)| *value).collect();
    assert_eq!(values, [17, 23].map(U256::from));
}

#[test]
fn a_solver_that_lies_crashes_or_hangs_costs_its_time_limit_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let answers = [
        "printf 'sat\\n((v0 #x12) (v1 #x17))'",
        "printf 'sat\\n((v99 #x12))'",
        "printf 'unsat\\n(error)'",
        "printf '\\377\\376'",
        "kill -9 $$",
        "exit 3",
        "yes sat",
        "sleep 60",
    ];
    for answer in answers {
        let start = Instant::now();
        let mut solver = program(directory.path(), answer);
        let expected = if answer.contains("unsat") { SmtAnswer::Impossible } else { SmtAnswer::Unknown };
        assert_eq!(solver.solve(&factors()), expected, "{answer}");
        assert!(start.elapsed() < Duration::from_secs(5), "{answer}");
        assert!(solver.may_ask(Duration::from_secs(1000)) && !solver.may_ask(Duration::ZERO), "{answer}");
    }
    let gone = SolverProgram::new(directory.path().join("none"));
    assert_eq!(SmtSolver::new(gone, Duration::from_secs(1), 5).solve(&factors()), SmtAnswer::Unknown);
}

#[test]
fn what_a_solver_started_ends_with_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let left = directory.path().join("left");
    let mut solver = program(directory.path(), &format!("(sleep 2; touch {}) & wait", left.display()));
    assert_eq!(solver.solve(&factors()), SmtAnswer::Unknown);
    std::thread::sleep(Duration::from_millis(2500));
    assert!(!left.exists());
}

#[test]
fn a_script_states_the_conditions() {
    insta::assert_snapshot!(factors().bit_vector_script().expect("a script"), @"
    (set-option :produce-models true)
    (set-logic QF_BV)
    (declare-const v0 (_ BitVec 256))
    (declare-const v1 (_ BitVec 256))
    (define-fun w2 () (_ BitVec 256) (bvmul v1 v0))
    (assert (= (_ bv391 256) w2))
    (assert (bvult (_ bv1 256) v0))
    (assert (bvult (_ bv1 256) v1))
    (check-sat)
    (get-value (v0 v1))
    ");
}
