//! Distinction between counterexamples that Forge can confirm by replaying a file, and those that only a
//! Solidity reproducer can show.

use crate::{
    config::ForgeVersion,
    model::{AssertionKind, Counterexample, SequenceCall},
};

/// Failure at the end of a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows<'a> {
    /// The state after the last call breaks the invariant, or `afterInvariant` fails in it.
    Invariant,
    /// The last call reverts, which `fail_on_revert` forbids.
    Revert,
    /// An assertion fails in the last call and reaches its top.
    Assertion {
        /// Kind of assertion.
        kind: AssertionKind,
        /// The reason as Forge prints it.
        reason: &'a str,
    },
}

impl Shows<'_> {
    /// Tells whether Forge's replay takes the last call for a failed assertion of a handler.
    ///
    /// Forge decides by the revert data of the top-level call: a custom message hides a `vm.assert*`, and an
    /// INVALID in a nested call is a plain revert. A file has `assertion_failure: true` exactly if this
    /// returns true: with that flag, Forge 1.7.1 passes a sequence that breaks the invariant, or that reverts
    /// under `fail_on_revert`.
    #[must_use]
    pub fn assertion_for_forge(&self) -> bool {
        let Self::Assertion { kind, reason } = *self else { return false };
        match kind {
            AssertionKind::Panic => reason == "panic: assertion failed (0x01)",
            AssertionKind::Invalid => reason == "EvmError: InvalidFEOpcode",
            AssertionKind::VmAssert => reason.starts_with("assertion failed"),
            AssertionKind::FailFlag => true,
            AssertionKind::ArbitraryWrite | AssertionKind::Oracle => false,
        }
    }
}

/// Rules by which Forge replays the file of an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayRules {
    /// Version of Forge.
    pub forge: ForgeVersion,
    /// `depth` of the invariant, in calls.
    pub depth: u32,
    /// `fail_on_revert` of the invariant.
    pub fail_on_revert: bool,
}

/// Tells whether Forge can confirm a counterexample by replaying a file of it; the error is the reason that it
/// cannot.
pub fn expressible(
    counterexample: &Counterexample,
    shows: &Shows<'_>,
    rules: ReplayRules,
) -> Result<(), String> {
    let ReplayRules { forge, depth, fail_on_revert } = rules;
    let name = forge.name();
    let calls = &counterexample.calls;
    if matches!(shows, Shows::Assertion { kind: AssertionKind::ArbitraryWrite | AssertionKind::Oracle, .. }) {
        return Err("it breaks no assertion, and Forge looks for nothing else".into());
    }
    if calls.is_empty() {
        return Err("it needs no call, and Forge replays only sequences".into());
    }
    if calls.len() > depth as usize {
        return Err(format!(
            "it has {} calls, and Forge replays no more than `depth` = {depth}",
            calls.len()
        ));
    }
    for (index, call) in calls.iter().enumerate() {
        if let Some(why) = value_obstacle(call, forge) {
            return Err(format!("call {} {why}", index + 1));
        }
    }
    if let Some(index) = calls.iter().position(|call| call.tx.reentry.is_some()) {
        return Err(format!("a callee of call {} calls back, which Forge's files do not hold", index + 1));
    }
    if let Some(index) = calls.iter().position(|call| call.calldata.len() < 4) {
        return Err(format!("call {} names no function, on which Forge 1.7 crashes", index + 1));
    }
    match shows {
        Shows::Invariant => Ok(()),
        _ if fail_on_revert || shows.assertion_for_forge() => Ok(()),
        Shows::Assertion { .. } => {
            Err(format!("Forge {name} takes this assertion in a handler for a plain revert"))
        }
        Shows::Revert => Err(format!("Forge {name} ignores reverts without `fail_on_revert`")),
    }
}

