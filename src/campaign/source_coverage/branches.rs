//! Conditional jumps and the decisions of the sources that they were compiled from.

use crate::{
    evm::trace::coverage::CodeCoverage,
    model::DecisionKind,
    project::{DecisionId, StatementMap, Statements},
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
        // Of the jumps in one condition, the last one decides. Those before it are checks of the condition's parts.
        let mut last: Option<DecisionId> = None;
        for pc in jumps.into_iter().rev().filter(|pc| !matched.contains_key(pc)).collect::<Vec<_>>() {
            let part = self.part(pc);
            let is_same = |id: DecisionId| {
                part.as_ref()
                    .is_some_and(|(file, part)| *file == id.0 && is_in(&self.all.decision(id).range, part))
            };
            last = last.filter(|last| is_same(*last));
            let jump = part.as_ref().and_then(|(file, part)| self.by_part(pc, *file, part));
            if let Some(jump) = jump.filter(|jump| !known.contains(&jump.decision))
                && last.replace(jump.decision) != Some(jump.decision)
            {
                matched.insert(pc, jump);
            }
        }
        matched
    }

    /// Matches a jump by the range of the whole statement or expression. What the directions lead to shows where the
    /// condition is true. Otherwise, compilers continue where the condition of a statement or the first operand of `&&`
    /// is true, and jump over the failure of a `require`.
    fn exact(&self, pc: usize) -> Option<DecisionJump> {
        let (file, range) = self.map.source(pc)?;
        let decision = self.all.find_decision(file, &range)?;
        let kind = self.all.decision(decision).kind;
        let is_failure = matches!(kind, DecisionKind::Require | DecisionKind::Assert);
        let shown = match is_failure {
            true => first_alone(self.code.fails(pc)),
            false => self.jump_leads_to_true(pc, decision),
        };
        let jump_is_true = shown.or(match kind {
            DecisionKind::If | DecisionKind::Loop | DecisionKind::And => Some(false),
            DecisionKind::Or => Some(true),
            DecisionKind::Require | DecisionKind::Assert => self.is_first(pc, &range).then_some(true),
            DecisionKind::Conditional => None,
        });
        Some(DecisionJump { decision, jump_is_true: jump_is_true? })
    }

    /// Tells whether no other jump before `pc` has a range. Later ones are part of the failure's data.
    fn is_first(&self, pc: usize, range: &Range<usize>) -> bool {
        let is_it = |at: usize| {
            self.code.is_conditional_jump(at) && self.map.source(at).is_some_and(|(_, other)| other == *range)
        };
        !self.map.offsets_before(pc).any(is_it)
    }

    /// Returns the file and the range of the part of a condition that stands at a jump or before it.
    fn part(&self, pc: usize) -> Option<(u32, Range<usize>)> {
        let before =
            self.map.offsets_before(pc).take(LOOKED_BACK).take_while(|at| !self.code.is_block_boundary(*at));
        std::iter::once(pc).chain(before).find_map(|at| {
            let (file, part) = self.map.source(at)?;
            let is_part = self.all.decisions_around(file, &part).next().is_some();
            is_part.then_some((file, part))
        })
    }

    /// Matches a jump by its part of a condition, with the innermost decision that its directions fit.
    fn by_part(&self, pc: usize, file: u32, part: &Range<usize>) -> Option<DecisionJump> {
        self.all.decisions_around(file, part).find_map(|id| {
            let decision = self.all.decision(id);
            let sides = [&decision.when_true, &decision.when_false];
            if sides.into_iter().flatten().any(|side| is_in(side, part)) {
                return None;
            }
            let jump_is_true = match decision.kind {
                DecisionKind::Require => first_alone(self.code.reverts(pc)),
                DecisionKind::Assert => first_alone(self.code.fails_assertion(pc)),
                _ => self.jump_leads_to_true(pc, id),
            };
            jump_is_true.map(|jump_is_true| DecisionJump { decision: id, jump_is_true })
        })
    }

    /// Tells whether the direction that jumps is the one of a true condition, by the code that both directions lead to.
    fn jump_leads_to_true(&self, pc: usize, id: DecisionId) -> Option<bool> {
        let decision = self.all.decision(id);
        let side = |pc: usize| {
            let (_, range) = self.map.source(pc).filter(|(file, _)| *file == id.0)?;
            let is_within =
                |side: &Option<Range<usize>>| side.as_ref().is_some_and(|side| is_in(side, &range));
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

/// Tells whether a range is within another.
fn is_in(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Returns the direction that alone has a property: true for the first one, false for the second one.
fn first_alone(directions: [bool; 2]) -> Option<bool> {
    match directions {
        [true, false] => Some(true),
        [false, true] => Some(false),
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
