//! Text of ours as Solidity source, for every compiler from 0.6 on.

/// A string literal: printable ASCII stays, every other byte of the UTF-8 form is escaped as `\xNN`.
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

/// Text that fits into a line comment: ASCII without control characters, cut after `max` characters.
pub(super) fn comment(text: &str, max: usize) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|c| {
            // Anything else could end the line, reorder it, or be refused by the compiler.
            let keep = (' '..='~').contains(&c);
            keep.then_some(c).into_iter().chain((!keep).then(|| c.escape_default()).into_iter().flatten())
        })
        .collect();
    match escaped.char_indices().nth(max) {
        Some((end, _)) => format!("{}...", &escaped[..end]),
        None => escaped,
    }
}

/// `text` with everything replaced that cannot stand in an identifier.
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
    fn a_comment_is_one_short_line_of_ascii() {
        assert_eq!(comment("f(a\n\u{202e}ü, \u{2028})", 99), r"f(a\n\u{202e}\u{fc}, \u{2028})");
        assert_eq!(comment("abcdef", 3), "abc...");
    }
}
