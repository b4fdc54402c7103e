//! Effect of instructions on the expressions of their operands.

use super::{
    SymbolicTracker,
    frame::{PendingFrame, Pushed, SymbolicFrame},
};
use crate::{
    evm::{Ctx, base::constants::VM_ADDRESS, trace::shadow_stack::index},
    model::{Expression, ExpressionId, Slot, SymbolicInput, WordOperator},
};
use alloy_primitives::{Address, B256, U256};
use revm::{
    bytecode::opcode::{self as op, OPCODE_INFO},
    interpreter::{Interpreter, interpreter::EthInterpreter, interpreter_types::Jumps},
};
use std::mem;

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
    let frame = tracker.frame(depth);
    if frame.stack.moves(instruction, stack.len()) {
        if instruction == op::PUSH32 && !frame.code.is_constant() {
            frame.pushed = Some((stack.len(), Pushed::Code(interpreter.bytecode.pc() + 1)));
        }
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
            let (input, value) = (frame.memory.part(step.index(1), step.index(2)), step.operand(frame, 0));
            frame.pending =
                Some(PendingFrame { input, is_creation: true, value, writes, ..PendingFrame::default() });
            frame.stack.set(height - inputs, None);
            frame.pushed = Some((height - inputs, Pushed::Created));
        }
        op::JUMPI => {
            let condition = step.operand(tracker.frame(depth), 1);
            let place = host.chain.path.frame(depth).at(interpreter.bytecode.pc());
            tracker.decide(place.edges_decided(), condition, !step.word(1).is_zero());
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
    let frame = &tracker.frames[depth];
    let word = match pushed {
        _ if tracker.is_full() => None,
        Pushed::Input(input) => Some(tracker.path.expressions.add(Expression::Input(input), value)),
        Pushed::Operation(operator, operands) => {
            Some(tracker.path.expressions.operation(operator, operands, value))
        }
        Pushed::Known(known, or) => tracker.with_value(known, value).or_else(|| {
            let input = Expression::Input(or?);
            Some(tracker.path.expressions.add(input, value))
        }),
        Pushed::Memory(offset) => frame.memory.word(offset, value, &mut tracker.path.expressions),
        Pushed::Calldata(offset) => frame.calldata.word(offset, value, &mut tracker.path.expressions),
        Pushed::Code(offset) => frame.code.word(offset, value, &mut tracker.path.expressions),
        Pushed::Created => {
            let code = mem::take(&mut tracker.frame(depth).created);
            if !code.is_constant() {
                tracker.codes.insert(Address::from_word(value.into()), code);
            }
            None
        }
    };
    tracker.frame(depth).stack.set(position, word);
}

