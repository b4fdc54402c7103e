use super::*;
use crate::model::{Input, SequenceCall, TargetFunction, Transaction};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Function;
use alloy_primitives::{address, bytes};
use std::{fs, sync::Arc};

fn suite() -> ContractId {
    ContractId { path: "test/bank/Bank.t.sol".into(), name: "BankTest".into() }
}

fn counterexample() -> Counterexample {
    let function = Arc::new(TargetFunction::new(Function::parse("pay(uint256)").unwrap()));
    let call = |input, value: u64, warp: u64| {
        let tx = Transaction {
            sender: address!("0x00000000000000000000000000000000000000aa"),
            target: address!("0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f"),
            value: U256::from(value),
            warp: U256::from(warp),
            roll: U256::ZERO,
            input,
            reentry: None,
        };
        SequenceCall::new(tx, Some("src/Bank.sol:Bank".into()))
    };
    let typed = Input::typed(&function, vec![DynSolValue::Uint(U256::from(3), 256)]);
    Counterexample {
        original_len: 40,
        calls: vec![call(typed, 7, 3600), call(Input::Raw(bytes!("0x12")), 0, 0)],
    }
}

fn invariant() -> SavedFailure {
    SavedFailure {
        failed: Failed::Invariant("invariant_solvent".into()),
        reason: "insolvent: 1 < 2".into(),
        seed: U256::from(0x2a),
        counterexample: counterexample(),
    }
}

fn assertion(id: &str) -> SavedFailure {
    let failed = Failed::Assertion {
        id: id.into(),
        oracle: "assert".into(),
        kind: AssertionKind::VmAssert,
        contract: "src/Bank.sol:Bank".into(),
        function: "pay(uint256)".into(),
        location: Some("src/Bank.sol:12:9".into()),
    };
    SavedFailure { failed, ..invariant() }
}

fn transactions(saved: &SavedFailure) -> Vec<&Transaction> {
    saved.counterexample.calls.iter().map(|call| &call.tx).collect()
}

#[test]
fn everything_comes_back_as_it_was_saved() {
    let cache = tempfile::tempdir().unwrap();
    let store = OwnStore::new(cache.path(), &suite());
    for saved in [invariant(), assertion("a"), assertion("b")] {
        assert_eq!(store.save(&saved).unwrap(), None);
    }
    let loaded = store.load(&TargetSet::default());
    assert_eq!(loaded.warnings, Vec::<String>::new());
    assert_eq!(loaded.saved.len(), 3);
    for saved in [invariant(), assertion("a"), assertion("b")] {
        let back = loaded.saved.iter().find(|back| back.failed == saved.failed).unwrap();
        assert_eq!((&back.reason, back.seed), (&saved.reason, saved.seed));
        assert_eq!(back.counterexample.original_len, 40);
        assert_eq!(back.counterexample.calls[0].contract.as_deref(), Some("src/Bank.sol:Bank"));
        assert_eq!(transactions(back), transactions(&saved));
    }
}

#[test]
fn the_file_is_text_for_people() {
    let text = v1::write(&suite(), &assertion("assert:src/Bank.sol:12:9:pay(uint256)"));
    // The format of arguments is defined by `model::format` and tested there.
    let lines: Vec<_> = text.lines().filter(|line| !line.contains("\"args\"")).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {
      "version": 1,
      "suite": "test/bank/Bank.t.sol:BankTest",
      "failed": {
        "kind": "assertion",
        "id": "assert:src/Bank.sol:12:9:pay(uint256)",
        "oracle": "assert",
        "assertion": "vm-assert",
        "contract": "src/Bank.sol:Bank",
        "function": "pay(uint256)",
        "location": "src/Bank.sol:12:9"
      },
      "reason": "insolvent: 1 < 2",
      "seed": "0x2a",
      "original_length": 40,
      "calls": [
        {
          "sender": "0x00000000000000000000000000000000000000aa",
          "target": "0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f",
          "contract": "src/Bank.sol:Bank",
          "signature": "pay(uint256)",
          "calldata": "0xc290d6910000000000000000000000000000000000000000000000000000000000000003",
          "value": "7",
          "warp": "3600",
          "roll": "0"
        },
        {
          "sender": "0x00000000000000000000000000000000000000aa",
          "target": "0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f",
          "contract": "src/Bank.sol:Bank",
          "signature": null,
          "calldata": "0x12",
          "value": "0",
          "warp": "0",
          "roll": "0"
        }
      ],
      "checksum": "bfbe156dd0fb14e5"
    }
    "#);
}

