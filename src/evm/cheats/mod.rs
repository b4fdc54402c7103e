//! Cheatcodes and the console: what contracts may do to the machine that runs them.
//!
//! [`vm`] is the list; [`dispatch`] leads from calldata to one small impl each, which live in one file
//! a group. [`Cheats`] holds what they leave behind and hooks into calls, creations and logs; what
//! instructions must note for them is in [`instruction_watch`]. What revm's journal cannot undo is in [`undo`].

mod account;
mod allocs;
mod arbitrary_storage;
mod asserts;
mod assume_skip;
mod block;
mod broadcast;
mod broadcast_files;
mod code;
mod console;
mod dispatch;
mod dstest;
mod encoding;
mod endpoints;
mod environment;
mod expect_call;
mod expect_emit;
mod expect_revert;
mod ffi;
mod file_access;
mod files;
mod forge_abi;
mod forks;
mod gas;
mod gas_snapshots;
mod hooks;
mod instruction_watch;
mod json;
mod keys;
mod mapping;
mod mock;
pub(crate) mod nested;
mod p256_ed25519;
mod prank;
mod printf;
mod prompt;
mod random;
mod record;
pub(in crate::evm) mod safe_memory;
mod snapshot;
mod state_diff;
mod state_diff_text;
mod strings;
#[cfg(test)]
pub(in crate::evm) mod testing;
mod toml;
mod transactions;
mod type_limits;
mod undo;
mod utilities;
mod value_text;
mod vm;

pub(crate) use arbitrary_storage::before_load;
pub(crate) use console::abi as console_abi;
pub(crate) use dispatch::is_pure;
pub(crate) use dstest::abi as dstest_abi;
pub(crate) use environment::resolve as resolve_variables;
pub(crate) use forge_abi::abi as vm_abi;
pub(crate) use gas_snapshots::GasSnapshots;
pub(crate) use instruction_watch::InstructionWatch;
pub(crate) use state_diff::{account_accessed, slot_accessed};

