//! Places where values were written.

use std::{fmt, ops::Range, path::PathBuf, sync::Arc};

/// Text of a file with settings, kept for quotes in messages.
#[derive(Debug, PartialEq, Eq)]
pub struct SettingSource {
    /// Path as shown to the user: relative to the project's root where possible.
    pub name: String,
    /// Whole text of the file.
    pub text: String,
}

/// Place where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingPlace {
    /// The value is a default.
    Default,
    /// The value stands in a file.
    File {
        /// File with the value.
        source: Arc<SettingSource>,
        /// Range of the value in the file, in bytes.
        span: Range<usize>,
    },
    /// The value is that of an environment variable with this name.
    Variable(String),
    /// The value was given by a command line flag with this name (`--runs`).
    Flag(String),
    /// The value stands in a comment of a Solidity source.
    Comment {
        /// Path of the source, relative to the root.
        path: PathBuf,
        /// Line of the comment, from 1.
        line: usize,
        /// Column of the comment, from 1.
        column: usize,
    },
}

impl SettingPlace {
    /// Returns the place in one line: `foundry.toml:3:8`, `FOUNDRY_SRC`, `--runs`.
    pub fn short(&self) -> String {
        match self {
            Self::Default => "the defaults".to_owned(),
            Self::File { source, span } => {
                let (line, column) = position(&source.text, span.start);
                format!("{}:{line}:{column}", source.name)
            }
            Self::Variable(name) | Self::Flag(name) => name.clone(),
            Self::Comment { path, line, column } => format!("{}:{line}:{column}", path.display()),
        }
    }
}

/// Prints the place and, for a file, quotes the line as rustc does.
impl fmt::Display for SettingPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default | Self::Comment { .. } => write!(f, "  --> {}", self.short()),
            Self::Variable(name) => write!(f, "  --> environment variable {name}"),
            Self::Flag(name) => write!(f, "  --> flag {name}"),
            Self::File { source, span } => {
                let (line, column) = position(&source.text, span.start);
                let quoted = source.text.lines().nth(line - 1).unwrap_or("");
                let number = line.to_string();
                let gutter = " ".repeat(number.len());
                let width = span.len().min(quoted.chars().count().saturating_sub(column - 1)).max(1);
                writeln!(f, "{gutter}--> {}:{line}:{column}", source.name)?;
                writeln!(f, "{gutter} |")?;
                writeln!(f, "{number} | {quoted}")?;
                write!(f, "{gutter} | {}{}", " ".repeat(column - 1), "^".repeat(width))
            }
        }
    }
}

/// Returns the line and the column of a byte offset, both from 1.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(byte)];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_file_quotes_its_line() {
        let source = Arc::new(SettingSource {
            name: "foundry.toml".to_owned(),
            text: "[a]\nruns = 'é'\n".to_owned(),
        });
        let place = SettingPlace::File { source, span: 11..15 };
        insta::assert_snapshot!(place, @r"
         --> foundry.toml:2:8
          |
        2 | runs = 'é'
          |        ^^^
        ");
    }

    #[test]
    fn the_end_of_a_file_is_a_place() {
        let source = Arc::new(SettingSource { name: "f".to_owned(), text: "[a".to_owned() });
        assert_eq!(SettingPlace::File { source, span: 2..2 }.short(), "f:1:3");
    }
}
