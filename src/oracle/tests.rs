use super::*;
use crate::model::{AssertionKind, Input, Outcome, Site, Step, TargetFunction, Transaction};
use alloy_json_abi::Function;
use alloy_primitives::U256;
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
    let hits = Panel::default().judge(&sequence, &seen, &|_| "src/A.sol:A".into());
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

#[test]
fn a_panel_has_the_oracles_of_the_default_and_those_that_are_named() {
    let ids = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Panel::new(&names, None).map(|panel| panel.oracles.len())
    };
    let all = ORACLES.len();
    let default = ORACLES.iter().filter(|oracle| oracle.rule.by_default).count();
    assert_eq!(ids(&[]), Ok(default));
    assert_eq!(ids(&["assertion"]), Ok(default));
    assert_eq!(ids(&["reentrancy", "tx-origin"]), Ok(default + 2));
    assert_eq!(ids(&["all"]), Ok(all));
    insta::assert_snapshot!(ids(&["reentrance"]).unwrap_err(), @"");
}

#[test]
fn every_rule_is_known_by_its_id() {
    let mut ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
    assert!(ids.iter().all(|id| rule(id).is_some_and(|known| known.id == *id && !known.help.is_empty())));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), RULES.len());
}
