//! Solidity literals, comments and identifiers for generated sources, valid for every compiler from 0.6 on.

use alloy_dyn_abi::DynSolValue;
use alloy_primitives::hex;

/// Writes a string literal: printable ASCII stays, every other byte of the UTF-8 form is escaped as `\xNN`.
pub(super) fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out += &format!("\\x{byte:02x}"),
        }
    }
    out + "\""
}

/// Writes a literal that `abi.encode` encodes as this value. Returns `None` for functions, arrays and
/// structs, which have no such literals.
pub(super) fn value(value: &DynSolValue) -> Option<String> {
    Some(match value {
        DynSolValue::Bool(value) => value.to_string(),
        DynSolValue::Uint(value, _) => value.to_string(),
        DynSolValue::Int(value, _) => value.to_string(),
        DynSolValue::Address(value) => value.to_string(),
        DynSolValue::FixedBytes(word, size) => format!("bytes{size}(hex\"{}\")", hex::encode(&word[..*size])),
        DynSolValue::Bytes(value) => format!("hex\"{}\"", hex::encode(value)),
        DynSolValue::String(value) => string(value),
        DynSolValue::Function(_)
        | DynSolValue::Array(_)
        | DynSolValue::FixedArray(_)
        | DynSolValue::Tuple(_)
        | DynSolValue::CustomStruct { .. } => return None,
    })
}

/// Escapes text for a line comment: ASCII without control characters, cut off after `max` characters.
pub(super) fn comment(text: &str, max: usize) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|c| {
            // Any other character could end the line, reorder it, or be rejected by the compiler.
            let keep = (' '..='~').contains(&c);
            keep.then_some(c).into_iter().chain((!keep).then(|| c.escape_default()).into_iter().flatten())
        })
        .collect();
    match escaped.char_indices().nth(max) {
        Some((end, _)) => format!("{}...", &escaped[..end]),
        None => escaped,
    }
}

/// Replaces every character of `text` that an identifier cannot contain.
pub(super) fn identifier(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_in_a_string_literal() {
        assert_eq!(string("a\"b\\c\nü\0"), r#""a\"b\\c\x0a\xc3\xbc\x00""#);
    }

    #[test]
    fn values_are_written_as_people_write_them() {
        use alloy_primitives::{Address, B256, I256, U256};
        let bytes = DynSolValue::FixedBytes(B256::repeat_byte(0xab), 4);
        let shown = [
            DynSolValue::Uint(U256::from(65), 8),
            DynSolValue::Int(I256::MINUS_ONE, 256),
            DynSolValue::Address(Address::repeat_byte(0xaa)),
            bytes.clone(),
            DynSolValue::Bytes(vec![0, 1]),
            DynSolValue::String("a\0b".into()),
        ];
        let shown: Vec<_> = shown.iter().map(|known| value(known).unwrap()).collect();
        let address = "0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa";
        assert_eq!(shown, ["65", "-1", address, r#"bytes4(hex"abababab")"#, "hex\"0001\"", r#""a\x00b""#]);
        assert_eq!(value(&DynSolValue::Array(vec![bytes])), None);
    }

    #[test]
    fn a_comment_is_one_short_line_of_ascii() {
        assert_eq!(comment("f(a\n\u{202e}ü, \u{2028})", 99), r"f(a\n\u{202e}\u{fc}, \u{2028})");
        assert_eq!(comment("abcdef", 3), "abc...");
    }
}
