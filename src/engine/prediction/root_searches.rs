//! Predictions from the effects of moved elements on costs, and root searches after predictions that failed.

use super::Predictor;
use crate::config::Feature;
use crate::engine::tuning::prediction_root_searches::{
    COVERED_SEARCHES, COVERED_STEPS, FEWEST_STEPS, PAIR_CALLS, PLATEAU_STEPS, ROOT_SEARCH_CALLS,
    SEARCH_CALLS, SEARCHES, SLOPES, SLOPES_OF_BASE,
};
use crate::engine::{
    candidate::{Candidate, Effect, Intent, Move, Prediction},
    input::{self, InputElement},
    predict::{Aim, FixedOperand, Int, RootSearch, gap, masked_root, solve, wrapped},
    search_state::SearchState,
    traced_run::{self, Missed, RunPart, TracedRun},
};
use crate::model::{Branch, BranchKind, BranchOutcome, EdgeId, Observation, Predictions};
use std::sync::Arc;

impl Predictor {
    /// Learns from a moved element of `base`, and predicts values of the element that flip branches.
    pub(in crate::engine) fn predict(
        &mut self,
        state: &mut SearchState,
        candidate: &Candidate,
        base: &Arc<TracedRun>,
        element: InputElement,
        by: &Move,
        seen: &Observation,
    ) {
        if let Move::Two(effects) = by {
            return self.begin(state, candidate, base, element, effects, seen);
        }
        let effects = self.effects(state, candidate, base, element, seen);
        let (covered, wanted): (Vec<_>, Vec<_>) =
            effects.into_iter().partition(|effect| state.frontier.is_covered(effect.missed.edge));
        wanted.iter().filter(|effect| effect.is_open()).for_each(|effect| {
            state.frontier.note_moved(effect.missed.edge, base);
        });
        if matches!(by, Move::One) {
            self.remember_step(state, base, element, &wanted);
        }
        if matches!(by, Move::Far) {
            // Two points far apart do not show a slope. The slope at the new point is measured instead.
            if !wanted.is_empty() {
                self.step_here(state, candidate, element, seen);
                self.cross_plateaus(state, base, element, &wanted);
            }
            return;
        }
        for effect in &wanted {
            self.pair(state, base, element, effect);
        }
        self.choose_targets(state, base, element, wanted, covered);
    }

    /// Chooses the most important branches, and requests a third point before the prediction.
    fn choose_targets(
        &mut self,
        state: &mut SearchState,
        base: &Arc<TracedRun>,
        element: InputElement,
        wanted: Vec<Effect>,
        covered: Vec<Effect>,
    ) {
        let mut chosen = wanted;
        if self.context_targets.is_at_work(base) {
            chosen.extend(covered);
        } else if chosen.is_empty() {
            let is_new = |effect: &Effect| {
                effect.missed.urgency > 0 && self.flips.is_new((base.path(effect.place), effect.missed.edge))
            };
            chosen = covered.into_iter().filter(is_new).take(COVERED_SEARCHES).collect();
        }
        chosen.sort_by_key(|effect| std::cmp::Reverse(effect.missed.urgency));
        // Branches that only lead into a revert are chosen only if there are no others.
        if chosen.first().is_some_and(|effect| effect.missed.urgency > 0) {
            chosen.retain(|effect| effect.missed.urgency > 0);
        }
        chosen.truncate(affordable(base, SEARCH_CALLS).min(SEARCHES));
        chosen.retain(|effect| self.is_new_search(state, base, element, effect.missed));
        let Some(Effect { points: [(i0, _), (i1, _)], domain, .. }) = chosen.first() else { return };
        let third = Some(*i1 + *i1 - *i0).filter(|value| domain.contains(*value));
        let third = third.filter(|_| state.features.has(Feature::Curves));
        match third.and_then(|value| state.moved(base, element, value, Move::Two(chosen.clone()))) {
            Some(candidate) => self.predicted.push(candidate),
            None => self.begin_with(state, base, element, &chosen, |_| None),
        }
    }

    /// Begins root searches from three points.
    fn begin(
        &mut self,
        state: &mut SearchState,
        candidate: &Candidate,
        base: &Arc<TracedRun>,
        element: InputElement,
        effects: &[Effect],
        seen: &Observation,
    ) {
        let value = candidate.sequence.get(element.step).and_then(|tx| input::get(tx, element.part));
        let third = |effect: &Effect| {
            let branch = traced_run::branch_at(seen, effect.place)?;
            traced_run::misses(branch, effect.missed.edge).then_some((value?, gap(branch)))
        };
        self.begin_with(state, base, element, effects, third);
    }

