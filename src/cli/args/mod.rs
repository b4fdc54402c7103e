//! What the user typed. Parsing never acts: it gives a [`Cli`], and [`TestArgs::overrides`] turns its flags into
//! a layer over foundry.toml. Flags that have a key there carry no default, or they would always win.
//!
//! Names, aliases and conflicts are `forge test`'s where it has the flag.

mod build;
mod commands;
mod evm;
mod filter;
mod overrides;
mod report;

pub use build::BuildArgs;
pub use commands::{
    CompletionsArgs, ConfigArgs, CorpusAction, CorpusArgs, ExplainArgs, InitArgs, PreCommitArgs, ReplayArgs,
};
pub use evm::EvmArgs;
pub use filter::FilterArgs;
pub use report::{Format, ReportArg};

use crate::campaign::Partition;
use alloy_primitives::U256;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use overrides::OverridesBuilder;
use std::path::PathBuf;

/// Fuzz the invariants and fuzz tests of a Foundry project
#[derive(Clone, Debug, Parser)]
#[command(name = "forge-harvey", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// How to show it.
    #[command(flatten)]
    pub global: GlobalArgs,
}

/// The subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Fuzz the project's invariants and fuzz tests
    #[command(visible_alias = "t")]
    Test(Box<TestArgs>),
    /// Run failures of earlier runs again, with traces
    Replay(Box<ReplayArgs>),
    /// Show, shrink, merge and convert what earlier runs kept
    Corpus(Box<CorpusArgs>),
    /// Write a workflow, a hook for pre-commit, and a first invariant suite
    Init(Box<InitArgs>),
    /// Search the suites that depend on changed files, for so long: a hook of pre-commit
    PreCommit(Box<PreCommitArgs>),
    /// Show the configuration, and where each value comes from
    Config(Box<ConfigArgs>),
    /// Explain what is looked for
    Explain(ExplainArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the JSON Schema of the report
    #[command(hide = true)]
    Schema,
    /// Print the manual page
    #[command(hide = true)]
    Man,
}

/// Flags that may also stand before the subcommand.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Display options")]
pub struct GlobalArgs {
    /// Show logs (-vv), traces of failing tests (-vvv), of all tests (-vvvv), with storage changes (-vvvvv)
    #[arg(long, short, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub verbosity: u8,
    /// Print nothing
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print the results as JSON and nothing else to stdout
    #[arg(long, global = true, conflicts_with = "quiet")]
    pub json: bool,
    /// When to use colors [default: auto]
    #[arg(long, global = true, value_enum)]
    pub color: Option<ColorChoice>,
    /// Worker threads; 0 means one per core
    #[arg(long, short = 'j', global = true, visible_alias = "jobs", help_heading = "Test options")]
    pub threads: Option<u32>,
}

/// When output is colored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// When it goes to a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Flags of `forge-harvey test`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Display options")]
pub struct TestArgs {
    /// Print the results as JUnit XML
    #[arg(long, conflicts_with_all = ["quiet", "json", "list", "show_progress"])]
    pub junit: bool,
    /// Write a report: json, junit, sarif, markdown, or github for annotations of a workflow
    ///
    /// Without a file it goes to stdout in place of everything else, but for annotations, which stand among the
    /// other lines. May be given several times.
    #[arg(long, value_name = "FORMAT[=FILE]", conflicts_with = "list")]
    pub report: Vec<ReportArg>,
    /// List the tests instead of running them
    #[arg(long, short, conflicts_with = "show_progress")]
    pub list: bool,
    /// Show the progress of each campaign
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    pub show_progress: bool,
    /// Show traces of failures only
    #[arg(long, short, env = "FORGE_SUPPRESS_SUCCESSFUL_TRACES", hide_env = true)]
    pub suppress_successful_traces: bool,

