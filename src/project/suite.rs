//! Test contracts, and contracts that are scanned.

use crate::{
    model::{CodeOrigin, ContractId, Property, PropertyKind, TargetFunction},
    project::{
        contract::Contract,
        naming::{FunctionKind, Naming},
    },
};
use alloy_json_abi::{Function, StateMutability};
use std::sync::Arc;

/// Test function of any kind.
#[derive(Clone, Debug)]
pub struct TestFunction {
    /// ABI of the function.
    pub function: Arc<Function>,
    /// Kind of the function.
    pub kind: FunctionKind,
}

/// Reason why the tests of a suite do not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuiteFault {
    /// The whole suite fails with one result.
    Whole {
        /// Signature under which the result is reported: `setUp()` or `afterInvariant()`.
        signature: &'static str,
        /// Reason for the failure.
        reason: &'static str,
    },
    /// The suite has `testFail*` functions. Only these are reported, each as a failure.
    Removed {
        /// Signatures of these functions.
        signatures: Vec<String>,
        /// Reason for the failures.
        reason: &'static str,
    },
}

/// Name under which the verdict of a scan is reported.
const SCAN: &str = "scan";

/// Test contract, or contract that is scanned.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Compiled contract.
    pub contract: Arc<Contract>,
    /// All test functions in the order of the ABI, which is alphabetical by name.
    pub tests: Vec<TestFunction>,
    /// Invariants among the test functions. Those with parameters are included, because the campaign reports
    /// them.
    pub properties: Vec<Property>,
    /// True if `setUp()` is called. Forge checks only the name: if the function has parameters, the call
    /// reverts.
    pub set_up: bool,
    /// True if `afterInvariant()` is called. As for `setUp`, Forge checks only the name.
    pub after_invariant: bool,
    /// `fixture*` functions.
    pub fixtures: Vec<Arc<Function>>,
    /// True if there is a `beforeTestSetup`, which Forge calls before unit, fuzz and table tests.
    pub before_test_setup: bool,
    /// Warnings about misspelt `setUp` and `afterInvariant` functions, in Forge's words, and about tests that are
    /// not run as in Forge, without `Warning: `.
    pub warnings: Vec<String>,
    /// Reason why the tests do not run, if they do not.
    pub fault: Option<SuiteFault>,
    /// Origin of the contract's code, if it is scanned.
    pub origin: CodeOrigin,
}

impl Suite {
    /// Returns the suite of a test contract. Returns `None` if `contract` is no test contract, because its
    /// constructor takes arguments, it has no test function, or it has no code.
    #[must_use]
    pub fn of(contract: &Arc<Contract>, naming: Naming) -> Option<Self> {
        let functions = contract.abi.functions().map(|function| TestFunction {
            kind: naming.kind(function),
            function: Arc::new(function.clone()),
        });
        let functions = functions.filter(|test| test.kind.is_reserved()).collect::<Vec<_>>();
        let deployable = contract.needs_no_arguments() && contract.creation_code().is_some();
        if !deployable || !functions.iter().any(|test| test.kind.is_test()) {
            return None;
        }
        let of_kind = |kind: FunctionKind| {
            let kept = functions.iter().filter(move |test| test.kind == kind);
            kept.map(|test| test.function.clone()).collect::<Vec<_>>()
        };
        let (set_ups, after_invariants) =
            (of_kind(FunctionKind::SetUp), of_kind(FunctionKind::AfterInvariant));
        let named = |found: &[Arc<Function>], name: &str| matches!(found, [only] if only.name == name);
        let tests = functions.iter().filter(|test| test.kind.is_test()).cloned().collect::<Vec<_>>();
        Some(Self {
            contract: contract.clone(),
            properties: of_kind(FunctionKind::Invariant)
                .into_iter()
                .map(|function| naming.property(function))
                .collect(),
            set_up: named(&set_ups, "setUp"),
            after_invariant: named(&after_invariants, "afterInvariant"),
            fixtures: of_kind(FunctionKind::Fixture),
            before_test_setup: !of_kind(FunctionKind::BeforeTestSetup).is_empty(),
            warnings: warnings(&set_ups, &after_invariants),
            fault: fault(&set_ups, &after_invariants, &tests),
            origin: CodeOrigin::default(),
            tests,
        })
    }

