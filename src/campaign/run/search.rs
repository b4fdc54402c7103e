//! Search of a campaign: the coordinator begins epochs of all workers, and merges and confirms their results.

use super::{
    Campaign, LEAST_EPOCH, MOST_EPOCH, corpus, coverage_report, ending,
    epoch::{EpochObserver, Execution, run_epoch},
    events,
    external_solver::ExternalSolver,
    kept_inputs::KeptInputs,
    recorder::{CorpusRecorder, Ending},
    slow, test,
    workers::{WorkerPool, WorkerSetup},
};
use crate::{
    campaign::{metrics::Metrics, plan::SequenceObserver},
    config::Feature,
    engine::{Engine, Example, Learned},
    evm::exec::executor::EvmExecutor,
    model::{CoveragePoint, executor::Checks},
};
use std::{mem, ops::ControlFlow, sync::Arc};

/// First worker of a campaign, which confirms failures at once.
struct FirstWorker<'c, 'a> {
    campaign: &'c mut Campaign<'a>,
    /// Runs from which the other engines learn.
    new_runs: Vec<Arc<Execution>>,
    recorder: &'c CorpusRecorder,
}

impl EpochObserver for FirstWorker<'_, '_> {
    fn executor(&mut self) -> &mut EvmExecutor {
        &mut self.campaign.executor
    }

    fn metrics(&mut self) -> &mut Metrics {
        &mut self.campaign.metrics
    }

    fn is_over(&mut self) -> bool {
        self.campaign.is_over()
    }

    fn solver(&mut self) -> &mut ExternalSolver {
        &mut self.campaign.usage.solver
    }

    fn before_learning(&mut self, run: &Execution, checks: &mut Checks) -> ControlFlow<(), bool> {
        let campaign = &mut *self.campaign;
        let (sequence, observation) = (run.candidate.sequence(), &run.observation);
        if let Some(SequenceObserver(observe)) = &campaign.context.options.observer {
            observe(sequence, observation);
        }
        let depth = campaign.spec.config.invariant.depth;
        campaign.metrics.add(&campaign.test_env, sequence, observation, depth);
        test::note_gas(campaign, observation);
        test::note_logs(campaign, sequence);
        let failures = campaign.failures();
        if !campaign.confirm_if_notable(run, checks) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(campaign.failures() > failures)
    }

    fn after_learning(&mut self, run: Execution, learned: Learned, engine: &mut Engine) {
        let campaign = &mut *self.campaign;
        corpus::record(&run, learned, engine, self.recorder);
        corpus::warn_of_disk_errors(campaign, self.recorder);
        if learned.is_new() && campaign.context.threads > 1 {
            self.new_runs.push(Arc::new(run));
        } else if run.observation.ended_in.is_none() {
            campaign.results.last = Some(run.candidate.into_sequence());
        }
        events::emit_progress_if_due(campaign);
    }
}

impl<'a> Campaign<'a> {
    /// Returns the data with which all workers begin, and prepares the campaign's own executor.
    pub(super) fn setup(&mut self) -> WorkerSetup {
        let examples = self.examples();
        let setup = WorkerSetup {
            test_env: self.test_env.clone(),
            detectors: self.confirmer.detectors.clone(),
            init: self.persistence.engine_init(self.context.project.literals(), examples, &mut self.executor),
            cancellation: self.budget.cancellation(self.context.stop),
            reuse: self.spec.config.harvey.features().has(Feature::Reuse),
            depth: self.spec.config.invariant.depth,
            most_rejects: self.spec.config.invariant.max_assume_rejects,
            solver: self.context.options.solver.clone(),
            recorder: CorpusRecorder::new(
                self.persistence.inputs(),
                self.test_env.targets.clone(),
                self.context.recorded.clone(),
            ),
        };
        setup.prepare(&mut self.executor);
        setup
    }

