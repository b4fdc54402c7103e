//! Initial sequences made of the calls of the project's own unit tests. Forge 1.8 does this with the tests of
//! the same contract.
//!
//! The unit tests of the suite itself, and of suites that depend on a contract that it deploys, are run once.
//! The calls that they make in `setUp` and in the test are translated to functions of the targets: to the
//! same function, or to those (of handlers) that make the same call, or else to those with a similar name.

mod collector;
mod translation;

use super::{CancellationToken, SuitePlan, plan::is_reproducer, store::hung_calls::HungCall};
use crate::{
    config::Config,
    engine::Example,
    evm::exec::{
        executor::EvmExecutor,
        test_env::{ProjectContext, TestEnv},
    },
    model::{ContractId, Deployment, TargetFunction, Trace, Transaction, executor::Checks},
    project::{Contract, FunctionKind, Project, Suite, TestFunction},
};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Function;
use alloy_primitives::{Address, Selector, U256, hex};
use collector::CallCollector;
use rustc_hash::FxHashSet;
use std::{collections::BTreeSet, sync::Arc};
use translation::CallTranslator;

/// Maximum number of unit tests and `setUp`s that are run, and EVM work after which no further one begins (it
/// takes a second or two).
const MOST_TESTS: usize = 64;
const MOST_WORK: u64 = 30_000_000;
/// Maximum number of target functions that make the same call. If there are more, the call does not identify
/// a function: all handlers mint and approve.
const MOST_CALLERS: usize = 3;
/// Maximum calldata of a call in bytes, and maximum number of calls of one test.
const MOST_BYTES: usize = 1 << 14;
const MOST_CALLS: usize = 256;
/// Minimum length of two names, in bytes, of which one contains the other.
const LEAST_NAME: usize = 4;
/// Selector of `vm.warp(uint256)`.
const WARP: Selector = Selector::new(hex!("e5d6bf02"));

/// Call that a unit test makes.
#[derive(Clone, Debug)]
pub(super) struct UnitTestCall {
    pub(super) target: Address,
    pub(super) function: Arc<TargetFunction>,
    pub(super) args: Vec<DynSolValue>,
    pub(super) sender: Address,
    /// Label that `setUp` gave to the sender.
    label: Option<String>,
    pub(super) value: U256,
    /// Seconds since the previous call.
    warp: U256,
}

/// Calls of a contract by unit tests.
#[derive(Debug, Default)]
pub(super) struct ContractUse {
    /// Labels of the accounts that call it, in the order of their first calls.
    pub(super) actors: Vec<String>,
    /// Calls of each test: selectors and arguments.
    pub(super) tests: Vec<Vec<(Selector, Vec<DynSolValue>)>>,
    /// Actions of `setUp`, for each suite.
    pub(super) set_ups: Vec<UnitTestSetUp>,
}

/// Actions of a suite before its unit tests.
#[derive(Debug)]
pub(super) struct UnitTestSetUp {
    /// The test contract.
    pub(super) test: Address,
    /// Contracts that it deploys, in order.
    pub(super) deployments: Vec<Deployment>,
    /// Calls that it makes.
    pub(super) calls: Vec<UnitTestCall>,
}

/// Runs the unit tests that depend on a contract, and returns their calls of its functions.
pub(super) fn uses_of(
    contract: &Contract,
    context: &ProjectContext,
    config: &Config,
    stop: &CancellationToken,
) -> ContractUse {
    let project = context.project();
    let is_base = |base: &&Arc<Contract>| project.heirs(&base.id).any(|heir| heir.id == contract.id);
    let bases = project.contracts().iter().filter(is_base).map(|base| &base.id);
    let sources: BTreeSet<_> =
        bases.chain([&contract.id]).map(|id| config.paths.root.join(&id.path)).collect();
    let mut suites = project.suites();
    suites.retain(|suite| has_tests(suite) && project.is_affected(suite, &sources));
    let mut found = ContractUse::default();
    let (tests, set_ups) = run_all(&suites, None, context, config, stop);
    found.set_ups = set_ups;
    for calls in tests {
        let is_own = |call: &UnitTestCall| {
            contract.abi.functions().any(|function| function.selector() == call.function.selector())
        };
        let own: Vec<UnitTestCall> = calls.into_iter().filter(is_own).collect();
        found.actors.extend(own.iter().filter_map(|call| call.label.clone()));
        found.tests.push(own.into_iter().map(|call| (call.function.selector(), call.args)).collect());
    }
    let mut seen = FxHashSet::default();
    found.actors.retain(|label| seen.insert(label.clone()));
    found
}

/// Remaining budget for unit tests.
struct RemainingWork {
    runs: usize,
    work: u64,
    stop: CancellationToken,
}

impl RemainingWork {
    fn is_any(&self) -> bool {
        self.runs > 0 && self.work > 0 && !self.stop.is_run_ending()
    }

    fn spend(&mut self, work: u64) {
        (self.runs, self.work) = (self.runs.saturating_sub(1), self.work.saturating_sub(work));
    }
}

