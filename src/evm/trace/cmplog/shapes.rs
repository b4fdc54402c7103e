//! Tests of comparison tracing on compiled conditions: `testdata/shapes`, compiled by all compiler versions
//! installed from npm.

use crate::{
    evm::{
        base::constants::CALLER,
        cheats::testing::{Lab, TEST},
    },
    model::{Branch, BranchKind, Relation},
};
use alloy_dyn_abi::{DynSolType, JsonAbiExt};
use alloy_json_abi::Function;
use alloy_primitives::{Bytes, I256, U256, hex, keccak256};
use std::{path::Path, process::Command};

/// Compiled code of one contract.
struct Compiled {
    name: String,
    contract: String,
    code: Vec<u8>,
}

/// Runs the compile script, which caches its results, and returns all compiled codes.
fn compiled() -> Vec<Compiled> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("testdata/cache/shapes.json");
    let status = Command::new("node").arg(root.join("scripts/shapes.mjs")).arg(&file).status().unwrap();
    assert!(status.success());
    let output: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let text = |entry: &serde_json::Value, key: &str| entry[key].as_str().unwrap().to_owned();
    let entries = output["codes"].as_array().unwrap().iter();
    let compiled = entries.map(|entry| Compiled {
        name: format!("{} {}", text(entry, "version"), text(entry, "way")),
        contract: text(entry, "contract"),
        code: hex::decode(text(entry, "code")).unwrap(),
    });
    compiled.collect()
}

/// Call and the comparisons in it: `function(types)`, arguments, and comparisons `a < b`, `a <s b` or
/// `a == b`. Comparisons are separated by commas, and alternatives for one by `|`.
type Shape = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    ("eq(uint256,uint256)", "5 9", "5 == 9"),
    ("ne(uint256,uint256)", "5 9", "5 == 9"),
    ("lt(uint256,uint256)", "5 9", "5 < 9"),
    ("le(uint256,uint256)", "5 9", "9 < 5"),
    ("gt(uint256,uint256)", "5 9", "9 < 5"),
    ("ge(uint256,uint256)", "5 9", "5 < 9"),
    ("slt(int256,int256)", "-5 9", "-5 <s 9"),
    ("sle(int256,int256)", "-5 9", "9 <s -5"),
    ("sgt(int256,int256)", "-5 9", "9 <s -5"),
    ("sge(int256,int256)", "-5 9", "-5 <s 9"),
    ("eqConstant(uint256)", "5", "5 == 42"),
    ("neConstant(uint256)", "5", "5 == 123456789"),
    ("ltConstant(uint256)", "5", "5 < 42 | 41 < 5"),
    ("eqNegative(int256)", "5", "5 == -5"),
    ("isZero(uint256)", "5", "5 == 0"),
    ("sum(uint256,uint256)", "5 9", "14 == 100"),
    ("both(uint256,uint256)", "7 3", "7 == 7, 3 < 9 | 8 < 3"),
    ("either(uint256,uint256)", "5 30", "5 == 7, 30 < 9 | 8 < 30"),
    ("notBoth(uint256,uint256)", "7 3", "7 == 7, 3 < 9 | 8 < 3"),
    ("three(uint256,uint256,uint256)", "5 6 8", "1 < 5 | 5 < 2, 6 == 2, 8 == 3"),
    ("boolLocal(uint256,uint256)", "5 9", "5 < 9"),
    ("boolBoth(uint256,uint256,uint256)", "5 9 20", "5 < 9, 9 < 20"),
    ("boolTrue(uint256,uint256)", "5 9", "5 == 9"),
    ("boolFalse(uint256,uint256)", "5 9", "5 == 9"),
    ("boolFunction(uint256)", "5", "5 < 100 | 99 < 5"),
    ("boolNotFunction(uint256)", "5", "5 < 100 | 99 < 5"),
    ("boolFunctions(uint256)", "15", "15 < 100 | 99 < 15, 15 < 10 | 9 < 15, 15 < 20 | 19 < 15"),
    ("boolStruct(uint256,uint256)", "5 9", "5 == 9"),
    ("boolPassed(uint256,uint256)", "5 9", "5 < 9"),
    ("boolArgument(bool)", "true", "1 == 0"),
    ("boolStored()", "", "0 == 0"),
    ("boolMapping(address)", "0x0000000000000000000000000000000000000055", "0 == 0"),
    ("boolGetter(uint256,uint256)", "5 9", "5 < 9"),
    ("eqUint8(uint8,uint8)", "5 9", "5 == 9"),
    ("neUint8(uint8)", "5", "5 == 200"),
    ("ltUint64(uint64,uint64)", "5 9", "5 < 9"),
    ("neUint128(uint128,uint128)", "5 9", "5 == 9"),
    ("sltInt8(int8,int8)", "-5 9", "-5 <s 9"),
    ("eqInt64(int64,int64)", "5 9", "5 == 9"),
    ("eqAddress(address,address)", "0x0000000000000000000000000000000000000055 0x0000000000000000000000000000000000000077", "85 == 119"),
    ("neAddress(address)", "0x0000000000000000000000000000000000000055", "85 == 0"),
    ("isOwner()", "", "CALLER == 0"),
    ("eqBytes32(bytes32,bytes32)", "0x0000000000000000000000000000000000000000000000000000000000000005 0x0000000000000000000000000000000000000000000000000000000000000009", "5 == 9"),
    ("neBytes4(bytes4,bytes4)", "0x00000005 0x00000009", "B4:5 == B4:9 | 5 == 9"),
    ("eqEnum(uint8)", "1", "1 == 2"),
    ("eqString(string)", "shut", "HASH:shut == HASH:open"),
    ("eqStored(uint256)", "5", "5 == 77"),
    ("ternary(uint256,uint256)", "5 9", "5 < 9"),
    ("paid()", "", "0 == 5"),
    ("requires(uint256)", "5", "10 < 5 | 5 < 11"),
    ("requiresText(uint256)", "5", "5 == 10"),
    ("requiresBoth(uint256,uint256)", "5 3", "5 < 10 | 9 < 5, 3 == 3"),
    ("reverts(uint256)", "5", "5 < 10 | 9 < 5"),
    ("asserts(uint256)", "5", "5 == 10"),
    ("modified(uint256)", "5", "5 < 50 | 49 < 5"),
    ("loop(uint256)", "3", "* < 3"),
    ("forLoop(uint256[],uint256)", "[4,8] 9", "* < 2, 8 == 9"),
    ("customError(uint256)", "50", "50 < 10 | 9 < 50"),
    ("emptyError(uint256)", "5", "5 == 10"),
    ("uncheckedSum(uint256,uint256)", "5 9", "14 == 100"),
    ("inBounds(uint256[],uint256)", "[4,8] 1", "1 < 2"),
    ("casts(uint256)", "5", "340282366920938463463374607431768211455 < 5"),
    ("userType(uint256,uint256)", "9 5", "9 < 5"),
];

