//! `vm.broadcast` in tests: calls as an account outside would make them, and creations through the CREATE2 deployer.
//!
//! Nothing is sent anywhere. As in Forge, a broadcast makes calls come from another account, whose nonce they raise.

use super::{
    code::refused,
    delegation::Attached,
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, account as load, done, encode_message, ensure},
    vm::Vm,
};
use crate::{
    config::CheatsConfig,
    evm::{
        Ctx,
        base::{constants::CREATE2_DEPLOYER_CODE, secp256k1::account},
    },
};
use alloy_primitives::{Address, Bytes, U256, keccak256};
use revm::{
    context::CreateScheme,
    handler::FrameResult,
    interpreter::{
        CallInput, CallInputs, CallOutcome, CallScheme, CallValue, CreateInputs, CreateOutcome, FrameInput,
        InstructionResult,
    },
};
use std::mem;

/// Broadcast of a test, and creations that go through the deployer.
#[derive(Clone, Debug, Default)]
pub(super) struct Broadcasts {
    active: Option<Broadcast>,
    /// Attachments of the next broadcast call.
    pub(super) attached: Attached,
    /// Error of the creation that begins, which was to go through a deployer that is none.
    refused: Option<String>,
    /// Creations of the transaction that go through the deployer, the innermost last.
    salted: Vec<Salted>,
}

/// Broadcast that was asked for.
#[derive(Clone, Debug)]
struct Broadcast {
    /// Account that seems to call.
    sender: Address,
    /// Contract that asked.
    caller: Address,
    /// `tx.origin` to go back to.
    origin_before: Address,
    depth: usize,
    /// True if the next call uses it up.
    single: bool,
}

/// Creation with a salt that goes through the deployer.
#[derive(Clone, Debug)]
struct Salted {
    depth: usize,
}

impl Broadcast {
    fn applies(&self, ctx: &Ctx, caller: Address) -> bool {
        ctx.journaled_state.depth == self.depth && caller == self.caller
    }
}

impl Broadcasts {
    /// Tells whether the calls of the next transaction are not broadcast.
    pub(super) fn is_quiet(&self) -> bool {
        let Self { active, attached: _, refused: _, salted: _ } = self;
        active.is_none()
    }

    /// Tells whether a broadcast has begun and not ended.
    pub(super) fn is_active(&self) -> bool {
        self.active.is_some()
    }

    /// Forgets the creations of the last transaction.
    pub(super) fn begin_tx(&mut self) {
        self.salted.clear();
    }

    /// Prepares for a transaction within the running one, which is not broadcast.
    pub(super) fn enter_transaction(&mut self) {
        self.active = None;
    }

    /// Goes on with the transaction around one that has ended.
    pub(super) fn after_transaction(&mut self, outer: Self) {
        let Self { active, attached: _, refused: _, salted } = outer;
        self.active = active;
        self.salted = salted;
    }

    /// Returns the sender of the broadcast, if there is one, and whether it lasts for a single call.
    pub(super) fn callers(&self) -> Option<(bool, Address)> {
        self.active.as_ref().map(|broadcast| (broadcast.single, broadcast.sender))
    }

    /// Returns the sender of the broadcast, if there is one.
    pub(super) fn sender(&self) -> Option<Address> {
        self.active.as_ref().map(|broadcast| broadcast.sender)
    }

    /// Returns the broadcast if it changes calls that `caller` makes now.
    fn applying(&self, ctx: &Ctx, caller: Address) -> Option<&Broadcast> {
        self.active.as_ref().filter(|broadcast| broadcast.applies(ctx, caller))
    }

    /// Lets a broadcast change a call that is about to be made; the error is the call's revert data.
    pub(super) fn on_call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Result<(), Bytes> {
        let Some(broadcast) = self.applying(ctx, inputs.caller) else { return Ok(()) };
        let sender = broadcast.sender;
        (ctx.tx.caller, inputs.caller) = (sender, sender);
        if inputs.is_static {
            let text = "`staticcall`s are not allowed after `broadcast`; use `startBroadcast` instead";
            return if broadcast.single { Err(encode_message(text.to_owned())) } else { Ok(()) };
        }
        let attached = mem::take(&mut self.attached);
        bump(ctx, sender, 1 + attached.delegations_of(sender)?);
        Ok(())
    }

    /// Lets a broadcast change a creation that is about to be made, which raises the nonce by itself.
    pub(super) fn on_create(&self, ctx: &mut Ctx, inputs: &mut CreateInputs) {
        if let Some(sender) = self.applying(ctx, inputs.caller()).map(|broadcast| broadcast.sender) {
            load(ctx, sender);
            ctx.tx.caller = sender;
            inputs.set_call(sender);
        }
    }

    /// Ends what a broadcast changed once its call or creation has returned.
    pub(super) fn on_end(&mut self, ctx: &mut Ctx) {
        let depth = ctx.journaled_state.depth;
        if let Some(broadcast) = self.active.as_ref().filter(|broadcast| broadcast.depth == depth) {
            ctx.tx.caller = broadcast.origin_before;
            if broadcast.single {
                self.active = None;
            }
        }
    }

