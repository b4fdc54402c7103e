//! The loop over the operations of blocks.

use super::decode::{BlockOperation, BlockProgram, Kind, NOWHERE};
use crate::evm::Ctx;
use alloy_primitives::U256;
use revm::{
    context_interface::Host as _,
    interpreter::{
        GasTable, InstructionExecResult, InstructionTable, Interpreter, STACK_LIMIT,
        interpreter::{EthInterpreter, resize_memory},
        interpreter_types::Jumps as _,
    },
};

/// Bytes of a word.
const WORD: usize = 32;

/// Runs blocks from the program counter on, until one cannot run: then the program counter is at an instruction that
/// the table has to run.
///
/// # Errors
/// As instructions of the table, when the frame makes a call or ends.
#[allow(
    unsafe_code,
    reason = "with checked indices instead of pointers, 1.3 to 1.6 times slower: see PERFORMANCE.md"
)]
pub(super) fn from_here(
    interpreter: &mut Interpreter<EthInterpreter>,
    table: &InstructionTable<EthInterpreter, Ctx>,
    gas_table: &GasTable,
    host: &mut Ctx,
    program: &BlockProgram,
) -> InstructionExecResult {
    let begin = program.begins.get(interpreter.bytecode.pc()).copied().unwrap_or(NOWHERE);
    if begin == NOWHERE || interpreter.stack.data().capacity() < STACK_LIMIT {
        return Ok(());
    }
    let depth = host.journaled_state.depth;
    let operations = program.operations.as_ptr();
    let words = program.words.as_ptr();
    let mut next = begin as usize;
    let mut base = interpreter.stack.data_mut().as_mut_ptr();
    // SAFETY: `base` is the beginning of the stack's buffer, and the stack has this length.
    let mut top = unsafe { base.add(interpreter.stack.len()) };

    // Puts the program counter at an operation, and its gas and that of the rest of the block back.
    macro_rules! leave {
        ($operation:expr) => {{
            let operation: &BlockOperation = $operation;
            interpreter.gas.erase_cost(u64::from(operation.own) + u64::from(operation.gas));
            interpreter.bytecode.absolute_jump(operation.pc as usize);
            interpreter.stack.data_mut().set_len(top.offset_from_unsigned(base));
            return Ok(());
        }};
    }
    macro_rules! push {
        ($word:expr) => {{
            let word: U256 = $word;
            top.write(word);
            top = top.add(1);
        }};
    }
    // The result takes the place of the second operand; the first one is on top.
    macro_rules! binary {
        (|$first:ident, $second:ident| $result:expr) => {{
            top = top.sub(1);
            let ($first, $second): (U256, U256) = (*top, *top.sub(1));
            *top.sub(1) = $result;
        }};
    }
    // Returns the offset of a word in memory that exists, or leaves the block.
    macro_rules! offset {
        ($operation:expr, $offset:expr) => {{
            let Some(offset) = memory_offset($offset) else { leave!($operation) };
            if (offset + WORD).div_ceil(WORD) > interpreter.gas.memory().words_num
                && !grow(interpreter, host, offset)
            {
                leave!($operation)
            }
            offset
        }};
    }
    // Ends the frame if the execution has reached a limit, which each jump asks.
    macro_rules! check_limits {
        () => {
            if let Err(end) = host.chain.limits.check() {
                interpreter.stack.data_mut().set_len(top.offset_from_unsigned(base));
                return Err(end);
            }
        };
    }
    // Records a JUMPI, and jumps if it is taken.
    macro_rules! decide {
        ($operation:expr, $taken:expr, $target:expr, $pc:expr, $popped:expr) => {{
            let (taken, target): (bool, u32) = ($taken, $target);
            if taken && target == NOWHERE {
                leave!($operation)
            }
            top = top.sub($popped);
            check_limits!();
            host.chain.path.jumped_at(depth, $pc, taken);
            if taken {
                next = target as usize;
            }
        }};
    }

    // SAFETY: operations end with `Kind::End`, and targets of jumps are indices of them. Each block checks the height
    // of the stack for all of its operations, and the buffer of the stack has room for `STACK_LIMIT` words. `words`
    // are read at indices of the program.
    unsafe {
        loop {
            let operation = &*operations.add(next);
            next += 1;
            let BlockOperation { kind, a, b, x, y, .. } = *operation;
            let (a, b, y) = (usize::from(a), usize::from(b), usize::from(y));
            match kind {
                Kind::Block => {
                    let height = top.offset_from_unsigned(base);
                    let fits = height >= x as usize && height + y <= STACK_LIMIT;
                    let cost = u64::from(operation.gas);
                    if !fits || interpreter.gas.remaining() < cost {
                        interpreter.bytecode.absolute_jump(operation.pc as usize);
                        interpreter.stack.data_mut().set_len(height);
                        return Ok(());
                    }
                    let _ = interpreter.gas.record_cost_unsafe(cost);
                }
                Kind::Step => {
                    interpreter.bytecode.absolute_jump(operation.pc as usize);
                    interpreter.stack.data_mut().set_len(top.offset_from_unsigned(base));
                    interpreter.step(table, gas_table, host)?;
                    base = interpreter.stack.data_mut().as_mut_ptr();
                    top = base.add(interpreter.stack.len());
                }
                Kind::End => {
                    interpreter.bytecode.absolute_jump(operation.pc as usize);
                    interpreter.stack.data_mut().set_len(top.offset_from_unsigned(base));
                    return Ok(());
                }
                Kind::Push => push!(U256::from(x)),
                Kind::PushWord => push!(*words.add(x as usize)),
                Kind::Pop => top = top.sub(1),
                Kind::Dup => push!(*top.sub(a)),
                Kind::Swap => top.sub(1).swap(top.sub(1 + a)),
                Kind::Add => binary!(|first, second| first.wrapping_add(second)),
                Kind::Sub => binary!(|first, second| first.wrapping_sub(second)),
                Kind::Mul => binary!(|first, second| first.wrapping_mul(second)),
                Kind::Div => binary!(|first, second| first.checked_div(second).unwrap_or_default()),
                Kind::Mod => binary!(|first, second| first.checked_rem(second).unwrap_or_default()),
                Kind::Lt => binary!(|first, second| U256::from(first < second)),
                Kind::Gt => binary!(|first, second| U256::from(first > second)),
                Kind::Slt => binary!(|first, second| U256::from(ordered(first) < ordered(second))),
                Kind::Sgt => binary!(|first, second| U256::from(ordered(first) > ordered(second))),
                Kind::Eq => binary!(|first, second| U256::from(first == second)),
                Kind::And => binary!(|first, second| first & second),
                Kind::Or => binary!(|first, second| first | second),
                Kind::Xor => binary!(|first, second| first ^ second),
                Kind::Shl => binary!(|bits, word| shift(bits).map_or(U256::ZERO, |bits| word << bits)),
                Kind::Shr => binary!(|bits, word| shift(bits).map_or(U256::ZERO, |bits| word >> bits)),
                Kind::IsZero => *top.sub(1) = U256::from((*top.sub(1)).is_zero()),
                Kind::Not => *top.sub(1) = !*top.sub(1),
                Kind::MLoad => {
                    let offset = offset!(operation, *top.sub(1));
                    *top.sub(1) = interpreter.memory.get_u256(offset);
                }
                Kind::MStore => {
                    let offset = offset!(operation, *top.sub(1));
                    top = top.sub(2);
                    interpreter.memory.set_u256(offset, *top);
                }
                Kind::Jump => {
                    let target = program.target(*top.sub(1));
                    if target == NOWHERE {
                        leave!(operation)
                    }
                    top = top.sub(1);
                    check_limits!();
                    next = target as usize;
                }
                Kind::JumpI => {
                    let (target, condition) = (*top.sub(1), *top.sub(2));
                    decide!(operation, !condition.is_zero(), program.target(target), operation.pc as usize, 2)
                }
                Kind::PushJump => {
                    if x == NOWHERE {
                        leave!(operation)
                    }
                    check_limits!();
                    next = x as usize;
                }
                Kind::PushJumpI => {
                    let pc = operation.pc as usize + a;
                    decide!(operation, !(*top.sub(1)).is_zero(), x, pc, 1)
                }
                Kind::IsZeroPushJumpI => {
                    let pc = operation.pc as usize + a;
                    decide!(operation, (*top.sub(1)).is_zero(), x, pc, 1)
                }
                Kind::PushPush => {
                    push!(U256::from(x));
                    push!(U256::from(y));
                }
                Kind::DupDup => {
                    push!(*top.sub(a));
                    push!(*top.sub(b));
                }
                Kind::SwapPop => {
                    top = top.sub(1);
                    *top.sub(a) = *top;
                }
                Kind::SwapPopSwapPop => {
                    top = top.sub(1);
                    *top.sub(a) = *top;
                    top = top.sub(1);
                    *top.sub(b) = *top;
                }
                Kind::PopPop => top = top.sub(2),
                Kind::PushAdd => *top.sub(1) = (*top.sub(1)).wrapping_add(U256::from(x)),
                Kind::PushDup => {
                    push!(U256::from(x));
                    push!(*top.sub(a));
                }
                Kind::DupPush => {
                    push!(*top.sub(a));
                    push!(U256::from(x));
                }
                Kind::DupPushAdd => push!((*top.sub(a)).wrapping_add(U256::from(x))),
                Kind::PushMLoad => {
                    let offset = offset!(operation, U256::from(x));
                    push!(interpreter.memory.get_u256(offset));
                }
                Kind::PushMStore => {
                    let offset = offset!(operation, U256::from(x));
                    top = top.sub(1);
                    interpreter.memory.set_u256(offset, *top);
                }
                Kind::DupMLoad => {
                    let offset = offset!(operation, *top.sub(a));
                    push!(interpreter.memory.get_u256(offset));
                }
                Kind::SwapSwap => {
                    top.sub(1).swap(top.sub(1 + a));
                    top.sub(1).swap(top.sub(1 + b));
                }
                Kind::DupSwap => {
                    push!(*top.sub(a));
                    top.sub(1).swap(top.sub(1 + b));
                }
                Kind::PushShl => *top.sub(1) = if x < 256 { *top.sub(1) << x as usize } else { U256::ZERO },
                Kind::PushAnd => *top.sub(1) &= *words.add(x as usize),
            }
        }
    }
}

/// Returns a word as an offset in memory, if it is no larger than memory can be.
fn memory_offset(word: U256) -> Option<usize> {
    u32::try_from(word).ok().map(|offset| offset as usize)
}

/// Returns a number of bits, if a word has as many.
fn shift(bits: U256) -> Option<usize> {
    (bits < U256::from(256)).then(|| bits.as_limbs()[0] as usize)
}

/// Returns a word whose unsigned order is the signed order of this one.
fn ordered(word: U256) -> U256 {
    word ^ (U256::ONE << 255)
}

/// Lets the memory grow to a word at an offset. Returns false if the gas is not enough for this and the rest of the
/// block, and changes nothing then.
#[cold]
fn grow(interpreter: &mut Interpreter<EthInterpreter>, host: &Ctx, offset: usize) -> bool {
    let before = interpreter.gas;
    // The gas of the rest of the block is spent already, so that what is left is enough for both.
    let grown = resize_memory(&mut interpreter.gas, &mut interpreter.memory, host.gas_params(), offset, WORD);
    if grown.is_err() {
        interpreter.gas = before;
    }
    grown.is_ok()
}
