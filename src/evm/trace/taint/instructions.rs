//! Effect of instructions on the taint of their operands.

use super::{
    MOST, SeenDecision, StoredWord, TaintTracker, WrappedResult, calls,
    frame::FrameTaint,
    holders, lengths,
    word::{LEAST_PERIOD_S, Taint, slot_hash},
    wraps::{self, Arithmetic, TaintedWord},
};
use crate::{
    evm::{base::place::CodePlace, trace::shadow_stack::index},
    model::Origins,
};
use alloy_primitives::{Address, U256};
use revm::{
    bytecode::opcode::{self as op, OPCODE_INFO},
    interpreter::{
        Interpreter,
        interpreter::EthInterpreter,
        interpreter_types::{Jumps, LegacyBytecode},
    },
};

/// Propagates taint through the instruction that is about to run in the frame at this depth.
pub(super) fn before(tracker: &mut TaintTracker, depth: usize, interpreter: &Interpreter<EthInterpreter>) {
    let instruction = interpreter.bytecode.opcode();
    let stack = interpreter.stack.data();
    if tracker.frame(depth).stack.moves(instruction, stack.len()) {
        return;
    }
    let Some(info) = OPCODE_INFO[usize::from(instruction)] else { return };
    let (inputs, height) = (usize::from(info.inputs()), stack.len());
    if height < inputs {
        return;
    }
    let step = Operation { instruction, stack, height, interpreter };
    match instruction {
        op::CALL | op::CALLCODE | op::DELEGATECALL | op::STATICCALL => {
            let from = interpreter.input.target_address;
            calls::begin(tracker, depth, instruction, step.place(), from, stack);
        }
        op::CREATE | op::CREATE2 => calls::begin_creation(tracker, depth, inputs, stack),
        op::JUMPI => step.decide(tracker, depth),
        op::JUMP => step.jump(tracker, depth),
        op::SSTORE => step.store(tracker, depth),
        op::RETURN | op::REVERT => step.end(tracker, depth),
        op::SELFDESTRUCT => {
            let destroyed = (step.place(), interpreter.input.target_address);
            tracker.facts.destroyed.push(destroyed);
        }
        op::LOG0..=op::LOG4 => {
            let frame = tracker.frame(depth);
            let topics = step.all(frame, inputs);
            let data = frame.memory.range(step.index(0), step.index(1));
            tracker.checked((topics | data).calls);
        }
        op::MSTORE
        | op::MSTORE8
        | op::MCOPY
        | op::CALLDATACOPY
        | op::RETURNDATACOPY
        | op::CODECOPY
        | op::EXTCODECOPY => step.write(tracker.frame(depth)),
        _ => {
            let taint = step.result(tracker, depth, inputs);
            if info.outputs() > 0 {
                tracker.frame(depth).stack.set(height - inputs, taint);
            }
        }
    }
}

/// Instruction with its operands.
struct Operation<'a> {
    instruction: u8,
    stack: &'a [U256],
    height: usize,
    interpreter: &'a Interpreter<EthInterpreter>,
}

