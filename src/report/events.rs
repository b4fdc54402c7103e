//! `--events`: one JSON object a line, while the campaigns run.

use crate::{
    model::{ContractId, Event, FailureEvent, ProgressFigures, RunReport, Status, SuiteReport},
    report::{
        json::{calls, line},
        schema::events_v1::{JsonEvent, JsonEventLine, JsonPulse, VERSION},
    },
};
use alloy_primitives::U256;
use schemars::generate::SchemaSettings;
use std::{collections::BTreeMap, time::Duration};

/// Time between two pulses of a suite.
const PULSE: Duration = Duration::from_secs(1);

/// Returns the JSON Schema of a line, as it is published.
#[must_use]
pub fn schema() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<JsonEventLine<'_>>();
    schema
        .insert("title".to_owned(), format!("line of forge-harvey test --events, version {VERSION}").into());
    format!("{:#}\n", schema.to_value())
}

/// Formatter of the events of a run. It keeps the last pulse of each suite.
#[derive(Debug)]
pub struct EventLines {
    seed: U256,
    /// Time and number of calls of the last pulse of each suite.
    pulses: BTreeMap<ContractId, (Duration, u64)>,
}

impl EventLines {
    /// Creates the formatter of a run with this seed.
    #[must_use]
    pub fn new(seed: U256) -> Self {
        Self { seed, pulses: BTreeMap::new() }
    }

    /// Returns the lines for an event at this time since the epoch, each with a newline.
    #[must_use]
    pub fn lines(&mut self, event: &Event, now: Duration) -> String {
        let one = |event: JsonEvent<'_>| formatted(event, now);
        match event {
            Event::Started { suites, threads, time } => one(JsonEvent::Started {
                version: VERSION,
                suites: *suites,
                threads: *threads,
                seed: format!("{:#x}", self.seed),
                budget: time.map(|time| time.as_secs_f64()),
            }),
            Event::SuiteStarted { suite, properties, calls, time } => {
                self.pulses.insert(suite.clone(), (now, 0));
                one(JsonEvent::CampaignStarted {
                    target: suite.to_string(),
                    properties: *properties,
                    calls: *calls,
                    seconds: time.map(|time| time.as_secs_f64()),
                })
            }
            Event::Progress { suite, figures } => {
                self.pulse(suite, figures, now).map(one).unwrap_or_default()
            }
            Event::Broken(failure) => one(self::failure(failure)),
            Event::Warned { suite, warnings } => {
                let warning = |message| JsonEvent::Warning { target: suite.to_string(), message };
                warnings.iter().map(|message| one(warning(message))).collect()
            }
            Event::SuiteFinished(report) => {
                let target = report.id.to_string();
                let warning = |message| one(JsonEvent::Warning { target: target.clone(), message });
                let warnings: String = report.warnings.iter().map(|message| warning(message)).collect();
                warnings + &one(suite_finished(report))
            }
        }
    }

    /// Returns the last line of a run, which ends at this time since the epoch.
    #[must_use]
    pub fn finished(&self, report: &RunReport, now: Duration) -> String {
        let sum = |of: fn(&SuiteReport) -> usize| report.suites.iter().map(of).sum();
        let event = JsonEvent::Finished {
            passed: sum(|suite| suite.count(Status::Success)),
            failed: sum(|suite| suite.count(Status::Failure)),
            skipped: sum(|suite| suite.count(Status::Skipped)),
            findings: sum(|suite| suite.findings.len()),
            calls: report.suites.iter().map(|suite| suite.stats.calls).sum(),
            seconds: report.duration.as_secs_f64(),
            interrupted: report.interrupted,
        };
        formatted(event, now)
    }

    /// Returns the pulse of a suite, if enough time has passed since the last one.
    fn pulse(
        &mut self,
        suite: &ContractId,
        figures: &ProgressFigures,
        now: Duration,
    ) -> Option<JsonEvent<'static>> {
        let (last, before) = self.pulses.get_mut(suite)?;
        let since = now.checked_sub(*last).filter(|since| *since >= PULSE)?;
        let ProgressFigures { calls, paths, branches, broken, phase } = *figures;
        let metrics = JsonPulse {
            calls,
            calls_per_second: calls.saturating_sub(*before) as f64 / since.as_secs_f64(),
            paths,
            branches,
            failures: broken,
            phase: phase.unwrap_or("search").to_ascii_lowercase(),
        };
        (*last, *before) = (now, calls);
        Some(JsonEvent::Pulse { target: suite.to_string(), metrics })
    }
}

fn formatted(event: JsonEvent<'_>, now: Duration) -> String {
    // Milliseconds are enough, and a reader sees all digits.
    let timestamp = now.as_millis() as f64 / 1000.0;
    line(&JsonEventLine { timestamp, event })
}

