//! Inspector for cheatcodes, console, call traces and everything else that hooks into calls and creations.

use super::{
    call_cache::{CallCache, note_call},
    isolation::{self, IsolatedCall, Isolation},
};
use crate::evm::{
    Ctx,
    base::constants::{CONSOLE_ADDRESS, VM_ADDRESS},
    cheats::Cheats,
    trace::{call_tree::Tracer, failure::FailureTracker, read_set},
};
use crate::model::{Reentry, Scene};
use alloy_primitives::{Address, Bytes, Log, U256};
use revm::{
    Inspector, JournalEntry,
    context::{ContextTr, JournalTr},
    handler::FrameResult,
    interpreter::{
        CallInput, CallInputs, CallOutcome, CallScheme, CallValue, CreateInputs, CreateOutcome, CreateScheme,
        FrameInput, InstructionResult, Interpreter, InterpreterResult, interpreter::EthInterpreter,
    },
    primitives::TxKind,
};
use std::{mem, sync::Arc};

/// State of the hooks. The state of the cheatcodes lives as long as a run; then it is reset to that after `setUp`.
#[derive(Clone, Debug)]
pub(crate) struct CallInspector {
    pub(crate) cheats: Cheats,
    /// Recorder of the call tree, if one is wanted.
    pub(crate) tracer: Option<Tracer>,
    pub(crate) failures: FailureTracker,
    /// Addresses of all contracts created since the last reset, also in calls that reverted.
    pub(crate) created: Vec<Address>,
    /// Logs of the transaction, kept only for the dictionary.
    pub(crate) logs: Vec<Log>,
    /// Calls that run as transactions of their own.
    isolation: Isolation,
    /// Pending reentrant call: the callee of a certain call calls back.
    reentry: Option<Arc<Reentry>>,
    /// Wei of the callback.
    reentry_value: U256,
    /// Running reentrant call.
    calling_back: Option<CallingBack>,
    /// Accounts that may make the reentrant call; `None` allows all.
    pub(crate) reentrants: Option<Arc<[Address]>>,
    /// Account that made a reentrant call in this transaction, unless that failed or only read.
    pub(crate) reentered: Option<Address>,
    /// Answers to static calls that handlers and properties made before.
    pub(crate) calls: CallCache,
}

/// Reentrant call that has not ended.
#[derive(Clone, Copy, Debug)]
struct CallingBack {
    depth: usize,
    /// Number of entries of the journal before it.
    entries: usize,
}

/// Tells whether the entries of the journal from this one on change the state: an answer of the contract alone
/// is what anybody may read.
fn has_changes(journal: &[JournalEntry], from: usize) -> bool {
    use JournalEntry::{AccountTouched, AccountWarmed, StorageWarmed};
    let mut entries = journal.iter().skip(from);
    entries.any(|entry| !matches!(entry, AccountTouched { .. } | AccountWarmed { .. } | StorageWarmed { .. }))
}

impl CallInspector {
    pub(crate) fn new(cheats: Cheats) -> Self {
        Self {
            calls: CallCache::new(cheats.clone()),
            cheats,
            tracer: None,
            failures: FailureTracker::default(),
            created: Vec::new(),
            logs: Vec::new(),
            isolation: Isolation::default(),
            reentry: None,
            reentry_value: U256::ZERO,
            calling_back: None,
            reentrants: None,
            reentered: None,
        }
    }

    /// Processes the logs that were emitted since the last time.
    pub(crate) fn show_logs(&mut self, context: &mut Ctx) {
        for log in mem::take(&mut context.chain.logs) {
            self.log(context, log);
        }
    }

    /// Prepares for a top-level call.
    pub(crate) fn begin(&mut self, reentry: Option<Arc<Reentry>>, value: U256) {
        self.failures.reset();
        self.created.clear();
        self.logs.clear();
        self.isolation = Isolation::default();
        self.reentry_value = match &reentry {
            Some(reentry) if self.reentrants.is_some() => reentry.value(value),
            _ => U256::ZERO,
        };
        (self.reentry, self.calling_back, self.reentered) = (reentry, None, None);
    }

