//! The configuration, resolved once from defaults, foundry.toml, environment, flags and inline comments.
//!
//! [`load()`] lays these over each other, weakest first: `defaults.toml`, the directories found on disk,
//! `~/.foundry/foundry.toml`, the project's foundry.toml with the file it extends, `DAPP_*` and `FOUNDRY_*`
//! variables, flags. Comments in the sources come last, per test: [`Loaded::with_inline`]. Each value remembers the
//! place it was written at, so that a mistake is shown where it stands.
//!
//! | file | holds |
//! |---|---|
//! | `types` | the result |
//! | `defaults.toml`, `reference` | every setting, its default, and whether we honour it |
//! | `value`, `place` | untyped values that know where they were written |
//! | `file`, `environment`, `flags`, `inline` | the layers |
//! | `layers` | their order, profiles |
//! | `effective` | what holds, for people to look at |
//! | `remappings` | import remappings from five sources |
//! | `read`, `scalar`, `resolve` | from untyped values to the result |
//! | `feature` | parts of the search that can be switched off |
//! | `warning`, `error` | what may be said to the user |
//! | `filter` | which tests run |
//! | `root` | where the project is |

mod effective;
mod environment;
mod error;
mod feature;
mod file;
mod filter;
mod flags;
pub mod inline;
mod layers;
mod load;
mod place;
mod read;
mod reference;
mod remappings;
mod resolve;
mod root;
mod scalar;
mod types;
mod value;
mod warning;

pub use effective::Setting;
pub use error::ConfigError;
pub use feature::{Feature, Features};
pub use filter::{Filter, PatternError};
pub use flags::Overrides;
pub use inline::{InlineError, InlineItem};
pub use load::{Environment, Loaded, load};
pub use place::{SettingPlace, SettingSource};
pub use root::{find_repository, find_root};
pub use types::*;
pub use value::Value;
pub use warning::{Warning, nearest};

/// The annotated defaults, as users may read them.
pub const DEFAULTS: &str = reference::TEXT;
