use super::*;
use alloy_primitives::uint;

fn judge(signature: &str, arguments: &[DynSolValue]) -> String {
    let hash = keccak256(signature);
    let assertion = find(hash[..4].try_into().unwrap()).expect("a known assertion");
    assertion.judge(arguments).err().unwrap_or_default()
}

fn uint(value: u64) -> DynSolValue {
    DynSolValue::Uint(U256::from(value), 256)
}

fn int(value: i64) -> DynSolValue {
    DynSolValue::Int(I256::try_from(value).unwrap(), 256)
}

#[test]
fn the_table_is_forges_family() {
    let ours = TABLE.len();
    let forges = super::super::forge_abi::abi().functions.keys().filter(|name| name.starts_with("assert"));
    let forges: usize = forges.map(|name| super::super::forge_abi::abi().functions[name].len()).sum();
    assert_eq!(ours, forges);
}

#[test]
fn a_failed_comparison_shows_the_operator_that_holds() {
    insta::assert_snapshot!(
        judge("assertLt(uint256,uint256)", &[uint(3), uint(3)]),
        @"assertion failed: 3 >= 3"
    );
    insta::assert_snapshot!(
        judge("assertGe(int256,int256)", &[int(-3), int(0)]),
        @"assertion failed: -3 < 0"
    );
    insta::assert_snapshot!(
        judge("assertNotEq(uint256,uint256)", &[uint(1), uint(1)]),
        @"assertion failed: 1 == 1"
    );
    assert_eq!(judge("assertLe(int256,int256)", &[int(-3), int(0)]), "");
}

#[test]
fn a_message_takes_the_place_of_the_prefix() {
    let message = DynSolValue::String("sum".into());
    insta::assert_snapshot!(
        judge("assertEq(uint256,uint256,string)", &[uint(1), uint(2), message.clone()]),
        @"sum: 1 != 2"
    );
    insta::assert_snapshot!(
        judge("assertTrue(bool,string)", &[DynSolValue::Bool(false), message]),
        @"sum"
    );
    insta::assert_snapshot!(judge("assertFalse(bool)", &[DynSolValue::Bool(true)]), @"assertion failed");
}

#[test]
fn values_are_shown_plainly() {
    let list = |values: &[u64]| DynSolValue::Array(values.iter().copied().map(uint).collect());
    insta::assert_snapshot!(
        judge("assertEq(uint256[],uint256[])", &[list(&[0, 0]), list(&[0, 0, 0])]),
        @"assertion failed: [0, 0] != [0, 0, 0]"
    );
    let text = |text: &str| DynSolValue::String(text.into());
    insta::assert_snapshot!(
        judge("assertEq(string,string)", &[text("a b"), text("")]),
        @"assertion failed: a b != "
    );
    let bytes = |data: &[u8]| DynSolValue::Bytes(data.to_vec());
    insta::assert_snapshot!(
        judge("assertEq(bytes,bytes)", &[bytes(b"ab"), bytes(b"")]),
        @"assertion failed: 0x6162 != 0x"
    );
}

#[test]
fn decimals_shift_the_point() {
    insta::assert_snapshot!(
        judge("assertEqDecimal(uint256,uint256,uint256)", &[uint(1_500_000), uint(1), uint(6)]),
        @"assertion failed: 1.500000 != 0.000001"
    );
    insta::assert_snapshot!(
        judge("assertGtDecimal(int256,int256,uint256)", &[int(-1_500_000), int(1), uint(6)]),
        @"assertion failed: -1.500000 <= 0.000001"
    );
}

#[test]
fn approximations_tell_both_deltas() {
    insta::assert_snapshot!(
        judge("assertApproxEqAbs(uint256,uint256,uint256)", &[uint(10), uint(20), uint(3)]),
        @"assertion failed: 10 !~= 20 (max delta: 3, real delta: 10)"
    );
    let one_percent = DynSolValue::Uint(uint!(10_000_000_000_000_000_U256), 256);
    insta::assert_snapshot!(
        judge("assertApproxEqRel(uint256,uint256,uint256)", &[uint(100), uint(110), one_percent.clone()]),
        @"assertion failed: 100 !~= 110 (max delta: 1.0000000000000000%, real delta: 9.0909090909090909%)"
    );
    insta::assert_snapshot!(
        judge("assertApproxEqRel(uint256,uint256,uint256)", &[uint(1), uint(0), one_percent]),
        @"assertion failed: 1 !~= 0 (max delta: 1.0000000000000000%, real delta: undefined)"
    );
    assert_eq!(judge("assertApproxEqAbs(int256,int256,uint256)", &[int(-2), int(3), uint(5)]), "");
}
