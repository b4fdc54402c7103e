//! `vm.registerSloadHook` and its kin: functions of tests that are called after accesses to an account's storage.
//!
//! SLOAD and SSTORE suspend their frame and call the function, as CALL does. When it has returned, the frame goes on
//! as if nothing had been called: its stack, return data and gas are as before, and what the function loaded is cold.

use super::{
    Cheats,
    dispatch::{CheatResult, Cheatcode, Cx, done, ensure},
    expect::Expectations,
    instruction_watch::InstructionWatch,
    mapping::Mappings,
    mock::Mocks,
    record::Recording,
    vm::Vm,
};
use crate::evm::{Ctx, base::constants::VM_ADDRESS};
use alloy_primitives::{Address, B256, Bytes, Selector, U256};
use alloy_sol_types::SolValue as _;
use revm::{
    JournalEntry,
    context::JournalTr as _,
    interpreter::{
        CallInput, CallInputs, CallOutcome, CallScheme, CallValue, FrameInput, Gas, InstructionExecResult,
        InstructionResult, Interpreter, InterpreterAction,
        interpreter::EthInterpreter,
        interpreter_types::{LoopControl as _, ReturnData as _},
    },
};
use std::{collections::BTreeMap, mem};

/// Function that is called after an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HookCallback {
    /// Contract that registered it.
    pub(crate) contract: Address,
    pub(crate) selector: Selector,
}

/// Registered functions, by the account whose storage is accessed.
#[derive(Clone, Debug, Default)]
pub(crate) struct StorageHooks {
    loads: BTreeMap<Address, HookCallback>,
    stores: BTreeMap<Address, HookCallback>,
    /// Those for elements of one mapping, by the slot of the mapping.
    elements: BTreeMap<Address, BTreeMap<B256, HookCallback>>,
    /// Hashes of the running transaction in accounts with `elements`.
    hashes: Mappings,
    running: Option<RunningHook>,
}

/// Suspended frame whose storage access is being reported.
#[derive(Clone, Debug)]
struct RunningHook {
    /// Depth of the frame.
    depth: usize,
    gas: Gas,
    return_data: Bytes,
    /// Value that SLOAD has put on the stack.
    loaded: Option<U256>,
    /// Number of entries of the journal before the call.
    entries: usize,
    stage: HookStage,
}

#[derive(Clone, Debug)]
enum HookStage {
    /// The next call is that of the function.
    Requested,
    /// The function runs, without these requests of the test.
    Running(Box<HiddenRequests>),
    /// The function has returned, or reverted with this data.
    Ended(Result<(), Bytes>),
}

/// Mocks, expectations and recordings of a test, which calls by hooks neither see nor touch.
#[derive(Clone, Debug)]
struct HiddenRequests {
    mocks: Mocks,
    expectations: Expectations,
    recording: Recording,
    watch: InstructionWatch,
}

impl StorageHooks {
    /// Forgets the last transaction.
    pub(super) fn begin_tx(&mut self) {
        self.hashes = Mappings::default();
        self.running = None;
    }

    /// Returns all registered functions.
    fn callbacks(&self) -> impl Iterator<Item = HookCallback> {
        let elements = self.elements.values().flat_map(BTreeMap::values);
        self.loads.values().chain(self.stores.values()).chain(elements).copied()
    }

    /// Records that `account` hashed `data`.
    pub(crate) fn hashed(&mut self, account: Address, data: &[u8]) {
        if self.running.is_none() && self.elements.contains_key(&account) {
            self.hashes.hashed(account, data);
        }
    }

    /// Returns the function to call after a load, with its arguments.
    fn load(&self, account: Address, slot: U256, value: U256) -> Option<(HookCallback, Vec<u8>)> {
        let callback = self.loads.get(&account).filter(|_| self.running.is_none())?;
        Some((*callback, (account, B256::from(slot), B256::from(value)).abi_encode_params()))
    }

    /// Returns the function to call after a store, with its arguments.
    fn store(&self, account: Address, slot: U256, [old, new]: [U256; 2]) -> Option<(HookCallback, Vec<u8>)> {
        if self.running.is_some() {
            return None;
        }
        let (slot, old, new) = (B256::from(slot), B256::from(old), B256::from(new));
        if let Some(callback) = self.stores.get(&account) {
            return Some((*callback, (account, slot, old, new).abi_encode_params()));
        }
        let callbacks = self.elements.get(&account)?;
        let (root, keys) = self.hashes.origin(account, slot)?;
        let callback = callbacks.get(&root)?;
        Some((*callback, (account, slot, root, keys, old, new).abi_encode_params()))
    }
}

