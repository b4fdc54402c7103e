//! `vm.expectEmit`: the next log is a template, and the next call must emit its like.

use super::EndedCall;
use crate::evm::cheats::{
    dispatch::{CheatResult, Cheatcode, Cx, done},
    vm::Vm,
};
use alloy_primitives::{Address, B256, Log, LogData, hex};
use alloy_sol_types::SolValue;
use std::collections::BTreeMap;

/// Expected logs in the order declared, those that were met behind the others.
#[derive(Clone, Debug, Default)]
pub(super) struct ExpectedEmits(Vec<ExpectedEmit>);

/// Log that the next call must emit.
#[derive(Clone, Debug)]
struct ExpectedEmit {
    /// Depth of calls made by the contract that expects it.
    depth: usize,
    /// First log after the cheatcode, once there was one.
    template: Option<LogData>,
    /// Topics 0 to 3 and the data: true for those that must agree.
    checks: [bool; 5],
    emitter: Option<Address>,
    anonymous: bool,
    /// Number of such logs; zero forbids them.
    count: u64,
    /// Matching logs so far, by emitter.
    seen: BTreeMap<Address, u64>,
    found: bool,
    /// Difference of the last log that did not match.
    mismatch: Option<String>,
}

impl ExpectedEmits {
    /// Tells whether the next transaction may emit any logs.
    pub(super) fn is_quiet(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes a log as a template, or compares it with the expectation whose turn it is.
    pub(super) fn on_log(&mut self, log: &Log) {
        let Self(emits) = self;
        if emits.iter().all(|emit| emit.found) {
            return;
        }
        if let Some(forbidden) = emits.iter_mut().find(|emit| emit.count == 0 && emit.agrees(log)) {
            forbidden.mismatch = Some("log emitted but expected 0 times".into());
            return;
        }
        if emits.iter().any(|emit| emit.template.is_none()) {
            let last = emits.iter().position(|emit| emit.found).unwrap_or(emits.len()).saturating_sub(1);
            if emits[last].template.is_none() {
                emits[last].fill(log);
                return;
            }
        }
        let Some(turn) = emits.iter().position(|emit| !emit.found && emit.count > 0) else { return };
        let mut emit = emits.remove(turn);
        emit.compare(log);
        let place = if emit.found { emits.len() } else { 0 };
        emits.insert(place, emit);
    }

    /// Checks the expectations when a call made at their depth returns; static calls and those that revert do not
    /// count.
    pub(super) fn on_call_end(&mut self, ended: &mut EndedCall<'_>, is_static: bool) {
        let Self(emits) = self;
        if is_static || !ended.result.is_ok() || emits.iter().all(|emit| emit.depth != ended.depth) {
            return;
        }
        let missed = emits.iter().find(|emit| emit.count > 0 && !emit.found || emit.violated());
        if let Some(missed) = missed {
            let text = missed.mismatch.clone().unwrap_or_else(|| "log != expected log".into());
            // Forge sends the bare text, without the selector of an error.
            ended.fail_with(text.abi_encode().into());
            return;
        }
        let miscounted = emits.iter().find(|emit| emit.total() != emit.count);
        let Some(miscounted) = miscounted else {
            emits.clear();
            return;
        };
        let text = if ended.result.result.is_ok() {
            format!("log emitted {} times, expected {}", miscounted.total(), miscounted.count)
        } else {
            REVERTED.to_owned()
        };
        ended.fail(text);
    }

    /// Checks that nothing is left to be emitted when a transaction succeeds.
    pub(super) fn finish(&mut self, ended: &mut EndedCall<'_>) {
        self.0.retain(|emit| emit.count > 0 && !emit.found);
        if !self.0.is_empty() {
            let text = if ended.result.result.is_ok() { SILENT } else { REVERTED };
            ended.fail(text.to_owned());
        }
    }
}

const REVERTED: &str = "expected an emit, but the call reverted instead. \
    ensure you're testing the happy path when using `expectEmit`";

const SILENT: &str = "expected an emit, but no logs were emitted afterwards. \
    you might have mismatched events or not enough events were emitted";

impl ExpectedEmit {
    /// Counts a log that agrees and remembers what is wrong with one that does not.
    fn compare(&mut self, log: &Log) {
        let Some(template) = &self.template else { return };
        if self.alike(log) {
            *self.seen.entry(log.address).or_default() += 1;
        } else {
            self.mismatch = Some(mismatch(template, &log.data, self.checks, self.anonymous));
            return;
        }
        match self.emitter {
            Some(emitter) if emitter != log.address => {
                self.mismatch =
                    Some(format!("log emitter mismatch: expected={emitter:#x}, got={:#x}", log.address));
            }
            _ => self.found = self.total() >= self.count,
        }
    }

