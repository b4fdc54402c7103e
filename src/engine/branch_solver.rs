//! Solver of path conditions for branches that predictions did not flip ([`crate::solver`]).
//!
//! The nearest execution to a just-missed branch is run once more, symbolically. The inputs that its path condition
//! asks for become candidates. Conditions that our own procedures do not meet wait for an external solver.

use super::{
    bounded_queue::BoundedQueue,
    calldata,
    candidate::{Candidate, Intent},
    frontier::{Frontier, Goal},
    input::{self, InputElement, InputPart},
    predict::{int, word},
    search_state::SearchState,
    technique::Technique,
    traced_run::{self, TracedRun},
};
use crate::engine::tuning::branch_solver::{
    ATTEMPTS, BUDGET, COST, DISCOVERIES, DOUBLINGS, KNOWN, LEAST_TRIES, PAUSE, PER_EXPRESSION, QUERIES,
    ROUNDS, TARGETS,
};
use crate::{
    config::Feature,
    model::{EdgeId, Sequence, SolverCounts, SymbolicInput, SymbolicPath},
    solver::{Assignment, PathCondition, Solution},
};
use alloy_primitives::U256;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Condition that is left to an external solver.
#[derive(Clone, Debug)]
pub struct SolverQuery {
    base: Arc<TracedRun>,
    edge: EdgeId,
    round: u32,
    condition: PathCondition,
}

impl SolverQuery {
    /// Returns the condition.
    #[must_use]
    pub fn condition(&self) -> &PathCondition {
        &self.condition
    }
}

/// Attempts for one edge.
#[derive(Clone, Copy, Debug, Default)]
struct EdgeRecord {
    attempts: u32,
    /// Number of sequences of the campaign from which on the next attempt is allowed.
    next: u64,
}

/// Solver of path conditions.
pub(super) struct BranchSolver {
    has_external: bool,
    /// Sequences with inputs that meet a condition, and those whose next condition is wanted.
    solved: BoundedQueue<Candidate>,
    queries: BoundedQueue<SolverQuery>,
    /// Runs that covered something for the first time, each with an edge that it just missed. The nearest execution to
    /// an assertion is often an older one that does not depend on what the run computed.
    discoveries: BoundedQueue<(Arc<TracedRun>, EdgeId)>,
    attempts: FxHashMap<EdgeId, EdgeRecord>,
    /// Branches of which a condition was left to an external solver.
    wanting: FxHashSet<EdgeId>,
    counts: SolverCounts,
    /// Cost of the work that was not charged yet.
    cost: u64,
}

impl BranchSolver {
    /// Creates a solver without work. `has_external` is true if an external solver takes the conditions that are left.
    pub(super) fn new(has_external: bool) -> Self {
        Self {
            has_external,
            solved: BoundedQueue::new(super::WAITING),
            queries: BoundedQueue::new(QUERIES),
            discoveries: BoundedQueue::new(super::WAITING),
            attempts: FxHashMap::default(),
            wanting: FxHashSet::default(),
            counts: SolverCounts::default(),
            cost: 0,
        }
    }
}

impl BranchSolver {
    /// Returns the results so far.
    pub(super) fn counts(&self, frontier: &Frontier) -> SolverCounts {
        let left = self.wanting.iter().filter(|edge| !frontier.is_covered(**edge));
        SolverCounts { left: left.count() as u64, ..self.counts }
    }

    /// Returns the cost of the work since the last call, in the units of the budget.
    pub(super) fn take_cost(&mut self) -> u64 {
        std::mem::take(&mut self.cost)
    }

    /// Makes a sequence with inputs that meet a condition.
    pub(super) fn pending_solution(&mut self) -> Option<Candidate> {
        self.solved.pop()
    }

