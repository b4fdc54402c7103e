//! Collector of the calls and deployments that unit tests make.

use super::{MOST_BYTES, MOST_CALLS, UnitTestCall, WARP};
use crate::{
    config::Config,
    evm::exec::test_env::{NameTable, TestEnv},
    model::{ContractId, Deployment, Frame, FrameKind, Input, TargetFunction, Trace},
    project::Project,
};
use alloy_json_abi::Function;
use alloy_primitives::{Address, Selector, U256};
use std::sync::Arc;

/// Collector of calls, in the order in which they were made.
#[derive(Clone)]
pub(super) struct CallCollector<'a> {
    /// Test contract that makes the calls.
    test: Address,
    names: &'a NameTable,
    /// Current time, and time of the previous call, in seconds.
    now: U256,
    then: U256,
    pub(super) made: Vec<UnitTestCall>,
}

impl<'a> CallCollector<'a> {
    pub(super) fn new(test_env: &'a TestEnv, config: &Config) -> Self {
        let now = config.env.block_timestamp;
        Self { test: test_env.suite.test, names: &test_env.names, now, then: now, made: Vec::new() }
    }

    /// Adds the calls of the test contract itself to other contracts that succeed.
    pub(super) fn add(&mut self, trace: &Trace) {
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
            target: frame.message.address,
            function,
            args: Arc::unwrap_or_clone(args),
            sender: frame.message.caller,
            label: self.names.labels.get(&frame.message.caller).cloned(),
            value: frame.message.value,
            warp,
        });
    }
}

pub(super) fn selector(frame: &Frame) -> Option<Selector> {
    frame.message.input.get(..4).map(Selector::from_slice)
}

/// Returns the time that a call of `vm.warp` sets, in seconds; `None` for other calls.
pub(super) fn warped(frame: &Frame) -> Option<U256> {
    let is_warp = frame.builtin && selector(frame) == Some(WARP);
    is_warp.then(|| frame.message.input.get(4..36)).flatten().map(U256::from_be_slice)
}

/// Returns the contracts of the project that a suite deploys before its tests, in order.
pub(super) fn deployments(test_env: &TestEnv, project: &Project) -> Vec<Deployment> {
    let frames = test_env.setup.traces.iter().flat_map(|(_, trace)| &trace.frames);
    let made = frames.filter_map(|frame| deployment(frame, &test_env.names, project));
    made.filter(|made| made.address != test_env.suite.test).collect()
}

/// Returns the contract of the project that a frame creates.
fn deployment(frame: &Frame, names: &NameTable, project: &Project) -> Option<Deployment> {
    let is_creation = matches!(frame.kind, FrameKind::Create | FrameKind::Create2);
    if !is_creation || !frame.result.status.is_success() {
        return None;
    }
    let address = frame.message.address;
    let contract = ContractId::parse(names.identifiers.get(&address)?)?;
    let code = project.contract(&contract)?.creation_code()?.len();
    let args = frame.message.input.get(code..)?.to_vec().into();
    Some(Deployment { contract, address, args, value: frame.message.value })
}
