//! One EVM, reused for all executions of a thread: top-level calls as Forge makes them.
//!
//! A top-level call is a transaction with gas price zero whose sender's nonce does not move (Forge
//! undoes the bump), so it is run as a frame: intrinsic gas is charged, accounts are warmed, and what
//! a transaction ends with is done by [`Evm::commit`] or undone by [`Evm::discard`].

use super::{inspector::CallInspector, instructions, recorder::TraceRecorder};
use crate::evm::{
    Ctx, InnerEvm,
    base::{
        constants::{CALLER, SKIP_MAGIC},
        heartbeat::{self, Running},
        limits::{EndsWhen, LimitExceeded, Limits},
        secp256k1,
    },
    cheats::safe_memory,
    state::{
        fork::Chain,
        layers::{BaseState, LayeredDb, StateLayer, info, stored},
    },
    trace::{
        cmplog::Recorded,
        coverage,
        decode::{Abis, cut},
        taint,
    },
};
use crate::{
    config::EnvConfig,
    model::{Footprint, Gas, Reentry, Slot, Transaction},
};
use alloy_primitives::{Address, B256, Bytes, Selector, U256};
use alloy_sol_types::{Revert, SolError as _};
use revm::{
    Context, Journal,
    context::{BlockEnv, Cfg as _, CfgEnv, JournalTr, LocalContextTr, TxEnv},
    context_interface::{
        block::BlobExcessGasAndPrice,
        cfg::gas::InitialAndFloorGas,
        result::{EVMError, InvalidTransaction},
    },
    handler::{
        EthFrame, EthPrecompiles, EvmTr, FrameResult, Handler, ItemOrResult, MainnetHandler,
        instructions::{EthInstructions, InstructionProvider},
    },
    inspector::{InspectorEvmTr, handler::frame_end},
    interpreter::{
        CallInput, CallInputs, CallScheme, CallValue, CreateInputs, CreateScheme, FrameInput,
        InstructionResult, Interpreter, InterpreterAction, SharedMemory, interpreter::EthInterpreter,
        interpreter_action::FrameInit,
    },
    primitives::{TxKind, hardfork::SpecId},
    state::AccountInfo,
};
use std::{convert::Infallible, sync::Arc, time::Duration};

/// What a top-level call runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// The code of an account.
    Account(Address),
    /// The data, as creation code.
    New,
    /// The same, whose account is this one.
    NewAt(Address),
}

/// A top-level call.
#[derive(Clone, Debug)]
pub(crate) struct TopCall {
    /// `msg.sender` and `tx.origin`.
    pub(crate) caller: Address,
    pub(crate) to: Callee,
    /// Wei.
    pub(crate) value: U256,
    /// Calldata or creation code.
    pub(crate) data: Bytes,
    /// A call that is answered by calling back.
    pub(crate) reentry: Option<Arc<Reentry>>,
}

impl TopCall {
    /// A call without wei from `CALLER`, as properties and getters are asked.
    pub(crate) fn ask(to: Address, data: Bytes) -> Self {
        Self { caller: CALLER, to: Callee::Account(to), value: U256::ZERO, data, reentry: None }
    }

    /// Returns what the watchdog sees of the call while it runs.
    fn running(&self, limit: Option<Duration>) -> Running {
        let (callee, selector) = match self.to {
            Callee::Account(address) => (Some(address), self.data.get(..4).map(Selector::from_slice)),
            Callee::New | Callee::NewAt(_) => (None, None),
        };
        Running::new(callee, selector, limit)
    }

    /// The call that a transaction makes, once its time has passed ([`Evm::wait`]).
    pub(crate) fn of(tx: &Transaction) -> Self {
        Self {
            caller: tx.sender,
            to: Callee::Account(tx.target),
            value: tx.value,
            data: tx.input.calldata(),
            reentry: tx.reentry.clone(),
        }
    }
}

/// How a top-level call ended.
#[derive(Clone, Debug)]
pub(crate) struct CallOutput {
    /// revm's reason.
    pub(crate) result: InstructionResult,
    /// Return data, revert data or deployed code.
    pub(crate) output: Bytes,
    /// Gas used.
    pub(crate) gas: Gas,
    /// The address deployed.
    pub(crate) created: Option<Address>,
    /// Whether it may not be a transaction at all, so that nothing ran.
    pub(crate) refused: bool,
}

