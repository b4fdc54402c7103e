//! What is looked for, told to people.

use crate::model::{
    Rule,
    rule::{INVARIANT, TEST},
};

/// All rules: the project's own tests first, and then the oracles in their order.
pub const RULES: [Rule; 4] = [
    Rule {
        id: INVARIANT,
        name: "BrokenInvariant",
        summary: "An invariant does not hold after a sequence of calls",
        swc: None,
        severity: None,
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
        help: "A fuzz, table or unit test failed, or `setUp` did. The input of a fuzz test is as small as could be made. \
               If no caller can send such an input, rule it out with `vm.assume` or `bound`.",
    },
    Rule {
        id: "assertion",
        name: "AssertionViolation",
        summary: "An assertion in the code under test fails",
        swc: Some(110),
        severity: Some(7.0),
        help: "An `assert`, a `vm.assert*` or `fail()` was reached by a sequence of calls and failed. An assertion says \
               what cannot happen, so that a failing one is a bug of the program, or a condition that should be a \
               `require`.\n\n\
               Counted are Panic(0x01), the INVALID opcode (`assert` before Solidity 0.8), failing assertions of \
               cheatcodes with or without a message, and the global failure flag. Overflows and other panics are not.",
    },
    Rule {
        id: "arbitrary-write",
        name: "ArbitraryStorageWrite",
        summary: "The caller chooses which slot of storage is written",
        swc: Some(124),
        severity: Some(9.0),
        help: "A sequence of calls writes a slot that no program means to write: whoever makes these calls can write any \
               slot, and so become the owner or take what the contract holds. Usual causes are an array whose length \
               can be made to underflow (before Solidity 0.6), an index in inline assembly that is not checked, and \
               storage pointers that were never initialised.\n\n\
               Check the index or length before the write.",
    },
];

/// The rule with this id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::ORACLES;

    #[test]
    fn every_oracle_says_what_it_is() {
        let named: Vec<_> = RULES.iter().skip(2).map(|rule| rule.id).collect();
        assert_eq!(named, ORACLES.map(|oracle| oracle.name));
        assert!(rule(INVARIANT).is_some() && rule(TEST).is_some());
    }
}
