//! Command line arguments. Parsing has no effects: it returns a [`Cli`], and [`TestArgs::overrides`] converts the
//! flags to a layer over foundry.toml. Flags with a key in foundry.toml have no default value, because a default
//! would always override the file.
//!
//! Names, aliases and conflicts of a flag are those of `forge test` if it has the flag.

mod build;
mod commands;
mod evm;
mod filter;
mod report;

pub use build::BuildArgs;
pub use commands::{
    CompletionsArgs, ConfigArgs, CorpusAction, CorpusArgs, ExplainArgs, InitArgs, PreCommitArgs, ReplayArgs,
};
pub use evm::EvmArgs;
pub use filter::FilterArgs;
pub use report::{Format, ReportArg};

use crate::{campaign::Partition, config::Overrides};
use alloy_primitives::U256;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Fuzz the invariants and fuzz tests of a Foundry project
#[derive(Clone, Debug, Parser)]
#[command(name = "forge-harvey", version, max_term_width = 100)]
pub struct Cli {
    /// Subcommand.
    #[command(subcommand)]
    pub command: Command,
    /// Flags of all subcommands.
    #[command(flatten)]
    pub global: GlobalArgs,
}

/// Subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Fuzz the invariants and fuzz tests of the project
    #[command(visible_alias = "t")]
    Test(Box<TestArgs>),
    /// Replay failures of earlier runs, with traces
    Replay(Box<ReplayArgs>),
    /// Show, minimise, merge, import or export the corpus of earlier runs
    Corpus(Box<CorpusArgs>),
    /// Write a CI workflow, a pre-commit hook, and a first invariant suite for a contract
    Init(Box<InitArgs>),
    /// Fuzz the suites that depend on changed files within a time limit, as a pre-commit hook
    PreCommit(Box<PreCommitArgs>),
    /// Show the configuration and the source of each value
    Config(Box<ConfigArgs>),
    /// Explain the rules that are checked
    Explain(ExplainArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the JSON Schema of the report
    #[command(hide = true)]
    Schema,
    /// Print the manual page
    #[command(hide = true)]
    Man,
}

/// Flags that are accepted before or after the subcommand.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Display options")]
pub struct GlobalArgs {
    /// Show logs (-vv), traces of failing tests (-vvv), traces of all tests (-vvvv), storage changes (-vvvvv)
    #[arg(long, short, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub verbosity: u8,
    /// Print nothing
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print the results to stdout as JSON, without any other output
    #[arg(long, global = true, conflicts_with = "quiet")]
    pub json: bool,
    /// Use of colors in the output [default: auto]
    #[arg(long, global = true, value_enum)]
    pub color: Option<ColorChoice>,
    /// Number of worker threads; 0 means one per core
    #[arg(long, short = 'j', global = true, visible_alias = "jobs", help_heading = "Test options")]
    pub threads: Option<u32>,
}

/// Use of colors in the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// Use colors if the output is a terminal
    #[default]
    Auto,
    /// Always use colors
    Always,
    /// Never use colors
    Never,
}

/// Flags of `forge-harvey test`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Display options")]
pub struct TestArgs {
    /// Print the results as JUnit XML
    #[arg(long, conflicts_with_all = ["quiet", "json", "list", "show_progress"])]
    pub junit: bool,
    /// Write a report as json, junit, sarif, markdown, github (annotations), lcov or html
    ///
    /// Without FILE, the report replaces all other output on stdout. Only GitHub annotations are printed between
    /// the other lines. Can be given several times.
    #[arg(long, value_name = "FORMAT[=FILE]", conflicts_with = "list")]
    pub report: Vec<ReportArg>,
    /// List tests instead of running them
    #[arg(long, short, conflicts_with = "show_progress")]
    pub list: bool,
    /// Show the progress of each campaign
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    pub show_progress: bool,
    /// Show traces of failing tests only
    #[arg(long, short, env = "FORGE_SUPPRESS_SUCCESSFUL_TRACES", hide_env = true)]
    pub suppress_successful_traces: bool,

