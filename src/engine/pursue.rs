//! From what a moved element did to the costs to predictions, and on from those that failed.

use super::{
    Engine,
    base::{self, Base, Missed},
    candidate::{Candidate, Intent, Pursuit},
    input::{self, Element},
    predict::{Aim, Chase, gap, replacements},
};
use crate::config::Feature;
use crate::model::{Branch, BranchKind, EdgeId, Fate, Observation};
use std::sync::Arc;

/// Predictions that one moved element starts.
const PURSUITS: usize = 4;
/// One in this many moves that concern nothing uncovered starts a prediction for a covered edge: other
/// combinations of branches are paths too.
const COVERED: usize = 6;
/// Sequences with replaced operands made of one base.
const REPLACEMENTS: usize = 24;
/// Pursuits remembered, so that none is begun twice.
const REMEMBERED: usize = 1 << 16;

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
        let mut wanted = Vec::new();
        let mut covered = Vec::new();
        for (_, branch) in base::branches(seen) {
            let Some((missed, chase)) = self.chase(candidate, base, element, branch) else { continue };
            let pursuit = (missed, branch.place(), chase);
            if self.frontier.is_covered(missed.edge) { covered.push(pursuit) } else { wanted.push(pursuit) }
        }
        if !nudge {
            // Two points far apart say little of a line; where the move led, the slope is worth knowing.
            if !wanted.is_empty() {
                self.nudge_here(candidate, element, seen);
            }
            return;
        }
        if wanted.is_empty() && self.rng.below(COVERED) == 0 {
            let chosen = self.rng.below(covered.len());
            wanted.extend(covered.into_iter().nth(chosen));
        }
        wanted.sort_by_key(|(missed, ..)| std::cmp::Reverse(missed.urgency));
        // What only leads into a revert is pursued where nothing else is.
        if wanted.first().is_some_and(|(missed, ..)| missed.urgency > 0) {
            wanted.retain(|(missed, ..)| missed.urgency > 0);
        }
        for (missed, place, chase) in wanted.into_iter().take(PURSUITS) {
            if self.is_new_pursuit(base, element, missed) {
                self.next_value(base, element, place, missed.edge, chase);
            }
        }
    }

    /// A chase of the outcome that `branch` did not have, where the move of the element changed its cost.
    fn chase(
        &self,
        candidate: &Candidate,
        base: &Base,
        element: Element,
        branch: &Branch,
    ) -> Option<(Missed, Chase)> {
        let missed = base::missed(branch)?;
        let is_missed =
            |before: &&Branch| base::missed(before).is_some_and(|before| before.edge == missed.edge);
        let before = base.same(branch).filter(is_missed)?;
        let aim = Aim::of(branch, missed.outcome)?;
        let points = (gap(before), gap(branch));
        if points.0 == points.1 {
            return None;
        }
        let (old, new) = (base.seed.calls.get(element.step)?, candidate.sequence.get(element.step)?);
        let (i0, i1) = (input::get(old, element.part)?, input::get(new, element.part)?);
        let domain = input::domain(old, element.part, &self.world)?;
        Chase::new(aim, domain, (i0, points.0), (i1, points.1)).map(|chase| (missed, chase))
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
        let is_idle = self.frontier.is_covered(missed.edge) || missed.urgency == 0;
        let odds = if is_idle { failures * failures } else { failures / 8 };
        if self.rng.below(1 + odds as usize) > 0 {
            return false;
        }
        if self.pursued.len() >= REMEMBERED {
            self.pursued.clear();
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
