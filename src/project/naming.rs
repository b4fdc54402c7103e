//! Kinds of test functions by the prefixes of their names, as in Forge.

use crate::{
    model::{Property, PropertyKind, TargetFunction},
    project::contract::Contract,
};
use alloy_json_abi::Function;
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
    /// True if `check*` and `prove*`, the tests of Forge's symbolic mode, are run as unit and fuzz tests.
    pub checks: bool,
}

impl Naming {
    /// Returns the kind of a function.
    #[must_use]
    pub fn kind(self, function: &Function) -> FunctionKind {
        match FunctionKind::of(function) {
            FunctionKind::Other if self.echidna_style(function).is_some() => FunctionKind::Invariant,
            FunctionKind::Other if self.checks && is_check(&function.name) => {
                if function.inputs.is_empty() {
                    FunctionKind::Unit
                } else {
                    FunctionKind::Fuzz
                }
            }
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

    /// Returns the property that an invariant checks.
    pub(crate) fn property(self, function: Arc<Function>) -> Property {
        let kind = self.echidna_style(&function).unwrap_or_else(|| invariant(&function));
        Property { function: Arc::new(TargetFunction::new(Function::clone(&function))), kind }
    }
}

/// Tells whether a function has the name of a test of Forge's symbolic mode.
#[must_use]
pub fn is_check(name: &str) -> bool {
    name.starts_with("check") || name.starts_with("prove")
}

/// Returns the kind of an invariant. One that returns a single `int256` is an optimization.
fn invariant(function: &Function) -> PropertyKind {
    match &function.outputs[..] {
        [output] if output.ty == "int256" => PropertyKind::Optimization,
        _ => PropertyKind::Invariant,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(function: &str) -> FunctionKind {
        FunctionKind::of(&Function::parse(function).unwrap())
    }

    #[test]
    fn checks_are_tests_only_if_they_are_switched_on() {
        let checks = Naming { checks: true, ..Naming::default() };
        for (text, expected) in [
            ("function check()", FunctionKind::Unit),
            ("function check_sum(uint256)", FunctionKind::Fuzz),
            ("function proveSum(uint256)", FunctionKind::Fuzz),
            ("function Check(uint256)", FunctionKind::Other),
            ("function invariant_check()", FunctionKind::Invariant),
        ] {
            let function = Function::parse(text).unwrap();
            assert_eq!(checks.kind(&function), expected, "{text}");
            let is_check = is_check(&function.name);
            assert_eq!(
                Naming::default().kind(&function) == FunctionKind::Other,
                is_check || text.contains("Check")
            );
        }
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
}
