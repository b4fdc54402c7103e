//! Outcome of a branch edge: a static walk over the code along known jumps, up to the next decision.

use crate::{evm::base::constants::PANIC_SIZE, model::branch::BranchOutcome};
use alloy_primitives::{U256, hex};
use revm::bytecode::opcode as op;
use rustc_hash::FxHashMap;

/// Maximum number of instructions in a walk.
const LONGEST: usize = 1024;

/// Selector of `Panic(uint256)`.
const PANIC: [u8; 4] = hex!("4e487b71");

/// End of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathEnd {
    /// Another decision, success, or an unknown target.
    On,
    /// Revert with data.
    Revert,
    /// Revert without data.
    EmptyRevert,
    /// Panic with this code.
    Panic(u8),
    /// INVALID instruction.
    Invalid,
}

impl PathEnd {
    pub(crate) fn branch_outcome(self) -> BranchOutcome {
        match self {
            Self::On => BranchOutcome::On,
            Self::Revert | Self::EmptyRevert => BranchOutcome::Revert,
            Self::Panic(1) | Self::Invalid => BranchOutcome::Assert,
            Self::Panic(_) => BranchOutcome::Revert,
        }
    }
}

/// Returns how execution of `code` ends if it continues at `pc`. Only zeros on the stack are taken as known,
/// since the optimizer keeps one there for common use.
pub(crate) fn end(code: &[u8], pc: usize, stack: &[U256]) -> PathEnd {
    let zero = |word: &U256| word.is_zero().then_some(U256::ZERO);
    CodeWalk::new(code, pc, stack.iter().map(zero).collect()).run()
}

/// Word of the walk; `None` if it depends on more than the code.
pub(crate) type Word = Option<U256>;

/// Abstract execution of code, in which some words are known.
#[derive(Clone)]
pub(crate) struct CodeWalk<'a> {
    code: &'a [u8],
    pc: usize,
    /// Upper part of the stack; all words below are unknown.
    stack: Vec<Word>,
    /// Words written to memory at known offsets.
    memory: FxHashMap<U256, Word>,
}

impl<'a> CodeWalk<'a> {
    /// Creates a walk that begins at `pc` with these words on the stack, the topmost last.
    pub(crate) fn new(code: &'a [u8], pc: usize, stack: Vec<Word>) -> Self {
        Self { code, pc, stack, memory: FxHashMap::default() }
    }

    /// Continues at another place.
    pub(crate) fn at(self, pc: usize) -> Self {
        Self { pc, ..self }
    }

    /// Returns the offset of the next instruction.
    pub(crate) fn pc(&self) -> usize {
        self.pc
    }

    pub(crate) fn stack(&self) -> &[Word] {
        &self.stack
    }

    /// Continues after a JUMPI as if it did not jump. Returns the jump target, if it is known.
    pub(crate) fn jumpi(&mut self) -> Option<usize> {
        let target = self.pop().and_then(|target| usize::try_from(target).ok());
        self.pop();
        self.pc += 1;
        target
    }

    fn run(mut self) -> PathEnd {
        for _ in 0..LONGEST {
            if let Some(end) = self.step() {
                return end;
            }
        }
        PathEnd::On
    }

    fn pop(&mut self) -> Word {
        self.stack.pop().flatten()
    }

    /// Executes one instruction and returns the end of the walk, if it ends there. Decisions end it, too.
    pub(crate) fn step(&mut self) -> Option<PathEnd> {
        // Code ends with STOP.
        let code = self.code.get(self.pc).copied().unwrap_or(op::STOP);
        self.pc += 1;
        match code {
            op::JUMPI | op::STOP | op::RETURN | op::SELFDESTRUCT => return Some(PathEnd::On),
            op::JUMP => {
                let target = self.pop().and_then(|target| usize::try_from(target).ok());
                match target.filter(|target| self.code.get(*target) == Some(&op::JUMPDEST)) {
                    Some(target) => self.pc = target,
                    None => return Some(PathEnd::On),
                }
            }
            op::REVERT => return Some(self.reverted()),
            op::INVALID => return Some(PathEnd::Invalid),
            op::MSTORE => {
                let (offset, word) = (self.pop(), self.pop());
                if let Some(offset) = offset {
                    self.memory.insert(offset, word);
                }
            }
            op::MLOAD => {
                let offset = self.pop();
                let word = offset.and_then(|offset| self.memory.get(&offset).copied()).flatten();
                self.stack.push(word);
            }
            op::PUSH0..=op::PUSH32 => {
                let length = usize::from(code - op::PUSH0);
                let data = self.code.get(self.pc..self.pc + length);
                self.stack.push(data.map(U256::from_be_slice));
                self.pc += length;
            }
            op::DUP1..=op::DUP16 => {
                let depth = usize::from(code - op::DUP1) + 1;
                let word = self.stack.len().checked_sub(depth).and_then(|place| self.stack[place]);
                self.stack.push(word);
            }
            op::SWAP1..=op::SWAP16 => self.swap(usize::from(code - op::SWAP1) + 1),
            _ => return self.other(code),
        }
        None
    }

