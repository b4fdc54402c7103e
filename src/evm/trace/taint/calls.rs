//! Taint of calls, from their beginning to their end.

use super::{
    MOST, SeenCall, TaintTracker,
    frame::{PendingCall, Tainted},
    word::Taint,
};
use crate::{
    evm::{
        base::{
            constants::{CONSOLE_ADDRESS, VM_ADDRESS},
            place::CodePlace,
        },
        trace::shadow_stack::index,
    },
    model::{Origins, Scheme, TaintedMessage},
};
use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::{SolCall as _, sol};
use revm::{
    bytecode::opcode as op,
    interpreter::{
        CallInput, InstructionResult, Interpreter, InterpreterResult, interpreter::EthInterpreter,
        interpreter_types::MemoryTr as _,
    },
};
use std::mem;

sol! {
    function transfer(address to, uint256 amount);
    function transferFrom(address from, address to, uint256 amount);
    function approve(address spender, uint256 amount);
    function safeTransferFrom(address from, address to, uint256 id);
}

/// Gas stipend of a call with a value.
const STIPEND: U256 = U256::from_limbs([2300, 0, 0, 0]);

/// Creates the pending call of the outermost frame.
pub(super) fn outermost(input: Tainted) -> PendingCall {
    PendingCall {
        number: None,
        outcome: 0,
        result: (0, 0),
        writes: 0,
        destroyed: 0,
        wraps: 0,
        input,
        is_entered: false,
    }
}

/// Begins a call of any kind, whose operands are still on the stack.
pub(super) fn begin(
    tracker: &mut TaintTracker,
    depth: usize,
    instruction: u8,
    place: CodePlace,
    from: Address,
    stack: &[U256],
) {
    let has_value = matches!(instruction, op::CALL | op::CALLCODE);
    let first = if has_value { 3 } else { 2 };
    let height = stack.len();
    let Some(bottom) = height.checked_sub(first + 4) else { return };
    let word = |place: usize| stack[height - 1 - place];
    let decided = tracker.decided;
    let frame = tracker.frame(depth);
    let taint = |place: usize| frame.stack.at(height - 1 - place);
    let [offset, length, result, result_length] = [0, 1, 2, 3].map(|nth| index(word(first + nth)));
    let input = frame.memory.part(offset, length);
    let to = Address::from_word(B256::from(word(1)));
    let value = if has_value { word(2) } else { U256::ZERO };
    let value_taint = if has_value { taint(2) } else { Taint::NONE };
    let (to_origins, source) = (taint(1).origins, (decided | taint(1) | value_taint).source);
    let source =
        usize::from(source).checked_sub(1).and_then(|index| tracker.storage.sources.get(index)).cloned();
    let call = SeenCall {
        place,
        message: TaintedMessage {
            scheme: match instruction {
                op::CALL => Scheme::Call,
                op::STATICCALL => Scheme::Static,
                _ => Scheme::Delegate,
            },
            from,
            to,
            to_origins,
            value,
            is_payment: !value.is_zero() || value_taint.is(Taint::DATA),
            value_origins: value_taint.origins,
            is_stipend: !value.is_zero() && word(0) <= STIPEND,
        },
        decided: decided.origins,
        source,
        success: false,
        out_of_gas: false,
        reverted_at: None,
        is_checked: false,
        is_undone: false,
        is_followed: false,
    };
    tracker.used(value_taint.wraps);
    let is_builtin = to == VM_ADDRESS || to == CONSOLE_ADDRESS || is_precompile(to);
    let number = (!is_builtin && tracker.facts.calls.len() < MOST).then_some(tracker.facts.calls.len());
    if number.is_some() {
        tracker.facts.calls.push(call);
    }
    wait(tracker, depth, number, bottom, (result, result_length), input);
}

/// Begins a creation, whose operands are still on the stack.
pub(super) fn begin_creation(tracker: &mut TaintTracker, depth: usize, inputs: usize, stack: &[U256]) {
    let outcome = stack.len().saturating_sub(inputs);
    wait(tracker, depth, None, outcome, (0, 0), Tainted::default());
}

