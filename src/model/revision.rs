//! Revision of a project that is under version control.

/// Commit that a project is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Id of the commit, in hexadecimal digits.
    pub commit: String,
    /// True if files differ from the commit.
    pub is_changed: bool,
}
