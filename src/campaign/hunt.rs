//! The campaign of one group of properties: ask, run, judge, tell, until the budget is spent.
//!
//! Nothing found ends it: a broken property is set aside and the others go on, and a failed assertion
//! is a finding of its own.

use super::{
    Plan, Stop, SuitePlan,
    budget::Budget,
    judge::{Claim, Confirmed, Judge, replay},
    keeper::{Keeper, Origin, Persisted},
    plan::Group,
    store::{forge::Shows, own::Failed},
    tally::Tally,
    verdict::{failed, no_figures},
};
use crate::{
    config::Config,
    engine::{Candidate, Engine},
    evm::{executor::EvmExecutor, stage::Stage},
    model::{
        Broken, Event, Executor, Finding, Observation, Probing, Property, Sequence, Stats, Status, TestKind,
        TestReport, TraceKind, Verdict, executor::Checks,
    },
    oracle,
    project::Project,
};
use alloy_primitives::{Address, I256};
use rustc_hash::FxHashMap;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// How often progress is told.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Failures of one property that do not show again after which it is not judged any more.
const MOST_TRIES: u32 = 3;

/// What a group's campaign ends with.
pub(super) struct GroupOutcome {
    pub(super) tests: Vec<TestReport>,
    pub(super) findings: Vec<Finding>,
    pub(super) warnings: Vec<String>,
    pub(super) stats: Stats,
}

/// The best value of an optimization so far.
struct Best {
    value: I256,
    sequence: Sequence,
    observation: Observation,
}

/// What the groups of a suite share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share<'a> {
    /// What ends them all.
    pub(super) stop: &'a Stop,
    /// When the suite's first campaign began: its time bounds them all.
    pub(super) start: Instant,
    /// Whether this is the first group, which replays the persisted assertions.
    pub(super) first: bool,
}

/// One campaign.
pub(super) struct Hunt<'a> {
    config: Arc<Config>,
    plan: &'a Plan,
    project: &'a Project,
    stage: Arc<Stage>,
    judge: Judge<'a>,
    keeper: Keeper<'a>,
    executor: EvmExecutor,
    /// Properties still to break: indices into the stage's.
    alive: Vec<usize>,
    reports: BTreeMap<usize, TestReport>,
    findings: Vec<Finding>,
    seen: BTreeSet<oracle::Key>,
    best: FxHashMap<usize, Best>,
    /// Values of optimizations on the state after `setUp`.
    at_start: FxHashMap<usize, I256>,
    tally: Tally,
    share: Share<'a>,
    budget: Budget,
    warnings: Vec<String>,
    last: Option<Candidate>,
    /// How often each property failed in the search and not when it was judged.
    unconfirmed: FxHashMap<usize, u32>,
    unconfirmed_assertions: BTreeMap<oracle::Key, u32>,
    /// Functions that ran out of gas: contract and signature.
    exhausting: BTreeSet<(String, String)>,
    started: Instant,
}

impl<'a> Hunt<'a> {
    pub(super) fn new(
        share: Share<'a>,
        suite: &'a SuitePlan,
        group: &'a Group,
        plan: &'a Plan,
        project: &'a Project,
        stage: Arc<Stage>,
        redeploy: &'a dyn Fn() -> Option<Arc<Stage>>,
    ) -> Self {
        let stop = share.stop;
        let config = group.config.clone();
        let invariant = &config.invariant;
        let budget = Budget::new(share.start, invariant, config.harvey.plateau);
        Self {
            plan,
            project,
            judge: Judge {
                halt: budget.halt(stop),
                redeploy,
                shrink_limit: invariant.shrink_run_limit,
                depth: invariant.depth,
            },
            keeper: Keeper::new(&plan.options, suite.suite.id(), config.clone(), stage.clone()),
            executor: EvmExecutor::new(stage.clone()),
            alive: group.properties.clone(),
            reports: BTreeMap::new(),
            findings: Vec::new(),
            seen: BTreeSet::new(),
            best: FxHashMap::default(),
            at_start: FxHashMap::default(),
            tally: Tally::default(),
            share,
            budget,
            warnings: Vec::new(),
            last: None,
            unconfirmed: FxHashMap::default(),
            unconfirmed_assertions: BTreeMap::new(),
            exhausting: BTreeSet::new(),
            started: Instant::now(),
            config,
            stage,
        }
    }

