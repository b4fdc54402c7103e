//! What to run: suites, and for each property the configuration that its comments ask for.

use crate::{
    config::{Config, Filter, InlineError, InlineItem, Loaded},
    model::{ContractId, Property},
    project::{Project, Suite},
};
use alloy_primitives::U256;
use std::{path::PathBuf, sync::Arc};

/// What the command line decides beside the configuration.
#[derive(Clone, Debug)]
pub struct Options {
    /// Seed of everything random.
    pub seed: U256,
    /// Worker threads.
    pub threads: usize,
    /// Stop after the first failing suite.
    pub fail_fast: bool,
    /// Verbosity, for which traces and logs are kept.
    pub verbosity: u8,
    /// The project's root.
    pub root: PathBuf,
    /// Where our own store is.
    pub store: PathBuf,
}

/// Properties of one suite that share a configuration, and so a campaign.
#[derive(Clone, Debug)]
pub struct Group {
    /// The configuration with inline comments applied.
    pub config: Arc<Config>,
    /// Indices into the suite's properties.
    pub properties: Vec<usize>,
}

/// One suite to run.
#[derive(Clone, Debug)]
pub struct SuitePlan {
    /// The suite, with the properties that the filter lets through.
    pub suite: Suite,
    /// Properties whose inline configuration is wrong: signature and reason.
    pub invalid: Vec<(String, String)>,
    /// Campaigns, in the order of their first property.
    pub groups: Vec<Group>,
    /// Configuration of the suite itself.
    pub config: Arc<Config>,
}

/// Everything to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Suites in the order of their ids.
    pub suites: Vec<SuitePlan>,
    /// Options.
    pub options: Options,
}
