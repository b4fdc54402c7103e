//! Cheatcodes and the console: what contracts may do to the machine that runs them.
//!
//! [`vm`] is the list; [`dispatch`] leads from calldata to one small impl each, which live in one file
//! a group. [`Cheats`] holds what they leave behind and hooks into calls, creations and logs; what
//! instructions must note for them is in [`watch`]. What revm's journal cannot undo is in [`undo`].

mod account;
mod arbitrary;
mod asserts;
mod block;
mod code;
mod console;
mod dispatch;
mod dstest;
mod environment;
mod expect_call;
mod expect_emit;
mod expect_revert;
mod forge;
mod gas;
mod helpers;
mod hooks;
mod keys;
mod mapping;
mod mock;
mod prank;
mod printf;
mod random;
mod record;
mod snapshot;
mod strings;
#[cfg(test)]
pub(in crate::evm) mod testing;
mod text;
mod undo;
mod verdict;
mod vm;
mod watch;

pub(crate) use arbitrary::before_load;
pub(crate) use console::abi as console_abi;
pub(crate) use dispatch::is_pure;
pub(crate) use dstest::abi as dstest_abi;
pub(crate) use forge::abi as vm_abi;
pub(crate) use watch::Watch;

use super::{Ctx, probe::Accesses};
use crate::config::CheatsConfig;
use alloy_primitives::{Address, Bytes, Log, U256};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

/// Finds the code of an artifact by the names that `vm.getCode` takes; the error is Forge's.
pub(crate) type CodeLookup = Arc<dyn Fn(&str) -> Result<Bytes, String> + Send + Sync>;

/// Words for revert data, as in a failing test's reason.
pub(crate) type RevertText = Arc<dyn Fn(&[u8]) -> String + Send + Sync>;

/// What cheatcodes see of the outside; the same for all tests of a project.
pub(crate) struct CheatEnv {
    /// What is switched on.
    pub(crate) config: CheatsConfig,
    /// The project's root.
    pub(crate) root: PathBuf,
    /// Environment variables at the start.
    pub(crate) environment: BTreeMap<String, String>,
    /// The run's seed, for `vm.random*`.
    pub(crate) seed: U256,
    /// Creation code of artifacts, linked.
    pub(crate) creation_code: CodeLookup,
    /// Runtime code of artifacts, linked.
    pub(crate) deployed_code: CodeLookup,
    /// Deprecated cheatcodes that were called, with what replaces them.
    pub deprecated: Arc<Mutex<BTreeSet<(&'static str, &'static str)>>>,
    /// How revert data reads when an expectation does not match it.
    pub(crate) revert_text: RevertText,
}

impl fmt::Debug for CheatEnv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheatEnv")
            .field("config", &self.config)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// State of the cheatcodes; cheap to clone while little is set.
#[derive(Clone, Debug)]
pub(crate) struct Cheats {
    shared: Arc<CheatEnv>,

    // What outlives a transaction.
    pranks: BTreeMap<usize, prank::Prank>,
    mocks: Arc<mock::Mocks>,
    expected_revert: Option<expect_revert::ExpectedRevert>,
    assumed_no_revert: Option<expect_revert::AssumedNoRevert>,
    expected_emits: Vec<expect_emit::ExpectedEmit>,
    expected_calls: expect_call::ExpectedCalls,
    expected_creates: Vec<expect_call::ExpectedCreate>,
    labels: Arc<BTreeMap<Address, String>>,
    environment: Arc<BTreeMap<String, String>>,
    wallets: Arc<BTreeMap<Address, U256>>,
    recorded_logs: Option<Vec<Log>>,
    /// Accesses recorded before `vm.stopRecord`.
    accesses: Accesses,
    /// Accesses recorded so far, between transactions; during one they are in the probe.
    recording: Option<Accesses>,
    /// Likewise.
    watch: Watch,
    snapshots: snapshot::Snapshots,
    rng: random::Rng,
    failed_before_restore: bool,

    // What belongs to the transaction.
    undo: undo::UndoLog,
    metering: gas::Metering,
    deploying: Vec<code::Deploying>,
    logs: Vec<String>,
    assert_failure: Option<Bytes>,
    /// The reason given to `vm.skip`, when the transaction asked to be skipped.
    pub(crate) skip: Option<Option<String>>,
    /// Why the test cannot be judged: it called a cheatcode that we lack.
    pub(crate) unsupported: Option<String>,
}

