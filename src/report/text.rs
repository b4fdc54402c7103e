//! Escaping of text from outside: revert reasons, logs, labels, names. Characters that would control a
//! terminal, a page or a workflow are replaced by visible ones.

use crate::model::controls;
use std::borrow::Cow;

/// Returns the character that is shown for `c`.
fn shown(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        '\r' => ' ',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        c if controls(c) => '\u{fffd}',
        c => c,
    }
}

/// Escapes text so that nothing in it controls a terminal or a workflow.
pub(crate) fn visible(text: &str) -> String {
    let text: String = text.chars().map(shown).collect();
    escaped_lines(&text)
}

/// Escapes a log line, which may have colours, as from forge-std's `StdStyle`. If `on` is true, the colours
/// are kept up to the end of the text, else they are left out.
pub(super) fn styled(text: &str, on: bool) -> String {
    let mut text = escaped_lines(&with_colours(text, on));
    if text.contains('\u{1b}') {
        text += "\u{1b}[0m";
    }
    text
}

/// Escapes everything that goes to a terminal or a file. If `on` is true, colours (also those of this
/// program) are the only control sequences that remain, else none remain.
pub(crate) fn sanitized(text: &str, on: bool) -> Cow<'_, str> {
    if text.chars().all(|c| shown(c) == c) { Cow::Borrowed(text) } else { Cow::Owned(with_colours(text, on)) }
}

/// Escapes a message to the user so that no line is a workflow command. Colours remain if `on` is true.
pub(crate) fn sanitized_message(text: &str, on: bool) -> String {
    escaped_lines(&sanitized(text, on))
}

/// Escapes JSON so that nothing in it controls a terminal. Such characters occur in strings only, where they
/// can be escaped.
pub(super) fn escaped(json: String) -> String {
    if json.chars().all(|c| shown(c) == c) {
        return json;
    }
    let escaped = |c: char| match shown(c) == c {
        true => c.to_string(),
        false => format!("\\u{:04x}", u32::from(c)),
    };
    json.chars().map(escaped).collect()
}

fn with_colours(text: &str, on: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let colour = colour_len(rest);
        let len = colour.unwrap_or(c.len_utf8());
        match colour {
            Some(_) if on => out += &rest[..len],
            Some(_) => {}
            None => out.push(shown(c)),
        }
        rest = &rest[len..];
    }
    out
}

/// Returns the length in bytes of the colour sequence at the beginning of `text`, if there is one.
fn colour_len(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let len = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[len..].starts_with('m').then_some(len + 3)
}

/// Beginnings of report lines, by which people and programs recognise verdicts.
const VERDICTS: [&str; 8] =
    ["[PASS", "[FAIL", "[SKIP", "Ran ", "Suite result:", "Encountered ", "Failing tests:", "Tip: "];

/// Escapes lines that GitHub's workflow runner would read as commands, and lines after the first that look
/// like a verdict.
fn escaped_lines(text: &str) -> String {
    if !text.contains("::") && !text.contains("##[") && !text.contains('\n') {
        return text.to_owned();
    }
    let line = |(index, line): (usize, &str)| {
        let begin = line.trim_start();
        let commands = begin.starts_with("::");
        let judges = index > 0 && VERDICTS.iter().any(|verdict| begin.starts_with(verdict));
        format!("{}{}", if commands || judges { "\\" } else { "" }, line.replace("##[", "##\\["))
    };
    text.split('\n').enumerate().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_controls_a_terminal() {
        assert_eq!(visible("a\u{fffe}b\u{ffff}c\u{2028}d"), "a\u{fffd}b\u{fffd}c\u{fffd}d");
        assert_eq!(visible("a\x1b[31mb\x07\rc\u{202e}\u{9b}d\te\nf"), "a␛[31mb␇ c\u{fffd}\u{fffd}d\te\nf");
    }

    #[test]
    fn logs_keep_their_colours_on_a_terminal_that_has_some_and_nothing_else() {
        let log = "\x1b[91mred\x1b[2J\x1b]0;t\x07 \x1b[1;31mbold";
        assert_eq!(styled(log, true), "\x1b[91mred␛[2J␛]0;t␇ \x1b[1;31mbold\x1b[0m");
        assert_eq!(styled(log, false), "red␛[2J␛]0;t␇ bold");
        assert_eq!(styled("\x1b[31", true), "␛[31");
    }

    #[test]
    fn what_is_printed_has_no_control_sequences_but_colours() {
        assert!(matches!(sanitized("\tplain ü\n", true), Cow::Borrowed(_)));
        assert_eq!(sanitized("\x1b[31mred\x1b[0m \x1b[2J", true), "\x1b[31mred\x1b[0m ␛[2J");
    }

    #[test]
    fn json_stays_what_it_is() {
        let text = "a\u{9b}b\u{202e}c\u{7f}";
        let json = escaped(serde_json::to_string(text).unwrap());
        assert_eq!(json, r#""a\u009bb\u202ec\u007f""#);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn no_line_of_somebody_elses_is_a_verdict() {
        assert_eq!(visible("a\n[PASS] x()\n  Suite result: ok"), "a\n\\[PASS] x()\n\\  Suite result: ok");
        assert_eq!(visible("[FAIL] stays"), "[FAIL] stays");
    }

    #[test]
    fn no_line_is_a_command_to_a_workflow() {
        assert_eq!(
            visible("::error::x\na::b\n  ::stop-commands::y"),
            "\\::error::x\na::b\n\\  ::stop-commands::y"
        );
        assert_eq!(visible("x ##[error]y"), "x ##\\[error]y");
        assert_eq!(sanitized_message("a \x1b[31my", false), "a y");
        assert_eq!(sanitized_message("x\n::error::\x1b[31my\x07", true), "x\n\\::error::\x1b[31my␇");
    }
}
