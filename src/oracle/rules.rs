//! Descriptions of all rules, for people.

use super::ORACLES;
use crate::model::{
    Rule,
    rule::{INVARIANT, TEST},
};

/// Rules for the project's own tests.
const OF_TESTS: [Rule; 2] = [
    Rule {
        id: INVARIANT,
        name: "BrokenInvariant",
        summary: "An invariant does not hold after a sequence of calls",
        swc: None,
        severity: None,
        confidence: None,
        by_default: true,
        help: "A function of a test contract whose name begins with `invariant` (or a property of Echidna's or Medusa's) \
               failed after the calls that are shown. Every call was made by a sender and to a target that the suite \
               allows, from the state that `setUp` left.\n\n\
               The sequence is as short as could be made, and was replayed from a fresh deployment. `forge test` \
               replays it from its failure file; `forge-harvey test --emit-repro test/repro` writes it as a Solidity \
               test.\n\n\
               Either the contracts break the promise, or the handlers make calls that nobody can make: then bound \
               their arguments, or exclude the sender or the function.",
    },
    Rule {
        id: TEST,
        name: "FailingTest",
        summary: "A test fails, for the input that is shown if it has parameters",
        swc: None,
        severity: None,
        confidence: None,
        by_default: true,
        help: "A fuzz, table or unit test failed, or `setUp` did. The input of a fuzz test is as small as could be made. \
               If no caller can send such an input, rule it out with `vm.assume` or `bound`.",
    },
];

/// All rules: the project's own tests first, and then the oracles in their order.
pub const RULES: [Rule; OF_TESTS.len() + ORACLES.len()] = {
    let mut rules = [OF_TESTS[0]; OF_TESTS.len() + ORACLES.len()];
    let mut index = 1;
    while index < rules.len() {
        rules[index] =
            if index < OF_TESTS.len() { OF_TESTS[index] } else { ORACLES[index - OF_TESTS.len()].rule };
        index += 1;
    }
    rules
};

/// Returns the rule with this id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}