    fn begin_with(
        &mut self,
        state: &mut SearchState,
        base: &Arc<TracedRun>,
        element: InputElement,
        effects: &[Effect],
        third: impl Fn(&Effect) -> Option<(Int, Int)>,
    ) {
        for effect in effects {
            let Effect { aim, domain, fixed, .. } = *effect;
            let points: Vec<_> = effect.points.into_iter().chain(third(effect)).collect();
            let masked = fixed
                .filter(|_| state.features.has(Feature::Curves))
                .and_then(|fixed| masked_root(aim, &points, fixed, domain));
            if let Some(search) = RootSearch::new(aim, domain, &points, masked) {
                let search = search.limited(self.most_steps(state, base, effect.missed.edge));
                self.next_value(state, base, element, effect.place, effect.missed.edge, search);
            }
        }
    }

    /// Returns the maximum number of values to try for an edge from `base`.
    fn most_steps(&self, state: &SearchState, base: &TracedRun, edge: EdgeId) -> u32 {
        if state.frontier.is_covered(edge) && !self.context_targets.is_at_work(base) {
            return COVERED_STEPS;
        }
        FEWEST_STEPS.max(affordable(base, ROOT_SEARCH_CALLS) as u32)
    }

    /// Returns the effects of moving an element of `base` on the costs of the branches that it just missed.
    fn effects(
        &self,
        state: &SearchState,
        candidate: &Candidate,
        base: &TracedRun,
        element: InputElement,
        seen: &Observation,
    ) -> Vec<Effect> {
        let calls = (base.seed.calls.get(element.step), candidate.sequence.get(element.step));
        let (Some(old), Some(new)) = calls else { return Vec::new() };
        let values = (input::get(old, element.part), input::get(new, element.part));
        let (Some(i0), Some(i1)) = values else { return Vec::new() };
        let Some(domain) = input::domain(old, element.part, &state.generator) else { return Vec::new() };
        let effect = |branch: &Branch| {
            let missed = traced_run::missed(branch)?;
            let before = base.same(branch)?;
            let aim = Aim::of(branch, missed.outcome)?;
            let is_same = traced_run::misses(before, missed.edge);
            let points = [(i0, gap(before)), (i1, gap(branch))];
            (is_same && points[0].1 != points[1].1).then_some(Effect {
                missed,
                place: branch.place(),
                aim,
                domain,
                points,
                fixed: fixed(before, branch),
            })
        };
        traced_run::branches(seen).filter_map(|(_, branch)| effect(branch)).collect()
    }

