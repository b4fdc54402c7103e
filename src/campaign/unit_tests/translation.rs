//! Translator of the calls of unit tests to functions of a suite's targets.

use super::{
    CancellationToken, LEAST_NAME, MOST_CALLERS, MOST_WORK, UnitTestCall, WARP,
    collector::{selector, warped},
    executor, replay,
};
use crate::{
    engine::{Example, zero},
    evm::exec::test_env::TestEnv,
    model::{Frame, FrameKind, TargetFunction, Trace, Transaction},
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, Selector, U256};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Function of a target.
type TargetCall = (Address, Arc<TargetFunction>);

/// Translator of calls to functions of the targets.
pub(super) struct CallTranslator {
    /// Functions with a selector, and functions that make calls with it.
    same: FxHashMap<Selector, Vec<TargetCall>>,
    callers: FxHashMap<Selector, Vec<TargetCall>>,
    /// Functions with their names in lower case.
    named: Vec<(String, TargetCall)>,
}

impl CallTranslator {
    pub(super) fn new(test_env: &Arc<TestEnv>, stop: &CancellationToken) -> Self {
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

    pub(super) fn apply(&self, calls: &[UnitTestCall]) -> Vec<Example> {
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
