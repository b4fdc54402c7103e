//! How inputs are chosen: ask for a candidate sequence, run it, tell what it showed.
//!
//! Prediction-guided, demand-driven greybox fuzzing (Wuestholz and Christakis, *Harvey*, FSE 2020) with the adaptive
//! seeds of sFuzz (Nguyen et al., ICSE 2020). A candidate is one of
//! * a call of one function with all-zero arguments, once for each function at the start;
//! * a random walk of `depth` calls, as Forge makes them, for bugs that need many calls; the more of them, the more
//!   they find (`walks`);
//! * a short random sequence;
//! * something done to a picked sequence: one that reached a path of its last call (or of a property after it) that
//!   was new, or that came nearest to a just-missed branch, or that led to a new state, a larger value of an
//!   optimization, or contracts to call.
//!
//! What is done to a picked sequence (`work`): it is run once with tracking, to learn what its branches cost; operands
//! that stand in the input are replaced; its elements are moved one by one, and what that does to the costs predicts
//! values that flip branches (`predict`); storage is tampered with to learn whether longer sequences would help, and
//! then calls are put before the last one (`demand`); what reads what it wrote is called after it; branches are flipped
//! that other calls before it covered (`context_targets`); and operators change it at random (`mutate`).
//!
//! Each prefix of a sequence counts as a sequence with a last call of its own, so that one long run may leave several
//! kept ones. There is no EVM, clock, thread or file in here: the same seed, stream and observations give the same
//! candidates.

mod bounded_queue;
mod bounded_set;
mod call_generator;
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
mod input;
mod job;
mod learn;
mod mutate;
mod mutation;
mod predict;
mod prediction;
mod random;
mod replacement;
mod rng;
mod root_search;
mod seed;
mod senders;
mod shares;
pub mod shrink;
mod statistics;
mod technique;
#[cfg(test)]
mod toy;
#[cfg(test)]
mod toy_contracts;
mod traced_run;
mod value;

pub use candidate::Candidate;
pub use dictionary::InitialDictionary;
pub use example::Example;
pub use functions::{fixture_key, parameter_key};
pub use learn::{Learned, Novelty};
pub use shares::{OperatorCost, Reward, TechniqueCost};
pub use statistics::Statistics;
pub use technique::Technique;
pub use value::zero;

use crate::{
    config::{Feature, Features, HarveyConfig, InvariantConfig},
    model::{Branch, EdgeId, PathId, Sequence, TargetSet, ValueId},
};
use bounded_queue::BoundedQueue;
use bounded_set::BoundedSet;
use call_generator::CallGenerator;
use context_targets::ContextTargets;
use corpus::Corpus;
use demand::Demand;
use failed_predictions::FailedPredictions;
use frontier::{Frontier, Goal};
use job::Job;
use rng::Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use seed::Seed;
use shares::Shares;
use std::{collections::VecDeque, sync::Arc, time::Duration};
use traced_run::TracedRun;

/// Short random sequences made at the start, for each function.
const WARM_UP: usize = 4;
/// Calls with the strings and byte strings of the sources, made at the start: one of so many of the budget, but no more
/// than that.
const LITERALS: usize = 4;
const MOST_LITERALS: usize = 256;
/// Candidates that wait for their turn, of each kind.
const WAITING: usize = 64;
/// Favored paths that wait for a job.
const FAVORED: usize = 1024;

/// What an [`Engine`] starts from.
#[derive(Clone, Debug)]
pub struct EngineInit {
    /// What may be called, and by whom.
    pub targets: TargetSet,
    /// What the sources and the deployed code mention.
    pub dictionary: InitialDictionary,
    /// `depth`, `dictionary_weight`, `include_push_bytes` and the delays are used.
    pub invariant: InvariantConfig,
    /// `payable_value_weight`, `random_walks` and `without` are used.
    pub harvey: HarveyConfig,
    /// Calls of unit tests, a list for each.
    pub examples: Vec<Vec<Example>>,
    /// The campaign's seed.
    pub seed: u64,
    /// Number of the worker; workers of one seed draw from streams that do not overlap.
    pub stream: u64,
}

/// An edge that was just missed.
#[derive(Clone, Copy, Debug)]
pub struct StuckBranch<'a> {
    /// The edge.
    pub edge: EdgeId,
    /// What the nearest execution compared.
    pub branch: &'a Branch,
    /// What it would have to come out as.
    pub wanted: bool,
    /// That execution.
    pub sequence: &'a Sequence,
    /// Calls spent on it since the cost last fell.
    pub tries: u32,
    /// Whether it leads on, and not just into a failure.
    pub leads_on: bool,
    /// Whether it is the last call that compared, and not a property after it.
    pub in_call: bool,
    /// Whether an element of the input is known to move what is compared.
    pub moves: bool,
}

