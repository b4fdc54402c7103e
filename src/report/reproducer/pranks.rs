//! Prank cheatcodes in traces.

use crate::{
    model::{Trace, TraceKind},
    report::trace::VM,
};
use alloy_primitives::keccak256;

/// Tells whether an executed call uses a prank cheatcode. Returns true if there are no traces.
#[must_use]
pub fn pranks(traces: &[(TraceKind, Trace)]) -> bool {
    let signatures = ["address", "address,address", "address,bool", "address,address,bool"]
        .into_iter()
        .flat_map(|args| [format!("prank({args})"), format!("startPrank({args})")])
        .chain(["stopPrank()".to_owned(), "readCallers()".to_owned()]);
    let selectors: Vec<_> = signatures.map(|signature| keccak256(signature)[..4].to_vec()).collect();
    let mut executed = traces.iter().filter(|(kind, _)| *kind == TraceKind::Execution).peekable();
    executed.peek().is_none()
        || executed.flat_map(|(_, trace)| &trace.frames).any(|frame| {
            frame.message.code_address == VM
                && selectors.iter().any(|selector| frame.message.input.starts_with(selector))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn pranks_are_seen_in_executed_traces_and_assumed_without_any() {
        let mut trace = samples::invariant_trace();
        let vm = trace.frames.iter_mut().find(|frame| frame.message.code_address == VM).unwrap();
        vm.message.input = keccak256("startPrank(address,address)")[..4].to_vec().into();
        assert!(pranks(&[(TraceKind::Execution, trace.clone())]));
        assert!(!pranks(&[(TraceKind::Setup, trace), (TraceKind::Execution, samples::deposit_trace())]));
        assert!(pranks(&[]));
    }
}
