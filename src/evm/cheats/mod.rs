//! Forge's cheatcodes and the console.
//!
//! | file | holds |
//! |---|---|
//! | [`vm`] | the list of cheatcodes, with their signatures |
//! | [`dispatch`] | the way from calldata to a cheatcode's impl, and [`dispatch::Cx`], all that the impl works on |
//! | [`hooks`] | hooks into calls, creations and logs, which apply what cheatcodes asked for before |
//! | [`instruction_watch`] | requests to instructions, which the instruction tables of `evm::vm` read |
//! | [`undo`] | changes of accounts that revm's journal cannot undo |
//! | [`nested`], [`transactions`] | whole transactions that cheatcodes run within the test's |
//! | [`transaction_state`] | state that belongs to one transaction: logs, open files, failed assertions |
//! | [`asserts`], [`console`], [`dstest`] | assertions, `console.log` and log events, made from tables |
//! | [`file_access`], [`type_limits`], [`value_text`] | permissions, bounds and wording that several groups share |
//! | [`forge_abi`] | Forge's own lists, for traces and for a test that ours is complete |
//! | all others | one group of cheatcodes each |
//!
//! A group that remembers something has a struct in its file, a field of [`Cheats`]. It may be asked whether it
//! `is_quiet`, that is, whether it leaves the next transaction alone; on `begin_tx` it forgets the last transaction;
//! on `enter_transaction` and `after_transaction` a nested transaction begins and has ended.
//!
//! # How to add a cheatcode
//!
//! 1. Add its signature to [`vm`], below the comment that names its group. If it is on no list of Forge's, which are
//!    `forge-1.7.1.txt` and `forge-1.8.txt`, add it to the newer one. An assertion is a line in the table of
//!    [`asserts`] instead.
//! 2. Add its name to the table at the end of [`dispatch`]; overloads are numbered in the order of the list. If it
//!    keeps its arguments, or has no effect on state, say so in the functions above the table.
//! 3. Implement [`dispatch::Cheatcode`] for `Vm::nameCall` in the group's file.
//! 4. Put what it remembers into the group's struct, which does not compile until `is_quiet` takes note of it.
//! 5. Call it from a contract in `testdata/conformance` if Forge 1.7.1 has it, else from one in
//!    `testdata/conformance/forge-1.8`, and refresh the pages in `docs/` with `scripts/docs`.

mod accesses;
mod account;
mod allocs;
mod arbitrary_storage;
mod asserts;
mod assume_skip;
mod block;
mod block_history;
mod broadcast;
mod broadcast_files;
mod code;
mod console;
mod curve_points;
mod delegation;
mod dispatch;
mod dstest;
mod encoding;
mod endpoints;
mod environment;
mod expect;
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
mod storage_hooks;
mod strings;
#[cfg(test)]
pub(in crate::evm) mod testing;
mod toml;
mod transaction_state;
mod transactions;
mod type_limits;
mod undo;
mod utilities;
mod value_text;
mod vm;

pub(crate) use arbitrary_storage::before_load;
pub(crate) use block_history::contract as block_history_contract;
pub(crate) use console::abi as console_abi;
pub(crate) use dispatch::is_pure;
pub(crate) use dstest::abi as dstest_abi;
pub(crate) use environment::resolve as resolve_variables;
pub(crate) use forge_abi::abi as vm_abi;
pub(crate) use gas_snapshots::GasSnapshots;
pub(crate) use instruction_watch::InstructionWatch;
pub(crate) use state_diff::{account_accessed, slot_accessed};
pub(crate) use storage_hooks::{HookCallback, after_load, after_store, resume};

use super::{Ctx, state::fork::Chain};
use crate::{
    config::{CheatsConfig, ForgeBehaviour, RpcConfig},
    project::{Contract, Project},
};
use alloy_primitives::{Address, Bytes, U256};
use broadcast::Broadcasts;
use code::Deployments;
use expect::Expectations;
use forks::ForkState;
use gas::GasState;
use mock::Mocks;
use prank::Pranks;
use record::Recording;
use snapshot::Snapshots;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, mem,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};
use transaction_state::TransactionState;
use utilities::UtilityState;

/// Function that words revert data as in a failing test's reason.
pub(crate) type RevertText = Arc<dyn Fn(&[u8]) -> String + Send + Sync>;

