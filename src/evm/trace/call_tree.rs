//! Call tree of executions whose trace is shown.

use crate::evm::Ctx;
use crate::model::{
    Frame, FrameGas, FrameKind, FrameResult, FrameStatus, FrameText, Message, Trace, TraceItem,
};
use alloy_primitives::{
    Address, Bytes, Log, U256,
    map::{HashMap, hash_map::Entry},
};
use revm::{
    context::{ContextTr, JournalTr},
    context_interface::CreateScheme,
    interpreter::{
        CallInputs, CallScheme, CreateInputs, CreateOutcome, InstructionResult, InterpreterResult,
    },
};

/// Call tree under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracer {
    trace: Trace,
    open: Vec<usize>,
    finished: Vec<Trace>,
}

impl Tracer {
    /// Takes the finished trees, one per top-level call.
    pub(crate) fn take(&mut self) -> Vec<Trace> {
        std::mem::take(&mut self.finished)
    }

    pub(crate) fn call(&mut self, context: &Ctx, inputs: &CallInputs) {
        let kind = match inputs.scheme {
            CallScheme::Call => FrameKind::Call,
            CallScheme::CallCode => FrameKind::CallCode,
            CallScheme::DelegateCall => FrameKind::DelegateCall,
            CallScheme::StaticCall => FrameKind::StaticCall,
        };
        self.open(Frame {
            message: Message {
                caller: inputs.caller,
                address: inputs.target_address,
                code_address: inputs.bytecode_address,
                value: inputs.transfer_value().unwrap_or_default(),
                input: inputs.input.bytes(context),
            },
            ..empty(kind, inputs.gas_limit)
        });
    }

    /// Takes back the call that was begun last.
    pub(crate) fn cancel(&mut self) {
        self.open.pop();
        self.trace.frames.pop();
        if let Some(parent) = self.open.last() {
            self.trace.frames[*parent].items.pop();
        }
    }

    pub(crate) fn create(&mut self, context: &mut Ctx, inputs: &CreateInputs) {
        let kind = match inputs.scheme() {
            CreateScheme::Create2 { .. } => FrameKind::Create2,
            _ => FrameKind::Create,
        };
        let nonce =
            context.journal_mut().load_account(inputs.caller()).map_or(0, |account| account.info.nonce);
        self.open(Frame {
            message: Message {
                caller: inputs.caller(),
                address: inputs.created_address(nonce),
                code_address: Address::ZERO,
                value: inputs.value(),
                input: inputs.init_code().clone(),
            },
            ..empty(kind, inputs.gas_limit())
        });
    }

    fn open(&mut self, mut frame: Frame) {
        let index = self.trace.frames.len();
        frame.depth = self.open.len();
        frame.parent = self.open.last().copied();
        if let Some(parent) = frame.parent {
            self.trace.frames[parent].items.push(TraceItem::Call(index));
        }
        self.trace.frames.push(frame);
        self.open.push(index);
    }

    pub(crate) fn end(&mut self, result: &InterpreterResult, builtin: bool) {
        let Some(index) = self.open.pop() else { return };
        let frame = &mut self.trace.frames[index];
        frame.gas.used = if result.result.is_ok_or_revert() {
            frame.gas.limit.saturating_sub(result.gas.remaining())
        } else {
            frame.gas.limit
        };
        frame.result = FrameResult { status: status(result.result), output: result.output.clone() };
        frame.builtin = builtin;
        if self.open.is_empty() {
            self.finished.push(std::mem::take(&mut self.trace));
        }
    }

    pub(crate) fn create_end(&mut self, outcome: &CreateOutcome) {
        if let (Some(index), Some(address)) = (self.open.last(), outcome.address) {
            self.trace.frames[*index].message.address = address;
        }
        self.end(&outcome.result, false);
    }

    pub(crate) fn log(&mut self, log: &Log) {
        if let Some(index) = self.open.last() {
            self.trace.frames[*index].items.push(TraceItem::Log {
                emitter: log.address,
                topics: log.topics().to_vec(),
                data: log.data.data.clone(),
                decoded: None,
            });
        }
    }

    /// Records the net storage changes of the frame that is about to end: slot, value before and value after.
    pub(crate) fn writes(&mut self, writes: impl Iterator<Item = (U256, U256, U256)>) {
        let Some(index) = self.open.last() else { return };
        let changes = &mut self.trace.frames[*index].storage;
        let mut places: HashMap<U256, usize> =
            changes.iter().enumerate().map(|(place, change)| (change.0, place)).collect();
        for (slot, before, after) in writes {
            match places.entry(slot) {
                Entry::Occupied(place) => changes[*place.get()].2 = after,
                Entry::Vacant(place) => {
                    place.insert(changes.len());
                    changes.push((slot, before, after));
                }
            }
        }
        changes.retain(|(_, before, after)| before != after);
    }
}

/// Returns a frame that has not run yet, without its message.
fn empty(kind: FrameKind, gas_limit: u64) -> Frame {
    Frame {
        parent: None,
        depth: 0,
        kind,
        builtin: false,
        message: Message::default(),
        gas: FrameGas { limit: gas_limit, used: 0 },
        result: FrameResult { status: FrameStatus::Stop, output: Bytes::new() },
        items: Vec::new(),
        storage: Vec::new(),
        text: FrameText::default(),
    }
}

fn status(result: InstructionResult) -> FrameStatus {
    match result {
        InstructionResult::Stop => FrameStatus::Stop,
        InstructionResult::Return => FrameStatus::Return,
        InstructionResult::SelfDestruct => FrameStatus::SelfDestruct,
        InstructionResult::Revert => FrameStatus::Revert,
        other => FrameStatus::Halt(format!("{other:?}")),
    }
}
