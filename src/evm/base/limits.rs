//! Limits that end a call before its gas does: the end of the campaign, and bounds on time and memory.

use cpu_time::ThreadTime;
use revm::interpreter::{InstructionExecResult, InstructionResult};
use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

/// Steps (jumps and frames) between two checks; they take tens of microseconds.
const STEPS_PER_LOOK: u32 = 1 << 12;

/// Precompile gas that counts as one step.
const GAS_PER_STEP: u64 = 64;

/// Gas equivalent of a cheatcode call or log, and of each of its bytes.
const GAS_PER_HANDING: u64 = 16 * GAS_PER_STEP;
const GAS_PER_BYTE: u64 = 16;

/// Minimum size of a copy in bytes that counts: each [`GAS_PER_STEP`] bytes are a step.
const LEAST_MOVED: usize = 1 << 12;

/// Factor for the time limit of `setUp`, unit tests and table rows, which run only once.
pub(crate) const ONE_OFF_FACTOR: u32 = 10;

/// Maximum number of times that a function's time limit is halved.
const MOST_HALVINGS: u32 = 6;

/// Maximum memory held outside of the EVM in a run, as a multiple of the EVM memory limit: logs, code, and
/// data of cheatcodes. None of it need be paid for with gas.
const HELD_MEMORIES: u64 = 4;

/// Maximum growth of the process memory in a run, as a multiple of the EVM memory limit. It bounds everything
/// that is not counted.
pub(crate) const MEMORIES: u64 = 6;

/// Minimum of the EVM memory limit for these bounds, in bytes: other threads use memory of the process as
/// well.
const LEAST_MEMORY: u64 = 1 << 27;

/// Interval between two checks of the process memory.
const WEIGHING: Duration = Duration::from_millis(10);

/// Callback that returns true if the current run should end.
pub type EndsWhen = Arc<dyn Fn() -> bool + Send + Sync>;

/// Limit that a call exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitExceeded {
    Time,
    Memory,
}

/// Start times of a call, measured at the first check, and the time of the next memory check.
#[derive(Clone)]
struct CallStart {
    clock: Instant,
    cpu: ThreadTime,
    weighing: Duration,
}

/// Limits of runs and calls, which are enforced even within a call.
#[derive(Clone)]
pub(crate) struct Limits {
    /// Callback that requests the end of the run; `None` never does.
    pub(crate) requested: Option<EndsWhen>,
    /// True if a call was ended by such a request; its result is then meaningless.
    pub(crate) in_call: bool,
    /// CPU time limit of a top-level call, if there is one.
    pub(crate) limit: Option<Duration>,
    /// EVM memory limit in bytes.
    memory: u64,
    /// Bytes held outside of the EVM in the run, and the number at the beginning of the call.
    held: u64,
    held_before: u64,
    /// Limit that the call exceeded, if it was ended for that.
    pub(crate) excess: Option<LimitExceeded>,
    began: Option<CallStart>,
    /// Process memory in bytes at the first check in the run.
    weight: Option<u64>,
    /// Time that the call slept.
    slept: Duration,
    /// Steps since the last check.
    steps: u32,
    /// Steps before the last check.
    looked: u64,
}

impl Limits {
    /// Creates limits for this EVM memory limit in bytes.
    pub(crate) fn new(memory_limit: u64) -> Self {
        Self {
            requested: None,
            in_call: false,
            limit: None,
            memory: memory_limit.max(LEAST_MEMORY),
            held: 0,
            held_before: 0,
            excess: None,
            began: None,
            weight: None,
            slept: Duration::ZERO,
            steps: 0,
            looked: 0,
        }
    }

    /// Returns the number of steps so far: jumps, frames, and the equivalents of precompiles and cheatcodes.
    pub(crate) fn work(&self) -> u64 {
        self.looked + u64::from(self.steps)
    }

