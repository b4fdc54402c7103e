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
mod initial;
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
mod search_state;
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
    model::{Branch, EdgeId, Observation, Sequence, TargetSet},
};
use demand_driven::DemandDriven;
use frontier::Goal;
use initial::InitialInputs;
use learn::{Learner, Learning};
use mutation::Mutator;
use prediction::Predictor;
use random::RandomSequences;
use replacement::Replacer;
use search_state::SearchState;
use shares::Shares;
use std::time::Duration;

/// Candidates that wait for their turn, of each kind.
const WAITING: usize = 64;
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

/// Ways to make candidates, each with its own work in progress.
struct Techniques {
    initial: InitialInputs,
    random: RandomSequences,
    mutator: Mutator,
    replacer: Replacer,
    predictor: Predictor,
    demand_driven: DemandDriven,
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
        }
    }

    /// Makes a candidate of work that need not wait for the technique's turn; `None` if there is none.
    fn make_pending(&mut self, technique: Technique, state: &mut SearchState) -> Option<Candidate> {
        match technique {
            Technique::Replacement => self.replacer.pending_replacement(state),
            Technique::Prediction => self.predictor.pending_prediction(state),
            Technique::DemandDriven => self.demand_driven.pending_demand_driven(state),
            _ => None,
        }
    }
}

/// Search for failing sequences: [`Self::ask`] makes candidates, [`Self::tell`] learns from their runs.
pub struct Engine {
    /// Corpus, goals, dictionary and random numbers.
    state: SearchState,
    techniques: Techniques,
    /// Division of the budget among techniques, which decides what runs next.
    shares: Shares,
    learner: Learner,
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
        };
        let features = state.features;
        let is_on = |technique| is_on(technique, features);
        let shares = Shares::new(is_on, features.has(Feature::Bandit), init.harvey.random_walks);
        Self { state, techniques, shares, learner: Learner::default() }
    }

    /// Distinct paths seen so far.
    #[must_use]
    pub fn paths(&self) -> u64 {
        self.state.corpus.suite.seen()
    }

    /// Sequences told so far.
    #[must_use]
    pub fn told(&self) -> u64 {
        self.state.sequences
    }

    /// What the search did so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics {
            paths: self.paths(),
            branches: self.state.frontier.covered() as u64,
            values: self.learner.values() as u64,
            kept: self.state.corpus.suite.len() as u64,
            kept_calls: self.state.corpus.suite.calls() as u64,
            origins: self.shares.origins().to_vec(),
            predictions: self.techniques.predictor.statistics().all,
            property_predictions: self.techniques.predictor.statistics().of_properties,
        }
    }

    /// Returns the next sequence to run, of at most `depth` calls that count.
    pub fn ask(&mut self) -> Candidate {
        if self.state.depth == 0 {
            return Candidate::new(Vec::new(), Technique::Seeds, "zero");
        }
        if let Some(candidate) = self.techniques.initial.next_zero() {
            return candidate;
        }
        if let Some(candidate) = self.ahead() {
            self.shares.begin_ahead(candidate.technique);
            return candidate;
        }
        for technique in self.shares.turns() {
            let candidate = self.techniques.make(technique, &mut self.state);
            if let Some(candidate) = candidate.filter(|candidate| !candidate.sequence.is_empty()) {
                self.shares.begin(technique);
                return candidate;
            }
            self.shares.forfeit(technique);
        }
        // Nothing is kept yet.
        random::short(&mut self.state, Technique::Seeds)
    }

    /// Makes a candidate of pending work of a technique before its turn, while the technique has used little. A
    /// single prediction flips the branch of most new goals, and other techniques build on the code behind it.
    fn ahead(&mut self) -> Option<Candidate> {
        let techniques = [Technique::Replacement, Technique::Prediction, Technique::DemandDriven];
        techniques.into_iter().find_map(|technique| {
            let may = self.shares.may_go_ahead(technique);
            may.then(|| self.techniques.make_pending(technique, &mut self.state)).flatten()
        })
    }

    /// Learns from the run of a candidate; returns the part that another engine would learn too. Candidates may be
    /// told in any order, or never.
    pub fn tell(&mut self, candidate: &Candidate, seen: &Observation) -> Learned {
        if seen.steps.is_empty() {
            return Learned::default();
        }
        self.state.sequences += 1;
        let Self { state, techniques, learner, .. } = self;
        let (learned, reward) = Learning::new(learner, state, techniques, candidate, seen).run();
        if !candidate.is_shared() && !candidate.is_kept() {
            self.shares.charge(candidate, seen, reward);
        }
        learned
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
        self.learner.coverage_corpus()
    }

    /// Edges that were just missed and nothing covered, each with the nearest execution.
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