impl CallOutput {
    pub(crate) fn is_success(&self) -> bool {
        self.result.is_ok()
    }

    /// The reason of `vm.skip(true)`, when that is what ended the call.
    pub(crate) fn skip_reason(&self) -> Option<Option<String>> {
        let reason = self.output.strip_prefix(SKIP_MAGIC).filter(|_| !self.is_success())?;
        Some((!reason.is_empty()).then(|| cut(String::from_utf8_lossy(reason).into_owned())))
    }

    /// Whether the call itself, not one below it, ran until its gas or memory was spent.
    pub(crate) fn is_out_of_gas(&self) -> bool {
        use InstructionResult::{MemoryLimitOOG, MemoryOOG, OutOfGas, ReentrancySentryOOG};
        // SSTORE halts in its own way below the call stipend (EIP-2200).
        matches!(self.result, OutOfGas | MemoryOOG | MemoryLimitOOG | ReentrancySentryOOG)
    }
}

/// What calls see beside the state, and cheatcodes may change.
#[derive(Clone, Debug)]
pub(crate) struct BlockContext {
    block: BlockEnv,
    chain_id: u64,
    spec: SpecId,
    gas_price: u128,
    blob_hashes: Vec<B256>,
}

impl BlockContext {
    /// Under another version of the EVM.
    pub(crate) fn run_as(&mut self, evm_version: &str) {
        self.spec = spec_id(evm_version);
    }

    /// As tests find them: what `vm.blobhashes` gave ends with `setUp`, as in Forge.
    pub(crate) fn after_setup(mut self) -> Self {
        self.blob_hashes.clear();
        self
    }
}

/// The EVM with its block, configuration and hooks.
pub(crate) struct Evm {
    pub(crate) vm: InnerEvm,
    /// The instruction table that is not in use: of tracked transactions, while none is.
    other_instructions: EthInstructions<EthInterpreter, Ctx>,
    /// What sequences begin on.
    base: Arc<BaseState>,
    /// Gas limit of the transactions to come.
    gas_limit: u64,
    /// The one that is configured.
    full_gas_limit: u64,
}

type Mainnet = MainnetHandler<InnerEvm, EVMError<Infallible>, EthFrame<EthInterpreter>>;

impl Evm {
    /// An EVM over `base_state` with the environment of `env`.
    pub(crate) fn new(base_state: Arc<BaseState>, env: &EnvConfig, inspector: CallInspector) -> Self {
        secp256k1::install();
        let spec = spec_id(&env.evm_version);
        let context: Ctx = Context {
            block: block_env(env),
            tx: TxEnv { gas_price: u128::from(env.gas_price), ..TxEnv::default() },
            cfg: cfg_env(env, spec),
            journaled_state: Journal::new(LayeredDb { base_state: base_state.clone(), layer: None }),
            chain: TraceRecorder::new(Limits::new(env.memory_limit)),
            local: Default::default(),
            error: Ok(()),
        };
        let vm = InnerEvm::new_with_inspector(
            context,
            inspector,
            instructions::recording(spec),
            EthPrecompiles::new(spec),
        );
        let (gas_limit, full_gas_limit) = (env.gas_limit, env.gas_limit);
        let other_instructions = instructions::comparing(spec);
        Self { vm, other_instructions, base: base_state, gas_limit, full_gas_limit }
    }

    /// The same, but that no instruction records anything.
    pub(crate) fn bare(base_state: Arc<BaseState>, env: &EnvConfig, inspector: CallInspector) -> Self {
        let mut evm = Self::new(base_state, env, inspector);
        evm.vm.instruction = EthInstructions::new_mainnet_with_spec(spec_id(&env.evm_version));
        evm
    }

    /// Puts the block of a fork in place of the configured one.
    pub(crate) fn fork(&mut self, chain: &Arc<Chain>, env: &EnvConfig, gas_price: u128) {
        let InnerEvm { ctx, inspector, .. } = &mut self.vm;
        ctx.block.clone_from(&chain.block);
        ctx.cfg.chain_id = env.chain_id.unwrap_or(chain.id);
        if env.gas_price == 0 {
            ctx.tx.gas_price = gas_price;
        }
        ctx.chain.watch.fork = Some(0);
        inspector.cheats.begin_on(chain);
    }