/// Adds a pending call to the frame at `depth`. It records the number of effects so far, since later ones are
/// undone if the call fails.
fn wait(
    tracker: &mut TaintTracker,
    depth: usize,
    number: Option<usize>,
    outcome: usize,
    result: (usize, usize),
    input: Tainted,
) {
    let pending = PendingCall {
        number,
        outcome,
        result,
        writes: tracker.writes.len(),
        destroyed: tracker.facts.destroyed.len(),
        wraps: tracker.facts.wraps.len(),
        input,
        is_entered: false,
    };
    tracker.frame(depth).pending = Some(pending);
}

/// Undoes what a call did that failed.
pub(super) fn undo(tracker: &mut TaintTracker, pending: &PendingCall) {
    tracker.undo(pending.writes);
    tracker.facts.destroyed.truncate(pending.destroyed);
    tracker.facts.wraps.truncate(pending.wraps);
    let inner = pending.number.map_or(tracker.facts.calls.len(), |number| number + 1);
    tracker.facts.calls.iter_mut().skip(inner).for_each(|call| call.is_undone = true);
}

/// Ends the pending call of the frame at `depth`.
pub(super) fn ended(tracker: &mut TaintTracker, depth: usize, result: &InterpreterResult) {
    let Some(pending) = tracker.frames.get_mut(depth).and_then(|frame| frame.pending.take()) else { return };
    let success = result.result.is_ok();
    if !success {
        undo(tracker, &pending);
    }
    let callee = tracker.frame(depth + 1);
    // What is stored for the transaction's sender, such as his allowance, is his affair.
    let is_his = callee.decided_by.has(Origins::KEYED_BY_CALLER);
    let reverts_itself = result.result == InstructionResult::Revert && callee.by_failures == 0;
    let is_broken = reverts_itself && !is_his && !callee.is_refusal;
    let reverted_at = callee.decided_at.take().filter(|_| pending.is_entered && is_broken);
    let returned = mem::take(&mut callee.result);
    let returned = if pending.is_entered { returned } else { computed(&pending.input, result.output.len()) };
    let frame = tracker.frame(depth);
    let (offset, length) = pending.result;
    frame.memory.copy(offset, &returned, 0, length.min(result.output.len()));
    frame.returned = returned;
    let outcome = match pending.number {
        Some(number) => Taint::of_call(number).with(Taint::DATA),
        None => Taint::NONE.with(Taint::DATA),
    };
    frame.stack.set(pending.outcome, outcome);
    let Some(call) = pending.number.and_then(|number| tracker.facts.calls.get_mut(number)) else { return };
    call.success = success;
    call.out_of_gas = matches!(
        result.result,
        InstructionResult::OutOfGas
            | InstructionResult::MemoryOOG
            | InstructionResult::ReentrancySentryOOG
            | InstructionResult::InvalidOperandOOG
    );
    call.reverted_at = reverted_at;
    if !success {
        tracker.failed |= outcome.calls;
    }
}

/// Tells whether a frame is one of the functions by which ERC-20 and ERC-721 tokens refuse what a holder cannot do.
/// Whoever calls them relies on that.
pub(super) fn is_of_token(interpreter: &Interpreter<EthInterpreter>) -> bool {
    let selector = match &interpreter.input.input {
        CallInput::Bytes(data) => data.first_chunk::<4>().copied(),
        // A shorter range may lie outside the memory.
        CallInput::SharedBuffer(range) if range.len() >= 4 => {
            interpreter.memory.global_slice(range.clone()).first_chunk::<4>().copied()
        }
        CallInput::SharedBuffer(_) => None,
    };
    let known = [
        transferCall::SELECTOR,
        transferFromCall::SELECTOR,
        approveCall::SELECTOR,
        safeTransferFromCall::SELECTOR,
    ];
    selector.is_some_and(|selector| known.contains(&selector))
}

/// Returns the taint of the output of a callee without visible code, such as a precompile: it depends on the
/// whole input.
fn computed(input: &Tainted, length: usize) -> Tainted {
    let mut returned = Tainted::default();
    returned.write(0, length, input.range(0, usize::MAX).scrambled());
    returned
}

fn is_precompile(address: Address) -> bool {
    address[..18].iter().all(|byte| *byte == 0) && (address[18] <= 1)
}
