use super::*;
use crate::files::write_atomically;
use crate::model::{Input, Sequence, Target, TargetFunction, TargetSet, Transaction};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Function;
use alloy_primitives::{Address, U256};
use std::sync::Arc;

const BANK: Address = Address::repeat_byte(7);
const VAULT: Address = Address::repeat_byte(8);

fn target(identifier: &str, address: Address, signatures: &[&str]) -> Target {
    let function = |signature: &&str| Arc::new(TargetFunction::new(Function::parse(signature).unwrap()));
    Target {
        address,
        identifier: identifier.into(),
        functions: signatures.iter().map(function).collect(),
        views: Vec::new(),
        abi: Arc::default(),
    }
}

fn targets() -> TargetSet {
    set(vec![
        target("src/Bank.sol:Bank", BANK, &["pay(address,uint256)", "close()"]),
        target("src/Vault.sol:Vault", VAULT, &["close()"]),
    ])
}

fn set(targets: Vec<Target>) -> TargetSet {
    TargetSet { targets, ..TargetSet::default() }
}

fn call(targets: &TargetSet, address: Address, name: &str, args: Vec<DynSolValue>) -> Transaction {
    let target = targets.targets.iter().find(|target| target.address == address).unwrap();
    let function = target.functions.iter().find(|function| function.name == name).unwrap().clone();
    Transaction {
        sender: Address::repeat_byte(1),
        target: address,
        value: U256::from(3),
        warp: U256::from(4),
        roll: U256::ZERO,
        input: Input::typed(&function, args),
        reentry: None,
    }
}

fn sequence() -> Sequence {
    let targets = &targets();
    let args = vec![DynSolValue::Address(VAULT), DynSolValue::Uint(U256::from(5), 256)];
    vec![call(targets, BANK, "pay", args), call(targets, VAULT, "close", vec![])]
}

fn entry() -> CorpusEntry {
    CorpusEntry::new(&sequence(), &targets())
}

fn corpus(dir: &tempfile::TempDir) -> CorpusStore {
    CorpusStore::new(dir.path(), &ContractId { path: "test/bank/Bank.t.sol".into(), name: "BankTest".into() })
}

#[test]
fn what_is_written_comes_back_once_in_files_named_by_what_is_in_them() {
    let dir = tempfile::tempdir().unwrap();
    let covered = Covered { branches: 12, paths: 34 };
    let one = corpus(&dir).write(&[entry()], covered).unwrap();
    assert_eq!(one, corpus(&dir).write(&[entry()], covered).unwrap());
    corpus(&dir).write(&[entry()], Covered::default()).unwrap();
    assert!(one[0].starts_with(dir.path().join("inputs/test+bank+Bank.t.sol/BankTest")));
    let loaded = corpus(&dir).read();
    assert_eq!((loaded.segments.len(), loaded.entries.len(), loaded.warnings.len()), (2, 1, 0));
    assert_eq!(loaded.covered, covered);
    assert_eq!(loaded.entries[0].sequence(&targets()), sequence());
}

#[test]
fn a_segment_that_is_damaged_anywhere_is_set_aside_and_the_others_are_read() {
    for damage in ["flip", "truncate", "empty"] {
        let dir = tempfile::tempdir().unwrap();
        let kept = corpus(&dir).write(&[entry()], Covered::default()).unwrap();
        let damaged = corpus(&dir).write(&[entry(), entry()], Covered::default()).unwrap().remove(0);
        let mut bytes = fs::read(&damaged).unwrap();
        let middle = bytes.len() / 2;
        match damage {
            "flip" => bytes[middle] ^= 1,
            "truncate" => bytes.truncate(middle),
            _ => bytes.clear(),
        }
        fs::write(&damaged, bytes).unwrap();
        let loaded = corpus(&dir).read();
        assert_eq!((&loaded.segments, loaded.entries.len()), (&kept, 1), "{damage}");
        let [warning] = &loaded.warnings[..] else { panic!("{:?}", loaded.warnings) };
        assert!(
            warning.starts_with("set corpus file aside as ") && warning.contains("checksum"),
            "{warning}"
        );
        assert!(!damaged.exists() && damaged.with_extension("gz.damaged").exists());
        assert!(corpus(&dir).read().warnings.is_empty());
    }
}

#[test]
fn a_later_version_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let bytes = compressed(b"{\"version\":2}\nwhatever\n");
    let path = dir.path().join("inputs/test+bank+Bank.t.sol/BankTest").join(checksum(&bytes) + SUFFIX);
    write_atomically(&path, &bytes).unwrap();
    let loaded = corpus(&dir).read();
    assert!(loaded.warnings[0].contains("version 2"), "{:?}", loaded.warnings);
    assert!(path.exists());
}

