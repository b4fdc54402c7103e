//! Coverage of a contract by its instructions.

use super::branches::DecisionJump;
use crate::{
    evm::trace::coverage::CodeCoverage,
    model::ContractCoverage,
    project::{StatementMap, Statements},
};
use revm::bytecode::opcode;

/// Returns the coverage of one piece of runtime code, without its data.
pub(super) fn coverage(
    all: &Statements,
    code: &CodeCoverage,
    map: &StatementMap,
    jumps: &[DecisionJump],
) -> ContractCoverage {
    let mut covered = ContractCoverage::default();
    for pc in map.offsets() {
        let ran = code.ran(pc);
        covered.instructions.push(ran);
        match code.code.get(pc) {
            Some(&(opcode::LOG0..=opcode::LOG4)) => covered.events.push(ran),
            Some(&opcode::CALL) => covered.calls.push(ran),
            _ => {}
        }
    }
    for jump in jumps {
        let file = all.file(jump.decision);
        let place = (file.path.clone(), file.extent(&all.decided(jump.decision).shown));
        let was = covered.branches.entry(place).or_default();
        let outcomes = super::outcomes(all, code, map, jump);
        was.iter_mut().zip(outcomes).for_each(|(was, is)| *was |= is);
    }
    covered
}
