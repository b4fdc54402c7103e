//! Patterns that select tests.

/// Patterns `match_*` and `no_match_*`, as written. Those for paths are globs, all others are regular
/// expressions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterConfig {
    /// `match_test`, compared with the signature.
    pub test: Option<String>,
    /// `no_match_test`.
    pub no_test: Option<String>,
    /// `match_contract`, compared with the bare name.
    pub contract: Option<String>,
    /// `no_match_contract`.
    pub no_contract: Option<String>,
    /// `match_path`, a glob.
    pub path: Option<String>,
    /// `no_match_path`, a glob.
    pub no_path: Option<String>,
}
