//! `vm.mockCall` and its kin: calls answered without running their callees.

use super::{
    dispatch::{CheatResult, Cheatcode, Cx, account, done},
    vm::Vm,
};
use crate::evm::Ctx;
use alloy_primitives::{Address, Bytes, U256};
use revm::{
    bytecode::Bytecode,
    context::JournalTr,
    interpreter::{CallInputs, CallOutcome, Gas, InstructionResult, InterpreterResult},
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

/// Pattern of mocked calls: those that begin with the data and, if given, carry the value.
///
/// Of two patterns that match, the longer one comes first, then the one that asks for a value.
type CallPattern = (Reverse<Bytes>, Reverse<Option<U256>>);

/// Result of a mocked call.
#[derive(Clone, Debug)]
struct Reply {
    reverts: bool,
    data: Bytes,
}

/// Mocks of a run; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Mocks(Arc<MockTable>);

#[derive(Clone, Debug, Default)]
struct MockTable {
    /// Replies in order, of which the last stays, by account and pattern.
    calls: BTreeMap<Address, BTreeMap<CallPattern, VecDeque<Reply>>>,
    /// Account with the code that runs instead, by account and calldata or selector.
    functions: BTreeMap<Address, BTreeMap<Bytes, Address>>,
}

impl MockTable {
    fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.functions.is_empty()
    }

    /// Returns the pattern that a call matches best, with its replies.
    fn replies(
        &self,
        callee: Address,
        data: &[u8],
        value: Option<U256>,
    ) -> Option<(&CallPattern, &VecDeque<Reply>)> {
        let patterns = self.calls.get(&callee)?;
        let exact = (Reverse(Bytes::copy_from_slice(data)), Reverse(value));
        let matches = |pattern: &CallPattern| {
            data.starts_with(&pattern.0.0) && (pattern.1.0.is_none() || pattern.1.0 == value)
        };
        let first = || patterns.iter().find(|(pattern, _)| matches(pattern));
        patterns.get_key_value(&exact).or_else(first)
    }

    fn function(&self, callee: Address, data: &[u8]) -> Option<Address> {
        let functions = self.functions.get(&callee)?;
        functions.get(data).or_else(|| functions.get(data.get(..4)?)).copied()
    }
}

impl Mocks {
    /// Tells whether the mocks are those of `setUp`.
    pub(super) fn is_quiet(&self, after_setup: &Self) -> bool {
        Arc::ptr_eq(&self.0, &after_setup.0)
    }

    /// Prepares for a transaction within the running one, whose calls are not mocked.
    pub(super) fn enter_transaction(&mut self) {
        *self = Self::default();
    }

    fn make_mut(&mut self) -> &mut MockTable {
        Arc::make_mut(&mut self.0)
    }

    /// Returns the reply to a call. Of several, all but the last one are given once.
    fn reply(&mut self, callee: Address, data: &[u8], value: Option<U256>) -> Option<Reply> {
        let (pattern, replies) = self.0.replies(callee, data, value)?;
        if replies.len() <= 1 {
            return replies.front().cloned();
        }
        let pattern = pattern.clone();
        self.make_mut().calls.get_mut(&callee)?.get_mut(&pattern)?.pop_front()
    }

    /// Returns the outcome of a mocked call; a mocked function changes the code that the call runs.
    pub(super) fn on_call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        if self.0.is_empty() {
            return None;
        }
        let data = inputs.input.bytes(ctx);
        if let Some(target) = self.0.function(inputs.bytecode_address, &data) {
            let info = &account(ctx, target).info;
            inputs.bytecode_address = target;
            inputs.known_bytecode = (info.code_hash, info.code.clone().unwrap_or_default());
        }
        let reply = self.reply(inputs.bytecode_address, &data, inputs.transfer_value())?;
        let mut result = if reply.reverts { InstructionResult::Revert } else { InstructionResult::Return };
        let mut output = reply.data;
        if !reply.reverts
            && let Some(value) = inputs.transfer_value()
            && let Ok(Some(error)) = ctx.journaled_state.transfer(inputs.caller, inputs.target_address, value)
        {
            (result, output) = (error.into(), Bytes::new());
        }
        let gas = Gas::new_with_regular_gas_and_reservoir(inputs.gas_limit, inputs.reservoir);
        let result = InterpreterResult { result, output, gas };
        Some(CallOutcome::new(result, inputs.return_memory_offset.clone()))
    }
}

/// Gives an account without code one byte of it, because Solidity checks that callees have code.
fn ensure_code(cx: &mut Cx<'_>, callee: Address) {
    let code = &cx.account(callee).info.code;
    if code.as_ref().is_none_or(Bytecode::is_empty) {
        let code = Bytecode::new_raw(Bytes::from_static(&[0]));
        cx.set_code(callee, code);
    }
}

fn mock(cx: &mut Cx<'_>, callee: Address, value: Option<U256>, data: Bytes, replies: VecDeque<Reply>) {
    ensure_code(cx, callee);
    mock_only(cx, callee, value, data, replies);
}

