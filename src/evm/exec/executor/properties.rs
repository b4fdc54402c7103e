//! Evaluation of properties on the current state, which is left unchanged.

use super::{CallOf, EvmExecutor, SavedEnv, TransactionRecord};
use crate::{
    evm::{
        trace::{read_set::ReadScope, result_tree::ResultTree},
        vm::call::{CallOutput, TopCall},
    },
    model::{
        Broken, Footprint, Gas, NewCoverage, Observation, PathId, PropertyKind, PropertyRun, TargetFunction,
        Verdict, executor::Checks,
    },
};
use alloy_dyn_abi::{DynSolValue, FunctionExt};
use alloy_json_abi::Function;
use alloy_primitives::{Bytes, I256};
use alloy_sol_types::SolValue as _;
use std::sync::Arc;

/// Forge's reason for failures that are known only from the failure flag.
pub(super) const FLAGGED: &str = "assertion failed";

/// Index that stands for `afterInvariant` in the property cache.
const AFTER_INVARIANT: usize = usize::MAX;

/// Index of the property, true if its comparisons were traced, and a hash of the pranks that were on.
type PropertyInput = (usize, bool, u64);

/// Results of the properties on one thread, by what they read.
pub(super) type PropertyCache = ResultTree<PropertyInput, CachedEvaluation>;

/// Result of the evaluation of a property.
#[derive(Clone, Debug)]
pub(super) struct CachedEvaluation {
    verdict: Verdict,
    gas: Gas,
    path: PathId,
    footprint: Option<Arc<Footprint>>,
}

/// Result of a call of a property or of `afterInvariant`. Its changes are discarded.
#[derive(Clone, Debug)]
pub struct PropertyCall {
    /// Verdict of the property.
    pub verdict: Verdict,
    /// Gas used.
    pub gas: Gas,
}

impl PropertyCall {
    /// Tells whether the property did not fail and was not skipped.
    fn is_good(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::Value(_))
    }
}

impl EvmExecutor {
    /// Calls a function of the test contract from `CALLER`, and discards the changes.
    pub fn property_call(&mut self, function: &TargetFunction, kind: PropertyKind) -> PropertyCall {
        self.evaluate(function, kind).0
    }

    /// Evaluates a function as [`Self::property_call`] does, with the property cache. `name` identifies the function.
    fn said(
        &mut self,
        name: usize,
        function: &TargetFunction,
        kind: PropertyKind,
    ) -> (PropertyCall, TransactionRecord) {
        let is_recorded = self.evm.vm.ctx.chain.coverage.is_some();
        let quiet = self.caches.enabled && self.evm.inspector().cheats.are_quiet(&self.test_env.start.cheats);
        if !quiet || is_recorded || self.failed_flag() {
            if self.caches.enabled && !is_recorded && !self.run.tampered {
                self.caches.read_changes.note(name, None);
            }
            return self.evaluate(function, kind);
        }
        let pranks = self.evm.inspector().cheats.prank_digest();
        let call = (name, self.evm.vm.ctx.chain.cmplog.is_on(), pranks);
        let said = self.caches.properties.ask(&call, |fact| fact.value(&self.evm.vm.ctx));
        if let Some(said) = said.filter(|said| self.evm.has_gas_for(said.gas)) {
            let CachedEvaluation { verdict, gas, path, footprint } = said.clone();
            return (
                PropertyCall { verdict, gas },
                TransactionRecord { path, footprint, recalled: true, ..TransactionRecord::default() },
            );
        }
        let (said, seen) = self.evaluate_and_note(name, function, kind);
        let reads = self.evm.vm.ctx.chain.reads.outermost();
        if !self.run.tampered {
            self.caches.read_changes.note(name, reads.complete());
        }
        if said.is_good()
            && !self.evm.was_ended()
            && self.evm.has_gas_for(said.gas)
            && let Some(facts) = reads.complete()
        {
            let PropertyCall { verdict, gas } = said.clone();
            let TransactionRecord { path, footprint, .. } = &seen;
            let owned = footprint.as_ref().map_or(0, |footprint| footprint.size());
            let result = CachedEvaluation { verdict, gas, path: *path, footprint: footprint.clone() };
            self.caches.properties.learn(call, facts, result, owned);
        }
        (said, seen)
    }

    /// Evaluates a function, and records what it reads. Static calls in it are answered from the cache if nothing but
    /// their output is wanted of them.
    fn evaluate_and_note(
        &mut self,
        name: usize,
        function: &TargetFunction,
        kind: PropertyKind,
    ) -> (PropertyCall, TransactionRecord) {
        let name = CallOf::Property(name);
        let saved = self.save();
        if !self.is_followed() && !self.caches.needs_calls.contains(&name) {
            let vm = &mut self.evm.vm;
            vm.inspector.calls.begin(&mut vm.ctx, ReadScope::Transaction);
            let said = self.ask(function, kind);
            let vm = &mut self.evm.vm;
            let was_used = vm.inspector.calls.end(&mut vm.ctx);
            let needs_calls = vm.ctx.chain.reads.outermost().depends_on_calls();
            let is_over = self.evm.excess().is_some() || self.was_ended();
            // A failure is explained by the calls that led to it.
            if !was_used || is_over || said.0.is_good() && !needs_calls {
                return self.ended(said, saved);
            }
            if needs_calls {
                self.caches.needs_calls.insert(name);
            }
            self.undo(saved.clone());
        }
        self.evm.vm.ctx.chain.reads.begin(ReadScope::Transaction);
        let said = self.ask(function, kind);
        self.evm.vm.ctx.chain.reads.end();
        self.ended(said, saved)
    }

