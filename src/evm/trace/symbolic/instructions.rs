//! Effect of instructions on the expressions of their operands.

use super::{
    SymbolicTracker,
    frame::{PendingFrame, Pushed, SymbolicFrame},
};
use crate::{
    evm::{Ctx, trace::shadow_stack::index},
    model::{Expression, ExpressionId, Slot, SymbolicInput, WordOperator},
};
use alloy_primitives::{Address, B256, U256};
use revm::{
    bytecode::opcode::{self as op, OPCODE_INFO},
    interpreter::{Interpreter, interpreter::EthInterpreter, interpreter_types::Jumps},
};

/// Follows the instruction that is about to run in the frame at this depth.
pub(super) fn before(
    tracker: &mut SymbolicTracker,
    depth: usize,
    interpreter: &Interpreter<EthInterpreter>,
    host: &Ctx,
) {
    let instruction = interpreter.bytecode.opcode();
    let stack = interpreter.stack.data();
    resolve(tracker, depth, stack);
    if tracker.frame(depth).stack.moves(instruction, stack.len()) {
        return;
    }
    let Some(info) = OPCODE_INFO[usize::from(instruction)] else { return };
    let (inputs, height) = (usize::from(info.inputs()), stack.len());
    if height < inputs {
        return;
    }
    let step = SymbolicInstruction { instruction, stack, height, inputs, interpreter };
    match instruction {
        op::CALL | op::CALLCODE | op::DELEGATECALL | op::STATICCALL => step.call(tracker, depth),
        op::CREATE | op::CREATE2 => {
            let writes = tracker.writes.len();
            let frame = tracker.frame(depth);
            frame.pending = Some(PendingFrame { writes, ..PendingFrame::default() });
            frame.stack.set(height - inputs, None);
        }
        op::JUMPI => {
            let condition = step.operand(tracker.frame(depth), 1);
            tracker.decide(host.chain.path.frame(depth).at(interpreter.bytecode.pc()), condition);
        }
        op::SSTORE | op::TSTORE => {
            let word = step.operand(tracker.frame(depth), 1);
            let key = (instruction == op::SSTORE, interpreter.input.target_address, step.word(0));
            tracker.write(key, word);
        }
        op::RETURN | op::REVERT => {
            let frame = tracker.frame(depth);
            frame.result = frame.memory.part(step.index(0), step.index(1));
        }
        op::MSTORE
        | op::MSTORE8
        | op::MCOPY
        | op::CALLDATACOPY
        | op::RETURNDATACOPY
        | op::CODECOPY
        | op::EXTCODECOPY => step.write(tracker.frame(depth)),
        _ if info.outputs() > 0 => {
            let position = height - inputs;
            let pushed = step.result(tracker, depth);
            let frame = tracker.frame(depth);
            frame.stack.set(position, None);
            frame.pushed = pushed.map(|pushed| (position, pushed));
        }
        _ => {}
    }
}

/// Gives the result of the last instruction its expression, now that its value is on the stack.
fn resolve(tracker: &mut SymbolicTracker, depth: usize, stack: &[U256]) {
    let Some((position, pushed)) = tracker.frame(depth).pushed.take() else { return };
    let Some(value) = stack.get(position).copied() else { return };
    let (frame, all) = (&tracker.frames[depth], &mut tracker.expressions);
    let word = match pushed {
        Pushed::Expression(expression) => tracker.add(expression, value),
        Pushed::Memory(offset) => frame.memory.word(offset, value, all),
        Pushed::Calldata(offset) => frame.calldata.word(offset, value, all),
    };
    tracker.frame(depth).stack.set(position, word);
}

/// Instruction with its operands.
struct SymbolicInstruction<'a> {
    instruction: u8,
    stack: &'a [U256],
    height: usize,
    inputs: usize,
    interpreter: &'a Interpreter<EthInterpreter>,
}

