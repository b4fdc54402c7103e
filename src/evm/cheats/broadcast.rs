//! Scripts' cheatcodes in tests: calls as an account outside would make them, delegations (EIP-7702) and blobs.
//!
//! Nothing is sent anywhere. As in Forge, a broadcast makes calls come from another account, whose nonce they raise.

use super::{
    Cheats,
    code::refused,
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, account as load, done, encode_message, ensure},
    vm::Vm,
};
use crate::evm::{
    Ctx,
    base::{
        constants::CREATE2_DEPLOYER_CODE,
        secp256k1::{Signature, account, recover, sign},
    },
};
use alloy_primitives::{Address, B256, Bytes, U256, keccak256, uint};
use alloy_rlp::{Encodable as _, Header};
use revm::{
    bytecode::Bytecode,
    context::CreateScheme,
    handler::FrameResult,
    interpreter::{
        CallInput, CallInputs, CallOutcome, CallScheme, CallValue, CreateInputs, CreateOutcome, FrameInput,
        InstructionResult,
    },
};
use std::sync::Arc;

/// A broadcast that was asked for.
#[derive(Clone, Debug)]
pub(super) struct Broadcast {
    /// Who seems to call.
    sender: Address,
    /// The contract that asked.
    caller: Address,
    /// `tx.origin` to go back to.
    origin_before: Address,
    depth: usize,
    /// Whether the next call uses it up.
    single: bool,
}

/// What the next broadcast call takes along.
#[derive(Clone, Debug, Default)]
pub(super) struct Attached {
    delegations: Vec<Delegation>,
    blob: bool,
}

#[derive(Clone, Debug)]
struct Delegation {
    signer: Address,
    nonce: u64,
}

/// A creation with a salt that goes through the deployer.
#[derive(Clone, Debug)]
pub(super) struct Salted {
    depth: usize,
}

/// The largest `s` of a signature that has no other form (EIP-2).
const HALF_ORDER: U256 = uint!(0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0_U256);

const BOTH: &str =
    "both delegation and blob are active; `attachBlob` and `attachDelegation` are not compatible";

impl Broadcast {
    fn applies(&self, ctx: &Ctx, caller: Address) -> bool {
        ctx.journaled_state.depth == self.depth && caller == self.caller
    }

    /// Who broadcasts, and whether by more than one call.
    pub(super) fn callers(&self) -> (bool, Address) {
        (self.single, self.sender)
    }
}

impl Cheats {
    /// Lets a broadcast change a call that is about to be made; the error is what the call reverts with.
    pub(super) fn broadcast_call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Result<(), Bytes> {
        let Some(broadcast) =
            self.broadcast.as_ref().filter(|broadcast| broadcast.applies(ctx, inputs.caller))
        else {
            return Ok(());
        };
        let sender = broadcast.sender;
        (ctx.tx.caller, inputs.caller) = (sender, sender);
        if inputs.is_static {
            let text = "`staticcall`s are not allowed after `broadcast`; use `startBroadcast` instead";
            return if broadcast.single { Err(encode_message(text.to_owned())) } else { Ok(()) };
        }
        let attached = std::mem::take(&mut self.attached);
        if attached.blob && !attached.delegations.is_empty() {
            return Err(encode_message(BOTH.to_owned()));
        }
        let own = attached.delegations.iter().filter(|delegation| delegation.signer == sender).count();
        bump(ctx, sender, 1 + own as u64);
        Ok(())
    }

    /// Lets a broadcast change a creation that is about to be made, which raises the nonce by itself.
    pub(super) fn broadcast_create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) {
        let applies = |broadcast: &&Broadcast| broadcast.applies(ctx, inputs.caller());
        if let Some(sender) = self.broadcast.as_ref().filter(applies).map(|broadcast| broadcast.sender) {
            load(ctx, sender);
            ctx.tx.caller = sender;
            inputs.set_call(sender);
        }
    }

    /// Ends what a broadcast changed once its call or creation has returned.
    pub(super) fn broadcast_end(&mut self, ctx: &mut Ctx) {
        let depth = ctx.journaled_state.depth;
        if let Some(broadcast) = self.broadcast.as_ref().filter(|broadcast| broadcast.depth == depth) {
            ctx.tx.caller = broadcast.origin_before;
            if broadcast.single {
                self.broadcast = None;
            }
        }
    }

    /// Turns a creation with a salt into a call of the deployer, if a broadcast or the configuration wants that.
    pub(super) fn through_deployer(&mut self, ctx: &mut Ctx, input: &mut FrameInput) {
        let FrameInput::Create(inputs) = &input else { return };
        let CreateScheme::Create2 { salt } = inputs.scheme() else { return };
        let depth = ctx.journaled_state.depth;
        let broadcast =
            self.broadcast.as_ref().is_some_and(|broadcast| broadcast.applies(ctx, inputs.caller()));
        let configured = self.shared.config.always_use_create_2_factory && depth == 1;
        if !broadcast && !configured {
            return;
        }
        let address = self.shared.config.create2_deployer;
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

    /// Turns the result of that call into the one of the creation.
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
        !cx.cheats.has_prank(depth),
        "you have an active prank; broadcasting and pranks are not compatible"
    );
    ensure!(cx.cheats.broadcast.is_none(), "a broadcast is active already");
    let mut wallets = cx.cheats.wallets.keys().copied();
    let only = wallets.next().filter(|_| wallets.next().is_none());
    let sender = sender.or(only).unwrap_or(cx.ctx.tx.caller);
    cx.account(sender);
    let (caller, origin_before) = (cx.caller, cx.ctx.tx.caller);
    cx.cheats.broadcast = Some(Broadcast { sender, caller, origin_before, depth, single });
    Ok(())
}

