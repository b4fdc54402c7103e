//! Search engine: proposes candidate sequences, and learns from the observations of their runs.
//!
//! It implements prediction-guided, demand-driven greybox fuzzing (Wuestholz and Christakis, *Harvey*, FSE
//! 2020) with the adaptive seeds of sFuzz (Nguyen et al., ICSE 2020). A candidate is one of
//! * a call of one function with all-zero arguments, once for each function at the start;
//! * a random sequence of `depth` calls, as Forge makes them, for bugs that need many calls (`random_walks`);
//! * a short random sequence;
//! * a variant of a kept sequence. A sequence is kept if it reached a new path of its last call (or of a
//!   property after it), came nearest to a just-missed branch, or led to a new state, a larger value of an
//!   optimization, or new contracts to call.
//!
//! The techniques make variants of kept sequences as follows. A traced run measures the costs of the
//! branches. Operands that stand in the input are replaced (`replacement`). The elements of the input are
//! moved one by one, and the effects on the costs predict values that flip branches (`prediction`). Words of
//! storage are replaced to learn whether longer sequences would help, calls are then put before the last one,
//! and calls that read the written words are put after it (`demand_driven`). Branches that are covered only
//! after other calls are flipped, too (`context_targets`). Operators change sequences at random (`mutation`).
//!
//! Each prefix of a sequence counts as a sequence with a last call of its own, so that one long run may yield
//! several kept sequences. The engine uses no EVM, clock, thread or file: the same seed, stream and
//! observations give the same candidates.
//!
//! | file | content |
//! |---|---|
//! | `strategy/` | choice of the next candidate: ours, and the strategies that it is compared with |
//! | `shares`, `technique` | scheduler: division of the budget among techniques |
//! | `search_state` | state that all techniques share: corpus, frontier, dictionary, random numbers |
//! | `initial`, `random` | initial inputs, random sequences |
//! | `mutation`, `mutate/` | mutants of kept sequences, and the operators |
//! | `replacement` | operands replaced in place |
//! | `reentry` | reentrant calls where a contract handed over control |
//! | `prediction/`, `predict/` | jobs of input prediction, and its mathematics |
//! | `branch_solver`, `calldata` | inputs that meet the conditions of paths, and their place in calls |
//! | `demand_driven`, `demand` | calls put before others, and what is known of readers and writers |
//! | `context_targets`, `failed_predictions` | covered branches worth flipping, predictions not worth repeating |
//! | `learn/` | learning from a run |
//! | `corpus/`, `energy`, `job` | kept sequences, and work on one of them |
//! | `frontier`, `traced_run`, `input` | just-missed branches, a traced execution, the elements of its input |
//! | `call_generator`, `functions`, `senders`, `seed` | calls, and sequences under construction |
//! | `dictionary/`, `value/` | values worth trying, and values of all ABI types |
//! | `shrink/` | passes that simplify a failing sequence, one file each |
//! | `tuning` | numbers that tune the search, except the weights of operators (`mutate/`) and of rewards (`shares`) |
//! | `example`, `rng`, `statistics` | calls of unit tests, random numbers, counts for the report |
//! | `bounded_queue`, `bounded_set` | collections with a size limit |
//! | `toy/`, `toy_contracts` | programs on which the engine is tested |

mod bounded_queue;
mod bounded_set;
mod branch_solver;
mod call_generator;
mod calldata;
mod candidate;
mod context_targets;
mod corpus;
mod demand;
mod demand_driven;
mod dictionary;
mod energy;
mod example;
mod failed_predictions;
mod frontier;
mod functions;
mod initial;
mod input;
mod job;
mod learn;
mod mutate;
mod mutation;
mod predict;
mod prediction;
mod random;
mod reentry;
mod replacement;
mod rng;
mod search_state;
mod seed;
mod senders;
mod shares;
pub mod shrink;
mod statistics;
mod strategy;
mod technique;
#[cfg(test)]
mod toy;
#[cfg(test)]
mod toy_contracts;
mod traced_run;
mod tuning;
mod value;

pub use branch_solver::SolverQuery;
pub use candidate::Candidate;
pub use dictionary::InitialDictionary;
pub use example::Example;
pub use functions::{fixture_key, parameter_key};
pub use learn::{Learned, Novelty};
pub(crate) use rng::Rng;
pub use shares::{OperatorCost, Reward, TechniqueCost};
pub use statistics::Statistics;
pub use technique::Technique;
pub use value::zero;

use crate::engine::tuning::engine::WAITING;
use crate::{
    config::{Feature, HarveyConfig, InvariantConfig},
    model::{Branch, EdgeId, Observation, Sequence, Slot, TargetSet, Transaction},
    solver::Assignment,
};
use alloy_primitives::U256;
use branch_solver::BranchSolver;
use demand_driven::DemandDriven;
use frontier::Goal;
use initial::InitialInputs;
use learn::{Learner, Learning};
use mutation::Mutator;
use prediction::Predictor;
use random::RandomSequences;
use reentry::ReentrantCalls;
use replacement::Replacer;
use search_state::SearchState;
use shares::Shares;
use std::time::Duration;
use strategy::{SearchContext, SearchStrategy};

