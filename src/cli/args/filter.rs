//! Flags that select tests.

use crate::config::Overrides;
use clap::Args;
use globset::Glob;
use regex::Regex;

/// Filters by test, contract and file. Each can be given once. Patterns are checked here, so that a bad pattern is a
/// usage error.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Test filtering")]
pub struct FilterArgs {
    /// Run only tests in files that match, as with --match-path
    #[arg(value_name = "PATH", value_parser = glob, conflicts_with = "match_path", help_heading = None)]
    pub path: Option<String>,
    /// Run only tests whose signature matches
    #[arg(long, visible_alias = "mt", value_name = "REGEX", value_parser = regex)]
    pub match_test: Option<String>,
    /// Run only tests whose signature does not match
    #[arg(long, visible_alias = "nmt", value_name = "REGEX", value_parser = regex)]
    pub no_match_test: Option<String>,
    /// Run only tests of contracts that match
    #[arg(long, visible_alias = "mc", value_name = "REGEX", value_parser = regex)]
    pub match_contract: Option<String>,
    /// Run only tests of contracts that do not match
    #[arg(long, visible_alias = "nmc", value_name = "REGEX", value_parser = regex)]
    pub no_match_contract: Option<String>,
    /// Run only tests in files that match
    #[arg(long, visible_alias = "mp", value_name = "GLOB", value_parser = glob)]
    pub match_path: Option<String>,
    /// Run only tests in files that do not match
    #[arg(long, visible_alias = "nmp", value_name = "GLOB", value_parser = glob)]
    pub no_match_path: Option<String>,
}

impl FilterArgs {
    /// Returns the filters that were given, each a flag and its value.
    pub(super) fn given(&self) -> Vec<(&'static str, &str)> {
        let filters = [
            ("--match-test", &self.match_test),
            ("--no-match-test", &self.no_match_test),
            ("--match-contract", &self.match_contract),
            ("--no-match-contract", &self.no_match_contract),
            ("--match-path", self.path.as_ref().map_or(&self.match_path, |_| &self.path)),
            ("--no-match-path", &self.no_match_path),
        ];
        filters.into_iter().filter_map(|(flag, value)| Some((flag, value.as_deref()?))).collect()
    }

    pub(super) fn add_to(&self, overrides: &mut Overrides) {
        overrides
            .set("match_test", "--match-test", self.match_test.clone())
            .set("no_match_test", "--no-match-test", self.no_match_test.clone())
            .set("match_contract", "--match-contract", self.match_contract.clone())
            .set("no_match_contract", "--no-match-contract", self.no_match_contract.clone())
            .set("match_path", "--match-path", self.match_path.clone().or_else(|| self.path.clone()))
            .set("no_match_path", "--no-match-path", self.no_match_path.clone());
    }
}

pub(super) fn regex(pattern: &str) -> Result<String, regex::Error> {
    Regex::new(pattern).map(|_| pattern.to_owned())
}

fn glob(pattern: &str) -> Result<String, globset::Error> {
    Glob::new(pattern).map(|_| pattern.to_owned())
}
