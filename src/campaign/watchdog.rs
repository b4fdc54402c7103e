//! Ends a run whose calls do not end: no look at the time within a call can interrupt a single instruction, cheatcode or answer.
//!
//! Calls look at the time themselves ([`crate::evm`]) and give up on their own; this is for those that do not. It runs on the
//! thread that prints. Threads cannot be stopped, so what still runs is left behind, and the process ends with what is known.

use super::{CancellationToken, Plan, store::unanswered::Unanswered};
use crate::{
    evm::base::heartbeat::{Heartbeat, Purpose, Running},
    model::ContractId,
    project::Project,
};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// How often it looks.
pub(super) const TICK: Duration = Duration::from_millis(50);

/// What a call may take beyond twice its time: looks are far apart where instructions move much memory.
const SLACK: Duration = Duration::from_secs(5);

/// How long after the end of a run calls are waited for, and how long one of them must have been running to be given up.
const PATIENCE: Duration = Duration::from_millis(3500);
const LONG: Duration = Duration::from_secs(1);

/// What a process may use beside twice the memory of the EVM, and for each thread beyond the first, bytes.
const MEMORY: u64 = 1 << 30;
const MEMORY_PER_THREAD: u64 = 1 << 28;

/// How much more than that is too much to wait any longer, bytes.
const EXCESS: u64 = 1 << 29;

/// A thread's pulse, and the index of the suite that it works on.
type SuiteHeartbeat = (usize, Arc<Heartbeat>);

/// The pulses of all threads.
#[derive(Clone, Default)]
pub(super) struct Heartbeats(Arc<Mutex<Vec<SuiteHeartbeat>>>);

/// A thread that is watched, until it is dropped.
pub(super) struct WatchedThread {
    heartbeats: Heartbeats,
    heartbeat: Arc<Heartbeat>,
}

impl Heartbeats {
    /// Watches the thread that asks while it works on a suite.
    pub(super) fn watch(&self, suite: usize) -> WatchedThread {
        let heartbeat = Heartbeat::of_this_thread();
        self.all().push((suite, heartbeat.clone()));
        WatchedThread { heartbeats: self.clone(), heartbeat }
    }

    fn all(&self) -> MutexGuard<'_, Vec<SuiteHeartbeat>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What runs, with the suite of each.
    fn running(&self) -> Vec<(usize, Running)> {
        let all = self.all();
        all.iter().filter_map(|(suite, heartbeat)| Some((*suite, heartbeat.running()?))).collect()
    }
}

impl Drop for WatchedThread {
    fn drop(&mut self) {
        self.heartbeats.all().retain(|(_, heartbeat)| !Arc::ptr_eq(heartbeat, &self.heartbeat));
    }
}

/// Why a run is ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OverrunReason {
    /// A call does not answer within its time.
    Time(Duration),
    /// A call does not answer at the end of the run.
    End,
    /// The process uses more memory than this, bytes.
    Memory(u64),
}

/// A call that ended the run.
pub(super) struct OverrunningCall {
    /// Index of its suite.
    pub(super) suite: usize,
    pub(super) call: Unanswered,
}

/// Watches the threads of one run.
pub(super) struct Watchdog<'a> {
    plan: &'a Plan,
    project: &'a Project,
    heartbeats: Heartbeats,
    stop: CancellationToken,
    looked: Instant,
    /// What the process may use, bytes.
    memory: u64,
    /// Why the run is being ended, and the call that is to blame.
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
        let own = MEMORY_PER_THREAD.saturating_mul(threads).saturating_add(MEMORY);
        let memory = weight().saturating_add(own).saturating_add(limit.saturating_mul(2));
        Self { plan, project, heartbeats, stop, looked: Instant::now(), memory, why: None }
    }

    /// Looks at what runs, now and then; says whether the threads are not waited for any longer.
    pub(super) fn gives_up(&mut self) -> bool {
        if self.looked.elapsed() < TICK {
            return false;
        }
        self.looked = Instant::now();
        let (running, weight) = (self.heartbeats.running(), weight());
        if self.why.is_none()
            && let Some(why) = self.look(&running, weight)
        {
            self.why = Some(why);
            self.stop.overrun();
        }
        if weight > self.memory.saturating_add(EXCESS) {
            return true;
        }
        if self.stop.overdue().is_none_or(|overdue| overdue < PATIENCE) {
            return false;
        }
        // By then those that wait for others are given up as well.
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
            running.1.limit.is_some_and(|limit| running.1.busy() > limit * 2 + SLACK)
        };
        let late = running.iter().find(is_late)?;
        Some((OverrunReason::Time(late.1.limit.unwrap_or_default()), Some(late.clone())))
    }

    /// Whether it ended the run.
    pub(super) fn has_ended_it(&self) -> bool {
        self.why.is_some()
    }

    /// What to say of an end that is nobody's fault.
    pub(super) fn warning(&self) -> Option<String> {
        match &self.why {
            Some((OverrunReason::Memory(most), None)) => Some(format!(
                "the run was ended, since the process used more than {} MiB: 1 GiB and twice `memory_limit`, and 256 MiB for \
                 each further thread",
                most >> 20
            )),
            _ => None,
        }
    }

    /// The call that ended the run, unless it was interrupted.
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
        Some(OverrunningCall { suite: *suite, call: Unanswered { contract, function, reason } })
    }

    /// Contract and signature of what runs.
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

/// What has been running longest.
fn longest(running: Vec<(usize, Running)>) -> Option<(usize, Running)> {
    running.into_iter().max_by_key(|(_, running)| running.age())
}

/// Bytes that the process uses.
fn weight() -> u64 {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}
