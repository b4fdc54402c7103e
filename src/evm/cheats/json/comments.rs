//! Comments in JSON, which Forge accepts from 1.8 on.

use crate::evm::cheats::dispatch::{CheatError, ensure};
use std::borrow::Cow;

/// Returns the text with blanks in place of its comments, `// …` and `/* … */`. Lines and columns stay the same, so
/// that errors of the parser name the right place.
///
/// # Errors
/// Fails if a comment does not end.
pub(super) fn without_comments(text: &str) -> Result<Cow<'_, str>, CheatError> {
    let mut blanked = String::new();
    let mut rest = text;
    while let Some(start) = first_comment(rest) {
        let (before, comment) = rest.split_at(start);
        let length = if comment.starts_with("//") {
            comment.find(['\r', '\n']).unwrap_or(comment.len())
        } else {
            let end = comment[2..].find("*/");
            ensure!(end.is_some(), "failed parsing JSON: unterminated block comment");
            end.map_or(comment.len(), |end| end + 4)
        };
        let (comment, after) = comment.split_at(length);
        let blank = |byte| if matches!(byte, b'\r' | b'\n') { char::from(byte) } else { ' ' };
        blanked.push_str(before);
        blanked.extend(comment.bytes().map(blank));
        rest = after;
    }
    Ok(if blanked.is_empty() { text.into() } else { (blanked + rest).into() })
}

/// Returns the place of the first comment that is not in a string.
fn first_comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut in_string = false;
    let mut place = 0;
    while let Some(byte) = bytes.get(place) {
        match byte {
            // The next character does not end the string.
            b'\\' if in_string => place += 1,
            b'"' => in_string = !in_string,
            b'/' if !in_string && matches!(bytes.get(place + 1), Some(b'/' | b'*')) => return Some(place),
            _ => {}
        }
        place += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> String {
        without_comments(text).unwrap().into_owned()
    }

    #[test]
    fn comments_become_blanks_and_nothing_moves() {
        assert_eq!(stripped("// é\n{\"a\": /* \r\n */ 1}//"), "     \n{\"a\":    \r\n    1}  ");
        assert_eq!(stripped("[1,/**/2 /* / * */]"), "[1,    2          ]");
        assert!(matches!(without_comments("{\"a\": 1}"), Ok(Cow::Borrowed(_))));
    }

    #[test]
    fn strings_have_no_comments() {
        for text in [r#"{"url": "https://a/*b*/"}"#, r#"["\"//", "\\"]"#, "/", "[1 / 2]"] {
            assert_eq!(stripped(text), text);
        }
        assert_eq!(stripped(r#"["\\"] // x"#), r#"["\\"]     "#);
    }

    #[test]
    fn a_comment_without_an_end_is_an_error() {
        for text in ["/*", "{} /*/", "[1] /* *"] {
            let error = without_comments(text).unwrap_err();
            assert_eq!(error, "failed parsing JSON: unterminated block comment".into());
        }
    }
}