    /// Returns true if the end of the run is requested.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested.as_ref().is_some_and(|requested| requested())
    }

    /// Returns the CPU time that the call has taken since the first check in it, which long calls reach early.
    pub(crate) fn cpu_time(&self) -> Duration {
        self.began.as_ref().map(|began| began.cpu.elapsed()).unwrap_or_default()
    }

    /// Begins a run, with no memory held.
    pub(crate) fn begin_run(&mut self) {
        (self.in_call, self.held, self.weight) = (false, 0, None);
    }

    /// Begins a top-level call.
    pub(in crate::evm) fn begin_call(&mut self) {
        (self.began, self.excess, self.slept) = (None, None, Duration::ZERO);
        self.held_before = self.held;
    }

    /// Undoes the call: the memory it holds is released.
    pub(in crate::evm) fn undo_call(&mut self) {
        self.held = self.held_before;
    }

    /// Counts a step. Fails the running frame, and all its callers, once a limit is exceeded.
    #[inline]
    pub(in crate::evm) fn check(&mut self) -> InstructionExecResult {
        self.steps += 1;
        if self.steps < STEPS_PER_LOOK { Ok(()) } else { self.look() }
    }

    /// Counts gas used by a precompile.
    pub(in crate::evm) fn worked(&mut self, gas: u64) {
        let steps = u32::try_from(gas / GAS_PER_STEP).unwrap_or(u32::MAX);
        self.steps = self.steps.saturating_add(steps).min(STEPS_PER_LOOK);
    }

    /// Counts bytes that one instruction or the end of a frame copies or hashes, which may take as long as
    /// thousands of jumps. Fails as [`Self::check`] does.
    #[inline]
    pub(in crate::evm) fn moves(&mut self, bytes: usize) -> InstructionExecResult {
        if bytes < LEAST_MOVED { Ok(()) } else { self.moved(bytes) }
    }

    #[cold]
    fn moved(&mut self, bytes: usize) -> InstructionExecResult {
        self.worked(bytes as u64);
        if self.steps < STEPS_PER_LOOK { Ok(()) } else { self.look() }
    }

    /// Counts data passed to or from a cheatcode or log, which gas need not have paid for.
    pub(in crate::evm) fn handed(&mut self, bytes: usize) {
        self.worked(GAS_PER_HANDING.saturating_add(GAS_PER_BYTE.saturating_mul(bytes as u64)));
    }

    /// Counts such data that is held until the run ends or the call is undone.
    pub(in crate::evm) fn holds(&mut self, bytes: usize) {
        self.handed(bytes);
        self.held = self.held.saturating_add(bytes as u64);
        if self.held > self.memory.saturating_mul(HELD_MEMORIES) {
            self.end(LimitExceeded::Memory);
        }
    }

    /// Ends the call for an exceeded limit.
    pub(crate) fn end(&mut self, excess: LimitExceeded) {
        (self.excess, self.steps) = (Some(excess), STEPS_PER_LOOK);
    }

    /// Adds to the time that the call sleeps, and returns true if it is within the limit. Otherwise ends the
    /// call.
    pub(crate) fn may_sleep(&mut self, time: Duration) -> bool {
        self.slept = self.slept.saturating_add(time);
        let may = self.limit.is_none_or(|limit| self.slept <= limit);
        if !may {
            self.end(LimitExceeded::Time);
        }
        may
    }

    /// Returns true if a cheatcode is to stop in the middle of its work.
    pub(crate) fn ends(&mut self) -> bool {
        self.look().is_err()
    }

    #[cold]
    fn look(&mut self) -> InstructionExecResult {
        self.in_call |= self.is_requested();
        self.excess = self.excess.or_else(|| self.crossed());
        let ends = self.in_call || self.excess.is_some();
        if ends {
            // Once a call has ended, each jump checks.
            self.steps = STEPS_PER_LOOK - 1;
            return Err(InstructionResult::OutOfGas);
        }
        self.looked += u64::from(self.steps);
        self.steps = 0;
        Ok(())
    }

    /// Returns the limit that the call has exceeded. Time spent waiting for a node or another program does
    /// not count.
    fn crossed(&mut self) -> Option<LimitExceeded> {
        let now = || CallStart { clock: Instant::now(), cpu: ThreadTime::now(), weighing: WEIGHING };
        let began = self.began.get_or_insert_with(now);
        let elapsed = began.clock.elapsed();
        if self.limit.is_some_and(|limit| elapsed >= limit && began.cpu.elapsed() >= limit) {
            return Some(LimitExceeded::Time);
        }
        if elapsed < began.weighing {
            return None;
        }
        began.weighing = elapsed + WEIGHING;
        let weight = memory_stats::memory_stats()?.physical_mem as u64;
        let grown = weight.saturating_sub(*self.weight.get_or_insert(weight));
        (grown > self.memory.saturating_mul(MEMORIES)).then_some(LimitExceeded::Memory)
    }

    /// Returns the error message of a call that exceeded a limit.
    pub(in crate::evm) fn explain(&self, excess: LimitExceeded) -> String {
        match excess {
            LimitExceeded::Time => {
                let seconds = self.limit.unwrap_or_default().as_secs_f64();
                if self.limit.is_some_and(|limit| self.slept > limit) {
                    return format!("ended before it slept more than {seconds} s (harvey.call_timeout)");
                }
                format!(
                    "ended after {seconds} s of CPU time, the most that a call may take (harvey.call_timeout)"
                )
            }
            LimitExceeded::Memory => {
                "ended after the calls of one run took more memory than a multiple of `memory_limit`"
                    .to_owned()
            }
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new(LEAST_MEMORY)
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits").field("in_call", &self.in_call).finish_non_exhaustive()
    }
}

