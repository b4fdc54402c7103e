//! `vm.startStateDiffRecording`: records accounts that are called, created, destroyed or queried, and accesses
//! to their slots.
//!
//! Each open frame has its own list of accesses; when the frame ends, the list is appended to that of its
//! caller. Storage accesses of a frame are attached to the entry of its call. After another call, they are
//! attached to a new entry of kind `Resume`.

use super::{
    dispatch::{CheatResult, Cheatcode, Cx, done},
    vm::Vm,
};
use crate::evm::{
    Ctx,
    state::layers::{info, stored},
};
use alloy_primitives::{Address, B256, U256};
use revm::{
    bytecode::opcode,
    interpreter::{CallInputs, CallOutcome, CallScheme, CreateInputs, CreateOutcome},
    state::AccountInfo,
};

/// Forge's `AccountAccessKind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum AccessKind {
    Call,
    DelegateCall,
    CallCode,
    StaticCall,
    Create,
    SelfDestruct,
    Resume,
    Balance,
    ExtCodeSize,
    ExtCodeHash,
    ExtCodeCopy,
}

/// Accesses recorded so far.
#[derive(Clone, Debug)]
pub(crate) struct Diffs {
    /// Accesses of the frame that started the recording, and of frames that it called and that have ended.
    base: Vec<Vm::AccountAccess>,
    /// Depth of the calls that the recording frame makes.
    depth: usize,
    /// Accesses of the open frames above the recording frame, the innermost last. The first access of each is
    /// its own call.
    open: Vec<Vec<Vm::AccountAccess>>,
}

impl Diffs {
    /// Creates an empty recording for a frame whose calls have this depth.
    fn new(depth: usize) -> Self {
        Self { base: Vec::new(), depth, open: Vec::new() }
    }

    /// Returns all accesses in order.
    pub(super) fn all(&self) -> impl Iterator<Item = &Vm::AccountAccess> {
        self.base.iter().chain(self.open.iter().flatten())
    }

    fn frame(&mut self) -> &mut Vec<Vm::AccountAccess> {
        self.open.last_mut().unwrap_or(&mut self.base)
    }

    /// Records a slot access by the frame at this depth.
    fn slot(&mut self, depth: usize, access: Vm::StorageAccess) {
        let frame = self.frame();
        // Slot accesses by the frame that started the recording are not recorded.
        let Some(call) = frame.first().filter(|call| call.depth < depth as u64) else { return };
        let goes_on = Vm::AccountAccess {
            chainInfo: call.chainInfo.clone(),
            kind: AccessKind::Resume as u8,
            account: call.account,
            accessor: call.accessor,
            initialized: call.initialized,
            reverted: call.reverted,
            depth: call.depth,
            ..empty()
        };
        let alone = frame.len() == 1;
        match frame.last_mut() {
            Some(last) if alone || last.kind == AccessKind::Resume as u8 => last.storageAccesses.push(access),
            _ => frame.push(Vm::AccountAccess { storageAccesses: vec![access], ..goes_on }),
        }
    }

    /// Ends the frame that was entered from `depth`. `complete` completes its first access.
    fn ended(&mut self, depth: usize, reverted: bool, complete: impl FnOnce(&mut Vm::AccountAccess)) {
        let is_of =
            |frame: &Vec<Vm::AccountAccess>| frame.first().is_some_and(|call| call.depth == depth as u64);
        match self.open.pop_if(|frame| is_of(frame)) {
            Some(mut frame) => {
                if reverted {
                    revert(&mut frame);
                }
                if let Some(call) = frame.first_mut() {
                    complete(call);
                }
                self.frame().extend(frame);
            }
            None if self.open.is_empty() && self.depth == depth + 1 => {
                self.depth = depth;
                if reverted {
                    revert(&mut self.base);
                }
            }
            // The call was answered without running any code.
            None => {}
        }
    }
}

fn revert(accesses: &mut [Vm::AccountAccess]) {
    for access in accesses {
        access.reverted = true;
        access.storageAccesses.iter_mut().for_each(|slot| slot.reverted = true);
    }
}

