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
//! that other calls before it covered (`detours`); and operators change it at random (`mutate`).
//!
//! Each prefix of a sequence counts as a sequence with a last call of its own, so that one long run may leave several
//! kept ones. There is no EVM, clock, thread or file in here: the same seed, stream and observations give the same
//! candidates.

mod base;
mod candidate;
mod corpus;
mod demand;
mod detours;
mod dictionary;
mod energy;
mod frontier;
mod input;
mod learn;
mod mutate;
mod predict;
mod pursue;
mod recent;
mod rng;
mod seed;
mod senders;
mod sensitivity;
pub mod shrink;
mod statistics;
mod surface;
#[cfg(test)]
mod toy;
mod value;
mod walks;
mod work;
mod world;

pub use candidate::Candidate;
pub use dictionary::InitialDictionary;
pub use learn::{Lesson, Novelty};
pub use statistics::Statistics;
pub use surface::{fixture_key, parameter_key};

use crate::{
    config::{Feature, Features, HarveyConfig, InvariantConfig},
    model::{Branch, EdgeId, Input, PathId, Sequence, TargetSet},
};
use corpus::Corpus;
use demand::Demand;
use detours::Detours;
use frontier::{Frontier, Goal};
use recent::Recent;
use rng::Rng;
use rustc_hash::FxHashMap;
use seed::{Draft, Seed};
use std::{collections::VecDeque, sync::Arc};
use surface::Swarm;
use work::Pick;
use world::World;

/// Longest of the short random sequences.
const SHORT: usize = 8;
/// Short random sequences made at the start, for each function.
const WARM_UP: usize = 4;
/// Calls with the strings and byte strings of the sources, made at the start: one of so many of the budget, but no more
/// than that.
const LITERALS: usize = 4;
const MOST_LITERALS: usize = 256;
/// Percent of the walks that start from a kept sequence.
const WALK_FROM_SEED: u32 = 40;

/// Percent of the calls in such sequences that are repeated at once.
const BURSTS: u32 = 10;
/// Most repetitions.
const BURST: usize = 8;

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
    /// The campaign's seed.
    pub seed: u64,
    /// Number of the worker; workers of one seed draw from streams that do not overlap.
    pub stream: u64,
}

/// An edge that was just missed.
#[derive(Clone, Copy, Debug)]
pub struct Miss<'a> {
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
    world: World,
    corpus: Corpus,
    frontier: Frontier,
    demand: Demand,
    detours: Detours,
    features: Features,
    statistics: Statistics,
    rng: Rng,
    depth: usize,
    walks: walks::Walks,
    /// What is handed out before anything else: predictions must not wait.
    urgent: VecDeque<Candidate>,
    /// Candidates of the start.
    queue: VecDeque<Candidate>,
    /// Short random sequences to make before anything is mutated.
    warm_up: usize,
    /// Sequences being worked on, the innermost last.
    picks: Vec<Pick>,
    /// Paths that covered something for the first time, to be picked before others.
    newcomers: VecDeque<PathId>,
    /// Their sequences, all of them.
    pioneers: Vec<Arc<Seed>>,
    /// Bases made.
    bases: u64,
    sensitivity: sensitivity::Sensitivity,
    /// Elements of bases that were moved by one.
    nudged: Recent<(u64, input::Element)>,
    /// What elements of the base at hand do to the gaps of equations, by base and edge.
    slopes: FxHashMap<(u64, EdgeId), Vec<(input::Element, predict::Slope)>>,
    /// Pursuits begun, by base, element and edge.
    pursued: Recent<(u64, input::Element, EdgeId)>,
    /// Covered edges that were pursued on another path.
    flips: Recent<(PathId, EdgeId)>,
    /// How often the first value of a prediction did not reach the edge.
    futile: FxHashMap<EdgeId, u32>,
    /// Calls that `vm.assume` rejected, and the others.
    rejected: u64,
    accepted: u64,
}

impl Engine {
    /// Prepares a search; the first candidates are the all-zero calls of every function, and then calls with strings and byte
    /// strings of the sources.
    #[must_use]
    pub fn new(init: EngineInit) -> Self {
        let world = World::new(&init.targets, &init.dictionary, &init.invariant, &init.harvey);
        let mut rng = Rng::new(init.seed, init.stream);
        let zeros = world.surface.all().map(|callable| {
            let sequence = vec![world.zero_call_of(callable, &mut rng)];
            candidate::Candidate::tracked(sequence, "zero", 0, candidate::Intent::Explore)
        });
        let mut queue: VecDeque<_> = zeros.collect();
        let warm_up = WARM_UP * queue.len();
        if init.stream == 0 {
            let budget = init.invariant.runs as usize * init.invariant.depth as usize;
            queue.extend(literal_calls((budget / LITERALS).min(MOST_LITERALS), &world, &mut rng));
        }
        Self {
            warm_up,
            queue,
            world,
            corpus: Corpus::new(),
            frontier: Frontier::default(),
            demand: Demand::default(),
            detours: Detours::default(),
            features: Features::without(init.harvey.without.iter().copied()),
            statistics: Statistics::default(),
            rng,
            depth: init.invariant.depth as usize,
            walks: walks::Walks::new(init.harvey.random_walks),
            urgent: VecDeque::new(),
            picks: Vec::new(),
            newcomers: VecDeque::new(),
            pioneers: Vec::new(),
            bases: 0,
            sensitivity: sensitivity::Sensitivity::default(),
            nudged: Recent::default(),
            slopes: FxHashMap::default(),
            pursued: Recent::default(),
            flips: Recent::default(),
            futile: FxHashMap::default(),
            rejected: 0,
            accepted: 0,
        }
    }