    /// Flags that select tests.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Flags that limit and direct campaigns.
    #[command(flatten)]
    pub campaign: CampaignArgs,
    /// Flags for accounts, the chain and the block.
    #[command(flatten)]
    pub evm: EvmArgs,
    /// Flags for the compiler and the project's layout.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Flags that limit and direct campaigns.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Test options")]
pub struct CampaignArgs {
    /// Seed of all random choices, in decimal or hex (0x)
    #[arg(long, value_name = "SEED")]
    pub fuzz_seed: Option<U256>,
    /// Number of inputs per fuzz test
    #[arg(long, value_name = "RUNS")]
    pub fuzz_runs: Option<u32>,
    /// Number of sequences per campaign
    #[arg(long, visible_alias = "invariant-runs")]
    pub runs: Option<u32>,
    /// Maximum number of calls per sequence
    #[arg(long, visible_alias = "invariant-depth")]
    pub depth: Option<u32>,
    /// Time limit for the invariants of a suite, in seconds, in place of the number of sequences
    #[arg(long, value_name = "SECS")]
    pub timeout: Option<u32>,
    /// Time limit for all suites together, in seconds, without compilation; lists the suites that did not finish
    #[arg(long, value_name = "SECS", value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: Option<u32>,
    /// Run only the suites that depend on these files
    #[arg(long, value_name = "FILE", num_args = 0..)]
    pub affected_by: Option<Vec<PathBuf>>,
    /// Number of executions per campaign or fuzz test, in place of runs
    #[arg(long, value_name = "COUNT")]
    pub executions: Option<u32>,
    /// Directory of failures and corpus inputs, which later runs reuse [default: cache/harvey]
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<String>,
    /// Neither run corpus inputs of earlier runs nor store new ones
    #[arg(long)]
    pub no_corpus: bool,
    /// Parts of the search to switch off, for experiments
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Run unit tests as well
    #[arg(long)]
    pub unit: bool,
    /// Call every deployable contract of the project, with or without tests
    #[arg(long)]
    pub scan: bool,
    /// Further oracles for contracts without tests: `all`, or ids that `explain` lists
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub oracles: Vec<String>,
    /// Run only the tests that failed in the last run, or all tests if none failed
    #[arg(long)]
    pub rerun: bool,
    /// Stop after the first failure
    #[arg(long)]
    pub fail_fast: bool,
    /// Run part K of N of the campaigns, as in 2/4
    #[arg(long, value_name = "K/N", conflicts_with = "list")]
    pub partition: Option<Partition>,
    /// Fail only for failures that are not in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "fail_fast"])]
    pub baseline: Option<PathBuf>,
    /// Add all current failures to the `--baseline` file (created if missing) and exit with 0
    #[arg(long, requires = "baseline")]
    pub update_baseline: bool,
    /// Rerun the affected suites after each change of a source, continuing from the last run
    #[arg(long, conflicts_with_all = ["list", "json", "junit", "affected_by"])]
    pub watch: bool,
    /// Exit with 0 even if tests fail
    #[arg(long, env = "FORGE_ALLOW_FAILURE", hide_env = true)]
    pub allow_failure: bool,
    /// Verdict if there is nothing to test [default: pass]
    #[arg(long, value_name = "VERDICT", value_enum)]
    pub no_tests: Option<NoTests>,
    /// Write a Solidity test for each failure to this directory
    #[arg(long, value_name = "DIR")]
    pub emit_repro: Option<PathBuf>,
}

/// Verdict if there is nothing to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NoTests {
    /// Exit with 0
    Pass,
    /// Exit with 1
    Fail,
}

impl TestArgs {
    /// Returns the settings that flags set, each with the name of its flag.
    #[must_use]
    pub fn overrides(&self, global: &GlobalArgs) -> Overrides {
        let mut overrides = Overrides::default();
        let verbosity = u32::from(global.verbosity.min(5));
        overrides
            .set("verbosity", "--verbosity", (verbosity > 0).then_some(verbosity))
            .set("threads", "--threads", global.threads)
            .switch("show_progress", "--show-progress", self.show_progress);
        self.campaign.add_to(&mut overrides);
        self.filter.add_to(&mut overrides);
        self.evm.add_to(&mut overrides);
        self.build.add_to(&mut overrides);
        overrides
    }
}

impl CampaignArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        let no_tests = self.no_tests.map(|verdict| match verdict {
            NoTests::Pass => "pass",
            NoTests::Fail => "fail",
        });
        overrides
            // The seed is hexadecimal, as in reports.
            .set("fuzz.seed", "--fuzz-seed", self.fuzz_seed.map(|seed| format!("{seed:#x}")))
            .set("fuzz.runs", "--fuzz-runs", self.fuzz_runs)
            .set("invariant.runs", "--runs", self.runs)
            .set("invariant.depth", "--depth", self.depth)
            .set("invariant.timeout", "--timeout", self.timeout)
            .set("harvey.executions", "--executions", self.executions)
            .set("harvey.corpus", "--corpus", self.corpus.clone())
            .switch("harvey.no_corpus", "--no-corpus", self.no_corpus)
            .list("harvey.without", "--without", self.without.iter().cloned())
            .switch("harvey.unit", "--unit", self.unit)
            .set("harvey.scan", "--scan", self.scan.then_some("all"))
            .list("harvey.oracles", "--oracles", self.oracles.iter().cloned())
            .set("harvey.no_tests", "--no-tests", no_tests);
    }
}

#[cfg(test)]
mod tests;
