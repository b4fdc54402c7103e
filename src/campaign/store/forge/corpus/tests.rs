use super::*;
use crate::model::{PropertyKind, Target, TargetFunction};
use alloy_json_abi::Function;
use std::{fs, path::PathBuf, sync::Arc};

const TARGET: Address = Address::repeat_byte(7);
const UUID: &str = "f90a5d22-603f-4a92-8916-0cdfba84e37";

fn function(signature: &str) -> Arc<TargetFunction> {
    Arc::new(TargetFunction::new(Function::parse(signature).unwrap()))
}

fn targets() -> TargetSet {
    let target = Target {
        address: TARGET,
        identifier: "src/C.sol:C".into(),
        functions: vec![function("function f(uint256)")],
        views: Vec::new(),
        abi: Arc::default(),
    };
    TargetSet { targets: vec![target], ..TargetSet::default() }
}

fn corpus(dir: &Path, kind: PropertyKind, forge: ForgeVersion) -> ForgeCorpus {
    let property = Property { function: function("function invariant_x()"), kind };
    ForgeCorpus::new(&CorpusConfig { dir: dir.to_owned(), gzip: true }, "T", [&property], forge)
}

/// Returns a sequence as Forge writes it, with this argument, and with a call that no target has any more.
fn text(arg: u8) -> String {
    let call = format!("b3de648b{arg:064x}");
    format!(
        r#"[{{"warp":"0x3","sender":"{0}","target":"{TARGET}","calldata":"0x{call}"}},{{"sender":"{0}","target":"{TARGET}","calldata":"0x01020304"}}]"#,
        Address::repeat_byte(1)
    )
}

fn put(dir: &Path, path: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

/// Returns the last byte of each sequence's only call.
fn args(sequences: &[Sequence]) -> Vec<u8> {
    let arg = |sequence: &Sequence| {
        let [call] = &sequence[..] else { panic!("{sequence:?}") };
        *call.input.calldata().last().unwrap()
    };
    sequences.iter().map(arg).collect()
}

#[test]
fn both_layouts_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    put(dir, &format!("T/worker0/corpus/{UUID}0-1.json"), text(0).as_bytes());
    put(dir, &format!("T/worker1/corpus/{UUID}0-1.json"), text(0).as_bytes());
    put(dir, &format!("T/worker1/corpus/{UUID}1-1.JSON.GZ"), &compressed(text(1).as_bytes()));
    put(dir, &format!("T/worker1/sync/{UUID}2-1.json"), text(2).as_bytes());
    put(dir, &format!("T/invariant_x/worker0/corpus/{UUID}3-1.json"), text(3).as_bytes());
    put(dir, &format!("T/invariant_x/{UUID}4-1.json"), text(4).as_bytes());
    put(dir, &format!("T/invariant_y/{UUID}5-1.json"), text(5).as_bytes());
    let broken = put(dir, &format!("T/worker2/corpus/{UUID}6-1.json"), b"[");
    let read = |kind, forge| corpus(dir, kind, forge).read(&targets());
    let warning = format!("{} holds no sequence of calls that can be read; remove it", broken.display());
    for (kind, forge, expected) in [
        (PropertyKind::Invariant, ForgeVersion::V1_8, vec![0, 1, 3]),
        (PropertyKind::Invariant, ForgeVersion::V1_7, vec![0, 1, 3, 4]),
        (PropertyKind::Test, ForgeVersion::V1_8, vec![3]),
        (PropertyKind::Optimization, ForgeVersion::V1_7, vec![3, 4]),
    ] {
        let (sequences, warnings) = read(kind, forge);
        assert_eq!(args(&sequences), expected, "{kind:?} {forge:?}");
        let is_of_contract = kind == PropertyKind::Invariant;
        assert_eq!(warnings, vec![warning.clone(); usize::from(is_of_contract)], "{kind:?}");
    }
    fs::remove_dir_all(dir.join("T/invariant_x/worker0")).unwrap();
    assert_eq!(args(&read(PropertyKind::Test, ForgeVersion::V1_8).0), [4]);
}

#[test]
fn the_best_sequence_of_an_optimization_comes_first() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), &format!("T/invariant_x/worker0/corpus/{UUID}0-1.json"), text(0).as_bytes());
    let best = format!(r#"{{"best_value":"0x11","best_sequence":{}}}"#, text(9));
    let path = put(dir.path(), "T/invariant_x/optimization_best.json", best.as_bytes());
    let read = |kind| corpus(dir.path(), kind, ForgeVersion::V1_8).read(&targets());
    assert_eq!(args(&read(PropertyKind::Optimization).0), [9, 0]);
    assert_eq!(args(&read(PropertyKind::Invariant).0), [0]);
    fs::write(path, "[]").unwrap();
    let (sequences, warnings) = read(PropertyKind::Optimization);
    assert_eq!((args(&sequences), warnings.len()), (vec![0], 1));
}

#[test]
fn what_is_written_is_where_the_version_reads_it_and_not_written_again() {
    for (kind, forge, place) in [
        (PropertyKind::Invariant, ForgeVersion::V1_7, "T/invariant_x"),
        (PropertyKind::Invariant, ForgeVersion::V1_8, "T/worker0/corpus"),
        (PropertyKind::Optimization, ForgeVersion::V1_8, "T/invariant_x/worker0/corpus"),
        (PropertyKind::Test, ForgeVersion::V1_8, "T/invariant_x/worker0/corpus"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), &format!("{place}/{UUID}0-1.json"), text(0).as_bytes());
        let corpus = corpus(dir.path(), kind, forge);
        let (mut sequences, _) = corpus.read(&targets());
        sequences[0][0].warp = U256::from(9);
        corpus.write(sequences.iter()).unwrap();
        corpus.write(sequences.iter()).unwrap();
        let (read, warnings) = corpus.read(&targets());
        assert_eq!((read.len(), warnings.len()), (2, 0), "{kind:?}");
        assert!(read.contains(&sequences[0]));
        assert_eq!(files(&dir.path().join(place)).len(), 2, "{kind:?}");
    }
}

#[test]
fn only_names_of_entries_have_a_uuid() {
    let read = |name: &str| uuid(Path::new(name));
    let digits = Some(format!("{UUID}a").replace('-', ""));
    for name in ["a-1.json", "A-9.JSON.GZ", "a-1.Json"] {
        assert_eq!(read(&format!("{UUID}{name}")), digits, "{name}");
    }
    for name in ["a.json", "a-x.json", "-1.json", "ab-1.json", "a-1.txt", "g-1.json"] {
        assert_eq!(read(&format!("{UUID}{name}")), None, "{name}");
    }
}