fn failure(failure: &FailureEvent) -> JsonEvent<'_> {
    let FailureEvent { id, suite, property, oracle, reason, found, counterexample, .. } = failure;
    JsonEvent::Failure {
        target: suite.to_string(),
        id,
        invariant: property,
        reason,
        oracle: *oracle,
        calls: found.calls,
        executions: found.executions,
        seconds: found.seconds,
        cpu_seconds: found.cpu_seconds,
        sequence: counterexample.iter().flat_map(|counterexample| calls(&counterexample.calls)).collect(),
    }
}

fn suite_finished(report: &SuiteReport) -> JsonEvent<'static> {
    JsonEvent::SuiteFinished {
        target: report.id.to_string(),
        passed: report.count(Status::Success),
        failed: report.count(Status::Failure),
        skipped: report.count(Status::Skipped),
        findings: report.findings.len(),
        calls: report.stats.calls,
        executions: report.stats.executions,
        branches: report.stats.branches,
        seconds: report.duration.as_secs_f64(),
        cpu_seconds: report.cpu.as_secs_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn the_schema_is_the_published_one() {
        let published = include_str!("../../docs/events.schema.json");
        assert!(published == schema(), "`forge-harvey schema --events > docs/events.schema.json` writes it");
    }

    #[test]
    fn each_event_is_a_line() {
        let mut lines = EventLines::new(U256::from(7));
        let report = samples::suite("FailInv", vec![samples::broken()], vec![]);
        let suite = report.id.clone();
        let figures = |calls| ProgressFigures { calls, paths: 3, branches: 12, broken: 1, phase: None };
        let progress = |calls| Event::Progress { suite: suite.clone(), figures: figures(calls) };
        let events = [
            (0, Event::Started { suites: 1, threads: 2, time: Some(Duration::from_secs(60)) }),
            (0, Event::SuiteStarted { suite: suite.clone(), properties: 1, calls: None, time: None }),
            (900, progress(400)),
            (2000, progress(1000)),
            (2100, Event::Broken(Box::new(samples::failure_event()))),
            (2200, Event::Warned { suite: suite.clone(), warnings: vec!["a".into(), "b".into()] }),
            (2300, Event::SuiteFinished(Box::new(report.clone()))),
        ];
        let text: String = events
            .iter()
            .map(|(time, event)| lines.lines(event, Duration::from_millis(*time)))
            .chain([lines_of_end(&report)])
            .collect();
        insta::assert_snapshot!(text, @r#"
        {"timestamp":0.0,"event":"started","version":1,"suites":1,"threads":2,"seed":"0x7","budget":60.0}
        {"timestamp":0.0,"event":"campaign_started","target":"test/A.t.sol:FailInv","properties":1,"calls":null,"seconds":null}
        {"timestamp":2.0,"event":"pulse","target":"test/A.t.sol:FailInv","metrics":{"calls":1000,"calls_per_second":500.0,"paths":3,"branches":12,"failures":1,"phase":"search"}}
        {"timestamp":2.1,"event":"failure","target":"test/A.t.sol:FailInv","id":"test/A.t.sol:FailInv.invariant_lastIsZero()","invariant":"invariant_lastIsZero","reason":"last must be zero","oracle":null,"calls":1234,"executions":1500,"seconds":0.5,"cpu_seconds":0.4,"sequence":[{"warp":null,"roll":null,"sender":"0x0000000000000000000000000000000000001234","addr":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","calldata":"0xb6b55f250000000000000000000000000000000000000000000000000000000000000007","contract_name":"test/A.t.sol:Bank","func_name":"deposit","signature":"deposit(uint256)","args":"7","raw_args":"7"}]}
        {"timestamp":2.2,"event":"warning","target":"test/A.t.sol:FailInv","message":"a"}
        {"timestamp":2.2,"event":"warning","target":"test/A.t.sol:FailInv","message":"b"}
        {"timestamp":2.3,"event":"suite_finished","target":"test/A.t.sol:FailInv","passed":0,"failed":1,"skipped":0,"findings":0,"calls":1000,"executions":1500,"branches":0,"seconds":0.029001168,"cpu_seconds":0.0025}
        {"timestamp":2.4,"event":"finished","passed":0,"failed":1,"skipped":0,"findings":0,"calls":1000,"seconds":0.031,"interrupted":false}
        "#);
    }

    fn lines_of_end(report: &SuiteReport) -> String {
        let run = samples::run(vec![report.clone()]);
        EventLines::new(U256::from(7)).finished(&run, Duration::from_millis(2400))
    }
}
