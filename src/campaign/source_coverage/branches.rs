//! Conditional jumps and the decisions of the sources that they were compiled from.

use crate::{
    evm::trace::coverage::CodeCoverage,
    model::DecisionKind,
    project::{DecisionId, SourceDecision, StatementMap, Statements},
};
use regex::Regex;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::LazyLock,
};

/// Maximum number of characters of a condition that are shown.
const LONGEST: usize = 100;

/// Maximum number of instructions before a conditional jump that are searched for a part of its condition.
const LOOKED_BACK: usize = 16;

/// Pattern of strings and comments in Solidity.
static NO_CODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?s)"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|//[^\n]*|/\*.*?\*/"#).expect("a fixed pattern")
});

/// Conditional jumps of a piece of code that decide what a source decides, by offset. Others are the compiler's checks.
pub(super) type DecisionJumps = BTreeMap<usize, DecisionJump>;

/// Conditional jump that was compiled from a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct DecisionJump {
    pub(super) decision: DecisionId,
    /// True if the condition is true where it jumps, and false where it continues.
    jump_is_true: bool,
}

impl DecisionJump {
    /// Tells, for both directions (it continues, it jumps), whether the condition is true.
    pub(super) fn truths(self) -> [bool; 2] {
        [!self.jump_is_true, self.jump_is_true]
    }

    /// Returns the outcomes that occurred: first false, then true.
    pub(super) fn outcomes(self, pc: usize, code: &CodeCoverage) -> [bool; 2] {
        let mut was = [false; 2];
        if let Some(gone) = code.jumps.get(&pc) {
            gone.iter().zip(self.truths()).for_each(|(gone, truth)| was[usize::from(truth)] |= gone);
        }
        was
    }
}

/// A piece of code whose conditional jumps are matched with decisions.
pub(super) struct Matcher<'a> {
    pub(super) all: &'a Statements,
    pub(super) code: &'a CodeCoverage,
    pub(super) map: &'a StatementMap,
}

impl Matcher<'_> {
    /// Returns the conditional jumps that decide what a source decides. The compiler gives them the range of the whole
    /// statement or expression. Only where it gives none this range (which its IR pipeline does), others are matched by
    /// their part of the condition.
    pub(super) fn jumps(&self) -> DecisionJumps {
        let jumps: Vec<usize> = self.map.offsets().filter(|pc| self.code.is_conditional_jump(*pc)).collect();
        let exact = jumps.iter().filter_map(|pc| Some((*pc, self.exact(*pc)?)));
        let mut matched: DecisionJumps = exact.collect();
        let known: BTreeSet<DecisionId> = matched.values().map(|jump| jump.decision).collect();
        let mut last = None;
        for pc in jumps.into_iter().rev().filter(|pc| !matched.contains_key(pc)).collect::<Vec<_>>() {
            let Some(jump) = self.by_part(pc).filter(|jump| !known.contains(&jump.decision)) else {
                continue;
            };
            // The jumps before it are checks of the condition's parts.
            if last.replace(jump.decision) != Some(jump.decision) {
                matched.insert(pc, jump);
            }
        }
        matched
    }

    /// Matches a jump by the range of the whole statement or expression. What the directions lead to shows where the
    /// condition is true. Otherwise, compilers continue where the condition of a statement or the first operand of `&&`
    /// is true, and jump over the failure of a `require`.
    fn exact(&self, pc: usize) -> Option<DecisionJump> {
        let (statement, range) = self.map.at(pc)?;
        let decision = self.all.decision(statement, &range)?;
        let kind = self.all.decided(decision).kind;
        let is_failure = matches!(kind, DecisionKind::Require | DecisionKind::Assert);
        let shown = match is_failure {
            true => one(self.code.fails(pc), true),
            false => self.jump_leads_to_true(pc, decision),
        };
        let jump_is_true = shown.or(match kind {
            DecisionKind::If | DecisionKind::Loop | DecisionKind::And => Some(false),
            DecisionKind::Or => Some(true),
            DecisionKind::Require | DecisionKind::Assert => self.is_first(pc, decision).then_some(true),
            DecisionKind::Conditional => None,
        });
        Some(DecisionJump { decision, jump_is_true: jump_is_true? })
    }

    /// Tells whether no other jump before `pc` has the range of a decision. Later ones are part of the failure's data.
    fn is_first(&self, pc: usize, id: DecisionId) -> bool {
        let is_it = |at: usize| {
            self.code.is_conditional_jump(at)
                && self
                    .map
                    .at(at)
                    .is_some_and(|(statement, range)| self.all.decision(statement, &range) == Some(id))
        };
        !self.map.offsets_before(pc).any(is_it)
    }

    /// Matches a jump by the part of the condition that stands at it or before it, with the innermost decision that its
    /// directions fit.
    fn by_part(&self, pc: usize) -> Option<DecisionJump> {
        let before =
            self.map.offsets_before(pc).take(LOOKED_BACK).take_while(|at| !self.code.ends_block(*at));
        let located = std::iter::once(pc).chain(before).find_map(|at| self.map.at(at));
        let (statement, part) = located?;
        self.all.decisions_around(statement, &part).find_map(|id| {
            let decision = self.all.decided(id);
            if !is_in_condition(decision, &part) {
                return None;
            }
            let jump_is_true = match decision.kind {
                DecisionKind::Require => one(self.code.refuses(pc), true),
                DecisionKind::Assert => one(self.code.asserts(pc), true),
                _ => self.jump_leads_to_true(pc, id),
            };
            jump_is_true.map(|jump_is_true| DecisionJump { decision: id, jump_is_true })
        })
    }

    /// Tells whether the direction that jumps is the one of a true condition, by the code that both directions lead to.
    fn jump_leads_to_true(&self, pc: usize, id: DecisionId) -> Option<bool> {
        let decision = self.all.decided(id);
        let side = |pc: usize| {
            let (_, range) = self.map.at(pc).filter(|(statement, _)| statement.0 == id.0)?;
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
        match self.code.first_on(pc, &is_side).map(|pc| pc.and_then(side)) {
            [Some(true), Some(false) | None] | [None, Some(false)] => Some(false),
            [Some(false), Some(true) | None] | [None, Some(true)] => Some(true),
            _ => None,
        }
    }
}

/// Tells whether a range is part of what a decision decides about, and not of what follows from it.
fn is_in_condition(decision: &SourceDecision, part: &Range<usize>) -> bool {
    let sides = [&decision.when_true, &decision.when_false];
    let is_in = |side: &Range<usize>| side.start <= part.start && part.end <= side.end;
    !sides.into_iter().flatten().any(is_in)
}

/// Returns `value` if the first direction alone has a property, and its opposite if the second one alone has it.
fn one(directions: [bool; 2], value: bool) -> Option<bool> {
    match directions {
        [true, false] => Some(value),
        [false, true] => Some(!value),
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
