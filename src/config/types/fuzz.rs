//! Settings of fuzz and invariant tests that Forge knows, too.

use alloy_primitives::U256;
use std::{num::NonZeroU32, path::PathBuf};

/// Settings of invariant tests, `[invariant]`.
#[derive(Clone, Debug, PartialEq)]
pub struct InvariantConfig {
    /// Number of sequences. The budget is `runs` times `depth` calls.
    pub runs: u32,
    /// Length of the longest sequence, in calls.
    pub depth: u32,
    /// `min_depth`, if `depth_mode` is random: the length of long random sequences is then drawn from there up
    /// to `depth`.
    pub min_depth: Option<u32>,
    /// Number of workers that search in parallel; `None` means as many as are worth it.
    pub workers: Option<NonZeroU32>,
    /// Probability that a call of a payable function sends value, in percent.
    pub payable_value_weight: u32,
    /// True if a reverting call breaks the invariant.
    pub fail_on_revert: bool,
    /// Probability that a sender comes from the dictionary, in percent.
    pub dictionary_weight: u32,
    /// True if values in storage are added to the dictionary.
    pub include_storage: bool,
    /// True if PUSH constants are added to the dictionary.
    pub include_push_bytes: bool,
    /// Largest number of executions for shrinking one counterexample; zero turns shrinking off.
    pub shrink_run_limit: u32,
    /// Number of calls that `vm.assume` may reject in one run.
    pub max_assume_rejects: u32,
    /// Duration of a suite's campaign, in seconds; if set, `runs` does not limit the campaign.
    pub timeout: Option<u32>,
    /// True if calls to other contracts may be answered by a call back into a target (reentrancy).
    pub call_override: bool,
    /// Directory in which Forge stores failures, absolute.
    pub failure_persist_dir: PathBuf,
    /// `corpus_dir` and `corpus_gzip`.
    pub corpus: Option<CorpusConfig>,
    /// True if the table of calls, reverts and discards per function is shown.
    pub show_metrics: bool,
    /// True if counterexamples are shown as Solidity.
    pub show_solidity: bool,
    /// Limit (exclusive) of the seconds that pass before a call.
    pub max_time_delay: Option<u32>,
    /// Limit (exclusive) of the blocks that pass before a call.
    pub max_block_delay: Option<u32>,
    /// Number of calls between two evaluations of the invariants: 1 means after each call, 0 means only at
    /// the end.
    pub check_interval: u32,
}

/// Settings of fuzz tests, `[fuzz]`.
#[derive(Clone, Debug, PartialEq)]
pub struct FuzzConfig {
    /// Number of inputs per fuzz test.
    pub runs: u32,
    /// `seed`: seed of all random choices.
    pub seed: Option<U256>,
    /// Probability that a call of a payable function sends value, in percent.
    pub payable_value_weight: u32,
    /// Number of inputs that `vm.assume` may reject.
    pub max_test_rejects: u32,
    /// True if any revert fails the test.
    pub fail_on_revert: bool,
    /// Probability that calldata comes from the dictionary, in percent.
    pub dictionary_weight: u32,
    /// True if values in storage are added to the dictionary.
    pub include_storage: bool,
    /// True if PUSH constants are added to the dictionary.
    pub include_push_bytes: bool,
    /// Duration of a test, in seconds.
    pub timeout: Option<u32>,
    /// Directory in which Forge stores failures, absolute.
    pub failure_persist_dir: PathBuf,
    /// `corpus_dir` and `corpus_gzip`.
    pub corpus: Option<CorpusConfig>,
    /// `show_logs`: true if the logs of all inputs are shown, not only those of the last one.
    pub show_logs: bool,
}

/// Corpus directory in Forge's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusConfig {
    /// `corpus_dir`, absolute.
    pub dir: PathBuf,
    /// `corpus_gzip`: true if written files are compressed.
    pub gzip: bool,
}
