//! Flags that limit and direct campaigns.

use super::ForgeSearchArgs;
use crate::{campaign::Partition, config::Overrides};
use alloy_primitives::U256;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Flags that limit and direct campaigns.
#[derive(Clone, Debug, Default, Args)]
pub struct CampaignArgs {
    /// Flags that limit the search.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Flags that direct the search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Flags of Forge for the search.
    #[command(flatten)]
    pub forge_search: ForgeSearchArgs,
    /// Flags for the whole run and its results.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Flags that limit the search.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = HEADING)]
pub struct LimitArgs {
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
    /// Time for all suites together, in seconds, without compilation, in place of the number of sequences
    #[arg(long, value_name = "SECS", value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: Option<u32>,
    /// Run only the suites that depend on these files
    #[arg(long, value_name = "FILE", num_args = 0..)]
    pub affected_by: Option<Vec<PathBuf>>,
    /// Number of executions per campaign or fuzz test, in place of runs
    #[arg(long, value_name = "COUNT")]
    pub executions: Option<u32>,
}

/// Flags that direct the search.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = HEADING)]
pub struct SearchArgs {
    /// Directory of failures and corpus inputs, which later runs reuse [default: cache/harvey]
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<String>,
    /// Neither run corpus inputs of earlier runs nor store new ones
    #[arg(long)]
    pub no_corpus: bool,
    /// Strategy of the search: `harvey`, or, to compare, `blackbox`, `genetic`, `adaptive` or `smt` [default: harvey]
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// Parts of the search to switch off, for experiments
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub without: Vec<String>,
    /// SMT solver for branches that nothing else passes: `auto` (one on PATH), `none`, or a program [default: auto]
    #[arg(long, value_name = "PROGRAM")]
    pub solver: Option<String>,
    /// Run unit tests as well
    #[arg(long)]
    pub unit: bool,
    /// Run the functions `check*` and `prove*` of Forge's symbolic mode as fuzz tests: they are searched, not proved
    #[arg(long)]
    pub check: bool,
    /// Run properties of Echidna and Medusa (`echidna_*`, `property_*`, `crytic_*`, `optimize_*`)
    #[arg(long)]
    pub foreign_properties: bool,
    /// Call every deployable contract of the project, with or without tests
    #[arg(long)]
    pub scan: bool,
    /// Further oracles for contracts without tests: `all`, or ids that `explain` lists
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub oracles: Vec<String>,
}

/// Flags for the whole run and its results.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = HEADING)]
pub struct RunArgs {
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
    /// Exit with 0 even if tests fail
    #[arg(long, env = "FORGE_ALLOW_FAILURE", hide_env = true)]
    pub allow_failure: bool,
    /// Verdict if there is nothing to test [default: pass]
    #[arg(long, value_name = "VERDICT", value_enum)]
    pub no_tests: Option<NoTests>,
    /// Write a Solidity test for each failure to this directory
    #[arg(long, value_name = "DIR")]
    pub emit_repro: Option<PathBuf>,
    /// Run only the one selected fuzz test that this input is for, with this input, a failure file of Forge
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "fuzz-run"])]
    pub fuzz_input_file: Option<PathBuf>,
    /// Compare gas snapshots with those of earlier runs
    #[arg(long, value_name = "BOOL", env = "FORGE_SNAPSHOT_CHECK", hide_env = true)]
    pub gas_snapshot_check: Option<bool>,
    /// Write gas snapshots [default: true]
    #[arg(long, value_name = "BOOL", env = "FORGE_SNAPSHOT_EMIT", hide_env = true)]
    pub gas_snapshot_emit: Option<bool>,
}

const HEADING: &str = "Test options";

/// Verdict if there is nothing to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NoTests {
    /// Exit with 0
    Pass,
    /// Exit with 1
    Fail,
}

impl CampaignArgs {
    pub(super) fn add_to(&self, overrides: &mut Overrides) {
        self.limits.add_to(overrides);
        self.search.add_to(overrides);
        self.forge_search.add_to(overrides);
        self.run.add_to(overrides);
    }
}

impl LimitArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        overrides
            // The seed is hexadecimal, as in reports.
            .set("fuzz.seed", "--fuzz-seed", self.fuzz_seed.map(|seed| format!("{seed:#x}")))
            .set("fuzz.runs", "--fuzz-runs", self.fuzz_runs)
            .set("invariant.runs", "--runs", self.runs)
            .set("invariant.depth", "--depth", self.depth)
            .set("invariant.timeout", "--timeout", self.timeout)
            .set("harvey.executions", "--executions", self.executions);
    }
}

impl SearchArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        overrides
            .set("harvey.corpus", "--corpus", self.corpus.clone())
            .switch("harvey.no_corpus", "--no-corpus", self.no_corpus)
            .set("harvey.solver", "--solver", self.solver.clone())
            .set("harvey.strategy", "--strategy", self.strategy.clone())
            .list("harvey.without", "--without", self.without.iter().cloned())
            .switch("harvey.unit", "--unit", self.unit)
            .switch("symbolic.enabled", "--check", self.check)
            .switch("harvey.foreign_properties", "--foreign-properties", self.foreign_properties)
            .set("harvey.scan", "--scan", self.scan.then_some("all"))
            .list("harvey.oracles", "--oracles", self.oracles.iter().cloned());
    }
}

impl RunArgs {
    fn add_to(&self, overrides: &mut Overrides) {
        let no_tests = self.no_tests.map(|verdict| match verdict {
            NoTests::Pass => "pass",
            NoTests::Fail => "fail",
        });
        overrides
            .set("harvey.no_tests", "--no-tests", no_tests)
            .set("gas_snapshot_check", "--gas-snapshot-check", self.gas_snapshot_check)
            .set("gas_snapshot_emit", "--gas-snapshot-emit", self.gas_snapshot_emit);
    }
}