fn empty() -> Vm::AccountAccess {
    Vm::AccountAccess {
        chainInfo: Vm::ChainInfo { forkId: U256::ZERO, chainId: U256::ZERO },
        kind: 0,
        account: Address::ZERO,
        accessor: Address::ZERO,
        initialized: false,
        oldBalance: U256::ZERO,
        newBalance: U256::ZERO,
        deployedCode: Default::default(),
        value: U256::ZERO,
        data: Default::default(),
        reverted: false,
        storageAccesses: Vec::new(),
        depth: 0,
        oldNonce: 0,
        newNonce: 0,
    }
}

/// Returns an access of this kind by the running frame.
fn access(ctx: &Ctx, kind: AccessKind, account: Address, accessor: Address) -> Vm::AccountAccess {
    let fork = U256::from(ctx.chain.watch.fork.unwrap_or_default());
    Vm::AccountAccess {
        chainInfo: Vm::ChainInfo { forkId: fork, chainId: U256::from(ctx.cfg.chain_id) },
        kind: kind as u8,
        account,
        accessor,
        depth: ctx.journaled_state.depth as u64,
        ..empty()
    }
}

/// Returns an access that does not change the account, with the account's balance and nonce.
fn looked_at(ctx: &Ctx, kind: AccessKind, account: Address, accessor: Address) -> Vm::AccountAccess {
    let known = info(ctx, account);
    let (balance, nonce) = known.map_or((U256::ZERO, 0), |info| (info.balance, info.nonce));
    Vm::AccountAccess {
        initialized: exists(known),
        oldBalance: balance,
        newBalance: balance,
        oldNonce: nonce,
        newNonce: nonce,
        ..access(ctx, kind, account, accessor)
    }
}

fn exists(info: Option<&AccountInfo>) -> bool {
    info.is_some_and(|info| !info.is_empty())
}

/// Records the beginning of a call that no cheatcode answers.
pub(super) fn called(ctx: &mut Ctx, inputs: &CallInputs) {
    if ctx.chain.watch.diffs.is_none() {
        return;
    }
    let kind = match inputs.scheme {
        CallScheme::Call => AccessKind::Call,
        CallScheme::CallCode => AccessKind::CallCode,
        CallScheme::DelegateCall => AccessKind::DelegateCall,
        CallScheme::StaticCall => AccessKind::StaticCall,
    };
    // Balance and nonce are those of the account with the storage; `account` is the one with the code.
    let owner = looked_at(ctx, kind, inputs.target_address, inputs.caller);
    let access = Vm::AccountAccess {
        account: inputs.bytecode_address,
        newBalance: U256::ZERO,
        newNonce: 0,
        value: inputs.call_value(),
        data: inputs.input.bytes(ctx),
        ..owner
    };
    if let Some(diffs) = &mut ctx.chain.watch.diffs {
        diffs.open.push(vec![access]);
    }
}

/// Completes the access of a call that has ended.
pub(super) fn call_ended(ctx: &mut Ctx, inputs: &CallInputs, outcome: &CallOutcome) {
    let Some(mut diffs) = ctx.chain.watch.diffs.take() else { return };
    let depth = ctx.journaled_state.depth;
    diffs.ended(depth, outcome.result.result.is_revert(), |access| {
        if let Some(info) = info(ctx, inputs.target_address) {
            (access.newBalance, access.newNonce) = (info.balance, info.nonce);
        }
    });
    ctx.chain.watch.diffs = Some(diffs);
}

/// Records the beginning of a contract creation.
pub(super) fn creating(ctx: &mut Ctx, inputs: &CreateInputs) {
    if ctx.chain.watch.diffs.is_none() {
        return;
    }
    let nonce = info(ctx, inputs.caller()).map_or(0, |info| info.nonce);
    let access = Vm::AccountAccess {
        initialized: true,
        value: inputs.value(),
        data: inputs.init_code().clone(),
        newNonce: 1,
        ..access(ctx, AccessKind::Create, inputs.created_address(nonce), inputs.caller())
    };
    if let Some(diffs) = &mut ctx.chain.watch.diffs {
        diffs.open.push(vec![access]);
    }
}

