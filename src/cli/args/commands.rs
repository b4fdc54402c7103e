//! Flags of all commands other than `test`.

use super::{BuildArgs, EvmArgs, GlobalArgs, TestArgs, filter::regex};
use clap::{Args, Subcommand, builder::PossibleValuesParser};
use clap_complete::Shell;
use std::{ffi::OsString, path::PathBuf};

/// Flags of `forge-harvey replay`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Test options")]
pub struct ReplayArgs {
    /// Failure file of forge-harvey or Forge; replays all stored failures if omitted
    pub file: Option<PathBuf>,
    /// Replay only failures of contracts that match
    #[arg(long, visible_alias = "mc", value_name = "REGEX", value_parser = regex)]
    pub match_contract: Option<String>,
    /// Replay only failures of functions that match
    #[arg(long, visible_alias = "mt", value_name = "REGEX", value_parser = regex)]
    pub match_test: Option<String>,
    /// Write a Solidity test for each failure that still fails to this directory
    #[arg(long, value_name = "DIR")]
    pub emit_repro: Option<PathBuf>,
    /// Flags for accounts, the chain and the block.
    #[command(flatten)]
    pub evm: EvmArgs,
    /// Flags for the compiler and the project's layout.
    #[command(flatten)]
    pub build: BuildArgs,
}

impl ReplayArgs {
    /// Returns the equivalent flags of `test`.
    #[must_use]
    pub fn as_test(&self) -> TestArgs {
        let mut args = TestArgs { evm: self.evm.clone(), build: self.build.clone(), ..TestArgs::default() };
        // A failure may come from any scan or oracle.
        (args.campaign.search.scan, args.campaign.search.oracles) = (true, vec!["all".to_owned()]);
        args.filter.match_contract.clone_from(&self.match_contract);
        args.filter.match_test.clone_from(&self.match_test);
        args.campaign.run.emit_repro.clone_from(&self.emit_repro);
        args
    }
}

/// Flags of `forge-harvey corpus`.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Test options")]
pub struct CorpusArgs {
    /// Action on the corpus.
    #[command(subcommand)]
    pub action: CorpusAction,
    /// Corpus directory [default: cache/harvey]
    #[arg(long, value_name = "DIR", global = true)]
    pub corpus: Option<String>,
    /// Use only the corpora of test contracts that match
    #[arg(long, visible_alias = "mc", value_name = "REGEX", value_parser = regex, global = true)]
    pub match_contract: Option<String>,
    /// Project root [default: the nearest directory with a foundry.toml]
    #[arg(long, value_name = "DIR", global = true)]
    pub root: Option<PathBuf>,
    /// Work without network access
    #[arg(long, global = true)]
    pub offline: bool,
    /// Version of Forge for which `export` writes, 1.7 or 1.8 [default: that of the forge on PATH]
    #[arg(long, value_name = "VERSION", global = true)]
    pub forge_version: Option<String>,
}

/// Action on a corpus.
#[derive(Clone, Debug, Subcommand)]
pub enum CorpusAction {
    /// Show the number of inputs, calls and failures of each suite
    Show,
    /// Remove inputs that add no coverage on the current code
    #[command(visible_alias = "minimize")]
    Minimise,
    /// Add inputs and failures from the corpora of other runs
    Merge {
        /// Directories to search for corpora, including subdirectories
        #[arg(required = true)]
        from: Vec<PathBuf>,
    },
    /// Add sequences from corpora of Echidna, Medusa or Forge
    Import {
        /// Files, or directories of files
        #[arg(required = true)]
        from: Vec<PathBuf>,
    },
    /// Write inputs in Forge's format, for use as `corpus_dir`
    Export {
        /// Output directory
        dir: PathBuf,
    },
}