/// Mocks calls of an account whose code stays as it is.
fn mock_only(cx: &mut Cx<'_>, callee: Address, value: Option<U256>, data: Bytes, replies: VecDeque<Reply>) {
    let calls = &mut cx.cheats.mocks.make_mut().calls;
    calls.entry(callee).or_default().insert((Reverse(data), Reverse(value)), replies);
}

/// Implements the overloads, which differ in the value that they ask for, and in how the calldata is given.
macro_rules! mocks {
    ($($call:ident($self:ident => $value:expr, $reverts:literal);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                let reply = Reply { reverts: $reverts, data: $self.result };
                mock(cx, $self.callee, $value, $self.data.into(), [reply].into());
                done()
            }
        }
    )*};
}

mocks! {
    mockCall_0Call(self => None, false);
    mockCall_1Call(self => Some(self.value), false);
    mockCall_2Call(self => None, false);
    mockCall_3Call(self => Some(self.value), false);
    mockCallRevert_0Call(self => None, true);
    mockCallRevert_1Call(self => Some(self.value), true);
    mockCallRevert_2Call(self => None, true);
    mockCallRevert_3Call(self => Some(self.value), true);
}

impl Cheatcode for Vm::mockCall_4Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let mocks = if self.injectCode { mock } else { mock_only };
        mocks(cx, self.callee, None, self.data, replies(vec![self.result]));
        done()
    }
}

fn replies(results: Vec<Bytes>) -> VecDeque<Reply> {
    results.into_iter().map(|data| Reply { reverts: false, data }).collect()
}

impl Cheatcode for Vm::mockCalls_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        mock(cx, self.callee, None, self.data, replies(self.results));
        done()
    }
}

impl Cheatcode for Vm::mockCalls_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        mock(cx, self.callee, Some(self.value), self.data, replies(self.results));
        done()
    }
}

impl Cheatcode for Vm::mockFunctionCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let functions = &mut cx.cheats.mocks.make_mut().functions;
        functions.entry(self.callee).or_default().insert(self.data, self.target);
        done()
    }
}

impl Cheatcode for Vm::clearMockedCallsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.mocks.make_mut().calls.clear();
        done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{ALICE, KEEPER, Lab, Program, WHO};

    fn mock(data: &'static [u8], result: &'static [u8]) -> Vm::mockCall_0Call {
        Vm::mockCall_0Call { callee: WHO, data: Bytes::from_static(data), result: Bytes::from_static(result) }
    }

    #[test]
    fn the_longest_matching_mock_answers() {
        let mocked = Program::new().vm(&mock(&[1], b"short")).vm(&mock(&[1, 2], b"long"));
        assert_eq!(Lab::new().run(&mocked.clone().call(WHO, [1, 2, 3]).give()).output[..], *b"long");
        assert_eq!(Lab::new().run(&mocked.call(WHO, [1, 3]).give()).output[..], *b"short");
    }

    #[test]
    fn the_last_of_several_replies_stays() {
        let results = vec![Bytes::from_static(b"1"), Bytes::from_static(b"2")];
        let queue = Vm::mockCalls_0Call { callee: WHO, data: Bytes::new(), results };
        let thrice = Program::new().vm(&queue).call(WHO, []).call(WHO, []).call(WHO, []);
        assert_eq!(Lab::new().run(&thrice.give()).output[..], *b"2");
    }

    #[test]
    fn an_account_without_code_gets_a_byte_of_it() {
        let call = Vm::mockCall_0Call { callee: ALICE, data: Bytes::new(), result: Bytes::new() };
        let mut lab = Lab::new();
        lab.run(&Program::new().vm(&call));
        assert_eq!(lab.evm.code(ALICE)[..], [0]);
    }

    #[test]
    fn code_is_added_only_if_it_is_asked_for() {
        for (inject, code) in [(false, &[][..]), (true, &[0][..])] {
            let (data, result) = (Bytes::new(), Bytes::from_static(b"mocked"));
            let call = Vm::mockCall_4Call { callee: ALICE, data, result, injectCode: inject };
            let mut lab = Lab::new();
            assert_eq!(lab.run(&Program::new().vm(&call).call(ALICE, []).give()).output[..], *b"mocked");
            assert_eq!(lab.evm.code(ALICE)[..], *code);
        }
    }

    #[test]
    fn value_is_transferred_to_a_mocked_callee() {
        let mut lab = Lab::new();
        let deal = Vm::dealCall { account: crate::evm::cheats::testing::TEST, balance: U256::from(9) };
        lab.run(&Program::new().vm(&deal).vm(&mock(&[], b"")).call_with(WHO, 4, []));
        assert_eq!(lab.info(WHO).balance, U256::from(4));
    }

    #[test]
    fn a_mocked_function_runs_foreign_code_on_its_own_storage() {
        let mut lab = Lab::new();
        let call = Vm::mockFunctionCall { callee: WHO, target: KEEPER, data: Bytes::from_static(&[0; 4]) };
        lab.run(&Program::new().vm(&call).call(WHO, U256::from(7).to_be_bytes::<32>()));
        assert_eq!(lab.evm.storage(WHO, U256::ZERO), U256::from(7));
        assert_eq!(lab.evm.storage(KEEPER, U256::ZERO), U256::ZERO);
    }
}
