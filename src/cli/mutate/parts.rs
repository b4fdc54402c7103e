//! Choice of the tests of suites that run.

use crate::{
    model::ContractId,
    project::{FunctionKind, Project, Suite, SuiteFault},
};
use std::collections::BTreeSet;

/// Suites of a part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Tests without random inputs: unit and table tests.
    Fixed,
    /// Fuzz tests and invariants.
    Searched,
}

impl Part {
    /// Returns the suites of the project with their tests of this part.
    pub(super) fn of<'a>(self, suites: impl IntoIterator<Item = &'a Suite>, project: &Project) -> Vec<Suite> {
        let suite = |suite: &'a Suite| {
            let contract = project.contract(suite.id())?;
            let mut suite = Suite { contract: contract.clone(), ..Suite::clone(suite) };
            let is_searched =
                |kind: FunctionKind| kind == FunctionKind::Fuzz || kind == FunctionKind::Invariant;
            suite.tests.retain(|test| is_searched(test.kind) == (self == Self::Searched));
            if self == Self::Fixed {
                suite.properties.clear();
            }
            has_tests(&suite).then_some(suite)
        };
        suites.into_iter().filter_map(suite).collect()
    }
}

/// Removes the `testFail*` functions of suites, because of which their other tests would not run. Returns each with its
/// suite.
pub(super) fn take_removed(suites: &mut [Suite]) -> Vec<(ContractId, String)> {
    let mut removed = Vec::new();
    for suite in suites {
        let fault = suite.fault.take_if(|fault| matches!(fault, SuiteFault::Removed { .. }));
        let Some(SuiteFault::Removed { signatures, .. }) = fault else { continue };
        suite.tests.retain(|test| !signatures.contains(&test.function.signature()));
        removed.extend(signatures.into_iter().map(|signature| (suite.id().clone(), signature)));
    }
    removed
}

/// Functions that run before the tests of a suite.
const SET_UP: [&str; 2] = ["constructor()", "setUp()"];

/// Tells whether a result is that of a function that runs before the tests.
pub(super) fn is_set_up(signature: &str) -> bool {
    SET_UP.contains(&signature)
}

/// Returns a suite without the tests that failed, if others are left. A suite whose deployment or `setUp` failed has
/// none.
pub(super) fn passing(suite: Suite, failing: &BTreeSet<(ContractId, String)>) -> Option<Suite> {
    let id = suite.id().clone();
    let failed = |signature: &str| failing.contains(&(id.clone(), signature.to_owned()));
    let is_deployed = !SET_UP.into_iter().any(failed);
    let suite = (suite.fault.is_none() && is_deployed).then_some(suite)?;
    with_tests(suite, |signature| !failed(signature))
}

/// Returns a suite with the tests and properties whose signature `keep` accepts; none if there are none.
pub(super) fn with_tests(mut suite: Suite, keep: impl Fn(&str) -> bool) -> Option<Suite> {
    suite.tests.retain(|test| keep(&test.function.signature()));
    suite.properties.retain(|property| keep(property.function.signature()));
    has_tests(&suite).then_some(suite)
}

fn has_tests(suite: &Suite) -> bool {
    !suite.tests.is_empty() || !suite.properties.is_empty()
}