    /// Whether the next transactions are tracked.
    pub(crate) fn cmplog(&mut self, on: bool) {
        if on != self.vm.ctx.chain.cmplog.is_on() {
            std::mem::swap(&mut self.vm.instruction, &mut self.other_instructions);
            self.vm.ctx.chain.cmplog.switch(on);
        }
    }

    /// Gives the next transactions no more gas than this, or what is configured again.
    pub(crate) fn bound_gas(&mut self, most: Option<u64>) {
        self.gas_limit = most.map_or(self.full_gas_limit, |most| most.min(self.full_gas_limit));
    }

    /// Whether the next transaction may use so much gas without noticing how much there is: calls keep a 64th of it for
    /// themselves at each level.
    pub(crate) fn has_gas_for(&self, gas: Gas) -> bool {
        gas.used.saturating_mul(8) < self.gas_limit
    }

    /// Lets the time and the blocks pass that a transaction waits for.
    pub(crate) fn wait(&mut self, tx: &Transaction) {
        let block = &mut self.vm.ctx.block;
        block.timestamp = block.timestamp.saturating_add(tx.warp);
        block.number = block.number.saturating_add(tx.roll);
    }

    /// What the pending transaction compared, read and wrote, if it was tracked.
    pub(crate) fn footprint(&mut self, success: bool) -> Option<Footprint> {
        if !self.vm.ctx.chain.cmplog.is_on() {
            return None;
        }
        let Recorded { branches, reads, writes } = self.vm.ctx.chain.cmplog.take();
        let block = &self.vm.ctx.block;
        let value = |slot| match slot {
            Slot::TIMESTAMP => (slot, block.timestamp),
            Slot::BLOCK_NUMBER => (slot, block.number),
            Slot { address, slot: key } => (slot, self.storage(address, key)),
        };
        let writes = if success { writes.into_iter().map(value).collect() } else { Vec::new() };
        Some(Footprint { branches, reads, writes })
    }

    /// Sets a word of storage, as a transaction of its own, or what the block tells.
    pub(crate) fn set_storage(&mut self, slot: Slot, value: U256) {
        match slot {
            Slot::TIMESTAMP => return self.vm.ctx.block.timestamp = value,
            Slot::BLOCK_NUMBER => return self.vm.ctx.block.number = value,
            _ => {}
        }
        let journal = &mut self.vm.ctx.journaled_state;
        let Ok(_) = journal.inner.load_account(&mut journal.database, slot.address);
        journal.inner.touch(slot.address);
        let stored = journal.inner.sstore(&mut journal.database, slot.address, slot.slot, value, false);
        debug_assert!(stored.is_ok(), "the base_state cannot fail and cold loads are not skipped");
        self.commit();
    }

    pub(crate) fn inspector(&mut self) -> &mut CallInspector {
        &mut self.vm.inspector
    }

    /// Runs a call; its effects stay pending until [`Self::commit`] or [`Self::discard`].
    pub(crate) fn transact(&mut self, call: &TopCall) -> CallOutput {
        let InnerEvm { ctx, inspector, .. } = &mut self.vm;
        inspector.begin(call.reentry.clone());
        inspector.cheats.begin_tx(ctx);
        ctx.chain.limits.begin_call();
        let Limits { limit, requested, .. } = &ctx.chain.limits;
        let (limit, ends_when) = (*limit, requested.clone());
        let output = heartbeat::during(call.running(limit), ends_when, || self.execute(call));
        let InnerEvm { ctx, inspector, .. } = &mut self.vm;
        inspector.cheats.end_tx(ctx);
        match inspector.cheats.forks.take_failure() {
            // Of an end the node is not to blame.
            Some(_) if ctx.chain.limits.ends() => self.unless_ended(output),
            Some(error) => self.unanswered(&error),
            None => self.unless_ended(output),
        }
    }

    /// The next calls end early, in the middle if need be, once this says so.
    pub(crate) fn end_when(&mut self, requested: Option<EndsWhen>) {
        self.vm.ctx.chain.limits.requested = requested;
    }

    /// Whether a call was ended by that since the run began.
    pub(crate) fn was_ended(&self) -> bool {
        self.vm.ctx.chain.limits.in_call
    }