    /// Returns the calls of unit tests, if sequences are longer than one call.
    fn examples(&self) -> &'a [Vec<Example>] {
        if self.spec.test.is_none() { self.context.examples } else { &[] }
    }

    pub(super) fn search(&mut self) {
        if self.context.options.replay.is_some() {
            return;
        }
        let setup = self.setup();
        let mut engine = Engine::new(setup.init.clone());
        let corpus = self.persistence.corpus(&self.results.properties.alive);
        let mut kept = KeptInputs::read(self, corpus.as_ref());
        let (new_runs, goes_on) = kept.run_some(self, &mut engine);
        self.record.statistics = engine.statistics();
        self.note_coverage(&engine, false);
        if goes_on {
            std::thread::scope(|scope| {
                scope.spawn(|| setup.recorder.write_now_and_then());
                let _ending = Ending(&setup.recorder);
                let mut workers =
                    WorkerPool::start(scope, self.context.threads - 1, &setup, self.context.watch);
                self.search_with(&mut engine, &mut workers, new_runs, (&mut kept, &setup.recorder));
            });
        }
        self.results.warnings.extend(setup.recorder.warnings());
        self.executor.end_search();
        self.record.searched = self.results.properties.started.elapsed();
        coverage_report::report_coverage(self, &engine);
        if let Some(corpus) = corpus {
            corpus::keep(self, &corpus, &engine, &setup);
        }
        events::emit_progress(self, None);
    }

    /// Runs epochs until the search is over. Without other workers, each epoch is one sequence.
    fn search_with(
        &mut self,
        engine: &mut Engine,
        workers: &mut WorkerPool<'_>,
        mut new_runs: Vec<Arc<Execution>>,
        (kept, recorder): (&mut KeptInputs, &CorpusRecorder),
    ) {
        let mut goes_on = true;
        while goes_on && !self.is_over() {
            let (mut checks, epoch) = (self.checks(), self.epoch(workers.len()));
            let used = self.budget.used(&self.spent());
            engine.note_budget(used);
            workers.begin(&checks, epoch, used, &mem::take(&mut new_runs));
            let mut first = FirstWorker { campaign: &mut *self, new_runs: Vec::new(), recorder };
            goes_on = run_epoch(engine, &mut first, epoch.0, &mut checks);
            new_runs = first.new_runs;
            goes_on &= self.take_over(workers, engine);
            if goes_on {
                let (more, may_go_on) = kept.run_some(self, engine);
                new_runs.extend(more);
                goes_on = may_go_on;
            }
            self.note_coverage(engine, false);
            workers.panic_if_one_did();
        }
        self.note_coverage(engine, true);
        self.record.statistics = engine.statistics();
        workers.add_to(&mut self.record.statistics);
    }

    /// Returns the number of calls per thread between two merges, and of executions that they may take.
    /// Epochs are short at first, when there is much to learn.
    fn epoch(&self, workers: usize) -> (u64, u64) {
        let threads = workers as u64 + 1;
        let (calls, executions) = self.budget.left(&self.spent());
        let fair =
            if workers == 0 { 1 } else { (self.metrics.calls / threads / 8).clamp(LEAST_EPOCH, MOST_EPOCH) };
        (fair.min(calls / threads).max(1), (executions / threads).max(1))
    }

    /// Confirms the failures of a run. Returns true if the search may go on.
    pub(super) fn confirm_if_notable(&mut self, ran: &Execution, checks: &mut Checks) -> bool {
        let (sequence, observation) = (ran.candidate.sequence(), &ran.observation);
        self.record.operator = ran.candidate.origin();
        slow::warn_of_slow_calls(self, sequence, observation);
        if self.is_notable(sequence, observation) {
            self.confirm(sequence, observation, false);
            *checks = self.checks();
        }
        !ending::gives_up(self, sequence, observation)
    }

    /// Merges the results of the other workers after an epoch. Returns true if the search may go on.
    fn take_over(&mut self, workers: &mut WorkerPool<'_>, engine: &mut Engine) -> bool {
        let mut goes_on = true;
        let done = workers.end();
        (self.usage.worker_executions, self.usage.worker_cpu) = (workers.executions(), workers.cpu());
        for (metrics, to_confirm) in done {
            let rejects = metrics.rejects;
            self.metrics.absorb(metrics);
            for ran in to_confirm {
                goes_on &= self.confirm_if_notable(&ran, &mut self.checks());
            }
            if rejects > self.spec.config.invariant.max_assume_rejects {
                ending::fail_for_rejects(self);
                goes_on = false;
            }
        }
        for ran in workers.new_runs() {
            ran.tell(engine);
        }
        goes_on
    }

    /// Adds a point to the growth of coverage if the executions have grown by a tenth since the last one, or
    /// if it is the `last` point.
    pub(super) fn note_coverage(&mut self, engine: &Engine, last: bool) {
        let executions = self.executions();
        let known = self.record.coverage.last().map_or(0, |point| point.executions);
        if executions * 10 >= known * 11 + 10 || last && executions > known {
            let search = engine.statistics();
            let seconds = self.budget.seconds();
            self.record.coverage.push(CoveragePoint {
                executions,
                seconds,
                paths: search.paths,
                branches: search.branches,
            });
        }
    }
}