    /// Makes such a sequence, or one that is run to learn a condition.
    pub(super) fn solve(&mut self, state: &mut SearchState) -> Option<Candidate> {
        if let Some(candidate) = self.solved.pop() {
            return Some(candidate);
        }
        if state.rng.coin()
            && let Some((base, edge)) = self.discovery(state)
        {
            return Some(path(base, edge, 0));
        }
        let goals: Vec<&Goal> = state.frontier.some(ATTEMPTS, &mut state.rng).collect();
        // Without predictions, there is nothing to wait for.
        let least = if state.features.has(Feature::Prediction) { LEAST_TRIES } else { 0 };
        let is_due = |goal: &&&Goal| goal.is_worth_solving(least) && self.is_due(goal.edge, state.sequences);
        let goal = goals
            .iter()
            .filter(is_due)
            .max_by_key(|goal| (goal.weight, std::cmp::Reverse(self.attempts(goal.edge))))?;
        let (edge, base) = (goal.edge, goal.execution(self.attempts(goal.edge) as usize).clone());
        self.note_attempt(edge, state.sequences);
        Some(path(base, edge, 0))
    }

    /// Continues with a run of solved inputs that just missed the edge by another comparison, as where the first half
    /// of `a && b` was solved.
    pub(super) fn continue_from(&mut self, base: Arc<TracedRun>, edge: EdgeId, round: u32) {
        if round < ROUNDS && base.branch_of(edge).is_some() {
            self.solved.push(path(base, edge, round + 1));
        }
    }

    /// Adds a run that covered something for the first time.
    pub(super) fn discovered(&mut self, base: &Arc<TracedRun>) {
        let mut missed: Vec<_> = base.branches().filter_map(traced_run::missed).collect();
        missed.retain(|missed| missed.urgency > 0);
        missed.sort_by_key(|missed| missed.urgency);
        let most = missed.len().saturating_sub(DISCOVERIES);
        self.discoveries.extend(missed[most..].iter().map(|missed| (base.clone(), missed.edge)));
    }

