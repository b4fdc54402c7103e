//! Code of the project's artifacts: read, or deployed.

use super::{
    Cheats,
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, dispatch},
    vm::Vm,
};
use crate::evm::{Ctx, constants::VM_ADDRESS};
use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::{SolCall, SolValue};
use revm::{
    context::CreateScheme,
    handler::FrameResult,
    interpreter::{CallOutcome, CreateInputs, FrameInput, Gas, InstructionResult},
};
use std::ops::Range;

impl Cheatcode for Vm::getCodeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok((cx.cheats.shared.creation_code)(&self.artifact)?)
    }
}

impl Cheatcode for Vm::getDeployedCodeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok((cx.cheats.shared.deployed_code)(&self.artifact)?)
    }
}

/// A `deployCode` call whose creation is running: what its caller waits for.
#[derive(Clone, Debug)]
pub(super) struct Deploying {
    depth: usize,
    returns: Range<usize>,
    gas_limit: u64,
    reservoir: u64,
}

impl Cheats {
    /// Turns a call of `deployCode` into the creation that it asks for.
    ///
    /// The creation runs as a frame of the caller's, so pranks and expectations see an ordinary CREATE. When the
    /// cheatcode fails the call is left as it is, and fails when it is answered.
    pub(crate) fn on_frame_start(&mut self, ctx: &mut Ctx, input: &mut FrameInput) {
        let FrameInput::Call(inputs) = &input else { return };
        if inputs.target_address != VM_ADDRESS {
            return;
        }
        let data = inputs.input.bytes(ctx);
        if !data.first_chunk().is_some_and(|selector| SELECTORS.contains(selector)) {
            return;
        }
        let depth = ctx.journaled_state.depth;
        let mut cx = Cx::new(ctx, self, inputs);
        if dispatch(&mut cx, &data).is_ok()
            && let Some(create) = cx.create
        {
            self.deploying.push(Deploying {
                depth,
                returns: inputs.return_memory_offset.clone(),
                gas_limit: inputs.gas_limit,
                reservoir: inputs.reservoir,
            });
            *input = FrameInput::Create(Box::new(create));
        }
    }

    /// Turns the result of that creation into the one of the call.
    pub(crate) fn on_frame_end(&mut self, ctx: &Ctx, result: &mut FrameResult) {
        let FrameResult::Create(created) = &result else { return };
        let Some(deploying) = self.deploying.pop_if(|last| last.depth == ctx.journaled_state.depth) else {
            return;
        };
        let mut call = created.result.clone();
        match created.address {
            Some(address) if call.result.is_ok() => {
                call.result = InstructionResult::Return;
                call.output = address.abi_encode().into();
            }
            _ => call.result = InstructionResult::Revert,
        }
        call.gas = Gas::new_with_regular_gas_and_reservoir(deploying.gas_limit, deploying.reservoir);
        *result = FrameResult::Call(CallOutcome::new(call, deploying.returns));
    }
}

const SELECTORS: [[u8; 4]; 8] = [
    Vm::deployCode_0Call::SELECTOR,
    Vm::deployCode_1Call::SELECTOR,
    Vm::deployCode_2Call::SELECTOR,
    Vm::deployCode_3Call::SELECTOR,
    Vm::deployCode_4Call::SELECTOR,
    Vm::deployCode_5Call::SELECTOR,
    Vm::deployCode_6Call::SELECTOR,
    Vm::deployCode_7Call::SELECTOR,
];

/// Prepares the creation; its address is known when it has run.
fn deploy(
    cx: &mut Cx<'_>,
    artifact: &str,
    arguments: &Bytes,
    value: U256,
    salt: Option<B256>,
) -> Result<Address, CheatError> {
    let code = (cx.cheats.shared.creation_code)(artifact)?;
    let scheme = salt.map_or(CreateScheme::Create, |salt| CreateScheme::Create2 { salt: salt.into() });
    let init_code = [code, arguments.clone()].concat().into();
    cx.create = Some(CreateInputs::new(cx.caller, scheme, value, init_code, cx.gas_limit, 0));
    Ok(Address::ZERO)
}

/// The overloads differ in what they give: constructor arguments, value and salt.
macro_rules! deployments {
    ($($call:ident($self:ident => $arguments:expr, $value:expr, $salt:expr);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                deploy(cx, &$self.artifact, $arguments, $value, $salt)
            }
        }
    )*};
}

deployments! {
    deployCode_0Call(self => &Bytes::new(), U256::ZERO, None);
    deployCode_1Call(self => &self.arguments, U256::ZERO, None);
    deployCode_2Call(self => &Bytes::new(), self.value, None);
    deployCode_3Call(self => &self.arguments, self.value, None);
    deployCode_4Call(self => &Bytes::new(), U256::ZERO, Some(self.salt));
    deployCode_5Call(self => &self.arguments, U256::ZERO, Some(self.salt));
    deployCode_6Call(self => &Bytes::new(), self.value, Some(self.salt));
    deployCode_7Call(self => &self.arguments, self.value, Some(self.salt));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{ALICE, Lab, Program, TEST, reason};

    fn deploy(artifact: &str) -> Vm::deployCode_0Call {
        Vm::deployCode_0Call { artifact: artifact.into() }
    }

    fn deployed(program: &Program) -> Address {
        let output = Lab::new().run(program);
        Address::abi_decode(&output.output).unwrap()
    }

    #[test]
    fn the_caller_is_the_creator() {
        assert_eq!(deployed(&Program::new().vm(&deploy("Empty")).give()), TEST.create(1));
    }

    #[test]
    fn a_prank_changes_the_creator() {
        let pranked = Program::new().vm(&Vm::prank_0Call { sender: ALICE }).vm(&deploy("Empty"));
        assert_eq!(deployed(&pranked.give()), ALICE.create(0));
    }

    #[test]
    fn a_constructor_s_revert_is_passed_on() {
        assert_eq!(Lab::new().run(&Program::new().vm(&deploy("Reverts"))).output[..], *b"no");
    }

    #[test]
    fn an_unknown_artifact_is_an_error() {
        let output = Lab::new().run(&Program::new().vm(&deploy("Nope")));
        insta::assert_snapshot!(reason(&output.output), @"vm.deployCode: no matching artifact found");
    }
}