    pub(super) fn run(&mut self, emit: &mut dyn FnMut(Event)) {
        emit(Event::SuiteStarted {
            suite: self.stage.id.clone(),
            properties: self.alive.len(),
            budget: self.budget.calls(),
        });
        self.probe();
        self.replay_persisted(emit);
        let skipped = self.reports.values().filter(|report| report.status == Status::Skipped).count();
        let all_skipped = self.alive.is_empty() && skipped > 0 && skipped == self.reports.len();
        if !all_skipped && !self.stage.targets.targets.is_empty() {
            self.search(emit);
        }
        self.warnings.extend(self.keeper.lend_files(&mut self.findings, &self.alive));
    }

    /// Asks every property once on the state after `setUp`: some skip, some are broken already.
    fn probe(&mut self) {
        for index in self.alive.clone() {
            let property = self.stage.properties[index].clone();
            let signature = property.function.signature();
            if !property.function.inputs.is_empty() {
                let reason = "failed to set up invariant testing environment: \
                              Invariant test function should have no inputs";
                self.set_aside(index, failed(&signature, reason.to_owned()));
                continue;
            }
            match self.executor.property_call(&property.function, property.kind).verdict {
                Verdict::Skipped(reason) => {
                    let kind = TestKind::Invariant {
                        runs: 1,
                        calls: 1,
                        reverts: 1,
                        metrics: BTreeMap::new(),
                        best: None,
                    };
                    let skipped = failed(&signature, String::new());
                    self.set_aside(index, TestReport { status: Status::Skipped, reason, kind, ..skipped });
                }
                _ if self.stage.targets_fault.is_some() => {}
                Verdict::Holds => {}
                Verdict::Value(value) => {
                    // As in Forge it counts only where no call gives a value.
                    self.at_start.insert(index, value);
                }
                Verdict::Broken(reason) => self.broken_at_start(index, &property, &reason),
            }
            if let Some(unsupported) = self.executor.take_unsupported() {
                self.set_aside(index, failed(&signature, unsupported));
            }
        }
        if let Some(reason) = self.stage.targets_fault.clone() {
            self.fail_all(&reason);
        }
    }

    fn broken_at_start(&mut self, index: usize, property: &Property, reason: &str) {
        let reason = format!("failed to set up invariant testing environment: {reason}");
        let claim = Claim::Broken { property: index, by_revert: false, after_invariant: false };
        let mut report = failed(&property.function.signature(), reason);
        if let Some(confirmed) = replay(&self.stage, &Sequence::new(), &claim) {
            report.traces = confirmed.traces;
            report.logs = confirmed.logs;
        }
        report.kind = no_figures();
        self.set_aside(index, report);
    }

    fn set_aside(&mut self, index: usize, mut report: TestReport) {
        self.alive.retain(|alive| *alive != index);
        if matches!(report.kind, TestKind::Unit { .. }) {
            report.kind = no_figures();
        }
        report.duration = self.started.elapsed();
        self.reports.insert(index, report);
    }

    /// Failures of earlier runs come first, ours and Forge's.
    fn replay_persisted(&mut self, emit: &mut dyn FnMut(Event)) {
        let (persisted, warnings) = self.keeper.load(&self.alive, self.share.first);
        self.warnings.extend(warnings);
        for Persisted { mut sequence, origin } in persisted {
            // A failed assertion of ours needs no depth; what Forge replays is cut as Forge cuts it.
            let depth = match origin {
                Origin::Own(Failed::Assertion { .. }) => usize::MAX,
                _ => self.config.invariant.depth as usize,
            };
            let whole = sequence.len() <= depth;
            sequence.truncate(depth);
            let observation = self.executor.run(
                &sequence,
                &Checks { depth: u32::MAX, ..self.replay_checks() },
                &Probing::default(),
            );
            self.tally.executions += observation.executions;
            let known = self.failures();
            self.judge(&sequence, &observation, true, emit);
            let shows = self.failures() > known;
            let still_fails = !whole || self.still_fails(&origin);
            self.warnings.extend(self.keeper.replayed(&origin, shows, still_fails));
        }
    }

    /// Whether what our store says failed is known to fail now, by whatever sequence.
    fn still_fails(&self, origin: &Origin) -> bool {
        match origin {
            Origin::Own(Failed::Invariant(name)) => self.reports.iter().any(|(index, report)| {
                report.status == Status::Failure && self.stage.properties[*index].function.name == *name
            }),
            Origin::Own(Failed::Assertion { id, .. }) => {
                self.findings.iter().any(|finding| finding.id == *id)
            }
            Origin::Forge(_) => true,
        }
    }

