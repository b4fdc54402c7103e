//! Values as Forge prints them (observed with forge 1.7.1).

use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::{InternalType, Param};
use alloy_primitives::{I256, U256, hex};

/// Style in which arguments are formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A `[1.234e5]` hint after large integers, quoted strings and named structs.
    Pretty,
    /// As in Solidity source: no hints, no quotes, structs as tuples.
    Raw,
}

/// Formats arguments, separated by `, `; parameters give struct and field names.
///
/// Parameters without a value are ignored, and values without a parameter are formatted without names.
#[must_use]
pub fn args(params: &[Param], values: &[DynSolValue], style: Style) -> String {
    join(values.iter().enumerate().map(|(i, v)| value(v, params.get(i), style)))
}

/// Formats one value. `param` gives the struct and field names, also for the elements of an array of structs.
#[must_use]
pub fn value(value: &DynSolValue, param: Option<&Param>, style: Style) -> String {
    match value {
        DynSolValue::Bool(b) => b.to_string(),
        DynSolValue::Int(i, _) => int(*i, style),
        DynSolValue::Uint(u, _) => uint(*u, style),
        DynSolValue::Address(a) => a.to_checksum(None),
        DynSolValue::Function(f) => hex::encode_prefixed(f.0),
        DynSolValue::Bytes(b) => hex::encode_prefixed(b),
        DynSolValue::FixedBytes(word, size) => hex::encode_prefixed(word.get(..*size).unwrap_or(&word[..])),
        DynSolValue::String(s) => string(s, style),
        DynSolValue::Array(items) | DynSolValue::FixedArray(items) => {
            format!("[{}]", join(items.iter().map(|item| self::value(item, param, style))))
        }
        DynSolValue::Tuple(fields) | DynSolValue::CustomStruct { tuple: fields, .. } => {
            tuple(fields, param, style)
        }
    }
}

/// Formats an unsigned integer. From 10000 on it has Forge's hint with four significant digits: ` [1.234e5]`.
#[must_use]
pub fn uint(u: U256, style: Style) -> String {
    hinted(&u.to_string(), "", style)
}

/// Formats a signed integer. If its magnitude is at least 10000, it has Forge's hint: ` [-1.234e5]`.
#[must_use]
pub fn int(i: I256, style: Style) -> String {
    hinted(&i.unsigned_abs().to_string(), if i.is_negative() { "-" } else { "" }, style)
}

/// Formats `digits` after `sign`, with a hint if there are more than four digits.
fn hinted(digits: &str, sign: &str, style: Style) -> String {
    if style == Style::Raw || digits.len() < 5 {
        return format!("{sign}{digits}");
    }
    let fraction = digits[1..4].trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{digits} [{sign}{}{point}{fraction}e{}]", &digits[..1], digits.len() - 1)
}

/// Formats a string. Forge's raw strings have no quotes, but they keep the escapes, including that of `'`.
fn string(s: &str, style: Style) -> String {
    match style {
        Style::Pretty => format!("{s:?}"),
        Style::Raw => s.escape_debug().to_string(),
    }
}

/// Formats a tuple as `Name({ field: v })` if the internal type names a struct, which old compilers do not
/// provide; else as `(v, v)`.
fn tuple(fields: &[DynSolValue], param: Option<&Param>, style: Style) -> String {
    let components = param.map_or(&[][..], |param| &param.components);
    let name =
        param.filter(|_| style == Style::Pretty && components.len() == fields.len()).and_then(struct_name);
    match name {
        Some(name) => {
            let fields = fields.iter().zip(components);
            let fields = fields.map(|(f, c)| format!("{}: {}", c.name, value(f, Some(c), style)));
            format!("{name}({{ {} }})", join(fields))
        }
        None => format!("({})", args(components, fields, style)),
    }
}

