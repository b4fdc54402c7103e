//! What a campaign ends with.

use super::{super::verdict::failed, Campaign, CampaignOutcome};
use crate::{
    engine::{OperatorCost, Reward, TechniqueCost},
    evm::exec::executor::RecordedRun,
    model::{
        Frame, Observation, OriginStats, Sequence, Stats, Status, TestKind, TestReport, TraceKind,
        executor::Checks,
    },
};

impl Campaign<'_> {
    /// Calls that cannot go on: an unsupported cheatcode, or `vm.assume` rejecting everything.
    pub(super) fn gives_up(&mut self, sequence: &Sequence, observation: &Observation) -> bool {
        if self.is_skipped(sequence, observation) {
            return true;
        }
        let bound = self.config.invariant.max_assume_rejects;
        let too_many = match self.test {
            None => self.metrics.rejects > bound,
            // A test may reject so many in all, and as many as it likes when that is none.
            Some(_) => bound > 0 && self.metrics.discards >= bound.into(),
        };
        match &observation.unsupported {
            Some(unsupported) => self.fail_all(unsupported),
            None if too_many => self.fail_for_rejects(),
            None => return false,
        }
        true
    }

    pub(super) fn fail_for_rejects(&mut self) {
        let bound = self.config.invariant.max_assume_rejects;
        self.fail_all(&format!("`vm.assume` rejected too many inputs ({bound} allowed)"));
    }

    /// Sets all properties aside that are left, for one reason.
    pub(super) fn fail_all(&mut self, reason: &str) {
        for index in self.properties.alive.clone() {
            let signature = self.test_env.properties[index].function.signature();
            let report = TestReport { kind: self.figures(), ..failed(signature, reason.to_owned()) };
            self.properties.set_aside(index, report);
        }
    }

    pub(super) fn figures(&self) -> TestKind {
        if let Some(kind) = self.test {
            return self.figures_of_test(kind);
        }
        TestKind::Invariant {
            runs: self.metrics.runs(self.config.invariant.depth),
            calls: self.metrics.calls,
            reverts: self.metrics.reverts,
            metrics: self.metrics.metrics(),
            best: None,
        }
    }

    /// The reports of all properties, and the campaign's figures.
    pub(super) fn finish(mut self) -> CampaignOutcome {
        self.warn_of_writing_invariants();
        let last = self.last.take().filter(|_| self.context.options.verbosity >= 2);
        let searched = self.metrics.calls > 0 || !self.context.stop.requested();
        for index in std::mem::take(&mut self.properties.alive) {
            if self.test_env.scene().is_some() && !self.findings.all.is_empty() {
                // What was found is the verdict.
                continue;
            }
            if self.context.options.replay.is_some() {
                if let Some(sequence) = self.held.remove(&index) {
                    let report = self.passed(index, Some(&sequence));
                    self.properties.reports.insert(index, report);
                }
                continue;
            }
            if !searched {
                let signature = self.test_env.properties[index].function.signature();
                self.warnings.push(format!("{signature} was not searched: the run ended before"));
                continue;
            }
            let report = self.passed(index, last.as_ref());
            self.properties.reports.insert(index, report);
        }
        self.warn_of_the_time();
        self.add_setup();
        self.show_as_asked();
        CampaignOutcome {
            stats: Stats {
                seconds: self.time().as_secs_f64(),
                calls: self.metrics.calls + self.metrics.discards,
                executions: self.executions() + self.confirmer.executions,
                paths: self.metrics.paths(),
                branches: self.search.branches,
                predictions: self.search.predictions,
                property_predictions: self.search.property_predictions,
                kept: (self.search.kept, self.search.kept_calls),
                origins: self.search.origins.iter().map(origin_stats).collect(),
                coverage: self.coverage,
                functions: self.metrics.functions(&self.test_env),
            },
            coverage_report: self.coverage_report,
            cpu: self.worker_cpu,
            tests: self.properties.reports.into_values().collect(),
            findings: self.findings.all,
            warnings: self.warnings,
        }
    }

    /// Names invariants that write: their next check does not see it.
    fn warn_of_writing_invariants(&mut self) {
        if self.test.is_some() || self.config.harvey.invariant_calls || self.context.options.replay.is_some()
        {
            return;
        }
        let test_env = self.test_env.clone();
        let may_write = |index: &usize| test_env.properties[*index].may_write();
        let properties: Vec<usize> = self.properties.alive.iter().copied().filter(may_write).collect();
        if properties.is_empty() || self.context.stop.requested() {
            return;
        }
        let sequence = self.last.clone().unwrap_or_default();
        let checks = Checks { properties: properties.clone(), after_invariant: false, ..self.checks() };
        let traces = self.executor.replay(&sequence, &checks).traces;
        // What it does to others may be undone, or tried on purpose.
        let keeps = |frame: &Frame| {
            frame.message.address == test_env.test
                && frame.result.status.is_success()
                && !frame.storage.is_empty()
        };
        for (index, trace) in properties.into_iter().zip(traces.iter().skip(sequence.len())) {
            if trace.frames.iter().any(keeps) {
                self.warnings.push(format!(
                    "{}.{} writes storage, which its next check does not see (as in Forge, it runs on a copy of the \
                     state); `invariant_calls = true` in [profile.default.harvey] calls it in sequences too",
                    test_env.id.name,
                    test_env.properties[index].function.signature()
                ));
            }
        }
    }

    /// Says what the time for the run was too short for.
    pub(super) fn warn_of_the_time(&mut self) {
        let (calls, _) = self.budget.left(&self.spent());
        if self.context.stop.is_late() && calls > 0 && !self.may_end_early() {
            let what = match self.test {
                Some(_) => self.test_env.properties[0].function.signature().to_owned(),
                None => "the invariants".to_owned(),
            };
            let (made, bound) = (self.metrics.calls, self.budget.calls());
            let of = bound.map(|bound| format!(" of {bound}")).unwrap_or_default();
            self.warnings.push(format!(
                "the time was up before {what} of {} were searched: {made}{of} calls",
                self.test_env.id.name
            ));
        }
    }

    /// Puts what deployment and `setUp` left before what each property's replay did.
    pub(super) fn add_setup(&mut self) {
        let shown = self.context.options.verbosity >= 3;
        let setup = self.test_env.traces.iter().filter(|_| shown);
        let traces: Vec<_> =
            setup.map(|(kind, trace)| (*kind, self.test_env.decode(trace.clone()))).collect();
        for report in self.properties.reports.values_mut() {
            report.evidence.traces.splice(0..0, traces.iter().cloned());
            report.evidence.logs.splice(0..0, self.test_env.logs.iter().chain(&self.logs).cloned());
            report.evidence.labels = self.test_env.labels.clone();
        }
    }

    /// Applies what the comments of each property say about its looks.
    pub(super) fn show_as_asked(&mut self) {
        for (index, report) in &mut self.properties.reports {
            report.settings.comments.clone_from(&self.comments);
            if self.test.is_some() {
                continue;
            }
            let shown = self.context.suite.shown[*index];
            report.settings.show_solidity = shown.solidity;
            if let TestKind::Invariant { metrics, .. } = &mut report.kind
                && !shown.metrics
            {
                metrics.clear();
            }
        }
    }

    /// The report of a property that nothing broke, with a replay of the sequence `last` run.
    pub(super) fn passed(&mut self, index: usize, last: Option<&Sequence>) -> TestReport {
        let test_env = self.test_env.clone();
        let signature = test_env.properties[index].function.signature();
        let mut report = TestReport {
            status: Status::Success,
            reason: None,
            kind: self.figures(),
            duration: self.properties.started.elapsed(),
            ..failed(signature, String::new())
        };
        if self.add_optimum(index, &mut report) {
            return report;
        }
        if let Some(sequence) = last {
            let checks = Checks { properties: vec![index], ..self.checks() };
            let replay = self.executor.replay(sequence, &checks);
            self.show_replay(replay, &mut report);
            if !self.logs.is_empty() {
                // They are among those of all runs.
                report.evidence.logs.clear();
            }
        }
        report
    }

    pub(super) fn show_replay(&self, replay: RecordedRun, report: &mut TestReport) {
        let decoded =
            replay.traces.into_iter().map(|trace| (TraceKind::Execution, self.test_env.decode(trace)));
        report.evidence.traces = decoded.collect();
        report.evidence.logs = replay.logs;
    }
}

fn origin_stats(origin: &OperatorCost) -> OriginStats {
    let TechniqueCost { sequences, executions, cost, cpu, reward } = origin.account;
    let Reward { edges, values, nearer, better, paths, findings } = reward;
    let (technique, operator) = (origin.technique.name(), origin.operator);
    OriginStats {
        technique,
        operator,
        sequences,
        executions,
        cost,
        cpu,
        edges,
        values,
        nearer: nearer + better,
        paths,
        findings,
    }
}