/// Environment of the cheatcodes, the same for all tests of a suite.
pub(crate) struct CheatEnv {
    /// Settings.
    pub(crate) config: CheatsConfig,
    /// Root of the project.
    pub(crate) root: PathBuf,
    /// Environment variables at the start.
    pub(crate) environment: BTreeMap<String, String>,
    /// Nodes of chains, and how they are asked.
    pub(crate) rpc: RpcConfig,
    /// Gas values that tests want to be written.
    pub(crate) gas_snapshots: GasSnapshots,
    /// Seed of the run, for `vm.random*`.
    pub(crate) seed: U256,
    /// Compiled project.
    pub(crate) project: Arc<Project>,
    /// Test contract.
    pub(crate) running: Arc<Contract>,
    /// Address of the test contract.
    pub(crate) test: Address,
    /// Deprecated cheatcodes that were called, with what replaces them.
    pub(crate) deprecated: Arc<Mutex<BTreeSet<(&'static str, &'static str)>>>,
    /// Wording of revert data that an expectation does not match.
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

/// State of the cheatcodes, one struct a group; cheap to clone while little is set.
#[derive(Clone, Debug)]
pub(crate) struct Cheats {
    shared: Arc<CheatEnv>,
    pranks: Pranks,
    broadcasts: Broadcasts,
    mocks: Mocks,
    expectations: Expectations,
    recording: Recording,
    deployments: Deployments,
    snapshots: Snapshots,
    gas: GasState,
    pub(crate) forks: ForkState,
    utilities: UtilityState,
    pub(crate) transaction: TransactionState,
}

impl Cheats {
    /// Returns the state before a test: nothing is set but the labels of the configuration.
    pub(crate) fn new(shared: Arc<CheatEnv>) -> Self {
        Self {
            pranks: Pranks::default(),
            broadcasts: Broadcasts::default(),
            mocks: Mocks::default(),
            expectations: Expectations::default(),
            recording: Recording::default(),
            deployments: Deployments::default(),
            snapshots: Snapshots::default(),
            gas: GasState::default(),
            forks: ForkState::of(shared.test),
            utilities: UtilityState::new(&shared),
            transaction: TransactionState::default(),
            shared,
        }
    }

    /// Returns the approximate size in bytes, with accesses and logs that are recorded: they grow with each call.
    pub(crate) fn size(&self) -> usize {
        size_of::<Self>() + self.recording.size()
    }

    /// Goes on under other settings. A stream of random numbers that was not drawn from starts again by its new
    /// seed.
    pub(crate) fn reconfigure(&mut self, shared: CheatEnv) {
        self.utilities.reseed(self.shared.seed, shared.seed);
        self.shared = Arc::new(CheatEnv { deprecated: self.shared.deprecated.clone(), ..shared });
    }

    /// Puts a fork under the accounts from the start.
    pub(crate) fn begin_on(&mut self, chain: &Arc<Chain>) {
        self.forks.all.begin_on(chain.clone());
        self.recording.watch.fork = Some(0);
    }

    /// Behaves like a version of Forge.
    pub(crate) fn follow(&mut self, forge: &ForgeBehaviour) {
        self.recording.watch.fees.are_kept = forge.isolates_with_fees;
        self.recording.watch.history.is_deployed = forge.has_block_history;
    }

    /// Carries an account over to other forks.
    pub(crate) fn keep_on_forks(&mut self, account: Address) {
        self.forks.all.persistent.add(account);
    }

    /// Forgets the gas of the last call, as if no call was made.
    pub(crate) fn forget_last_call(&mut self) {
        self.gas.metering.forget_last_call();
    }

    /// Prepares for a transaction.
    pub(crate) fn begin_tx(&mut self, ctx: &mut Ctx) {
        self.transaction.begin_tx();
        self.forks.all.begin_tx();
        self.gas.begin_tx();
        self.deployments.begin_tx();
        self.broadcasts.begin_tx();
        self.snapshots.begin_tx();
        self.recording.begin_tx(ctx);
    }

    /// Takes back what the recorder held during the transaction.
    pub(crate) fn end_tx(&mut self, ctx: &mut Ctx) {
        self.recording.end_tx(ctx);
    }

    /// Undoes what the journal does not know of the transaction; to be called before the journal discards it.
    pub(crate) fn undo_tx(&mut self, ctx: &mut Ctx) {
        self.transaction.undo.all(ctx);
        self.forks.all.undo_tx(ctx);
    }

