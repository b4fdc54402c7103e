//! What ends a call before its gas does: the campaign is over, or the call takes too long.

use cpu_time::ThreadTime;
use revm::interpreter::{InstructionExecResult, InstructionResult};
use std::{
    fmt,
    rc::Rc,
    time::{Duration, Instant},
};

/// Jumps and frames between two looks: tens of microseconds.
const STEPS_PER_LOOK: u32 = 1 << 12;

/// Gas of a precompile that counts as a jump.
const GAS_PER_STEP: u64 = 64;

/// How much longer `setUp`, unit tests and the rows of tables may take: they run once.
pub(crate) const PATIENCE: u32 = 10;

/// Most times that the time of a function's calls is halved.
const MOST_HALVINGS: u32 = 6;

/// Ends what runs, within a call too.
#[derive(Clone, Default)]
pub(crate) struct Halt {
    /// Asked whether to end; never when there is none.
    pub(crate) requested: Option<Rc<dyn Fn() -> bool>>,
    /// Whether a call was ended by that: it fails, and means nothing.
    pub(crate) in_call: bool,
    /// CPU time that a top-level call may take, if there is a bound.
    pub(crate) limit: Option<Duration>,
    /// Whether the call took longer than that, and was ended.
    pub(crate) overdue: bool,
    /// When the call was looked at first.
    began: Option<(Instant, ThreadTime)>,
    /// Jumps since the last look.
    steps: u32,
}

impl Halt {
    /// Whether to end now.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested.as_ref().is_some_and(|requested| requested())
    }

    /// A top-level call begins.
    pub(super) fn begin_call(&mut self) {
        (self.began, self.overdue) = (None, false);
    }

    /// Fails the frame that runs, and all that called it, once it is to end.
    #[inline]
    pub(super) fn check(&mut self) -> InstructionExecResult {
        self.steps += 1;
        if self.steps < STEPS_PER_LOOK { Ok(()) } else { self.look() }
    }

    /// A precompile used so much gas.
    pub(super) fn worked(&mut self, gas: u64) {
        let steps = u32::try_from(gas / GAS_PER_STEP).unwrap_or(u32::MAX);
        self.steps = self.steps.saturating_add(steps).min(STEPS_PER_LOOK);
    }

    #[cold]
    fn look(&mut self) -> InstructionExecResult {
        self.in_call |= self.is_requested();
        self.overdue |= self.is_late();
        let ends = self.in_call || self.overdue;
        // Once a call was ended, each jump looks.
        self.steps = if ends { STEPS_PER_LOOK - 1 } else { 0 };
        if ends { Err(InstructionResult::OutOfGas) } else { Ok(()) }
    }

    /// Time spent on waiting, for a node or for a program, is not the call's.
    fn is_late(&mut self) -> bool {
        let Some(limit) = self.limit else { return false };
        let (clock, cpu) = self.began.get_or_insert_with(|| (Instant::now(), ThreadTime::now()));
        clock.elapsed() >= limit && cpu.elapsed() >= limit
    }
}

impl fmt::Debug for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Halt").field("in_call", &self.in_call).finish_non_exhaustive()
    }
}

/// What a function gets whose calls were overdue so many times: half as long each time, since it takes what others could use.
pub(crate) fn halved(limit: Option<Duration>, times: u32) -> Option<Duration> {
    limit.map(|limit| limit / (1 << times.min(MOST_HALVINGS)))
}

/// Why a call failed that was ended.
pub(super) fn overdue(limit: Option<Duration>) -> String {
    let seconds = limit.unwrap_or_default().as_secs_f64();
    format!("ended after {seconds} s of CPU time, the most that a call may take (harvey.call_timeout)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jumps_until_end(halt: &mut Halt, most: u32) -> Option<u32> {
        (0..most).find(|_| halt.check().is_err())
    }

    #[test]
    fn a_call_ends_when_its_time_is_up_and_the_next_one_may_run() {
        let mut halt = Halt { limit: Some(Duration::ZERO), ..Halt::default() };
        halt.begin_call();
        assert_eq!(jumps_until_end(&mut halt, 10_000), Some(STEPS_PER_LOOK - 1));
        assert!(halt.overdue && !halt.in_call);
        assert!(halt.check().is_err(), "it stays ended");
        halt.limit = Some(Duration::from_secs(3600));
        halt.begin_call();
        assert_eq!(jumps_until_end(&mut halt, 10_000), None);
        assert!(!halt.overdue);
    }

    #[test]
    fn what_is_requested_ends_calls_without_a_limit() {
        let mut halt = Halt { requested: Some(Rc::new(|| true)), ..Halt::default() };
        assert!(jumps_until_end(&mut halt, 10_000).is_some());
        assert!(halt.in_call && !halt.overdue);
        halt.begin_call();
        assert!(halt.check().is_err(), "the campaign is over");
    }

    #[test]
    fn the_gas_of_precompiles_counts() {
        let mut halt = Halt { limit: Some(Duration::ZERO), ..Halt::default() };
        halt.worked(u64::MAX);
        assert!(halt.check().is_err());
    }

    #[test]
    fn functions_that_are_late_get_less_and_never_nothing() {
        let limit = Some(Duration::from_secs(64));
        let after = |times| halved(limit, times).unwrap().as_secs();
        assert_eq!([0, 1, 2, 6, 7, 1000].map(after), [64, 32, 16, 1, 1, 1]);
        assert_eq!(halved(None, 3), None);
    }
}