impl Operation<'_> {
    #[inline]
    fn word(&self, operand: usize) -> U256 {
        self.height.checked_sub(operand + 1).map_or(U256::ZERO, |place| self.stack[place])
    }

    fn index(&self, operand: usize) -> usize {
        index(self.word(operand))
    }

    #[inline]
    fn taint(&self, frame: &FrameTaint, operand: usize) -> Taint {
        self.height.checked_sub(operand + 1).map_or(Taint::NONE, |place| frame.stack.at(place))
    }

    #[inline]
    fn operand(&self, frame: &FrameTaint, operand: usize) -> TaintedWord {
        TaintedWord { word: self.word(operand), taint: self.taint(frame, operand) }
    }

    /// Returns the combined taint of all operands.
    fn all(&self, frame: &FrameTaint, inputs: usize) -> Taint {
        (0..inputs).fold(Taint::NONE, |all, operand| all | self.taint(frame, operand))
    }

    fn place(&self) -> CodePlace {
        let input = &self.interpreter.input;
        CodePlace {
            code: self.interpreter.bytecode.hash().unwrap_or_default(),
            address: input.bytecode_address.unwrap_or(input.target_address),
            pc: self.interpreter.bytecode.pc(),
        }
    }

    /// Returns the taint of the instruction's result.
    fn result(&self, tracker: &mut TaintTracker, depth: usize, inputs: usize) -> Taint {
        let frame = tracker.frame(depth);
        let all = self.all(frame, inputs);
        let data = |origins| Taint::of(origins).with(Taint::DATA);
        match self.instruction {
            op::TIMESTAMP | op::NUMBER | op::BLOCKHASH | op::DIFFICULTY | op::COINBASE | op::GASLIMIT => {
                Taint { source: tracker.source(self.place()), ..data(self.block()) }
            }
            op::ORIGIN => data(Origins::ORIGIN),
            op::CALLER => data(self.caller(tracker)),
            op::CALLDATALOAD => frame.calldata.range(self.index(0), 32).with(Taint::DATA),
            op::MLOAD => frame.memory.range(self.index(0), 32),
            op::KECCAK256 => {
                frame.memory.range(self.index(0), self.index(1)).scrambled().with(Taint::HASH | Taint::DATA)
            }
            op::SLOAD => {
                let slot = (self.interpreter.input.target_address, self.word(0));
                let place = self.taint(tracker.frame(depth), 0);
                lengths::loaded(tracker, slot, place, || self.place());
                let index = Taint { source: place.source, ..Taint::of(place.origins.of_place()) };
                let stored = tracker.storage.words.get(&slot).map_or(Taint::NONE, |stored| stored.taint);
                Taint { slot: slot_hash(slot), ..(stored | index).with(Taint::DATA) }
            }
            op::ADD | op::SUB | op::MUL => self.compute(tracker, depth),
            op::AND => self.mask(tracker, depth),
            op::LT | op::GT | op::SLT | op::SGT => self.compare(tracker, depth),
            // What is signed has not wrapped as an unsigned number.
            op::SIGNEXTEND | op::SDIV | op::SAR => Taint { wraps: 0, ..all.with(Taint::SIGNED).used() },
            op::MOD | op::SMOD if !self.is_cast() => all.scrambled().used().drawn(),
            op::MULMOD | op::ADDMOD => all.scrambled().with(Taint::MODULAR),
            op::SHR | op::DIV if self.is_field(frame) => all,
            op::DIV if self.taint(frame, 1) == Taint::NONE && self.word(1) >= LEAST_PERIOD_S => {
                all.scrambled().used().of_period()
            }
            op::DIV if self.is_factor(frame) => all.scrambled().used().with(Taint::FACTOR),
            op::EQ => self.equal(tracker, depth),
            op::DIV | op::MOD | op::SMOD | op::SHR | op::BYTE => all.drawn_if_hash().scrambled().used(),
            op::XOR | op::NOT | op::EXP => all.scrambled().used(),
            op::CALLVALUE => data(Origins::INPUT).with(Taint::WEI),
            op::RETURNDATASIZE | op::BALANCE | op::SELFBALANCE | op::GAS => data(Origins::NONE),
            _ => all.used(),
        }
    }

    /// Returns the origins of an instruction that reads data of the block.
    fn block(&self) -> Origins {
        match self.instruction {
            op::TIMESTAMP => Origins::TIME,
            op::BLOCKHASH | op::DIFFICULTY => Origins::BLOCK.drawn(),
            _ => Origins::BLOCK,
        }
    }

    /// Tells whether a remainder only casts a word to a smaller type.
    fn is_cast(&self) -> bool {
        let modulus = self.word(1);
        modulus.is_power_of_two() && modulus.bit_len() > 32
    }

    /// Returns the origins of CALLER, which distinguish the transaction's sender from other callers.
    fn caller(&self, tracker: &TaintTracker) -> Origins {
        match self.interpreter.input.caller_address == tracker.sender {
            true => Origins::CALLER | Origins::ANY_CALLER,
            false => Origins::ANY_CALLER,
        }
    }

    /// Returns true if the instruction shifts a field of a packed storage word into place.
    fn is_field(&self, frame: &FrameTaint) -> bool {
        match self.instruction {
            op::SHR => self.taint(frame, 1).is_loaded() && (self.word(0) & U256::from(7)).is_zero(),
            _ => self.taint(frame, 0).is_loaded() && self.word(1).is_power_of_two(),
        }
    }

    /// Returns true if the instruction divides a product by one of its factors, as a check for wraps does.
    fn is_factor(&self, frame: &FrameTaint) -> bool {
        frame.made_from(self.word(0)).is_some_and(|made| made.operands.contains(&self.word(1)))
    }

    fn compute(&self, tracker: &mut TaintTracker, depth: usize) -> Taint {
        let frame = tracker.frame(depth);
        let (left, right) = (self.operand(frame, 0), self.operand(frame, 1));
        let (result, wrapped) = wraps::compute(self.instruction, left, right);
        let operands = [left.word, right.word];
        let counts = wraps::counts(left.taint, right.taint);
        let grown = wraps::grown_slot(left, right);
        frame.computed(Arithmetic { operands, result, counts, grown });
        let mut taint = (left.taint.rounding(right.taint) | right.taint.rounding(left.taint)).used();
        if self.instruction == op::ADD {
            taint.grown = match [left, right] {
                [loaded, one] | [one, loaded] if one.word == U256::ONE && one.taint == Taint::NONE => {
                    loaded.taint.slot
                }
                _ => 0,
            };
        }
        if wrapped && counts {
            let is_difference = self.instruction == op::SUB;
            let wrap =
                WrappedResult { place: self.place(), operands, is_difference, grown, by: tracker.sender };
            taint.wraps |= tracker.note_wrap(wrap);
        }
        taint
    }

    /// Returns the taint of AND, where a mask may cut off the excess bits of a result.
    fn mask(&self, tracker: &mut TaintTracker, depth: usize) -> Taint {
        let frame = tracker.frame(depth);
        let (left, right) = (self.operand(frame, 0), self.operand(frame, 1));
        let (mask, masked) = if right.taint == Taint::NONE { (right, left) } else { (left, right) };
        let is_mask =
            mask.taint == Taint::NONE && (mask.word & (mask.word.wrapping_add(U256::ONE))).is_zero();
        if !is_mask {
            return (left.taint | right.taint).drawn_if_hash().scrambled().used();
        }
        let cut = frame.made_from(masked.word).filter(|made| wraps::is_cut(made, mask.word)).copied();
        // An address is no part of a hash: the hash of a proxy's creation is one.
        let is_part = mask.word.bit_len() < Address::len_bytes() * 8;
        let mut taint = if is_part { masked.taint.drawn_if_hash() } else { masked.taint };
        if let Some(Arithmetic { operands, grown, .. }) = cut {
            let wrap = WrappedResult {
                place: self.place(),
                operands,
                is_difference: false,
                grown,
                by: tracker.sender,
            };
            taint.wraps |= tracker.note_wrap(wrap);
        }
        taint
    }

    /// Returns the taint of a comparison by size. An operand that wrapped indicates an overflow check.
    fn compare(&self, tracker: &mut TaintTracker, depth: usize) -> Taint {
        let frame = tracker.frame(depth);
        let sides = [self.operand(frame, 0), self.operand(frame, 1)];
        let both = sides[0].taint | sides[1].taint;
        // Two places derived from hashes are compared to loop over an array.
        let are_places = sides.iter().all(|side| side.taint.is(Taint::HASH));
        let drawn = |side: TaintedWord| if are_places { side.taint } else { side.taint.drawn_if_hash() };
        let mut taint = drawn(sides[0]) | drawn(sides[1]);
        taint = taint.used().scrambled();
        // A signed comparison detects unsigned wraparound only if the operand was meant to be signed.
        let is_signed = matches!(self.instruction, op::SLT | op::SGT);
        if both.wraps == 0 || is_signed && !both.is(Taint::SIGNED) {
            return taint;
        }
        for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            if other.taint.is(Taint::MODULAR) || other.taint == Taint::NONE && other.word.is_zero() {
                continue;
            }
            let is_meant = |number: usize| {
                let wrap = tracker.wraps.get(number);
                side.taint.wraps & (1 << number) != 0
                    && wrap.is_some_and(|wrap| !wrap.operands.contains(&other.word))
            };
            let meant = (0..super::KEPT).filter(|number| is_meant(*number));
            taint.compared |= meant.fold(0, |all, number| all | 1 << number);
        }
        taint
    }

    /// Returns the taint of a comparison for equality. An operand that wrapped is taken for a quantity if it
    /// equals a number that is neither a constant nor a hash.
    fn equal(&self, tracker: &mut TaintTracker, depth: usize) -> Taint {
        let frame = tracker.frame(depth);
        let sides = [self.operand(frame, 0), self.operand(frame, 1)];
        let both = sides[0].taint | sides[1].taint;
        let is_quantity = |side: TaintedWord| side.taint.is(Taint::DATA) && !side.taint.is(Taint::HASH);
        let is_meant = sides[0].word == sides[1].word && sides.into_iter().all(is_quantity);
        let compared = if is_meant { sides[0].taint.wraps ^ sides[1].taint.wraps } else { 0 };
        // To match the block's data exactly is a draw, unless both are such data, as where a call must not be the
        // second one in its block, or nothing is stored yet, a product is checked for a wrap, or a price that follows
        // the time is paid.
        let block = Origins::TIME | Origins::BLOCK | Origins::PAST_TIME | Origins::PAST_BLOCK;
        let draws = |side: TaintedWord, other: TaintedWord| {
            side.taint.origins.has(block)
                && !side.taint.is_loaded()
                && !side.taint.is(Taint::FACTOR)
                && !other.taint.is(Taint::WEI)
                && !other.taint.origins.has(block)
                && !other.word.is_zero()
        };
        holders::compared(tracker, sides);
        let is_draw = draws(sides[0], sides[1]) || draws(sides[1], sides[0]);
        let taint = if is_draw { both.drawn() } else { both }.used().scrambled();
        Taint { compared: taint.compared | compared, ..taint }
    }

    fn decide(&self, tracker: &mut TaintTracker, depth: usize) {
        let (place, failed) = (self.place(), tracker.failed);
        let frame = tracker.frame(depth);
        let condition = self.taint(frame, 1);
        frame.decided_at = Some(place.clone());
        frame.decided_by = condition.origins;
        frame.by_failures = condition.calls & failed;
        tracker.checked(condition.calls);
        tracker.used(condition.compared);
        // What is stored for a caller under a key is his, and no race for one place.
        let is_keyed = condition.origins.has(Origins::KEYED);
        let origins =
            if is_keyed { condition.origins.without(Origins::PAST_CALLER) } else { condition.origins };
        tracker.decided |= Taint { origins, source: condition.source, ..Taint::NONE };
        let block = Origins::TIME | Origins::BLOCK | Origins::ORIGIN;
        if !condition.origins.has(block) || tracker.facts.decisions.len() >= MOST {
            return;
        }
        if tracker.facts.decisions.iter().any(|known| known.place == place) {
            return;
        }
        tracker.facts.decisions.push(SeenDecision { place, origins: condition.origins });
    }

    /// Records a jump to a place that is no JUMPDEST if its target depends on the input. The compiler never
    /// makes such jumps, and whoever chose the target may choose another.
    fn jump(&self, tracker: &mut TaintTracker, depth: usize) {
        let target = self.index(0);
        if self.interpreter.bytecode.bytecode_slice().get(target) == Some(&op::JUMPDEST) {
            return;
        }
        let taint = self.taint(tracker.frame(depth), 0);
        if taint.origins.has(Origins::INPUT | Origins::PAST_INPUT) && tracker.facts.wild_jumps.len() < MOST {
            let place = self.place();
            tracker.facts.wild_jumps.push(place);
        }
    }

    fn store(&self, tracker: &mut TaintTracker, depth: usize) {
        let account = self.interpreter.input.target_address;
        let slot = (account, self.word(0));
        let frame = tracker.frame(depth);
        let [place, taint] = [0, 1].map(|operand| self.taint(frame, operand));
        tracker.checked(taint.calls);
        tracker.stored(taint.wraps, slot_hash(slot));
        tracker.follow_calls(account);
        let holder = holders::written(tracker, slot, self.word(1), (place, taint), || self.place());
        let counted_by = lengths::counted(tracker, slot, self.word(1), (place, taint));
        // What is written after a decision by a drawn number depends on that number.
        let origins = tracker.decided.origins.only(Origins::DRAWN);
        let source = if origins == Origins::NONE { 0 } else { tracker.decided.source };
        let drawn = Taint { origins, source, ..Taint::NONE };
        let taint = Taint { calls: 0, compared: 0, ..taint.used() } | drawn;
        let word = StoredWord { taint, holder, counted_by };
        let before = tracker.storage.words.insert(slot, word).unwrap_or_default();
        tracker.writes.push((slot, before));
    }

    fn write(&self, frame: &mut FrameTaint) {
        let (offset, from, length) = (self.index(0), self.index(1), self.index(2));
        match self.instruction {
            op::MSTORE => frame.memory.write(offset, 32, self.taint(frame, 1)),
            op::MSTORE8 => frame.memory.write(offset, 1, self.taint(frame, 1)),
            op::MCOPY => {
                let part = frame.memory.part(from, length);
                frame.memory.copy(offset, &part, 0, length);
            }
            op::CALLDATACOPY => {
                let calldata = std::mem::take(&mut frame.calldata);
                frame.memory.copy(offset, &calldata, from, length);
                frame.calldata = calldata;
            }
            op::RETURNDATACOPY => {
                let returned = std::mem::take(&mut frame.returned);
                frame.memory.copy(offset, &returned, from, length);
                frame.returned = returned;
            }
            // The arguments of a constructor follow its code.
            op::CODECOPY => frame.memory.write(offset, length, Taint::NONE.with(Taint::DATA)),
            op::EXTCODECOPY => frame.memory.write(from, self.index(3), Taint::NONE),
            _ => frame.memory.write(offset, length, Taint::NONE),
        }
    }

    fn end(&self, tracker: &mut TaintTracker, depth: usize) {
        let (offset, length) = (self.index(0), self.index(1));
        let frame = tracker.frame(depth);
        frame.result = frame.memory.part(offset, length);
        frame.is_refusal = self.instruction == op::REVERT && calls::is_of_token(self.interpreter);
        if self.instruction == op::RETURN {
            let calls = frame.memory.range(offset, length).calls;
            tracker.checked(calls);
        }
    }
}
