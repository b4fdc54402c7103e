//! Places in source files and in deployed code.

use alloy_primitives::B256;
use std::fmt;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Source path relative to the root, with `/` as separator.
    pub path: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
}

/// Formats a place as `path:line:column`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, column } = self;
        write!(f, "{path}:{line}:{column}")
    }
}

/// A place in deployed code, by which findings are de-duplicated: the code with immutables masked and
/// metadata stripped, and the offset of the instruction in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// Identity of the code.
    pub code: B256,
    /// Program counter.
    pub pc: usize,
    /// Place in the sources, if the source map has it.
    pub location: Option<Place>,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => location.fmt(f),
            None => write!(f, "code {} at pc {}", self.code, self.pc),
        }
    }
}
