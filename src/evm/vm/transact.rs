//! Runs top-level calls, frame by frame.

use super::{
    blocks::BlockCache,
    call::{CallOutput, Callee, TopCall, output},
    evm::Evm,
};
use crate::evm::base::limits::Limits;
use crate::{
    evm::{
        InnerEvm,
        base::{constants::SKIP_MAGIC, heartbeat},
        cheats::{self, safe_memory},
        trace::{
            coverage,
            decode::{Abis, cut},
            symbolic, taint,
        },
    },
    model::Gas,
};
use alloy_primitives::{Bytes, U256};
use alloy_sol_types::{Revert, SolError as _};
use revm::{
    bytecode::Bytecode,
    context::{Cfg as _, JournalTr, LocalContextTr, TxEnv},
    context_interface::result::{EVMError, InvalidTransaction},
    handler::{
        EthFrame, EvmTr, FrameResult, Handler, ItemOrResult, MainnetHandler,
        instructions::InstructionProvider,
    },
    inspector::{InspectorEvmTr, handler::frame_end},
    interpreter::{
        CallInput, CallInputs, CallScheme, CallValue, CreateInputs, CreateScheme, FrameInput,
        InstructionResult, Interpreter, InterpreterAction, SharedMemory, interpreter::EthInterpreter,
        interpreter_action::FrameInit,
    },
    primitives::TxKind,
};
use std::convert::Infallible;

type Mainnet = MainnetHandler<InnerEvm, EVMError<Infallible>, EthFrame<EthInterpreter>>;

impl Evm {
    /// Runs a call; its effects stay pending until [`Self::commit`] or [`Self::discard`].
    pub(crate) fn transact(&mut self, call: &TopCall) -> CallOutput {
        let InnerEvm { ctx, inspector, .. } = &mut self.vm;
        inspector.begin(call.reentry.clone(), call.value);
        inspector.cheats.begin_tx(ctx);
        ctx.chain.limits.begin_call();
        let Limits { limit, requested, .. } = &ctx.chain.limits;
        let (limit, ends_when) = (*limit, requested.clone());
        let output = heartbeat::during(call.running(limit), ends_when, || self.execute(call));
        let InnerEvm { ctx, inspector, .. } = &mut self.vm;
        inspector.cheats.end_tx(ctx);
        match inspector.cheats.forks.take_failure() {
            // If the call was ended, the node is not the cause.
            Some(_) if ctx.chain.limits.ends() => self.unless_ended(output),
            Some(error) => self.unanswered(&error),
            None => self.unless_ended(output),
        }
    }

    /// Returns the result of a call. If the call exceeded a limit, it is an out-of-gas error, whatever the
    /// frames returned.
    fn unless_ended(&self, output: CallOutput) -> CallOutput {
        let Some(excess) = self.excess() else { return output };
        CallOutput {
            result: InstructionResult::OutOfGas,
            output: Revert::from(self.vm.ctx.chain.limits.explain(excess)).abi_encode().into(),
            created: None,
            ..output
        }
    }

    /// Returns the result of a call that is not made: a failure without data. Clears the recordings.
    pub(crate) fn refuse(&mut self) -> CallOutput {
        self.vm.inspector.begin(None, U256::ZERO);
        self.vm.ctx.chain.reset();
        CallOutput {
            result: InstructionResult::Revert,
            output: Bytes::new(),
            gas: Gas { used: 0, stipend: 0 },
            created: None,
            refused: true,
        }
    }

    /// Returns the result of a call that read something for which a node had no answer.
    fn unanswered(&mut self, error: &str) -> CallOutput {
        let text = format!("EVM error; database error: {error}");
        self.inspector().cheats.transaction.unsupported.get_or_insert_with(|| text.clone());
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
            // The database is in memory and gas is free. Thus the only errors are gas limits below the
            // intrinsic gas or above the protocol's cap.
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
        let result = run_frames(&mut self.vm, &mut self.blocks, frame)?;
        self.vm.ctx.local.clear();
        self.vm.frame_stack.clear();
        let spec = self.vm.ctx.cfg.spec;
        Ok(output(result, gas_limit, &initial, spec))
    }

