use super::*;
use crate::model::{Target, TargetFunction};
use alloy_json_abi::Function;
use serde_json::{Value, json};
use std::{fs, sync::Arc};

const TARGET: Address = Address::repeat_byte(7);

fn function(signature: &str) -> Arc<TargetFunction> {
    Arc::new(TargetFunction::new(Function::parse(signature).unwrap()))
}

fn property(signature: &str, kind: PropertyKind) -> Property {
    Property { function: function(signature), kind }
}

fn suite() -> ContractId {
    ContractId { path: "test/A.t.sol".into(), name: "A".into() }
}

/// Returns an artifact with one call, as Forge writes it.
fn artifact(test: &str, selector: &str) -> Value {
    json!({
        "schema_version": 1, "schema": SCHEMA, "kind": "single_call",
        "test": {"contract": "test/A.t.sol:A", "test": test},
        "replay": {"required": true, "status": "confirmed", "reason": null},
        "replay_semantics": {"fail_on_revert": false},
        "bounds": {}, "solver": {}, "assumptions": [], "call_trace": {},
        "calls": [{
            "warp": "0x5", "roll": null, "sender": Address::repeat_byte(1), "target": TARGET,
            "calldata": format!("{selector}{:064x}", 9), "value": null, "contract_name": "src/C.sol:C",
            "function_name": null, "signature": null, "args": null, "raw_args": null,
        }],
    })
}

fn sequence(artifact: &Value, property: &Property) -> Result<Sequence, String> {
    let target = Target {
        address: TARGET,
        identifier: "src/C.sol:C".into(),
        functions: vec![function("function f(uint256)")],
        views: Vec::new(),
        abi: Arc::default(),
    };
    let targets = &TargetSet { targets: vec![target], ..TargetSet::default() };
    let place = ArtifactPlace { targets, test: Address::repeat_byte(2), sender: Address::repeat_byte(3) };
    SymbolicArtifact::parse(artifact.to_string().as_bytes())?.sequence(property, place)
}

#[test]
fn a_call_of_a_test_goes_to_the_test_contract_and_others_to_their_targets() {
    let of_test = property("function f(uint256)", PropertyKind::Test);
    let [call] = &sequence(&artifact("f(uint256)", "0xb3de648b"), &of_test).unwrap()[..] else { panic!() };
    assert_eq!((call.target, call.sender), (Address::repeat_byte(2), Address::repeat_byte(3)));
    let invariant = property("function invariant_x()", PropertyKind::Invariant);
    let [call] = &sequence(&artifact("invariant_x()", "0xb3de648b"), &invariant).unwrap()[..] else {
        panic!()
    };
    assert_eq!((call.target, call.sender, call.warp), (TARGET, Address::repeat_byte(1), U256::from(5)));
    assert!(call.input.function().is_some());
}

#[test]
fn what_cannot_be_run_says_why() {
    let invariant = property("function invariant_x()", PropertyKind::Invariant);
    let of_test = property("function f(uint256)", PropertyKind::Test);
    let whole = artifact("invariant_x()", "0xb3de648b");
    let with = |key: &str, value: Value| {
        let mut changed = whole.clone();
        changed[key] = value;
        changed
    };
    let slot = json!({"address": TARGET, "slot": "0x0", "value": "0x1"});
    for (artifact, property, expected) in [
        (with("schema_version", json!(2)), &invariant, "version 2, and this forge-harvey knows"),
        (with("schema", json!("foundry:other@v1")), &invariant, "\"foundry:other@v1\""),
        (with("schema", json!(1)), &invariant, "invalid type"),
        (with("kind", json!("tree")), &invariant, "unknown variant `tree`"),
        (with("calls", json!([])), &invariant, "no calls"),
        (with("storage", json!([slot])), &invariant, "1 slots"),
        (artifact("invariant_x()", "0x01020304"), &invariant, "no target has a function"),
        (artifact("f(uint256)", "0x01020304"), &of_test, "no call of f(uint256)"),
    ] {
        let why = sequence(&artifact, property).unwrap_err();
        assert!(why.contains(expected), "{artifact}: {why}");
    }
}

#[test]
fn the_files_of_a_suite_are_found_and_others_named() {
    let cache = tempfile::tempdir().unwrap();
    let dir = cache.path().join("symbolic/test_A_t_sol_A");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("a-1.json"), artifact("f(uint256)", "0xb3de648b").to_string()).unwrap();
    fs::write(dir.join("b-1.json"), "[".repeat(100_000)).unwrap();
    let mut of_other = artifact("f(uint256)", "0xb3de648b");
    // Another path with the same sanitised name.
    of_other["test"]["contract"] = json!("test/A_t.sol:A");
    fs::write(dir.join("c-1.json"), of_other.to_string()).unwrap();
    let (found, warnings) = symbolic_artifacts(cache.path(), &suite());
    let [(path, artifact)] = &found[..] else { panic!("{found:?}") };
    assert_eq!(*path, dir.join("a-1.json"));
    assert!(artifact.is_of_property(&property("function f(uint256)", PropertyKind::Test)));
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(warning.contains("b-1.json: "), "{warning}");
    assert!(symbolic_artifacts(&cache.path().join("none"), &suite()).0.is_empty());
}
