//! Flags of the smaller commands.

use super::{BuildArgs, EvmArgs, TestArgs, filter::regex};
use clap::{Args, Subcommand, builder::PossibleValuesParser};
use clap_complete::Shell;
use std::path::PathBuf;

/// Flags of `forge-harvey replay`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Test options")]
pub struct ReplayArgs {
    /// A failure file, of ours or of Forge's; without one, all that is kept is replayed
    pub file: Option<PathBuf>,
    /// Replay only in contracts that match
    #[arg(long, visible_alias = "mc", value_name = "REGEX", value_parser = regex)]
    pub match_contract: Option<String>,
    /// Replay only failures of functions that match
    #[arg(long, visible_alias = "mt", value_name = "REGEX", value_parser = regex)]
    pub match_test: Option<String>,
    /// The chain that tests see.
    #[command(flatten)]
    pub evm: EvmArgs,
    /// How sources are found and compiled.
    #[command(flatten)]
    pub build: BuildArgs,
}

impl ReplayArgs {
    /// The same as flags of `test`.
    #[must_use]
    pub fn as_test(&self) -> TestArgs {
        let mut args = TestArgs { evm: self.evm.clone(), build: self.build.clone(), ..TestArgs::default() };
        // Whatever was found, by whatever was looked for.
        (args.campaign.scan, args.campaign.oracles) = (true, vec!["all".to_owned()]);
        args.filter.match_contract.clone_from(&self.match_contract);
        args.filter.match_test.clone_from(&self.match_test);
        args
    }
}

/// Flags of `forge-harvey corpus`.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Test options")]
pub struct CorpusArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: CorpusAction,
    /// The directory [default: cache/harvey]
    #[arg(long, value_name = "DIR", global = true)]
    pub corpus: Option<String>,
    /// Only of test contracts that match
    #[arg(long, visible_alias = "mc", value_name = "REGEX", value_parser = regex, global = true)]
    pub match_contract: Option<String>,
    /// Project root [default: the nearest directory with a foundry.toml]
    #[arg(long, value_name = "DIR", global = true)]
    pub root: Option<PathBuf>,
    /// Fetch nothing
    #[arg(long, global = true)]
    pub offline: bool,
}

/// What is done to a corpus.
#[derive(Clone, Debug, Subcommand)]
pub enum CorpusAction {
    /// Show how many inputs there are of what, and failures
    Show,
    /// Leave out inputs that show nothing new on today's code
    #[command(visible_alias = "minimize")]
    Minimise,
    /// Add inputs and failures of other runs: their corpora, wherever they stand in these directories
    Merge {
        /// Where to look
        #[arg(required = true)]
        from: Vec<PathBuf>,
    },
    /// Add sequences that Echidna, Medusa or Forge kept
    Import {
        /// Files, and directories of files
        #[arg(required = true)]
        from: Vec<PathBuf>,
    },
    /// Write inputs as Forge keeps them, for its `corpus_dir`
    Export {
        /// Where to write
        dir: PathBuf,
    },
}

impl CorpusArgs {
    /// The same as flags of `test`.
    #[must_use]
    pub fn as_test(&self) -> TestArgs {
        let mut args = TestArgs::default();
        (args.build.root, args.build.offline) = (self.root.clone(), self.offline);
        args.campaign.corpus.clone_from(&self.corpus);
        args.filter.match_contract.clone_from(&self.match_contract);
        // Whatever was run, it may be kept.
        (args.campaign.scan, args.campaign.oracles) = (true, vec!["all".to_owned()]);
        args
    }
}

/// Flags of `forge-harvey pre-commit`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Test options")]
pub struct PreCommitArgs {
    /// The files that changed
    pub files: Vec<PathBuf>,
    /// Seconds for the search, compilation not included; what is not finished then is named and passes
    #[arg(long, value_name = "SECS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: u32,
    /// How sources are found and compiled.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Flags of `forge-harvey init`.
#[derive(Clone, Debug, Default, Args)]
pub struct InitArgs {
    /// A contract to write a first invariant suite for: `Vault` or `src/Vault.sol:Vault`
    pub contract: Option<String>,
    /// How sources are found and compiled.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Flags of `forge-harvey config`.
#[derive(Clone, Debug, Default, Args)]
pub struct ConfigArgs {
    /// Show only what differs from the defaults
    #[arg(long)]
    pub changed: bool,
    /// What other flags would change.
    #[command(flatten)]
    pub test: TestArgs,
}

/// Flags of `forge-harvey explain`.
#[derive(Clone, Debug, Default, Args)]
pub struct ExplainArgs {
    /// The rule, as reports name it; without one, all are listed
    #[arg(value_parser = rules())]
    pub rule: Option<String>,
}

fn rules() -> PossibleValuesParser {
    crate::oracle::RULES.map(|rule| rule.id).into()
}

/// Flags of `forge-harvey completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}
