//! Coverage of instructions and conditional jumps, recorded for sequences that are run once more.
//!
//! Only recorded transactions have this overhead: their frames run instruction by instruction (`run`) instead
//! of in revm's loop.

mod reach;

use super::{
    cmplog::{CmpSite, CodeKey, CodeWalk, PathEnd, end},
    stepping,
};
use crate::evm::Ctx;
use crate::model::{BranchOutcome, EdgeId};
use alloy_primitives::{Bytes, U256};
use revm::{
    bytecode::opcode,
    interpreter::{
        GasTable, InstructionTable, Interpreter, InterpreterAction,
        interpreter::EthInterpreter,
        interpreter_types::{Jumps, LegacyBytecode},
    },
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeMap, mem};

/// Coverage of all deployed code; creation code is not recorded.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    codes: BTreeMap<CodeKey, CodeCoverage>,
    /// Conditional jumps at the requested edges that were just missed.
    missed: FxHashMap<EdgeId, JumpDecision>,
}

/// Coverage of one piece of code.
#[derive(Clone, Debug, Default)]
pub struct CodeCoverage {
    /// Bytecode, with the immutables of one instance.
    pub code: Bytes,
    /// True for each offset whose instruction ran.
    ran: Vec<bool>,
    /// Conditional jumps that ran, by offset: true if it ever fell through, and true if it ever jumped.
    pub jumps: BTreeMap<usize, [bool; 2]>,
}

impl CodeCoverage {
    /// Returns the coverage of code that never ran.
    #[must_use]
    pub fn never_run(code: Bytes) -> Self {
        Self { code, ..Self::default() }
    }

    /// Returns true if there is a conditional jump at an offset.
    #[must_use]
    pub fn is_conditional_jump(&self, pc: usize) -> bool {
        self.code.get(pc) == Some(&opcode::JUMPI)
    }

    /// Returns true if the instruction at an offset logs an event.
    #[must_use]
    pub fn is_event(&self, pc: usize) -> bool {
        matches!(self.code.get(pc), Some(&(opcode::LOG0..=opcode::LOG4)))
    }

    /// Returns true if there is a CALL at an offset.
    #[must_use]
    pub fn is_call(&self, pc: usize) -> bool {
        self.code.get(pc) == Some(&opcode::CALL)
    }

    /// Returns true if a basic block begins or ends at an offset.
    #[must_use]
    pub fn is_block_boundary(&self, pc: usize) -> bool {
        const BOUNDARIES: [u8; 8] = [
            opcode::JUMPI,
            opcode::JUMP,
            opcode::JUMPDEST,
            opcode::STOP,
            opcode::RETURN,
            opcode::REVERT,
            opcode::INVALID,
            opcode::SELFDESTRUCT,
        ];
        self.code.get(pc).is_some_and(|instruction| BOUNDARIES.contains(instruction))
    }

    /// Returns true if the instruction at an offset ran.
    #[must_use]
    pub fn ran(&self, pc: usize) -> bool {
        self.ran.get(pc).copied().unwrap_or_default()
    }
}

/// Conditional jump that took one direction and just missed the other.
#[derive(Clone, Debug)]
pub struct JumpDecision {
    /// Key of its code.
    pub code: CodeKey,
    /// Offset of the jump.
    pub pc: usize,
    /// Offset to which the missed direction leads.
    pub leads: usize,
    /// Stack after the jump.
    stack: Vec<U256>,
}

impl CodeCoverage {
    /// Returns the targets of both directions of a conditional jump: the next instruction, and the constant
    /// pushed before it.
    fn targets(&self, pc: usize) -> [Option<usize>; 2] {
        [Some(pc + 1), pushed_before(&self.code, pc)]
    }

    /// Returns, for both directions of a conditional jump, the first instruction that satisfies `is_it`. The
    /// search ends at the next decision or jump to an unknown place.
    #[must_use]
    pub fn first_on(&self, pc: usize, is_it: &dyn Fn(usize) -> bool) -> [Option<usize>; 2] {
        self.targets(pc).map(|target| {
            let mut walk = CodeWalk::new(&self.code, target?, Vec::new());
            for _ in 0..LOOKED_AT {
                if is_it(walk.pc()) {
                    return Some(walk.pc());
                }
                walk.step().is_none().then_some(())?;
            }
            None
        })
    }

    /// Tells, for both directions of a conditional jump, whether it leads to a revert or a failed assertion.
    #[must_use]
    pub fn fails(&self, pc: usize) -> [bool; 2] {
        self.ends_in(pc, |end| end.branch_outcome() != BranchOutcome::On)
    }

    /// Tells, for both directions, whether it leads to a revert that is no panic, as a failed `require` does.
    #[must_use]
    pub fn reverts(&self, pc: usize) -> [bool; 2] {
        self.ends_in(pc, |end| matches!(end, PathEnd::Revert | PathEnd::EmptyRevert))
    }

