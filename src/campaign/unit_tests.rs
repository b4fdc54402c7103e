//! Calls of the project's own unit tests as sequences to begin with (Forge 1.8 does so for those of the same contract).
//!
//! The unit tests of the suite itself, and of suites that depend on a contract which it deploys, are run once. The calls that
//! they make in `setUp` and in the test are translated to functions of the targets: to the same function, or to those
//! (of handlers) that make the same call in turn, or else are named like it.

use super::{Stop, SuitePlan, plan::is_reproducer, store::unanswered::Unanswered};
use crate::{
    config::Config,
    engine::{Example, zero},
    evm::{
        exec::{
            executor::EvmExecutor,
            test_env::{ProjectContext, TestEnv},
        },
        trace::decode::Abis,
    },
    model::{ContractId, Frame, FrameKind, Input, TargetFunction, Trace, Transaction, executor::Checks},
    project::{FunctionKind, Project, Suite, TestFunction},
};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Function;
use alloy_primitives::{Address, Selector, U256, hex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeSet, sync::Arc};

/// Unit tests and `setUp`s that are run at most, and work of the EVM after which no other one is begun (a second or two).
const MOST_TESTS: usize = 64;
const MOST_WORK: u64 = 30_000_000;
/// Functions of targets that make the same call, of which no more may be meant: all handlers mint and approve.
const MOST_CALLERS: usize = 3;
/// Bytes of the calls that are taken over at most, and calls of one test.
const MOST_BYTES: usize = 1 << 14;
const MOST_CALLS: usize = 256;
/// Letters that names have in common at least.
const LEAST_NAME: usize = 4;
/// Selector of `vm.warp(uint256)`.
const WARP: Selector = Selector::new(hex!("e5d6bf02"));

/// A call that a unit test makes.
#[derive(Clone, Debug)]
struct UnitTestCall {
    function: Arc<TargetFunction>,
    args: Vec<DynSolValue>,
    sender: Address,
    value: U256,
    /// Seconds that passed since the call before it.
    warp: U256,
}

/// Bounds that are left to unit tests.
struct RemainingWork {
    runs: usize,
    work: u64,
    stop: Stop,
}

impl RemainingWork {
    fn is_any(&self) -> bool {
        self.runs > 0 && self.work > 0 && !self.stop.requested()
    }

    fn spend(&mut self, work: u64) {
        (self.runs, self.work) = (self.runs.saturating_sub(1), self.work.saturating_sub(work));
    }
}

/// Lists of calls, one for each unit test that makes calls which the targets of `test_env` can be made to do.
pub(super) fn examples(
    suite: &SuitePlan,
    test_env: &Arc<TestEnv>,
    context: &ProjectContext,
    unanswered: &[Unanswered],
    stop: &Stop,
) -> Vec<Vec<Example>> {
    let mut related = related(suite, test_env, context.project());
    related.iter_mut().for_each(|related| leave_out(related, unanswered));
    if related.is_empty() || test_env.targets.targets.is_empty() {
        return Vec::new();
    }
    let (context, config) = (context.apart(), harmless(&suite.config));
    let (mut tests, mut left) =
        (Vec::new(), RemainingWork { runs: MOST_TESTS, work: MOST_WORK, stop: stop.clone() });
    for related in &related {
        if !left.is_any() {
            break;
        }
        let is_own = related.id() == suite.suite.id();
        tests.extend(run(related, is_own, &context, &config, &mut left));
    }
    if tests.is_empty() {
        return Vec::new();
    }
    let translation = CallTranslator::new(test_env, stop);
    let translated = tests.iter().map(|test| translation.apply(test));
    translated.filter(|test| !test.is_empty()).collect()
}

/// Leaves out the tests of a suite that did not answer, and all of them where that was something else of it.
fn leave_out(suite: &mut Suite, unanswered: &[Unanswered]) {
    let id = suite.id().clone();
    for call in unanswered.iter().filter(|call| call.is_of(&id)) {
        let is_it = |test: &TestFunction| test.function.signature() == call.function;
        match suite.tests.iter().any(is_it) {
            true => suite.tests.retain(|test| !is_it(test)),
            false => suite.tests.clear(),
        }
    }
}

/// Suites with unit tests that may call what this one deploys, its own before others.
fn related(plan: &SuitePlan, test_env: &TestEnv, project: &Project) -> Vec<Suite> {
    let suite = &plan.suite;
    let deployed = test_env.identifiers.values().filter_map(|identifier| ContractId::parse(identifier));
    let deployed = deployed.filter(|id| !project.is_library(&id.path) && id != suite.id());
    let sources: BTreeSet<_> = deployed.map(|id| plan.config.paths.root.join(id.path)).collect();
    let mut related = project.suites();
    related.retain(|other| {
        other.fault.is_none()
            && !is_reproducer(other)
            && unit_tests(other).next().is_some()
            && (other.id() == suite.id() || project.is_affected(other, &sources))
    });
    related.sort_by_key(|other| other.id() != suite.id());
    related
}

