//! `vm.expectRevert` and `vm.assumeNoRevert`: what the next call's revert is taken for.

use super::{
    Cheats,
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, encode_message, ensure},
    vm::Vm,
};
use crate::evm::base::constants::ASSUME_MAGIC;
use alloy_primitives::{Address, Bytes, address, hex};
use alloy_sol_types::{Revert, SolError, SolValue};
use revm::interpreter::{InstructionResult, InterpreterResult};

/// The address that a creation expected to revert seems to have deployed.
const CREATED: Address = address!("0000000000000000000000000000000000000001");

/// Length of the zeros that a call expected to revert seems to have returned: enough to decode as any value.
const RETURNED: usize = 8192;

/// A revert that some later call must end in.
#[derive(Clone, Debug)]
pub(super) struct ExpectedRevert {
    /// What must revert, if it matters.
    reason: Reason,
    /// Whether it is a cheatcode that must revert, as Forge's own tests want it.
    cheatcode: bool,
    /// Whether the cheatcode that expects it has still to return.
    begun: bool,
    /// Depth of calls made by the contract that expects it.
    depth: usize,
    /// One more than the deepest call seen since.
    max_depth: usize,
    /// How many reverts; zero forbids them.
    count: u64,
    /// How many were seen.
    seen: u64,
    /// The first contract that reverted.
    reverted_by: Option<Address>,
}

/// What a revert must look like.
#[derive(Clone, Debug, Default)]
pub(super) struct Reason {
    data: Option<Bytes>,
    /// Whether the first four bytes are enough.
    partial: bool,
    reverter: Option<Address>,
}

/// `vm.assumeNoRevert` waiting for its call.
#[derive(Clone, Debug)]
pub(super) struct AssumedNoRevert {
    depth: usize,
    /// Reverts that reject the input; none listed means all of them.
    reasons: Vec<Reason>,
    reverted_by: Option<Address>,
}

/// A call or creation that has ended.
pub(super) struct EndedCall<'a> {
    pub(super) result: &'a mut InterpreterResult,
    /// The contract called or created; zero for a creation that did not begin.
    pub(super) target: Address,
    /// Depth it was made at.
    pub(super) depth: usize,
    /// Where the address goes when it was a creation.
    pub(super) created: Option<&'a mut Option<Address>>,
}

impl EndedCall<'_> {
    /// Reverts with Forge's text instead of what happened.
    pub(super) fn fail(&mut self, text: String) {
        self.fail_with(encode_message(text));
    }

    /// Reverts with this data instead of what happened.
    pub(super) fn fail_with(&mut self, data: Bytes) {
        self.result.result = InstructionResult::Revert;
        self.result.output = data;
    }
}

impl Cheats {
    /// Notes that a call or creation is made at `depth`.
    pub(super) fn expect_revert_enter(&mut self, depth: usize) {
        if let Some(expected) = &mut self.expected_revert {
            expected.max_depth = expected.max_depth.max(depth + 1);
        }
    }

    /// Turns the revert of a call under `assumeNoRevert` into a rejected input; whether it was due.
    pub(super) fn assume_no_revert_end(&mut self, ended: &mut EndedCall<'_>) -> bool {
        let Some(assumed) = &mut self.assumed_no_revert else { return false };
        let reverted = ended.result.result.is_revert();
        if reverted {
            assumed.reverted_by.get_or_insert(ended.target);
        }
        if ended.depth > assumed.depth {
            return false;
        }
        let Some(assumed) = self.assumed_no_revert.take().filter(|_| reverted) else { return false };
        let data = ended.result.output.clone();
        let foreseen = assumed.reasons.is_empty()
            || assumed.reasons.iter().any(|reason| {
                reason.matches(&data, assumed.reverted_by, &|data| self.revert_text(data)).is_ok()
            });
        if foreseen {
            ended.result.output = Bytes::from_static(ASSUME_MAGIC);
        }
        true
    }

    /// Rewrites the result of a call that was expected to revert; whether it was due.
    pub(super) fn expect_revert_end(&mut self, ended: &mut EndedCall<'_>) -> bool {
        let Some(expected) = self.expected_revert.as_mut().filter(|expected| !expected.cheatcode) else {
            return false;
        };
        if ended.result.result.is_revert()
            && expected.reason.reverter.is_some()
            && (expected.reverted_by.is_none() || expected.count > 1)
        {
            expected.reverted_by = Some(ended.target);
        }
        if ended.depth > expected.depth {
            return false;
        }
        self.settle_revert(ended);
        true
    }