    /// Distinct paths seen so far.
    #[must_use]
    pub fn paths(&self) -> u64 {
        self.corpus.suite.seen()
    }

    /// What the search did so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics { paths: self.paths(), branches: self.frontier.covered() as u64, ..self.statistics }
    }

    /// The next sequence to run, of at most `depth` calls that count.
    pub fn ask(&mut self) -> Candidate {
        let candidate = self.next();
        self.walks.spend(candidate.is_walk(), candidate.sequence.len());
        candidate
    }

    fn next(&mut self) -> Candidate {
        if self.depth == 0 {
            return Candidate::new(Vec::new(), "fresh");
        }
        if let Some(candidate) = self.urgent.pop_front().or_else(|| self.queue.pop_front()) {
            return candidate;
        }
        if self.warm_up > 0 {
            self.warm_up -= 1;
            return self.fresh();
        }
        if self.features.has(Feature::Walks) && self.walks.is_due(self.depth) {
            return self.walk();
        }
        self.work().unwrap_or_else(|| self.fresh())
    }

    /// Sequences that covered something for the first time, in this order.
    pub fn pioneers(&self) -> impl Iterator<Item = &Sequence> {
        self.pioneers.iter().map(|seed| &seed.calls)
    }

    /// Edges that were just missed and nothing covered, each with the nearest execution.
    pub fn missed(&self) -> impl Iterator<Item = Miss<'_>> {
        self.frontier.goals().filter_map(|goal| {
            let branch = goal.base.at(goal.place)?;
            let missed = base::missed(branch)?;
            let in_call = goal.base.subject(goal.place) == Some(base::Subject::Call);
            let moves = self.slopes.contains_key(&(goal.base.id, goal.edge));
            let Goal { edge, tries, base, .. } = goal;
            let (sequence, wanted, leads_on) = (&base.seed.calls, missed.outcome, missed.leads_on());
            Some(Miss { edge: *edge, branch, wanted, sequence, tries: *tries, leads_on, in_call, moves })
        })
    }

    /// Up to `depth` random calls, from the start or from where a kept sequence leads.
    fn walk(&mut self) -> Candidate {
        let from_seed = self.rng.percent(WALK_FROM_SEED);
        let seed = from_seed.then(|| self.corpus.start(&mut self.rng)).flatten();
        let length = self.walk_length();
        let mut draft = Draft::new(seed.as_deref(), length);
        draft.truncate(self.depth / 2);
        self.extend(draft, length, candidate::WALK)
    }

    /// Rejected calls do not count, so a walk has some to spare: as many as the rate so far suggests, up to
    /// three times the depth.
    fn walk_length(&self) -> usize {
        let spare = self.depth as u64 * self.rejected / self.accepted.max(1);
        self.depth + (spare as usize).min(3 * self.depth)
    }

    /// A few random calls.
    fn fresh(&mut self) -> Candidate {
        let length = 1 + self.rng.below(SHORT.min(self.depth));
        self.extend(Draft::new(None, self.depth), length, "fresh")
    }

    /// Appends random calls up to `length`. Half of the time the calls are of fewer kinds, and some of them
    /// come in bursts: the same call several times in a row.
    fn extend(&mut self, mut draft: Draft, length: usize, origin: &'static str) -> Candidate {
        let swarm = self.rng.coin().then(|| Swarm(self.rng.next()));
        while draft.len() < length {
            let Some(call) = self.world.call(draft.born_before(draft.len()), swarm, &mut self.rng) else {
                break;
            };
            if swarm.is_some() && self.rng.percent(BURSTS) {
                let burst = (1 + self.rng.below(BURST)).min(length - 1 - draft.len());
                (0..burst).for_each(|_| draft.push(call.clone()));
            }
            draft.push(call);
        }
        Candidate::new(draft.finish(&self.world.surface).0, origin)
    }
}

/// Calls of functions that take strings or byte strings, each with one of the sources, all else being random: what is no number
/// cannot be predicted. At most so many, by chance, of all combinations.
fn literal_calls(most: usize, world: &World, rng: &mut Rng) -> Vec<Candidate> {
    let mut combinations: Vec<_> = world
        .surface
        .all()
        .flat_map(|callable| {
            let params = callable.method.params.iter().enumerate();
            params.flat_map(move |(index, param)| {
                world.dictionary.texts(&param.ty).into_iter().map(move |text| (callable, index, text))
            })
        })
        .collect();
    let mut made = Vec::new();
    while made.len() < most && !combinations.is_empty() {
        let (callable, index, text) = combinations.swap_remove(rng.below(combinations.len()));
        let mut call = world.call_of(callable, rng);
        if let Input::Typed { args, .. } = &mut call.input {
            args[index] = text;
        }
        made.push(Candidate::tracked(vec![call], "literal", 0, candidate::Intent::Explore));
    }
    made
}

#[cfg(test)]
mod tests;