    /// Tells, for both directions, whether it leads to a failed `assert`.
    #[must_use]
    pub fn fails_assertion(&self, pc: usize) -> [bool; 2] {
        self.ends_in(pc, |end| end.branch_outcome() == BranchOutcome::Assert)
    }

    fn ends_in(&self, pc: usize, is_it: impl Fn(PathEnd) -> bool) -> [bool; 2] {
        self.targets(pc).map(|target| target.is_some_and(|target| is_it(end(&self.code, target, &[]))))
    }
}

/// Maximum number of instructions searched by `first_on`.
const LOOKED_AT: usize = 64;

/// Returns the constant pushed by the instruction before `pc`, if that is a PUSH of a code offset.
pub(crate) fn pushed_before(code: &[u8], pc: usize) -> Option<usize> {
    [2, 3, 1].into_iter().find_map(|size: usize| {
        let data = code.get(pc.checked_sub(size)?..pc)?;
        let push = *code.get(pc.checked_sub(size + 1)?)?;
        let value = data.iter().fold(0, |value, byte| value << 8 | usize::from(*byte));
        (usize::from(push) == usize::from(opcode::PUSH0) + size).then_some(value)
    })
}

impl Coverage {
    /// Merges other coverage into this.
    pub fn add(&mut self, other: &Self) {
        for (key, code) in &other.codes {
            let known = self.codes.entry(*key).or_insert_with(|| CodeCoverage {
                code: code.code.clone(),
                ran: vec![false; code.ran.len()],
                jumps: BTreeMap::new(),
            });
            known.ran.iter_mut().zip(&code.ran).for_each(|(known, ran)| *known |= ran);
            for (pc, gone) in &code.jumps {
                let known = known.jumps.entry(*pc).or_default();
                known.iter_mut().zip(gone).for_each(|(known, gone)| *known |= gone);
            }
        }
        self.missed.extend(other.missed.iter().map(|(edge, decision)| (*edge, decision.clone())));
    }

    /// Returns the coverage of all code that ran, by key.
    #[must_use]
    pub fn codes(&self) -> &BTreeMap<CodeKey, CodeCoverage> {
        &self.codes
    }

    /// Returns the number of different instructions that ran.
    #[must_use]
    pub fn instructions(&self) -> usize {
        self.codes.values().map(|code| code.ran.iter().filter(|ran| **ran).count()).sum()
    }

    /// Returns the conditional jump of a requested edge, if a recorded transaction just missed that edge.
    #[must_use]
    pub fn missed(&self, edge: EdgeId) -> Option<&JumpDecision> {
        self.missed.get(&edge)
    }
}

/// Records the coverage of transactions.
#[derive(Clone, Debug, Default)]
pub(crate) struct CoverageRecorder {
    pub(crate) coverage: Coverage,
    /// Edges whose conditional jumps are to be located.
    pub(crate) wanted: FxHashSet<EdgeId>,
}

impl CoverageRecorder {
    fn jump(&mut self, code: &mut CodeCoverage, place: CmpSite, stack: &[U256]) {
        let [rest @ .., condition, target] = stack else { return };
        let taken = !condition.is_zero();
        code.jumps.entry(place.pc).or_default()[usize::from(taken)] = true;
        if self.coverage.missed.len() == self.wanted.len() {
            return;
        }
        for edge in place.edges_decided() {
            if self.wanted.contains(&edge) && !self.coverage.missed.contains_key(&edge) {
                let leads = if taken { place.pc + 1 } else { target.saturating_to() };
                let decision = JumpDecision { code: place.code, pc: place.pc, leads, stack: rest.to_vec() };
                self.coverage.missed.insert(edge, decision);
            }
        }
    }
}

/// Runs a frame until it calls or ends, and records each instruction.
pub(crate) fn run(
    interpreter: &mut Interpreter<EthInterpreter>,
    table: &InstructionTable<EthInterpreter, Ctx>,
    gas: &GasTable,
    host: &mut Ctx,
) -> InterpreterAction {
    let depth = host.journaled_state.depth;
    let is_deployed = interpreter.bytecode.hash().is_some();
    let Some(mut recorder) = host.chain.coverage.take_if(|_| is_deployed) else {
        return interpreter.run_plain(table, gas, host);
    };
    let frame = host.chain.path.frame(depth);
    let mut code = mem::take(recorder.coverage.codes.entry(frame.code).or_default());
    if code.ran.is_empty() {
        code.code = Bytes::copy_from_slice(interpreter.bytecode.bytecode_slice());
        code.ran = vec![false; code.code.len()];
    }
    let action = stepping::run(interpreter, table, gas, host, |interpreter, _| {
        let pc = interpreter.bytecode.pc();
        if let Some(ran) = code.ran.get_mut(pc) {
            *ran = true;
        }
        if interpreter.bytecode.opcode() == opcode::JUMPI {
            recorder.jump(&mut code, frame.at(pc), interpreter.stack.data());
        }
        None
    });
    recorder.coverage.codes.insert(frame.code, code);
    host.chain.coverage = Some(recorder);
    action
}