/// Returns a list of calls for each unit test that makes calls with a counterpart in the targets of
/// `test_env`.
pub(super) fn examples(
    suite: &SuitePlan,
    test_env: &Arc<TestEnv>,
    context: &ProjectContext,
    hung_calls: &[HungCall],
    stop: &CancellationToken,
) -> Vec<Vec<Example>> {
    let mut related = related(suite, test_env, context.project());
    related.iter_mut().for_each(|related| leave_out(related, hung_calls));
    if related.is_empty() || test_env.targets.targets.is_empty() {
        return Vec::new();
    }
    let (tests, _) = run_all(&related, Some(suite.suite.id()), context, &suite.config, stop);
    if tests.is_empty() {
        return Vec::new();
    }
    let translation = CallTranslator::new(test_env, stop);
    let translated = tests.iter().map(|test| translation.apply(test));
    translated.filter(|test| !test.is_empty()).collect()
}

/// Removes the tests of a suite that did not end in earlier runs. If another call of the suite did not end,
/// all of its tests are removed.
fn leave_out(suite: &mut Suite, hung_calls: &[HungCall]) {
    let id = suite.id().clone();
    for call in hung_calls.iter().filter(|call| call.is_of(&id)) {
        let is_it = |test: &TestFunction| test.function.signature() == call.function;
        match suite.tests.iter().any(is_it) {
            true => suite.tests.retain(|test| !is_it(test)),
            false => suite.tests.clear(),
        }
    }
}

/// Returns the suites with unit tests that may call contracts deployed by this suite. The suite itself comes
/// first.
fn related(plan: &SuitePlan, test_env: &TestEnv, project: &Project) -> Vec<Suite> {
    let suite = &plan.suite;
    let deployed = test_env.names.identifiers.values().filter_map(|identifier| ContractId::parse(identifier));
    let deployed = deployed.filter(|id| !project.is_library(&id.path) && id != suite.id());
    let sources: BTreeSet<_> = deployed.map(|id| plan.config.paths.root.join(id.path)).collect();
    let mut related = project.suites();
    related.retain(|other| {
        has_tests(other) && (other.id() == suite.id() || project.is_affected(other, &sources))
    });
    related.sort_by_key(|other| other.id() != suite.id());
    related
}

fn has_tests(suite: &Suite) -> bool {
    suite.fault.is_none() && !is_reproducer(suite) && unit_tests(suite).next().is_some()
}

fn unit_tests(suite: &Suite) -> impl Iterator<Item = &Arc<Function>> {
    let is_unit = |test: &&TestFunction| test.kind == FunctionKind::Unit && test.function.inputs.is_empty();
    suite.tests.iter().filter(is_unit).map(|test| &test.function)
}

/// Returns the configuration without access to programs, files and nodes: the user did not request these
/// tests.
fn harmless(config: &Config) -> Config {
    let mut config = config.clone();
    config.cheats.ffi = false;
    config.cheats.fs_permissions.clear();
    config.rpc.closed = true;
    config
}

/// Runs the unit tests of suites within the budget. Returns the calls of each test, and what each suite does before its
/// tests. Of the suite `own`, calls in `setUp` are left out.
fn run_all(
    suites: &[Suite],
    own: Option<&ContractId>,
    context: &ProjectContext,
    config: &Config,
    stop: &CancellationToken,
) -> (Vec<Vec<UnitTestCall>>, Vec<UnitTestSetUp>) {
    let (context, config) = (context.apart(), harmless(config));
    let mut left = RemainingWork { runs: MOST_TESTS, work: MOST_WORK, stop: stop.clone() };
    let (mut tests, mut set_ups) = (Vec::new(), Vec::new());
    for suite in suites {
        if !left.is_any() {
            break;
        }
        left.spend(0);
        let Ok(test_env) = TestEnv::build(&context, &config, suite) else { continue };
        let mut before = CallCollector::new(&test_env, &config);
        test_env.setup.traces.iter().for_each(|(_, trace)| before.add(trace));
        set_ups.push(UnitTestSetUp {
            test: test_env.suite.test,
            deployments: collector::deployments(&test_env, context.project()),
            calls: before.made.clone(),
        });
        if own == Some(suite.id()) {
            before.made.clear();
        }
        tests.extend(run(suite, &test_env, &before, &mut left));
    }
    (tests, set_ups)
}

/// Runs the unit tests of a suite and returns the calls of each, after those `before` it.
fn run(
    suite: &Suite,
    test_env: &TestEnv,
    before: &CallCollector<'_>,
    left: &mut RemainingWork,
) -> Vec<Vec<UnitTestCall>> {
    let mut tests = Vec::new();
    for function in unit_tests(suite) {
        if !left.is_any() {
            break;
        }
        let test = Arc::new(TargetFunction::without_value((**function).clone()));
        let test_env = Arc::new(test_env.of_test(&test, suite, true));
        let call = Transaction::plain(test_env.start.env.sender, test_env.suite.test, &test, Vec::new());
        let mut calls = before.clone();
        let (work, traces) = replay(&mut executor(&test_env, &left.stop), call);
        left.spend(work);
        traces.iter().for_each(|trace| calls.add(trace));
        if calls.made.len() > before.made.len() {
            tests.push(calls.made);
        }
    }
    tests
}

/// Returns an executor whose runs end early once `stop` requests the end.
fn executor(test_env: &Arc<TestEnv>, stop: &CancellationToken) -> EvmExecutor {
    let (mut executor, stop) = (EvmExecutor::new(test_env.clone()), stop.clone());
    executor.begin_replays(Arc::new(move || stop.is_run_ending()));
    executor
}

/// Runs one call and returns its work and its traces.
fn replay(executor: &mut EvmExecutor, call: Transaction) -> (u64, Vec<Trace>) {
    let replay = executor.replay(&vec![call], &Checks::at_the_end(Vec::new()));
    (replay.observation.work.plain, replay.traces)
}
