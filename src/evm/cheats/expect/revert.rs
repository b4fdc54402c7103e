//! `vm.expectRevert` and `vm.assumeNoRevert`: calls that must revert, and reverts that reject the input.

use super::{EndedCall, revert_reason::Reason};
use crate::evm::{
    base::constants::ASSUME_MAGIC,
    cheats::{
        CheatEnv,
        dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
        vm::Vm,
    },
};
use alloy_primitives::{Address, Bytes, address};
use revm::interpreter::InstructionResult;

/// Address that a creation expected to revert seems to have deployed.
const CREATED: Address = address!("0000000000000000000000000000000000000001");

/// Length of the zeros that a call expected to revert seems to have returned: enough to decode as any value.
const RETURNED: usize = 8192;

/// Expectations of the reverts of a test.
#[derive(Clone, Debug, Default)]
pub(super) struct ExpectedReverts {
    expected: Option<ExpectedRevert>,
    assumed: Option<AssumedNoRevert>,
}

/// Revert in which a later call must end.
#[derive(Clone, Debug)]
struct ExpectedRevert {
    reason: Reason,
    /// True if a cheatcode must revert, as Forge's own tests want it.
    cheatcode: bool,
    /// True until the cheatcode that expects it has returned.
    begun: bool,
    /// Depth of calls made by the contract that expects it.
    depth: usize,
    /// Depth of the deepest call since, plus one.
    max_depth: usize,
    /// Number of reverts; zero forbids them.
    count: u64,
    /// Number of reverts so far.
    seen: u64,
    /// First contract that reverted.
    reverted_by: Option<Address>,
}

/// `vm.assumeNoRevert` waiting for its call.
#[derive(Clone, Debug)]
struct AssumedNoRevert {
    depth: usize,
    /// Reverts that reject the input; none listed means all of them.
    reasons: Vec<Reason>,
    reverted_by: Option<Address>,
}

impl ExpectedReverts {
    /// Tells whether reverts of the next transaction are nothing special.
    pub(super) fn is_quiet(&self) -> bool {
        let Self { expected, assumed } = self;
        expected.is_none() && assumed.is_none()
    }

    /// Notes that a call or creation is made at `depth`.
    pub(super) fn on_enter(&mut self, depth: usize) {
        if let Some(expected) = &mut self.expected {
            expected.max_depth = expected.max_depth.max(depth + 1);
        }
    }

    /// Rewrites the result of a call or creation that was expected to revert, or assumed not to revert. Tells
    /// whether there was one.
    pub(super) fn on_end(&mut self, env: &CheatEnv, ended: &mut EndedCall<'_>) -> bool {
        self.end_assumed(env, ended) || self.end_expected(env, ended)
    }

    /// Turns the revert of a call under `assumeNoRevert` into a rejected input. Tells whether the call was under
    /// it.
    fn end_assumed(&mut self, env: &CheatEnv, ended: &mut EndedCall<'_>) -> bool {
        let Some(assumed) = &mut self.assumed else { return false };
        let reverted = ended.result.result.is_revert();
        if reverted {
            assumed.reverted_by.get_or_insert(ended.target);
        }
        if ended.depth > assumed.depth {
            return false;
        }
        let Some(assumed) = self.assumed.take().filter(|_| reverted) else { return false };
        let foreseen = assumed.reasons.is_empty()
            || assumed.reasons.iter().any(|reason| {
                reason.matches(ended.result, assumed.reverted_by, &|data| revert_text(env, data)).is_ok()
            });
        if foreseen {
            ended.result.output = Bytes::from_static(ASSUME_MAGIC);
        }
        true
    }

    /// Rewrites the result of a call that was expected to revert. Tells whether it was.
    fn end_expected(&mut self, env: &CheatEnv, ended: &mut EndedCall<'_>) -> bool {
        let Some(expected) = self.expected.as_mut().filter(|expected| !expected.cheatcode) else {
            return false;
        };
        // Of nested calls, the outermost one counts if several reverts are expected; of nested creations, the
        // innermost one does.
        let replaces = expected.count > 1 && ended.created.is_none();
        if ended.result.result.is_revert()
            && expected.reason.reverter.is_some()
            && (expected.reverted_by.is_none() || replaces)
            && (ended.created.is_none() || !ended.target.is_zero())
        {
            expected.reverted_by = Some(ended.target);
        }
        if ended.depth > expected.depth {
            return false;
        }
        let is_internal = env.config.allow_internal_expect_revert && ended.created.is_none();
        if is_internal && ended.depth > 0 && ended.result.result.is_ok() {
            // As in Forge 1.8, the revert of the caller itself may still come.
            return false;
        }
        self.settle(env, ended);
        true
    }

    /// Rewrites the result of a cheatcode that was expected to revert.
    pub(super) fn on_cheatcode_end(&mut self, env: &CheatEnv, ended: &mut EndedCall<'_>) {
        let Some(expected) = self.expected.as_mut().filter(|expected| expected.cheatcode) else {
            return;
        };
        if ended.depth <= expected.depth && !std::mem::take(&mut expected.begun) {
            self.settle(env, ended);
        }
    }