/// Returns the time limit for a function whose calls were ended this number of times. It is halved each time,
/// since the calls use time that others could use.
pub(crate) fn halved(limit: Option<Duration>, times: u32) -> Option<Duration> {
    limit.map(|limit| limit / (1 << times.min(MOST_HALVINGS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jumps_until_end(limits: &mut Limits, most: u32) -> Option<u32> {
        (0..most).find(|_| limits.check().is_err())
    }

    #[test]
    fn a_call_ends_when_its_time_is_up_and_the_next_one_may_run() {
        let mut limits = Limits { limit: Some(Duration::ZERO), ..Limits::default() };
        limits.begin_call();
        assert_eq!(jumps_until_end(&mut limits, 10_000), Some(STEPS_PER_LOOK - 1));
        assert!(limits.excess == Some(LimitExceeded::Time) && !limits.in_call);
        assert!(limits.check().is_err(), "it stays ended");
        limits.limit = Some(Duration::from_secs(3600));
        limits.begin_call();
        assert_eq!(jumps_until_end(&mut limits, 10_000), None);
        assert_eq!(limits.excess, None);
    }

    #[test]
    fn what_is_requested_ends_calls_without_a_limit() {
        let mut limits = Limits { requested: Some(Arc::new(|| true)), ..Limits::default() };
        assert!(jumps_until_end(&mut limits, 10_000).is_some());
        assert!(limits.in_call && limits.excess.is_none());
        limits.begin_call();
        assert!(limits.check().is_err(), "the campaign is over");
    }

    #[test]
    fn the_gas_of_precompiles_counts() {
        let mut limits = Limits { limit: Some(Duration::ZERO), ..Limits::default() };
        limits.worked(u64::MAX);
        assert!(limits.check().is_err());
    }

    #[test]
    fn a_run_ends_that_holds_more_than_it_may() {
        let mut limits = Limits { memory: 8 << 20, ..Limits::new(0) };
        let mut held = Vec::new();
        let mut hold = |limits: &mut Limits, mebibytes: usize| {
            held.push(vec![1_u8; mebibytes << 20]);
            std::thread::sleep(WEIGHING);
            limits.ends()
        };
        limits.begin_run();
        limits.begin_call();
        assert!(!limits.ends());
        assert!(!hold(&mut limits, 1));
        limits.begin_call();
        assert!(!limits.ends());
        assert!(hold(&mut limits, 256) && limits.excess == Some(LimitExceeded::Memory));
        // Memory held by others does not count for a run.
        limits.begin_run();
        limits.begin_call();
        assert!(!limits.ends());
        assert!(!hold(&mut limits, 1));
    }

    #[test]
    fn what_is_held_counts_until_it_is_undone() {
        let mut limits = Limits { memory: 1 << 20, ..Limits::new(0) };
        limits.begin_run();
        let holds = |limits: &mut Limits, times: usize| {
            limits.begin_call();
            (0..times).for_each(|_| limits.holds(1 << 20));
            limits.ends()
        };
        assert!(!holds(&mut limits, 3));
        assert!(holds(&mut limits, 2));
        limits.undo_call();
        assert!(!holds(&mut limits, 1));
        assert!(holds(&mut limits, 1));
    }

    #[test]
    fn naps_add_up() {
        let mut limits = Limits { limit: Some(Duration::from_secs(10)), ..Limits::default() };
        let nap = Duration::from_secs(6);
        assert!(limits.may_sleep(nap) && !limits.may_sleep(nap));
        limits.begin_call();
        assert!(limits.may_sleep(nap));
    }

    #[test]
    fn functions_that_are_late_get_less_and_never_nothing() {
        let limit = Some(Duration::from_secs(64));
        let after = |times| halved(limit, times).unwrap().as_secs();
        assert_eq!([0, 1, 2, 6, 7, 1000].map(after), [64, 32, 16, 1, 1, 1]);
        assert_eq!(halved(None, 3), None);
    }
}
