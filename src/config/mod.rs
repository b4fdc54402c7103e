//! Configuration of a project, resolved once from defaults, foundry.toml, environment, flags and inline
//! comments.
//!
//! [`load()`] merges these layers, weakest first: `defaults.toml`, the directories found on disk,
//! `~/.foundry/foundry.toml`, the project's foundry.toml with the file that it extends, `DAPP_*` and
//! `FOUNDRY_*` variables, and flags. Comments in the sources are merged last, for each test, by
//! [`Loaded::with_inline`]. Each value stores the place where it was written, so that messages can quote it.
//!
//! | file | content |
//! |---|---|
//! | `types/` | the resolved configuration, one file for each group of settings |
//! | `load` | loading of all layers |
//! | `defaults.toml`, `reference` | all settings with their defaults, and the names of those without effect |
//! | `value`, `place` | untyped values and the places where they were written |
//! | `file`, `environment`, `flags`, `inline` | the layers |
//! | `layers` | the order of the layers, and profiles |
//! | `effective` | the settings in force, for display |
//! | `remappings` | import remappings from five sources |
//! | `evm_version` | versions of the EVM |
//! | `forge` | versions of Forge, and what differs between them |
//! | `read`, `scalar`, `resolve` | conversion of untyped values to the resolved configuration |
//! | `feature`, `strategy` | parts of the search that can be switched off, and strategies to compare it with |
//! | `warning`, `error` | messages for the user |
//! | `filter` | selection of tests by name and path |
//! | `root` | search for the project's root |

mod effective;
mod environment;
mod error;
mod evm_version;
mod feature;
mod file;
mod filter;
mod flags;
mod forge;
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
#[cfg(test)]
mod scratch;
mod strategy;
mod types;
mod value;
mod warning;

pub use effective::Setting;
pub use error::ConfigError;
pub use evm_version::EvmVersion;
pub use feature::{Feature, Features};
pub use filter::{Filter, PatternError};
pub use flags::Overrides;
pub use forge::{ForgeBehaviour, ForgeChoice, ForgeVersion, InstalledForge};
pub use inline::{InlineError, InlineItem};
pub use load::{Environment, Finders, Loaded, load};
pub use place::{SettingPlace, SettingSource};
pub use root::{find_repository, find_root};
pub use strategy::Strategy;
pub use types::{
    CachedEndpoints, CachingConfig, CheatsConfig, CompilerConfig, Config, CorpusConfig, Endpoint, EnvConfig,
    FilterConfig, FuzzConfig, HarveyConfig, InvariantConfig, PathsConfig, RpcConfig, Scan, SolcRequest,
    TracingConfig, VyperConfig,
};
pub use value::Value;
pub use warning::{Warning, nearest};

/// Text of `defaults.toml`, the annotated reference of all settings for users.
pub const DEFAULTS: &str = reference::TEXT;