/// Returns the reason that Forge's replay does not send the value of a call, if it does not.
pub fn value_obstacle(call: &SequenceCall, forge: ForgeVersion) -> Option<String> {
    let name = forge.name();
    match forge.behaviour().replays_value {
        _ if call.tx.value.is_zero() => None,
        false => Some(format!("sends value, and Forge {name} replays every call without")),
        true if call.owns_value => None,
        true => Some(format!("sends value that its sender does not own, and Forge {name} gives it none")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Input, Transaction};
    use alloy_primitives::{Address, U256, bytes};

    fn calls(n: usize) -> Counterexample {
        let tx = Transaction {
            sender: Address::ZERO,
            target: Address::ZERO,
            value: U256::ZERO,
            warp: U256::ZERO,
            roll: U256::ZERO,
            input: Input::Raw(bytes!("0x12345678")),
            reentry: None,
        };
        Counterexample { original_len: n, calls: vec![SequenceCall::new(tx, None); n] }
    }

    fn rules(depth: u32, fail_on_revert: bool) -> ReplayRules {
        ReplayRules { forge: ForgeVersion::V1_7, depth, fail_on_revert }
    }

    fn assertion(kind: AssertionKind, reason: &str) -> Shows<'_> {
        Shows::Assertion { kind, reason }
    }

    #[test]
    fn a_sequence_up_to_depth_replays_and_a_longer_or_empty_one_does_not() {
        assert_eq!(expressible(&calls(2), &Shows::Invariant, rules(2, false)), Ok(()));
        insta::assert_snapshot!(expressible(&calls(3), &Shows::Invariant, rules(2, false)).unwrap_err(), @"it has 3 calls, and Forge replays no more than `depth` = 2");
        insta::assert_snapshot!(expressible(&calls(0), &Shows::Invariant, rules(2, false)).unwrap_err(), @"it needs no call, and Forge replays only sequences");
    }

    #[test]
    fn value_and_short_calldata_cannot_be_replayed() {
        let mut paid = calls(2);
        paid.calls[1].tx.value = U256::ONE;
        paid.calls[1].owns_value = false;
        insta::assert_snapshot!(expressible(&paid, &Shows::Invariant, rules(9, false)).unwrap_err(), @"call 2 sends value, and Forge 1.7 replays every call without");
        let newer = ReplayRules { forge: ForgeVersion::V1_8, ..rules(9, false) };
        insta::assert_snapshot!(expressible(&paid, &Shows::Invariant, newer).unwrap_err(), @"call 2 sends value that its sender does not own, and Forge 1.8 gives it none");
        paid.calls[1].owns_value = true;
        assert_eq!(expressible(&paid, &Shows::Invariant, newer), Ok(()));
        assert!(expressible(&paid, &Shows::Invariant, rules(9, false)).is_err());
        let mut short = calls(1);
        short.calls[0].calldata = bytes!("0x123456");
        insta::assert_snapshot!(expressible(&short, &Shows::Invariant, rules(9, false)).unwrap_err(), @"call 1 names no function, on which Forge 1.7 crashes");
    }

    #[test]
    fn forge_sees_the_assertions_whose_reason_it_knows() {
        use AssertionKind::{FailFlag, Invalid, Panic, VmAssert};
        for (kind, reason, seen) in [
            (Panic, "panic: assertion failed (0x01)", true),
            (Panic, "panic: arithmetic underflow or overflow (0x11)", false),
            (Invalid, "EvmError: InvalidFEOpcode", true),
            (Invalid, "<empty revert data>", false),
            (VmAssert, "assertion failed: 3 >= 3", true),
            (VmAssert, "custom: 99 >= 7", false),
            (FailFlag, "<empty revert data>", true),
        ] {
            let shows = assertion(kind, reason);
            assert_eq!(shows.assertion_for_forge(), seen, "{kind:?} {reason}");
            assert_eq!(expressible(&calls(1), &shows, rules(9, false)).is_ok(), seen, "{kind:?} {reason}");
            assert_eq!(expressible(&calls(1), &shows, rules(9, true)), Ok(()), "{kind:?} {reason}");
        }
    }

    #[test]
    fn a_plain_revert_needs_fail_on_revert() {
        assert_eq!(expressible(&calls(1), &Shows::Revert, rules(9, true)), Ok(()));
        insta::assert_snapshot!(expressible(&calls(1), &Shows::Revert, rules(9, false)).unwrap_err(), @"Forge 1.7 ignores reverts without `fail_on_revert`");
    }
}