    fn fill(&mut self, log: &Log) {
        if self.anonymous || !log.topics().is_empty() {
            self.template = Some(log.data.clone());
        } else {
            self.mismatch = Some("use vm.expectEmitAnonymous to match anonymous events".into());
        }
    }

    /// Tells whether topics and data agree as far as they are checked.
    fn alike(&self, log: &Log) -> bool {
        let Some(template) = &self.template else { return false };
        template.topics().len() == log.topics().len()
            && template
                .topics()
                .iter()
                .zip(log.topics())
                .zip(self.checks)
                .all(|((a, b), check)| !check || a == b)
            && (!self.checks[4] || template.data == log.data.data)
    }

    fn agrees(&self, log: &Log) -> bool {
        self.alike(log) && self.emitter.is_none_or(|emitter| emitter == log.address)
    }

    /// Tells whether a log that must not appear has appeared.
    fn violated(&self) -> bool {
        self.count == 0 && self.mismatch.is_some()
    }

    /// Returns the number of matching logs from the expected emitter, or from all.
    fn total(&self) -> u64 {
        match self.emitter {
            Some(emitter) => self.seen.get(&emitter).copied().unwrap_or_default(),
            None => self.seen.values().sum(),
        }
    }
}

/// Names the parameters that differ when the two logs are of one event.
fn mismatch(expected: &LogData, actual: &LogData, checks: [bool; 5], anonymous: bool) -> String {
    const OTHER_EVENT: &str = "log != expected log";
    let signed = usize::from(!anonymous);
    let (topics, got) = (expected.topics(), actual.topics());
    let same_shape = topics.len() == got.len()
        && (anonymous || !checks[0] || topics.first() == got.first())
        && (!checks[4]
            || expected.data == actual.data
            || (expected.data.len() == actual.data.len() && expected.data.len().is_multiple_of(32)));
    if !same_shape {
        return OTHER_EVENT.into();
    }
    let differs = |index: usize, expected: &[u8], got: &[u8]| {
        let (expected, got) = (hex::encode_prefixed(expected), hex::encode_prefixed(got));
        format!("param {index}: expected={expected}, got={got}")
    };
    let indexed = topics.iter().zip(got).enumerate().skip(signed);
    let mut differences: Vec<String> = indexed
        .filter(|(index, (a, b))| checks[*index] && a != b)
        .map(|(index, (a, b))| differs(index - signed, B256::as_slice(a), b.as_slice()))
        .collect();
    if checks[4] {
        let words = expected.data.chunks(32).zip(actual.data.chunks(32)).enumerate();
        let first = topics.len().saturating_sub(signed);
        differences
            .extend(words.filter(|(_, (a, b))| a != b).map(|(word, (a, b))| differs(first + word, a, b)));
    }
    if differences.is_empty() {
        OTHER_EVENT.into()
    } else {
        let kind = if anonymous { "anonymous log" } else { "log" };
        format!("{kind} mismatch at {}", differences.join(", "))
    }
}

fn expect(cx: &mut Cx<'_>, checks: [bool; 5], emitter: Option<Address>, anonymous: bool, count: u64) {
    let emit = ExpectedEmit {
        depth: cx.depth(),
        template: None,
        checks,
        emitter,
        anonymous,
        count,
        seen: BTreeMap::new(),
        found: false,
        mismatch: None,
    };
    let emits = &mut cx.cheats.expectations.emits.0;
    let place = emits.iter().position(|emit| emit.found).unwrap_or(emits.len());
    emits.insert(place, emit);
}

/// Implements the overloads, which differ in what they give: checks, emitter, whether the event is anonymous, and
/// count.
macro_rules! expectations {
    ($($call:ident($self:ident => $checks:expr, $emitter:expr, $anonymous:literal, $count:expr);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                expect(cx, $checks, $emitter, $anonymous, $count);
                done()
            }
        }
    )*};
}

