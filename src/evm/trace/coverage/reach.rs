//! Code behind an edge that was just missed.

use super::{CodeCoverage, JumpDecision};
use crate::{
    evm::trace::cmplog::{CodeWalk, Word},
    model::BranchOutcome,
};
use alloy_primitives::U256;
use revm::bytecode::opcode;
use rustc_hash::{FxHashSet, FxHasher};
use std::{
    collections::BTreeSet,
    hash::{Hash, Hasher},
};

/// Maximum number of instructions walked over.
const LONGEST: usize = 1 << 15;

/// Code behind an edge.
#[derive(Debug, Default)]
pub struct CodeBehind {
    /// Offsets of the instructions that never ran.
    pub instructions: BTreeSet<usize>,
    /// True if all of it ends in a revert or a failed assertion.
    pub always_fails: bool,
}

impl CodeCoverage {
    /// Returns the instructions that never ran and that are reachable in the missed direction of a
    /// conditional jump. Jump targets come from the recorded stack, which holds the return addresses. At
    /// conditional jumps that ran before, only the directions taken are followed.
    #[must_use]
    pub fn behind(&self, decision: &JumpDecision) -> CodeBehind {
        let start = decision.stack.iter().copied().map(Some).collect();
        let mut open = vec![CodeWalk::new(&self.code, decision.leads, start)];
        let (mut behind, mut ends) = (CodeBehind::default(), Vec::new());
        let mut seen = FxHashSet::default();
        let mut steps = 0;
        while let Some(mut walk) = open.pop() {
            while steps < LONGEST && walk.pc() < self.code.len() {
                let pc = walk.pc();
                let instruction = self.code[pc];
                if instruction == opcode::JUMPDEST && !seen.insert((pc, self.callers(walk.stack()))) {
                    break;
                }
                steps += 1;
                if !self.ran(pc) {
                    behind.instructions.insert(pc);
                }
                if instruction != opcode::JUMPI {
                    if let Some(end) = walk.step() {
                        ends.push(end.branch_outcome());
                        break;
                    }
                    continue;
                }
                let ways = self.jumps.get(&pc).copied().unwrap_or([true; 2]);
                let target = walk.jumpi();
                if let Some(target) = target.filter(|_| ways[1]) {
                    open.push(walk.clone().at(target));
                }
                if !ways[0] {
                    break;
                }
            }
        }
        behind.always_fails = !ends.is_empty() && !ends.contains(&BranchOutcome::On) && steps < LONGEST;
        behind
    }

    /// Returns a hash of the possible return addresses on a stack.
    fn callers(&self, stack: &[Word]) -> u64 {
        let mut hasher = FxHasher::default();
        let is_place =
            |word: &U256| usize::try_from(*word).is_ok_and(|pc| self.code.get(pc) == Some(&opcode::JUMPDEST));
        stack.iter().flatten().filter(|word| is_place(word)).for_each(|word| word.hash(&mut hasher));
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(code: &str, ran: &[usize], jumps: &[(usize, [bool; 2])]) -> CodeCoverage {
        let code: alloy_primitives::Bytes =
            alloy_primitives::hex::decode(code.replace(' ', "")).unwrap().into();
        let ran = (0..code.len()).map(|pc| ran.contains(&pc)).collect();
        CodeCoverage { code, ran, jumps: jumps.iter().copied().collect() }
    }

    fn decision(pc: usize, leads: usize, stack: &[u64]) -> JumpDecision {
        JumpDecision { code: 0, pc, leads, stack: stack.iter().map(|word| U256::from(*word)).collect() }
    }

    #[test]
    fn what_is_behind_a_guard_in_a_helper_is_the_rest_of_its_caller() {
        // 0: PUSH 8, PUSH 5, JUMP | 5: JUMPDEST, JUMPI (the jump at 6, which led to a revert), JUMP | 8:
        // JUMPDEST, CALLER, STOP
        let code = covered("6008 6005 56 5b 57 56 5b 33 00", &[0, 2, 4, 5, 6], &[(6, [false, true])]);
        assert_eq!(code.behind(&decision(6, 7, &[8])).instructions, [7, 8, 9, 10].into());
    }

    #[test]
    fn ways_that_decisions_behind_it_never_went_are_not_its_own() {
        // The missed direction leads to a jump at 4 that ran before, and never went on to 5.
        let code = covered("5b 33 6007 57 33 00 5b 00", &[2, 4, 7, 8], &[(4, [false, true])]);
        assert_eq!(code.behind(&decision(9, 0, &[])).instructions, [0, 1].into());
        // A jump that never ran may take either direction.
        let code = covered("5b 33 6007 57 33 00 5b 00", &[], &[]);
        assert_eq!(code.behind(&decision(9, 0, &[])).instructions, [0, 1, 2, 4, 5, 6, 7, 8].into());
    }

    #[test]
    fn a_loop_ends_the_walk() {
        let code = covered("5b 5f 56", &[], &[]);
        assert_eq!(code.behind(&decision(9, 0, &[])).instructions, [0, 1, 2].into());
    }

    #[test]
    fn code_that_can_only_fail_is_told_from_code_that_may_go_on() {
        // 0: JUMPDEST, CALLER, PUSH 8, JUMPI | 5: PUSH 0, DUP, REVERT | 8: JUMPDEST, then another end
        let both = |end: &str| format!("5b 33 6008 57 5f 80 fd 5b {end}");
        for (end, always_fails) in [("5f 5f fd", true), ("fe", true), ("00", false), ("5f 56", true)] {
            let code = covered(&both(end), &[], &[]);
            assert_eq!(code.behind(&decision(9, 0, &[])).always_fails, always_fails, "{end}");
        }
        assert!(!covered("5b 5f 56", &[], &[]).behind(&decision(9, 0, &[])).always_fails);
    }
}