fn word(text: &str) -> Option<U256> {
    let hash = |text: &str| U256::from_be_bytes(keccak256(text).0);
    match text.split_once(':') {
        Some(("HASH", text)) => Some(hash(text)),
        Some(("B4", number)) => Some(number.parse::<U256>().unwrap() << 224),
        _ if text == "*" => None,
        _ if text == "CALLER" => Some(CALLER.into_word().into()),
        _ => Some(text.parse::<I256>().unwrap().into_raw()),
    }
}

/// Tells whether the branch makes this comparison.
fn compares(branch: &Branch, comparison: &str) -> bool {
    let operators = [(" == ", Relation::Equal), (" <s ", Relation::SignedLess), (" < ", Relation::Less)];
    let parse = |(operator, relation)| {
        let (left, right) = comparison.split_once(operator)?;
        Some((relation, word(left.trim()), word(right.trim())))
    };
    let (relation, left, right) = operators.into_iter().find_map(parse).unwrap();
    let is = |expected: Option<U256>, word: U256| expected.is_none_or(|expected| expected == word);
    branch.relation == relation
        && (is(left, branch.left) && is(right, branch.right)
            || relation == Relation::Equal && is(left, branch.right) && is(right, branch.left))
}

fn calldata(signature: &str, arguments: &str) -> Bytes {
    let function = Function::parse(signature).unwrap();
    let mut words = arguments.split_whitespace();
    let mut coerce = |ty: &str| DynSolType::parse(ty).unwrap().coerce_str(words.next().unwrap()).unwrap();
    let values = function.inputs.iter().map(|input| coerce(&input.ty)).collect::<Vec<_>>();
    function.abi_encode_input(&values).unwrap().into()
}

fn branches(code: &[u8], signature: &str, arguments: &str) -> Vec<Branch> {
    let mut lab = Lab::new();
    lab.put(TEST, code);
    lab.set_storage(U256::ONE, U256::from(77));
    lab.evm.vm.ctx.chain.cmplog.hashing = true;
    lab.evm.trace_comparisons(true);
    lab.call(calldata(signature, arguments));
    let footprint = lab.evm.footprint(true).unwrap();
    footprint.branches.into_iter().filter(|branch| branch.kind == BranchKind::Jump).collect()
}

fn shown(branches: &[Branch]) -> String {
    let show = |branch: &Branch| format!("{:?}({}, {})", branch.relation, branch.left, branch.right);
    branches.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_comparisons_of_a_program_are_found_in_what_any_compiler_makes_of_it() {
    let (mut found, mut surplus, mut missing) = (0, Vec::new(), Vec::new());
    for compiled in compiled() {
        for (signature, arguments, comparisons) in SHAPES {
            if !has(&compiled.code, signature) {
                continue;
            }
            let branches = branches(&compiled.code, signature, arguments);
            let mut left = branches.len();
            for alternatives in comparisons.split(',') {
                let made = |branch: &Branch| alternatives.split('|').any(|one| compares(branch, one));
                if branches.iter().any(made) {
                    found += 1;
                    left -= branches.iter().filter(|branch| made(branch)).count().min(left);
                } else {
                    missing.push(format!(
                        "{} {} {signature}: {alternatives} among {}",
                        compiled.name,
                        compiled.contract,
                        shown(&branches)
                    ));
                }
            }
            if left > 0 {
                surplus.push(format!("{} {signature}: {}", compiled.name, shown(&branches)));
            }
        }
    }
    assert!(missing.is_empty(), "{} of {}:\n{}", missing.len(), found + missing.len(), missing.join("\n"));
    // Overflow checks and the like are found as well. Compiler-generated checks would be far more.
    assert!(surplus.len() * 10 <= found, "{} shapes have more:\n{}", surplus.len(), surplus.join("\n"));
}

/// Tells whether the code has a function: its dispatcher pushes the selector without leading zeros.
fn has(code: &[u8], signature: &str) -> bool {
    let selector = U256::from_be_slice(Function::parse(signature).unwrap().selector().as_slice());
    super::pushes(code).any(|constant| constant == selector)
}
