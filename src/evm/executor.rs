//! Runs sequences from the state after `setUp` and evaluates properties on them.
//!
//! A call that reverts leaves nothing behind but its time and block advance, so whatever is found here
//! obeys Forge's replay rules (it commits no reverted call when it replays a persisted failure).

use super::{
    cheats::Cheats,
    constants::{ASSUME_MAGIC, CALLER, FAILED_SLOT, VM_ADDRESS},
    facts::Facts,
    failure::Failure,
    machine::{CallOutput, Machine, Surroundings, TopCall},
    prefixes::{Prefix, Prefixes},
    probe::{CodePlace, StrayWrite},
    recall::{Recall, Said},
    session::Session,
    stage::{Stage, TestRule},
    tracer::Tracer,
    track::{Codes, Novelty},
};
use crate::model::{
    AssertionFailure, AssertionKind, Broken, Created, EdgeId, Executor, Footprint, Gas, Observation, Outcome,
    PathId, Probing, PropertyKind, PropertyRun, Sequence, Site, Step, TargetFunction, Trace, Transaction,
    Verdict, executor::Checks,
};
use alloy_dyn_abi::{DynSolValue, FunctionExt};
use alloy_json_abi::Function;
use alloy_primitives::{Address, B256, Bytes, I256, U256};
use rustc_hash::FxHashMap;
use std::{mem, rc::Rc, sync::Arc};

/// What Forge says when nothing but the failure flag tells of it.
const FLAGGED: &str = "assertion failed";

/// Stands for `afterInvariant` among the properties.
const AFTER_INVARIANT: usize = usize::MAX;

/// At most so many words of one step are offered to the dictionary.
const WORDS_PER_STEP: usize = 64;
/// Most gas of a transaction on storage that was tampered with. A length that no program would write can make a loop
/// of a billion gas, and nothing such a run shows is a finding.
const TAMPERED_GAS: u64 = 30_000_000;

/// Executes on one thread.
pub struct EvmExecutor {
    machine: Machine,
    stage: Arc<Stage>,
    unsupported: Option<String>,
    /// Log lines of all calls, while a replay records them.
    logs: Option<Vec<String>>,
    /// Top-level transactions run.
    executions: u64,
    /// Where assertions stand, by code, place and callers: looked up once.
    sites: FxHashMap<(B256, usize, Vec<usize>), Site>,
    novelty: Novelty,
    prefixes: Prefixes,
    recall: Recall,
    /// Kept for its memory.
    facts: Facts,
    /// Whether what was run before is not run again.
    reuse: bool,
}

/// What the pending transaction recorded.
struct Seen {
    path: PathId,
    edges: Vec<EdgeId>,
    footprint: Option<Arc<Footprint>>,
}

/// How a call of a sequence ended.
struct End {
    outcome: Outcome,
    assertion: Option<AssertionFailure>,
    reason: Option<String>,
}

/// Cheatcode state and environment, to go back to.
struct Saved {
    cheats: Cheats,
    surroundings: Surroundings,
}

/// A call of a property or of `afterInvariant`, on a state that is thrown away.
#[derive(Clone, Debug)]
pub struct PropertyCall {
    /// What it said.
    pub verdict: Verdict,
    /// Gas used.
    pub gas: Gas,
}

/// A sequence run with everything recorded.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// What it showed.
    pub observation: Observation,
    /// One trace per call, then those of the property and of `afterInvariant`; not yet decoded.
    pub traces: Vec<Trace>,
    /// Log lines of the calls and of the property.
    pub logs: Vec<String>,
}

impl EvmExecutor {
    /// An executor over the state that `stage` holds.
    #[must_use]
    pub fn new(stage: Arc<Stage>) -> Self {
        let session = Session::new(stage.cheats.clone());
        let mut machine = Machine::new(stage.world.clone(), &stage.env, session);
        machine.surround(&stage.surroundings);
        let probe = &mut machine.vm.ctx.chain;
        probe.codes = Codes::of(stage.project.clone());
        probe.track.images = stage.images.clone();
        Self {
            machine,
            stage,
            unsupported: None,
            logs: None,
            executions: 0,
            sites: FxHashMap::default(),
            novelty: Novelty::default(),
            prefixes: Prefixes::default(),
            recall: Recall::default(),
            facts: Facts::default(),
            reuse: false,
        }
    }

