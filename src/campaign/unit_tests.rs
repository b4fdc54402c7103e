//! Initial sequences made of the calls of the project's own unit tests. Forge 1.8 does this with the tests of
//! the same contract.
//!
//! The unit tests of the suite itself, and of suites that depend on a contract that it deploys, are run once.
//! The calls that they make in `setUp` and in the test are translated to functions of the targets: to the
//! same function, or to those (of handlers) that make the same call, or else to those with a similar name.

use super::{CancellationToken, SuitePlan, plan::is_reproducer, store::hung_calls::HungCall};
use crate::{
    config::Config,
    engine::{Example, zero},
    evm::exec::{
        executor::EvmExecutor,
        test_env::{NameTable, ProjectContext, TestEnv},
    },
    model::{ContractId, Frame, FrameKind, Input, TargetFunction, Trace, Transaction, executor::Checks},
    project::{Contract, FunctionKind, Project, Suite, TestFunction},
};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Function;
use alloy_primitives::{Address, Selector, U256, hex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeSet, sync::Arc};

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
struct UnitTestCall {
    function: Arc<TargetFunction>,
    args: Vec<DynSolValue>,
    sender: Address,
    /// Label that `setUp` gave to the sender.
    label: Option<String>,
    value: U256,
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
}

/// Runs the unit tests that depend on a contract, and returns their calls of its functions.
pub(super) fn uses_of(
    contract: &Contract,
    context: &ProjectContext,
    config: &Config,
    stop: &CancellationToken,
) -> ContractUse {
    let sources = BTreeSet::from([config.paths.root.join(&contract.id.path)]);
    let project = context.project();
    let mut suites = project.suites();
    suites.retain(|suite| has_tests(suite) && project.is_affected(suite, &sources));
    let mut found = ContractUse::default();
    for calls in run_all(&suites, None, context, config, stop) {
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
    let tests = run_all(&related, Some(suite.suite.id()), context, &suite.config, stop);
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

/// Runs the unit tests of suites within the budget, and returns the calls of each test. Of the suite `own`, calls in
/// `setUp` are left out.
fn run_all(
    suites: &[Suite],
    own: Option<&ContractId>,
    context: &ProjectContext,
    config: &Config,
    stop: &CancellationToken,
) -> Vec<Vec<UnitTestCall>> {
    let (context, config) = (context.apart(), harmless(config));
    let mut left = RemainingWork { runs: MOST_TESTS, work: MOST_WORK, stop: stop.clone() };
    let mut tests = Vec::new();
    for suite in suites {
        if !left.is_any() {
            break;
        }
        tests.extend(run(suite, own == Some(suite.id()), &context, &config, &mut left));
    }
    tests
}

/// Runs the unit tests of a suite and returns the calls of each. The calls of `setUp` come first, unless the
/// suite `is_own`: the campaign's test environment has already made those.
fn run(
    suite: &Suite,
    is_own: bool,
    context: &ProjectContext,
    config: &Config,
    left: &mut RemainingWork,
) -> Vec<Vec<UnitTestCall>> {
    left.spend(0);
    let Ok(test_env) = TestEnv::build(context, config, suite) else { return Vec::new() };
    let mut before = CallCollector::new(test_env.suite.test, config.env.block_timestamp, &test_env.names);
    test_env.setup.traces.iter().for_each(|(_, trace)| before.add(trace));
    if is_own {
        before.made.clear();
    }
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

/// Collector of calls, in the order in which they were made.
#[derive(Clone)]
struct CallCollector<'a> {
    /// Test contract that makes the calls.
    test: Address,
    names: &'a NameTable,
    /// Current time, and time of the previous call, in seconds.
    now: U256,
    then: U256,
    made: Vec<UnitTestCall>,
}

impl<'a> CallCollector<'a> {
    fn new(test: Address, now: U256, names: &'a NameTable) -> Self {
        Self { test, names, now, then: now, made: Vec::new() }
    }

    /// Adds the calls of the test contract itself to other contracts that succeed.
    fn add(&mut self, trace: &Trace) {
        for frame in &trace.frames {
            let caller = frame.parent.and_then(|parent| trace.frames.get(parent));
            if caller.is_some_and(|caller| caller.message.address == self.test) {
                self.note(frame);
            }
        }
    }

    fn note(&mut self, frame: &Frame) {
        if let Some(time) = warped(frame) {
            self.now = time;
        }
        if frame.builtin
            || frame.kind != FrameKind::Call
            || frame.message.address == self.test
            || !frame.result.status.is_success()
            || frame.message.input.len() > MOST_BYTES
            || self.made.len() >= MOST_CALLS
        {
            return;
        }
        let Some(function) = selector(frame).and_then(|selector| self.names.abis.function(selector)) else {
            return;
        };
        let function = Arc::new(TargetFunction::new(Function::clone(function)));
        let Input::Typed { function, args } = Input::decode(&function, &frame.message.input) else { return };
        let warp = self.now.saturating_sub(self.then);
        self.then = self.now;
        self.made.push(UnitTestCall {
            function,
            args,
            sender: frame.message.caller,
            label: self.names.labels.get(&frame.message.caller).cloned(),
            value: frame.message.value,
            warp,
        });
    }
}

fn selector(frame: &Frame) -> Option<Selector> {
    frame.message.input.get(..4).map(Selector::from_slice)
}

/// Returns the time that a call of `vm.warp` sets, in seconds; `None` for other calls.
fn warped(frame: &Frame) -> Option<U256> {
    let is_warp = frame.builtin && selector(frame) == Some(WARP);
    is_warp.then(|| frame.message.input.get(4..36)).flatten().map(U256::from_be_slice)
}

/// Function of a target.
type TargetCall = (Address, Arc<TargetFunction>);

/// Translator of calls to functions of the targets.
struct CallTranslator {
    /// Functions with a selector, and functions that make calls with it.
    same: FxHashMap<Selector, Vec<TargetCall>>,
    callers: FxHashMap<Selector, Vec<TargetCall>>,
    /// Functions with their names in lower case.
    named: Vec<(String, TargetCall)>,
}

impl CallTranslator {
    fn new(test_env: &Arc<TestEnv>, stop: &CancellationToken) -> Self {
        let (mut executor, mut left) = (executor(test_env, stop), MOST_WORK);
        let mut translation =
            Self { same: FxHashMap::default(), callers: FxHashMap::default(), named: Vec::new() };
        let sender = test_env.targets.senders.first().copied().unwrap_or(test_env.start.env.sender);
        for target in &test_env.targets.targets {
            for function in target.functions.iter().filter(|function| function.types().is_some()) {
                let entry = (target.address, function.clone());
                translation.same.entry(function.selector()).or_default().push(entry.clone());
                if left > 0 && !stop.is_run_ending() {
                    let args = function.types().unwrap_or_default().iter().map(zero).collect();
                    let call = Transaction::plain(sender, target.address, function, args);
                    let (work, traces) = replay(&mut executor, call);
                    left = left.saturating_sub(work);
                    for selector in called(&traces, target.address) {
                        translation.callers.entry(selector).or_default().push(entry.clone());
                    }
                }
                translation.named.push((function.name.to_lowercase(), entry));
            }
        }
        translation.callers.retain(|_, callers| callers.len() <= MOST_CALLERS);
        translation
    }

    fn apply(&self, calls: &[UnitTestCall]) -> Vec<Example> {
        let mut waited = U256::ZERO;
        let mut examples = Vec::new();
        for call in calls {
            let handlers = self.callers.get(&WARP).filter(|_| !call.warp.is_zero());
            if handlers.is_none() {
                waited = waited.saturating_add(call.warp);
            }
            if let Some(handlers) = handlers {
                let args = vec![DynSolValue::Uint(call.warp, 256)];
                examples.push(Example {
                    functions: handlers.clone(),
                    args,
                    sender: call.sender,
                    value: U256::ZERO,
                    warp: U256::ZERO,
                });
            }
            let functions = self.functions(&call.function);
            if !functions.is_empty() {
                let UnitTestCall { args, sender, value, .. } = call.clone();
                let warp = std::mem::take(&mut waited);
                examples.push(Example { functions, args, sender, value, warp });
            }
        }
        examples
    }

    fn functions(&self, function: &TargetFunction) -> Vec<TargetCall> {
        let selector = function.selector();
        let known = self.same.get(&selector).or_else(|| self.callers.get(&selector));
        known.cloned().unwrap_or_else(|| {
            let name = function.name.to_lowercase();
            let is_alike = |other: &str| {
                name.len().min(other.len()) >= LEAST_NAME && (name.contains(other) || other.contains(&name))
            };
            self.named.iter().filter(|(other, _)| is_alike(other)).map(|(_, entry)| entry.clone()).collect()
        })
    }
}

/// Returns the selectors of the calls that a target makes during its call, including `vm.warp`.
fn called(traces: &[Trace], target: Address) -> FxHashSet<Selector> {
    let calls = traces.iter().flat_map(|trace| {
        let is_made = |frame: &&Frame| {
            let caller = frame.parent.and_then(|parent| trace.frames.get(parent));
            frame.kind == FrameKind::Call && caller.is_some_and(|caller| caller.message.address == target)
        };
        trace.frames.iter().filter(is_made)
    });
    calls.filter(|frame| !frame.builtin || warped(frame).is_some()).filter_map(selector).collect()
}
