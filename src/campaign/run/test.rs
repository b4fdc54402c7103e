//! Unit, fuzz and table tests: their sequences are one call of the test itself, and the first that fails decides.

use super::{super::verdict::failed, Campaign};
use crate::{
    engine::{fixture_key, parameter_key},
    model::{
        Counterexample, GasOfRuns, Observation, Outcome, Sequence, SequenceCall, Status, TestKind,
        TestReport, Transaction,
    },
    project::FunctionKind,
};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt};

impl Campaign<'_> {
    /// Tries failures of earlier runs, and then what the search makes.
    pub(super) fn fuzz(&mut self) {
        self.begin();
        self.replay_persisted();
        if !self.is_decided() {
            self.search();
        }
    }

    /// As in Forge, no reason is given.
    pub(super) fn fail_unprepared(&mut self) {
        let signature = self.test_env.properties[0].function.signature();
        let report = TestReport { reason: None, ..failed(signature, String::new()) };
        self.properties.set_aside(0, report);
    }

    /// Whether there is a verdict on the test.
    pub(super) fn is_decided(&self) -> bool {
        self.test.is_some() && self.properties.alive.is_empty()
    }

    /// Keeps the gas of a run of a test that neither failed nor was rejected.
    pub(super) fn note_gas(&mut self, observation: &Observation) {
        let counts = |outcome, reason: &Option<String>| outcome != Outcome::Discard && reason.is_none();
        if self.test.is_some() && observation.skipped.is_none() {
            let runs = observation.steps.iter().filter(|step| counts(step.outcome, &step.reason));
            self.gas.extend(runs.map(|step| step.gas));
        }
    }

    /// Keeps what a run of a fuzz test logs, where that is wanted of all.
    pub(super) fn note_logs(&mut self, sequence: &Sequence) {
        if self.test == Some(FunctionKind::Fuzz)
            && self.config.fuzz.show_logs
            && self.context.options.verbosity >= 2
        {
            let checks = self.checks();
            self.logs.append(&mut self.executor.replay(sequence, &checks).logs);
        }
    }

    /// The figures behind a test's name.
    pub(super) fn figures_of_test(&self, kind: FunctionKind) -> TestKind {
        let runs = GasOfRuns::new(&self.gas);
        match kind {
            FunctionKind::Fuzz => {
                TestKind::Fuzz { first: self.gas.first().copied().unwrap_or_default(), runs }
            }
            FunctionKind::Table if runs.runs > 0 => TestKind::Table { runs },
            _ => TestKind::Unit { gas: self.gas.last().map_or(0, |gas| gas.of_code()) },
        }
    }

    /// Whether the test asked to be skipped, which decides it.
    pub(super) fn is_skipped(&mut self, sequence: &Sequence, observation: &Observation) -> bool {
        let Some(reason) = observation.skipped.clone() else { return false };
        let signature = self.test_env.properties[0].function.signature();
        let fuzzed = self.test == Some(FunctionKind::Fuzz);
        let mut report = TestReport { status: Status::Skipped, reason, ..failed(signature, String::new()) };
        if fuzzed {
            report.kind = self.figures();
            report.counterexample = Some(self.only_call(sequence));
            let replay = self.executor.replay(sequence, &self.checks());
            self.show_replay(replay, &mut report);
        }
        self.properties.set_aside(0, report);
        true
    }

    /// Runs a unit test, or each row of a table test.
    pub(super) fn run_rows(&mut self, kind: FunctionKind) {
        let rows = if kind == FunctionKind::Unit { Ok(vec![Vec::new()]) } else { self.rows() };
        let function = self.test_env.properties[0].function.clone();
        let rows = match rows {
            Ok(rows) => rows,
            Err(reason) => return self.properties.set_aside(0, failed(function.signature(), reason)),
        };
        let mut last = TestReport {
            status: Status::Success,
            reason: None,
            ..failed(function.signature(), String::new())
        };
        let mut logs = Vec::new();
        self.executor.be_patient();
        for args in rows {
            let sequence =
                vec![Transaction::plain(self.test_env.env.sender, self.test_env.test, &function, args)];
            let mut report = self.run_row(&sequence);
            if self.executor.is_halted() || self.context.stop.is_overdue() {
                self.was_ended(function.signature());
                return;
            }
            self.report_row(&sequence);
            if self.is_decided() {
                return;
            }
            logs.append(&mut report.evidence.logs);
            report.evidence.logs.clone_from(&logs);
            if report.status == Status::Failure {
                return self.properties.set_aside(0, report);
            }
            last = report;
        }
        self.properties.set_aside(0, last);
    }

    /// The run ended in the middle of a test: nothing is known of it.
    fn was_ended(&mut self, signature: &str) {
        self.properties.alive.clear();
        self.warnings.push(format!("{signature} of {} was ended with the run", self.test_env.id.name));
    }

    /// What one call of the test gives. A row that rejects its arguments fails, as in Forge.
    fn run_row(&mut self, sequence: &Sequence) -> TestReport {
        let replay = self.executor.replay(sequence, &self.checks());
        let observation = &replay.observation;
        self.metrics.add(&self.test_env, sequence, observation, 1);
        self.operator = "row";
        let signature = self.test_env.properties[0].function.signature().to_owned();
        let mut report = failed(&signature, String::new());
        if self.is_skipped(sequence, observation) {
            return report;
        }
        let Some(step) = observation.steps.first() else { return report };
        self.gas.push(step.gas);
        let rejected = || (step.outcome == Outcome::Discard).then(|| "FOUNDRY::ASSUME".to_owned());
        let failure = self.executor.take_unsupported().or_else(rejected).or_else(|| step.reason.clone());
        report.kind = self.figures();
        report.status = if failure.is_some() { Status::Failure } else { Status::Success };
        if failure.is_some() {
            let tabled = self.test == Some(FunctionKind::Table);
            report.counterexample = tabled.then(|| self.only_call(sequence));
            report.found = Some(self.found());
        }
        report.reason = failure.filter(|reason| !reason.is_empty());
        self.show_replay(replay, &mut report);
        report
    }

    /// Arguments of each row of a table: a fixture of the same length for each parameter.
    fn rows(&mut self) -> Result<Vec<Vec<DynSolValue>>, String> {
        let function = self.test_env.properties[0].function.clone();
        let Some(first) = function.inputs.first() else {
            return Err("Table test should have at least one parameter".to_owned());
        };
        let fixtures = self.persistence.fixtures(&mut self.executor);
        let of = |name: &str| {
            let named = fixtures.iter().find(|fixture| fixture_key(&fixture.0) == parameter_key(name));
            named.map(|fixture| &fixture.1)
        };
        let Some(length) = of(&first.name).map(Vec::len) else {
            return Err("Table test should have fixtures defined".to_owned());
        };
        if length == 0 {
            return Err("Table test should have at least one fixture".to_owned());
        }
        let mut rows = vec![Vec::new(); length];
        for param in &function.inputs {
            let Some(values) = of(&param.name) else {
                return Err(format!("No fixture defined for param {}", param.name));
            };
            if values.len() != length {
                let (defined, name) = (values.len(), &param.name);
                return Err(format!("{defined} fixtures defined for {name} (expected {length})"));
            }
            rows.iter_mut().zip(values).for_each(|(row, value)| row.push(value.clone()));
        }
        // Fixtures are matched by name, so their type may be another.
        rows.iter()
            .try_for_each(|row| function.abi_encode_input(row).map(drop))
            .map_err(|error| error.to_string())?;
        Ok(rows)
    }

    /// The call of the test as it is shown.
    fn only_call(&self, sequence: &Sequence) -> Counterexample {
        let identifier = Some(self.test_env.id.to_string());
        let calls = sequence.iter().map(|tx| SequenceCall::new(tx.clone(), identifier.clone())).collect();
        Counterexample { original_len: 1, calls }
    }
}