    /// Runs end early, in the middle of a call if need be, once `requested` says so; never, without one.
    pub fn halt_when(&mut self, requested: Option<Rc<dyn Fn() -> bool>>) {
        self.machine.vm.ctx.chain.halt.requested = requested;
    }

    /// Whether what was run before is not run again, in runs that are tracked.
    pub fn reuse(&mut self, on: bool) {
        self.reuse = on;
    }

    pub(crate) fn reset(&mut self) {
        self.machine.vm.ctx.chain.halt.in_call = false;
        self.machine.begin_over(None);
        self.machine.surround(&self.stage.surroundings);
        self.machine.session().cheats = self.stage.cheats.clone();
    }

    fn save(&mut self) -> Saved {
        Saved { surroundings: self.machine.surroundings(), cheats: self.machine.session().cheats.clone() }
    }

    fn undo(&mut self, saved: Saved) {
        self.machine.discard();
        self.machine.surround(&saved.surroundings);
        self.machine.session().cheats = saved.cheats;
    }

    /// All top-level transactions run so far: calls of sequences, properties and whatever else was asked.
    #[must_use]
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// One top-level call, still pending.
    fn call(&mut self, call: &TopCall) -> CallOutput {
        self.executions += 1;
        let output = self.machine.transact(call);
        if let Some(unsupported) = &self.machine.session().cheats.unsupported {
            self.unsupported = Some(unsupported.clone());
        }
        if let Some(logs) = &mut self.logs {
            logs.append(&mut self.machine.session().cheats.take_logs());
        }
        output
    }

    fn failed_flag(&mut self) -> bool {
        self.machine.session().cheats.failed_before_restore()
            || !self.machine.storage(VM_ADDRESS, FAILED_SLOT).is_zero()
    }

    fn step(
        &mut self,
        tx: &Transaction,
        index: usize,
        checks: &Checks,
        observation: &mut Observation,
    ) -> Step {
        // A view that only we call leaves nothing behind, not even its time.
        let before = tx.is_only_ours().then(|| self.save());
        let block = &mut self.machine.vm.ctx.block;
        let time = (block.timestamp, block.number);
        block.timestamp = block.timestamp.saturating_add(tx.warp);
        block.number = block.number.saturating_add(tx.roll);
        let saved = self.save();
        let data = tx.input.calldata();
        let call = TopCall { caller: tx.sender, to: Some(tx.target), value: tx.value, data };
        let output = self.call(&call);
        let End { outcome, assertion, reason } = self.end(&output, checks, observation);
        let kept = outcome == Outcome::Success && before.is_none();
        let seen = self.seen(kept);
        // A test may well choose a slot itself, and says what it holds for wrong.
        let searched = outcome == Outcome::Success && self.stage.test_rule.is_none();
        let step = Step {
            outcome,
            path: seen.path,
            edges: seen.edges,
            footprint: seen.footprint,
            out_of_gas: output.is_out_of_gas(),
            words: self.words(&output),
            reason,
            gas: output.gas,
            output: output.output,
            arbitrary_write: if searched { self.arbitrary_write() } else { None },
            assertion,
        };
        match before {
            Some(before) => self.undo(before),
            None if outcome == Outcome::Success => {
                self.machine.commit();
                self.note_created(index, observation);
            }
            None => self.undo(saved),
        }
        if outcome == Outcome::Discard {
            // As if it had never been made; a revert keeps its time, as in Forge's replay.
            let block = &mut self.machine.vm.ctx.block;
            (block.timestamp, block.number) = time;
        }
        step
    }

