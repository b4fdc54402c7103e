//! Characters that control the display of text.

/// Returns true for characters that control a terminal, a page or a reader: control characters, line
/// separators, characters that change the direction of text, and characters that XML does not allow.
#[must_use]
pub fn controls(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{fffe}' | '\u{ffff}')
}
