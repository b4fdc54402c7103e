use super::*;
use crate::model::{Sequence, Target, TargetFunction, TargetSet, Transaction, format::Style, format::args};
use alloy_primitives::Address;
use std::sync::Arc;

fn targets(signatures: &[&str]) -> TargetSet {
    let function = |signature: &&str| Arc::new(TargetFunction::new(parse_function(signature).unwrap()));
    let target = Target {
        address: Address::repeat_byte(7),
        identifier: "src/T.sol:T".into(),
        functions: signatures.iter().map(function).collect(),
        views: Vec::new(),
        abi: Arc::default(),
    };
    TargetSet { targets: vec![target], ..TargetSet::default() }
}

const SIGNATURES: [&str; 4] = [
    "pay(address,uint256,int8,bool)",
    "note(bytes,string,bytes4)",
    "list(address[],(uint256[2]))",
    "magic(uint256,uint256)",
];

fn sequence(file: &str) -> Sequence {
    let path = format!("{}/testdata/foreign/{file}", env!("CARGO_MANIFEST_DIR"));
    let [entry] = &read(&std::fs::read(path).unwrap()).unwrap()[..] else { panic!("one sequence") };
    entry.sequence(&targets(&SIGNATURES))
}

fn shown(tx: &Transaction) -> String {
    let crate::model::Input::Typed { function, args: values } = &tx.input else { panic!("typed") };
    let values = args(&function.inputs, values, Style::Raw);
    format!(
        "{}({values}) from {} with {}, {} s and {} blocks later",
        function.name, tx.sender, tx.value, tx.warp, tx.roll
    )
}

#[test]
fn echidnas_calls_have_their_arguments_and_the_time_before_them() {
    let sequence = sequence("echidna/current.txt");
    let lines: Vec<_> = sequence.iter().map(shown).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    pay(0x00000000000000000000000000000002fFffFffD, 510, -19, true) from 0x0000000000000000000000000000000000020000 with 7, 555740 s and 5053 blocks later
    note(0x1e233952a8b4, say \"hi\"\n, 0x00016162) from 0x0000000000000000000000000000000000010000 with 0, 15 s and 3 blocks later
    list([], ([1, 2])) from 0x0000000000000000000000000000000000010000 with 0, 0 s and 0 blocks later
    "#);
}

#[test]
fn what_echidna_kept_before_2_1_is_read() {
    let sequence = sequence("echidna/legacy.txt");
    insta::assert_snapshot!(sequence.iter().map(shown).collect::<String>(), @"magic(42, 129) from 0x00a329C0648769a73afAC7F9381e08fb43DBEA70 with 0, 79431 s and 52470 blocks later");
}

#[test]
fn medusas_calldata_counts_and_what_no_target_has_is_left_out() {
    let sequence = sequence("medusa/1711369141680378000-563145f4-2fb6-4929-9438-d9f229d9c2a4.json");
    insta::assert_snapshot!(sequence.iter().map(shown).collect::<String>(), @"magic(42, 129) from 0x0000000000000000000000000000000000030000 with 1, 401424 s and 25421 blocks later");
}

#[test]
fn what_is_no_sequence_says_so() {
    for (text, expected) in [
        ("{", "EOF"),
        ("{}", "no list"),
        ("[1]", "neither"),
        (r#"[{"calldata":5}]"#, "Forge"),
        (r#"[{"call":{"x":1}}]"#, "neither"),
    ] {
        let why = read(text.as_bytes()).unwrap_err();
        assert!(why.contains(expected), "{text}: {why}");
    }
    assert!(read(b"[]").unwrap().is_empty());
    let nested = "[".repeat(100_000);
    read(nested.as_bytes()).unwrap_err();
}