    /// How the pending call ended.
    fn end(&mut self, output: &CallOutput, checks: &Checks, observation: &mut Observation) -> End {
        if !output.is_success() && output.output.as_ref() == ASSUME_MAGIC {
            return End { outcome: Outcome::Discard, assertion: None, reason: None };
        }
        if let Some(rule) = self.stage.test_rule {
            observation.skipped = output.skip_reason();
            let reason = self.test_failure(output, rule).filter(|_| observation.skipped.is_none());
            let success = output.is_success() && reason.is_none();
            let outcome = if success { Outcome::Success } else { Outcome::Revert };
            return End { outcome, assertion: None, reason };
        }
        let assertion = self.assertion(output);
        let success = output.is_success() && assertion.is_none();
        let outcome = if success { Outcome::Success } else { Outcome::Revert };
        let explained = checks.fail_on_revert && !success && assertion.is_none();
        End { outcome, reason: explained.then(|| self.reason(output)), assertion }
    }

    /// Why the pending call of a test failed, if it did; empty where nothing but the failure flag tells of it.
    fn test_failure(&mut self, output: &CallOutput, rule: TestRule) -> Option<String> {
        let reverter = self.machine.vm.inspector.failures.reverter();
        let foreign = reverter.is_some_and(|reverter| reverter != self.stage.test && reverter != VM_ADDRESS);
        match output.is_success() {
            _ if foreign && !rule.any_revert => None,
            true => self.failed_flag().then(String::new),
            false => Some(self.reason(output)),
        }
    }

    /// What the pending transaction recorded; `kept` tells whether what it wrote will stay.
    fn seen(&mut self, kept: bool) -> Seen {
        let probe = &self.machine.vm.ctx.chain;
        let path = probe.path();
        let edges = self.novelty.of(path, probe.edges());
        Seen { path, edges, footprint: self.machine.footprint(kept).map(Arc::new) }
    }

    fn reason(&self, output: &CallOutput) -> String {
        self.machine.reason(&self.stage.abis, output)
    }

    /// The assertion that this pending call failed, if any (Forge's handler assertion failures, and
    /// those with custom messages that Forge misses). The failure flag outlives the call whether it reverts or
    /// not.
    fn assertion(&mut self, output: &CallOutput) -> Option<AssertionFailure> {
        let failure = self.stage.assertions.of(&self.machine.vm.inspector.failures, output.is_success());
        if let Some(failure) = failure.cloned() {
            let reason = self.reason(&CallOutput { output: failure.output.clone(), ..output.clone() });
            let site = self.failure_site(&failure);
            return Some(AssertionFailure { kind: failure.kind, site, reason, written: None });
        }
        if !self.failed_flag() {
            return None;
        }
        let place = self.machine.vm.ctx.chain.last_cheat.clone();
        let callers = self.machine.vm.ctx.chain.return_addresses.clone();
        let reason = FLAGGED.to_owned();
        let site = self.site(&place, &callers);
        Some(AssertionFailure { kind: AssertionKind::FailFlag, site, reason, written: None })
    }

    /// The write to the probe slot in this pending call, if there was one.
    fn arbitrary_write(&mut self) -> Option<AssertionFailure> {
        let StrayWrite { account, place, .. } = self.machine.vm.ctx.chain.stray_write.take()?;
        let site = self.site(&place, &[]);
        let reason = "a call can write to any slot of storage (SWC-124)".to_owned();
        Some(AssertionFailure { kind: AssertionKind::ArbitraryWrite, site, reason, written: Some(account) })
    }

    fn site(&mut self, place: &CodePlace, callers: &[usize]) -> Site {
        let key = (place.code, place.pc, callers.to_vec());
        if let Some(site) = self.sites.get(&key) {
            return site.clone();
        }
        let code = self.machine.code(place.address);
        let site = self.stage.site(&code, place, callers);
        self.sites.insert(key, site.clone());
        site
    }

    fn failure_site(&mut self, failure: &Failure) -> Site {
        match &failure.init_code {
            Some(init) => self.stage.creation_site(init, failure.place.pc),
            None => self.site(&failure.place, &failure.callers),
        }
    }