    /// Tells whether more of the next transaction is recorded than its path and its comparisons.
    pub(super) fn is_followed(&self) -> bool {
        let chain = &self.evm.vm.ctx.chain;
        chain.symbolic.is_some() || chain.taint.is_some() || chain.coverage.is_some()
    }

    fn evaluate(
        &mut self,
        function: &TargetFunction,
        kind: PropertyKind,
    ) -> (PropertyCall, TransactionRecord) {
        let saved = self.save();
        let said = self.ask(function, kind);
        self.ended(said, saved)
    }

    /// Calls a property, and tells whether the call succeeded. The changes stay pending.
    fn ask(&mut self, function: &TargetFunction, kind: PropertyKind) -> (PropertyCall, bool) {
        let data = Bytes::copy_from_slice(function.selector().as_slice());
        let output = self.call(&TopCall::ask(self.test_env.suite.test, data));
        let verdict = self.verdict(&output, function, kind);
        (PropertyCall { verdict, gas: output.gas }, output.is_success())
    }

    /// Ends the pending call of a property, whose changes are discarded.
    fn ended(
        &mut self,
        (said, is_success): (PropertyCall, bool),
        saved: SavedEnv,
    ) -> (PropertyCall, TransactionRecord) {
        let seen = self.seen(is_success, true);
        self.undo(saved);
        (said, seen)
    }

    fn verdict(&mut self, output: &CallOutput, function: &Function, kind: PropertyKind) -> Verdict {
        if let Some(reason) = self.evm.skip_reason(output) {
            return Verdict::Skipped(reason);
        }
        if !output.is_success() {
            return match kind {
                PropertyKind::Refusal => Verdict::Holds,
                _ => Verdict::Broken(self.reason(output)),
            };
        }
        if self.failed_flag() {
            return Verdict::Broken(FLAGGED.to_owned());
        }
        match kind {
            PropertyKind::Invariant | PropertyKind::Test | PropertyKind::Scan => Verdict::Holds,
            PropertyKind::Predicate if bool::abi_decode(&output.output) == Ok(true) => Verdict::Holds,
            PropertyKind::Predicate => Verdict::Broken("returned false".to_owned()),
            PropertyKind::Refusal => Verdict::Broken("did not revert".to_owned()),
            PropertyKind::Optimization => {
                returned_int(function, &output.output).map_or(Verdict::Holds, Verdict::Value)
            }
        }
    }

    /// Evaluates the properties that `checks` selects, and adds the results to `observation`.
    pub(super) fn check(&mut self, checks: &Checks, observation: &mut Observation) {
        let test_env = self.test_env.clone();
        for &index in &checks.properties {
            let property = &test_env.suite.properties[index];
            if matches!(property.kind, PropertyKind::Test | PropertyKind::Scan) {
                // The result of the call itself is the verdict.
                continue;
            }
            let (call, seen) = self.said(index, &property.function, property.kind);
            observation.properties.push(PropertyRun {
                property: index,
                step: observation.steps.len().saturating_sub(1),
                path: seen.path,
                new_coverage: NewCoverage { edges: seen.edges, values: seen.values },
                footprint: seen.footprint,
                recalled: seen.recalled,
                changed: self.caches.read_changes.may_have_changed(index),
            });
            match call.verdict {
                Verdict::Holds | Verdict::Skipped(_) => {}
                Verdict::Value(value) => {
                    observation.best.retain(|best| best.0 != index || best.1 >= value);
                    if !observation.best.iter().any(|best| best.0 == index) {
                        observation.best.push((index, value, observation.steps.len()));
                    }
                }
                Verdict::Broken(reason) => {
                    observation.broken.push(Broken { property: index, reason, after_invariant: false });
                }
            }
        }
    }

    fn check_after_invariant(&mut self, checks: &Checks, observation: &mut Observation) {
        let test_env = self.test_env.clone();
        let Some(function) = &test_env.suite.after_invariant else { return };
        let (call, _) = self.said(AFTER_INVARIANT, function, PropertyKind::Invariant);
        if let Verdict::Broken(reason) = call.verdict {
            observation.broken = self.broken_all(checks, &reason, true);
        }
    }

    /// Returns all properties as broken for one reason: a revert under `fail_on_revert`, a failed test, or
    /// `afterInvariant`. Optimization properties cannot break.
    pub(super) fn broken_all(&self, checks: &Checks, reason: &str, after_invariant: bool) -> Vec<Broken> {
        let can_fail =
            |property: &&usize| self.test_env.suite.properties[**property].kind != PropertyKind::Optimization;
        let broken = |&property| Broken { property, reason: reason.to_owned(), after_invariant };
        checks.properties.iter().filter(can_fail).map(broken).collect()
    }

    pub(super) fn end_run(&mut self, checks: &Checks, unchecked: bool, observation: &mut Observation) {
        if unchecked {
            self.check(checks, observation);
        }
        if checks.after_invariant && observation.broken.is_empty() {
            self.check_after_invariant(checks, observation);
        }
    }
}

fn returned_int(function: &Function, output: &Bytes) -> Option<I256> {
    match function.abi_decode_output(output).ok()?.first()? {
        DynSolValue::Int(value, _) => Some(*value),
        _ => None,
    }
}