/// Calls the function for loads from the account whose code runs, if there is one. The value that was loaded is the
/// topmost word of the stack.
pub(crate) fn after_load(
    interpreter: &mut Interpreter<EthInterpreter>,
    host: &mut Ctx,
    slot: U256,
) -> InstructionExecResult {
    let account = interpreter.input.target_address;
    let Some(value) = interpreter.stack.data().last().copied() else { return Ok(()) };
    let hooks = host.chain.watch.hooks.as_deref();
    match hooks.and_then(|hooks| hooks.load(account, slot, value)) {
        Some((callback, arguments)) => call(interpreter, host, callback, &arguments, Some(value)),
        None => Ok(()),
    }
}

/// Calls the function for stores to the account whose code runs, if there is one.
pub(crate) fn after_store(
    interpreter: &mut Interpreter<EthInterpreter>,
    host: &mut Ctx,
    slot: U256,
    values: [U256; 2],
) -> InstructionExecResult {
    let account = interpreter.input.target_address;
    let hooks = host.chain.watch.hooks.as_deref();
    match hooks.and_then(|hooks| hooks.store(account, slot, values)) {
        Some((callback, arguments)) => call(interpreter, host, callback, &arguments, None),
        None => Ok(()),
    }
}

/// Suspends the frame and requests the call.
fn call(
    interpreter: &mut Interpreter<EthInterpreter>,
    host: &mut Ctx,
    callback: HookCallback,
    arguments: &[u8],
    loaded: Option<U256>,
) -> InstructionExecResult {
    let HookCallback { contract, selector } = callback;
    let depth = host.journaled_state.depth;
    let entries = host.journaled_state.journal.len();
    let Ok(callee) = host.journaled_state.load_account_with_code(contract);
    let known_bytecode = (callee.info.code_hash, callee.info.code.clone().unwrap_or_default());
    if loaded.is_some() {
        // Makes room for the result of the call, since the stack may be full.
        let _ = interpreter.stack.pop();
    }
    if let Some(frame) = host.chain.cmplog.frames.get_mut(depth) {
        frame.outcome = interpreter.stack.len();
    }
    if let Some(hooks) = &mut host.chain.watch.hooks {
        hooks.running = Some(RunningHook {
            depth,
            gas: interpreter.gas,
            return_data: Bytes::copy_from_slice(interpreter.return_data.buffer()),
            loaded,
            entries,
            stage: HookStage::Requested,
        });
    }
    interpreter.bytecode.set_action(InterpreterAction::NewFrame(FrameInput::Call(Box::new(CallInputs {
        input: CallInput::Bytes([selector.as_slice(), arguments].concat().into()),
        return_memory_offset: 0..0,
        gas_limit: interpreter.gas.remaining(),
        reservoir: 0,
        bytecode_address: contract,
        known_bytecode,
        target_address: contract,
        caller: VM_ADDRESS,
        value: CallValue::Transfer(U256::ZERO),
        scheme: CallScheme::Call,
        is_static: false,
        charged_new_account_state_gas: false,
    }))));
    Err(InstructionResult::Suspend)
}

/// Restores the frame after the call that [`after_load`] or [`after_store`] requested of it. Returns true if the frame
/// must end, because the call reverted.
pub(crate) fn resume(interpreter: &mut Interpreter<EthInterpreter>, host: &mut Ctx) -> bool {
    let depth = host.journaled_state.depth;
    let Some(hooks) = &mut host.chain.watch.hooks else { return false };
    let is_over = |hook: &mut RunningHook| hook.depth == depth && matches!(hook.stage, HookStage::Ended(_));
    let Some(hook) = hooks.running.take_if(is_over) else { return false };
    // The call has left its result there.
    let _ = interpreter.stack.pop();
    if let Some(value) = hook.loaded {
        let _ = interpreter.stack.push(value);
    }
    if host.chain.cmplog.is_on() {
        host.chain.cmplog.tag(depth, interpreter.stack.len(), 0);
        host.chain.cmplog.tag(depth, interpreter.stack.len().saturating_sub(1), 0);
    }
    interpreter.gas = hook.gas;
    interpreter.return_data.set_buffer(hook.return_data);
    let HookStage::Ended(Err(data)) = hook.stage else { return false };
    let reverted = InterpreterAction::new_return(InstructionResult::Revert, data, interpreter.gas);
    interpreter.bytecode.set_action(reverted);
    true
}