/// The search: a corpus, a dictionary and the one source of randomness.
pub struct Engine {
    generator: CallGenerator,
    corpus: Corpus,
    frontier: Frontier,
    demand: Demand,
    context_targets: ContextTargets,
    features: Features,
    statistics: Statistics,
    rng: Rng,
    depth: usize,
    /// The budget's division among techniques.
    shares: Shares,
    /// All-zero calls of functions that were not called yet.
    zeros: VecDeque<Candidate>,
    /// Further initial inputs.
    seeds: VecDeque<Candidate>,
    /// Short random sequences to make beside these.
    warm_up: usize,
    /// Lengths of random sequences, and of random tails.
    lengths: random::Lengths,
    tails: random::Lengths,
    /// Values that were predicted, and what else root searches try next.
    predicted: BoundedQueue<Candidate>,
    /// Sequences with replaced operands.
    replaced: BoundedQueue<Candidate>,
    /// Executions whose operands may be replaced.
    replaceable: BoundedQueue<Arc<TracedRun>>,
    /// Calls of what reads what was written.
    follow_ups: BoundedQueue<Candidate>,
    /// The sequence that mutation works on.
    mutating: Option<Job>,
    /// The sequences that prediction works on, the innermost last.
    predicting: Vec<Job>,
    /// The sequence that demand-driven fuzzing works on.
    demanding: Option<Job>,
    /// Paths that covered something for the first time, to be picked before others.
    favored: BoundedQueue<PathId>,
    /// Their sequences, all of them.
    coverage_corpus: Vec<Arc<Seed>>,
    /// Classes of values that something read.
    values: FxHashSet<ValueId>,
    /// Bases made.
    bases: u64,
    /// Sequences told.
    sequences: u64,
    failures: FailedPredictions,
    /// Elements of bases that were moved by one.
    moved: BoundedSet<(u64, input::InputElement)>,
    /// What elements of the base at hand do to the gaps of equations, by base and edge.
    slopes: FxHashMap<(u64, EdgeId), Vec<(input::InputElement, predict::Slope)>>,
    /// Root searches begun, by base, element and edge.
    pursued: BoundedSet<(u64, input::InputElement, EdgeId)>,
    /// Covered edges that were pursued on another path.
    flips: BoundedSet<(PathId, EdgeId)>,
    /// Comparisons whose operands were replaced, by base and place.
    replacements_made: BoundedSet<(u64, EdgeId)>,
    /// Calls that `vm.assume` rejected, and the others.
    rejected: u64,
    accepted: u64,
}

impl Engine {
    /// Prepares a search; the first candidates are the all-zero calls of every function.
    #[must_use]
    pub fn new(init: EngineInit) -> Self {
        let generator = CallGenerator::new(&init.targets, &init.dictionary, &init.invariant, &init.harvey);
        let mut rng = Rng::new(init.seed, init.stream);
        let zeros: VecDeque<_> = generator
            .functions
            .all()
            .map(|callable| vec![generator.zero_call_of(callable, &mut rng)])
            .map(|calls| {
                Candidate::new(calls, Technique::Seeds, "zero").traced(0, candidate::Intent::Explore)
            })
            .collect();
        let warm_up = WARM_UP * zeros.len();
        let mut seeds = VecDeque::new();
        if init.stream == 0 {
            let budget = init.invariant.runs as usize * init.invariant.depth as usize;
            seeds.extend(example::candidates(
                &init.examples,
                init.invariant.depth as usize,
                &generator,
                &mut rng,
            ));
            seeds.extend(random::literal_calls((budget / LITERALS).min(MOST_LITERALS), &generator, &mut rng));
        }
        let features = Features::without(init.harvey.without.iter().copied());
        let shares = Shares::new(
            |technique| is_on(technique, features),
            features.has(Feature::Bandit),
            init.harvey.random_walks,
        );
        Self {
            warm_up,
            zeros,
            seeds,
            generator,
            corpus: Corpus::default(),
            frontier: Frontier::default(),
            demand: Demand::default(),
            context_targets: ContextTargets::default(),
            features,
            shares,
            statistics: Statistics::default(),
            rng,
            depth: init.invariant.depth as usize,
            lengths: random::Lengths::default(),
            tails: random::Lengths::default(),
            predicted: BoundedQueue::new(WAITING),
            replaced: BoundedQueue::new(WAITING),
            replaceable: BoundedQueue::new(WAITING),
            follow_ups: BoundedQueue::new(WAITING),
            mutating: None,
            predicting: Vec::new(),
            demanding: None,
            favored: BoundedQueue::new(FAVORED),
            coverage_corpus: Vec::new(),
            values: FxHashSet::default(),
            bases: 0,
            sequences: 0,
            failures: FailedPredictions::default(),
            moved: BoundedSet::default(),
            slopes: FxHashMap::default(),
            pursued: BoundedSet::default(),
            flips: BoundedSet::default(),
            replacements_made: BoundedSet::default(),
            rejected: 0,
            accepted: 0,
        }
    }

