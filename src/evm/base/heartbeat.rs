//! What each thread runs right now, for a watchdog on another thread: one instruction, cheatcode or answer of a node can take
//! longer than any look at the time within a call.

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
    /// The account that is called; `None` for a creation.
    pub callee: Option<Address>,
    /// The function, where the calldata names one.
    pub selector: Option<Selector>,
    /// What the call is made for.
    pub purpose: Purpose,
    /// CPU time that it may take, if there is a bound.
    pub limit: Option<Duration>,
    since: Instant,
    /// How long it waited for others.
    waited: Duration,
    waits_since: Option<Instant>,
}

impl Running {
    /// Returns a call that begins now.
    pub(in crate::evm) fn new(
        callee: Option<Address>,
        selector: Option<Selector>,
        limit: Option<Duration>,
    ) -> Self {
        let (since, waited, waits_since) = (Instant::now(), Duration::ZERO, None);
        Self { callee, selector, purpose: Purpose::Unknown, limit, since, waited, waits_since }
    }

    /// How long it has been running, with the time for which it waited for others.
    #[must_use]
    pub fn age(&self) -> Duration {
        self.since.elapsed()
    }

    /// How long it has been running without waiting for a node or a program.
    #[must_use]
    pub fn busy(&self) -> Duration {
        let waits = self.waits_since.map_or(Duration::ZERO, |since| since.elapsed());
        self.age().saturating_sub(self.waited + waits)
    }
}

/// What calls are made for.
#[derive(Clone, Default)]
pub enum Purpose {
    /// Nothing that was told.
    #[default]
    Unknown,
    /// To build the state after `setUp` of a suite.
    Build(ContractId),
    /// To run something on that state.
    Run(Arc<dyn ContractNames>),
}

/// Names of contracts by address, for reports on a call that does not end.
pub trait ContractNames: Send + Sync {
    /// Returns `path:Name` of the contract at `address`, or the address itself.
    fn contract_name(&self, address: Address) -> String;
}

/// The call that a thread runs.
#[derive(Default)]
pub struct Heartbeat(Mutex<HeartbeatState>);

#[derive(Default)]
struct HeartbeatState {
    running: Option<Running>,
    purpose: Purpose,
    /// What ends waiting for others.
    ends_when: Option<EndsWhen>,
}

thread_local! {
    static OWN: RefCell<Arc<Heartbeat>> = RefCell::default();
}

impl Heartbeat {
    /// That of the thread that asks.
    #[must_use]
    pub fn of_this_thread() -> Arc<Self> {
        OWN.with_borrow(Arc::clone)
    }

    /// The call that runs.
    #[must_use]
    pub fn running(&self) -> Option<Running> {
        let beat = self.beat();
        Some(Running { purpose: beat.purpose.clone(), ..beat.running.clone()? })
    }

    fn beat(&self) -> MutexGuard<'_, HeartbeatState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says what the calls to come of this thread are made for.
pub(in crate::evm) fn turn_to(purpose: Purpose) {
    OWN.with_borrow(|heartbeat| heartbeat.beat().purpose = purpose);
}

/// Runs a top-level call.
pub(in crate::evm) fn during<T>(running: Running, ends_when: Option<EndsWhen>, run: impl FnOnce() -> T) -> T {
    OWN.with_borrow(|heartbeat| {
        let mut beat = heartbeat.beat();
        (beat.running, beat.ends_when) = (Some(running), ends_when);
    });
    let result = run();
    OWN.with_borrow(|heartbeat| heartbeat.beat().running = None);
    result
}

/// Until the next call, waiting for others ends once `ends` says so.
pub(in crate::evm) fn wait_until(ends: EndsWhen) {
    OWN.with_borrow(|heartbeat| heartbeat.beat().ends_when = Some(ends));
}

/// Whether waiting for others is to end.
pub(in crate::evm) fn is_over() -> bool {
    let ends_when = OWN.with_borrow(|heartbeat| heartbeat.beat().ends_when.clone());
    ends_when.is_some_and(|ends| ends())
}

/// Waits for somebody else, which is not the call's time.
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
}
