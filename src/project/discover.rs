//! Discovery of test contracts and test functions by the prefixes of their names, as in Forge.

use crate::{
    model::{ContractId, Property, PropertyKind, TargetFunction},
    project::contract::Contract,
};
use alloy_json_abi::{Function, StateMutability};
use std::sync::Arc;

/// Kind of a function of a test contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// `test*` without parameters.
    Unit,
    /// `test*` with parameters.
    Fuzz,
    /// `invariant*` or `statefulFuzz*`.
    Invariant,
    /// `table*`.
    Table,
    /// `setUp`, ignoring case.
    SetUp,
    /// `afterInvariant`, ignoring case.
    AfterInvariant,
    /// `fixture*`.
    Fixture,
    /// `beforeTestSetup`.
    BeforeTestSetup,
    /// Any other function.
    Other,
}

impl FunctionKind {
    /// Returns the kind of a function.
    #[must_use]
    pub fn of(function: &Function) -> Self {
        let name = function.name.as_str();
        let starts = |prefix: &str| name.starts_with(prefix);
        match () {
            () if starts("test") && function.inputs.is_empty() => Self::Unit,
            () if starts("test") => Self::Fuzz,
            () if starts("invariant") || starts("statefulFuzz") => Self::Invariant,
            () if starts("table") => Self::Table,
            () if name.eq_ignore_ascii_case("setup") => Self::SetUp,
            () if name.eq_ignore_ascii_case("afterinvariant") => Self::AfterInvariant,
            () if starts("fixture") => Self::Fixture,
            () if name == "beforeTestSetup" => Self::BeforeTestSetup,
            () => Self::Other,
        }
    }

    /// Tells whether Forge runs the function as a test.
    #[must_use]
    pub fn is_test(self) -> bool {
        matches!(self, Self::Unit | Self::Fuzz | Self::Invariant | Self::Table)
    }

    /// Returns true if a fuzzer must not call the function when the test contract is a target.
    #[must_use]
    pub fn is_reserved(self) -> bool {
        self != Self::Other
    }
}

/// Rules for the names of test functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// True if properties of Echidna and Medusa are run, which Forge ignores.
    pub echidna_style: bool,
}

impl Naming {
    /// Returns the kind of a function.
    #[must_use]
    pub fn kind(self, function: &Function) -> FunctionKind {
        match FunctionKind::of(function) {
            FunctionKind::Other if self.echidna_style(function).is_some() => FunctionKind::Invariant,
            kind => kind,
        }
    }

    /// Returns the kind of an Echidna or Medusa property, based on the name and the return types of the
    /// function.
    fn echidna_style(self, function: &Function) -> Option<PropertyKind> {
        let known = ["echidna_", "property_", "crytic_", "optimize_"];
        if !self.echidna_style || !function.inputs.is_empty() {
            return None;
        }
        let (prefix, rest) =
            known.iter().find_map(|&prefix| Some((prefix, function.name.strip_prefix(prefix)?)))?;
        let outputs = function.outputs.iter().map(|output| output.ty.as_str()).collect::<Vec<_>>();
        match outputs[..] {
            ["int256"] if prefix == "optimize_" => Some(PropertyKind::Optimization),
            ["bool"] | [] if prefix == "echidna_" && rest.starts_with("revert_") => {
                Some(PropertyKind::Refusal)
            }
            ["bool"] if prefix != "optimize_" => Some(PropertyKind::Predicate),
            _ => None,
        }
    }

    /// Tells whether a contract has properties of Echidna or Medusa. These fuzzers call the contract that has
    /// the properties, so it is its own target.
    #[must_use]
    pub fn is_its_own_target(self, contract: &Contract) -> bool {
        contract.abi.functions().any(|function| {
            FunctionKind::of(function) == FunctionKind::Other && self.echidna_style(function).is_some()
        })
    }

    fn property(self, function: Arc<Function>) -> Property {
        let kind = self.echidna_style(&function).unwrap_or_else(|| invariant(&function));
        Property { function: Arc::new(TargetFunction::new(Function::clone(&function))), kind }
    }
}

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
    /// Warnings about misspelt `setUp` and `afterInvariant` functions, in Forge's words, without `Warning: `.
    pub warnings: Vec<String>,
    /// Reason why the tests do not run, if they do not.
    pub fault: Option<SuiteFault>,
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
        let deployable = contract.abi.constructor().is_none_or(|constructor| constructor.inputs.is_empty())
            && contract.creation_code().is_some();
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

/// Returns the kind of an invariant. One that returns a single `int256` is an optimization.
fn invariant(function: &Function) -> PropertyKind {
    match &function.outputs[..] {
        [output] if output.ty == "int256" => PropertyKind::Optimization,
        _ => PropertyKind::Invariant,
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

    fn kind(function: &str) -> FunctionKind {
        FunctionKind::of(&Function::parse(function).unwrap())
    }

    #[test]
    fn names_and_parameters_decide_what_a_function_is() {
        assert_eq!(kind("function test()"), FunctionKind::Unit);
        assert_eq!(kind("function testx(uint256)"), FunctionKind::Fuzz);
        assert_eq!(kind("function invariantHolds()"), FunctionKind::Invariant);
        assert_eq!(kind("function statefulFuzz_x(uint256)"), FunctionKind::Invariant);
        assert_eq!(kind("function table_x(uint256)"), FunctionKind::Table);
        assert_eq!(kind("function SETUP()"), FunctionKind::SetUp);
        assert_eq!(kind("function afterinvariant()"), FunctionKind::AfterInvariant);
        assert_eq!(kind("function fixtureAmount()"), FunctionKind::Fixture);
        assert_eq!(kind("function Test()"), FunctionKind::Other);
        assert_eq!(kind("function deposit()"), FunctionKind::Other);
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
        let naming = Naming { echidna_style: true };
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
