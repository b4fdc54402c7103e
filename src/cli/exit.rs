//! Exit codes of the process: stable numbers for scripts and CI.

use crate::model::RunReport;
use std::process::ExitCode;

/// The exit codes of `forge-harvey`. 0 to 2 mean what they mean for `forge`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// 0: every property held, or there was nothing to test (unless `--no-tests fail`).
    Success = 0,
    /// 1: a property failed, a call did not end, or the configuration or a source is wrong.
    Failure = 1,
    /// 2: the command line is wrong.
    Usage = 2,
    /// 3: interrupted before there was a verdict; nothing had failed so far.
    Interrupted = 3,
    /// 70: a bug of this program (`EX_SOFTWARE` of sysexits).
    Internal = 70,
}

impl ExitStatus {
    /// Returns the exit code of a search. With `allow_failure`, failed properties do not count. A search in which
    /// no planned suite was set up, because its time ran out before, fails all the same.
    #[must_use]
    pub fn of(report: &RunReport, allow_failure: bool) -> Self {
        if report.suites.is_empty() && report.planned > 0 && !report.interrupted {
            return Self::Failure;
        }
        Self::of_verdicts(report, allow_failure)
    }

    /// Returns the exit code of a replay, which reports only suites with failures: without any, nothing fails.
    #[must_use]
    pub fn of_replay(report: &RunReport) -> Self {
        Self::of_verdicts(report, false)
    }

    fn of_verdicts(report: &RunReport, allow_failure: bool) -> Self {
        if report.suites.iter().any(|suite| suite.panicked) {
            return Self::Internal;
        }
        let failed =
            report.suites.iter().any(|suite| suite.failed()) || report.overrun && !report.interrupted;
        match (failed, report.interrupted) {
            (true, _) if !allow_failure => Self::Failure,
            (false, true) => Self::Interrupted,
            _ => Self::Success,
        }
    }
}

impl From<&clap::Error> for ExitStatus {
    /// Treats `--help` and `--version`, which clap returns as errors, as success.
    fn from(error: &clap::Error) -> Self {
        if error.use_stderr() { Self::Usage } else { Self::Success }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ContractId, Status, SuiteReport, TestReport};

    fn report(status: Status, interrupted: bool) -> RunReport {
        let test = TestReport::new("invariant_x()", status);
        let id = ContractId { path: "test/A.t.sol".into(), name: "A".into() };
        let suite = SuiteReport { tests: vec![test], ..SuiteReport::new(id) };
        RunReport { suites: vec![suite], interrupted, planned: 1, ..RunReport::default() }
    }

    #[test]
    fn a_failure_is_a_verdict_even_when_interrupted() {
        use Status::{Failure, Success};
        for (status, interrupted, allow, expected) in [
            (Success, false, false, ExitStatus::Success),
            (Failure, false, false, ExitStatus::Failure),
            (Failure, true, false, ExitStatus::Failure),
            (Failure, false, true, ExitStatus::Success),
            (Success, true, false, ExitStatus::Interrupted),
            (Success, true, true, ExitStatus::Interrupted),
            (Failure, true, true, ExitStatus::Success),
        ] {
            let got = ExitStatus::of(&report(status, interrupted), allow);
            assert_eq!(got, expected, "{status:?} interrupted={interrupted} allow={allow}");
        }
    }

    #[test]
    fn a_run_that_a_call_ended_is_no_success() {
        let report = |interrupted| RunReport { overrun: true, ..report(Status::Success, interrupted) };
        assert_eq!(ExitStatus::of(&report(false), false), ExitStatus::Failure);
        assert_eq!(ExitStatus::of(&report(true), false), ExitStatus::Interrupted);
    }

    #[test]
    fn a_search_that_set_nothing_up_is_no_success() {
        let report = |interrupted| RunReport { suites: vec![], ..report(Status::Success, interrupted) };
        assert_eq!(ExitStatus::of(&report(false), false), ExitStatus::Failure);
        assert_eq!(ExitStatus::of(&report(false), true), ExitStatus::Failure);
        assert_eq!(ExitStatus::of(&report(true), false), ExitStatus::Interrupted);
        assert_eq!(ExitStatus::of_replay(&report(false)), ExitStatus::Success);
        let nothing_planned = RunReport { planned: 0, ..report(false) };
        assert_eq!(ExitStatus::of(&nothing_planned, false), ExitStatus::Success);
    }

    #[test]
    fn a_suite_that_a_bug_of_ours_ended_outweighs_all_verdicts() {
        let mut report = report(Status::Success, false);
        report.suites[0].panicked = true;
        assert_eq!(ExitStatus::of(&report, true), ExitStatus::Internal);
    }

    #[test]
    fn the_numbers_are_those_that_are_documented() {
        use ExitStatus::{Failure, Internal, Interrupted, Success, Usage};
        assert_eq!(
            [Success, Failure, Usage, Interrupted, Internal].map(|status| status as u8),
            [0, 1, 2, 3, 70]
        );
    }
}
