//! Colours of Forge's output, without global state.

use yansi::{Color, Condition, Paint, Style};

/// Painter of text, which leaves text unchanged if colours are off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    on: bool,
}

impl Palette {
    pub(super) fn new(on: bool) -> Self {
        Self { on }
    }

    /// Paints `text` in `color`.
    pub(super) fn paint(self, color: Color, text: &str) -> String {
        self.apply(color.foreground(), text)
    }

    /// Paints `text` in `color`, which resumes after each part that is already painted.
    pub(super) fn wrap(self, color: Color, text: &str) -> String {
        self.apply(color.foreground().wrap(), text)
    }

    /// Dims the `[1.234e5]` hints after large integers in `text`.
    pub(super) fn dim_hints(self, text: &str) -> String {
        if !self.on {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(" [") {
            let (before, hint) = rest.split_at(start + 1);
            out.push_str(before);
            let len =
                if before.trim_end().ends_with(|c: char| c.is_ascii_digit()) { hint_len(hint) } else { 0 };
            out.push_str(&if len == 0 {
                String::new()
            } else {
                self.apply(Style::new().dim(), &hint[..len])
            });
            rest = &hint[len..];
        }
        out + rest
    }

    /// Paints a table cell in a bright colour of the 256-colour palette, with the escape codes of
    /// comfy-table.
    pub(super) fn cell(self, bright: u8, text: &str) -> String {
        if self.on { format!("\u{1b}[38;5;{bright}m{text}\u{1b}[39m") } else { text.to_owned() }
    }

    fn apply(self, style: Style, text: &str) -> String {
        text.paint(style.whenever(Condition::cached(self.on))).to_string()
    }
}

/// Returns the length in bytes of the hint at the beginning of `text`, or 0 if there is none.
fn hint_len(text: &str) -> usize {
    let Some(end) = text.find(']') else { return 0 };
    let inner = text[1..end].strip_prefix('-').unwrap_or(&text[1..end]);
    let is_hint = inner.split_once('e').is_some_and(|(mantissa, exponent)| {
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        digits(exponent) && digits(&mantissa.replacen('.', "", 1))
    });
    if is_hint { end + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_text_is_unchanged() {
        let plain = Palette::new(false);
        assert_eq!(
            plain.paint(Color::Red, "x") + &plain.cell(9, "y") + &plain.dim_hints("10000 [1e4]"),
            "xy10000 [1e4]"
        );
    }

    #[test]
    fn hints_are_dimmed_and_the_outer_colour_resumes() {
        let colour = Palette::new(true);
        let line = colour.wrap(Color::Red, &colour.dim_hints("args=[-12345 [-1.234e4], [1, 2]]"));
        assert_eq!(line, "\u{1b}[31margs=[-12345 \u{1b}[2m[-1.234e4]\u{1b}[0m\u{1b}[31m, [1, 2]]\u{1b}[0m");
    }
}