/// Input of an [`Engine`].
#[derive(Clone, Debug)]
pub struct EngineInit {
    /// Functions that may be called, and the senders.
    pub targets: TargetSet,
    /// Values found in the sources and in deployed code.
    pub dictionary: InitialDictionary,
    /// Invariant configuration, of which the depths, weights, `include_push_bytes` and the delays are used.
    pub invariant: InvariantConfig,
    /// Harvey configuration, of which `strategy`, `random_walks` and `without` are used.
    pub harvey: HarveyConfig,
    /// True if an external solver takes the conditions that are left.
    pub has_solver: bool,
    /// Calls of unit tests, one list for each test.
    pub examples: Vec<Vec<Example>>,
    /// Seed of the campaign.
    pub seed: u64,
    /// Number of the worker. Workers with the same seed draw from random streams that do not overlap.
    pub stream: u64,
}

/// Edge that was just missed.
#[derive(Clone, Debug)]
pub struct StuckBranch<'a> {
    /// The edge.
    pub edge: EdgeId,
    /// Comparison of the nearest execution.
    pub branch: &'a Branch,
    /// Outcome of the comparison that leads to the edge.
    pub wanted: bool,
    /// Sequence of the nearest execution.
    pub sequence: &'a Sequence,
    /// Number of calls spent on the edge, halved whenever an execution comes nearer.
    pub tries: u32,
    /// True if the edge leads to further code, and not just into a failure.
    pub leads_on: bool,
    /// True if the last call made the comparison, and not a property after it.
    pub in_call: bool,
    /// True if moving an element of the input is known to bring the comparison nearer.
    pub moves: bool,
}

/// Techniques that make candidates, each with its own pending work.
struct Techniques {
    initial: InitialInputs,
    random: RandomSequences,
    mutator: Mutator,
    replacer: Replacer,
    predictor: Predictor,
    demand_driven: DemandDriven,
    branch_solver: BranchSolver,
    reentrant_calls: ReentrantCalls,
}

impl Techniques {
    /// Makes the next candidate of a technique; `None` if it has nothing to run.
    fn make(&mut self, technique: Technique, state: &mut SearchState) -> Option<Candidate> {
        match technique {
            Technique::Seeds => self.initial.next(state),
            Technique::Random => self.random.random(state),
            Technique::Prefix => self.random.prefix_and_tail(state),
            Technique::Mutation => self.mutator.mutation(state),
            Technique::Replacement => self.replacer.replacement(state),
            Technique::Prediction => self.predictor.prediction(state),
            Technique::DemandDriven => self.demand_driven.demand_driven(state),
            Technique::Solver => self.branch_solver.solve(state),
            Technique::Reentry => self.reentrant_calls.reentry(),
        }
    }

    /// Makes a candidate from pending work that need not wait for the technique's turn; `None` if there is none.
    fn make_pending(&mut self, technique: Technique, state: &mut SearchState) -> Option<Candidate> {
        match technique {
            Technique::Replacement => self.replacer.pending_replacement(state),
            Technique::Prediction => self.predictor.pending_prediction(state),
            Technique::DemandDriven => self.demand_driven.pending_demand_driven(state),
            Technique::Solver => self.branch_solver.pending_solution(),
            Technique::Reentry => self.reentrant_calls.reentry(),
            _ => None,
        }
    }
}

/// Search for failing sequences: [`Self::ask`] makes candidates, [`Self::tell`] learns from their runs.
pub struct Engine {
    /// Corpus, goals, dictionary and random numbers.
    state: SearchState,
    techniques: Techniques,
    /// Division of the budget among the techniques, which decides the next technique.
    shares: Shares,
    learner: Learner,
    strategy: Box<dyn SearchStrategy>,
    /// Part of the budget that is used up, in thousandths.
    used: u32,
}

impl Engine {
    /// Prepares a search. The first candidates are all-zero calls of every function.
    #[must_use]
    pub fn new(init: EngineInit) -> Self {
        let mut state = SearchState::new(&init);
        let techniques = Techniques {
            initial: InitialInputs::new(&init, &mut state),
            random: RandomSequences::default(),
            mutator: Mutator::default(),
            replacer: Replacer::default(),
            predictor: Predictor::default(),
            demand_driven: DemandDriven::default(),
            branch_solver: BranchSolver::new(init.has_solver),
            reentrant_calls: ReentrantCalls::default(),
        };
        let is_adaptive = state.features.has(Feature::Bandit);
        let shares = Shares::new(|technique| is_on(technique, &state), is_adaptive, init.harvey.random_walks);
        let strategy = strategy::create(init.harvey.strategy);
        Self { state, techniques, shares, learner: Learner::default(), strategy, used: 0 }
    }

    /// Returns the number of distinct paths seen so far.
    #[must_use]
    pub fn paths(&self) -> u64 {
        self.state.corpus.suite.seen()
    }

    /// Returns the number of sequences passed to [`Self::tell`] so far.
    #[must_use]
    pub fn runs_learned(&self) -> u64 {
        self.state.sequences
    }

