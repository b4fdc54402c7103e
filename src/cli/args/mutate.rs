//! Flags of `forge-harvey mutate`.

use super::{BuildArgs, TestArgs, filter::regex, report::format_and_file};
use crate::report::mutation::MutationFormat;
use alloy_primitives::U256;
use clap::Args;
use std::{path::PathBuf, str::FromStr};

/// Flags of `forge-harvey mutate`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Mutation options")]
pub struct MutateArgs {
    /// Files and directories to change [default: all contracts of the project]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Flags that choose mutants.
    #[command(flatten)]
    pub choice: MutantChoiceArgs,
    /// Flags for the tests of the mutants.
    #[command(flatten)]
    pub tests: MutantTestArgs,
    /// List the mutants without running tests
    #[arg(long, short, conflicts_with_all = ["report", "fail_under"])]
    pub list: bool,
    /// Test all mutants anew, also those whose verdicts are known from an earlier run
    #[arg(long)]
    pub fresh: bool,
    /// Fail if less than this percentage of the mutants is killed
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub fail_under: Option<f64>,
    /// Write a report as json, markdown, sarif or html; without FILE, to stdout
    #[arg(long, value_name = "FORMAT[=FILE]", help_heading = "Display options")]
    pub report: Vec<MutationReportArg>,
    /// Flags for the compiler and the project's layout.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Flags that choose mutants.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Mutation options")]
pub struct MutantChoiceArgs {
    /// Operators of the changes, separated by commas [default: all]
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub operators: Vec<String>,
    /// Change only contracts that match
    #[arg(long, visible_alias = "mc", value_name = "REGEX", value_parser = regex)]
    pub match_contract: Option<String>,
    /// Take only the mutants with these ids, which `--list` and the reports show
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub ids: Vec<String>,
    /// Take a random sample of this number of mutants, or of this share, as in 10%
    #[arg(long, value_name = "N|P%")]
    pub sample: Option<SampleSize>,
    /// Take only mutants in lines that changed since the last common commit with this one
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
}

/// Flags for the tests of the mutants.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Mutation options")]
pub struct MutantTestArgs {
    /// Run only the tests of test contracts that match
    #[arg(long, value_name = "REGEX", value_parser = regex)]
    pub match_suite: Option<String>,
    /// Run only tests whose signature matches
    #[arg(long, visible_alias = "mt", value_name = "REGEX", value_parser = regex)]
    pub match_test: Option<String>,
    /// Run only tests whose signature does not match
    #[arg(long, visible_alias = "nmt", value_name = "REGEX", value_parser = regex)]
    pub no_match_test: Option<String>,
    /// Call every deployable contract as well, with or without tests
    #[arg(long)]
    pub scan: bool,
    /// Time limit for the tests of each mutant, in seconds, without compilation and unit tests
    #[arg(long, value_name = "SECS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: u32,
    /// Time limit for the search without a change, whose inputs each mutant gets first, in seconds [default: six times
    /// the budget, at least a second for each suite]
    #[arg(long, value_name = "SECS", value_parser = clap::value_parser!(u32).range(1..))]
    pub corpus_budget: Option<u32>,
    /// Test mutants with unit tests and with the inputs of the search without a change, but do not search anew
    #[arg(long)]
    pub no_search: bool,
    /// Strategy of the search, as of `test` [default: harvey]
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// Seed of all random choices, in decimal or hex (0x)
    #[arg(long, value_name = "SEED")]
    pub fuzz_seed: Option<U256>,
}

impl MutantTestArgs {
    /// Returns the time of the search for a mutant, in seconds.
    #[must_use]
    pub fn search_seconds(&self) -> u32 {
        if self.no_search { 0 } else { self.budget }
    }
}

impl MutateArgs {
    /// Returns the equivalent flags of `test`.
    #[must_use]
    pub fn as_test(&self) -> TestArgs {
        let mut args = TestArgs { build: self.build.clone(), ..TestArgs::default() };
        let MutantTestArgs { match_suite, match_test, no_match_test, scan, strategy, fuzz_seed, .. } =
            &self.tests;
        args.filter.match_contract.clone_from(match_suite);
        args.filter.match_test.clone_from(match_test);
        args.filter.no_match_test.clone_from(no_match_test);
        args.campaign.limits.fuzz_seed = *fuzz_seed;
        args.campaign.search.scan = *scan;
        args.campaign.search.strategy.clone_from(strategy);
        args
    }
}

/// Part of the mutants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleSize {
    /// Number of mutants.
    Count(usize),
    /// Share of the mutants, in percent.
    Percent(f64),
}

impl SampleSize {
    /// Returns the number of mutants in a sample of `all`.
    #[must_use]
    pub fn of(self, all: usize) -> usize {
        match self {
            Self::Count(count) => count.min(all),
            Self::Percent(percent) => (all as f64 * percent / 100.0).ceil() as usize,
        }
    }
}

impl FromStr for SampleSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let sample = match text.strip_suffix('%') {
            Some(share) => percent(share).ok().map(Self::Percent),
            None => text.parse().ok().map(Self::Count),
        };
        sample.ok_or_else(|| "a sample is a number, or a percentage as in 10%".to_owned())
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let percent: Option<f64> = text.trim_end_matches('%').parse().ok();
    percent
        .filter(|percent| (0.0..=100.0).contains(percent))
        .ok_or_else(|| "a percentage is a number from 0 to 100".to_owned())
}

/// Report to write at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutationReportArg {
    /// Format of the report.
    pub format: MutationFormat,
    /// Output file; `None` means stdout.
    pub file: Option<PathBuf>,
}

impl FromStr for MutationReportArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (format, file) = format_and_file(text)?;
        let known = MutationFormat::ALL.into_iter().find(|known| known.name() == format);
        let format = known.ok_or_else(|| {
            let names: Vec<&str> = MutationFormat::ALL.iter().map(|format| format.name()).collect();
            format!("the formats are {}", names.join(", "))
        })?;
        Ok(Self { format, file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_a_number_or_a_share() {
        assert_eq!("12".parse(), Ok(SampleSize::Count(12)));
        assert_eq!("2.5%".parse(), Ok(SampleSize::Percent(2.5)));
        assert_eq!(SampleSize::Percent(2.5).of(100), 3);
        assert_eq!(SampleSize::Count(12).of(5), 5);
        for wrong in ["", "-1", "101%", "many"] {
            assert!(wrong.parse::<SampleSize>().is_err(), "{wrong}");
        }
    }
}