    /// Prepares for a transaction inside a call; what waits for the test's own calls does not see it.
    pub(crate) fn enter_transaction(&mut self, ctx: &mut Ctx) {
        self.pranks.enter_transaction();
        self.broadcasts.enter_transaction();
        self.mocks.enter_transaction();
        self.transaction.enter_transaction();
        self.recording.enter_transaction(ctx);
    }

    /// Ends that transaction.
    pub(crate) fn leave_transaction(&mut self, ctx: &mut Ctx) {
        self.recording.end_tx(ctx);
    }

    /// Goes on with the transaction around one that has ended, whose cheatcodes stay in force.
    pub(crate) fn after_transaction(&mut self, inner: Self) {
        let Self { pranks, broadcasts, mocks, deployments, gas, transaction, .. } = mem::replace(self, inner);
        self.pranks = pranks;
        self.mocks = mocks;
        self.broadcasts.after_transaction(broadcasts);
        self.deployments.after_transaction(deployments);
        self.gas.after_transaction(gas);
        self.transaction.after_transaction(transaction);
    }

    /// Tells whether the next transaction does nothing but what its code, the state and the pranks say, mocks of
    /// `setUp` included: no other cheatcode waits for it.
    pub(crate) fn are_quiet(&self, after_setup: &Self) -> bool {
        let Self {
            broadcasts,
            mocks,
            expectations,
            recording,
            deployments,
            snapshots,
            // `prank_digest` describes these.
            pranks: _,
            // These do nothing unless a cheatcode is called.
            shared: _,
            gas: _,
            forks: _,
            utilities: _,
            transaction: _,
        } = self;
        mocks.is_quiet(&after_setup.mocks)
            && broadcasts.is_quiet()
            && expectations.is_quiet()
            && recording.is_quiet()
            && deployments.is_quiet()
            && snapshots.is_quiet()
    }

    /// Returns a hash of the pranks that are on; zero if there are none. Many a `setUp` leaves one to all properties.
    pub(crate) fn prank_digest(&self) -> u64 {
        self.pranks.digest()
    }

    /// Tells whether calls of a test are transactions of their own.
    pub(crate) fn isolates(&self) -> bool {
        self.shared.config.isolate && !self.transaction.is_nested
    }

    /// Returns the most gas that such a transaction may use.
    pub(crate) fn isolated_gas(&self, ctx: &Ctx) -> u64 {
        if self.shared.config.no_block_gas_limit { u64::MAX } else { ctx.block.gas_limit }
    }

    /// Tells whether a gas section was started, so that [`Self::section_begun`] must be called for the frame
    /// returned to.
    pub(crate) fn is_section_beginning(&self) -> bool {
        self.gas.sections.is_beginning()
    }

    /// Begins counting: the call that started a section has returned to a frame that has spent this much gas.
    pub(crate) fn section_begun(&mut self, spent: u64) {
        self.gas.sections.begin_counting(spent);
    }

    /// Returns Forge's warning about deprecated cheatcodes, if any were called.
    pub(crate) fn deprecation_warning(&self) -> Option<String> {
        let used = self.shared.deprecated.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = used.iter().map(|(old, new)| format!("\n  {old}: replaced by `{new}`"));
        let list: String = lines.collect();
        let head = "the following cheatcode(s) are deprecated and will be removed in future versions:";
        (!list.is_empty()).then(|| format!("{head}{list}"))
    }

    /// Returns the names given with `vm.label`, and those of the configuration.
    pub(crate) fn labels(&self) -> &BTreeMap<Address, String> {
        &self.utilities.labels
    }

    /// Returns the lines logged in the transaction, in order; forgets them.
    pub(crate) fn take_logs(&mut self) -> Vec<String> {
        mem::take(&mut self.transaction.logs)
    }

    /// Tells whether `output` is the revert data of the transaction's last failing `vm.assert*`.
    pub(crate) fn assert_failed_with(&self, output: &Bytes) -> bool {
        self.transaction.assert_failure.as_ref() == Some(output)
    }

    /// Tells whether `output` is the revert data of a call of `vm.skip(true)` in the transaction.
    pub(crate) fn skipped_with(&self, output: &Bytes) -> bool {
        self.transaction.skips.contains(output)
    }

    /// Tells whether the failure flag was set when a snapshot was restored, which has cleared it since.
    pub(crate) fn failed_before_restore(&self) -> bool {
        self.snapshots.failed_before_restore()
    }
}