    /// CPU time that each of the next calls may take, if there is a bound.
    pub(crate) fn bound_time(&mut self, limit: Option<Duration>) {
        self.vm.ctx.chain.limits.limit = limit;
    }

    /// What the last call had too much of, and was ended by.
    pub(crate) fn excess(&self) -> Option<LimitExceeded> {
        self.vm.ctx.chain.limits.excess
    }

    /// How a call ends that was ended: as if its gas had been spent, whatever the frames made of it.
    fn unless_ended(&self, output: CallOutput) -> CallOutput {
        let Some(excess) = self.excess() else { return output };
        CallOutput {
            result: InstructionResult::OutOfGas,
            output: Revert::from(self.vm.ctx.chain.limits.explain(excess)).abi_encode().into(),
            created: None,
            ..output
        }
    }

    /// A call that is not made: it fails, and nothing is known of it.
    pub(crate) fn refuse(&mut self) -> CallOutput {
        self.vm.inspector.begin(None);
        self.vm.ctx.chain.reset();
        CallOutput {
            result: InstructionResult::Revert,
            output: Bytes::new(),
            gas: Gas { used: 0, stipend: 0 },
            created: None,
            refused: true,
        }
    }

    /// Takes everything from an account, so that a contract can be created there.
    pub(crate) fn vacate(&mut self, address: Address) {
        let journal = &mut self.vm.ctx.journaled_state;
        let Ok(_) = journal.inner.load_account(&mut journal.database, address);
        if let Some(account) = journal.inner.state.get_mut(&address) {
            account.info = AccountInfo::default();
            account.storage.clear();
        }
    }

    /// How a call ends that read what a node did not tell.
    fn unanswered(&mut self, error: &str) -> CallOutput {
        let text = format!("EVM error; database error: {error}");
        self.inspector().cheats.unsupported.get_or_insert_with(|| text.clone());
        CallOutput {
            result: InstructionResult::FatalExternalError,
            output: Revert::from(text).abi_encode().into(),
            gas: Gas { used: 0, stipend: 0 },
            created: None,
            refused: false,
        }
    }

    fn execute(&mut self, call: &TopCall) -> CallOutput {
        self.try_execute(call).unwrap_or_else(|error| {
            // The database is in memory and gas is free: what is left are gas limits below the intrinsic gas, or above the
            // protocol's cap.
            CallOutput {
                result: InstructionResult::OutOfGas,
                output: Revert::from(format!("EVM error; {error}")).abi_encode().into(),
                gas: Gas { used: self.gas_limit, stipend: self.gas_limit },
                created: None,
                refused: true,
            }
        })
    }

    fn try_execute(&mut self, call: &TopCall) -> Result<CallOutput, EVMError<Infallible>> {
        self.vm.ctx.chain.reset();
        self.vm.ctx.tx = self.transaction(call);
        let cap = self.vm.ctx.cfg.tx_gas_limit_cap();
        if self.gas_limit > cap {
            let gas_limit = self.gas_limit;
            Err(InvalidTransaction::TxGasLimitGreaterThanCap { gas_limit, cap })?;
        }
        let handler = Mainnet::default();
        let initial = handler.validate_initial_tx_gas(&mut self.vm)?;
        let intrinsic = initial.initial_regular_gas;
        handler.load_accounts(&mut self.vm)?;
        let gas_limit = self.gas_limit.saturating_sub(intrinsic);
        let frame_input = self.frame_input(call, gas_limit)?;
        let context = &mut self.vm.ctx;
        let mut memory = SharedMemory::new_with_buffer(context.local.shared_memory_buffer.clone());
        memory.set_memory_limit(context.cfg.memory_limit);
        let frame = FrameInit { depth: 0, memory, frame_input };
        let result = run_frames(&mut self.vm, frame)?;
        self.vm.ctx.local.clear();
        self.vm.frame_stack.clear();
        let spec = self.vm.ctx.cfg.spec;
        Ok(output(result, gas_limit, &initial, spec))
    }

    fn transaction(&self, call: &TopCall) -> TxEnv {
        let previous = &self.vm.ctx.tx;
        TxEnv {
            caller: call.caller,
            gas_limit: self.gas_limit,
            gas_price: previous.gas_price,
            kind: match call.to {
                Callee::Account(to) => TxKind::Call(to),
                Callee::New | Callee::NewAt(_) => TxKind::Create,
            },
            value: call.value,
            data: call.data.clone(),
            blob_hashes: previous.blob_hashes.clone(),
            ..TxEnv::default()
        }
    }