#[test]
fn paths_tell_source_contract_and_property() {
    let store = OwnStore::new(Path::new("cache"), &suite());
    let path = |saved: SavedFailure| store.path(&saved.failed).display().to_string().replace('\\', "/");
    insta::assert_snapshot!([path(invariant()), path(assertion("a"))].join("\n"), @"
    cache/failures/test+bank+Bank.t.sol/BankTest/invariant_solvent.json
    cache/failures/test+bank+Bank.t.sol/BankTest/assert-pay-3ac225168df54212.json
    ");
}

#[test]
fn mangled_names_are_single_components_and_differ() {
    let texts = ["a/b", "a+b", "a%2Bb", "a-b", "a b", "/a", "../a", "é", "C:\\a", "a$"];
    let names: std::collections::BTreeSet<_> = texts.iter().map(|text| mangle(text)).collect();
    assert_eq!(names.len(), texts.len());
    for name in names {
        assert_eq!(Path::new(&name).components().count(), 1, "{name}");
    }
}

#[test]
fn a_damaged_file_is_set_aside_and_the_others_are_read() {
    let cache = tempfile::tempdir().unwrap();
    let store = OwnStore::new(cache.path(), &suite());
    store.save(&invariant()).unwrap();
    let good = store.path(&invariant().failed);
    let half = fs::read_to_string(&good).unwrap()[..100].to_owned();
    let bad = good.with_file_name("invariant_other.json");
    fs::write(&bad, half).unwrap();
    fs::write(good.with_file_name("x.json"), b"\xff").unwrap();

    let loaded = store.load(&TargetSet::default());
    assert_eq!(loaded.saved.len(), 1);
    assert_eq!(loaded.warnings.len(), 2, "{:?}", loaded.warnings);
    let aside = good.with_file_name("invariant_other.json.damaged");
    assert!(loaded.warnings[0].contains(&aside.display().to_string()), "{:?}", loaded.warnings);
    assert!(aside.exists() && !bad.exists());
    assert_eq!(store.load(&TargetSet::default()).warnings, Vec::<String>::new());
}

#[test]
fn a_file_of_a_later_version_stays_where_it_is() {
    let cache = tempfile::tempdir().unwrap();
    let store = OwnStore::new(cache.path(), &suite());
    store.save(&invariant()).unwrap();
    let path = store.path(&invariant().failed);
    fs::write(&path, r#"{"version":2,"unheard":"of"}"#).unwrap();
    let loaded = store.load(&TargetSet::default());
    assert!(loaded.saved.is_empty() && path.exists());
    assert!(loaded.warnings[0].contains("version 2"), "{:?}", loaded.warnings);
}

#[test]
fn what_no_longer_fails_is_removed_once() {
    let cache = tempfile::tempdir().unwrap();
    let store = OwnStore::new(cache.path(), &suite());
    store.save(&invariant()).unwrap();
    let path = store.path(&invariant().failed);
    for _ in 0..2 {
        let calls: Vec<_> = transactions(&invariant()).into_iter().cloned().collect();
        store.remove(&invariant().failed, &calls, &TargetSet::default()).unwrap();
        assert!(!path.exists());
    }
}

#[test]
fn suites_of_one_name_do_not_meet() {
    let other = ContractId { path: "test/Bank.t.sol".into(), ..suite() };
    let path = |suite| OwnStore::new(Path::new("c"), suite).path(&invariant().failed);
    assert_ne!(path(&suite()), path(&other));
}

#[test]
fn an_empty_sequence_is_kept_too() {
    let cache = tempfile::tempdir().unwrap();
    let store = OwnStore::new(cache.path(), &suite());
    let mut saved = invariant();
    saved.counterexample = Counterexample { original_len: 0, calls: vec![] };
    store.save(&saved).unwrap();
    assert_eq!(store.load(&TargetSet::default()).saved[0].counterexample.calls.len(), 0);
}

#[test]
fn another_processs_failure_of_the_same_property_is_not_removed() {
    let dir = tempfile::tempdir().unwrap();
    let store = OwnStore::new(dir.path(), &suite());
    let targets = TargetSet::default();
    store.save(&invariant()).unwrap();
    let old: Vec<Transaction> = invariant().counterexample.calls.into_iter().map(|call| call.tx).collect();
    let mut newer = invariant();
    newer.counterexample.calls.truncate(1);
    store.save(&newer).unwrap();
    store.remove(&newer.failed, &old, &targets).unwrap();
    assert_eq!(store.load(&targets).saved.len(), 1);
    store.remove(&newer.failed, &old[..1], &targets).unwrap();
    assert_eq!(store.load(&targets).saved.len(), 0);
    let path = store.path(&newer.failed);
    fs::write(&path, "damaged meanwhile").unwrap();
    store.remove(&newer.failed, &old[..1], &targets).unwrap();
    assert!(path.exists());
}

#[test]
fn nothing_is_written_over_a_file_that_cannot_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let store = OwnStore::new(dir.path(), &suite());
    let saved = invariant();
    store.save(&saved).unwrap();
    let path = store.path(&saved.failed);
    let text = fs::read_to_string(&path).unwrap();
    let other = dir.path().join("other/failures/a/b/c.json");
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    fs::write(&other, &text).unwrap();
    let later = text.replacen("\"version\": 1", "\"version\": 99", 1);
    assert_ne!(later, text);
    fs::write(&path, &later).unwrap();
    store.save(&saved).unwrap_err();
    adopt(&other, dir.path(), &mut Vec::new()).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), later);
    for number in ["", "-2"] {
        fs::write(&path, "damaged").unwrap();
        assert!(adopt(&other, dir.path(), &mut Vec::new()).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert!(PathBuf::from(format!("{}.damaged{number}", path.display())).is_file(), "{number}");
    }
}

