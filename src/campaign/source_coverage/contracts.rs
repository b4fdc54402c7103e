//! Coverage of a contract by its instructions.

use super::KnownCode;
use crate::{
    model::{ContractCoverage, merge_outcomes},
    project::Statements,
};

/// Returns the coverage of runtime code, without its data.
pub(super) fn coverage(all: &Statements, known: &KnownCode<'_>) -> ContractCoverage {
    let KnownCode { code, map, jumps, .. } = known;
    let mut covered = ContractCoverage::default();
    for pc in map.offsets() {
        let ran = code.ran(pc);
        covered.instructions.push(ran);
        covered.events.extend(code.is_event(pc).then_some(ran));
        covered.calls.extend(code.is_call(pc).then_some(ran));
    }
    for (pc, jump) in jumps {
        let file = all.file(jump.decision);
        let place = (file.path.clone(), file.extent(&all.decision(jump.decision).shown));
        merge_outcomes(covered.branches.entry(place).or_default(), jump.outcomes(*pc, code));
    }
    covered
}