impl CorpusArgs {
    /// Returns the equivalent flags of `test`.
    #[must_use]
    pub fn as_test(&self) -> TestArgs {
        let mut args = TestArgs::default();
        (args.build.project.root, args.build.compiler.offline) = (self.root.clone(), self.offline);
        args.campaign.search.corpus.clone_from(&self.corpus);
        args.evm.execution.forge_version.clone_from(&self.forge_version);
        args.filter.match_contract.clone_from(&self.match_contract);
        // The corpus may contain inputs of any scan or oracle.
        (args.campaign.search.scan, args.campaign.search.oracles) = (true, vec!["all".to_owned()]);
        args
    }
}

/// Flags of `forge-harvey schema`.
#[derive(Clone, Debug, Default, Args)]
pub struct SchemaArgs {
    /// Print the schema of a line of --events
    #[arg(long)]
    pub events: bool,
}

/// Flags of `forge-harvey pre-commit`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Test options")]
pub struct PreCommitArgs {
    /// Changed files
    pub files: Vec<PathBuf>,
    /// Time limit for the search, in seconds, without compilation; suites that did not finish are listed and pass
    #[arg(long, value_name = "SECS", default_value_t = 30,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: u32,
    /// Flags for the compiler and the project's layout.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Flags of `forge-harvey init`.
#[derive(Clone, Debug, Default, Args)]
pub struct InitArgs {
    /// Contract to write a first invariant suite for, as `Vault` or `src/Vault.sol:Vault`
    pub contract: Option<String>,
    /// Flags for the compiler and the project's layout.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Flags of `forge-harvey config`.
#[derive(Clone, Debug, Default, Args)]
pub struct ConfigArgs {
    /// Show only settings that differ from the defaults
    #[arg(long)]
    pub changed: bool,
    /// Flags of `test` to apply to the settings.
    #[command(flatten)]
    pub test: TestArgs,
}

/// Flags of `forge-harvey explain`.
#[derive(Clone, Debug, Default, Args)]
pub struct ExplainArgs {
    /// Id of the rule, as in reports; lists all rules if omitted
    #[arg(value_parser = rules())]
    pub rule: Option<String>,
}

fn rules() -> PossibleValuesParser {
    crate::oracle::RULES.map(|rule| rule.id).into()
}

/// Flags of `forge-harvey mcp`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Project options")]
pub struct McpArgs {
    /// Project root [default: the nearest directory with a foundry.toml]
    #[arg(long, value_name = "PATH")]
    pub root: Option<PathBuf>,
    /// Work without network access
    #[arg(long)]
    pub offline: bool,
    /// Version of Forge whose defaults and behaviour apply, 1.7 or 1.8 [default: that of the forge on PATH]
    #[arg(long, value_name = "VERSION")]
    pub forge_version: Option<String>,
}

impl McpArgs {
    /// Returns the equivalent flags of `test`.
    #[must_use]
    pub fn as_test(&self) -> TestArgs {
        let mut args = TestArgs::default();
        (args.build.project.root, args.build.compiler.offline) = (self.root.clone(), self.offline);
        args.evm.execution.forge_version.clone_from(&self.forge_version);
        args
    }

    /// Returns the flags for a child of the server, which runs another command on the project.
    #[must_use]
    pub fn flags(&self, global: &GlobalArgs) -> Vec<OsString> {
        let mut flags = vec![OsString::from("--color=never")];
        let mut add = |name: &str, value: Option<OsString>| {
            if let Some(value) = value {
                let mut flag = OsString::from(format!("--{name}="));
                flag.push(value);
                flags.push(flag);
            }
        };
        add("root", self.root.clone().map(PathBuf::into_os_string));
        add("forge-version", self.forge_version.clone().map(OsString::from));
        add("profile", global.profile.clone().map(OsString::from));
        add("threads", global.threads.map(|threads| threads.to_string().into()));
        flags.extend(self.offline.then(|| OsString::from("--offline")));
        flags
    }
}

/// Flags of `forge-harvey completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// Shell to print completions for
    pub shell: Shell,
}
