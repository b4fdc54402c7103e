//! Backtrace of a failing call, as Forge prints it after the traces.

use crate::{
    model::{Trace, TraceKind},
    report::{
        ReportOptions,
        style::Palette,
        trace::{contract, split_call},
    },
};
use yansi::Color;

/// Returns the backtrace of the deepest frame that failed in the first executed call, innermost frame first.
/// Returns `None` if no frame failed there: like Forge, it does not look at later calls.
pub(super) fn first(traces: &[(TraceKind, Trace)], options: &ReportOptions) -> Option<String> {
    let (_, trace) = traces.iter().find(|(kind, _)| *kind == TraceKind::Execution)?;
    // The last one of several frames with the same depth is used.
    let deepest = trace
        .frames
        .iter()
        .filter(|frame| !frame.result.status.is_success())
        .max_by_key(|frame| frame.depth)?;
    let mut out = Palette::new(options.color).paint(Color::Yellow, "Backtrace:") + "\n";
    let mut next = Some(deepest);
    while let Some(frame) = next {
        let call = frame.text.call.as_deref().filter(|_| !frame.kind.is_create());
        let function = call.map(|call| format!(".{}", split_call(call).0)).unwrap_or_default();
        out += &format!("  at {}{function}\n", contract(frame, options.hide_labels));
        next = frame.parent.and_then(|parent| trace.frames.get(parent));
    }
    Some(out + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn the_deepest_failure_of_the_first_call_is_followed_to_the_root() {
        let traces = vec![
            (TraceKind::Setup, samples::unknown_trace()),
            (TraceKind::Execution, samples::invariant_trace()),
        ];
        insta::assert_snapshot!(first(&traces, &ReportOptions::default()).unwrap(), @r"
        Backtrace:
          at VM.assertEq
          at FailInv.invariant_lastIsZero
        ");
    }

    #[test]
    fn a_first_call_without_failures_has_none() {
        let traces = vec![
            (TraceKind::Execution, samples::deposit_trace()),
            (TraceKind::Execution, samples::invariant_trace()),
        ];
        assert_eq!(first(&traces, &ReportOptions::default()), None);
    }
}
