//! Watchdog that ends a run if a call does not end.
//!
//! Calls check their time themselves ([`crate::evm`]) and end on their own. These checks cannot interrupt a
//! single instruction, cheatcode or answer of a node, so the watchdog handles those. It runs on the thread
//! that prints. Threads cannot be stopped, so calls that still run are left behind, and the process ends with
//! the results known so far.

use super::{CancellationToken, Plan, store::hung_calls::HungCall};
use crate::{
    evm::base::{
        heartbeat::{Heartbeat, Purpose, Running},
        limits::MEMORIES,
    },
    model::ContractId,
    project::Project,
};
use cpu_time::ProcessTime;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Interval between two checks.
pub(super) const TICK: Duration = Duration::from_millis(50);

/// Time that a call may take beyond twice its limit. Its own checks are far apart while instructions move
/// much memory.
const SLACK: Duration = Duration::from_secs(5);

/// Minimum part of the time by which [`CallProgress`] grows, so that a call that blocks without work is noticed as
/// well.
const LEAST_PROGRESS: u32 = 8;

/// Time after the requested end of a run for which calls are waited for, and minimum age of a call that is
/// then given up.
const PATIENCE: Duration = Duration::from_secs(5);
const LONG: Duration = Duration::from_secs(1);

/// Memory that a process may use beside twice the memory limit of the EVM, in bytes.
const MEMORY: u64 = 1 << 30;

/// Excess over that memory, in bytes, at which threads are no longer waited for.
const EXCESS: u64 = 1 << 29;

/// Heartbeat of a thread, with the index of the suite on which it works.
type SuiteHeartbeat = (usize, Arc<Heartbeat>);

/// Heartbeats of all threads.
#[derive(Clone, Default)]
pub(super) struct Heartbeats(Arc<Mutex<Vec<SuiteHeartbeat>>>);

/// Thread that is watched until this is dropped.
pub(super) struct WatchedThread {
    heartbeats: Heartbeats,
    heartbeat: Arc<Heartbeat>,
}

impl Heartbeats {
    /// Watches the calling thread while it works on a suite.
    pub(super) fn watch(&self, suite: usize) -> WatchedThread {
        let heartbeat = Heartbeat::of_this_thread();
        self.all().push((suite, heartbeat.clone()));
        WatchedThread { heartbeats: self.clone(), heartbeat }
    }

    fn all(&self) -> MutexGuard<'_, Vec<SuiteHeartbeat>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the running calls, each with the index of its suite.
    fn running(&self) -> Vec<(usize, Running)> {
        let all = self.all();
        all.iter().filter_map(|(suite, heartbeat)| Some((*suite, heartbeat.running()?))).collect()
    }
}

impl Drop for WatchedThread {
    fn drop(&mut self) {
        self.heartbeat.rest();
        self.heartbeats.all().retain(|(_, heartbeat)| !Arc::ptr_eq(heartbeat, &self.heartbeat));
    }
}

/// Time in which calls can make progress. On a machine that gives the process less CPU time than its threads could
/// use, it is shorter than the time that passes, so that no call is blamed for the work of other processes.
struct CallProgress {
    at: Instant,
    cpu: ProcessTime,
    /// Time that passed without progress, in total.
    lost: Duration,
    /// That time when each running call was first seen, by the time at which the call began.
    lost_before: HashMap<Instant, Duration>,
    /// That time when the end of the run was first noticed.
    lost_before_end: Option<Duration>,
}

impl CallProgress {
    fn new() -> Self {
        let (at, cpu) = (Instant::now(), ProcessTime::now());
        Self { at, cpu, lost: Duration::ZERO, lost_before: HashMap::new(), lost_before_end: None }
    }

    /// Adds the time since the last look, in which these calls were running. `ends` tells whether the run is to end.
    fn look(&mut self, running: &[(usize, Running)], ends: bool) {
        let (passed, cpu) = (self.at.elapsed(), self.cpu.elapsed());
        (self.at, self.cpu) = (Instant::now(), ProcessTime::now());
        let busy = running.iter().filter(|(_, running)| !running.is_waiting()).count();
        self.lost += passed.saturating_sub(progress(passed, cpu, busy));
        let mut lost_before = HashMap::new();
        for (_, running) in running {
            let began = running.began();
            lost_before.insert(began, self.lost_before.get(&began).copied().unwrap_or(self.lost));
        }
        self.lost_before = lost_before;
        if ends {
            self.lost_before_end.get_or_insert(self.lost);
        }
    }

    /// Returns the part of `time`, for which a call has been running, in which it could make progress.
    fn of_call(&self, running: &Running, time: Duration) -> Duration {
        let before = self.lost_before.get(&running.began()).copied().unwrap_or(self.lost);
        time.saturating_sub(self.lost - before)
    }

    /// Returns the part of the time since the end of the run was requested in which calls could make progress.
    fn since_end(&self, overdue: Duration) -> Duration {
        overdue.saturating_sub(self.lost - self.lost_before_end.unwrap_or(self.lost))
    }
}

/// Returns the progress of each of `busy` calls in a time in which the process had this CPU time.
fn progress(passed: Duration, cpu: Duration, busy: usize) -> Duration {
    match u32::try_from(busy) {
        Ok(busy @ 1..) => (cpu / busy).clamp(passed / LEAST_PROGRESS, passed),
        _ => passed,
    }
}

/// Reason for which a run is ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OverrunReason {
    /// A call did not end within its time limit.
    Time(Duration),
    /// A call was still running at the end of the run.
    End,
    /// The process used more than this number of bytes of memory.
    Memory(u64),
}

/// Call because of which the run was ended.
pub(super) struct OverrunningCall {
    /// Index of its suite.
    pub(super) suite: usize,
    pub(super) call: HungCall,
}

