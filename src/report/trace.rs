//! Call trees in Forge's form.

use crate::{
    model::{Frame, FrameKind, FrameStatus, Trace, TraceItem, TraceKind},
    report::{ReportOptions, style::Palette, visible},
};
use alloy_primitives::{Address, B256, Bytes, U256, address, hex};
use yansi::Color;

/// Cheatcode contract; its calls are blue, even if they revert.
pub(super) const VM: Address = address!("7109709ECfa91a80626fF3989D68f67F5b1DD12D");
/// Smallest storage word that is shown as hexadecimal.
const HEX_FROM: u64 = 1_000_000;

/// Most bytes of calldata, logs and output that are shown.
const MOST_DATA: usize = 1 << 15;

/// Formats `Traces:` and the call trees that the verbosity includes, each followed by a blank line; empty if
/// there are none.
pub(super) fn all(traces: &[(TraceKind, Trace)], failed: bool, options: &ReportOptions) -> String {
    let wanted = |kind| match kind {
        TraceKind::Deployment => false,
        TraceKind::Setup => options.verbosity >= if failed { 4 } else { 5 },
        TraceKind::Execution => options.verbosity >= if failed { 3 } else { 4 },
    };
    let mut out = String::new();
    for (kind, trace) in traces.iter().filter(|(kind, trace)| wanted(*kind) && !trace.frames.is_empty()) {
        // Forge records storage changes of re-executed calls only, not of setUp.
        let storage = options.verbosity >= 5 && *kind == TraceKind::Execution;
        out += &(tree(trace, storage, options) + "\n");
    }
    if out.is_empty() { out } else { format!("Traces:\n{out}") }
}

/// Formats one call tree, with its root indented by two spaces.
fn tree(trace: &Trace, storage: bool, options: &ReportOptions) -> String {
    let palette = Palette::new(options.color);
    let mut writer = TraceWriter { trace, storage, options, palette, out: String::new() };
    let root = &trace.frames[0];
    writer.out += &format!("  {}\n", writer.head(root));
    writer.body(root, 0, "    ");
    writer.out
}

struct TraceWriter<'a> {
    trace: &'a Trace,
    storage: bool,
    options: &'a ReportOptions,
    palette: Palette,
    out: String,
}

impl TraceWriter<'_> {
    /// Writes the items inside `frame`, which is `depth` calls below the root, and its result, each line after
    /// `indent`.
    fn body(&mut self, frame: &Frame, depth: usize, indent: &str) {
        let shown = self.options.trace_depth.is_none_or(|most| depth < most);
        for item in frame.items.iter().filter(|_| shown) {
            match item {
                TraceItem::Call(index) => {
                    let Some(child) = self.trace.frames.get(*index) else { continue };
                    self.out += &format!("{indent}├─ {}\n", self.head(child));
                    self.body(child, depth + 1, &format!("{indent}│   "));
                }
                TraceItem::Log { topics, data, decoded, .. } => {
                    self.log(topics, data, decoded.as_deref(), indent);
                }
            }
        }
        if self.storage && !frame.storage.is_empty() {
            self.storage(&frame.storage, indent);
        }
        self.out += &format!("{indent}└─ {}\n", result(frame, self.palette));
    }

    /// Formats the beginning of a frame: `[gas] Bank::deposit{value: 1}(65) [staticcall]` or `[gas] → new
    /// Bank@0x..`.
    fn head(&self, frame: &Frame) -> String {
        let (palette, hidden) = (self.palette, self.options.hide_labels);
        let gas = frame.gas.used;
        if frame.kind.is_create() {
            let arrow = palette.paint(Color::Yellow, "→ new");
            let label = frame.text.label.as_deref().filter(|_| !hidden);
            let label = label.map_or_else(|| "<unknown>".to_owned(), line);
            return format!("[{gas}] {arrow} {label}@{}", frame.message.address);
        }
        let color = color(frame);
        let (function, args) = call(frame);
        let value = if frame.message.value.is_zero() {
            String::new()
        } else {
            format!("{{value: {}}}", frame.message.value)
        };
        let suffix = match frame.kind {
            FrameKind::StaticCall => palette.paint(Color::Yellow, " [staticcall]"),
            FrameKind::DelegateCall => palette.paint(Color::Yellow, " [delegatecall]"),
            FrameKind::CallCode => palette.paint(Color::Yellow, " [callcode]"),
            FrameKind::Call | FrameKind::Create | FrameKind::Create2 => String::new(),
        };
        let (contract, function) =
            (palette.paint(color, &contract(frame, hidden)), palette.paint(color, &function));
        format!("[{gas}] {contract}::{function}{value}({}){suffix}", palette.dim_hints(&args))
    }

    fn log(&mut self, topics: &[B256], data: &Bytes, decoded: Option<&str>, indent: &str) {
        if let Some(decoded) = decoded {
            let (name, args) = split_call(decoded);
            let (name, args) = (line(name), line(args));
            let args = self.palette.paint(Color::Cyan, &self.palette.dim_hints(&args));
            self.out += &format!("{indent}├─ emit {name}({args})\n");
            return;
        }
        let paint = |hex: String| self.palette.paint(Color::Cyan, &hex);
        let mut lines = Vec::new();
        for (i, topic) in topics.iter().enumerate() {
            let label = if i == 0 { "├─  emit" } else { "│       " };
            lines.push(format!("{label} topic {i}: {}", paint(topic.to_string())));
        }
        let label = if topics.is_empty() { "├─           data" } else { "│           data" };
        lines.push(format!("{label}: {}", paint(format!("0x{}", self::data(data)))));
        for line in lines {
            self.out += &format!("{indent}{line}\n");
        }
    }

    fn storage(&mut self, changes: &[(U256, U256, U256)], indent: &str) {
        self.out += &format!("{indent}├─  storage changes:\n");
        for (slot, before, after) in changes {
            self.out += &format!("{indent}│   @ {}: {} → {}\n", word(*slot), word(*before), word(*after));
        }
    }
}