    fn frame_input(&mut self, call: &TopCall, gas_limit: u64) -> Result<FrameInput, EVMError<Infallible>> {
        let journal = &mut self.vm.ctx.journaled_state;
        let shortfall = call.value.saturating_sub(journal.load_account(call.caller)?.info.balance);
        if !shortfall.is_zero() {
            journal.balance_incr(call.caller, shortfall)?;
        }
        let create = |scheme| {
            let inputs = CreateInputs::new(call.caller, scheme, call.value, call.data.clone(), gas_limit, 0);
            Ok(FrameInput::Create(Box::new(inputs)))
        };
        let to = match call.to {
            Callee::Account(to) => to,
            Callee::New => return create(CreateScheme::Create),
            Callee::NewAt(address) => return create(CreateScheme::Custom { address }),
        };
        let callee = journal.load_account_with_code(to)?;
        let known_bytecode = (callee.info.code_hash, callee.info.code.clone().unwrap_or_default());
        Ok(FrameInput::Call(Box::new(CallInputs {
            input: CallInput::Bytes(call.data.clone()),
            return_memory_offset: 0..0,
            gas_limit,
            reservoir: 0,
            bytecode_address: to,
            known_bytecode,
            target_address: to,
            caller: call.caller,
            value: CallValue::Transfer(call.value),
            scheme: CallScheme::Call,
            is_static: false,
            charged_new_account_state_gas: false,
        })))
    }

    /// Why the call that was run last failed with this output, in Forge's words.
    pub(crate) fn reason(&self, abis: &Abis, output: &CallOutput) -> String {
        let diagnosis = self.vm.inspector.failures.diagnosis().filter(|_| output.output.is_empty());
        diagnosis.unwrap_or_else(|| abis.revert_reason(&output.output, &format!("{:?}", output.result)))
    }

    /// The surroundings as they are.
    pub(crate) fn block_context(&self) -> BlockContext {
        let InnerEvm { ctx, .. } = &self.vm;
        BlockContext {
            block: ctx.block.clone(),
            chain_id: ctx.cfg.chain_id,
            spec: ctx.cfg.spec,
            gas_price: ctx.tx.gas_price,
            blob_hashes: ctx.tx.blob_hashes.clone(),
        }
    }

    /// Puts other surroundings in place.
    pub(crate) fn surround(&mut self, block_context: &BlockContext) {
        let ctx = &mut self.vm.ctx;
        ctx.block.clone_from(&block_context.block);
        ctx.cfg.chain_id = block_context.chain_id;
        if ctx.cfg.spec != block_context.spec {
            ctx.cfg.set_spec_and_mainnet_gas_params(block_context.spec);
        }
        ctx.tx.gas_price = block_context.gas_price;
        ctx.tx.blob_hashes.clone_from(&block_context.blob_hashes);
    }

    /// Ends the pending transaction and keeps its effects in the journal.
    pub(crate) fn commit(&mut self) {
        self.vm.ctx.journaled_state.commit_tx();
    }

    /// Ends the pending transaction and undoes its effects.
    pub(crate) fn discard(&mut self) {
        let InnerEvm { ctx, inspector, .. } = &mut self.vm;
        inspector.cheats.undo_tx(ctx);
        ctx.chain.limits.undo_call();
        self.vm.ctx.journaled_state.discard_tx();
    }

    /// Forgets all transactions, and begins on what `layer` holds over the world.
    pub(crate) fn begin_over(&mut self, layer: Option<Arc<StateLayer>>) {
        self.vm.ctx.journaled_state.finalize();
        let database = &mut self.vm.ctx.journaled_state.database;
        // A call may have selected another fork.
        if !Arc::ptr_eq(&database.base_state, &self.base) {
            database.base_state = self.base.clone();
        }
        database.layer = layer;
    }

    /// Whether no call has exchanged the world for that of another fork.
    pub(crate) fn is_on_base(&self) -> bool {
        Arc::ptr_eq(&self.vm.ctx.journaled_state.database.base_state, &self.base)
    }