    fn words(&mut self, output: &CallOutput) -> Vec<U256> {
        let mut words: Vec<U256> = self.machine.vm.ctx.chain.words.drain(..).collect();
        if output.is_success() {
            words.extend(whole_words(&output.output));
        }
        for log in &self.machine.session().logs {
            words.extend(log.topics().iter().skip(1).map(|topic| U256::from_be_bytes(topic.0)));
            words.extend(whole_words(&log.data.data));
        }
        words.truncate(WORDS_PER_STEP);
        words
    }

    fn note_created(&mut self, step: usize, observation: &mut Observation) {
        if !self.stage.targets.dynamic || self.machine.session().created.is_empty() {
            return;
        }
        for address in mem::take(&mut self.machine.session().created) {
            let code = self.machine.code(address);
            if let Some(target) = self.stage.dynamic_target(&code) {
                let (identifier, functions) = target;
                observation.created.push(Created { step, address, identifier, functions });
            }
        }
    }

    /// Calls a function of the test contract from `CALLER` on a state that is thrown away.
    pub fn property_call(&mut self, function: &TargetFunction, kind: PropertyKind) -> PropertyCall {
        self.evaluate(function, kind).0
    }

    /// As [`Self::property_call`]; `name` tells the function from others.
    fn said(&mut self, name: usize, function: &TargetFunction, kind: PropertyKind) -> (PropertyCall, Seen) {
        let quiet = self.reuse && self.machine.session().cheats.are_quiet(&self.stage.cheats);
        if !quiet || self.failed_flag() {
            return self.evaluate(function, kind);
        }
        let call = (name, self.machine.vm.ctx.chain.track.is_on());
        let said = self.recall.ask(call, |fact| fact.value(&self.machine.vm.ctx));
        if let Some(said) = said.filter(|said| self.machine.has_gas_for(said.gas)) {
            let Said { verdict, gas, path, footprint } = said.clone();
            return (PropertyCall { verdict, gas }, Seen { path, edges: Vec::new(), footprint });
        }
        self.facts.clear();
        self.machine.vm.ctx.chain.facts = Some(mem::take(&mut self.facts));
        let (said, seen) = self.evaluate(function, kind);
        self.facts = self.machine.vm.ctx.chain.facts.take().unwrap_or_default();
        let is_good = matches!(said.verdict, Verdict::Holds | Verdict::Value(_));
        if is_good
            && !self.is_halted()
            && self.machine.has_gas_for(said.gas)
            && let Some(facts) = self.facts.complete()
        {
            let PropertyCall { verdict, gas } = said.clone();
            let Seen { path, footprint, .. } = &seen;
            self.recall.learn(call, facts, Said { verdict, gas, path: *path, footprint: footprint.clone() });
        }
        (said, seen)
    }

    fn evaluate(&mut self, function: &TargetFunction, kind: PropertyKind) -> (PropertyCall, Seen) {
        let saved = self.save();
        let data = Bytes::copy_from_slice(function.selector().as_slice());
        let call = TopCall { caller: CALLER, to: Some(self.stage.test), value: U256::ZERO, data };
        let output = self.call(&call);
        let verdict = self.verdict(&output, function, kind);
        let seen = self.seen(output.is_success());
        self.undo(saved);
        (PropertyCall { verdict, gas: output.gas }, seen)
    }

    fn verdict(&mut self, output: &CallOutput, function: &Function, kind: PropertyKind) -> Verdict {
        if let Some(reason) = output.skip_reason() {
            return Verdict::Skipped(reason);
        }
        if !output.is_success() {
            return Verdict::Broken(self.reason(output));
        }
        if self.failed_flag() {
            return Verdict::Broken(FLAGGED.to_owned());
        }
        match kind {
            PropertyKind::Invariant | PropertyKind::Test => Verdict::Holds,
            PropertyKind::Optimization => {
                returned_int(function, &output.output).map_or(Verdict::Holds, Verdict::Value)
            }
        }
    }

    /// Runs a call and undoes it, cheatcode state and block included.
    pub(crate) fn throw_away(&mut self, call: &TopCall) -> CallOutput {
        let saved = self.save();
        let output = self.call(call);
        self.undo(saved);
        output
    }