    fn checks(&self) -> Checks {
        Checks {
            properties: self.alive.clone(),
            interval: self.config.invariant.check_interval,
            fail_on_revert: self.config.invariant.fail_on_revert,
            after_invariant: self.stage.after_invariant.is_some(),
            depth: self.config.invariant.depth,
            full_runs_only: true,
            from: 0,
        }
    }

    /// As Forge replays: properties at the end only, `afterInvariant` behind them.
    fn replay_checks(&self) -> Checks {
        Checks { interval: 0, full_runs_only: false, ..self.checks() }
    }

    fn search(&mut self, emit: &mut dyn FnMut(Event)) {
        let mut engine = Engine::new(self.keeper.engine_init(self.project.literals(), &mut self.executor));
        let depth = self.config.invariant.depth;
        let halt = self.budget.halt(self.share.stop);
        self.executor.halt_when(Box::new(move || halt.requested()));
        let mut told = Instant::now();
        let mut checks = self.checks();
        while !self.share.stop.requested() && !self.budget.is_spent(self.tally.calls, self.tally.stale) {
            let candidate: Candidate = engine.ask();
            if candidate.sequence().is_empty() {
                break;
            }
            checks.from = candidate.from();
            let observation = self.executor.run(candidate.sequence(), &checks, candidate.probing());
            if candidate.is_aggressive() {
                self.tally.add_aggressive(&observation);
                engine.tell(&candidate, &observation);
                continue;
            }
            self.tally.add(&self.stage, candidate.sequence(), &observation, depth);
            self.warn_of_exhaustion(candidate.sequence(), &observation);
            if self.is_notable(candidate.sequence(), &observation) {
                self.judge(candidate.sequence(), &observation, false, emit);
                checks = self.checks();
            }
            if self.gives_up(&observation) {
                break;
            }
            engine.tell(&candidate, &observation);
            self.last = Some(candidate);
            if told.elapsed() >= PROGRESS_INTERVAL {
                told = Instant::now();
                emit(self.progress(None));
            }
        }
        emit(self.progress(None));
    }

    /// Names functions that run until their gas is spent, once each: such calls take the campaign's time.
    fn warn_of_exhaustion(&mut self, sequence: &Sequence, observation: &Observation) {
        for (tx, step) in sequence.iter().zip(&observation.steps) {
            if !step.out_of_gas {
                continue;
            }
            let contract = self.stage.identifier(tx.target).unwrap_or_else(|| tx.target.to_string());
            let function = tx.input.function().map(|function| function.signature()).unwrap_or_default();
            if self.exhausting.insert((contract.clone(), function.clone())) {
                self.warnings.push(format!(
                    "{contract}.{function} used all of its {} gas; does it loop without end?",
                    self.config.env.gas_limit
                ));
            }
        }
    }

    /// Properties and assertions broken so far.
    fn failures(&self) -> usize {
        let broken = self.reports.values().filter(|report| report.status == Status::Failure).count();
        broken + self.findings.len()
    }

    fn progress(&self, phase: Option<&'static str>) -> Event {
        Event::Progress {
            suite: self.stage.id.clone(),
            calls: self.tally.calls,
            paths: self.tally.paths(),
            broken: self.failures(),
            phase,
        }
    }

    fn is_notable(&self, sequence: &Sequence, observation: &Observation) -> bool {
        !observation.broken.is_empty()
            || observation
                .best
                .iter()
                .any(|best| self.best.get(&best.0).is_none_or(|known| known.value < best.1))
            || !self.new_assertions(sequence, observation).is_empty()
    }

    /// Assertion failures that no earlier execution showed, with the step that shows each.
    fn new_assertions(&self, sequence: &Sequence, observation: &Observation) -> Vec<(usize, oracle::Key)> {
        if observation.steps.iter().all(|step| step.assertion.is_none()) {
            return Vec::new();
        }
        let identify =
            |address: Address| self.stage.identifier(address).unwrap_or_else(|| address.to_string());
        let hits = oracle::judge(sequence, observation, &self.config.harvey, &identify);
        let hits = hits.into_iter().map(|hit| (hit.step, hit.key));
        hits.filter(|(_, key)| !self.seen.contains(key)).collect()
    }