    /// Takes all committed transactions out of the journal into a layer over the world, which others may begin on.
    pub(crate) fn fold(&mut self) -> Option<Arc<StateLayer>> {
        let changes = self.vm.ctx.journaled_state.finalize();
        let database = &mut self.vm.ctx.journaled_state.database;
        database.fold(changes);
        database.layer.clone()
    }

    /// Writes all committed transactions into the world, which only this machine may hold.
    pub(crate) fn settle(&mut self) {
        let changes = self.vm.ctx.journaled_state.finalize();
        debug_assert!(self.vm.ctx.journaled_state.database.layer.is_none(), "nothing was folded");
        Arc::make_mut(&mut self.vm.ctx.journaled_state.database.base_state).commit(changes);
    }

    /// Tells the storage apart from that of other states over the same world.
    pub(crate) fn digest(&self) -> u64 {
        let journal = &self.vm.ctx.journaled_state;
        journal.database.digest(&journal.state)
    }

    /// The world under the journal.
    pub(crate) fn base_state(&mut self) -> &mut Arc<BaseState> {
        &mut self.vm.ctx.journaled_state.database.base_state
    }

    /// A storage word as it stands, pending changes included.
    pub(crate) fn storage(&self, address: Address, slot: U256) -> U256 {
        stored(&self.vm.ctx, address, slot)
    }

    /// Wei that an account owns as it stands.
    pub(crate) fn balance(&self, address: Address) -> U256 {
        info(&self.vm.ctx, address).map_or(U256::ZERO, |info| info.balance)
    }

    /// Runtime code of an account as it stands.
    pub(crate) fn code(&self, address: Address) -> Bytes {
        let info = info(&self.vm.ctx, address);
        info.and_then(|info| info.code.as_ref()).map(|code| code.original_bytes()).unwrap_or_default()
    }
}

/// Runs a frame and all that it calls. The inspector sees calls, creations and logs, but no instructions: what is to be
/// seen of those is in the instruction table.
fn run_frames(vm: &mut InnerEvm, first: FrameInit) -> Result<FrameResult, EVMError<Infallible>> {
    if let ItemOrResult::Result(result) = vm.inspect_frame_init(first)? {
        return Ok(result);
    }
    loop {
        let result = match run_frame(vm)? {
            ItemOrResult::Result(result) => result,
            ItemOrResult::Item(called) => {
                vm.inspector.show_logs(&mut vm.ctx);
                match vm.inspect_frame_init(called)? {
                    ItemOrResult::Item(_) => continue,
                    ItemOrResult::Result(result) => result,
                }
            }
        };
        if let Some(result) = vm.frame_return_result(result)? {
            return Ok(result);
        }
        if vm.inspector.cheats.is_section_beginning() {
            let spent = vm.frame_stack.get().interpreter.gas.total_gas_spent();
            vm.inspector.cheats.section_begun(spent);
        }
    }
}

/// Runs the innermost frame until it calls or ends.
fn run_frame(vm: &mut InnerEvm) -> Result<ItemOrResult<FrameInit, FrameResult>, EVMError<Infallible>> {
    let InnerEvm { ctx, inspector, instruction, frame_stack, .. } = vm;
    let frame = frame_stack.get();
    let (table, gas) = (instruction.instruction_table(), instruction.gas_table());
    let is_checked =
        ctx.chain.watch.safe_memory.as_ref().is_some_and(|safe| safe.covers(ctx.journaled_state.depth));
    // Calls can go on without a jump.
    let action = if let Err(end) = ctx.chain.limits.check() {
        frame.interpreter.halt(end);
        frame.interpreter.take_next_action()
    } else if is_checked {
        safe_memory::run(&mut frame.interpreter, table, gas, ctx)
    } else if ctx.chain.coverage.is_some() {
        coverage::run(&mut frame.interpreter, table, gas, ctx)
    } else if ctx.chain.taint.is_some() {
        taint::run(&mut frame.interpreter, table, gas, ctx)
    } else {
        frame.interpreter.run_plain(table, gas, ctx)
    };
    // What is to end is looked at again when the caller goes on.
    let _ = ctx.chain.limits.moves(moved(&action, &frame.interpreter));
    let mut next = frame.process_next_action::<_, EVMError<Infallible>>(ctx, action)?;
    if let ItemOrResult::Result(result) = &mut next {
        inspector.show_logs(ctx);
        frame_end(ctx, inspector, &frame.input, result);
        frame.set_finished(true);
    }
    Ok(next)
}