impl Cheats {
    /// Nothing set but the labels of the configuration.
    pub(crate) fn new(shared: Arc<CheatEnv>) -> Self {
        Self {
            pranks: BTreeMap::new(),
            mocks: Arc::default(),
            expected_revert: None,
            assumed_no_revert: None,
            expected_emits: Vec::new(),
            expected_calls: BTreeMap::new(),
            expected_creates: Vec::new(),
            labels: Arc::new(shared.config.labels.clone()),
            environment: Arc::new(shared.environment.clone()),
            wallets: Arc::default(),
            recorded_logs: None,
            accesses: Vec::new(),
            recording: None,
            watch: Watch::default(),
            snapshots: snapshot::Snapshots::default(),
            rng: random::Rng::new(shared.seed),
            failed_before_restore: false,
            undo: undo::UndoLog::default(),
            metering: gas::Metering::default(),
            deploying: Vec::new(),
            logs: Vec::new(),
            assert_failure: None,
            skip: None,
            unsupported: None,
            shared,
        }
    }

    /// Goes on under other settings. A stream of random numbers that was not drawn from starts again by its new
    /// seed.
    pub(crate) fn reconfigure(&mut self, shared: CheatEnv) {
        if self.rng == random::Rng::new(self.shared.seed) {
            self.rng = random::Rng::new(shared.seed);
        }
        self.shared = Arc::new(CheatEnv { deprecated: self.shared.deprecated.clone(), ..shared });
    }

    /// Prepares for a transaction.
    pub(crate) fn begin_tx(&mut self, ctx: &mut Ctx) {
        self.undo.clear();
        self.metering.reset();
        self.deploying.clear();
        self.logs.clear();
        self.assert_failure = None;
        self.skip = None;
        self.unsupported = None;
        ctx.chain.accesses = self.recording.take();
        ctx.chain.watch = std::mem::take(&mut self.watch);
    }

    /// Takes back what the probe held during the transaction.
    pub(crate) fn end_tx(&mut self, ctx: &mut Ctx) {
        self.recording = ctx.chain.accesses.take();
        self.watch = std::mem::take(&mut ctx.chain.watch);
    }

    /// Undoes what the journal does not know of the transaction; to be called before the journal discards it.
    pub(crate) fn undo_tx(&mut self, ctx: &mut Ctx) {
        self.undo.all(ctx);
    }

    /// Whether the next transaction does nothing but what its code and the state say, mocks of `setUp` included: no
    /// cheatcode waits for it.
    pub(crate) fn are_quiet(&self, after_setup: &Self) -> bool {
        let Watch { mappings, arbitrary, block_hashes } = &self.watch;
        Arc::ptr_eq(&self.mocks, &after_setup.mocks)
            && self.pranks.is_empty()
            && self.expected_revert.is_none()
            && self.assumed_no_revert.is_none()
            && self.expected_emits.is_empty()
            && self.expected_calls.is_empty()
            && self.expected_creates.is_empty()
            && self.recording.is_none()
            && !self.failed_before_restore
            && (mappings.is_none() && arbitrary.is_none() && block_hashes.is_empty())
    }

    /// Forge's warning about deprecated cheatcodes, if any were called.
    pub(crate) fn deprecation_warning(&self) -> Option<String> {
        let used = self.shared.deprecated.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = used.iter().map(|(old, new)| format!("\n  {old}: replaced by `{new}`"));
        let list: String = lines.collect();
        let head = "the following cheatcode(s) are deprecated and will be removed in future versions:";
        (!list.is_empty()).then(|| format!("{head}{list}"))
    }

    /// Names given with `vm.label`, and those of the configuration.
    pub(crate) fn labels(&self) -> &BTreeMap<Address, String> {
        &self.labels
    }

    /// Lines logged in the transaction, in order; forgets them.
    pub(crate) fn take_logs(&mut self) -> Vec<String> {
        std::mem::take(&mut self.logs)
    }

    /// Whether `output` is what the last failing `vm.assert*` of the transaction reverted with.
    pub(crate) fn assert_failed_with(&self, output: &Bytes) -> bool {
        self.assert_failure.as_ref() == Some(output)
    }

    /// Whether the failure flag was set when a snapshot was restored, which has cleared it since.
    pub(crate) fn failed_before_restore(&self) -> bool {
        self.failed_before_restore
    }
}