    /// Distinct paths seen so far.
    #[must_use]
    pub fn paths(&self) -> u64 {
        self.corpus.suite.seen()
    }

    /// Sequences told so far.
    #[must_use]
    pub fn told(&self) -> u64 {
        self.sequences
    }

    /// What the search did so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics {
            paths: self.paths(),
            branches: self.frontier.covered() as u64,
            values: self.values.len() as u64,
            kept: self.corpus.suite.len() as u64,
            kept_calls: self.corpus.suite.calls() as u64,
            origins: self.shares.origins().to_vec(),
            ..self.statistics.clone()
        }
    }

    /// The next sequence to run, of at most `depth` calls that count.
    pub fn ask(&mut self) -> Candidate {
        if self.depth == 0 {
            return Candidate::new(Vec::new(), Technique::Seeds, "zero");
        }
        if let Some(candidate) = self.zeros.pop_front() {
            return candidate;
        }
        if let Some(candidate) = self.ahead() {
            self.shares.begin_ahead(candidate.technique);
            return candidate;
        }
        for technique in self.shares.turns() {
            if let Some(candidate) = self.make(technique).filter(|candidate| !candidate.sequence.is_empty()) {
                self.shares.begin(technique);
                return candidate;
            }
            self.shares.forfeit(technique);
        }
        // Nothing is kept yet.
        self.short(Technique::Seeds)
    }

    /// Pending work of a technique before its turn, while the technique has used little: a new goal is mostly a branch that one
    /// prediction flips, and others build on what is behind it.
    fn ahead(&mut self) -> Option<Candidate> {
        if self.shares.may_go_ahead(Technique::Replacement)
            && let Some(candidate) = self.pending_replacement()
        {
            return Some(candidate);
        }
        if self.shares.may_go_ahead(Technique::Prediction)
            && let Some(candidate) = self.pending_prediction()
        {
            return Some(candidate);
        }
        let may_demand = self.shares.may_go_ahead(Technique::DemandDriven);
        may_demand.then(|| self.pending_demand_driven()).flatten()
    }

    /// The next candidate of a technique; `None` if it has nothing to run.
    fn make(&mut self, technique: Technique) -> Option<Candidate> {
        match technique {
            Technique::Seeds => self.seed_input(),
            Technique::Random => self.random(),
            Technique::Prefix => self.prefix_and_tail(),
            Technique::Mutation => self.mutation(),
            Technique::Replacement => self.replacement(),
            Technique::Prediction => self.prediction(),
            Technique::DemandDriven => self.demand_driven(),
        }
    }

    /// A candidate has led to a failure that was not known.
    pub fn credit(&mut self, candidate: &Candidate) {
        self.shares.credit(candidate);
    }

    /// A candidate took CPU time, which is only reported.
    pub fn note_cpu(&mut self, candidate: &Candidate, cpu: Duration) {
        self.shares.note_cpu(candidate, cpu);
    }

    /// Sequences that covered something for the first time, in this order.
    pub fn coverage_corpus(&self) -> impl Iterator<Item = &Sequence> {
        self.coverage_corpus.iter().map(|seed| &seed.calls)
    }

    /// Edges that were just missed and nothing covered, each with the nearest execution.
    pub fn missed(&self) -> impl Iterator<Item = StuckBranch<'_>> {
        self.frontier.goals().filter_map(|goal| {
            let branch = goal.base.at(goal.place)?;
            let missed = traced_run::missed(branch)?;
            let in_call = goal.base.subject(goal.place) == Some(traced_run::RunPart::Call);
            let Goal { edge, tries, base, moves, .. } = goal;
            let (sequence, wanted, leads_on) = (&base.seed.calls, missed.outcome, missed.leads_on());
            let (edge, tries, moves) = (*edge, *tries, *moves);
            Some(StuckBranch { edge, branch, wanted, sequence, tries, leads_on, in_call, moves })
        })
    }
}

/// Whether a technique takes part.
fn is_on(technique: Technique, features: Features) -> bool {
    match technique {
        Technique::Seeds => true,
        Technique::Random => features.has(Feature::Random),
        Technique::Prefix => features.has(Feature::Prefixes),
        Technique::Mutation => features.has(Feature::Mutation),
        Technique::Replacement => features.has(Feature::InputToState),
        Technique::Prediction => features.has(Feature::Prediction),
        Technique::DemandDriven => features.has(Feature::DemandDriven) || features.has(Feature::Dependencies),
    }
}

#[cfg(test)]
mod tests;
