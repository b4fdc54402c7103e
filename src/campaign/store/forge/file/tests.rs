//! Tests of the format against a file written by Forge 1.7.1.

use super::*;
use crate::model::{AssertionKind, Target, TargetFunction};
use alloy_json_abi::{Function, JsonAbi};
use alloy_primitives::address;
use std::sync::Arc;

const FORGE_WROTE: &str = concat!(
    r#"{"call_sequence":[{"warp":"0xc3e","roll":null,"sender":"0x84247dcd3d4d915bba78be68fca4978277490e58","#,
    r#""addr":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","#,
    r#""calldata":"0xf0fdf8340000000000000000000000000000000000000000000000000000000000000041","#,
    r#""contract_name":"test/C.t.sol:K","func_name":"a","signature":"a(uint256)","args":"65","raw_args":"65"},"#,
    r#"{"warp":null,"roll":null,"sender":"0x00000000000000000000000000000000000000aa","#,
    r#""addr":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","calldata":"0xdeadbeef00","contract_name":null,"#,
    r#""func_name":null,"signature":null,"args":null,"raw_args":null}],"#,
    r#""settings":{"target_contracts":{"0x2e234dae75c793f67a35089c9d99245e1c58470b":"test/C.t.sol:L","#,
    r#""0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f":"test/C.t.sol:K"},"#,
    r#""target_selectors":{"0x2e234dae75c793f67a35089c9d99245e1c58470b":["0x8466c3e6","0xb545ea2f"],"#,
    r#""0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f":["0xf0fdf834","0xe2c64f46","0xc3da42b8"]},"#,
    r#""target_senders":[],"excluded_senders":["0x0000000000000000000000000000000000000000","#,
    r#""0x7109709ecfa91a80626ff3989d68f67f5b1dd12d"],"fail_on_revert":false},"assertion_failure":false}"#,
);

const K: Address = address!("0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f");
const L: Address = address!("0x2e234dae75c793f67a35089c9d99245e1c58470b");

fn target(address: Address, identifier: &str, signatures: &[&str]) -> Target {
    let functions =
        signatures.iter().map(|text| Arc::new(TargetFunction::new(Function::parse(text).unwrap()))).collect();
    let abi = Arc::new(JsonAbi::default());
    Target { address, identifier: identifier.into(), functions, views: vec![], abi }
}

fn targets() -> TargetSet {
    TargetSet {
        targets: vec![
            target(L, "test/C.t.sol:L", &["aa()", "zz(string)"]),
            target(K, "test/C.t.sol:K", &["a(uint256)", "b(bytes,string)", "c()"]),
        ],
        senders: vec![],
        excluded_senders: vec![Address::ZERO, address!("0x7109709ecfa91a80626ff3989d68f67f5b1dd12d")],
        dynamic: true,
        has_roles: false,
    }
}

fn forge_wrote() -> ForgeFile {
    ForgeFile::parse(FORGE_WROTE.as_bytes()).unwrap()
}

#[test]
fn a_file_of_forge_is_rebuilt_from_its_counterexample_but_for_the_text_of_arguments() {
    let counterexample = forge_wrote().counterexample(&targets());
    let mut rebuilt = ForgeFile::new(&counterexample, &Shows::Invariant, &targets(), false);
    assert!(forge_wrote().check_settings(&targets(), false).is_empty());
    // The format of values is defined by `model::format` and tested there.
    for (call, theirs) in rebuilt.call_sequence.iter_mut().zip(forge_wrote().call_sequence) {
        assert_eq!(call.args.is_some(), theirs.args.is_some());
        (call.args, call.raw_args) = (theirs.args, theirs.raw_args);
    }
    assert_eq!(String::from_utf8(rebuilt.to_json()).unwrap(), FORGE_WROTE);
}

#[test]
fn calldata_is_decoded_by_the_targets_and_stays_raw_when_unknown() {
    let calls = forge_wrote().counterexample(&targets()).calls;
    assert_eq!(calls[0].signature().as_deref(), Some("a(uint256)"));
    assert_eq!(calls[0].contract.as_deref(), Some("test/C.t.sol:K"));
    assert!(matches!(&calls[1].tx.input, Input::Raw(data) if data.len() == 5));
}