    /// Replaces a call by a reentrant call of its callee to its caller, if the call is the one that
    /// [`Reentry`] selects.
    fn call_back(&mut self, context: &mut Ctx, inputs: &mut CallInputs) {
        let Some(reentry) = self.reentry.as_mut().filter(|reentry| reentry.target == inputs.caller) else {
            return;
        };
        let outermost = context.journaled_state.depth == 0;
        let may = |account: &Address| self.reentrants.as_ref().is_none_or(|known| known.contains(account));
        if outermost
            || inputs.scheme != CallScheme::Call
            || is_builtin(inputs.target_address)
            || !may(&inputs.target_address)
        {
            return;
        }
        if reentry.nth > 0 {
            Arc::make_mut(reentry).nth -= 1;
            return;
        }
        let Some(reentry) = self.reentry.take() else { return };
        // The trace shows the call to the callee around the reentrant call.
        if let Some(tracer) = &mut self.tracer {
            tracer.call(context, inputs);
        }
        let journal = &mut context.journaled_state;
        let (from, to) = (inputs.target_address, inputs.caller);
        let Ok(None) = journal.transfer(to, from, inputs.value.get()) else {
            if let Some(tracer) = &mut self.tracer {
                tracer.cancel();
            }
            return;
        };
        let Ok(account) = journal.load_account_with_code(to);
        let info = &account.data.info;
        inputs.known_bytecode = (info.code_hash, info.code.clone().unwrap_or_default());
        (inputs.caller, inputs.target_address, inputs.bytecode_address) = (from, to, to);
        inputs.value = CallValue::Transfer(self.reentry_value);
        inputs.input = CallInput::Bytes(reentry.input.calldata());
        let journal = &context.journaled_state;
        self.calling_back = Some(CallingBack { depth: journal.depth, entries: journal.journal.len() });
        self.reentered = Some(from);
        if let Some(taint) = &mut context.chain.taint {
            taint.reentered(context.journaled_state.depth, inputs.input.len());
        }
        if let Some(symbolic) = &mut context.chain.symbolic {
            symbolic.reentered(context.journaled_state.depth);
        }
    }

    /// Ends the reentrant call, and returns true if there was one. If it failed, the callee returns successfully,
    /// without data. Actors of a scan give their answer instead of returning nothing.
    fn call_back_end(&mut self, context: &mut Ctx, result: &mut InterpreterResult) -> bool {
        let journal = &context.journaled_state;
        let Some(back) = self.calling_back.take_if(|back| back.depth == journal.depth) else { return false };
        let by = self.reentered;
        if !has_changes(&journal.journal, back.entries) {
            self.reentered = None;
        }
        if !result.result.is_ok() {
            result.result = InstructionResult::Return;
            result.output = Bytes::new();
            self.reentered = None;
            if let Some(taint) = &mut context.chain.taint {
                taint.reentrant_call_failed(context.journaled_state.depth);
            }
        }
        if let Some(by) = by.filter(|_| self.reentrants.is_some() && result.output.is_empty()) {
            let journal = &mut context.journaled_state;
            let stored = journal.inner.sload(&mut journal.database, by, Scene::ANSWER, false);
            let stored = stored.map_or(U256::ZERO, |loaded| loaded.data);
            result.output = stored.wrapping_add(U256::ONE).to_be_bytes_vec().into();
        }
        true
    }

    /// Turns a call of the outermost frame into a transaction of its own, if calls are isolated.
    fn isolate_call(&mut self, context: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        if !self.isolates(context) {
            return None;
        }
        match inputs.scheme {
            CallScheme::StaticCall => {
                self.isolation.cool(context);
                return None;
            }
            CallScheme::Call => {}
            CallScheme::CallCode | CallScheme::DelegateCall => return None,
        }
        let call = IsolatedCall {
            caller: inputs.caller,
            kind: TxKind::Call(inputs.target_address),
            value: inputs.value.get(),
            data: inputs.input.bytes(context),
            gas_limit: inputs.gas_limit,
        };
        match self.enter_isolated(context, call) {
            Some(gas_limit) => {
                inputs.gas_limit = gas_limit;
                None
            }
            None => {
                let refused = isolation::refused(inputs.gas_limit);
                Some(CallOutcome::new(refused, inputs.return_memory_offset.clone()))
            }
        }
    }

    /// Turns a creation of the outermost frame into a transaction of its own, if calls are isolated.
    fn isolate_creation(&mut self, context: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        if !self.isolates(context) || inputs.scheme() != CreateScheme::Create {
            return None;
        }
        let creation = IsolatedCall {
            caller: inputs.caller(),
            kind: TxKind::Create,
            value: inputs.value(),
            data: inputs.init_code().clone(),
            gas_limit: inputs.gas_limit(),
        };
        match self.enter_isolated(context, creation) {
            Some(gas_limit) => {
                inputs.set_gas_limit(gas_limit);
                None
            }
            None => Some(CreateOutcome::new(isolation::refused(inputs.gas_limit()), None)),
        }
    }

    /// Begins the transaction of an isolated call. Returns the gas that is left for its code; `None` if such
    /// a transaction is invalid.
    fn enter_isolated(&mut self, context: &mut Ctx, call: IsolatedCall) -> Option<u64> {
        self.isolation.enter(context, call, self.cheats.isolated_gas(context))
    }

    fn isolates(&self, context: &Ctx) -> bool {
        context.journaled_state.depth == 1 && self.cheats.isolates()
    }

    /// Ends the transaction of an isolated call.
    fn leave_isolated(&mut self, context: &mut Ctx, result: &mut InterpreterResult) {
        if context.journaled_state.depth == 1 {
            self.isolation.leave(context, result);
        }
    }
}

/// Maximum number of logs of a transaction kept for the dictionary.
const KEPT_LOGS: usize = 32;

fn is_builtin(address: Address) -> bool {
    address == VM_ADDRESS || address == CONSOLE_ADDRESS
}

