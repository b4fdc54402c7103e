//! Conditional jumps and the decisions of the sources that they were compiled from.

use crate::{
    evm::trace::coverage::CodeCoverage,
    model::DecisionKind,
    project::{DecisionId, SourceDecision, StatementMap, Statements},
};
use regex::Regex;
use std::{ops::Range, sync::LazyLock};

/// Maximum number of characters of a condition that are shown.
const LONGEST: usize = 100;

/// Pattern of strings and comments in Solidity.
static NO_CODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?s)"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|//[^\n]*|/\*.*?\*/"#).expect("a fixed pattern")
});

/// Conditional jump that was compiled from a decision.
#[derive(Clone, Debug)]
pub(super) struct DecisionJump {
    /// Offset in the code.
    pub(super) pc: usize,
    pub(super) decision: DecisionId,
}

/// Returns the conditional jumps of a piece of code that decide what a source decides. Others are checks of the
/// compiler.
pub(super) fn jumps(
    all: &Statements,
    code: &CodeCoverage,
    map: &StatementMap,
) -> impl Iterator<Item = DecisionJump> {
    map.statements().filter(|(pc, _)| code.is_conditional_jump(*pc)).filter_map(|(pc, _)| {
        let (statement, range) = map.at(pc)?;
        Some(DecisionJump { pc, decision: all.decision(statement, &range)? })
    })
}

/// Returns the decision of the instruction at `pc`.
pub(super) fn decision_at(all: &Statements, map: &StatementMap, pc: usize) -> Option<DecisionId> {
    let (statement, range) = map.at(pc)?;
    all.decision(statement, &range)
}

/// Tells, for both directions of a conditional jump (it continues, it jumps), whether the condition is true. What the
/// directions lead to shows it. Otherwise, compilers continue where the condition of a statement or the first operand
/// of `&&` is true. Returns `None` if it is not known.
pub(super) fn truths(
    all: &Statements,
    code: &CodeCoverage,
    map: &StatementMap,
    jump: &DecisionJump,
) -> Option<[bool; 2]> {
    let decision = all.decided(jump.decision);
    let shown = match decision.kind {
        DecisionKind::Require | DecisionKind::Assert => match code.fails(jump.pc) {
            [true, false] => Some(true),
            [false, true] => Some(false),
            _ => None,
        },
        _ => jump_leads_to_true(code, map, jump, decision),
    };
    let jump_is_true = shown.or(match decision.kind {
        DecisionKind::If | DecisionKind::Loop | DecisionKind::And => Some(false),
        DecisionKind::Or => Some(true),
        DecisionKind::Require | DecisionKind::Assert | DecisionKind::Conditional => None,
    });
    jump_is_true.map(|jump_is_true| [!jump_is_true, jump_is_true])
}

/// Tells whether the direction that jumps is the one of a true condition, by the code that both directions lead to.
fn jump_leads_to_true(
    code: &CodeCoverage,
    map: &StatementMap,
    jump: &DecisionJump,
    decision: &SourceDecision,
) -> Option<bool> {
    let side = |pc: usize| {
        let (_, range) = map.at(pc).filter(|(statement, _)| statement.0 == jump.decision.0)?;
        let is_within = |side: &Option<Range<usize>>| {
            side.as_ref().is_some_and(|side| side.start <= range.start && range.end <= side.end)
        };
        match (is_within(&decision.when_true), is_within(&decision.when_false)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    };
    let is_side = |pc: usize| side(pc).is_some();
    match code.first_on(jump.pc, &is_side).map(|pc| pc.and_then(side)) {
        [Some(true), Some(false) | None] | [None, Some(false)] => Some(false),
        [Some(false), Some(true) | None] | [None, Some(true)] => Some(true),
        _ => None,
    }
}

/// Returns a range of a source on one line, without comments.
pub(super) fn one_line(text: &str, range: &Range<usize>) -> String {
    let text = text.get(range.clone()).unwrap_or_default();
    let code = NO_CODE.replace_all(text, |found: &regex::Captures<'_>| {
        if found[0].starts_with('/') { " ".to_owned() } else { found[0].to_owned() }
    });
    let text = code.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