#[test]
fn what_others_wrote_meanwhile_survives_a_replacement() {
    let dir = tempfile::tempdir().unwrap();
    let corpus = corpus(&dir);
    corpus.write(&[entry()], Covered::default()).unwrap();
    let read = corpus.read();
    let other = CorpusEntry::new(&sequence()[..1], &targets());
    corpus.write(std::slice::from_ref(&other), Covered::default()).unwrap();
    corpus.replace(&read.segments, &read.entries, Covered { branches: 1, paths: 1 }).unwrap();
    let after = corpus.read();
    assert_eq!((after.segments.len(), after.entries.len()), (2, 2));
    assert!(after.entries.contains(&other) && after.entries.contains(&entry()));
}

#[test]
fn calls_follow_their_contracts_and_drop_out_with_their_functions() {
    let moved = Address::repeat_byte(9);
    let edited = set(vec![
        // Another source file, and an additional parameter.
        target("src/core/Vault.sol:Vault", moved, &["close()"]),
        target("src/Bank.sol:Bank", BANK, &["pay(address,uint256)", "close()"]),
    ]);
    let sequence = entry().sequence(&edited);
    assert_eq!(sequence.iter().map(|tx| tx.target).collect::<Vec<_>>(), [BANK, moved]);
    let Input::Typed { args, .. } = &sequence[0].input else { panic!("typed") };
    assert_eq!(args[0], DynSolValue::Address(moved), "the argument was the vault");
    let edited = set(vec![target("src/Bank.sol:Bank", BANK, &["pay(address,uint256,bool)", "close()"])]);
    assert!(entry().sequence(&edited).is_empty());
}

#[test]
fn of_several_alike_the_same_one_is_called() {
    let pair = |first, second| {
        set(vec![target("src/A.sol:A", first, &["f()"]), target("src/A.sol:A", second, &["f()"])])
    };
    let (old, new) = (pair(BANK, VAULT), pair(Address::repeat_byte(1), Address::repeat_byte(2)));
    let entry = CorpusEntry::new(&[call(&old, VAULT, "f", vec![])], &old);
    assert_eq!(entry.sequence(&new)[0].target, Address::repeat_byte(2));
}

#[test]
fn senders_are_those_of_today() {
    let allowed = [Address::repeat_byte(0x21), Address::repeat_byte(0x22)];
    let today = TargetSet { senders: allowed.to_vec(), ..targets() };
    assert!(entry().sequence(&today).iter().all(|tx| allowed.contains(&tx.sender)));
    let today = TargetSet { excluded_senders: vec![Address::repeat_byte(1)], ..targets() };
    assert!(entry().sequence(&today).is_empty());
}

#[test]
fn what_killed_processes_left_is_removed_when_it_is_old() {
    let dir = tempfile::tempdir().unwrap();
    let corpus = corpus(&dir);
    let written = corpus.write(&[entry()], Covered::default()).unwrap().remove(0);
    let now = SystemTime::now();
    let left = |name: &str, time| {
        let path = written.with_file_name(name);
        fs::File::create(&path).unwrap().set_modified(time).unwrap();
        path
    };
    let old = left(".harvey-old", now - 2 * ABANDONED);
    // As after the clock was set back.
    let future = left(".harvey-future", now + 24 * ABANDONED);
    let fresh = left(".harvey-fresh", now);
    corpus.tidy();
    assert_eq!([old, future, fresh, written].map(|path| path.exists()), [false, true, true, true]);
}

#[test]
fn a_segment_that_unfolds_without_end_is_damaged() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let zeros = vec![b' '; 1 << 20];
    (0..=MOST >> 20).for_each(|_| encoder.write_all(&zeros).unwrap());
    let bytes = encoder.finish().unwrap();
    assert!(matches!(parse(&bytes), Err(Unreadable::Damaged(why)) if why.contains("unfolds")));
}

#[test]
fn no_more_than_a_bound_is_read_and_the_inputs_of_the_most_coverage_come_first() {
    let dir = tempfile::tempdir().unwrap();
    let corpus = corpus(&dir);
    let targets = targets();
    let large = |number: u64| {
        let args = vec![DynSolValue::Address(VAULT), DynSolValue::Uint(U256::from(number), 256)];
        CorpusEntry::new(&vec![call(&targets, BANK, "pay", args); 4096], &targets)
    };
    let most = 2 + MOST_OF_SUITE / large(0).line().len();
    for number in 0..most as u64 {
        corpus.write(&[large(number)], Covered { branches: number, paths: 0 }).unwrap();
    }
    let loaded = corpus.read();
    assert!(loaded.is_full() && loaded.bytes < MOST_OF_SUITE + large(0).line().len());
    assert_eq!((loaded.entries.len(), loaded.segments.len()), (most - 1, most - 1));
    assert_eq!((&loaded.entries[0], loaded.covered.branches), (&large(most as u64 - 1), most as u64 - 1));
    assert!(loaded.warnings[0].starts_with("left out 1 files of inputs: "), "{:?}", loaded.warnings);
}