/// Watchdog of the threads of one run.
pub(super) struct Watchdog<'a> {
    plan: &'a Plan,
    project: &'a Project,
    heartbeats: Heartbeats,
    stop: CancellationToken,
    progress: CallProgress,
    /// Memory that the process may use, in bytes.
    memory: u64,
    /// Reason for which the run is being ended, and the call that caused it.
    why: Option<(OverrunReason, Option<(usize, Running)>)>,
}

impl<'a> Watchdog<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        project: &'a Project,
        heartbeats: Heartbeats,
        stop: CancellationToken,
    ) -> Self {
        let limit = plan.suites.iter().map(|suite| suite.config.env.memory_limit).max().unwrap_or_default();
        let threads = plan.options.threads.max(1) as u64 - 1;
        // A call is ended only when the process has grown by as much, and calls of several threads may do so at once.
        let memories = MEMORIES.saturating_mul(threads).saturating_add(2);
        let memory = weight().saturating_add(MEMORY).saturating_add(limit.saturating_mul(memories));
        Self { plan, project, heartbeats, stop, progress: CallProgress::new(), memory, why: None }
    }

    /// Checks the running calls from time to time. Returns true if the threads are no longer waited for.
    pub(super) fn gives_up(&mut self) -> bool {
        if self.progress.at.elapsed() < TICK {
            return false;
        }
        let (running, weight) = (self.heartbeats.running(), weight());
        let overdue = self.stop.overdue();
        self.progress.look(&running, overdue.is_some());
        if self.why.is_none()
            && let Some(why) = self.look(&running, weight)
        {
            self.why = Some(why);
            self.stop.overrun();
        }
        if weight > self.memory.saturating_add(EXCESS) {
            return true;
        }
        if overdue.is_none_or(|overdue| self.progress.since_end(overdue) < PATIENCE) {
            return false;
        }
        // At this point, calls that wait for a node or a program are given up, too.
        let Some(longest) = longest(running).filter(|(_, running)| running.age() >= LONG) else {
            return false;
        };
        self.why.get_or_insert((OverrunReason::End, Some(longest)));
        true
    }

    fn look(
        &self,
        running: &[(usize, Running)],
        weight: u64,
    ) -> Option<(OverrunReason, Option<(usize, Running)>)> {
        if weight > self.memory {
            return Some((OverrunReason::Memory(self.memory), longest(running.to_vec())));
        }
        let is_late = |running: &&(usize, Running)| {
            let busy = self.progress.of_call(&running.1, running.1.busy());
            running.1.limit.is_some_and(|limit| busy > limit * 2 + SLACK)
        };
        let late = running.iter().find(is_late)?;
        Some((OverrunReason::Time(late.1.limit.unwrap_or_default()), Some(late.clone())))
    }

    /// Tells whether the watchdog ended the run.
    pub(super) fn has_ended_it(&self) -> bool {
        self.why.is_some()
    }

    /// Returns the warning about an end of the run that no call caused.
    pub(super) fn warning(&self) -> Option<String> {
        match &self.why {
            Some((OverrunReason::Memory(most), None)) => Some(format!(
                "the run was ended, since the process used more than {} MiB: 1 GiB and twice `memory_limit`, and six times \
                 `memory_limit` for each further thread",
                most >> 20
            )),
            _ => None,
        }
    }

    /// Returns the call because of which the run was ended, if there is one.
    pub(super) fn culprit(&self) -> Option<OverrunningCall> {
        let (why, Some((suite, running))) = self.why.as_ref()? else { return None };
        let id = self.plan.suites.get(*suite)?.suite.id();
        let (contract, function) = self.name(id, running);
        let reason = match why {
            OverrunReason::Time(limit) => format!(
                "does not answer: it may take {} s of CPU time (harvey.call_timeout)",
                limit.as_secs_f64()
            ),
            OverrunReason::End => "does not answer: it was still running when the run ended".to_owned(),
            OverrunReason::Memory(most) => {
                format!("was running when the process used more than {} MiB of memory", most >> 20)
            }
        };
        Some(OverrunningCall { suite: *suite, call: HungCall { contract, function, reason } })
    }

    /// Returns the contract and the signature of a running call.
    fn name(&self, suite: &ContractId, running: &Running) -> (String, String) {
        let contract = match (&running.purpose, running.callee) {
            (Purpose::Run(names), Some(callee)) => names.contract_name(callee),
            (Purpose::Build(built), _) => built.to_string(),
            _ => suite.to_string(),
        };
        if running.callee.is_none() {
            return (contract, "constructor()".to_owned());
        }
        let own = ContractId::parse(&contract).and_then(|id| self.project.contract(&id));
        let contracts = own.into_iter().chain(self.project.contracts());
        let mut functions = contracts.flat_map(|contract| contract.abi.functions());
        let function = functions.find(|function| Some(function.selector()) == running.selector);
        let selector =
            || running.selector.map_or_else(|| "fallback()".to_owned(), |selector| selector.to_string());
        (contract, function.map_or_else(selector, |function| function.signature()))
    }
}

/// Returns the call that has been running longest.
fn longest(running: Vec<(usize, Running)>) -> Option<(usize, Running)> {
    running.into_iter().max_by_key(|(_, running)| running.age())
}

/// Returns the memory that the process uses, in bytes.
fn weight() -> u64 {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_not_blamed_for_the_work_of_other_processes() {
        let second = Duration::from_secs(1);
        assert_eq!(progress(second, second * 2, 2), second);
        // Two calls share a core with other processes.
        assert_eq!(progress(second, second / 2, 2), second / 4);
        // A call waits for a node, or blocks without work.
        assert_eq!(progress(second, Duration::ZERO, 0), second);
        assert_eq!(progress(second, Duration::ZERO, 1), second / 8);
    }
}
