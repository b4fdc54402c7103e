//! A failed assertion in a function called: an assert property.

use crate::model::{AssertionFailure, Step};

/// Whatever the executor counts as a failed assertion.
pub(super) fn decide(step: &Step) -> Option<&AssertionFailure> {
    step.assertion.as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{AssertionKind, Input, Observation, Outcome, Site, TargetFunction, Transaction},
        oracle::{Key, judge},
    };
    use alloy_json_abi::Function;
    use alloy_primitives::{Address, B256, U256};
    use std::sync::Arc;

    fn call(signature: &str) -> Transaction {
        let function = Function::parse(signature).expect("a signature");
        Transaction {
            sender: Address::ZERO,
            target: Address::repeat_byte(1),
            value: U256::ZERO,
            warp: U256::ZERO,
            roll: U256::ZERO,
            input: Input::Typed { function: Arc::new(TargetFunction::new(function)), args: vec![] },
            reentry: None,
        }
    }

    fn failing_at(pc: usize) -> Step {
        let site = Site { code: B256::repeat_byte(2), pc, location: None };
        let kind = AssertionKind::Invalid;
        let failure = AssertionFailure { kind, site, reason: "why".into(), written: None };
        Step { outcome: Outcome::Revert, assertion: Some(failure), ..Step::default() }
    }

    #[test]
    fn the_same_place_reached_through_the_same_function_is_one_finding() {
        let sequence = vec![call("f()"), call("f()"), call("g()"), call("f()")];
        let seen = Observation { steps: [5, 5, 5, 6].map(failing_at).into(), ..Observation::default() };
        let hits = judge(&sequence, &seen, &|_| "src/A.sol:A".into());
        let found: Vec<_> = hits.iter().map(|hit| (hit.step, &*hit.key.function, hit.key.pc)).collect();
        assert_eq!(found, [(0, "f()", 5), (2, "g()", 5), (3, "f()", 6)]);
    }

    #[test]
    fn a_key_has_a_stable_short_name() {
        let key = Key {
            oracle: "assertion",
            code: B256::repeat_byte(2),
            pc: 5,
            contract: "src/A.sol:A".into(),
            function: "f()".into(),
        };
        insta::assert_snapshot!(key.id(), @"227220b9dc9eb4ab");
        assert_ne!(Key { pc: 6, ..key.clone() }.id(), key.id());
    }
}