/// Completes the access of a contract creation that has ended.
pub(super) fn created(ctx: &mut Ctx, outcome: &CreateOutcome) {
    let Some(mut diffs) = ctx.chain.watch.diffs.take() else { return };
    let depth = ctx.journaled_state.depth;
    diffs.ended(depth, outcome.result.result.is_revert(), |access| {
        let Some(address) = outcome.address else { return };
        access.account = address;
        let info = info(ctx, address).cloned().unwrap_or_default();
        (access.newBalance, access.newNonce) = (info.balance, info.nonce);
        access.deployedCode = info.code.map(|code| code.original_bytes()).unwrap_or_default();
    });
    ctx.chain.watch.diffs = Some(diffs);
}

/// Records a slot of the running contract that is about to be read, or to be set to `written`.
pub(crate) fn slot_accessed(ctx: &mut Ctx, address: Address, slot: U256, written: Option<U256>) {
    // As in Forge: once an account access is recorded, values are loaded for the record, which warms their
    // slots.
    if ctx.chain.watch.diffs.as_ref().is_some_and(|diffs| diffs.all().next().is_some()) {
        let journal = &mut ctx.journaled_state;
        let loaded = journal.inner.sload(&mut journal.database, address, slot, false);
        debug_assert!(loaded.is_ok(), "the base state cannot fail and cold loads are not skipped");
    }
    let before = stored(ctx, address, slot);
    let access = Vm::StorageAccess {
        account: address,
        slot: slot.into(),
        isWrite: written.is_some(),
        previousValue: before.into(),
        newValue: B256::from(written.unwrap_or(before)),
        reverted: false,
    };
    let depth = ctx.journaled_state.depth;
    if let Some(diffs) = &mut ctx.chain.watch.diffs {
        diffs.slot(depth, access);
    }
}

/// Records an account that an instruction is about to query, or to which the running contract is about to
/// self-destruct.
pub(crate) fn account_accessed(ctx: &mut Ctx, code: u8, account: Address, by: Address) {
    let kind = match code {
        opcode::BALANCE => AccessKind::Balance,
        opcode::EXTCODESIZE => AccessKind::ExtCodeSize,
        opcode::EXTCODEHASH => AccessKind::ExtCodeHash,
        opcode::EXTCODECOPY => AccessKind::ExtCodeCopy,
        opcode::SELFDESTRUCT => AccessKind::SelfDestruct,
        _ => return,
    };
    let journal = &mut ctx.journaled_state;
    let Ok(_) = journal.inner.load_account(&mut journal.database, account);
    let mut access = looked_at(ctx, kind, account, by);
    if kind == AccessKind::SelfDestruct {
        access.value = info(ctx, by).map_or(U256::ZERO, |info| info.balance);
        access.newBalance = access.oldBalance.saturating_add(access.value);
    }
    if let Some(diffs) = &mut ctx.chain.watch.diffs {
        diffs.frame().push(access);
    }
}

impl Cheatcode for Vm::startStateDiffRecordingCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.ctx.chain.watch.diffs = Some(Box::new(Diffs::new(cx.depth())));
        // Mapping keys are recorded, too, because they identify the slots of mappings.
        cx.ctx.chain.watch.mappings.get_or_insert_default();
        done()
    }
}

impl Cheatcode for Vm::stopAndReturnStateDiffCall {
    /// Returns the accesses so far. As in Forge, the recording then continues from here.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.note_calls();
        let next = Box::new(Diffs::new(cx.depth()));
        let recorded = cx.ctx.chain.watch.diffs.replace(next);
        Ok(recorded.iter().flat_map(|diffs| diffs.all()).cloned().collect())
    }
}

impl Cheatcode for Vm::getStorageAccessesCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.note_calls();
        let recorded = cx.ctx.chain.watch.diffs.iter().flat_map(|diffs| diffs.all());
        Ok(recorded.flat_map(|access| &access.storageAccesses).cloned().collect())
    }
}
