//! A failed assertion in a function called: an assert property.

use crate::{
    config::HarveyConfig,
    model::{AssertionFailure, AssertionKind, Outcome, Step, Transaction},
};
use alloy_primitives::{U256, hex};

/// Selector of `Panic(uint256)`.
const PANIC: [u8; 4] = hex!("4e487b71");

/// Panic(0x01), INVALID, a failed `vm.assert*` and the failure flag count, once they reach the top of the
/// call; other panics when they are named in `panics`, swallowed assertions with `inner_asserts`.
pub(super) fn decide<'a>(
    step: &'a Step,
    _call: &Transaction,
    config: &HarveyConfig,
) -> Option<&'a AssertionFailure> {
    let failure = step.assertion.as_ref()?;
    let wanted = match (step.outcome, failure.kind) {
        (Outcome::Discard, _) => false,
        // The flag outlives the call whether it reverts or not.
        (_, AssertionKind::FailFlag) => true,
        (Outcome::Success, _) => config.inner_asserts,
        (Outcome::Revert, AssertionKind::Panic) => {
            panic_code(&step.output).is_none_or(|code| code == U256::ONE || listed(code, config))
        }
        (Outcome::Revert, AssertionKind::Invalid | AssertionKind::VmAssert) => true,
    };
    wanted.then_some(failure)
}

fn listed(code: U256, config: &HarveyConfig) -> bool {
    config.panics.iter().any(|panic| U256::from(*panic) == code)
}

fn panic_code(output: &[u8]) -> Option<U256> {
    let code = output.strip_prefix(&PANIC)?;
    (code.len() == 32).then(|| U256::from_be_slice(code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Input, Observation, Site},
        oracle::{Key, judge},
    };
    use alloy_json_abi::Function;
    use alloy_primitives::{Address, B256, Bytes};
    use std::sync::Arc;

    fn config() -> HarveyConfig {
        HarveyConfig {
            payable_value_weight: 15,
            random_walks: 30,
            panics: vec![0x12],
            inner_asserts: false,
            plateau: 0,
            no_tests: "pass".into(),
        }
    }

    fn call(signature: &str) -> Transaction {
        let function = Arc::new(Function::parse(signature).expect("a signature"));
        Transaction {
            sender: Address::ZERO,
            target: Address::repeat_byte(1),
            value: U256::ZERO,
            warp: U256::ZERO,
            roll: U256::ZERO,
            input: Input::Typed { function, args: vec![] },
        }
    }

    fn step(outcome: Outcome, kind: AssertionKind, pc: usize, output: Vec<u8>) -> Step {
        let site = Site { code: B256::repeat_byte(2), pc, location: None };
        Step {
            out_of_gas: false,
            reason: None,
            outcome,
            path: 0,
            edges: vec![],
            footprint: None,
            output: Bytes::from(output),
            assertion: Some(AssertionFailure { kind, site, reason: "why".into() }),
            words: vec![],
        }
    }

    fn panic(code: u8) -> Step {
        let mut output = PANIC.to_vec();
        output.extend(B256::with_last_byte(code));
        step(Outcome::Revert, AssertionKind::Panic, 9, output)
    }

    fn counts(step: &Step, config: &HarveyConfig) -> bool {
        decide(step, &call("f()"), config).is_some()
    }

    #[test]
    fn assertions_that_reach_the_top_count_and_other_panics_when_listed() {
        let config = config();
        assert!(counts(&panic(0x01), &config) && counts(&panic(0x12), &config));
        assert!(!counts(&panic(0x11), &config));
        for kind in [AssertionKind::Invalid, AssertionKind::VmAssert, AssertionKind::FailFlag] {
            assert!(counts(&step(Outcome::Revert, kind, 0, vec![]), &config));
            assert!(!counts(&step(Outcome::Discard, kind, 0, vec![]), &config));
        }
        let quiet = Step { assertion: None, ..panic(0x01) };
        assert!(!counts(&quiet, &config));
    }

    #[test]
    fn swallowed_assertions_count_on_demand_and_the_failure_flag_always() {
        let swallowed = step(Outcome::Success, AssertionKind::VmAssert, 0, vec![]);
        assert!(!counts(&swallowed, &config()));
        assert!(counts(&swallowed, &HarveyConfig { inner_asserts: true, ..config() }));
        assert!(counts(&step(Outcome::Success, AssertionKind::FailFlag, 0, vec![]), &config()));
    }

    #[test]
    fn the_same_place_reached_through_the_same_function_is_one_finding() {
        let sequence = vec![call("f()"), call("f()"), call("g()"), call("f()")];
        let invalid = |pc| step(Outcome::Revert, AssertionKind::Invalid, pc, vec![]);
        let seen = Observation {
            steps: vec![invalid(5), invalid(5), invalid(5), invalid(6)],
            ..Observation::default()
        };
        let hits = judge(&sequence, &seen, &config(), &|_| "src/A.sol:A".into());
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
