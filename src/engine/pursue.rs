//! From what a moved element did to the costs to predictions, and on from those that failed.

use super::{
    Engine,
    base::{self, Base, Missed},
    candidate::{Candidate, Intent, Pursuit},
    input::{self, Element},
    predict::{Aim, Chase, Domain, Int, Slope, gap, replacements, solve, wrapped},
    seed::Draft,
};
use crate::config::Feature;
use crate::model::{Branch, BranchKind, EdgeId, Fate, Observation};
use std::sync::Arc;

/// Predictions that one moved element starts.
const PURSUITS: usize = 4;
/// Those of them, where nothing else is wanted, for branches that only other paths took: each such combination is a path
/// too.
const COVERED: usize = 2;
/// Sequences with replaced operands made of one base.
const REPLACEMENTS: usize = 24;
/// Branches of bases for which slopes are remembered, and slopes of each.
const SLOPES: usize = 4096;
const SLOPES_OF_BASE: usize = 16;
/// Pursuits remembered, so that none is begun twice.
const REMEMBERED: usize = 1 << 16;

/// What the move of an element did to the cost of a branch that was just missed before and after.
struct Effect {
    missed: Missed,
    place: EdgeId,
    aim: Aim,
    domain: Domain,
    /// Value of the element and gap of the branch, before and after.
    points: [(Int, Int); 2],
}

impl Effect {
    fn chase(&self) -> Option<Chase> {
        Chase::new(self.aim, self.domain, self.points[0], self.points[1])
    }

    /// The slope, where the move was by one.
    fn slope(&self) -> Slope {
        let [(i0, g0), (i1, g1)] = self.points;
        Slope { at: i0, rise: wrapped((g1 - g0) * (i1 - i0)), domain: self.domain }
    }
}

impl Engine {
    /// An element of `base` was moved: predicts values of it that flip branches.
    pub(super) fn predict(
        &mut self,
        candidate: &Candidate,
        base: &Arc<Base>,
        element: Element,
        nudge: bool,
        seen: &Observation,
    ) {
        let effects = self.effects(candidate, base, element, seen);
        let (covered, wanted): (Vec<_>, Vec<_>) =
            effects.into_iter().partition(|effect| self.frontier.is_covered(effect.missed.edge));
        self.sensitivity.learn(&base.seed, element, !wanted.is_empty());
        if !nudge {
            // Two points far apart say little of a line; where the move led, the slope is worth knowing.
            if !wanted.is_empty() {
                self.nudge_here(candidate, element, seen);
            }
            return;
        }
        for effect in &wanted {
            self.pair(base, element, effect);
        }
        self.pursue(base, element, wanted, covered);
    }

    /// Begins chases of the most wanted branches.
    fn pursue(&mut self, base: &Arc<Base>, element: Element, wanted: Vec<Effect>, covered: Vec<Effect>) {
        let chase = |effect: Effect| effect.chase().map(|chase| (effect.missed, effect.place, chase));
        let mut begun: Vec<_> = wanted.into_iter().filter_map(chase).collect();
        if begun.is_empty() {
            let is_new = |effect: &Effect| {
                effect.missed.urgency > 0 && self.flips.insert((base.path(effect.place), effect.missed.edge))
            };
            begun = covered.into_iter().filter(is_new).filter_map(chase).take(COVERED).collect();
        }
        begun.sort_by_key(|(missed, ..)| std::cmp::Reverse(missed.urgency));
        // What only leads into a revert is pursued where nothing else is.
        if begun.first().is_some_and(|(missed, ..)| missed.urgency > 0) {
            begun.retain(|(missed, ..)| missed.urgency > 0);
        }
        for (missed, place, chase) in begun.into_iter().take(PURSUITS) {
            if self.is_new_pursuit(base, element, missed) {
                self.next_value(base, element, place, missed.edge, chase);
            }
        }
    }

    /// What moving an element of `base` did to the costs of what it just missed.
    fn effects(
        &self,
        candidate: &Candidate,
        base: &Base,
        element: Element,
        seen: &Observation,
    ) -> Vec<Effect> {
        let calls = (base.seed.calls.get(element.step), candidate.sequence.get(element.step));
        let (Some(old), Some(new)) = calls else { return Vec::new() };
        let values = (input::get(old, element.part), input::get(new, element.part));
        let (Some(i0), Some(i1)) = values else { return Vec::new() };
        let Some(domain) = input::domain(old, element.part, &self.world) else { return Vec::new() };
        let effect = |branch: &Branch| {
            let missed = base::missed(branch)?;
            let before = base.same(branch)?;
            let aim = Aim::of(branch, missed.outcome)?;
            let is_same = base::missed(before).is_some_and(|before| before.edge == missed.edge);
            let points = [(i0, gap(before)), (i1, gap(branch))];
            (is_same && points[0].1 != points[1].1).then_some(Effect {
                missed,
                place: branch.place(),
                aim,
                domain,
                points,
            })
        };
        base::branches(seen).filter_map(|(_, branch)| effect(branch)).collect()
    }