impl SymbolicInstruction<'_> {
    fn word(&self, operand: usize) -> U256 {
        self.stack[self.height - 1 - operand]
    }

    fn index(&self, operand: usize) -> usize {
        index(self.word(operand))
    }

    fn operand(&self, frame: &SymbolicFrame, operand: usize) -> Option<ExpressionId> {
        frame.stack.at(self.height - 1 - operand)
    }

    /// Returns the expression of the instruction's result; `None` if no input changes it.
    fn result(&self, tracker: &mut SymbolicTracker, depth: usize) -> Option<Pushed> {
        let input = &self.interpreter.input;
        let is_sender = |caller: Address| caller == tracker.sender;
        let leaf = match self.instruction {
            op::CALLER if is_sender(input.caller_address) => SymbolicInput::Sender,
            op::CALLER => SymbolicInput::Caller,
            op::ORIGIN => SymbolicInput::Sender,
            op::CALLVALUE => SymbolicInput::Value,
            op::TIMESTAMP => SymbolicInput::Time,
            op::NUMBER => SymbolicInput::Number,
            op::BLOCKHASH | op::DIFFICULTY | op::COINBASE => SymbolicInput::Block,
            op::BALANCE | op::SELFBALANCE => SymbolicInput::Balance,
            op::SLOAD | op::TLOAD => return self.load(tracker, depth),
            op::MLOAD => return Some(Pushed::Memory(self.index(0))),
            op::CALLDATALOAD => return Some(Pushed::Calldata(self.index(0))),
            _ => return self.compute(tracker, depth),
        };
        Some(Pushed::Expression(Expression::Input(leaf)))
    }

    fn load(&self, tracker: &mut SymbolicTracker, depth: usize) -> Option<Pushed> {
        let is_persistent = self.instruction == op::SLOAD;
        let address = self.interpreter.input.target_address;
        let slot = Slot { address, slot: self.word(0) };
        if let Some(written) = tracker.storage.get(&(is_persistent, address, slot.slot)) {
            let written = (*written)?;
            return Some(Pushed::Expression(tracker.expressions.get(written).clone()));
        }
        let key = self.operand(tracker.frame(depth), 0);
        // Transient storage is empty when a transaction begins.
        is_persistent.then_some(Pushed::Expression(Expression::Input(SymbolicInput::Storage(slot, key))))
    }

    fn compute(&self, tracker: &mut SymbolicTracker, depth: usize) -> Option<Pushed> {
        let frame = tracker.frame(depth);
        let operator = operator(self.instruction)?;
        let operands = match operator {
            WordOperator::Hash => frame.memory.expressions(self.index(0), self.index(1)),
            _ => {
                let operands: Vec<_> = (0..self.inputs).map(|nth| self.operand(frame, nth)).collect();
                if operands.iter().all(Option::is_none) {
                    return None;
                }
                let all = &mut tracker.expressions;
                let mut constant = |nth| all.add(Expression::Constant, self.word(nth));
                let known = operands.into_iter().enumerate();
                known.map(|(nth, operand)| operand.unwrap_or_else(|| constant(nth))).collect()
            }
        };
        (!operands.is_empty()).then_some(Pushed::Expression(Expression::Operation(operator, operands)))
    }

    fn call(&self, tracker: &mut SymbolicTracker, depth: usize) {
        let has_value = matches!(self.instruction, op::CALL | op::CALLCODE);
        let first = if has_value { 3 } else { 2 };
        let [offset, length, result, result_length] = [0, 1, 2, 3].map(|nth| self.index(first + nth));
        let writes = tracker.writes.len();
        let to = Address::from_word(B256::from(self.word(1)));
        let frame = tracker.frame(depth);
        let input = frame.memory.part(offset, length);
        frame.pending =
            Some(PendingFrame { input, is_entered: false, result: (result, result_length), writes });
        let position = self.height - self.inputs;
        frame.stack.set(position, None);
        frame.pushed = Some((position, Pushed::Expression(Expression::Input(SymbolicInput::Success(to)))));
    }

    fn write(&self, frame: &mut SymbolicFrame) {
        let (offset, from, length) = (self.index(0), self.word(1), self.word(self.inputs - 1));
        let (from, length) = (index(from), index(length));
        match self.instruction {
            op::MSTORE => frame.memory.write(offset, self.operand(frame, 1)),
            op::MSTORE8 => frame.memory.write_byte(offset, self.operand(frame, 1)),
            op::MCOPY => {
                let part = frame.memory.part(from, length);
                frame.memory.copy(offset, &part, 0, length);
            }
            op::CALLDATACOPY => frame.memory.copy(offset, &frame.calldata, from, length),
            op::RETURNDATACOPY => frame.memory.copy(offset, &frame.returned, from, length),
            op::EXTCODECOPY => frame.memory.erase(from, length),
            _ => frame.memory.erase(offset, length),
        }
    }
}

/// Returns the operator of an instruction whose result depends on its operands alone.
fn operator(instruction: u8) -> Option<WordOperator> {
    Some(match instruction {
        op::ADD => WordOperator::Add,
        op::MUL => WordOperator::Mul,
        op::SUB => WordOperator::Sub,
        op::DIV => WordOperator::Div,
        op::SDIV => WordOperator::SignedDiv,
        op::MOD => WordOperator::Mod,
        op::SMOD => WordOperator::SignedMod,
        op::ADDMOD => WordOperator::AddMod,
        op::MULMOD => WordOperator::MulMod,
        op::EXP => WordOperator::Exp,
        op::SIGNEXTEND => WordOperator::SignExtend,
        op::LT => WordOperator::Less,
        op::GT => WordOperator::Greater,
        op::SLT => WordOperator::SignedLess,
        op::SGT => WordOperator::SignedGreater,
        op::EQ => WordOperator::Equal,
        op::ISZERO => WordOperator::IsZero,
        op::AND => WordOperator::And,
        op::OR => WordOperator::Or,
        op::XOR => WordOperator::Xor,
        op::NOT => WordOperator::Not,
        op::BYTE => WordOperator::Byte,
        op::SHL => WordOperator::ShiftLeft,
        op::SHR => WordOperator::ShiftRight,
        op::SAR => WordOperator::SignedShiftRight,
        op::KECCAK256 => WordOperator::Hash,
        _ => return None,
    })
}