    /// Calls that cannot go on: an unsupported cheatcode, or `vm.assume` rejecting everything.
    fn gives_up(&mut self, observation: &Observation) -> bool {
        let bound = self.config.invariant.max_assume_rejects;
        let reason = match &observation.unsupported {
            Some(unsupported) => unsupported.clone(),
            None if self.tally.rejects > bound => {
                format!("`vm.assume` rejected too many inputs ({bound} allowed)")
            }
            None => return false,
        };
        self.fail_all(&reason);
        true
    }

    /// Sets all properties aside that are left, for one reason.
    fn fail_all(&mut self, reason: &str) {
        for index in self.alive.clone() {
            let signature = self.stage.properties[index].function.signature();
            let report = TestReport { kind: self.figures(), ..failed(&signature, reason.to_owned()) };
            self.set_aside(index, report);
        }
    }

    fn figures(&self) -> TestKind {
        TestKind::Invariant {
            runs: self.tally.runs(self.config.invariant.depth),
            calls: self.tally.calls,
            reverts: self.tally.reverts,
            metrics: self.tally.metrics().clone(),
            best: None,
        }
    }

    /// Confirms what an execution showed: new assertion failures, broken properties, better values.
    fn judge(
        &mut self,
        sequence: &Sequence,
        observation: &Observation,
        replayed: bool,
        emit: &mut dyn FnMut(Event),
    ) {
        emit(self.progress(Some("Shrink")));
        for (step, key) in self.new_assertions(sequence, observation) {
            let mut until = observation.clone();
            until.steps.truncate(step + 1);
            let prefix = sequence[..=step].to_vec();
            if let Some(confirmed) =
                self.judge.confirm(&self.stage, &prefix, &until, &Claim::Assertion(key.clone()))
            {
                self.add_finding(&key, confirmed, emit);
                self.seen.insert(key);
            } else {
                self.note_unconfirmed_assertion(key);
            }
        }
        let ran = sequence[..observation.steps.len()].to_vec();
        for broken in observation.broken.clone() {
            let tried = self.unconfirmed.get(&broken.property).copied().unwrap_or(0);
            if !self.alive.contains(&broken.property) || tried >= MOST_TRIES {
                continue;
            }
            let last = observation.steps.last();
            // A step has a reason only where its revert broke the run.
            let by_revert = !broken.after_invariant && last.is_some_and(|step| step.reason.is_some());
            let claim = Claim::Broken {
                property: broken.property,
                by_revert,
                after_invariant: broken.after_invariant,
            };
            match self.judge.confirm(&self.stage, &ran, observation, &claim) {
                Some(confirmed) => self.add_broken(broken.property, confirmed, by_revert, replayed, emit),
                None if !replayed => self.note_unconfirmed(&broken),
                None => {}
            }
        }
        for (property, value, steps) in observation.best.clone() {
            if self.best.get(&property).is_none_or(|known| known.value < value) {
                let sequence = sequence[..steps].to_vec();
                let mut observation = observation.clone();
                observation.steps.truncate(steps);
                self.best.insert(property, Best { value, sequence, observation });
            }
        }
    }

    fn note_unconfirmed_assertion(&mut self, key: oracle::Key) {
        let tries = self.unconfirmed_assertions.entry(key.clone()).or_insert(0);
        *tries += 1;
        if *tries == 1 {
            let oracle::Key { contract, function, .. } = &key;
            self.warnings.push(format!(
                "an assertion in {contract}.{function} failed, but not when replayed from a fresh deployment; \
                 it is not reported"
            ));
        }
        if self.unconfirmed_assertions[&key] >= MOST_TRIES {
            self.seen.insert(key);
        }
    }

    fn note_unconfirmed(&mut self, broken: &Broken) {
        let tries = self.unconfirmed.entry(broken.property).or_insert(0);
        *tries += 1;
        if *tries == 1 {
            let signature = self.stage.properties[broken.property].function.signature();
            let reason = &broken.reason;
            self.warnings.push(format!(
                "{signature} failed ({reason}), but not when replayed from a fresh deployment; it is not reported"
            ));
        }
    }

    fn add_finding(&mut self, key: &oracle::Key, confirmed: Confirmed, emit: &mut dyn FnMut(Event)) {
        self.tally.executions += confirmed.executions;
        let Some(assertion) = confirmed.assertion.clone() else { return };
        let address = confirmed.sequence.last().map_or(self.stage.test, |tx| tx.target);
        let finding = Finding {
            id: key.id(),
            oracle: key.oracle,
            kind: assertion.kind,
            contract: key.contract.clone(),
            address,
            function: key.function.clone(),
            site: assertion.site,
            reason: assertion.reason,
            counterexample: confirmed.counterexample,
            traces: confirmed.traces,
            logs: confirmed.logs,
            calls: self.tally.calls,
            seconds: self.budget.seconds(),
            forge_file: None,
            unforgeable: None,
        };
        self.warnings.extend(self.keeper.save_finding(&finding));
        emit(self.broken_event(&finding.function, &finding.reason));
        self.findings.push(finding);
    }