    /// Returns the runs that wait. They may occur more than once.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &TracedRun> {
        let queries = self.queries.iter().map(|query| &*query.base);
        self.discoveries.iter().map(|(base, _)| &**base).chain(queries)
    }

    /// Forgets the runs that wait.
    pub(super) fn forget_waiting(&mut self) {
        self.discoveries.clear();
        self.queries.clear();
    }

    /// Takes the newest run that covered something and just missed an edge that is still not covered.
    fn discovery(&mut self, state: &SearchState) -> Option<(Arc<TracedRun>, EdgeId)> {
        let mut newest = std::iter::from_fn(|| self.discoveries.pop_newest());
        newest.find(|(_, edge)| !state.frontier.is_covered(*edge))
    }

    /// Returns the number of attempts for an edge so far.
    fn attempts(&self, edge: EdgeId) -> u32 {
        self.attempts.get(&edge).map_or(0, |record| record.attempts)
    }

    /// Counts an attempt for an edge, and lets the next one wait.
    fn note_attempt(&mut self, edge: EdgeId, now: u64) {
        if self.attempts.len() >= KNOWN {
            self.attempts.clear();
        }
        let record = self.attempts.entry(edge).or_default();
        record.attempts += 1;
        record.next = now + (PAUSE << record.attempts.min(DOUBLINGS));
    }

    fn is_due(&self, edge: EdgeId, now: u64) -> bool {
        self.attempts.get(&edge).is_none_or(|record| now >= record.next)
    }

    /// Looks for inputs that take `edge`, given the path of a run of `base` that just missed it.
    pub(super) fn learn(
        &mut self,
        state: &SearchState,
        (base, edge, round): (&Arc<TracedRun>, EdgeId, u32),
        path: &SymbolicPath,
    ) {
        let attempts = self.attempts(edge).max(1);
        let most = |input: SymbolicInput| most(state, &base.seed.calls, input);
        let last = path.targets.iter().rev().take(TARGETS - 1);
        let mut targets: Vec<usize> = last.chain(path.targets.first()).copied().collect();
        targets.dedup();
        self.cost += PER_EXPRESSION * path.expressions.len() as u64;
        let count = targets.len() as u64;
        for target in targets {
            let Some(condition) = PathCondition::new(path, target, most) else { continue };
            self.counts.conditions += 1;
            let budget = (BUDGET << attempts.min(DOUBLINGS)) / count;
            let Solution { assignment, is_complete, work } =
                condition.solve(edge ^ u64::from(attempts), budget);
            self.cost += COST * work;
            let origin = if is_complete { "solved" } else { "nearly-solved" };
            let may_run = assignment
                .is_some_and(|assignment| self.push(state, (base, edge, round), &assignment, origin));
            if is_complete && may_run {
                self.counts.solved += 1;
                return;
            }
            self.wanting.insert(edge);
            if self.has_external {
                self.queries.push(SolverQuery { base: base.clone(), edge, round, condition });
            }
        }
    }

    /// Takes a condition for an external solver.
    pub(super) fn query(&mut self, state: &SearchState) -> Option<SolverQuery> {
        let mut queries = std::iter::from_fn(|| self.queries.pop_newest());
        let query = queries.find(|query| !state.frontier.is_covered(query.edge))?;
        self.counts.asked += 1;
        Some(query)
    }

    /// Tells whether there are conditions for an external solver.
    pub(super) fn has_queries(&self) -> bool {
        !self.queries.is_empty()
    }

    /// Learns the answer of an external solver.
    pub(super) fn answer(&mut self, state: &SearchState, query: &SolverQuery, assignment: &Assignment) {
        let may_run = self.push(state, (&query.base, query.edge, query.round), assignment, "smt");
        self.counts.answered += u64::from(may_run);
    }

    /// Learns that an external solver met no condition: the branch is tried less often.
    pub(super) fn refute(&mut self, state: &SearchState, query: &SolverQuery) {
        self.note_attempt(query.edge, state.sequences);
    }

    /// Takes a solution as a candidate; returns false if nobody may make its calls.
    fn push(
        &mut self,
        state: &SearchState,
        (base, edge, round): (&TracedRun, EdgeId, u32),
        assignment: &Assignment,
        origin: &'static str,
    ) -> bool {
        let Some(sequence) = assigned(state, &base.seed.calls, assignment) else { return false };
        let from = (0..sequence.len()).find(|call| sequence[*call] != base.seed.calls[*call]).unwrap_or(0);
        let candidate = Candidate::new(sequence, Technique::Solver, origin);
        self.solved.push(candidate.traced(from, Intent::Solved { edge, round }));
        true
    }
}

/// Returns a candidate that is run to learn the condition of an edge.
fn path(base: Arc<TracedRun>, edge: EdgeId, round: u32) -> Candidate {
    let calls = base.seed.calls.clone();
    let from = calls.len() - 1;
    let candidate = Candidate::new(calls, Technique::Solver, "path");
    let mut candidate = candidate.traced(from, Intent::Path { base, edge, round });
    candidate.probing.symbolic = Some(edge);
    candidate
}

/// Returns the transaction and the part of it that hold an input; `None` for words of calldata, and for inputs that
/// nobody chooses.
fn part_of(input: SymbolicInput) -> Option<(usize, InputPart)> {
    match input {
        SymbolicInput::Value(call) => Some((call, InputPart::Value)),
        SymbolicInput::Sender(call) => Some((call, InputPart::Sender)),
        SymbolicInput::Delay(call) => Some((call, InputPart::Warp)),
        SymbolicInput::Blocks(call) => Some((call, InputPart::Roll)),
        _ => None,
    }
}

/// Returns the largest value of an input; `None` if it cannot be chosen.
fn most(state: &SearchState, calls: &Sequence, input: SymbolicInput) -> Option<U256> {
    if let SymbolicInput::Input(call, offset) = input {
        return calldata::largest(&calls.get(call)?.input, offset);
    }
    let (step, part) = part_of(input)?;
    let tx = calls.get(step)?;
    if !input::elements(tx, step, &state.generator).contains(&InputElement { step, part }) {
        return None;
    }
    Some(match part {
        InputPart::Warp => U256::from(state.generator.max_warp - 1),
        InputPart::Roll => U256::from(state.generator.max_roll - 1),
        _ => word(input::domain(tx, part, &state.generator)?.max()),
    })
}

