use super::*;
use crate::model::{
    AssertionKind, ContractId, Deployment, Entry, Gain, Input, Outcome, Proofs, Site, Step, TaintReport,
    TargetFunction, Transaction,
};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Function;
use alloy_json_abi::StateMutability;
use alloy_primitives::{Address, U256};
use std::sync::Arc;

fn call(signature: &str) -> Transaction {
    let function = Function::parse(signature).expect("a signature");
    let function = Arc::new(TargetFunction::new(function));
    Transaction::plain(Address::ZERO, Address::repeat_byte(1), &function, vec![])
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
    let detections = Detectors::default().detect(&sequence, &seen, &|call| {
        ("src/A.sol:A".into(), call.input.function().map_or("", |f| f.signature()).to_owned())
    });
    let found: Vec<_> = detections.iter().map(|hit| (hit.step, &*hit.key.function, hit.key.pc)).collect();
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
    insta::assert_snapshot!(key.id(None), @"227220b9dc9eb4ab");
    let moved = Key { pc: 6, ..key.clone() };
    assert_ne!(moved.id(None), key.id(None));
    // An edit elsewhere changes the code, but not the line.
    assert_eq!(moved.id(Some("assert(x);")), key.id(Some("assert(x);")));
}

#[test]
fn a_panel_has_the_oracles_of_the_default_and_those_that_are_named() {
    let ids = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Detectors::new(&names, None).map(|detectors| detectors.oracles.len())
    };
    let all = ORACLES.len();
    let default = ORACLES.iter().filter(|oracle| oracle.rule.by_default).count();
    assert_eq!(ids(&[]), Ok(default));
    assert_eq!(ids(&["assertion"]), Ok(default));
    assert_eq!(ids(&["reentrancy", "tx-origin"]), Ok(default + 2));
    assert_eq!(ids(&["all"]), Ok(all));
    insta::assert_snapshot!(ids(&["reentrance"]).unwrap_err(), @"no oracle is named `reentrance`; there are all, assertion, arbitrary-write, ether-leak, token-leak, excess-withdrawal, integer-overflow, reentrancy, unchecked-call, failed-call-dos, gas-exhaustion, requirement-violation, panic, arbitrary-jump, delegatecall, ownership-takeover, selfdestruct, tx-origin, freezing-ether, gasless-send, timestamp-dependence, block-number-dependence");
}

#[test]
fn every_rule_is_known_by_its_id() {
    let mut ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
    assert!(ids.iter().all(|id| rule(id).is_some_and(|known| known.id == *id && !known.help.is_empty())));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), RULES.len());
}

const OWNER: Address = Address::repeat_byte(0x11);
const ALICE: Address = Address::repeat_byte(0x22);
const THIEF: Address = Address::repeat_byte(0x33);

/// Returns the scene of a contract that the owner deployed with Alice's address as argument.
fn scene() -> Scene {
    let args = DynSolValue::Tuple(vec![DynSolValue::Address(ALICE)]).abi_encode_params();
    let contract = ContractId { path: "src/A.sol".into(), name: "A".into() };
    Scene {
        deployer: Some(OWNER),
        actors: Vec::new(),
        named: Vec::new(),
        guessed: Vec::new(),
        prepared: crate::model::PreparedState::default(),
        origin: crate::model::CodeOrigin::default(),
        dependencies: Vec::new(),
        contract: Deployment {
            contract,
            address: Address::repeat_byte(1),
            args: args.into(),
            value: U256::ZERO,
        },
        copied: crate::model::Copied::default(),
        initializers: Vec::new(),
        can_pay: true,
    }
}

/// Returns a call by `sender`, with wei, that names an account if one is given.
fn by(sender: Address, value: u64, named: Option<Address>) -> Transaction {
    let signature = if named.is_some() { "f(address)" } else { "f()" };
    let mut tx = Transaction { sender, value: U256::from(value), ..call(signature) };
    if let (Some(args), Some(named)) = (tx.input.args_mut(), named) {
        args.push(DynSolValue::Address(named));
    }
    tx
}

/// Tells whether the oracles report a theft if an account gains wei by the last of these calls.
fn steals(calls: Vec<Transaction>, account: Address) -> bool {
    let gain = Gain { account, wei: U256::from(5), ..Gain::default() };
    let proofs = Proofs { takers: vec![account], ..Proofs::default() };
    let mut steps = vec![Step::default(); calls.len()];
    if let Some(last) = steps.last_mut() {
        last.taint = Some(Arc::new(TaintReport { gains: vec![gain], proofs, ..TaintReport::default() }));
    }
    let detectors = Detectors::new(&[], Some(scene())).expect("no names");
    let seen = Observation { steps, ..Observation::default() };
    !detectors.detect(&calls, &seen, &|_| Default::default()).is_empty()
}

#[test]
fn a_thief_is_nobodys_friend() {
    assert!(steals(vec![by(THIEF, 0, None)], THIEF));
    assert!(steals(vec![by(THIEF, 0, Some(THIEF)), by(THIEF, 0, None)], THIEF), "whoever names himself");
    assert!(!steals(vec![by(THIEF, 1, None), by(THIEF, 0, None)], THIEF), "who paid in");
    assert!(!steals(vec![by(OWNER, 0, Some(THIEF)), by(THIEF, 0, None)], THIEF), "whom the owner names");
    assert!(!steals(vec![by(ALICE, 1, Some(THIEF)), by(THIEF, 0, None)], THIEF), "whom a user names");
    assert!(!steals(vec![by(OWNER, 0, None)], THIEF), "whom the owner pays");
    assert!(!steals(vec![by(OWNER, 0, None)], OWNER));
    assert!(!steals(vec![by(ALICE, 0, None)], ALICE), "who was named at deployment");
}

#[test]
fn whoever_creates_the_contract_owns_it() {
    let constructor = TargetFunction::special(Entry::Constructor, vec![], StateMutability::NonPayable);
    let input = Input::typed(&Arc::new(constructor), vec![]);
    let creation = Transaction { sender: ALICE, input, ..call("f()") };
    assert!(!steals(vec![creation.clone(), by(ALICE, 0, None)], ALICE));
    assert!(steals(vec![creation, by(THIEF, 0, None)], THIEF));
}