    /// Address of the test contract.
    pub(crate) fn test(&self) -> Address {
        self.stage.test
    }

    /// The unsupported cheatcode that was called since the last time this was asked.
    pub fn take_unsupported(&mut self) -> Option<String> {
        self.unsupported.take()
    }

    /// Evaluates the properties that `checks` names, into `observation`.
    fn check(&mut self, checks: &Checks, observation: &mut Observation) {
        let stage = self.stage.clone();
        for &index in &checks.properties {
            let property = &stage.properties[index];
            if property.kind == PropertyKind::Test {
                // The calls themselves tell.
                continue;
            }
            let (call, seen) = self.said(index, &property.function, property.kind);
            observation.properties.push(PropertyRun {
                property: index,
                step: observation.steps.len().saturating_sub(1),
                path: seen.path,
                edges: seen.edges,
                footprint: seen.footprint,
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
        let stage = self.stage.clone();
        let Some(function) = &stage.after_invariant else { return };
        let (call, _) = self.said(AFTER_INVARIANT, function, PropertyKind::Invariant);
        if let Verdict::Broken(reason) = call.verdict {
            observation.broken = self.broken_all(checks, &reason, true);
        }
    }

    fn run_with(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation {
        self.reset();
        self.machine.vm.ctx.chain.track.hashing = probing.track;
        if sequence.is_empty() {
            self.begin_probing(probing);
        }
        let observation = self.run_steps(sequence, checks, probing);
        self.machine.vm.ctx.chain.track.hashing = false;
        self.machine.track(false);
        self.machine.bound_gas(None);
        observation
    }

    /// What follows is the last transaction, and then the properties.
    fn begin_probing(&mut self, probing: &Probing) {
        for (slot, value) in &probing.state {
            self.machine.set_storage(*slot, *value);
        }
        self.machine.track(probing.track);
        if !probing.state.is_empty() {
            self.machine.bound_gas(Some(TAMPERED_GAS));
        }
    }

    fn run_steps(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation {
        let mut observation = Observation::default();
        self.run_on(sequence, checks, probing, &mut observation);
        if self.is_halted() {
            // What was ended may have been a property.
            observation.broken.clear();
            observation.best.clear();
        }
        observation
    }

    /// Whether a call of this run was ended before its time.
    fn is_halted(&self) -> bool {
        self.machine.vm.ctx.chain.halt.in_call
    }

    fn run_on(
        &mut self,
        sequence: &Sequence,
        checks: &Checks,
        probing: &Probing,
        observation: &mut Observation,
    ) {
        let shared = self.shared(sequence, checks, probing);
        let (resumed, mut counted) = self.resume(&sequence[..shared], observation);
        // The state after `setUp` was judged before the campaign, but for those who ask about it alone.
        let mut unchecked = sequence.is_empty();
        for (index, tx) in sequence.iter().enumerate().skip(resumed) {
            if self.machine.vm.ctx.chain.halt.is_requested() {
                return;
            }
            if index == shared && index > resumed {
                self.keep_prefix(counted, observation);
            }
            if index + 1 == sequence.len() {
                self.begin_probing(probing);
            }
            let step = self.step(tx, index, checks, observation);
            if self.is_halted() {
                observation.ended_in = Some(index);
                return;
            }
            let outcome = step.outcome;
            let counts = outcome != Outcome::Discard && !tx.is_only_ours();
            let ended = counts && step.reason.is_some();
            if let (Some(reason), true) = (&step.reason, ended) {
                observation.broken = self.broken_all(checks, reason, false);
            }
            observation.steps.push(step);
            if ended {
                return;
            }
            counted += u32::from(counts);
            if counts && outcome == Outcome::Success {
                let due = checks.interval != 0 && counted.is_multiple_of(checks.interval);
                if due && index >= checks.from {
                    self.check(checks, observation);
                }
                unchecked = !due && index >= checks.from;
            }
            if !observation.broken.is_empty() {
                return;
            }
            if counted >= checks.depth {
                break;
            }
        }
        if counted >= checks.depth || !checks.full_runs_only {
            self.end_run(checks, unchecked, observation);
        }
        observation.state = self.machine.digest();
    }

    /// How many calls of a sequence, of all but the last, are likely to be those of others too.
    fn shared(&self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> usize {
        // Where nothing is tracked, hashes are not remembered.
        let may_share = self.reuse && probing.track;
        if may_share { checks.from.min(sequence.len().saturating_sub(1)) } else { 0 }
    }

    /// Begins where some of these calls lead that were run before; returns how many, and how many of them count.
    fn resume(&mut self, shared: &[Transaction], observation: &mut Observation) -> (usize, u32) {
        let Some(prefix) = self.prefixes.longest(shared) else { return (0, 0) };
        self.machine.begin_over(prefix.layer.clone());
        self.machine.surround(&prefix.surroundings);
        self.machine.session().cheats.clone_from(&prefix.cheats);
        observation.steps.clone_from(&prefix.steps);
        observation.created.clone_from(&prefix.created);
        (prefix.steps.len(), prefix.counted)
    }

    /// Keeps the state as it is, for other sequences that begin like the one that runs.
    fn keep_prefix(&mut self, counted: u32, observation: &Observation) {
        let layer = self.machine.fold();
        let Saved { cheats, surroundings } = self.save();
        let known = |step: &Step| Step { edges: Vec::new(), ..step.clone() };
        let steps = observation.steps.iter().map(known).collect();
        let created = observation.created.clone();
        self.prefixes.keep(Prefix { layer, surroundings, cheats, steps, created, counted });
    }

    /// One reason that breaks all properties: a revert under `fail_on_revert`, a test, or `afterInvariant`. An
    /// optimization never fails.
    fn broken_all(&self, checks: &Checks, reason: &str, after_invariant: bool) -> Vec<Broken> {
        let can_fail =
            |property: &&usize| self.stage.properties[**property].kind != PropertyKind::Optimization;
        let broken = |&property| Broken { property, reason: reason.to_owned(), after_invariant };
        checks.properties.iter().filter(can_fail).map(broken).collect()
    }

    fn end_run(&mut self, checks: &Checks, unchecked: bool, observation: &mut Observation) {
        if unchecked {
            self.check(checks, observation);
        }
        if checks.after_invariant && observation.broken.is_empty() {
            self.check_after_invariant(checks, observation);
        }
    }

    /// Runs a sequence and then the properties, recording traces and logs.
    pub fn replay(&mut self, sequence: &Sequence, checks: &Checks) -> Replay {
        self.machine.session().tracer = Some(Tracer::default());
        self.machine.vm.ctx.chain.writes = Some(Vec::new());
        self.logs = Some(Vec::new());
        let reuse = mem::take(&mut self.reuse);
        let observation = self.run_with(
            sequence,
            &Checks { interval: 0, full_runs_only: false, ..checks.clone() },
            &Probing::default(),
        );
        self.reuse = reuse;
        self.machine.vm.ctx.chain.writes = None;
        let tracer = self.machine.session().tracer.take();
        let traces = tracer.map(|mut tracer| tracer.take()).unwrap_or_default();
        Replay { observation, traces, logs: self.logs.take().unwrap_or_default() }
    }
}

impl Executor for EvmExecutor {
    fn run(&mut self, sequence: &Sequence, checks: &Checks, probing: &Probing) -> Observation {
        let mut observation = self.run_with(sequence, checks, probing);
        observation.unsupported = self.unsupported.take();
        observation
    }
}

fn whole_words(data: &Bytes) -> impl Iterator<Item = U256> + '_ {
    data.chunks_exact(32).take(8).map(U256::from_be_slice)
}

fn returned_int(function: &Function, output: &Bytes) -> Option<I256> {
    match function.abi_decode_output(output).ok()?.first()? {
        DynSolValue::Int(value, _) => Some(*value),
        _ => None,
    }
}