#[test]
fn no_name_leads_out_of_the_corpus_or_is_too_long() {
    for name in ["..", ".", "../..", ".hidden", "/"] {
        let mangled = mangle(name);
        assert!(!mangled.starts_with('.') && !mangled.contains('/'), "{mangled}");
    }
    let (long, longer) = ("a".repeat(300), "a".repeat(301));
    assert!(mangle(&long).len() <= 200 && mangle(&long) != mangle(&longer));
}

#[test]
fn a_failure_is_found_by_its_id_in_reports() {
    let dir = tempfile::tempdir().unwrap();
    let other = ContractId { path: "test/Other.t.sol".into(), name: "OtherTest".into() };
    let test = SavedFailure { failed: Failed::Test("testFuzz_x(uint256)".into()), ..invariant() };
    OwnStore::new(dir.path(), &other).save(&test).unwrap();
    let store = OwnStore::new(dir.path(), &suite());
    for saved in [invariant(), assertion("assert-12"), assertion("assert-34")] {
        store.save(&saved).unwrap();
    }
    let place = |id: &str| find(dir.path(), id);
    assert_eq!(place(&test_id(&suite(), "invariant_solvent()")), Some(store.path(&invariant().failed)));
    assert_eq!(place("assert-34"), Some(store.path(&assertion("assert-34").failed)));
    let saved = OwnStore::new(dir.path(), &other).path(&test.failed);
    assert_eq!(place(&test_id(&other, "testFuzz_x(uint256)")), Some(saved));
    assert_eq!(place(&test_id(&suite(), "testFuzz_x(uint256)")), None);
    assert_eq!(find(&dir.path().join("missing"), "assert-34"), None);
}