    /// Returns the statistics of the search so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics {
            paths: self.paths(),
            branches: self.state.frontier.covered() as u64,
            values: self.learner.values() as u64,
            kept: self.state.corpus.suite.len() as u64,
            kept_calls: self.state.corpus.suite.calls() as u64,
            origins: self.shares.origins().to_vec(),
            predictions: *self.techniques.predictor.statistics(),
            solver: self.techniques.branch_solver.counts(&self.state.frontier),
        }
    }

    /// Returns the next sequence to run, of at most `depth` calls that count.
    pub fn ask(&mut self) -> Candidate {
        if self.state.depth == 0 {
            return Candidate::new(Vec::new(), Technique::Seeds, "zero");
        }
        let Self { state, techniques, shares, learner, strategy, used } = self;
        let mut search = SearchContext { state, techniques, shares, learner, used: *used };
        let candidate = strategy.next(&mut search).filter(|candidate| !candidate.sequence.is_empty());
        // Without a candidate, no sequence is kept yet.
        candidate.unwrap_or_else(|| random::short(state, Technique::Seeds))
    }

    /// Notes the part of the budget that is used up, in thousandths.
    pub fn note_budget(&mut self, used: u32) {
        self.used = used;
    }

    /// Learns from the run of a candidate, and returns the part that another engine would learn, too. Runs
    /// may be reported in any order, or not at all.
    pub fn tell(&mut self, candidate: &Candidate, seen: &Observation) -> Learned {
        if seen.steps.is_empty() {
            return Learned::default();
        }
        self.state.sequences += 1;
        self.strategy.learn(candidate, seen);
        let Self { state, techniques, learner, .. } = self;
        let (learned, reward) = Learning::new(learner, state, techniques, candidate, seen).run();
        let solving = techniques.branch_solver.take_cost();
        if !candidate.is_shared() && !candidate.is_kept() {
            self.shares.charge(candidate, seen, reward, solving);
        }
        learned
    }

    /// Tells whether there are conditions for an external solver.
    #[must_use]
    pub fn has_queries(&self) -> bool {
        self.techniques.branch_solver.has_queries()
    }

    /// Takes a condition for an external solver.
    pub fn query(&mut self) -> Option<SolverQuery> {
        self.techniques.branch_solver.query(&self.state)
    }

    /// Learns inputs that an external solver found.
    pub fn answer(&mut self, query: &SolverQuery, assignment: &Assignment) {
        self.techniques.branch_solver.answer(&self.state, query, assignment);
    }

    /// Records that an external solver says that no inputs meet a condition.
    pub fn refute(&mut self, query: &SolverQuery) {
        self.techniques.branch_solver.refute(&self.state, query);
    }

    /// Records that a candidate led to a new failure.
    pub fn credit(&mut self, candidate: &Candidate) {
        self.shares.credit(candidate);
    }

    /// Records the CPU time of a candidate, which is only used for statistics.
    pub fn note_cpu(&mut self, candidate: &Candidate, cpu: Duration) {
        self.shares.note_cpu(candidate, cpu);
    }

    /// Returns the sequences that covered something for the first time, in order of their discovery.
    pub fn first_coverers(&self) -> impl Iterator<Item = &Sequence> {
        self.learner.first_coverers().iter().map(|seed| &seed.calls)
    }

    /// Returns the edges that were just missed and never covered, each with the nearest execution.
    pub fn missed(&self) -> impl Iterator<Item = StuckBranch<'_>> {
        self.state.frontier.goals().filter_map(|goal| {
            let branch = goal.base.at(goal.place)?;
            let missed = traced_run::missed(branch)?;
            let in_call = goal.base.subject(goal.place) == Some(traced_run::RunPart::Call);
            let Goal { edge, tries, base, moves, .. } = goal;
            let (sequence, wanted, leads_on) = (&base.seed.calls, missed.outcome, missed.leads_on());
            let (edge, tries, moves) = (*edge, *tries, *moves);
            Some(StuckBranch { edge, branch, wanted, sequence, tries, leads_on, in_call, moves })
        })
    }

    /// Returns calls that succeeded and changed some of these bits of a word in storage, the newest one of each
    /// function.
    pub fn writers(&self, slot: Slot, bits: U256) -> impl Iterator<Item = &Transaction> {
        self.state.demand.writers(slot, bits)
    }
}

/// Tells whether a technique is enabled.
fn is_on(technique: Technique, state: &SearchState) -> bool {
    let features = state.features;
    match technique {
        Technique::Seeds => true,
        Technique::Reentry => state.generator.reenters(),
        Technique::Random => features.has(Feature::Random),
        Technique::Prefix => features.has(Feature::Prefixes),
        Technique::Mutation => features.has(Feature::Mutation),
        Technique::Replacement => features.has(Feature::InputToState),
        Technique::Prediction => features.has(Feature::Prediction),
        Technique::Solver => features.has(Feature::Solver),
        Technique::DemandDriven => features.has(Feature::DemandDriven) || features.has(Feature::Dependencies),
    }
}

#[cfg(test)]
mod tests;