    /// Where the element does not close a gap alone, moves it together with another one that changes it too.
    fn pair(&mut self, base: &Arc<Base>, element: Element, effect: &Effect) {
        if !self.features.has(Feature::Pairs) || effect.aim != Aim::Zero {
            return;
        }
        if self.slopes.len() >= SLOPES {
            self.slopes.clear();
        }
        let known = self.slopes.entry((base.id, effect.missed.edge)).or_default();
        let others = known.clone();
        if known.len() < SLOPES_OF_BASE {
            known.push((element, effect.slope()));
        }
        let gap = wrapped(effect.points[0].1);
        for (other, slope) in others.into_iter().filter(|(other, _)| *other != element) {
            let Some((x, y)) = solve(gap, effect.slope(), slope) else { continue };
            self.urgent.extend(self.moved_both(base, effect, (element, x), (other, y)));
        }
    }

    fn moved_both(
        &self,
        base: &Arc<Base>,
        effect: &Effect,
        first: (Element, Int),
        second: (Element, Int),
    ) -> Option<Candidate> {
        let mut draft = Draft::new(Some(&base.seed), self.depth);
        for (element, value) in [first, second] {
            if !input::set(draft.edit(element.step), element.part, value, &self.world) {
                return None;
            }
        }
        let (sequence, from) = draft.finish(&self.world.surface);
        let intent = Intent::Replace { place: effect.place, edge: effect.missed.edge };
        Some(Candidate::tracked(sequence, "pair", from, intent))
    }

    /// The slope where a random move led is worth knowing: the costs are seldom one line everywhere.
    fn nudge_here(&mut self, candidate: &Candidate, element: Element, seen: &Observation) {
        let Some(last) = seen.steps.len().checked_sub(1) else { return };
        let seed = self.prefix(&candidate.sequence, seen, last);
        if seed.calls.len() == candidate.sequence.len() {
            let here = self.new_base(seed, seen);
            let next = self.nudge(&here, element);
            self.urgent.extend(next);
        }
    }

    fn is_new_pursuit(&mut self, base: &Arc<Base>, element: Element, missed: Missed) -> bool {
        let failures = self.futile.get(&missed.edge).copied().unwrap_or(0);
        // What has failed often is tried less, the more so where it leads nowhere new.
        let odds = match missed.urgency {
            0 => failures * failures,
            _ if self.frontier.is_covered(missed.edge) => failures / 2,
            _ => failures / 8,
        };
        if self.rng.below(1 + odds as usize) > 0 {
            return false;
        }
        if self.pursued.len() >= REMEMBERED {
            self.pursued.clear();
        }
        if self.flips.len() >= REMEMBERED {
            self.flips.clear();
        }
        self.pursued.insert((base.id, element, missed.edge))
    }

    /// Hands out the next value of a chase.
    fn next_value(
        &mut self,
        base: &Arc<Base>,
        element: Element,
        place: EdgeId,
        edge: EdgeId,
        mut chase: Chase,
    ) {
        while let Some(value) = chase.next() {
            let Some(candidate) = self.moved(base, element, value, false, "predict") else {
                chase.learn(value, None);
                continue;
            };
            let pursuit = Pursuit { base: base.clone(), element, place, edge, chase, value };
            let intent = Intent::Chase(Box::new(pursuit));
            self.urgent.push_back(Candidate { intent, ..candidate });
            return;
        }
    }

    /// A predicted value was tried.
    pub(super) fn follow(&mut self, pursuit: &Pursuit, seen: &Observation) {
        let Pursuit { base, element, place, edge, chase, value } = pursuit;
        let branch = base::branch_at(seen, *place);
        let flipped = branch.is_some_and(|branch| branch.took(*edge)) || self.breaks(base, *place, seen);
        let first = chase.steps() == 1;
        self.statistics.predicted += u64::from(first);
        self.statistics.one_shot += u64::from(first && flipped);
        self.statistics.iterated += u64::from(!first && flipped);
        if first && !flipped {
            *self.futile.entry(*edge).or_insert(0) += 1;
        }
        if flipped || !self.features.has(Feature::Iteration) {
            return;
        }
        let mut chase = chase.clone();
        chase.learn(*value, branch.map(gap));
        self.next_value(base, *element, *place, *edge, chase);
    }

    /// Whether the run ended in a failure of what compared at `place`: then nothing was recorded behind it.
    fn breaks(&self, base: &Base, place: EdgeId, seen: &Observation) -> bool {
        let failing = base.at(place).is_some_and(|branch| {
            branch.kind == BranchKind::Assertion || branch.fates.contains(&Fate::Assert)
        });
        failing && (!seen.broken.is_empty() || seen.steps.iter().any(|step| step.assertion.is_some()))
    }

    /// Copies of a base in which operands were replaced, for all that it just missed.
    pub(super) fn replace_operands(&mut self, base: &Arc<Base>) {
        if !self.features.has(Feature::InputToState) {
            return;
        }
        let mut goals: Vec<(&Branch, Missed)> = base
            .branches()
            .filter_map(|branch| base::missed(branch).map(|missed| (branch, missed)))
            .filter(|(_, missed)| !self.frontier.is_covered(missed.edge))
            .collect();
        goals.sort_by_key(|(_, missed)| std::cmp::Reverse(missed.urgency));
        let mut made = Vec::new();
        for (branch, missed) in goals {
            for (sequence, from) in
                replacements(branch, missed.outcome, &base.seed.calls, &base.elements, &self.world)
            {
                let intent = Intent::Replace { place: branch.place(), edge: missed.edge };
                made.push(Candidate::tracked(sequence, "replace", from, intent));
            }
            if made.len() >= REPLACEMENTS {
                break;
            }
        }
        self.urgent.extend(made);
    }
}