/// Returns the contract's name, or its address if it has none or names are `hidden`.
pub(super) fn contract(frame: &Frame, hidden: bool) -> String {
    frame
        .text
        .label
        .as_deref()
        .filter(|_| !hidden)
        .map_or_else(|| frame.message.code_address.to_checksum(None), line)
}

/// Returns function and arguments: the selector for an unknown function, `fallback` for calldata without a
/// selector.
fn call(frame: &Frame) -> (String, String) {
    if let Some(call) = &frame.text.call {
        let (function, args) = split_call(call);
        return (line(function), line(args));
    }
    match frame.message.input.split_at_checked(4) {
        Some((selector, rest)) => (hex::encode(selector), data(rest)),
        None => ("fallback".to_owned(), hex::encode(&frame.message.input)),
    }
}

/// Escapes text from outside and puts it on one line. Labels may occur in all of it.
fn line(text: &str) -> String {
    visible(text).replace('\n', " ")
}

/// Splits `f(1, 2)` into `f` and `1, 2`.
pub(super) fn split_call(text: &str) -> (&str, &str) {
    match text.split_once('(') {
        Some((name, args)) => (name, args.strip_suffix(')').unwrap_or(args)),
        None => (text, ""),
    }
}

/// Formats the result of a frame: `← [Return] 65`, `← [Stop]`, `← [Revert] reason`, `← [Return] 2071 bytes of
/// code`.
fn result(frame: &Frame, palette: Palette) -> String {
    let word = match &frame.result.status {
        FrameStatus::Stop => "Stop",
        FrameStatus::Return => "Return",
        FrameStatus::Revert => "Revert",
        FrameStatus::SelfDestruct => "SelfDestruct",
        FrameStatus::Halt(name) => name,
    };
    let arrow = palette.paint(color(frame), &format!("← [{word}]"));
    match outcome(frame) {
        // An empty reason is still a reason.
        text if text.is_empty() && frame.result.status != FrameStatus::Revert => arrow,
        text => format!("{arrow} {}", palette.dim_hints(&text)),
    }
}

/// Returns the text after the status: the decoded result, as far as it is known.
fn outcome(frame: &Frame) -> String {
    if frame.kind.is_create() && frame.result.status.is_success() {
        return format!("{} bytes of code", frame.result.output.len());
    }
    match (&frame.text.result, &frame.result.status) {
        (Some(result), _) => visible(result),
        (None, FrameStatus::Stop | FrameStatus::SelfDestruct) => String::new(),
        (None, FrameStatus::Halt(name)) => format!("EvmError: {name}"),
        (None, FrameStatus::Revert) if frame.result.output.is_empty() => "EvmError: Revert".to_owned(),
        (None, FrameStatus::Return | FrameStatus::Revert) => format!("0x{}", data(&frame.result.output)),
    }
}

fn color(frame: &Frame) -> Color {
    if frame.message.code_address == VM {
        Color::Blue
    } else if frame.result.status.is_success() {
        Color::Green
    } else {
        Color::Red
    }
}

/// Formats data as hexadecimal. Only the beginning of long data is shown, with the length of all of it.
fn data(data: &[u8]) -> String {
    match data.split_at_checked(MOST_DATA) {
        Some((begin, rest)) if !rest.is_empty() => {
            format!("{}... ({} bytes)", hex::encode(begin), data.len())
        }
        _ => hex::encode(data),
    }
}