    fn swap(&mut self, depth: usize) {
        while self.stack.len() <= depth {
            self.stack.insert(0, None);
        }
        let top = self.stack.len() - 1;
        self.stack.swap(top, top - depth);
    }

    /// Executes an instruction that only affects the stack. Its result is known if it follows from constants.
    fn other(&mut self, code: u8) -> Option<PathEnd> {
        // Undefined opcodes halt.
        let Some(info) = op::OPCODE_INFO[usize::from(code)] else { return Some(PathEnd::EmptyRevert) };
        let inputs = (0..info.inputs()).map(|_| self.pop()).collect::<Vec<_>>();
        let result = match *inputs.as_slice() {
            [Some(a), Some(b)] => binary(code, a, b),
            [Some(a)] => unary(code, a),
            _ => None,
        };
        self.stack.extend((0..info.outputs()).map(|_| result));
        None
    }

    fn reverted(&mut self) -> PathEnd {
        let (offset, size) = (self.pop(), self.pop());
        match (offset, size) {
            (_, Some(U256::ZERO)) => PathEnd::EmptyRevert,
            (Some(offset), Some(PANIC_SIZE)) => self.panicked(offset).unwrap_or(PathEnd::Revert),
            _ => PathEnd::Revert,
        }
    }

    /// Returns the panic in the memory at `offset`, which was written as two words: its selector and its
    /// code.
    fn panicked(&self, offset: U256) -> Option<PathEnd> {
        let word = |at: U256| self.memory.get(&at).copied().flatten();
        let selector = word(offset)?.to_be_bytes::<32>();
        let code = word(offset.checked_add(U256::from(4))?)?;
        (selector[..4] == PANIC).then(|| PathEnd::Panic(code.saturating_to()))
    }
}

fn unary(code: u8, a: U256) -> Word {
    match code {
        op::NOT => Some(!a),
        op::ISZERO => Some(U256::from(a.is_zero())),
        _ => None,
    }
}

fn binary(code: u8, a: U256, b: U256) -> Word {
    let shift = || usize::try_from(a).unwrap_or(256);
    match code {
        op::ADD => Some(a.wrapping_add(b)),
        op::SUB => Some(a.wrapping_sub(b)),
        op::MUL => Some(a.wrapping_mul(b)),
        op::DIV => Some(a.checked_div(b).unwrap_or_default()),
        op::EXP => Some(a.wrapping_pow(b)),
        op::AND => Some(a & b),
        op::OR => Some(a | b),
        op::XOR => Some(a ^ b),
        op::SHL => Some(b << shift()),
        op::SHR => Some(b >> shift()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch_outcome(code: &str) -> PathEnd {
        end(&alloy_primitives::hex::decode(code.replace(' ', "")).unwrap(), 0, &[])
    }

    #[test]
    fn reverts_and_failed_assertions_are_told_apart() {
        assert_eq!(branch_outcome("5f 80 fd"), PathEnd::EmptyRevert);
        assert_eq!(branch_outcome("5b fe"), PathEnd::Invalid);
        assert_eq!(branch_outcome("60 04 5f fd"), PathEnd::Revert);
        assert_eq!(branch_outcome("5f 5f f3"), PathEnd::On);
    }

    #[test]
    fn a_panic_is_known_by_its_code() {
        // mstore(0, shl(224, 0x4e487b71)); mstore(4, 1); revert(0, 36)
        let panic =
            |code: &str| branch_outcome(&format!("63 4e487b71 60e0 1b 5f 52 60{code} 6004 52 6024 5f fd"));
        assert_eq!(panic("01").branch_outcome(), BranchOutcome::Assert);
        assert_eq!(panic("11").branch_outcome(), BranchOutcome::Revert);
        assert_eq!(panic("41"), PathEnd::Panic(0x41));
    }

    #[test]
    fn jumps_are_followed_into_helpers_and_back_but_not_to_unknown_callers() {
        // PUSH 8, PUSH 5, JUMP; 5: JUMPDEST, SWAP1-free return to 8; 8: JUMPDEST, revert(0, 0)
        assert_eq!(branch_outcome("6008 6005 56 5b 56 00 5b 5f 5f fd"), PathEnd::EmptyRevert);
        assert_eq!(branch_outcome("5b 56"), PathEnd::On);
        assert_eq!(branch_outcome("5f 6004 57 5f 5f fd"), PathEnd::On);
    }

    #[test]
    fn a_zero_kept_on_the_stack_is_known() {
        // DUP1, DUP1, REVERT
        let code = [0x80, 0x80, 0xfd];
        assert_eq!(end(&code, 0, &[U256::ZERO]), PathEnd::EmptyRevert);
        assert_eq!(end(&code, 0, &[U256::ONE]), PathEnd::Revert);
    }

    #[test]
    fn an_endless_loop_ends_the_walk() {
        assert_eq!(branch_outcome("5b 5f 56"), PathEnd::On);
    }
}