    fn transaction(&self, call: &TopCall) -> TxEnv {
        let previous = &self.vm.ctx.tx;
        TxEnv {
            caller: call.origin.unwrap_or(call.caller),
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
        let mut callee = journal.load_account_with_code(to)?;
        // The code of an account that delegates to another one (EIP-7702) is that of the other one.
        if let Some(delegate) = callee.info.code.as_ref().and_then(Bytecode::eip7702_address) {
            callee = journal.load_account_with_code(delegate)?;
        }
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

    /// Returns the reason given to `vm.skip(true)`, if that ended the last call with this output. As in Forge 1.8,
    /// no other revert data skips a test, whatever it looks like.
    pub(crate) fn skip_reason(&self, output: &CallOutput) -> Option<Option<String>> {
        let is_own = !output.is_success() && self.vm.inspector.cheats.skipped_with(&output.output);
        let reason = output.output.strip_prefix(SKIP_MAGIC).filter(|_| is_own)?;
        Some((!reason.is_empty()).then(|| cut(String::from_utf8_lossy(reason).into_owned())))
    }

    /// Returns the reason why the last call failed with this output, in Forge's words.
    pub(crate) fn reason(&self, abis: &Abis, output: &CallOutput) -> String {
        let diagnosis = self.vm.inspector.failures.diagnosis().filter(|_| output.output.is_empty());
        diagnosis.unwrap_or_else(|| abis.revert_reason(&output.output, &format!("{:?}", output.result)))
    }
}

/// Runs a frame and all calls in it. The inspector is called for calls, creations and logs, but not for
/// instructions: the instruction table records these.
fn run_frames(
    vm: &mut InnerEvm,
    blocks: &mut BlockCache,
    first: FrameInit,
) -> Result<FrameResult, EVMError<Infallible>> {
    if let ItemOrResult::Result(result) = vm.inspect_frame_init(first)? {
        return Ok(result);
    }
    loop {
        let result = match run_frame(vm, blocks)? {
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

/// Runs the innermost frame until it makes a call or ends.
fn run_frame(
    vm: &mut InnerEvm,
    blocks: &mut BlockCache,
) -> Result<ItemOrResult<FrameInit, FrameResult>, EVMError<Infallible>> {
    let InnerEvm { ctx, inspector, instruction, frame_stack, .. } = vm;
    let frame = frame_stack.get();
    let (table, gas) = (instruction.instruction_table(), instruction.gas_table());
    let is_checked =
        ctx.chain.watch.safe_memory.as_ref().is_some_and(|safe| safe.covers(ctx.journaled_state.depth));
    let is_over = ctx.chain.watch.hooks.is_some() && cheats::resume(&mut frame.interpreter, ctx);
    // Recursion can continue without a jump.
    let action = if is_over {
        frame.interpreter.take_next_action()
    } else if let Err(end) = ctx.chain.limits.check() {
        frame.interpreter.halt(end);
        frame.interpreter.take_next_action()
    } else if is_checked {
        safe_memory::run(&mut frame.interpreter, table, gas, ctx)
    } else if ctx.chain.coverage.is_some() {
        coverage::run(&mut frame.interpreter, table, gas, ctx)
    } else if ctx.chain.symbolic.is_some() {
        symbolic::run(&mut frame.interpreter, table, gas, ctx)
    } else if ctx.chain.taint.is_some() {
        taint::run(&mut frame.interpreter, table, gas, ctx)
    } else if ctx.chain.cmplog.is_on() {
        frame.interpreter.run_plain(table, gas, ctx)
    } else {
        blocks.run(&mut frame.interpreter, table, gas, ctx)
    };
    // A limit that is exceeded here takes effect when the caller continues.
    let _ = ctx.chain.limits.moves(moved(&action, &frame.interpreter));
    let mut next = frame.process_next_action::<_, EVMError<Infallible>>(ctx, action)?;
    if let ItemOrResult::Result(result) = &mut next {
        inspector.show_logs(ctx);
        frame_end(ctx, inspector, &frame.input, result);
        frame.set_finished(true);
    }
    Ok(next)
}

/// Returns the number of bytes that are copied, hashed or returned by the beginning of a call or creation, or
/// by the end of a frame.
fn moved(action: &InterpreterAction, interpreter: &Interpreter<EthInterpreter>) -> usize {
    match action {
        InterpreterAction::NewFrame(FrameInput::Call(call)) => call.input.len(),
        InterpreterAction::NewFrame(FrameInput::Create(creation)) => creation.init_code().len(),
        InterpreterAction::NewFrame(FrameInput::Empty) => 0,
        InterpreterAction::Return(result) => result.output.len() + interpreter.memory.len(),
    }
}
