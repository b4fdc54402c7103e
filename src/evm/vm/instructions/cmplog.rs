//! Instructions for comparison tracing. Each has its usual semantics and tags its result.

mod comparing;

use super::{Ictx, reading};
use crate::{
    evm::{
        Ctx,
        trace::cmplog::{CmpSite, Expr, Exprs},
        vm::recorder::TraceRecorder,
    },
    model::branch::Slot,
};
use alloy_primitives::U256;
use revm::{
    bytecode::opcode as op,
    handler::instructions::EthInstructions,
    interpreter::{
        Instruction, InstructionExecResult, Interpreter,
        instructions::{contract, control, memory, stack, system},
        interpreter::EthInterpreter,
        interpreter_types::LegacyBytecode,
    },
};

type Result = InstructionExecResult;

/// Replaces instructions in a table that already contains the recording instructions.
pub(crate) fn replace(instructions: &mut EthInstructions<EthInterpreter, Ctx>) {
    let table = instructions.instruction_table_mut();
    let mut set = |code: u8, instruction: fn(Ictx<'_>) -> Result| {
        table[usize::from(code)] = Instruction::new(instruction);
    };
    for (code, instruction) in comparing::COMPARING {
        set(code, instruction);
    }
    for (code, instruction) in READING {
        set(code, instruction);
    }
    set(op::JUMPI, jumpi);
    set(op::MSTORE, mstore);
    set(op::SLOAD, sload);
    set(op::SSTORE, sstore);
    set(op::KECCAK256, keccak256);
    set(op::RETURN, ret);
    set(op::CALL, call::<{ op::CALL }>);
    set(op::STATICCALL, call::<{ op::STATICCALL }>);
    set(op::DELEGATECALL, call::<{ op::DELEGATECALL }>);
    set(op::CALLCODE, call::<{ op::CALLCODE }>);
    macro_rules! copies {
        ($($n:literal)*) => {$(
            set(op::DUP1 + $n - 1, dup::<$n>);
            set(op::SWAP1 + $n - 1, swap::<$n>);
        )*};
    }
    copies!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
}