    /// The same for a call of a cheatcode.
    pub(super) fn expect_cheatcode_revert_end(&mut self, ended: &mut EndedCall<'_>) {
        let Some(expected) = self.expected_revert.as_mut().filter(|expected| expected.cheatcode) else {
            return;
        };
        if ended.depth <= expected.depth && !std::mem::take(&mut expected.begun) {
            self.settle_revert(ended);
        }
    }

    fn settle_revert(&mut self, ended: &mut EndedCall<'_>) {
        let Some(mut expected) = self.expected_revert.take() else { return };
        if let Err(text) = self.judge_revert(&expected, ended) {
            return ended.fail(text);
        }
        expected.seen += 1;
        if expected.seen < expected.count {
            self.expected_revert = Some(expected);
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

    fn judge_revert(&self, expected: &ExpectedRevert, ended: &EndedCall<'_>) -> Result<(), String> {
        let reverted = !ended.result.result.is_ok();
        let text = |data: &[u8]| self.revert_text(data);
        let anywhere = expected.cheatcode || self.shared.config.allow_internal_expect_revert;
        if !anywhere && expected.max_depth <= expected.depth {
            return Err("call didn't revert at a lower depth than cheatcode call depth".into());
        }
        if expected.count == 0 {
            return expected.reason.forbids(reverted, &ended.result.output, expected.reverted_by);
        }
        if !reverted {
            return Err("next call did not revert as expected".into());
        }
        expected.reason.matches(&ended.result.output, expected.reverted_by, &text)
    }

    fn revert_text(&self, data: &[u8]) -> String {
        if data.is_empty() { "EvmError: Revert".into() } else { (self.shared.revert_text)(data) }
    }
}

/// How revert data reads; see [`super::CheatEnv::revert_text`].
type RevertFormat<'a> = dyn Fn(&[u8]) -> String + 'a;

impl Reason {
    fn matches(&self, data: &Bytes, by: Option<Address>, text: &RevertFormat<'_>) -> Result<(), String> {
        if let (Some(expected), Some(actual)) = (self.reverter, by)
            && expected != actual
        {
            return Err(format!("Reverter != expected reverter: {actual} != {expected}"));
        }
        let Some(expected) = &self.data else { return Ok(()) };
        if !expected.is_empty() && data.is_empty() {
            return Err("call reverted as expected, but without data".into());
        }
        if self.partial && data.get(..4) == expected.get(..4) {
            return Ok(());
        }
        let (actual, expected) = (unwrapped(data), &unwrapped(expected));
        let texts = (text(&actual), text(expected));
        if !self.partial && (actual == *expected || texts.0 == texts.1) {
            return Ok(());
        }
        Err(format!("Error != expected error: {} != {}", texts.0, texts.1))
    }

    /// Checks that no such revert happened.
    fn forbids(&self, reverted: bool, data: &Bytes, by: Option<Address>) -> Result<(), String> {
        if !reverted {
            return Ok(());
        }
        let (got, by) = (plain(data), by.unwrap_or_default());
        let same = self.data.as_ref().is_none_or(|expected| unwrapped(data) == unwrapped(expected));
        Err(match (&self.data, self.reverter) {
            (None, None) => "call reverted when it was expected not to revert".to_owned(),
            (None, Some(from)) if from == by => {
                format!("expected 0 reverts from address: {from}, but got one")
            }
            (None, Some(from)) => {
                format!("call reverted with '{got}' from {by}, but expected 0 reverts from {from}")
            }
            (Some(reason), None) if same => {
                format!("expected 0 reverts with reason: {}, but got one", plain(reason))
            }
            (Some(_), None) => format!("call reverted with '{got}' when it was expected not to revert"),
            (Some(reason), Some(from)) if same && from == by => format!(
                "expected 0 reverts with reason: {}, from address: {from}, but got one",
                plain(reason)
            ),
            (Some(reason), Some(from)) => format!(
                "call reverted with '{got}' from {by}, but expected 0 reverts with reason '{}' from {from}",
                plain(reason)
            ),
        })
    }
}

/// A text that revert data holds, or the data.
fn plain(data: &Bytes) -> String {
    let inner = unwrapped(data);
    let text = String::from_utf8(inner.to_vec()).ok();
    let text = text.filter(|text| !text.chars().any(|letter| letter.is_control()));
    text.unwrap_or_else(|| hex::encode_prefixed(data))
}

/// The text inside `Error(string)` and `CheatcodeError(string)`, other revert data as it is.
fn unwrapped(data: &Bytes) -> Bytes {
    let wrapped =
        [Revert::SELECTOR, Vm::CheatcodeError::SELECTOR].iter().any(|selector| data.starts_with(selector));
    let inner = if wrapped { Bytes::abi_decode(&data[4..]).ok() } else { None };
    inner.unwrap_or_else(|| data.clone())
}

fn expect(
    cx: &mut Cx<'_>,
    data: Option<Bytes>,
    reverter: Option<Address>,
    count: u64,
    partial: bool,
) -> Result<(), CheatError> {
    ensure!(
        cx.cheats.expected_revert.is_none(),
        "you must call another function prior to expecting a second revert"
    );
    let depth = cx.depth();
    cx.cheats.expected_revert = Some(ExpectedRevert {
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

/// The overloads differ in what they give: reason, reverter, count, and whether a selector is enough.
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
                cx.cheats.expected_revert.as_mut().expect("it was just put there").cheatcode = true;
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
        cx.cheats.assumed_no_revert.is_none(),
        "you must make another external call prior to calling assumeNoRevert again"
    );
    let reason = |potential: Vm::PotentialRevert| Reason {
        data: (!potential.revertData.is_empty()).then_some(potential.revertData),
        partial: potential.partialMatch,
        reverter: (!potential.reverter.is_zero()).then_some(potential.reverter),
    };
    let reasons = potential.into_iter().map(reason).collect();
    cx.cheats.assumed_no_revert = Some(AssumedNoRevert { depth: cx.depth(), reasons, reverted_by: None });
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
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{Lab, Program, WHO, reason};

    const NO: Address = Address::repeat_byte(1);

    fn run(program: &Program) -> (bool, Bytes) {
        let mut lab = Lab::new();
        lab.put(NO, &Program::new().fail(&Revert { reason: "no".into() }.abi_encode()).assemble());
        let output = lab.run(program);
        (output.is_success(), output.output)
    }

    fn failure(program: &Program) -> String {
        let (success, output) = run(program);
        assert!(!success);
        reason(&output)
    }

    fn expect(reason: &str) -> Program {
        Program::new().vm(&Vm::expectRevert_2Call { reason: reason.as_bytes().to_vec().into() })
    }

    #[test]
    fn an_expected_revert_seems_to_return_zeros() {
        let (success, output) = run(&expect("no").must(NO, []).give());
        assert!(success);
        assert_eq!(output, vec![0; 8192]);
    }

    #[test]
    fn another_reason_is_shown_beside_the_expected_one() {
        insta::assert_snapshot!(failure(&expect("yes").must(NO, [])), @"Error != expected error: no != yes");
    }

    #[test]
    fn a_call_that_succeeds_is_a_failure() {
        insta::assert_snapshot!(failure(&expect("no").must(WHO, [])), @"next call did not revert as expected");
    }

    #[test]
    fn the_revert_must_come_from_a_call() {
        insta::assert_snapshot!(
            failure(&Program::new().vm(&Vm::expectRevert_0Call {}).fail(b"")),
            @"call didn't revert at a lower depth than cheatcode call depth"
        );
    }

    #[test]
    fn the_reverter_is_the_innermost_contract() {
        let program = Program::new().vm(&Vm::expectRevert_3Call { reverter: WHO }).must(NO, []);
        insta::assert_snapshot!(
            failure(&program),
            @"Reverter != expected reverter: 0x0101010101010101010101010101010101010101 != 0x0000000000000000000000000000000000FacAdE"
        );
    }

    #[test]
    fn a_creation_expected_to_revert_seems_to_be_at_address_one() {
        let init = Program::new().fail(b"").assemble();
        let (_, output) = run(&Program::new().vm(&Vm::expectRevert_0Call {}).create(&init).give_word());
        assert_eq!(Address::from_word(output[..].try_into().unwrap()), CREATED);
    }

    #[test]
    fn an_expected_revert_without_data_needs_one() {
        insta::assert_snapshot!(failure(&expect("").must(NO, [])), @"Error != expected error: no != EvmError: Revert");
    }

    #[test]
    fn an_assumed_success_rejects_the_input_when_it_reverts() {
        let assumed = Program::new().vm(&Vm::assumeNoRevert_0Call {});
        assert_eq!(run(&assumed.clone().must(NO, [])).1[..], *ASSUME_MAGIC);
        assert_eq!(failure(&assumed.must(WHO, []).must(NO, [])), "no");
    }
}
