//! Settings that only forge-harvey knows.

use crate::config::{Feature, Features, ForgeVersion, Strategy};
use std::time::Duration;

/// Settings of our own section, `[profile.NAME.harvey]`, which Forge does not know.
#[derive(Clone, Debug, PartialEq)]
pub struct HarveyConfig {
    /// Version of Forge whose behaviour is followed.
    pub forge: ForgeVersion,
    /// Strategy of the search.
    pub strategy: Strategy,
    /// Largest share of the budget for random sequences from the state after `setUp`, in percent.
    pub random_walks: u32,
    /// Panic codes besides 0x01 that count as assertion failures.
    pub panics: Vec<u64>,
    /// True if failed assertions count even if try/catch or a low-level call swallows them.
    pub inner_asserts: bool,
    /// CPU time limit of a call; `None` means unlimited. `setUp` and unit tests get ten times as much.
    pub call_timeout: Option<Duration>,
    /// Number of successive calls without a new path after which a campaign stops; zero means never.
    pub plateau: u64,
    /// Number of executions (transactions after `setUp`) after which a campaign stops; zero means never.
    pub executions: u64,
    /// True if inputs that reached something new are kept and run first in the next run.
    pub keep_inputs: bool,
    /// External SMT solver: `auto` for the first that is installed, `none`, or a program.
    pub solver: String,
    /// Time limit of a query to it.
    pub solver_timeout: Duration,
    /// Maximum time of all queries, in percent of the CPU time of the campaign.
    pub solver_share: u32,
    /// Parts of the search that are switched off.
    pub without: Vec<Feature>,
    /// True if unit tests run, too.
    pub unit: bool,
    /// True if properties with the names of Echidna and Medusa are run as invariants.
    pub foreign_properties: bool,
    /// True if `check*` and `prove*`, the tests of Forge's symbolic mode, are run as unit and fuzz tests: it is
    /// `symbolic.enabled`.
    pub checks: bool,
    /// True if invariants that can write to the state are also called in sequences.
    pub invariant_calls: bool,
    /// Verdict if there is nothing to test: `pass` or `fail`.
    pub no_tests: String,
    /// Contracts that are called without a test contract.
    pub scan: Scan,
    /// Ids of further oracles for the contracts of `scan`, besides the default ones, which prove a failure;
    /// `all` selects all oracles.
    pub oracles: Vec<String>,
}

impl HarveyConfig {
    /// Returns the parts of the search that are on.
    #[must_use]
    pub fn features(&self) -> Features {
        Features::of(self.strategy, &self.without)
    }

    /// Returns true if taint tracking is needed, which is the case if any further oracle is selected.
    #[must_use]
    pub fn tracks_taint(&self) -> bool {
        !self.oracles.is_empty()
    }
}

/// Contracts that are called without a test contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// No contracts.
    None,
    /// Contracts that contain an `assert` and that no suite with invariants depends on.
    Asserts,
    /// All contracts that can be deployed.
    All,
}