/// Opcode with its instruction.
type Replacement = (u8, fn(Ictx<'_>) -> Result);

const READING: [Replacement; 10] = [
    (op::CALLDATALOAD, calldataload),
    (op::MLOAD, mload),
    (op::CALLDATASIZE, calldatasize),
    (op::RETURNDATASIZE, returndatasize),
    (op::EXTCODESIZE, extcodesize),
    (op::CALLVALUE, callvalue),
    (op::TIMESTAMP, timestamp),
    (op::NUMBER, number),
    (op::PUSH0, push0),
    (op::PUSH1, push1),
];

/// Returns the height of the stack and its two topmost words.
fn top_two(interpreter: &Interpreter<EthInterpreter>) -> Option<(usize, U256, U256)> {
    match interpreter.stack.data().as_slice() {
        stack @ [.., second, first] => Some((stack.len(), *first, *second)),
        _ => None,
    }
}

/// Returns the height of the stack and its topmost word.
fn top(interpreter: &Interpreter<EthInterpreter>) -> Option<(usize, U256)> {
    let stack = interpreter.stack.data();
    stack.last().map(|word| (stack.len(), *word))
}

/// Runs an instruction, then calls `note` with the stack position of the result and the result.
fn with_result(
    context: Ictx<'_>,
    original: impl FnOnce(Ictx<'_>) -> Result,
    note: impl FnOnce(&mut Ctx, usize, U256),
) -> Result {
    let Ictx { interpreter, host } = context;
    original(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let Some((height, word)) = top(interpreter) {
        note(host, height - 1, word);
    }
    Ok(())
}

fn dup<const N: usize>(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    let height = interpreter.stack.len();
    stack::dup::<N, _, _>(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let Some(frame) = host.chain.cmplog.frames.get_mut(host.journaled_state.depth) {
        frame.set(height, frame.at(height - N));
    }
    Ok(())
}

fn swap<const N: usize>(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    let height = interpreter.stack.len();
    stack::swap::<N, _, _>(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let Some(frame) = host.chain.cmplog.frames.get_mut(host.journaled_state.depth) {
        frame.swap(height - 1, height - 1 - N);
    }
    Ok(())
}

/// Defines instructions that push constants. The constants 0 and 1 look like booleans. They get nodes of
/// their own, because otherwise a stale tag at their stack position could be taken for theirs.
macro_rules! constants {
    ($($name:ident = $original:path;)*) => {$(
        fn $name(context: Ictx<'_>) -> Result {
            with_result(context, |context| $original(context), |host, position, word| {
                host.chain.cmplog.tag(host.journaled_state.depth, position, Exprs::constant(word));
            })
        }
    )*};
}

constants! {
    push0 = stack::push0;
    push1 = stack::push::<1, _, _>;
}

/// Defines instructions whose result is tagged with its origin.
macro_rules! origins {
    ($($name:ident = $original:path, $node:expr;)*) => {$(
        fn $name(context: Ictx<'_>) -> Result {
            with_result(context, |context| $original(context), |host, position, word| {
                let node = host.chain.cmplog.exprs.push(word, $node);
                host.chain.cmplog.tag(host.journaled_state.depth, position, node);
            })
        }
    )*};
}

origins! {
    calldatasize = system::calldatasize, Expr::CompilerCheck;
    returndatasize = system::returndatasize, Expr::CompilerCheck;
    extcodesize = super::extcodesize, Expr::CompilerCheck;
    callvalue = system::callvalue, Expr::CallValue;
}

/// Defines instructions that read the block. Timestamp and block number are treated like words of storage.
macro_rules! of_block {
    ($($name:ident = $original:path, $slot:expr;)*) => {$(
        fn $name(context: Ictx<'_>) -> Result {
            with_result(context, |context| $original(context), |host, _, word| {
                host.chain.cmplog.touched.load($slot, word);
            })
        }
    )*};
}

of_block! {
    timestamp = reading::timestamp, Slot::TIMESTAMP;
    number = reading::number, Slot::BLOCK_NUMBER;
}

/// CALLDATALOAD. If the caller has a tag for the argument, the argument keeps that tag. In a static call, only tags of
/// conditions are kept, so that equal calls make equal comparisons.
fn calldataload(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    let offset = top(interpreter).map(|(_, offset)| offset);
    system::calldataload(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let (Some((height, word)), Some(offset)) = (top(interpreter), offset) {
        let (depth, cmplog) = (host.journaled_state.depth, &mut host.chain.cmplog);
        let caller = depth.checked_sub(1).and_then(|depth| cmplog.frames.get(depth));
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let passed = caller
            .filter(|_| depth > 1)
            .map_or(0, |caller| caller.load(caller.arguments.saturating_add(offset)));
        let passed = cmplog.exprs.valid(passed, word);
        let is_kept = !interpreter.runtime_flag.is_static || !cmplog.exprs.hides_origin(passed);
        let node = match if is_kept { passed } else { 0 } {
            0 if offset == 0 => cmplog.exprs.push(word, Expr::FirstWord),
            0 => cmplog.exprs.push(word, Expr::Read),
            passed => passed,
        };
        cmplog.tag(depth, height - 1, node);
    }
    Ok(())
}

fn mload(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    let offset = top(interpreter).map(|(_, offset)| offset);
    memory::mload(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let (Some((height, word)), Some(offset)) = (top(interpreter), offset) {
        let (depth, cmplog) = (host.journaled_state.depth, &mut host.chain.cmplog);
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let stored = cmplog.frames.get(depth).map_or(0, |frame| frame.load(offset));
        let node = match cmplog.exprs.valid(stored, word) {
            0 => cmplog.exprs.push(word, Expr::Read),
            stored => stored,
        };
        cmplog.tag(depth, height - 1, node);
    }
    Ok(())
}

fn mstore(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    let before = top_two(interpreter);
    memory::mstore(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let Some((height, offset, word)) = before {
        let (depth, cmplog) = (host.journaled_state.depth, &mut host.chain.cmplog);
        let node = cmplog.operand(depth, height - 2, word).node;
        if let (Some(frame), Ok(offset)) = (cmplog.frames.get_mut(depth), usize::try_from(offset)) {
            frame.store(offset, node);
        }
    }
    Ok(())
}

fn keccak256(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    let before = top_two(interpreter);
    super::keccak256(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let (Some((height, _, length)), Some((_, image))) = (before, top(interpreter)) {
        let node = host.chain.cmplog.exprs.push(image, Expr::Image(length.saturating_to()));
        host.chain.cmplog.tag(host.journaled_state.depth, height - 2, node);
    }
    Ok(())
}

fn sload(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    let slot = top(interpreter).map(|(_, slot)| slot);
    super::load(Ictx { interpreter: &mut *interpreter, host: &mut *host })?;
    if let (Some(slot), Some((_, value))) = (slot, top(interpreter)) {
        let address = interpreter.input.target_address;
        host.chain.cmplog.touched.load(Slot { address, slot }, value);
    }
    super::call_load_hook(&mut Ictx { interpreter, host }, slot)
}

fn sstore(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    if let Some((height, slot, _)) = top_two(interpreter) {
        let depth = host.journaled_state.depth;
        let place = host.chain.path.place(depth, interpreter);
        let TraceRecorder { cmplog, path, .. } = &mut host.chain;
        cmplog.touched.store(Slot { address: interpreter.input.target_address, slot });
        let node = cmplog.operand(depth, height - 1, slot).node;
        let hashed = matches!(cmplog.exprs.get(node), Some((_, Expr::Image(_) | Expr::Member)));
        if !hashed && !path.codes.is_constant(place.code, interpreter.bytecode.bytecode_slice(), slot) {
            cmplog.store(place, slot);
        }
    }
    super::sstore(Ictx { interpreter, host })
}

fn jumpi(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    host.chain.limits.check()?;
    if let Some((height, _, condition)) = top_two(interpreter) {
        let depth = host.journaled_state.depth;
        let place: CmpSite = host.chain.path.jumped(depth, interpreter, !condition.is_zero());
        let cmplog = &mut host.chain.cmplog;
        let condition = cmplog.operand(depth, height - 2, condition);
        cmplog.jumpi(place, interpreter.bytecode.bytecode_slice(), interpreter.stack.data(), condition);
        // The next word at this position is unrelated.
        cmplog.tag(depth, height - 2, 0);
    }
    control::jumpi(Ictx { interpreter, host })
}

/// RETURN. A returned word keeps its tag in the caller's memory.
fn ret(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    if let Some((_, offset, size)) = top_two(interpreter)
        && size == U256::from(32)
        && let Ok(offset) = usize::try_from(offset)
    {
        let (depth, cmplog) = (host.journaled_state.depth, &mut host.chain.cmplog);
        let node = cmplog.frames.get(depth).map_or(0, |frame| frame.load(offset));
        let caller = depth.checked_sub(1).and_then(|depth| cmplog.frames.get_mut(depth));
        if let Some(caller) = caller.filter(|_| depth > 1) {
            caller.store(caller.result, node);
            caller.returned = Some(node);
        }
    }
    control::ret(Ictx { interpreter, host })
}

fn call<const KIND: u8>(context: Ictx<'_>) -> Result {
    let Ictx { interpreter, host } = context;
    // Operands: gas, target, value (CALL and CALLCODE only), then offset and length of the arguments and of
    // the result.
    let first = if matches!(KIND, op::CALL | op::CALLCODE) { 3 } else { 2 };
    let stack = interpreter.stack.data();
    let operand = |index: usize| {
        let word = stack.len().checked_sub(index + 1).map(|place| stack[place]);
        word.and_then(|word| usize::try_from(word).ok()).unwrap_or(usize::MAX)
    };
    if let Some(frame) = host.chain.cmplog.frames.get_mut(host.journaled_state.depth) {
        frame.arguments = operand(first);
        frame.result = operand(first + 2);
        frame.outcome = stack.len().saturating_sub(first + 4);
        frame.returned = None;
    }
    let context = Ictx { interpreter, host };
    match KIND {
        op::CALLCODE => contract::call::<KIND, _, _>(context),
        _ => super::call::<KIND>(context),
    }
}
