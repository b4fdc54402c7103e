//! Characters that control what shows them.

/// True for characters that control a terminal, a page or a reader: control characters, line separators, those that change the
/// direction of text, and those that XML has none of.
#[must_use]
pub fn controls(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
}