    /// Turns a creation with a salt into a call of the deployer, if a broadcast or the configuration wants that.
    pub(super) fn through_deployer(&mut self, config: &CheatsConfig, ctx: &mut Ctx, input: &mut FrameInput) {
        let FrameInput::Create(inputs) = &input else { return };
        let CreateScheme::Create2 { salt } = inputs.scheme() else { return };
        let depth = ctx.journaled_state.depth;
        let broadcast = self.applying(ctx, inputs.caller()).is_some();
        let configured = config.always_use_create_2_factory && depth == 1;
        if !broadcast && !configured {
            return;
        }
        let address = config.create2_deployer;
        let deployer = load(ctx, address).info.clone();
        if deployer.code_hash != keccak256(CREATE2_DEPLOYER_CODE) {
            self.refused = Some(match deployer.is_empty_code_hash() {
                true => format!("missing CREATE2 deployer: {address}"),
                false => "invalid CREATE2 deployer bytecode".to_owned(),
            });
            return;
        }
        let data = [&salt.to_be_bytes::<32>()[..], inputs.init_code()].concat();
        self.salted.push(Salted { depth });
        *input = FrameInput::Call(Box::new(CallInputs {
            input: CallInput::Bytes(data.into()),
            return_memory_offset: 0..0,
            gas_limit: inputs.gas_limit(),
            reservoir: inputs.reservoir(),
            bytecode_address: address,
            known_bytecode: (deployer.code_hash, deployer.code.unwrap_or_default()),
            target_address: address,
            caller: inputs.caller(),
            value: CallValue::Transfer(inputs.value()),
            scheme: CallScheme::Call,
            is_static: false,
            charged_new_account_state_gas: false,
        }));
    }

    /// Ends a creation whose deployer is none, as Forge ends it.
    pub(super) fn without_deployer(&mut self, inputs: &CreateInputs) -> Option<CreateOutcome> {
        self.refused.take().map(|text| refused(inputs, text.into_bytes().into()))
    }

    /// Turns the result of a call of the deployer into the one of the creation.
    pub(super) fn leave_deployer(&mut self, ctx: &Ctx, result: &mut FrameResult) {
        let FrameResult::Call(CallOutcome { result: called, .. }) = &result else { return };
        if self.salted.pop_if(|last| last.depth == ctx.journaled_state.depth).is_none() {
            return;
        }
        let mut called = called.clone();
        let address = called.result.is_ok().then(|| Address::try_from(called.output.as_ref()).ok()).flatten();
        if called.result.is_ok() && address.is_none() {
            called.result = InstructionResult::Revert;
        }
        if address.is_some() {
            called.output = Bytes::new();
        }
        *result = FrameResult::Create(CreateOutcome::new(called, address));
    }
}

fn bump(ctx: &mut Ctx, address: Address, by: u64) {
    let account = load(ctx, address);
    account.info.nonce = account.info.nonce.saturating_add(by);
}

fn begin(cx: &mut Cx<'_>, sender: Option<Address>, single: bool) -> Result<(), CheatError> {
    let depth = cx.depth();
    ensure!(
        !cx.cheats.pranks.has(depth),
        "you have an active prank; broadcasting and pranks are not compatible"
    );
    ensure!(!cx.cheats.broadcasts.is_active(), "a broadcast is active already");
    let mut wallets = cx.cheats.utilities.wallets.keys().copied();
    let only = wallets.next().filter(|_| wallets.next().is_none());
    let sender = sender.or(only).unwrap_or(cx.ctx.tx.caller);
    cx.account(sender);
    let (caller, origin_before) = (cx.caller, cx.ctx.tx.caller);
    cx.cheats.broadcasts.active = Some(Broadcast { sender, caller, origin_before, depth, single });
    Ok(())
}

/// Returns the account of a key, and remembers the key.
fn keyed(cx: &mut Cx<'_>, key: U256) -> Result<Option<Address>, CheatError> {
    let address = account(key)?;
    cx.cheats.utilities.remember(address, key);
    Ok(Some(address))
}

/// Implements the overloads, which differ in the account that seems to call.
macro_rules! broadcasts {
    ($($call:ident($single:literal, $self:ident, $cx:ident => $sender:expr);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, $cx: &mut Cx<'_>) -> CheatResult<Self> {
                let sender = $sender;
                begin($cx, sender, $single)?;
                done()
            }
        }
    )*};
}

broadcasts! {
    broadcast_0Call(true, self, cx => None);
    broadcast_1Call(true, self, cx => Some(self.signer));
    broadcast_2Call(true, self, cx => keyed(cx, self.privateKey)?);
    startBroadcast_0Call(false, self, cx => None);
    startBroadcast_1Call(false, self, cx => Some(self.signer));
    startBroadcast_2Call(false, self, cx => keyed(cx, self.privateKey)?);
}

impl Cheatcode for Vm::stopBroadcastCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let broadcast = cx.cheats.broadcasts.active.take().ok_or("no broadcast in progress to stop")?;
        cx.ctx.tx.caller = broadcast.origin_before;
        done()
    }
}