/// Maximum number of hashed bytes whose words are kept.
const MOST_HASHED: usize = 1024;

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

    /// Returns the first bytes of the word at an offset in memory; zeros follow.
    fn memory(&self, offset: usize, most: usize) -> U256 {
        let memory = &self.interpreter.memory;
        let length = memory.len().saturating_sub(offset).min(most.min(32));
        let mut bytes = [0; 32];
        bytes[..length].copy_from_slice(&memory.slice_len(offset.min(memory.len()), length));
        U256::from_be_bytes(bytes)
    }

    fn operand(&self, frame: &SymbolicFrame, operand: usize) -> Option<ExpressionId> {
        frame.stack.at(self.height - 1 - operand)
    }

    /// Returns the expression of the instruction's result; `None` if no input changes it.
    fn result(&self, tracker: &mut SymbolicTracker, depth: usize) -> Option<Pushed> {
        let input = &self.interpreter.input;
        let SymbolicTracker { transaction, sender, time, number, .. } = *tracker;
        let leaf = match self.instruction {
            op::CALLER if input.caller_address == sender => SymbolicInput::Sender(transaction),
            op::CALLER => {
                let pranked = tracker.pranked.get(&input.caller_address).copied();
                return Some(Pushed::Known(pranked, Some(SymbolicInput::Caller)));
            }
            op::ORIGIN => {
                // A prank may change it.
                let leaf = Expression::Input(SymbolicInput::Sender(transaction));
                let origin = tracker.path.expressions.add(leaf, sender.into_word().into());
                return Some(Pushed::Known(Some(origin), Some(SymbolicInput::Caller)));
            }
            op::CALLVALUE => return Some(Pushed::Known(tracker.frame(depth).value, None)),
            op::TIMESTAMP => return Some(Pushed::Known(time, Some(SymbolicInput::Time))),
            op::NUMBER => return Some(Pushed::Known(number, Some(SymbolicInput::Number))),
            op::BLOCKHASH | op::DIFFICULTY | op::COINBASE => SymbolicInput::Block,
            op::BALANCE | op::SELFBALANCE => SymbolicInput::Balance,
            op::SLOAD | op::TLOAD => return self.load(tracker, depth),
            op::MLOAD => return Some(Pushed::Memory(self.index(0))),
            op::CALLDATALOAD => return Some(Pushed::Calldata(self.index(0))),
            _ => return self.compute(tracker, depth),
        };
        Some(Pushed::Input(leaf))
    }

    fn load(&self, tracker: &mut SymbolicTracker, depth: usize) -> Option<Pushed> {
        let is_persistent = self.instruction == op::SLOAD;
        let address = self.interpreter.input.target_address;
        let slot = Slot { address, slot: self.word(0) };
        if let Some(written) = tracker.storage.get(&(is_persistent, address, slot.slot)) {
            return Some(Pushed::Known(*written, None));
        }
        let key = self.operand(tracker.frame(depth), 0);
        // Transient storage is empty when a transaction begins.
        is_persistent.then_some(Pushed::Input(SymbolicInput::Storage(slot, key)))
    }

    fn compute(&self, tracker: &mut SymbolicTracker, depth: usize) -> Option<Pushed> {
        let operator = operator(self.instruction)?;
        if operator == WordOperator::Hash {
            return self.hash(tracker, depth);
        }
        let frame = tracker.frame(depth);
        let operands: Vec<_> = (0..self.inputs).map(|nth| self.operand(frame, nth)).collect();
        if operands.iter().all(Option::is_none) {
            return None;
        }
        let mut constant = |nth| tracker.constant(self.word(nth));
        let known = operands.into_iter().enumerate();
        let operands = known.map(|(nth, operand)| operand.unwrap_or_else(|| constant(nth))).collect();
        Some(Pushed::Operation(operator, operands))
    }

    /// Returns the hash of memory. It is an expression even if no input changes it, so that two hashes can be compared
    /// by what they hash.
    fn hash(&self, tracker: &mut SymbolicTracker, depth: usize) -> Option<Pushed> {
        let (offset, length) = (self.index(0), self.index(1));
        if length > MOST_HASHED {
            let operands = tracker.frame(depth).memory.expressions(offset, length);
            return (!operands.is_empty()).then_some(Pushed::Operation(WordOperator::Builtin, operands));
        }
        let mut operands = vec![tracker.constant(U256::from(length))];
        for start in (0..length).step_by(32) {
            let place = offset.saturating_add(start);
            let value = self.memory(place, length - start);
            let word = tracker.frames[depth].memory.word(place, value, &mut tracker.path.expressions);
            operands.push(word.unwrap_or_else(|| tracker.constant(value)));
        }
        Some(Pushed::Operation(WordOperator::Hash, operands.into()))
    }

    fn call(&self, tracker: &mut SymbolicTracker, depth: usize) {
        let has_value = matches!(self.instruction, op::CALL | op::CALLCODE);
        let first = if has_value { 3 } else { 2 };
        let [offset, length, result, result_length] = [0, 1, 2, 3].map(|nth| self.index(first + nth));
        let writes = tracker.writes.len();
        let to = Address::from_word(B256::from(self.word(1)));
        let frame = tracker.frame(depth);
        let input = frame.memory.part(offset, length);
        let value = match self.instruction {
            op::DELEGATECALL => frame.value,
            _ if has_value => self.operand(frame, 2),
            _ => None,
        };
        if to == VM_ADDRESS && length == 36 {
            let argument = self.memory(offset.saturating_add(4), 32);
            tracker.cheat(self.memory(offset, 4), argument, &input);
        }
        let frame = tracker.frame(depth);
        frame.pending = Some(PendingFrame {
            input,
            value,
            result: (result, result_length),
            writes,
            ..PendingFrame::default()
        });
        let position = self.height - self.inputs;
        frame.stack.set(position, None);
        frame.pushed = Some((position, Pushed::Input(SymbolicInput::Success(to))));
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
            op::CODECOPY => frame.memory.copy(offset, &frame.code, from, length),
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