/// Returns `In` for `struct Lib.In[2][]`: Forge leaves out the contract that declares the struct.
fn struct_name(param: &Param) -> Option<&str> {
    match param.internal_type()? {
        InternalType::Struct { ty, .. } => ty.split('[').next().filter(|name| !name.is_empty()),
        _ => None,
    }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_json_abi::Function;
    use alloy_primitives::{Address, B256, address};

    fn pretty(v: DynSolValue) -> String {
        value(&v, None, Style::Pretty)
    }

    fn ints(values: &[i128]) -> String {
        join(values.iter().map(|&i| int(i.try_into().unwrap(), Style::Pretty)))
    }

    #[test]
    fn integers_from_ten_thousand_on_get_a_truncated_hint() {
        insta::assert_snapshot!(ints(&[0, -1, 9999, 10000, 10001, 12345, 19999, 999_999, 10010, 20500]),
            @"0, -1, 9999, 10000 [1e4], 10001 [1e4], 12345 [1.234e4], 19999 [1.999e4], 999999 [9.999e5], 10010 [1.001e4], 20500 [2.05e4]");
        insta::assert_snapshot!(ints(&[-9999, -10000, -10001, -123_456_789, 1_500_000_000_000_000_000]),
            @"-9999, -10000 [-1e4], -10001 [-1e4], -123456789 [-1.234e8], 1500000000000000000 [1.5e18]");
    }

    #[test]
    fn the_ends_of_the_word_print() {
        insta::assert_snapshot!(int(I256::MIN, Style::Pretty), @"-57896044618658097711785492504343953926634992332820282019728792003956564819968 [-5.789e76]");
        insta::assert_snapshot!(uint(U256::MAX, Style::Raw), @"115792089237316195423570985008687907853269984665640564039457584007913129639935");
        insta::assert_snapshot!(pretty(DynSolValue::Uint(U256::MAX, 256)), @"115792089237316195423570985008687907853269984665640564039457584007913129639935 [1.157e77]");
    }

    #[test]
    fn strings_are_quoted_as_rust_does_and_raw_ones_keep_their_escapes() {
        let text = DynSolValue::String("a\"b'c\\d \n\0\u{7}\u{200b}ü😀".into());
        insta::assert_snapshot!(value(&text, None, Style::Pretty), @r#""a\"b'c\\d \n\0\u{7}\u{200b}ü😀""#);
        insta::assert_snapshot!(value(&text, None, Style::Raw), @r#"a\"b\'c\\d \n\0\u{7}\u{200b}ü😀"#);
    }

    #[test]
    fn bytes_addresses_functions_and_arrays_print_as_forge_does() {
        let address = address!("000000000000000000000000000000006ac994be");
        assert_eq!(pretty(DynSolValue::Address(address)), "0x000000000000000000000000000000006ac994bE");
        assert_eq!(pretty(DynSolValue::Bytes(vec![])), "0x");
        assert_eq!(pretty(DynSolValue::FixedBytes(B256::repeat_byte(0xab), 4)), "0xabababab");
        let function = alloy_primitives::Function::from_slice(&[0xab; 24]);
        assert_eq!(pretty(DynSolValue::Function(function)), format!("0x{}", "ab".repeat(24)));
        let row = DynSolValue::FixedArray(vec![DynSolValue::Bool(false), DynSolValue::Bool(true)]);
        assert_eq!(pretty(DynSolValue::Array(vec![row.clone(), row])), "[[false, true], [false, true]]");
    }

    fn structs() -> (Function, Vec<DynSolValue>) {
        let component =
            |name, ty, internal| format!(r#"{{"name":"{name}","type":"{ty}","internalType":"{internal}"}}"#);
        let inner = [component("x", "int256", "int256"), component("y", "string", "string")].join(",");
        let function = format!(
            r#"{{"type":"function","name":"q","outputs":[],"stateMutability":"view","inputs":[
            {{"name":"q","type":"tuple","internalType":"struct Q","components":[
              {{"name":"ps","type":"tuple[]","internalType":"struct L.In[]","components":[{inner}]}},
              {}]}}]}}"#,
            component("z", "address", "address")
        );
        let item = |x: i64, y: &str| {
            DynSolValue::Tuple(vec![
                DynSolValue::Int(x.try_into().unwrap(), 256),
                DynSolValue::String(y.into()),
            ])
        };
        let items = DynSolValue::Array(vec![item(-70000, "q\"q"), item(0, "")]);
        let args = vec![DynSolValue::Tuple(vec![items, DynSolValue::Address(Address::ZERO)])];
        (serde_json::from_str(&function).unwrap(), args)
    }

    #[test]
    fn structs_have_names_when_the_internal_type_tells() {
        let (function, values) = structs();
        insta::assert_snapshot!(args(&function.inputs, &values, Style::Pretty),
            @r#"Q({ ps: [In({ x: -70000 [-7e4], y: "q\"q" }), In({ x: 0, y: "" })], z: 0x0000000000000000000000000000000000000000 })"#);
        insta::assert_snapshot!(args(&function.inputs, &values, Style::Raw),
            @r#"([(-70000, q\"q), (0, )], 0x0000000000000000000000000000000000000000)"#);
    }

    #[test]
    fn a_mismatch_of_parameters_and_values_only_loses_the_names() {
        let (mut function, values) = structs();
        function.inputs[0].components.pop();
        insta::assert_snapshot!(args(&function.inputs, &values, Style::Pretty),
            @r#"([In({ x: -70000 [-7e4], y: "q\"q" }), In({ x: 0, y: "" })], 0x0000000000000000000000000000000000000000)"#);
        insta::assert_snapshot!(args(&[], &values, Style::Pretty),
            @r#"([(-70000 [-7e4], "q\"q"), (0, "")], 0x0000000000000000000000000000000000000000)"#);
    }
}
