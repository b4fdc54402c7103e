//! `vm.expectCall` and `vm.expectCreate`: calls and creations that a transaction must make.

use super::EndedCall;
use crate::evm::{
    Ctx,
    cheats::{
        dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
        vm::Vm,
    },
};
use alloy_primitives::{Address, Bytes, U256, hex};
use revm::{
    context::CreateScheme,
    interpreter::{CallInputs, CallScheme, CreateInputs, CreateOutcome},
};
use std::collections::BTreeMap;

/// Gas that the EVM adds to a call with value.
const STIPEND: u64 = 2300;

/// Calls and creations that must be made.
#[derive(Clone, Debug, Default)]
pub(super) struct ExpectedCalls {
    /// Calls by callee, and by their calldata and kind.
    calls: BTreeMap<Address, BTreeMap<CallForm, ExpectedCall>>,
    creates: Vec<ExpectedCreate>,
}

/// Calldata and kind of a call that must be made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CallForm {
    /// Beginning of the calldata.
    data: Bytes,
    /// True if only a DELEGATECALL will do.
    delegate: bool,
}

/// Call that must be made.
#[derive(Clone, Debug)]
struct ExpectedCall {
    terms: Terms,
    /// True if `count` is exact, false if it is the least.
    exact: bool,
    count: u64,
    seen: u64,
}

/// Value and gas that a call must carry.
#[derive(Clone, Debug, Default)]
struct Terms {
    value: Option<U256>,
    gas: Option<u64>,
    min_gas: Option<u64>,
}

/// Creation that must be made.
#[derive(Clone, Debug)]
struct ExpectedCreate {
    deployer: Address,
    /// Deployed code.
    code: Bytes,
    create2: bool,
}

impl ExpectedCalls {
    /// Tells whether the next transaction may make any calls.
    pub(super) fn is_quiet(&self) -> bool {
        let Self { calls, creates } = self;
        calls.is_empty() && creates.is_empty()
    }

    /// Counts a call that is about to be made.
    pub(super) fn on_call(&mut self, ctx: &Ctx, inputs: &CallInputs) {
        let Some(expected) = self.calls.get_mut(&inputs.bytecode_address) else { return };
        let data = inputs.input.as_bytes(ctx);
        let delegates = inputs.scheme == CallScheme::DelegateCall;
        for (form, call) in expected {
            let has_form = data.starts_with(&form.data) && (delegates || !form.delegate);
            if has_form && call.terms.met(inputs) {
                call.seen += 1;
            }
        }
    }

    /// Crosses off an expected creation.
    pub(super) fn on_create_end(&mut self, inputs: &CreateInputs, outcome: &CreateOutcome) {
        let create2 = matches!(inputs.scheme(), CreateScheme::Create2 { .. });
        let met = self.creates.iter().position(|expected| {
            outcome.result.is_ok()
                && expected.deployer == inputs.caller()
                && expected.create2 == create2
                && expected.code == outcome.result.output
        });
        if let Some(index) = met {
            self.creates.remove(index);
        }
    }

    /// Checks that all expected calls and creations were made when a transaction succeeds.
    pub(super) fn finish(&self, ended: &mut EndedCall<'_>) {
        for (callee, calls) in &self.calls {
            if let Some((form, call)) = calls.iter().find(|(_, call)| call.missed()) {
                ended.fail(call.complaint(*callee, form));
                return;
            }
        }
        if let Some(missed) = self.creates.first() {
            let kind = if missed.create2 { "CREATE2" } else { "CREATE" };
            ended.fail(format!(
                "expected {kind} call by address {} for bytecode {} but not found",
                hex::encode_prefixed(missed.deployer),
                hex::encode_prefixed(&missed.code)
            ));
        }
    }
}

impl Terms {
    fn met(&self, inputs: &CallInputs) -> bool {
        self.value.is_none_or(|value| inputs.transfer_value() == Some(value))
            && self.gas.is_none_or(|gas| inputs.gas_limit == gas)
            && self.min_gas.is_none_or(|gas| inputs.gas_limit >= gas)
    }
}

impl ExpectedCall {
    fn missed(&self) -> bool {
        if self.exact { self.seen != self.count } else { self.seen < self.count }
    }

    fn complaint(&self, callee: Address, form: &CallForm) -> String {
        let plural = |count| if count == 1 { "" } else { "s" };
        let mut terms = vec![format!("data {}", form.data)];
        terms.extend(self.terms.value.map(|value| format!("value {value}")));
        terms.extend(self.terms.gas.map(|gas| format!("gas {gas}")));
        terms.extend(self.terms.min_gas.map(|gas| format!("minimum gas {gas}")));
        terms.extend(form.delegate.then(|| "call type DelegateCall".to_owned()));
        format!(
            "expected call to {callee} with {} to be called {} time{}, but was called {} time{}",
            terms.join(", "),
            self.count,
            plural(self.count),
            self.seen,
            plural(self.seen)
        )
    }
}