/// Returns a sequence with other inputs; `None` if they cannot be chosen so.
fn assigned(state: &SearchState, calls: &Sequence, assignment: &Assignment) -> Option<Sequence> {
    let mut calls = calls.clone();
    let mut words: FxHashMap<usize, Vec<(usize, U256)>> = FxHashMap::default();
    for (input, value) in assignment {
        if let SymbolicInput::Input(call, offset) = *input {
            words.entry(call).or_default().push((offset, *value));
            continue;
        }
        let (call, part) = part_of(*input)?;
        if !input::set(calls.get_mut(call)?, part, int(*value, false), &state.generator) {
            return None;
        }
    }
    for (call, words) in words {
        let tx = calls.get_mut(call)?;
        tx.input = calldata::with_words(&tx.input, &words)?;
    }
    Some(calls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{seed::Seed, toy},
        model::{Expression, Observation, PathDecision, WordOperator},
    };

    /// A run of `add(5)`, and its path: `5 * factor == wanted` was false.
    fn missed(state: &mut SearchState, factor: u64, wanted: u64) -> (Arc<TracedRun>, SymbolicPath) {
        let seed = Seed { calls: vec![toy::call("add", &[5])], born: Arc::default(), extendable: true };
        let base = state.traced_run(Arc::new(seed), &Observation::default());
        let mut path = SymbolicPath::default();
        let all = &mut path.expressions;
        let input = all.add(Expression::Input(SymbolicInput::Input(0, 4)), U256::from(5));
        let [factor, wanted] = [factor, wanted].map(|word| all.add(Expression::Constant, U256::from(word)));
        let product =
            all.operation(WordOperator::Mul, [input, factor].into(), U256::from(5) * all.value(factor));
        let condition = all.operation(WordOperator::Equal, [product, wanted].into(), U256::ZERO);
        path.decisions.push(PathDecision { condition, holds: false });
        path.targets.push(0);
        (base, path)
    }

    #[test]
    fn inputs_that_meet_a_condition_become_candidates() {
        let mut state = SearchState::new(&toy::init(10, 1));
        let mut solver = BranchSolver::new(true);
        let (base, path) = missed(&mut state, 3, 300);
        solver.learn(&state, (&base, 7, 0), &path);
        let candidate = solver.pending_solution().expect("a candidate");
        assert_eq!(candidate.sequence, [toy::call("add", &[100])]);
        assert_eq!(candidate.origin, "solved");
        assert!(!solver.has_queries() && solver.take_cost() > 0);
        let counts = SolverCounts { conditions: 1, solved: 1, ..SolverCounts::default() };
        assert_eq!(solver.counts(&state.frontier), counts);
    }

    #[test]
    fn what_is_not_solved_waits_for_an_external_solver() {
        let mut state = SearchState::new(&toy::init(10, 1));
        let mut solver = BranchSolver::new(true);
        let (base, path) = missed(&mut state, 2, 7);
        for _ in 0..2 {
            solver.learn(&state, (&base, 7, 0), &path);
        }
        assert!(solver.pending_solution().is_none());
        assert_eq!(solver.counts(&state.frontier).left, 1);
        let query = solver.query(&state).expect("a query");
        solver.answer(&state, &query, &vec![(SymbolicInput::Input(0, 4), U256::from(8))]);
        assert_eq!(solver.pending_solution().map(|candidate| candidate.origin), Some("smt"));
        state.frontier.cover(7);
        assert!(solver.query(&state).is_none(), "the edge was covered meanwhile");
        assert_eq!(solver.counts(&state.frontier).left, 0);
    }
}