/// Makes cold what was loaded since the journal had so many entries.
fn cool(host: &mut Ctx, entries: usize) {
    let journal = &mut host.journaled_state;
    let entries = entries.min(journal.journal.len());
    for entry in journal.journal.split_off(entries) {
        match entry {
            JournalEntry::AccountWarmed { address } => {
                if let Some(account) = journal.state.get_mut(&address) {
                    account.mark_cold();
                }
            }
            JournalEntry::StorageWarmed { address, key } => {
                let account = journal.state.get_mut(&address);
                if let Some(slot) = account.and_then(|account| account.storage.get_mut(&key)) {
                    slot.mark_cold();
                }
            }
            entry => journal.journal.push(entry),
        }
    }
}

impl Cheats {
    /// Tells whether the call that begins is one by a storage hook; hides the test's requests from it.
    pub(crate) fn is_hook_call(&mut self, ctx: &mut Ctx) -> bool {
        let watch = &mut ctx.chain.watch;
        let running = watch.hooks.as_mut().and_then(|hooks| hooks.running.as_mut());
        let Some(hook) = running.filter(|hook| matches!(hook.stage, HookStage::Requested)) else {
            return false;
        };
        let hidden = HiddenRequests {
            mocks: mem::take(&mut self.mocks),
            expectations: mem::take(&mut self.expectations),
            recording: mem::take(&mut self.recording),
            watch: InstructionWatch {
                accesses: watch.accesses.take(),
                mappings: watch.mappings.take(),
                diffs: watch.diffs.take(),
                ..InstructionWatch::default()
            },
        };
        hook.stage = HookStage::Running(Box::new(hidden));
        true
    }

    /// Tells whether the call that ended is one by a storage hook; if so, puts the test's requests back.
    pub(crate) fn is_hook_call_end(&mut self, ctx: &mut Ctx, outcome: &CallOutcome) -> bool {
        let depth = ctx.journaled_state.depth;
        let watch = &mut ctx.chain.watch;
        let Some(hook) = watch.hooks.as_mut().and_then(|hooks| hooks.running.as_mut()) else { return false };
        if hook.depth != depth || !matches!(hook.stage, HookStage::Running(_)) {
            return false;
        }
        let result = &outcome.result;
        let ended = if result.result.is_ok() { Ok(()) } else { Err(result.output.clone()) };
        let entries = hook.entries;
        if let HookStage::Running(hidden) = mem::replace(&mut hook.stage, HookStage::Ended(ended)) {
            let HiddenRequests { mocks, expectations, recording, watch: before } = *hidden;
            (self.mocks, self.expectations, self.recording) = (mocks, expectations, recording);
            (watch.accesses, watch.mappings, watch.diffs) = (before.accesses, before.mappings, before.diffs);
        }
        self.transaction.undo.frame_end(ctx, depth, !result.result.is_ok());
        cool(ctx, entries);
        true
    }

    /// Returns the functions that are called for accesses to storage.
    pub(crate) fn hook_callbacks(&self) -> Vec<HookCallback> {
        self.recording.watch.hooks.iter().flat_map(|hooks| hooks.callbacks()).collect()
    }
}

/// Returns the registered functions, and the one to register.
fn registration<'a>(cx: &'a mut Cx<'_>, selector: Selector) -> (&'a mut StorageHooks, HookCallback) {
    let callback = HookCallback { contract: cx.caller, selector };
    (cx.ctx.chain.watch.hooks.get_or_insert_default(), callback)
}

impl Cheatcode for Vm::registerSloadHookCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let (hooks, callback) = registration(cx, self.callback);
        hooks.loads.insert(self.target, callback);
        done()
    }
}

impl Cheatcode for Vm::registerSstoreHookCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let (hooks, callback) = registration(cx, self.callback);
        ensure!(
            !hooks.elements.contains_key(&self.target),
            "cannot register raw SSTORE hook: mapping SSTORE hooks already exist for target"
        );
        hooks.stores.insert(self.target, callback);
        done()
    }
}

impl Cheatcode for Vm::registerMappingSstoreHookCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let (hooks, callback) = registration(cx, self.callback);
        ensure!(
            !hooks.stores.contains_key(&self.target),
            "cannot register mapping SSTORE hook: raw SSTORE hook already exists for target"
        );
        hooks.hashes.forget(self.target);
        hooks.elements.entry(self.target).or_default().insert(self.rootSlot, callback);
        done()
    }
}