use super::{Ctx, state::fork::Forks};
use crate::{
    config::{CheatsConfig, RpcConfig},
    project::{Contract, Project},
};
use alloy_primitives::{Address, Bytes, Log, U256};
use instruction_watch::Accesses;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};
use undo::UndoLog;

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
    /// Nodes of chains.
    pub(crate) rpc: RpcConfig,
    /// What tests want to be written of gas.
    pub(crate) gas_snapshots: GasSnapshots,
    /// The run's seed, for `vm.random*`.
    pub(crate) seed: U256,
    /// The project.
    pub(crate) project: Arc<Project>,
    /// The test contract.
    pub(crate) running: Arc<Contract>,
    /// Where it is.
    pub(crate) test: Address,
    /// Deprecated cheatcodes that were called, with what replaces them.
    pub deprecated: Arc<Mutex<BTreeSet<(&'static str, &'static str)>>>,
    /// How revert data reads when an expectation does not match it.
    pub(crate) revert_text: RevertText,
    /// Runs a transaction inside a cheatcode.
    pub(crate) run_nested: nested::RunNested,
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
    broadcast: Option<broadcast::Broadcast>,
    /// For the next broadcast call.
    attached: broadcast::Attached,
    mocks: Arc<mock::Mocks>,
    expected_revert: Option<expect_revert::ExpectedRevert>,
    assumed_no_revert: Option<expect_revert::AssumedNoRevert>,
    expected_emits: Vec<expect_emit::ExpectedEmit>,
    expected_calls: expect_call::ExpectedCalls,
    expected_creates: Vec<expect_call::ExpectedCreate>,
    labels: Arc<BTreeMap<Address, String>>,
    pub(crate) forks: Forks,
    /// Who may use cheatcodes on a fork, beside the test.
    allowed: Arc<BTreeSet<Address>>,
    environment: Arc<BTreeMap<String, String>>,
    wallets: Arc<BTreeMap<Address, U256>>,
    recorded_logs: Option<Vec<Log>>,
    /// Whether the next creation gives its code back instead of running it.
    intercepting: bool,
    /// Whether a transaction runs that a cheatcode asked for.
    in_transaction: bool,
    /// Why the creation that begins is refused: it was to go through a deployer that is none.
    refused: Option<String>,
    /// Accesses recorded before `vm.stopRecord`.
    accesses: Accesses,
    /// Requests to instructions, between transactions; during one the recorder holds them.
    watch: InstructionWatch,
    snapshots: snapshot::Snapshots,
    rng: random::CheatRng,
    /// Objects that are being written as JSON.
    objects: json::Objects,
    failed_before_restore: bool,

    // What belongs to the transaction.
    undo: UndoLog,
    metering: gas::Metering,
    sections: gas_snapshots::GasSections,
    deploying: Vec<code::Deploying>,
    salted: Vec<broadcast::Salted>,
    logs: Vec<String>,
    /// How far files were read line by line, in bytes.
    opened_files: BTreeMap<PathBuf, u64>,
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
            broadcast: None,
            attached: broadcast::Attached::default(),
            mocks: Arc::default(),
            expected_revert: None,
            assumed_no_revert: None,
            expected_emits: Vec::new(),
            expected_calls: BTreeMap::new(),
            expected_creates: Vec::new(),
            labels: Arc::new(shared.config.labels.clone()),
            forks: Forks::of(shared.test),
            allowed: Arc::default(),
            environment: Arc::new(shared.environment.clone()),
            wallets: Arc::default(),
            recorded_logs: None,
            intercepting: false,
            in_transaction: false,
            refused: None,
            accesses: Vec::new(),
            watch: InstructionWatch::default(),
            snapshots: snapshot::Snapshots::default(),
            rng: random::CheatRng::new(shared.seed),
            objects: BTreeMap::new(),
            failed_before_restore: false,
            undo: UndoLog::default(),
            metering: gas::Metering::default(),
            sections: gas_snapshots::GasSections::default(),
            deploying: Vec::new(),
            salted: Vec::new(),
            logs: Vec::new(),
            opened_files: BTreeMap::new(),
            assert_failure: None,
            skip: None,
            unsupported: None,
            shared,
        }
    }

    /// Goes on under other settings. A stream of random numbers that was not drawn from starts again by its new
    /// seed.
    pub(crate) fn reconfigure(&mut self, shared: CheatEnv) {
        if self.rng == random::CheatRng::new(self.shared.seed) {
            self.rng = random::CheatRng::new(shared.seed);
        }
        self.shared = Arc::new(CheatEnv { deprecated: self.shared.deprecated.clone(), ..shared });
    }

    /// Prepares for a transaction.
    pub(crate) fn begin_tx(&mut self, ctx: &mut Ctx) {
        self.undo.clear();
        self.forks.begin_tx();
        self.metering.reset();
        self.sections = gas_snapshots::GasSections::default();
        self.deploying.clear();
        self.salted.clear();
        self.logs.clear();
        self.opened_files.clear();
        self.assert_failure = None;
        self.skip = None;
        self.snapshots.touched = false;
        self.unsupported = None;
        ctx.chain.watch = std::mem::take(&mut self.watch);
    }

    /// Takes back what the probe held during the transaction.
    pub(crate) fn end_tx(&mut self, ctx: &mut Ctx) {
        self.watch = std::mem::take(&mut ctx.chain.watch);
    }

    /// Undoes what the journal does not know of the transaction; to be called before the journal discards it.
    pub(crate) fn undo_tx(&mut self, ctx: &mut Ctx) {
        self.undo.all(ctx);
        self.forks.undo_tx(ctx);
    }

    /// Whether the next transaction does nothing but what its code and the state say, mocks of `setUp` included: no
    /// cheatcode waits for it.
    pub(crate) fn are_quiet(&self, after_setup: &Self) -> bool {
        Arc::ptr_eq(&self.mocks, &after_setup.mocks)
            && self.pranks.is_empty()
            && self.broadcast.is_none()
            && self.expected_revert.is_none()
            && self.assumed_no_revert.is_none()
            && self.expected_emits.is_empty()
            && self.expected_calls.is_empty()
            && self.expected_creates.is_empty()
            && !self.intercepting
            && !self.failed_before_restore
            && self.watch.is_quiet()
    }

    /// Whether calls of a test are transactions of their own.
    pub(crate) fn isolates(&self) -> bool {
        self.shared.config.isolate && !self.in_transaction
    }

    /// The most gas that such a transaction may use.
    pub(crate) fn isolated_gas(&self, ctx: &Ctx) -> u64 {
        if self.shared.config.no_block_gas_limit { u64::MAX } else { ctx.block.gas_limit }
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
