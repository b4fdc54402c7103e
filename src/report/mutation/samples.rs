//! Reports for tests.

use super::MutationScene;
use crate::model::{
    ContractId, DifferenceKind, KillStep, Mutant, MutantVerdict, MutationReport, OutcomeDifference, Place,
    TestedMutant,
};

fn tested(id: &str, operator: &str, line: usize, verdict: MutantVerdict) -> TestedMutant {
    let mutant = Mutant {
        operator: operator.to_owned(),
        path: "src/Bank.sol".to_owned(),
        range: 10..12,
        original: "+=".to_owned(),
        replacement: "=".to_owned(),
        contract: Some("Bank".to_owned()),
        function: Some("deposit".to_owned()),
    };
    TestedMutant {
        id: id.to_owned(),
        mutant,
        place: Place { path: "src/Bank.sol".to_owned(), line, column: 9 },
        before: "        total += amount;".to_owned(),
        after: "        total = amount;".to_owned(),
        verdict,
    }
}

/// Returns a report with a mutant of each verdict.
pub(super) fn report() -> MutationReport {
    let suite = ContractId { path: "test/Bank.t.sol".to_owned(), name: "BankTest".to_owned() };
    let difference = OutcomeDifference {
        suite: suite.to_string(),
        kind: DifferenceKind::Storage,
        original: "slot 0x0 of Bank becomes 0x3".to_owned(),
        mutant: "slot 0x0 of Bank becomes 0x2".to_owned(),
        calls: vec!["Bank.deposit(1) from 0xbeef".to_owned(), "Bank.deposit(2) from 0xbeef".to_owned()],
    };
    let killed =
        |by| MutantVerdict::Killed { suite: suite.to_string(), test: "invariant_sum()".to_owned(), by };
    MutationReport {
        mutants: vec![
            tested("a1", "assignment", 3, killed(KillStep::Corpus)),
            tested("a2", "arithmetic", 4, killed(KillStep::Search)),
            tested("a3", "rounding", 5, MutantVerdict::Survived { difference: None }),
            tested("a4", "dropped-write", 6, MutantVerdict::Survived { difference: Some(difference) }),
            tested("a5", "relational", 7, MutantVerdict::NotReached),
            tested("a6", "logical", 8, MutantVerdict::Equivalent),
            tested("a7", "logical", 9, MutantVerdict::Duplicate { of: "a1".to_owned() }),
            tested(
                "a8",
                "unary",
                10,
                MutantVerdict::Invalid { error: "Error (1): no | such type".to_owned() },
            ),
        ],
        suites: vec![suite.clone()],
        failing: vec![(suite, "test_broken()".to_owned())],
        errors: vec!["a9 cannot be tested: disk full".to_owned()],
        left: 2,
    }
}

/// Returns the surroundings of these reports.
pub(super) fn scene() -> MutationScene {
    MutationScene {
        reasons: [("dropped-write", "Books that are not updated are wrong.")].into(),
        directory: "cache/harvey/mutants".to_owned(),
        title: "bank".to_owned(),
        ..MutationScene::default()
    }
}
