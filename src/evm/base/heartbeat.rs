//! Current call of each thread, for a watchdog on another thread. A call checks its limits between
//! instructions, but a single instruction, cheatcode or answer of a node can take long.

use super::limits::EndsWhen;
use crate::model::ContractId;
use alloy_primitives::{Address, Selector};
use std::{
    cell::RefCell,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// A top-level call that has not ended.
#[derive(Clone)]
pub struct Running {
    /// Called account; `None` for a creation.
    pub callee: Option<Address>,
    /// Called function, if the calldata has a selector.
    pub selector: Option<Selector>,
    /// Purpose of the call.
    pub purpose: Purpose,
    /// CPU time limit, if there is one.
    pub limit: Option<Duration>,
    since: Instant,
    /// Time that it waited for nodes and other programs, apart from the current wait.
    waited: Duration,
    waits_since: Option<Instant>,
}

impl Running {
    /// Creates a call that begins now.
    pub(in crate::evm) fn new(
        callee: Option<Address>,
        selector: Option<Selector>,
        limit: Option<Duration>,
    ) -> Self {
        let (since, waited, waits_since) = (Instant::now(), Duration::ZERO, None);
        Self { callee, selector, purpose: Purpose::Unknown, limit, since, waited, waits_since }
    }

    /// Returns the time at which the call began.
    #[must_use]
    pub fn began(&self) -> Instant {
        self.since
    }

    /// Tells whether the call waits for a node or another program.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.waits_since.is_some()
    }

    /// Returns the time since the call began, waiting included.
    #[must_use]
    pub fn age(&self) -> Duration {
        self.since.elapsed()
    }

    /// Returns the time since the call began, without waiting for nodes and other programs.
    #[must_use]
    pub fn busy(&self) -> Duration {
        let waits = self.waits_since.map_or(Duration::ZERO, |since| since.elapsed());
        self.age().saturating_sub(self.waited + waits)
    }
}

/// Purpose of calls.
#[derive(Clone, Default)]
pub enum Purpose {
    /// No purpose was set.
    #[default]
    Unknown,
    /// Building of the state after `setUp` of a suite.
    Build(ContractId),
    /// Runs on that state.
    Run(Arc<dyn ContractNames>),
}

/// Names of contracts by address, for reports on a call that does not end.
pub trait ContractNames: Send + Sync {
    /// Returns `path:Name` of the contract at `address`, or the address itself.
    fn contract_name(&self, address: Address) -> String;
}

/// Current call of a thread.
#[derive(Default)]
pub struct Heartbeat(Mutex<HeartbeatState>);

#[derive(Default)]
struct HeartbeatState {
    running: Option<Running>,
    purpose: Purpose,
    /// Callback that ends waiting for nodes and other programs once it returns true.
    ends_when: Option<EndsWhen>,
}

thread_local! {
    static OWN: RefCell<Arc<Heartbeat>> = RefCell::default();
}

impl Heartbeat {
    /// Returns the heartbeat of the current thread.
    #[must_use]
    pub fn of_this_thread() -> Arc<Self> {
        OWN.with_borrow(Arc::clone)
    }

    /// Returns the running call.
    #[must_use]
    pub fn running(&self) -> Option<Running> {
        let beat = self.beat();
        Some(Running { purpose: beat.purpose.clone(), ..beat.running.clone()? })
    }

    /// Forgets the purpose of the calls, which keeps the state that they ran on alive.
    pub fn rest(&self) {
        *self.beat() = HeartbeatState::default();
    }

    fn beat(&self) -> MutexGuard<'_, HeartbeatState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sets the purpose of the next calls of this thread.
pub(in crate::evm) fn turn_to(purpose: Purpose) {
    OWN.with_borrow(|heartbeat| heartbeat.beat().purpose = purpose);
}

/// Runs a top-level call while the heartbeat shows it.
pub(in crate::evm) fn during<T>(running: Running, ends_when: Option<EndsWhen>, run: impl FnOnce() -> T) -> T {
    OWN.with_borrow(|heartbeat| {
        let mut beat = heartbeat.beat();
        (beat.running, beat.ends_when) = (Some(running), ends_when);
    });
    let result = run();
    OWN.with_borrow(|heartbeat| heartbeat.beat().running = None);
    result
}

/// Sets the callback that ends waiting for nodes and other programs, until the next call begins.
pub(in crate::evm) fn wait_until(ends: EndsWhen) {
    OWN.with_borrow(|heartbeat| heartbeat.beat().ends_when = Some(ends));
}

/// Tells whether waiting for nodes and other programs should end.
pub(in crate::evm) fn is_over() -> bool {
    let ends_when = OWN.with_borrow(|heartbeat| heartbeat.beat().ends_when.clone());
    ends_when.is_some_and(|ends| ends())
}

/// Waits for a node or another program. That time does not count as the call's.
pub(in crate::evm) fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    let begin = |running: &mut Running| running.waits_since = Some(Instant::now());
    let end = |running: &mut Running| {
        let since = running.waits_since.take();
        running.waited += since.map_or(Duration::ZERO, |since| since.elapsed());
    };
    OWN.with_borrow(|heartbeat| heartbeat.beat().running.as_mut().map(begin));
    let result = wait();
    OWN.with_borrow(|heartbeat| heartbeat.beat().running.as_mut().map(end));
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_shows_while_it_runs_and_waiting_is_not_its_time() {
        let heartbeat = Heartbeat::of_this_thread();
        assert!(heartbeat.running().is_none());
        let nap = Duration::from_millis(20);
        let selector = Selector::new([1, 2, 3, 4]);
        let call = Running::new(Some(Address::with_last_byte(7)), Some(selector), Some(nap));
        during(call, Some(Arc::new(|| true)), || {
            assert!(is_over());
            waiting(|| {
                std::thread::sleep(nap);
                assert!(heartbeat.running().unwrap().busy() < nap);
            });
            let running = heartbeat.running().unwrap();
            assert_eq!((running.callee, running.limit), (Some(Address::with_last_byte(7)), Some(nap)));
            assert_eq!(running.selector, Some(selector));
            assert!(running.age() >= nap && running.busy() <= running.age() - nap);
            let seen = std::thread::scope(|scope| scope.spawn(|| heartbeat.running().is_some()).join());
            assert!(seen.unwrap());
        });
        assert!(heartbeat.running().is_none());
    }

    #[test]
    fn a_heartbeat_at_rest_keeps_nothing_alive() {
        struct Names;
        impl ContractNames for Names {
            fn contract_name(&self, address: Address) -> String {
                address.to_string()
            }
        }
        let names = Arc::new(Names);
        turn_to(Purpose::Run(names.clone()));
        assert_eq!(Arc::strong_count(&names), 2);
        Heartbeat::of_this_thread().rest();
        assert_eq!(Arc::strong_count(&names), 1);
    }
}