    fn add_broken(
        &mut self,
        index: usize,
        confirmed: Confirmed,
        by_revert: bool,
        replayed: bool,
        emit: &mut dyn FnMut(Event),
    ) {
        self.tally.executions += confirmed.executions;
        let property = self.stage.properties[index].clone();
        let kind = if replayed {
            TestKind::Invariant { runs: 1, calls: 1, reverts: 1, metrics: BTreeMap::new(), best: None }
        } else {
            self.figures()
        };
        let mut report = TestReport {
            counterexample: Some(confirmed.counterexample),
            kind,
            traces: confirmed.traces,
            logs: confirmed.logs,
            by_revert,
            after_invariant: self.stage.after_invariant.is_some(),
            replayed,
            found_at: Some((self.tally.calls, self.budget.seconds())),
            ..failed(&property.function.signature(), confirmed.reason)
        };
        let shows = if by_revert { Shows::Revert } else { Shows::Invariant };
        self.warnings.extend(self.keeper.save_broken(&property, &mut report, &shows));
        emit(self.broken_event(&property.function.name, report.reason.as_deref().unwrap_or_default()));
        self.set_aside(index, report);
    }

    fn broken_event(&self, property: &str, reason: &str) -> Event {
        Event::Broken {
            suite: self.stage.id.clone(),
            property: property.to_owned(),
            reason: reason.to_owned(),
            timestamp: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        }
    }

    /// The reports of all properties, and the campaign's figures.
    pub(super) fn finish(mut self) -> GroupOutcome {
        let verbose = self.plan.options.verbosity >= 2;
        let last = self.last.take().filter(|_| verbose).map(|candidate| candidate.sequence().clone());
        for index in std::mem::take(&mut self.alive) {
            let report = self.passed(index, last.as_ref());
            self.reports.insert(index, report);
        }
        let shown = self.plan.options.verbosity >= 3;
        let setup = self.stage.traces.iter().filter(|_| shown);
        let setup_traces: Vec<_> =
            setup.map(|(kind, trace)| (*kind, self.stage.decode(trace.clone()))).collect();
        let labels = self.stage.labels.clone();
        for report in self.reports.values_mut() {
            report.traces.splice(0..0, setup_traces.iter().cloned());
            report.logs.splice(0..0, self.stage.logs.iter().cloned());
            report.labels = labels.clone();
        }
        GroupOutcome {
            tests: self.reports.into_values().collect(),
            findings: self.findings,
            warnings: self.warnings,
            stats: Stats {
                seconds: self.started.elapsed().as_secs_f64(),
                calls: self.tally.calls + self.tally.discards,
                executions: self.tally.executions,
                paths: self.tally.paths(),
            },
        }
    }

    /// The report of a property that nothing broke.
    fn passed(&mut self, index: usize, last: Option<&Sequence>) -> TestReport {
        let property = self.stage.properties[index].clone();
        let mut report = TestReport {
            status: Status::Success,
            reason: None,
            kind: self.figures(),
            duration: self.started.elapsed(),
            ..failed(&property.function.signature(), String::new())
        };
        if let TestKind::Invariant { best, .. } = &mut report.kind {
            *best = self.at_start.get(&index).copied();
        }
        if let Some(best) = self.best.remove(&index) {
            let claim = Claim::Value(index, best.value);
            if let Some(confirmed) =
                self.judge.confirm(&self.stage, &best.sequence, &best.observation, &claim)
            {
                report.counterexample = Some(confirmed.counterexample);
                report.traces = confirmed.traces;
                report.logs = confirmed.logs;
            }
            if let TestKind::Invariant { best: shown, .. } = &mut report.kind {
                *shown = Some(best.value);
            }
        } else if let Some(sequence) = last {
            let checks = Checks { properties: vec![index], ..self.checks() };
            let replay = self.executor.replay(sequence, &checks);
            let decoded =
                replay.traces.into_iter().map(|trace| (TraceKind::Execution, self.stage.decode(trace)));
            report.traces = decoded.collect();
            report.logs = replay.logs;
        }
        report
    }
}
