//! Scripts' cheatcodes in tests: calls as an account outside would make them, delegations (EIP-7702) and blobs.
//!
//! Nothing is sent anywhere. As in Forge, a broadcast makes calls come from another account, whose nonce they raise.

use super::{
    code::refused,
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, account as load, done, encode_message, ensure},
    vm::Vm,
};
use crate::{
    config::CheatsConfig,
    evm::{
        Ctx,
        base::{
            constants::CREATE2_DEPLOYER_CODE,
            secp256k1::{Signature, account, recover, sign},
        },
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

/// Broadcast of a test, and creations that go through the deployer.
#[derive(Clone, Debug, Default)]
pub(super) struct Broadcasts {
    active: Option<Broadcast>,
    /// For the next broadcast call.
    attached: Attached,
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
    /// The contract that asked.
    caller: Address,
    /// `tx.origin` to go back to.
    origin_before: Address,
    depth: usize,
    /// True if the next call uses it up.
    single: bool,
}

/// Delegations and blob of the next broadcast call.
#[derive(Clone, Debug, Default)]
struct Attached {
    delegations: Vec<Delegation>,
    blob: bool,
}

#[derive(Clone, Debug)]
struct Delegation {
    signer: Address,
    nonce: u64,
}

/// Creation with a salt that goes through the deployer.
#[derive(Clone, Debug)]
struct Salted {
    depth: usize,
}

/// Largest `s` of a signature that has no other form (EIP-2).
const HALF_ORDER: U256 = uint!(0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0_U256);

const BOTH: &str =
    "both delegation and blob are active; `attachBlob` and `attachDelegation` are not compatible";

impl Broadcast {
    fn applies(&self, ctx: &Ctx, caller: Address) -> bool {
        ctx.journaled_state.depth == self.depth && caller == self.caller
    }
}

impl Broadcasts {
    /// Tells whether the calls of the next transaction are not broadcast.
    pub(super) fn is_quiet(&self) -> bool {
        !self.is_active()
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
        let attached = std::mem::take(&mut self.attached);
        if attached.blob && !attached.delegations.is_empty() {
            return Err(encode_message(BOTH.to_owned()));
        }
        let own = attached.delegations.iter().filter(|delegation| delegation.signer == sender).count();
        bump(ctx, sender, 1 + own as u64);
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

impl Cheatcode for Vm::attachBlobCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.broadcasts.attached.blob = true;
        done()
    }
}

/// Returns the hash that a delegation signs (EIP-7702).
fn digest(chain: u64, implementation: Address, nonce: u64) -> B256 {
    let payload_length = chain.length() + implementation.length() + nonce.length();
    let mut encoded = vec![5];
    Header { list: true, payload_length }.encode(&mut encoded);
    chain.encode(&mut encoded);
    implementation.encode(&mut encoded);
    nonce.encode(&mut encoded);
    keccak256(encoded)
}

/// Returns the nonce that the next delegation of a signer must have.
fn next_nonce(cx: &mut Cx<'_>, signer: Address) -> u64 {
    let delegations = &cx.cheats.broadcasts.attached.delegations;
    match delegations.iter().rfind(|delegation| delegation.signer == signer) {
        Some(last) => last.nonce.wrapping_add(1),
        None => {
            let broadcasts =
                cx.cheats.broadcasts.active.as_ref().is_some_and(|broadcast| broadcast.sender == signer);
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
    cx.cheats.broadcasts.attached.delegations.push(Delegation { signer, nonce });
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

/// Implements the overloads, which differ in what they give: the nonce, or whether the chain matters.
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