fn unit_tests(suite: &Suite) -> impl Iterator<Item = &Arc<Function>> {
    let is_unit = |test: &&TestFunction| test.kind == FunctionKind::Unit && test.function.inputs.is_empty();
    suite.tests.iter().filter(is_unit).map(|test| &test.function)
}

/// The same without what reaches beyond the process: nobody asked for these tests.
fn harmless(config: &Config) -> Config {
    let mut config = config.clone();
    config.cheats.ffi = false;
    config.cheats.fs_permissions.clear();
    config.rpc.closed = true;
    config
}

/// Runs the unit tests of a suite and lists the calls of each, behind those of `setUp` unless the campaign's own made these.
fn run(
    suite: &Suite,
    is_own: bool,
    context: &ProjectContext,
    config: &Config,
    left: &mut RemainingWork,
) -> Vec<Vec<UnitTestCall>> {
    left.spend(0);
    let Ok(test_env) = TestEnv::build(context, config, suite) else { return Vec::new() };
    let mut before = CallCollector::new(test_env.test, config.env.block_timestamp, &test_env.abis);
    test_env.traces.iter().for_each(|(_, trace)| before.add(trace));
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
        let call = Transaction::plain(test_env.env.sender, test_env.test, &test, Vec::new());
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

/// An executor that ends early once it is to stop.
fn executor(test_env: &Arc<TestEnv>, stop: &Stop) -> EvmExecutor {
    let (mut executor, stop) = (EvmExecutor::new(test_env.clone()), stop.clone());
    executor.begin_replays(Arc::new(move || stop.requested()));
    executor
}

/// Runs one call: its work and its traces.
fn replay(executor: &mut EvmExecutor, call: Transaction) -> (u64, Vec<Trace>) {
    let replay = executor.replay(&vec![call], &Checks::at_the_end(Vec::new()));
    (replay.observation.work.plain, replay.traces)
}

/// Calls in the order in which they were made.
#[derive(Clone)]
struct CallCollector<'a> {
    /// The test contract, which makes them.
    test: Address,
    known: &'a Abis,
    /// The time now, and that of the call before.
    now: U256,
    then: U256,
    made: Vec<UnitTestCall>,
}

impl<'a> CallCollector<'a> {
    fn new(test: Address, now: U256, known: &'a Abis) -> Self {
        Self { test, known, now, then: now, made: Vec::new() }
    }

    /// Adds the calls that the test contract itself makes to others and that succeed.
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
        let Some(function) = selector(frame).and_then(|selector| self.known.function(selector)) else {
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
            value: frame.message.value,
            warp,
        });
    }
}

fn selector(frame: &Frame) -> Option<Selector> {
    frame.message.input.get(..4).map(Selector::from_slice)
}

/// The time that a call of `vm.warp` sets.
fn warped(frame: &Frame) -> Option<U256> {
    let is_warp = frame.builtin && selector(frame) == Some(WARP);
    is_warp.then(|| frame.message.input.get(4..36)).flatten().map(U256::from_be_slice)
}

/// A function of a target.
type TargetCall = (Address, Arc<TargetFunction>);

/// What the targets can be made to do.
struct CallTranslator {
    /// By selector: functions that are called so, and functions that call so.
    same: FxHashMap<Selector, Vec<TargetCall>>,
    callers: FxHashMap<Selector, Vec<TargetCall>>,
    /// By their name in lower case.
    named: Vec<(String, TargetCall)>,
}

impl CallTranslator {
    fn new(test_env: &Arc<TestEnv>, stop: &Stop) -> Self {
        let (mut executor, mut left) = (executor(test_env, stop), MOST_WORK);
        let mut translation =
            Self { same: FxHashMap::default(), callers: FxHashMap::default(), named: Vec::new() };
        let sender = test_env.targets.senders.first().copied().unwrap_or(test_env.env.sender);
        for target in &test_env.targets.targets {
            for function in target.functions.iter().filter(|function| function.types().is_some()) {
                let entry = (target.address, function.clone());
                translation.same.entry(function.selector()).or_default().push(entry.clone());
                if left > 0 && !stop.requested() {
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

/// Selectors of what a target calls in a call of it, `vm.warp` among them.
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