fn expect(
    cx: &mut Cx<'_>,
    callee: Address,
    form: CallForm,
    mut terms: Terms,
    count: Option<u64>,
) -> Result<(), CheatError> {
    if terms.value.is_some_and(|value| !value.is_zero()) {
        terms.gas = terms.gas.map(|gas| gas.saturating_add(STIPEND));
        terms.min_gas = terms.min_gas.map(|gas| gas.saturating_add(STIPEND));
    }
    let calls = cx.cheats.expectations.calls.calls.entry(callee).or_default();
    match (calls.get_mut(&form), count) {
        (Some(_), Some(_)) => ensure!(false, "counted expected calls can only bet set once"),
        (Some(call), None) => {
            ensure!(!call.exact, "cannot overwrite a counted expectCall with a non-counted expectCall");
            call.count += 1;
        }
        (None, count) => {
            let call = ExpectedCall { terms, exact: count.is_some(), count: count.unwrap_or(1), seen: 0 };
            calls.insert(form, call);
        }
    }
    Ok(())
}

/// Implements the overloads, which differ in what they give: value, gas, least gas, and count.
macro_rules! expectations {
    ($($call:ident($self:ident => $value:expr, $gas:expr, $min_gas:expr, $count:expr);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                let terms = Terms { value: $value, gas: $gas, min_gas: $min_gas };
                let form = CallForm { data: $self.data, delegate: false };
                expect(cx, $self.callee, form, terms, $count)?;
                done()
            }
        }
    )*};
}

expectations! {
    expectCall_0Call(self => None, None, None, None);
    expectCall_1Call(self => None, None, None, Some(self.count));
    expectCall_2Call(self => Some(self.value), None, None, None);
    expectCall_3Call(self => Some(self.value), None, None, Some(self.count));
    expectCall_4Call(self => Some(self.value), Some(self.gas), None, None);
    expectCall_5Call(self => Some(self.value), Some(self.gas), None, Some(self.count));
    expectCallMinGas_0Call(self => Some(self.value), None, Some(self.gas), None);
    expectCallMinGas_1Call(self => Some(self.value), None, Some(self.gas), Some(self.count));
}

impl Cheatcode for Vm::expectDelegateCallCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let form = CallForm { data: self.data, delegate: true };
        expect(cx, self.callee, form, Terms::default(), None)?;
        done()
    }
}

impl Cheatcode for Vm::expectCreateCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let expected = ExpectedCreate { deployer: self.deployer, code: self.code, create2: false };
        cx.cheats.expectations.calls.creates.push(expected);
        done()
    }
}

impl Cheatcode for Vm::expectCreate2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let expected = ExpectedCreate { deployer: self.deployer, code: self.code, create2: true };
        cx.cheats.expectations.calls.creates.push(expected);
        done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{Lab, Program, WHO, reason};

    fn expect(data: &'static [u8]) -> Program {
        Program::new().vm(&Vm::expectCall_0Call { callee: WHO, data: Bytes::from_static(data) })
    }

    #[test]
    fn the_beginning_of_the_calldata_is_enough() {
        assert!(Lab::new().run(&expect(&[1]).call(WHO, [1, 2])).is_success());
    }

    #[test]
    fn a_missing_call_fails_the_transaction_at_its_end() {
        let output = Lab::new().run(&expect(&[1]).call(WHO, [2]));
        insta::assert_snapshot!(
            reason(&output.output),
            @"expected call to 0x0000000000000000000000000000000000FacAdE with data 0x01 \
              to be called 1 time, but was called 0 times"
        );
    }

    #[test]
    fn a_call_is_no_delegate_call() {
        let expected = Vm::expectDelegateCallCall { callee: WHO, data: Bytes::from_static(&[1]) };
        let output = Lab::new().run(&Program::new().vm(&expected).call(WHO, [1]));
        insta::assert_snapshot!(
            reason(&output.output),
            @"expected call to 0x0000000000000000000000000000000000FacAdE with data 0x01, call type DelegateCall \
              to be called 1 time, but was called 0 times"
        );
    }

    #[test]
    fn a_count_is_exact() {
        let call = Vm::expectCall_1Call { callee: WHO, data: Bytes::new(), count: 1 };
        let twice = Program::new().vm(&call).call(WHO, []).call(WHO, []);
        assert!(!Lab::new().run(&twice).is_success());
    }
}