expectations! {
    expectEmit_0Call(self => [true; 5], None, false, 1);
    expectEmit_1Call(self => [true; 5], Some(self.emitter), false, 1);
    expectEmit_2Call(self => [true; 5], None, false, self.count);
    expectEmit_3Call(self => [true; 5], Some(self.emitter), false, self.count);
    expectEmit_4Call(self => [true, self.topic1, self.topic2, self.topic3, self.data], None, false, 1);
    expectEmit_5Call(self =>
        [true, self.topic1, self.topic2, self.topic3, self.data], Some(self.emitter), false, 1);
    expectEmit_6Call(self =>
        [true, self.topic1, self.topic2, self.topic3, self.data], None, false, self.count);
    expectEmit_7Call(self =>
        [true, self.topic1, self.topic2, self.topic3, self.data], Some(self.emitter), false, self.count);
    expectEmitAnonymous_0Call(self => [true; 5], None, true, 1);
    expectEmitAnonymous_1Call(self => [true; 5], Some(self.emitter), true, 1);
    expectEmitAnonymous_2Call(self =>
        [self.topic0, self.topic1, self.topic2, self.topic3, self.data], None, true, 1);
    expectEmitAnonymous_3Call(self =>
        [self.topic0, self.topic1, self.topic2, self.topic3, self.data], Some(self.emitter), true, 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{Lab, Program, WHO, reason};
    use alloy_primitives::U256;

    const EMITTER: Address = Address::repeat_byte(1);
    const EVENT: B256 = B256::repeat_byte(0xee);

    fn word(value: u8) -> [u8; 32] {
        U256::from(value).to_be_bytes()
    }

    /// Expects the event with the word 1, and calls a contract that emits it with `emitted`.
    fn run(expectation: &impl alloy_sol_types::SolCall, emitted: u8) -> Result<(), String> {
        let mut lab = Lab::new();
        lab.put(EMITTER, &Program::new().log(EVENT, word(emitted)).assemble());
        let output = lab.run(&Program::new().vm(expectation).log(EVENT, word(1)).must(EMITTER, []));
        if output.is_success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.output).into_owned()) }
    }

    #[test]
    fn the_next_call_must_emit_the_template() {
        assert_eq!(run(&Vm::expectEmit_0Call {}, 1), Ok(()));
        let error = run(&Vm::expectEmit_0Call {}, 2).unwrap_err();
        assert!(error.contains("log mismatch at param 0: expected=0x00"), "{error}");
    }

    #[test]
    fn what_is_not_checked_may_differ() {
        let topics_only = Vm::expectEmit_4Call { topic1: true, topic2: true, topic3: true, data: false };
        assert_eq!(run(&topics_only, 2), Ok(()));
    }

    #[test]
    fn the_emitter_is_compared_when_given() {
        assert_eq!(run(&Vm::expectEmit_1Call { emitter: EMITTER }, 1), Ok(()));
        let error = run(&Vm::expectEmit_1Call { emitter: WHO }, 1).unwrap_err();
        assert!(error.contains("log emitter mismatch"), "{error}");
    }

    #[test]
    fn a_forbidden_log_fails_the_call() {
        assert_eq!(run(&Vm::expectEmit_2Call { count: 0 }, 2), Ok(()));
        assert!(run(&Vm::expectEmit_2Call { count: 0 }, 1).is_err());
    }

    #[test]
    fn a_transaction_must_not_end_before_the_emit() {
        let output = Lab::new().run(&Program::new().vm(&Vm::expectEmit_0Call {}).log(EVENT, word(1)));
        assert!(reason(&output.output).starts_with("expected an emit, but no logs were emitted afterwards."));
    }
}