    /// Which tests run.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// How long and how hard they are tried.
    #[command(flatten)]
    pub campaign: CampaignArgs,
    /// The chain they see.
    #[command(flatten)]
    pub evm: EvmArgs,
    /// How sources are found and compiled.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Flags that bound and direct campaigns.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Test options")]
pub struct CampaignArgs {
    /// Seed of the fuzzer, decimal or 0x hex
    #[arg(long, value_name = "SEED")]
    pub fuzz_seed: Option<U256>,
    /// Inputs per fuzz test
    #[arg(long, value_name = "RUNS")]
    pub fuzz_runs: Option<u32>,
    /// Sequences per campaign
    #[arg(long, visible_alias = "invariant-runs")]
    pub runs: Option<u32>,
    /// Longest sequence, in calls
    #[arg(long, visible_alias = "invariant-depth")]
    pub depth: Option<u32>,
    /// Seconds for the invariants of a suite; the number of sequences is then unbounded
    #[arg(long, value_name = "SECS")]
    pub timeout: Option<u32>,
    /// Seconds for all suites together, compilation not included; what is not finished then is named
    #[arg(long, value_name = "SECS", value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: Option<u32>,
    /// Run only the suites that depend on these files, by what they import
    #[arg(long, value_name = "FILE", num_args = 0..)]
    pub affected_by: Option<Vec<PathBuf>>,
    /// Executions per campaign or fuzz test, in place of runs
    #[arg(long, value_name = "COUNT")]
    pub executions: Option<u32>,
    /// Directory of what outlives a run: failures, and inputs that reached something new [default: cache/harvey]
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<String>,
    /// Neither run inputs that earlier runs kept nor keep any
    #[arg(long)]
    pub no_corpus: bool,
    /// Parts of the search to switch off, for experiments
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Run unit tests too
    #[arg(long)]
    pub unit: bool,
    /// Call every contract of the project that can be deployed, whether it has tests or not
    #[arg(long)]
    pub scan: bool,
    /// Oracles that look at contracts without tests, beside those that prove a failure; all, or ids that `explain` lists
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub oracles: Vec<String>,
    /// Run only the tests that failed last time, if any did
    #[arg(long)]
    pub rerun: bool,
    /// Stop at the first failure
    #[arg(long)]
    pub fail_fast: bool,
    /// Run the K-th of N parts of the campaigns, as in 2/4; those of one project together run all
    #[arg(long, value_name = "K/N", conflicts_with = "list")]
    pub partition: Option<Partition>,
    /// Fail only for what is not in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "fail_fast"])]
    pub baseline: Option<PathBuf>,
    /// Add what fails to the file of `--baseline`, which need not be there, and exit with 0
    #[arg(long, requires = "baseline")]
    pub update_baseline: bool,
    /// Run again what a change of a source affects, from where the last run ended
    #[arg(long, conflicts_with_all = ["list", "json", "junit", "affected_by"])]
    pub watch: bool,
    /// Exit with 0 even if a test fails
    #[arg(long, env = "FORGE_ALLOW_FAILURE", hide_env = true)]
    pub allow_failure: bool,
    /// Whether it is a failure when there is nothing to test [default: pass]
    #[arg(long, value_name = "VERDICT", value_enum)]
    pub no_tests: Option<NoTests>,
    /// Write a Solidity test for each failure into this directory
    #[arg(long, value_name = "DIR")]
    pub emit_repro: Option<PathBuf>,
}

/// The verdict when there is nothing to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NoTests {
    /// Exit with 0
    Pass,
    /// Exit with 1
    Fail,
}

impl TestArgs {
    /// The flags that were given as a layer over foundry.toml: keys as they stand in a profile, sections as
    /// tables. Integers beyond 64 bits, and the seed, are hex strings.
    #[must_use]
    pub fn overrides(&self, global: &GlobalArgs) -> toml::Table {
        let mut layer = OverridesBuilder::default();
        layer.set("verbosity", (global.verbosity > 0).then_some(global.verbosity.min(5)));
        layer.set("threads", global.threads);
        layer.flag("show_progress", self.show_progress);
        self.campaign.overrides(&mut layer);
        self.filter.overrides(&mut layer);
        self.evm.overrides(&mut layer);
        self.build.overrides(&mut layer);
        layer.into_table()
    }
}

impl CampaignArgs {
    fn overrides(&self, layer: &mut OverridesBuilder) {
        layer.set("fuzz.seed", self.fuzz_seed.map(|seed| format!("{seed:#x}")));
        layer.set("fuzz.runs", self.fuzz_runs);
        layer.set("invariant.runs", self.runs);
        layer.set("invariant.depth", self.depth);
        layer.set("invariant.timeout", self.timeout);
        layer.set("harvey.executions", self.executions);
        layer.set("harvey.corpus", self.corpus.clone());
        layer.flag("harvey.no_corpus", self.no_corpus);
        layer.set("harvey.without", (!self.without.is_empty()).then(|| self.without.clone()));
        layer.flag("harvey.unit", self.unit);
        layer.set("harvey.scan", self.scan.then_some("all"));
        layer.set("harvey.oracles", (!self.oracles.is_empty()).then(|| self.oracles.clone()));
        let verdict = |no_tests| match no_tests {
            NoTests::Pass => "pass",
            NoTests::Fail => "fail",
        };
        layer.set("harvey.no_tests", self.no_tests.map(verdict));
    }
}

#[cfg(test)]
mod tests;