/// The account of a key, which is remembered.
fn keyed(cx: &mut Cx<'_>, key: U256) -> Result<Option<Address>, CheatError> {
    let address = account(key)?;
    Arc::make_mut(&mut cx.cheats.wallets).insert(address, key);
    Ok(Some(address))
}

/// The overloads differ in who seems to call.
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
        let broadcast = cx.cheats.broadcast.take().ok_or("no broadcast in progress to stop")?;
        cx.ctx.tx.caller = broadcast.origin_before;
        done()
    }
}

impl Cheatcode for Vm::attachBlobCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.attached.blob = true;
        done()
    }
}

/// What a delegation signs (EIP-7702).
fn digest(chain: u64, implementation: Address, nonce: u64) -> B256 {
    let payload_length = chain.length() + implementation.length() + nonce.length();
    let mut encoded = vec![5];
    Header { list: true, payload_length }.encode(&mut encoded);
    chain.encode(&mut encoded);
    implementation.encode(&mut encoded);
    nonce.encode(&mut encoded);
    keccak256(encoded)
}

/// The nonce that the next delegation of a signer must have.
fn next_nonce(cx: &mut Cx<'_>, signer: Address) -> u64 {
    let delegations = &cx.cheats.attached.delegations;
    match delegations.iter().rfind(|delegation| delegation.signer == signer) {
        Some(last) => last.nonce.wrapping_add(1),
        None => {
            let broadcasts = cx.cheats.broadcast.as_ref().is_some_and(|broadcast| broadcast.sender == signer);
            cx.account(signer).info.nonce.wrapping_add(u64::from(broadcasts))
        }
    }
}

fn chain(cx: &Cx<'_>, any: bool) -> u64 {
    if any { 0 } else { cx.ctx.cfg.chain_id }
}

fn sign_delegation(
    cx: &mut Cx<'_>,
    implementation: Address,
    key: U256,
    nonce: Option<u64>,
    any_chain: bool,
) -> Result<Vm::SignedDelegation, CheatError> {
    let signer = account(key).map_err(|_| "signature error")?;
    let nonce = nonce.unwrap_or_else(|| next_nonce(cx, signer));
    let Signature { odd, r, s } = sign(key, digest(chain(cx, any_chain), implementation, nonce))?;
    Ok(Vm::SignedDelegation { v: odd.into(), r, s, nonce, implementation })
}

/// Lets the signer's account run the code of the implementation.
fn attach(cx: &mut Cx<'_>, signed: &Vm::SignedDelegation, any_chain: bool) -> Result<(), CheatError> {
    let Vm::SignedDelegation { v, r, s, nonce, implementation } = *signed;
    let hash = digest(chain(cx, any_chain), implementation, nonce);
    let signature = Signature { odd: v == 1, r, s };
    ensure!(v < 2, "invalid parity: {v}");
    let number: U256 = s.into();
    ensure!(number <= HALF_ORDER, "invalid signature `s` value: {number}");
    let signer = recover(signature, hash).ok_or("signature error")?;
    let expected = next_nonce(cx, signer);
    ensure!(expected == nonce, "invalid nonce for {signer:?}: expected {expected}, got {nonce}");
    let code =
        if implementation.is_zero() { Bytecode::default() } else { Bytecode::new_eip7702(implementation) };
    cx.set_code(signer, code);
    cx.cheats.attached.delegations.push(Delegation { signer, nonce });
    Ok(())
}

impl Cheatcode for Vm::attachDelegation_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        attach(cx, &self.signed, false)?;
        done()
    }
}

impl Cheatcode for Vm::attachDelegation_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        attach(cx, &self.signed, self.crossChain)?;
        done()
    }
}

/// The overloads differ in what they give: the nonce, or whether the chain matters.
macro_rules! delegations {
    ($($sign:ident $attach:ident($self:ident => $nonce:expr, $any:expr);)*) => {$(
        impl Cheatcode for Vm::$sign {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                sign_delegation(cx, $self.implementation, $self.privateKey, $nonce, $any)
            }
        }

        impl Cheatcode for Vm::$attach {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                let signed = sign_delegation(cx, $self.implementation, $self.privateKey, $nonce, $any)?;
                attach(cx, &signed, $any)?;
                Ok(signed)
            }
        }
    )*};
}

delegations! {
    signDelegation_0Call signAndAttachDelegation_0Call(self => None, false);
    signDelegation_1Call signAndAttachDelegation_1Call(self => Some(self.nonce), false);
    signDelegation_2Call signAndAttachDelegation_2Call(self => None, self.crossChain);
}