#[test]
fn without_the_target_the_saved_signature_decodes() {
    let calls = forge_wrote().counterexample(&TargetSet::default()).calls;
    assert_eq!(calls[0].signature().as_deref(), Some("a(uint256)"));
    assert_eq!(calls[0].contract.as_deref(), Some("test/C.t.sol:K"));
}

/// Returns a file with one call of the given fields.
fn file(call: &str) -> Option<ForgeFile> {
    let (_, rest) = FORGE_WROTE.split_once("],\"settings\"").unwrap();
    ForgeFile::parse(format!("{{\"call_sequence\":[{call}],\"settings\"{rest}").as_bytes())
}

#[test]
fn a_call_needs_no_more_than_calldata() {
    let calls = file(r#"{"calldata":"0xdeadbeef"}"#).unwrap().counterexample(&targets()).calls;
    let tx = &calls[0].tx;
    assert_eq!((tx.sender, tx.target, tx.value), (Address::ZERO, Address::ZERO, U256::ZERO));
    assert!(file(r#"{"sender":"0x00000000000000000000000000000000000000aa"}"#).is_none());
    assert!(file("").is_none(), "a failure without calls replays nothing");
}

#[test]
fn numbers_are_read_in_every_form_that_forge_reads() {
    let read = |value: &str| {
        let call = format!(r#"{{"calldata":"0x","warp":{value}}}"#);
        file(&call).map(|file| file.counterexample(&targets()).calls[0].tx.warp)
    };
    for (text, value) in
        [("5", 5), ("\"7\"", 7), ("\"0xf\"", 15), ("\"0b11\"", 3), ("\"0o17\"", 15), ("null", 0)]
    {
        assert_eq!(read(text), Some(U256::from(value)), "{text}");
    }
    assert_eq!(read("\"-1\""), None);
}

#[test]
fn value_is_written_and_read_as_forge_1_8_does() {
    let mut counterexample = forge_wrote().counterexample(&targets());
    counterexample.calls[0].tx.value = U256::from(7);
    let json = ForgeFile::new(&counterexample, &Shows::Invariant, &targets(), false).to_json();
    assert!(String::from_utf8_lossy(&json).contains(r#","value":"0x7","contract_name""#));
    let read = ForgeFile::parse(&json).unwrap().counterexample(&targets());
    assert_eq!(read.calls[0].tx.value, U256::from(7));
}

#[test]
fn only_what_forge_takes_for_an_assertion_is_marked_as_one() {
    let counterexample = forge_wrote().counterexample(&targets());
    let marked = |shows| ForgeFile::new(&counterexample, &shows, &targets(), true).assertion_failure;
    let assertion = |reason| Shows::Assertion { kind: AssertionKind::VmAssert, reason };
    assert!(marked(assertion("assertion failed: 1 != 2")));
    // Forge 1.7.1 would pass these if they had the flag.
    assert!(!marked(assertion("custom: 1 != 2")));
    assert!(!marked(Shows::Revert));
    assert!(!marked(Shows::Invariant));
}

#[test]
fn unknown_fields_are_ignored_and_missing_settings_are_not_forgiven() {
    let with =
        |field: &str| ForgeFile::parse(FORGE_WROTE.replacen('{', &format!("{{{field},"), 1).as_bytes());
    assert!(with(r#""ours":{"a":1}"#).is_some());
    assert!(with(r#""storage":[{"slot":"0x0"}]"#).is_none());
    for key in ["settings", "target_senders", "excluded_senders", "target_contracts", "fail_on_revert"] {
        let without = FORGE_WROTE.replace(&format!("\"{key}\":"), "\"renamed\":");
        assert!(ForgeFile::parse(without.as_bytes()).is_none(), "{key}");
    }
    assert!(ForgeFile::parse(b"\xff{").is_none());
    let old = FORGE_WROTE.replace(r#","assertion_failure":false"#, "");
    assert!(!ForgeFile::parse(old.as_bytes()).unwrap().assertion_failure);
}