/// Formats small numbers in decimal, everything else as 32 bytes.
fn word(value: U256) -> String {
    if value < U256::from(HEX_FROM) { value.to_string() } else { B256::from(value).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn a_tree_shows_calls_events_and_results_as_forge_does() {
        insta::assert_snapshot!(tree(&samples::invariant_trace(), false, &ReportOptions::default()), @r#"
          [18160] FailInv::invariant_lastIsZero()
            ├─ [2470] Bank::total() [staticcall]
            │   └─ ← [Return] 44
            ├─ [0] console::log("checking", 44) [staticcall]
            │   └─ ← [Stop]
            ├─ [0] VM::assertEq(1, 0, "last must be zero") [staticcall]
            │   └─ ← [Revert] last must be zero: 1 != 0
            └─ ← [Revert] last must be zero: 1 != 0
        "#);
    }

    #[test]
    fn a_tree_ends_at_the_depth_that_was_asked_for_and_can_hide_names() {
        let shown = |trace_depth, hide_labels| {
            let options = ReportOptions { trace_depth, hide_labels, ..ReportOptions::default() };
            tree(&samples::invariant_trace(), false, &options)
        };
        insta::assert_snapshot!(shown(Some(0), false), @r"
          [18160] FailInv::invariant_lastIsZero()
            └─ ← [Revert] last must be zero: 1 != 0
        ");
        assert_eq!(shown(Some(1), false), shown(None, false));
        let hidden = shown(None, true);
        assert!(!hidden.contains("Bank::") && hidden.contains("::total()"), "{hidden}");
    }

    #[test]
    fn unknown_calls_events_and_results_are_shown_as_bytes() {
        insta::assert_snapshot!(tree(&samples::unknown_trace(), false, &ReportOptions::default()), @r"
          [88681] 0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f::aabbccdd{value: 1}(0011)
            ├─           data: 0x
            ├─  emit topic 0: 0x0000000000000000000000000000000000000000000000000000000000000001
            │        topic 1: 0x0000000000000000000000000000000000000000000000000000000000000002
            │           data: 0x00
            ├─ [32885] → new Child@0x2e234DAe75C793f67A35089C9d99245E1C58470b
            │   └─ ← [Return] 3 bytes of code
            ├─ [351] → new <unknown>@0x2e234DAe75C793f67A35089C9d99245E1C58470b
            │   └─ ← [Revert] 0x08c379a0
            ├─ [30] Child::fallback(aabb) [delegatecall]
            │   └─ ← [OutOfGas] EvmError: OutOfGas
            ├─ [5120] Child::kill()
            │   └─ ← [SelfDestruct]
            ├─ [0] VM::label(Alice: [0x0000000000000000000000000000000000000aBc])
            │   └─ ← [Return]
            └─ ← [Return] 0x
        ");
    }

    #[test]
    fn storage_changes_stand_before_the_result_of_their_frame() {
        let trace = samples::deposit_trace();
        insta::assert_snapshot!(tree(&trace, true, &ReportOptions::default()), @r#"
          [54167] Bank::deposit(999999)
            ├─ emit Deposited(who: 0x0000000000000000000000000000000000001234, amt: 999999 [9.999e5])
            ├─  storage changes:
            │   @ 0: 0 → 999999
            │   @ 0x00000000000000000000000000000000000000000000000000000000000f4240: 5 → 0x00000000000000000000000000000000000000000000000000000000000f4241
            └─ ← [Stop]
        "#);
        assert!(!tree(&trace, false, &ReportOptions::default()).contains("storage"));
    }

    #[test]
    fn colours_follow_the_outcome_and_cheatcodes_are_blue() {
        let text = tree(
            &samples::invariant_trace(),
            false,
            &ReportOptions { color: true, ..ReportOptions::default() },
        )
        .replace('\u{1b}', "^");
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "  [18160] ^[31mFailInv^[0m::^[31minvariant_lastIsZero^[0m()");
        assert_eq!(lines[1], "    ├─ [2470] ^[32mBank^[0m::^[32mtotal^[0m()^[33m [staticcall]^[0m");
        assert_eq!(lines[6], "    │   └─ ^[34m← [Revert]^[0m last must be zero: 1 != 0");
    }

    #[test]
    fn verbosity_selects_by_kind_and_verdict() {
        let traces = samples::traces();
        let shown = |failed, verbosity| {
            let options = ReportOptions { verbosity, ..ReportOptions::default() };
            all(&traces, failed, &options).matches("\n  [").count()
        };
        assert_eq!([2, 3, 4, 5].map(|v| shown(true, v)), [0, 2, 3, 3]);
        assert_eq!([2, 3, 4, 5].map(|v| shown(false, v)), [0, 0, 2, 3]);
    }
}