    /// Returns the suite for scanning a contract without tests: the contract itself is the target.
    #[must_use]
    pub fn scan(contract: &Arc<Contract>) -> Self {
        let function = Function {
            name: SCAN.to_owned(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            state_mutability: StateMutability::NonPayable,
        };
        let property =
            Property { function: Arc::new(TargetFunction::new(function)), kind: PropertyKind::Scan };
        Self {
            contract: contract.clone(),
            tests: Vec::new(),
            properties: vec![property],
            set_up: false,
            after_invariant: false,
            fixtures: Vec::new(),
            before_test_setup: false,
            warnings: Vec::new(),
            fault: None,
            origin: CodeOrigin::default(),
        }
    }

    /// Tells whether this is the suite of a scan.
    #[must_use]
    pub fn is_scan(&self) -> bool {
        self.properties.iter().any(|property| property.kind == PropertyKind::Scan)
    }

    /// Returns the contract's identifier, `path:Name`.
    #[must_use]
    pub fn id(&self) -> &ContractId {
        &self.contract.id
    }
}

fn warnings(set_ups: &[Arc<Function>], after_invariants: &[Arc<Function>]) -> Vec<String> {
    let misspelt = |found: &[Arc<Function>], word: &str, name: &str| {
        let wrong = found.iter().filter(|function| function.name != name);
        let text = |function: &Arc<Function>| {
            format!(r#"Found invalid {word} function "{}" did you mean "{name}()"?"#, function.signature())
        };
        wrong.map(text).collect::<Vec<_>>()
    };
    let mut warnings = misspelt(set_ups, "setup", "setUp");
    // Forge checks these only if there is at most one `setUp`.
    if set_ups.len() <= 1 && after_invariants.len() <= 1 {
        warnings.extend(misspelt(after_invariants, "afterInvariant", "afterInvariant"));
    }
    warnings
}

fn fault(
    set_ups: &[Arc<Function>],
    after_invariants: &[Arc<Function>],
    tests: &[TestFunction],
) -> Option<SuiteFault> {
    if set_ups.len() > 1 {
        return Some(SuiteFault::Whole { signature: "setUp()", reason: "multiple setUp functions" });
    }
    if after_invariants.len() > 1 {
        let (signature, reason) = ("afterInvariant()", "multiple afterInvariant functions");
        return Some(SuiteFault::Whole { signature, reason });
    }
    let removed = tests.iter().filter(|test| test.function.name.starts_with("testFail"));
    let signatures = removed.map(|test| test.function.signature()).collect::<Vec<_>>();
    (!signatures.is_empty()).then_some(SuiteFault::Removed {
        signatures,
        reason: "`testFail*` has been removed. \
                 Consider changing to test_Revert[If|When]_Condition and expecting a revert",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::test_contracts::{contract, with_functions};

    fn suite(functions: &[&str]) -> Option<Suite> {
        Suite::of(&Arc::new(with_functions(contract("test/T.t.sol:T", "00"), functions)), Naming::default())
    }

    #[test]
    fn a_contract_without_tests_code_or_plain_constructor_is_no_suite() {
        assert!(suite(&["function invariant_a()"]).is_some());
        assert!(suite(&["function setUp()", "function deposit()"]).is_none());
        assert!(suite(&["function test()", "constructor(uint256)"]).is_none());
        let interface = with_functions(contract("test/T.t.sol:I", ""), &["function test()"]);
        assert!(Suite::of(&Arc::new(interface), Naming::default()).is_none());
    }

    #[test]
    fn an_invariant_that_returns_one_int256_is_an_optimization() {
        let suite = suite(&[
            "function invariant_best() returns (int256)",
            "function invariant_bool() returns (bool)",
            "function invariant_parameter(uint256)",
        ]);
        let kinds = suite.unwrap().properties.into_iter().map(|p| (p.function.name.clone(), p.kind));
        assert_eq!(
            kinds.collect::<Vec<_>>(),
            [
                ("invariant_best".to_owned(), PropertyKind::Optimization),
                ("invariant_bool".to_owned(), PropertyKind::Invariant),
                ("invariant_parameter".to_owned(), PropertyKind::Invariant),
            ]
        );
    }

    #[test]
    fn a_misspelt_set_up_is_warned_about_and_not_called() {
        let suite = suite(&["function test()", "function setup()", "function afterinvariant()"]).unwrap();
        assert!(!suite.set_up && !suite.after_invariant && suite.fault.is_none());
        insta::assert_snapshot!(suite.warnings.join("\n"), @r#"
        Found invalid setup function "setup()" did you mean "setUp()"?
        Found invalid afterInvariant function "afterinvariant()" did you mean "afterInvariant()"?
        "#);
    }

    #[test]
    fn two_set_ups_are_the_only_result_of_a_suite() {
        let suite = suite(&["function test()", "function setUp()", "function setUp(uint256)"]).unwrap();
        let reason = "multiple setUp functions";
        assert_eq!(suite.fault, Some(SuiteFault::Whole { signature: "setUp()", reason }));
        assert!(!suite.set_up);
    }

    #[test]
    fn a_test_fail_function_replaces_all_results() {
        let suite = suite(&["function testFail_a()", "function test_b()"]).unwrap();
        let Some(SuiteFault::Removed { signatures, .. }) = suite.fault else { panic!("no fault") };
        assert_eq!(signatures, ["testFail_a()"]);
    }

    #[test]
    fn properties_of_other_fuzzers_are_told_by_name_and_result() {
        let functions = [
            "function echidna_a() returns (bool)",
            "function echidna_b() returns (int256)",
            "function echidna_c() returns (uint256)",
            "function echidna_d(uint256) returns (bool)",
            "function echidna_revert_e()",
            "function property_revert_f() returns (bool)",
            "function optimize_g() view returns (int256)",
            "function optimize_h() returns (bool)",
            "function setUp()",
        ];
        let contract = Arc::new(with_functions(contract("test/T.t.sol:T", "00"), &functions));
        assert!(Suite::of(&contract, Naming::default()).is_none());
        let naming = Naming { echidna_style: true, ..Naming::default() };
        let suite = Suite::of(&contract, naming).unwrap();
        let kinds = suite.properties.iter().map(|property| (property.function.name.as_str(), property.kind));
        assert_eq!(
            kinds.collect::<Vec<_>>(),
            [
                ("echidna_a", PropertyKind::Predicate),
                ("echidna_revert_e", PropertyKind::Refusal),
                ("optimize_g", PropertyKind::Optimization),
                ("property_revert_f", PropertyKind::Predicate),
            ]
        );
        assert!(suite.set_up && naming.is_its_own_target(&contract));
    }
}
