//! Conversion of flags and environment variables to configuration.

use crate::config::Environment;

/// Returns the environment of this process, without variables that are not Unicode.
pub(super) fn environment() -> Environment {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