    fn settle(&mut self, env: &CheatEnv, ended: &mut EndedCall<'_>) {
        let Some(mut expected) = self.expected.take() else { return };
        if let Err(text) = expected.judge(env, ended) {
            return ended.fail(text);
        }
        expected.seen += 1;
        if expected.seen < expected.count {
            if ended.created.is_some() {
                expected.reverted_by = None;
            }
            self.expected = Some(expected);
        }
        ended.result.result = InstructionResult::Return;
        match &mut ended.created {
            Some(created) => {
                **created = Some(CREATED);
                ended.result.output = Bytes::new();
            }
            None => ended.result.output = vec![0; RETURNED].into(),
        }
    }
}

impl ExpectedRevert {
    /// Checks the end of the call; the error is Forge's message.
    fn judge(&self, env: &CheatEnv, ended: &EndedCall<'_>) -> Result<(), String> {
        let reverted = !ended.result.result.is_ok();
        let text = |data: &[u8]| revert_text(env, data);
        let anywhere = self.cheatcode || env.config.allow_internal_expect_revert;
        if !anywhere && self.max_depth <= self.depth {
            return Err("call didn't revert at a lower depth than cheatcode call depth".into());
        }
        if self.count == 0 {
            return self.reason.forbids(reverted, &ended.result.output, self.reverted_by);
        }
        if !reverted {
            return Err("next call did not revert as expected".into());
        }
        self.reason.matches(ended.result, self.reverted_by, &text)
    }
}

fn revert_text(env: &CheatEnv, data: &[u8]) -> String {
    if data.is_empty() { "EvmError: Revert".into() } else { (env.revert_text)(data) }
}

fn expect(
    cx: &mut Cx<'_>,
    data: Option<Bytes>,
    reverter: Option<Address>,
    count: u64,
    partial: bool,
) -> Result<(), CheatError> {
    ensure!(
        cx.cheats.expectations.reverts.expected.is_none(),
        "you must call another function prior to expecting a second revert"
    );
    let depth = cx.depth();
    cx.cheats.expectations.reverts.expected = Some(ExpectedRevert {
        reason: Reason { data, partial, reverter },
        cheatcode: false,
        begun: true,
        depth,
        max_depth: depth,
        count,
        seen: 0,
        reverted_by: None,
    });
    Ok(())
}

/// Implements the overloads, which differ in what they give: reason, reverter, count, and whether a selector is
/// enough.
macro_rules! expectations {
    ($($call:ident($self:ident => $data:expr, $reverter:expr, $count:expr, $partial:literal);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                expect(cx, $data, $reverter, $count, $partial)?;
                done()
            }
        }
    )*};
}

expectations! {
    expectRevert_0Call(self => None, None, 1, false);
    expectRevert_1Call(self => Some(self.reason.into()), None, 1, false);
    expectRevert_2Call(self => Some(self.reason), None, 1, false);
    expectRevert_3Call(self => None, Some(self.reverter), 1, false);
    expectRevert_4Call(self => Some(self.reason.into()), Some(self.reverter), 1, false);
    expectRevert_5Call(self => Some(self.reason), Some(self.reverter), 1, false);
    expectRevert_6Call(self => None, None, self.count, false);
    expectRevert_7Call(self => Some(self.reason.into()), None, self.count, false);
    expectRevert_8Call(self => Some(self.reason), None, self.count, false);
    expectRevert_9Call(self => None, Some(self.reverter), self.count, false);
    expectRevert_10Call(self => Some(self.reason.into()), Some(self.reverter), self.count, false);
    expectRevert_11Call(self => Some(self.reason), Some(self.reverter), self.count, false);
    expectPartialRevert_0Call(self => Some(self.reason.into()), None, 1, true);
    expectPartialRevert_1Call(self => Some(self.reason.into()), Some(self.reverter), 1, true);
}

macro_rules! of_cheatcodes {
    ($($call:ident($self:ident => $data:expr);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                expect(cx, $data, None, 1, false)?;
                let expected = cx.cheats.expectations.reverts.expected.as_mut();
                expected.expect("it was just put there").cheatcode = true;
                done()
            }
        }
    )*};
}

of_cheatcodes! {
    _expectCheatcodeRevert_0Call(self => None);
    _expectCheatcodeRevert_1Call(self => Some(self.reason.into()));
    _expectCheatcodeRevert_2Call(self => Some(self.reason));
}

fn assume(cx: &mut Cx<'_>, potential: Vec<Vm::PotentialRevert>) -> Result<(), CheatError> {
    ensure!(
        cx.cheats.expectations.reverts.assumed.is_none(),
        "you must make another external call prior to calling assumeNoRevert again"
    );
    let reason = |potential: Vm::PotentialRevert| Reason {
        data: (!potential.revertData.is_empty()).then_some(potential.revertData),
        partial: potential.partialMatch,
        reverter: (!potential.reverter.is_zero()).then_some(potential.reverter),
    };
    let reasons = potential.into_iter().map(reason).collect();
    let assumed = AssumedNoRevert { depth: cx.depth(), reasons, reverted_by: None };
    cx.cheats.expectations.reverts.assumed = Some(assumed);
    Ok(())
}

impl Cheatcode for Vm::assumeNoRevert_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        assume(cx, Vec::new())?;
        done()
    }
}

impl Cheatcode for Vm::assumeNoRevert_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        assume(cx, vec![self.potential])?;
        done()
    }
}

impl Cheatcode for Vm::assumeNoRevert_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        assume(cx, self.potential)?;
        done()
    }
}

#[cfg(test)]
mod tests;