/// Bytes that the beginning of a call or creation, or the end of a frame, copies, hashes, or gives back.
fn moved(action: &InterpreterAction, interpreter: &Interpreter<EthInterpreter>) -> usize {
    match action {
        InterpreterAction::NewFrame(FrameInput::Call(call)) => call.input.len(),
        InterpreterAction::NewFrame(FrameInput::Create(creation)) => creation.init_code().len(),
        InterpreterAction::NewFrame(FrameInput::Empty) => 0,
        InterpreterAction::Return(result) => result.output.len() + interpreter.memory.len(),
    }
}

fn output(result: FrameResult, gas_limit: u64, initial: &InitialAndFloorGas, spec: SpecId) -> CallOutput {
    let created = match &result {
        FrameResult::Create(outcome) => outcome.address,
        FrameResult::Call(_) => None,
    };
    let interpreter = result.interpreter_result();
    let remaining = if interpreter.result.is_ok_or_revert() { interpreter.gas.remaining() } else { 0 };
    let stipend = initial.initial_regular_gas;
    let spent = gas_limit.saturating_sub(remaining) + stipend;
    let refunded = if interpreter.result.is_ok() { interpreter.gas.refunded().max(0) as u64 } else { 0 };
    let most_refunded = spent / if spec.is_enabled_in(SpecId::LONDON) { 5 } else { 2 };
    let used = (spent - refunded.min(most_refunded)).max(initial.floor_gas);
    CallOutput {
        result: interpreter.result,
        output: interpreter.output.clone(),
        gas: Gas { used, stipend },
        created,
        refused: false,
    }
}

/// The hardfork of an `evm_version`; names that only the compiler distinguishes map to the nearest.
pub(crate) fn spec_id(evm_version: &str) -> SpecId {
    match evm_version.to_ascii_lowercase().as_str() {
        "homestead" => SpecId::HOMESTEAD,
        "tangerinewhistle" => SpecId::TANGERINE,
        "spuriousdragon" => SpecId::SPURIOUS_DRAGON,
        "byzantium" => SpecId::BYZANTIUM,
        "constantinople" | "petersburg" => SpecId::PETERSBURG,
        "istanbul" => SpecId::ISTANBUL,
        "berlin" => SpecId::BERLIN,
        "london" => SpecId::LONDON,
        "paris" => SpecId::MERGE,
        "shanghai" => SpecId::SHANGHAI,
        "cancun" => SpecId::CANCUN,
        "prague" => SpecId::PRAGUE,
        "amsterdam" => SpecId::AMSTERDAM,
        _ => SpecId::OSAKA,
    }
}

fn block_env(env: &EnvConfig) -> BlockEnv {
    BlockEnv {
        number: env.block_number,
        beneficiary: env.block_coinbase,
        timestamp: env.block_timestamp,
        gas_limit: env.block_gas_limit.unwrap_or(env.gas_limit),
        basefee: env.block_base_fee,
        difficulty: U256::from(env.block_difficulty),
        prevrandao: Some(B256::from(env.block_prevrandao)),
        blob_excess_gas_and_price: Some(BlobExcessGasAndPrice { excess_blob_gas: 0, blob_gasprice: 1 }),
        ..BlockEnv::default()
    }
}

fn cfg_env(env: &EnvConfig, spec: SpecId) -> CfgEnv {
    let mut cfg = CfgEnv::new_with_spec(spec);
    cfg.chain_id = env.chain_id.unwrap_or(31337);
    cfg.limit_contract_code_size = Some(env.code_size_limit.unwrap_or(usize::MAX));
    cfg.limit_contract_initcode_size = Some(usize::MAX);
    cfg.tx_gas_limit_cap = (!env.tx_gas_limit).then_some(u64::MAX);
    cfg.memory_limit = env.memory_limit;
    cfg.disable_nonce_check = true;
    cfg.disable_balance_check = true;
    cfg.disable_block_gas_limit = true;
    cfg.disable_eip3607 = true;
    cfg.disable_base_fee = true;
    cfg
}