/// Moves the writes of the frame that ended to the trace. The journal has already left the frame.
fn collect_writes(context: &mut Ctx, tracer: &mut Tracer) {
    let depth = context.journaled_state.depth;
    if let Some(writes) = &mut context.chain.writes.traced {
        // Searches from the back: otherwise, a frame that writes and calls in a loop would be searched again
        // at each call.
        let own = writes.iter().rposition(|write| write.0 <= depth).map_or(0, |last| last + 1);
        tracer.writes(writes.drain(own..).map(|(_, slot, before, after)| (slot, before, after)));
    }
}

impl Inspector<Ctx> for CallInspector {
    fn initialize_interp(&mut self, interpreter: &mut Interpreter<EthInterpreter>, context: &mut Ctx) {
        context.chain.enter(context.journaled_state.depth, interpreter);
    }

    fn frame_start(&mut self, context: &mut Ctx, input: &mut FrameInput) -> Option<FrameResult> {
        self.cheats.on_frame_start(context, input);
        None
    }

    fn frame_end(&mut self, context: &mut Ctx, _: &FrameInput, result: &mut FrameResult) {
        self.cheats.on_frame_end(context, result);
        context.chain.frame_ended(context.journaled_state.depth, result.interpreter_result());
    }

    fn call(&mut self, context: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        let by_hook = self.cheats.is_hook_call(context);
        if !by_hook {
            self.call_back(context, inputs);
        }
        if inputs.known_bytecode.1.is_empty()
            && !inputs.input.is_empty()
            && !is_builtin(inputs.bytecode_address)
        {
            let delegate = inputs.scheme.is_delegate_call();
            self.failures.call_without_code(context.journaled_state.depth, inputs.bytecode_address, delegate);
        }
        if context.chain.reads.is_on() {
            note_call(context, inputs);
        }
        // The cheatcodes come first: a prank changes the caller that the trace shows.
        let answered = if by_hook { None } else { self.cheats.on_call(context, inputs) };
        if let Some(tracer) = &mut self.tracer {
            tracer.call(context, inputs);
        }
        if by_hook {
            return None;
        }
        answered
            .or_else(|| self.isolate_call(context, inputs))
            .or_else(|| self.calls.answer(context, inputs, &self.cheats))
    }

    fn call_end(&mut self, context: &mut Ctx, inputs: &CallInputs, outcome: &mut CallOutcome) {
        self.calls.ended(context, outcome, &self.cheats);
        self.leave_isolated(context, &mut outcome.result);
        if outcome.result.result.is_revert() {
            self.failures.call_reverted(inputs.target_address);
        }
        let callee = inputs.bytecode_address;
        let builtin = is_builtin(callee) || outcome.was_precompile_called;
        if outcome.was_precompile_called {
            context.chain.limits.worked(outcome.result.gas.total_gas_spent());
        } else if builtin {
            // Cheatcodes use no gas, but those that handle much data take time.
            let bytes = inputs.input.len() + outcome.result.output.len();
            context.chain.limits.handed(bytes);
        }
        // As in Forge, the trace shows the result of the call before cheatcodes change it.
        if let Some(tracer) = &mut self.tracer {
            collect_writes(context, tracer);
            tracer.end(&outcome.result, builtin);
        }
        if !self.cheats.is_hook_call_end(context, outcome) {
            self.cheats.on_call_end(context, inputs, outcome);
            if self.call_back_end(context, &mut outcome.result)
                && let Some(tracer) = &mut self.tracer
            {
                tracer.end(&outcome.result, false);
            }
        }
        // A successful call to the cheatcode account or to a precompile does not show that its caller goes on.
        if !(builtin && outcome.result.result.is_ok()) {
            let asserted = self.cheats.assert_failed_with(&outcome.result.output);
            self.failures.frame_end(context, callee, &outcome.result, asserted);
        }
    }

    fn create(&mut self, context: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        read_set::give_up(context);
        let answered = self.cheats.on_create(context, inputs);
        let nonce = context.journal_mut().load_account(inputs.caller()).map_or(0, |caller| caller.info.nonce);
        self.created.push(inputs.created_address(nonce));
        if let Some(tracer) = &mut self.tracer {
            tracer.create(context, inputs);
        }
        answered.or_else(|| self.isolate_creation(context, inputs))
    }

    fn create_end(&mut self, context: &mut Ctx, inputs: &CreateInputs, outcome: &mut CreateOutcome) {
        self.leave_isolated(context, &mut outcome.result);
        if let Some(tracer) = &mut self.tracer {
            collect_writes(context, tracer);
            tracer.create_end(outcome);
        }
        context.chain.limits.holds(outcome.result.output.len());
        self.cheats.on_create_end(context, inputs, outcome);
        self.failures.creation_end(context, inputs.init_code(), &outcome.result);
    }

    fn log(&mut self, context: &mut Ctx, log: Log) {
        self.cheats.on_log(context, &log);
        if let Some(tracer) = &mut self.tracer {
            tracer.log(&log);
        }
        if self.logs.len() < KEPT_LOGS {
            self.logs.push(log);
        }
    }
}