    /// Moves the element together with another one that changes the same gap, since it may not close the gap alone.
    fn pair(
        &mut self,
        state: &mut SearchState,
        base: &Arc<TracedRun>,
        element: InputElement,
        effect: &Effect,
    ) {
        if !state.features.has(Feature::Pairs) || effect.aim != Aim::Zero {
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
        let others = others.into_iter().filter(|(other, _)| *other != element);
        for (other, slope) in others.take(affordable(base, PAIR_CALLS)) {
            let Some((x, y)) = solve(gap, effect.slope(), slope) else { continue };
            self.predicted.extend(state.moved_both(base, (element, x), (other, y)));
        }
    }

    /// Measures the slope at the new point of a random move, since the costs are seldom linear everywhere.
    fn step_here(
        &mut self,
        state: &mut SearchState,
        candidate: &Candidate,
        element: InputElement,
        seen: &Observation,
    ) {
        let Some(last) = seen.steps.len().checked_sub(1) else { return };
        let seed = state.prefix(&candidate.sequence, seen, last);
        if seed.calls.len() == candidate.sequence.len() {
            let here = state.traced_run(seed, seen);
            let next = state.unit_step(&here, element);
            self.predicted.extend(next);
        }
    }

    /// Begins root searches along the line through two points far apart, if the unit step had no effect but
    /// the far move had one, for example because of a division. No better line is known in this case.
    fn cross_plateaus(
        &mut self,
        state: &mut SearchState,
        base: &Arc<TracedRun>,
        element: InputElement,
        effects: &[Effect],
    ) {
        if !self.moved_elements.knows((base.id, element)) {
            return;
        }
        for effect in effects.iter().filter(|effect| effect.missed.urgency > 0).take(SEARCHES) {
            let prediction = (base.id, element, effect.missed.edge);
            if !self.searched.is_new(prediction) {
                continue;
            }
            if let Some(search) = RootSearch::approach(effect.aim, effect.domain, effect.points) {
                let search =
                    search.limited(self.most_steps(state, base, effect.missed.edge).min(PLATEAU_STEPS));
                self.next_value(state, base, element, effect.place, effect.missed.edge, search);
            }
        }
    }

    /// Records whether moving an element by one changed the cost of the job's goal or, without a goal, of any
    /// uncovered branch.
    fn remember_step(
        &mut self,
        state: &mut SearchState,
        base: &Arc<TracedRun>,
        element: InputElement,
        wanted: &[Effect],
    ) {
        let job = self.jobs.iter().rev().find(|job| Arc::ptr_eq(&job.seed, &base.seed));
        let goal = job.and_then(|job| job.goal);
        let is_useful = match goal {
            Some(edge) => wanted.iter().any(|effect| effect.missed.edge == edge),
            None => !wanted.is_empty(),
        };
        let edge = goal.unwrap_or_default();
        if is_useful {
            self.failures.succeed(base, element, edge);
        } else {
            self.failures.fail(base, element, edge, base.branch_of(edge), state.sequences);
        }
    }

    fn is_new_search(
        &mut self,
        state: &mut SearchState,
        base: &Arc<TracedRun>,
        element: InputElement,
        missed: Missed,
    ) -> bool {
        let key = root_key(missed.edge);
        self.failures.is_due(base, element, key, base.branch_of(missed.edge), state.sequences)
            && self.searched.is_new((base.id, element, missed.edge))
    }

    /// Makes a candidate with the next value of a root search. Returns true if there is one.
    fn next_value(
        &mut self,
        state: &mut SearchState,
        base: &Arc<TracedRun>,
        element: InputElement,
        place: EdgeId,
        edge: EdgeId,
        mut search: RootSearch,
    ) -> bool {
        while let Some(value) = search.next() {
            let Some(candidate) = state.moved(base, element, value, Move::Far) else {
                search.learn(value, None);
                continue;
            };
            let prediction = Prediction { base: base.clone(), element, place, edge, search, value };
            let intent = Intent::RootSearch(Box::new(prediction));
            self.predicted.push(Candidate { intent, origin: "predict", ..candidate });
            return true;
        }
        false
    }

    /// Learns from the run of a value of a root search, and continues the search if it did not flip the branch.
    pub(in crate::engine) fn follow(
        &mut self,
        state: &mut SearchState,
        prediction: &Prediction,
        seen: &Observation,
    ) {
        let Prediction { base, element, place, edge, search, value } = prediction;
        let branch = traced_run::branch_at(seen, *place);
        let flipped = branch.is_some_and(|branch| branch.took(*edge)) || self.breaks(base, *place, seen);
        if search.is_prediction() {
            let is_first = search.steps() == 1;
            self.note_prediction(base, *place, is_first, flipped, branch);
        }
        let key = root_key(*edge);
        if flipped {
            self.failures.succeed(base, *element, key);
            return;
        }
        if state.features.has(Feature::Iteration) {
            let mut search = search.clone();
            search.learn(*value, branch.map(gap));
            if self.next_value(state, base, *element, *place, *edge, search) {
                return;
            }
        }
        self.failures.fail(base, *element, key, base.branch_of(*edge), state.sequences);
    }

    /// Counts the result of a predicted value.
    fn note_prediction(
        &mut self,
        base: &TracedRun,
        place: EdgeId,
        is_first: bool,
        flipped: bool,
        after: Option<&Branch>,
    ) {
        let nearest = base.at(place).map(Branch::cost);
        let more = Predictions {
            tried: u64::from(is_first),
            one_shot: u64::from(is_first && flipped),
            iterated: u64::from(!is_first && flipped),
            unreached: u64::from(is_first && !flipped && after.is_none()),
            no_nearer: u64::from(
                is_first && !flipped && after.is_some_and(|after| Some(after.cost()) >= nearest),
            ),
        };
        self.statistics.all += more;
        if matches!(base.subject(place), Some(RunPart::Property(_))) {
            self.statistics.of_properties += more;
        }
    }

    /// Tells whether the run failed in the assertion of the comparison at `place`. The comparison is then not
    /// recorded, since recording ends with the failure.
    fn breaks(&self, base: &TracedRun, place: EdgeId, seen: &Observation) -> bool {
        let failing = base.at(place).is_some_and(|branch| {
            branch.kind == BranchKind::Assertion || branch.branch_outcomes.contains(&BranchOutcome::Assert)
        });
        failing && (!seen.broken.is_empty() || seen.steps.iter().any(|step| step.assertion.is_some()))
    }
}

/// Returns the operand that is equal in both runs, if there is one.
fn fixed(before: &Branch, after: &Branch) -> Option<FixedOperand> {
    if before.right == after.right {
        return Some(FixedOperand { operand: after.right, is_left: false });
    }
    (before.left == after.left).then_some(FixedOperand { operand: after.left, is_left: true })
}

/// Returns the key under which failed root searches for an edge are remembered. It differs from the key of
/// failed unit steps.
fn root_key(edge: EdgeId) -> EdgeId {
    !edge
}

/// Returns the number of runs of a sequence that cost at most `calls` calls, but at least one.
pub(in crate::engine) fn affordable(base: &TracedRun, calls: usize) -> usize {
    (calls / base.seed.calls.len().max(1)).max(1)
}
