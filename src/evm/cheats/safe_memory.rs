//! `vm.expectSafeMemory`: memory writes outside the given ranges fail the frame that makes them.
//!
//! Only frames that run while ranges are set are slower. They are executed instruction by instruction ([`run`])
//! instead of by revm's loop.

use super::{
    dispatch::{CheatResult, Cheatcode, Cx, done},
    vm::Vm,
};
use crate::evm::{Ctx, base::constants::VM_ADDRESS, trace::stepping};
use alloy_primitives::{Address, Bytes, U256};
use alloy_sol_types::SolCall;
use revm::{
    bytecode::opcode as op,
    interpreter::{
        InstructionResult, InstructionTable, Interpreter, InterpreterAction, InterpreterResult,
        interpreter::EthInterpreter,
        interpreter_types::{Jumps, MemoryTr},
    },
};
use std::{collections::BTreeMap, ops::Range};

/// Scratch space and the free memory pointer, which any code may write.
const SCRATCH: Range<u64> = 0..0x60;

/// Ranges of memory that may be written, by depth of the frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct SafeMemory {
    ranges: BTreeMap<usize, Vec<Range<u64>>>,
}

impl SafeMemory {
    /// Tells whether frames at `depth` are checked.
    pub(crate) fn covers(&self, depth: usize) -> bool {
        self.ranges.contains_key(&depth)
    }
}

/// Range of memory that an instruction touches.
struct Touch {
    offset: u64,
    size: u64,
    /// True if the instruction writes; false if it only expands the memory by reading.
    writes: bool,
}

impl Touch {
    fn last(&self) -> u64 {
        self.offset.saturating_add(self.size.saturating_sub(1))
    }

    fn is_within(&self, range: &Range<u64>) -> bool {
        range.contains(&self.offset) && range.contains(&self.last())
    }
}

/// Runs a frame until it calls or ends, and checks each instruction before its execution.
pub(crate) fn run(
    interpreter: &mut Interpreter<EthInterpreter>,
    table: &InstructionTable<EthInterpreter, Ctx>,
    gas: &revm::interpreter::GasTable,
    host: &mut Ctx,
) -> InterpreterAction {
    stepping::run(interpreter, table, gas, host, |interpreter, host| {
        let output = violation(interpreter, host)?;
        let (result, gas) = (InstructionResult::Revert, interpreter.gas);
        Some(InterpreterAction::Return(InterpreterResult { result, output, gas }))
    })
}

/// Returns the revert data of the frame if the next instruction touches memory that it may not.
fn violation(interpreter: &Interpreter<EthInterpreter>, host: &Ctx) -> Option<Bytes> {
    let safe = host.chain.watch.safe_memory.as_ref()?;
    let ranges = safe.ranges.get(&host.journaled_state.depth)?;
    let touch = touched(interpreter)?;
    if ranges.iter().any(|range| touch.is_within(range)) || is_stop(interpreter) {
        return None;
    }
    let size = interpreter.memory.len() as u64;
    if !touch.writes && touch.offset < size && touch.last() < size {
        return None;
    }
    let list: Vec<_> =
        ranges.iter().map(|range| format!("[0x{:02X}, 0x{:02X})", range.start, range.end)).collect();
    let Touch { offset, size, .. } = touch;
    let reason = format!(
        "memory write at offset 0x{offset:02X} of size 0x{size:02X} not allowed; safe range: {}",
        list.join(" U ")
    );
    // The plain text, as in Forge: not an `Error(string)`.
    Some(reason.into_bytes().into())
}

/// Returns the `n`th word of the stack, counted from its top.
fn peek(interpreter: &Interpreter<EthInterpreter>, n: usize) -> Option<U256> {
    interpreter.stack.peek(n).ok()
}

/// Returns the memory that the next instruction touches. As in Forge, MCOPY is not checked.
fn touched(interpreter: &Interpreter<EthInterpreter>) -> Option<Touch> {
    let word = |n| peek(interpreter, n).map(|word| word.saturating_to::<u64>());
    let touch = |offset, size, writes| Some(Touch { offset: word(offset)?, size: word(size)?, writes });
    match interpreter.bytecode.opcode() {
        op::MSTORE => Some(Touch { offset: word(0)?, size: 32, writes: true }),
        op::MSTORE8 => Some(Touch { offset: word(0)?, size: 1, writes: true }),
        op::MLOAD => {
            // As in Forge, a read that begins in existing memory may end behind it.
            let offset = word(0)?;
            (offset >= interpreter.memory.len() as u64).then_some(Touch { offset, size: 32, writes: false })
        }
        op::CALLDATACOPY | op::CODECOPY | op::RETURNDATACOPY => touch(0, 2, true),
        op::EXTCODECOPY => touch(1, 3, true),
        op::CALL | op::CALLCODE => touch(5, 6, true),
        op::STATICCALL | op::DELEGATECALL => touch(4, 5, true),
        op::CREATE | op::CREATE2 => touch(1, 2, false),
        op::KECCAK256 | op::RETURN | op::REVERT | op::LOG0..=op::LOG4 => touch(0, 1, false),
        _ => None,
    }
}

/// Tells whether the next instruction stores the selector of `vm.stopExpectSafeMemory` for a call, or makes
/// that call.
fn is_stop(interpreter: &Interpreter<EthInterpreter>) -> bool {
    let stop = Vm::stopExpectSafeMemoryCall::SELECTOR;
    match interpreter.bytecode.opcode() {
        op::MSTORE => peek(interpreter, 1).is_some_and(|value| value.to_be_bytes::<32>().starts_with(&stop)),
        op::CALL => {
            let callee = peek(interpreter, 1).map(|word| Address::from_word(word.into()));
            let size = peek(interpreter, 4).unwrap_or_default();
            let start = peek(interpreter, 3).map_or(usize::MAX, |word| word.saturating_to());
            let end = start.saturating_add(stop.len());
            callee == Some(VM_ADDRESS)
                && size >= U256::from(stop.len())
                && end <= interpreter.memory.len()
                && interpreter.memory.slice(start..end).starts_with(&stop)
        }
        _ => false,
    }
}

/// Allows frames at `depth` to write to a range.
fn allow(cx: &mut Cx<'_>, depth: usize, range: Range<u64>) -> Result<(), super::dispatch::CheatError> {
    if range.is_empty() {
        let Range { start, end } = range;
        return Err(format!("memory range start ({start}) is greater than end ({end})").into());
    }
    let safe = cx.ctx.chain.watch.safe_memory.get_or_insert_default();
    safe.ranges.entry(depth).or_insert_with(|| vec![SCRATCH]).push(range);
    Ok(())
}

impl Cheatcode for Vm::expectSafeMemoryCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        allow(cx, cx.depth(), self.min..self.max)?;
        done()
    }
}

impl Cheatcode for Vm::expectSafeMemoryCallCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        allow(cx, cx.depth() + 1, self.min..self.max)?;
        done()
    }
}

impl Cheatcode for Vm::stopExpectSafeMemoryCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let depth = cx.depth();
        let watched = &mut cx.ctx.chain.watch.safe_memory;
        if let Some(safe) = watched {
            safe.ranges.remove(&depth);
            if safe.ranges.is_empty() {
                *watched = None;
            }
        }
        done()
    }
}
