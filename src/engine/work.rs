//! What is done to a picked sequence.

use super::{
    Engine,
    base::{Base, Subject},
    candidate::{Candidate, Intent, Move},
    demand::{can_stand, function_of},
    input::{self, Element},
    mutate::{self, Material},
    predict::{Int, int},
    seed::{Draft, Seed},
    value,
};
use crate::config::Feature;
use crate::model::{EdgeId, PathId, Probing, Slot};
use alloy_dyn_abi::DynSolType;
use alloy_primitives::U256;
use std::{ops::Range, sync::Arc};

/// Percent of the picks that make a short random sequence instead.
const FRESH: u32 = 5;
/// Percent of the picks that go to the best sequences of optimizations, where there are such.
const CHAMPIONS: u32 = 40;
/// Percent of the picks that go to the nearest execution of a just-missed branch.
const ADAPTIVE: u32 = 50;
/// Percent of the picks that go to executions that just missed covered branches.
const DETOURS: u32 = 10;
/// Energy of such a pick, beside one run for each element.
const DETOUR_ENERGY: u32 = 4;
/// Of the candidates that are made of a measured sequence and move none of its elements, one in this many is run in
/// aggressive mode (the paper's probability of 0.125).
const AGGRESSIVE: usize = 8;
/// Most energy of a pick for a just-missed branch, beside one run for each element.
const GOAL_ENERGY: u32 = 12;
/// Calls that this energy may cost, and the energy that is there whatever it costs.
const GOAL_CALLS: u32 = 48;
const LEAST_ENERGY: u32 = 3;
/// Most elements moved one by one in such a pick.
const GOAL_PROBES: usize = 32;
/// Calls that moving them may cost, and how many are moved whatever it costs.
const PROBE_CALLS: usize = 128;
const LEAST_PROBES: usize = 4;
/// Percent of the other candidates that move a random element to a random value.
const PROBES: u32 = 25;
/// Percent of the candidates of a marked function that get calls before the last.
const REACH: u32 = 40;
/// The same for a function without a mark.
const UNMARKED_REACH: u32 = 3;
/// Width of an account.
const ADDRESS: usize = 160;
/// One in this many moves of a random element changes who calls.
const SENDERS: usize = 8;
/// Percent of the candidates that get calls before the last where the input has no numbers to move.
const REACH_WITHOUT_NUMBERS: u32 = 80;
/// Picks within picks.
pub(super) const NESTING: usize = 4;

/// A sequence being worked on.
#[derive(Debug)]
pub(super) struct Pick {
    pub(super) seed: Arc<Seed>,
    pub(super) base: Option<Arc<Base>>,
    /// Whether its costs were asked for already.
    pub(super) measured: bool,
    /// The path that it is kept for, if it is kept for a path.
    pub(super) path: Option<PathId>,
    /// The edge that it is to reach, if it was picked for one.
    pub(super) goal: Option<EdgeId>,
    /// Candidates still to be made of it.
    pub(super) energy: u32,
    /// How many of these shall try to shorten it.
    pub(super) trims: u32,
    /// Elements still to be moved: a range of the base's.
    pub(super) probes: Range<usize>,
}

impl Pick {
    /// Work on one execution, to reach an edge that it just missed if one is given.
    pub(super) fn of_base(base: Arc<Base>, goal: Option<EdgeId>, energy: u32, probes: Range<usize>) -> Self {
        Self {
            seed: base.seed.clone(),
            base: Some(base),
            measured: true,
            path: None,
            goal,
            energy,
            trims: 0,
            probes,
        }
    }
}

impl Engine {
    /// The next candidate made of a picked sequence; `None` when nothing is kept, or by chance.
    pub(super) fn work(&mut self) -> Option<Candidate> {
        while self.picks.last().is_some_and(|pick| pick.energy == 0) {
            self.picks.pop();
        }
        if self.picks.is_empty() {
            if self.rng.percent(FRESH) {
                return None;
            }
            let pick = self.pick()?;
            self.picks.push(pick);
        }
        let mut pick = self.picks.pop()?;
        pick.energy -= 1;
        let candidate = self.candidate(&mut pick);
        self.picks.push(pick);
        candidate.filter(|candidate| !candidate.sequence.is_empty())
    }

    fn pick(&mut self) -> Option<Pick> {
        while let Some(path) = self.newcomers.pop_front() {
            if let Some(pick) = self.corpus.pick_path(path) {
                return Some(pick);
            }
        }
        if self.rng.percent(CHAMPIONS)
            && let Some(pick) = self.corpus.pick_champion(&mut self.rng)
        {
            return Some(pick);
        }
        if self.features.has(Feature::Adaptive)
            && self.rng.percent(ADAPTIVE)
            && let Some(pick) = self.pick_goal()
        {
            return Some(pick);
        }
        if self.features.has(Feature::Detours)
            && self.rng.percent(DETOURS)
            && let Some(base) = self.detours.pick(&mut self.rng)
        {
            let probes = first_probes(&base);
            let energy = DETOUR_ENERGY + probes.len() as u32;
            return Some(Pick::of_base(base, None, energy, probes));
        }
        self.corpus.pick(&mut self.rng)
    }

    /// The nearest execution of a just-missed branch.
    fn pick_goal(&mut self) -> Option<Pick> {
        let goal = self.frontier.pick(&mut self.rng)?;
        if goal.tries > 0 && goal.shortest.id != goal.base.id && self.rng.coin() {
            // The nearest execution may be a long one; what is cheap to run is worth as much work.
            let probes = first_probes(&goal.shortest);
            let energy = GOAL_ENERGY + probes.len() as u32;
            goal.tries = goal.tries.saturating_add(energy * goal.shortest.seed.calls.len() as u32);
            return Some(Pick::of_base(goal.shortest.clone(), Some(goal.edge), energy, probes));
        }
        let length = goal.base.seed.calls.len() as u32;
        let elements = goal.base.elements.len();
        // The elements are gone through in turns, one pick after the other.
        let start = if goal.cursor >= elements { 0 } else { goal.cursor };
        let end = elements.min(start + most_probes(&goal.base));
        let again = goal.tries > 0 && start == 0;
        let probes = if again && self.rng.coin() { 0..0 } else { start..end };
        goal.cursor = end;
        let energy = (GOAL_CALLS / length).clamp(LEAST_ENERGY, GOAL_ENERGY) + probes.len() as u32;
        goal.tries = goal.tries.saturating_add(energy * length);
        Some(Pick::of_base(goal.base.clone(), Some(goal.edge), energy, probes))
    }

    fn candidate(&mut self, pick: &mut Pick) -> Option<Candidate> {
        self.corpus.refresh(pick);
        if pick.trims > 0 {
            pick.trims -= 1;
            return Some(self.trim(pick));
        }
        if pick.base.is_none() && !pick.measured {
            pick.measured = true;
            let seed = pick.seed.clone();
            let from = seed.calls.len() - 1;
            return Some(Candidate::tracked(seed.calls.clone(), "measure", from, Intent::Measure(seed)));
        }
        if let Some(base) = pick.base.clone()
            && let Some(candidate) = self.of_base(pick, &base)
        {
            return Some(candidate);
        }
        self.mutant(pick)
    }

    /// What needs the costs of the picked sequence.
    fn of_base(&mut self, pick: &mut Pick, base: &Arc<Base>) -> Option<Candidate> {
        if self.features.has(Feature::Prediction)
            && let Some(element) = self.next_to_nudge(pick, base)
        {
            return self.nudge(base, element).or_else(|| self.probe(base));
        }
        if self.features.has(Feature::DemandDriven)
            && self.rng.below(AGGRESSIVE) == 0
            && let Some(candidate) = self.aggressive(base)
        {
            return Some(candidate);
        }
        let function = base.seed.calls.last().and_then(function_of);
        let goal = pick.goal.and_then(|edge| self.frontier.goal(edge)).map(|goal| (goal.edge, goal.place));
        let of_property =
            goal.is_some_and(|(_, place)| matches!(base.subject(place), Some(Subject::Property(_))));
        let marked = !self.features.has(Feature::DemandDriven)
            || of_property
            || function.is_some_and(|function| self.demand.is_marked(function));
        let share = match marked {
            true if base.has_numbers() => REACH,
            true => REACH_WITHOUT_NUMBERS,
            false => UNMARKED_REACH,
        };
        if self.rng.percent(share)
            && let Some(candidate) = self.reach(base, goal, of_property)
        {
            return Some(candidate);
        }
        if self.features.has(Feature::Prediction) && self.rng.percent(PROBES) {
            return self.probe(base);
        }
        None
    }

    /// The next element of a pick that is worth moving and was not moved yet.
    fn next_to_nudge(&mut self, pick: &mut Pick, base: &Base) -> Option<Element> {
        pick.probes.by_ref().map(|index| base.elements[index]).find(|element| {
            (self.detours.is_at_work(base) || self.sensitivity.is_worth(base, *element, &mut self.rng))
                && self.nudged.is_new((base.id, *element))
        })
    }

    /// Moves one element by one, so that the difference of the costs is their slope.
    pub(super) fn nudge(&mut self, base: &Arc<Base>, element: Element) -> Option<Candidate> {
        let tx = &base.seed.calls[element.step];
        let (value, domain) = (input::get(tx, element.part)?, input::domain(tx, element.part, &self.world)?);
        if domain.bits == ADDRESS {
            // The account after an account is no one; those that are compared are replaced in place.
            return None;
        }
        let up = value < domain.max();
        let moved = if up { value + Int::ONE } else { value - Int::ONE };
        self.moved(base, element, moved, Move::One)
    }

    /// Moves a random element to a random value.
    fn probe(&mut self, base: &Arc<Base>) -> Option<Candidate> {
        let is_sender = |element: &&Element| element.part == input::Part::Sender;
        let numbers: Vec<&Element> = base.elements.iter().filter(|element| !is_sender(element)).collect();
        // Who calls matters seldom, and then it is mostly an account that something is compared with.
        let element = match self.rng.pick(&numbers) {
            Some(element) if self.rng.below(SENDERS) > 0 => **element,
            _ if self.rng.below(SENDERS) == 0 => *base.elements.iter().find(is_sender)?,
            _ => return None,
        };
        if !self.sensitivity.is_worth(base, element, &mut self.rng) {
            return None;
        }
        let tx = &base.seed.calls[element.step];
        let domain = input::domain(tx, element.part, &self.world)?;
        let value = match element.part {
            input::Part::Sender => int(self.world.sender(&mut self.rng).into_word().into(), false),
            input::Part::Value => int(self.world.amount(&mut self.rng), false),
            input::Part::Warp => int(self.world.warp(&mut self.rng), false),
            input::Part::Roll => int(self.world.roll(&mut self.rng), false),
            _ => {
                let ty =
                    if domain.signed { DynSolType::Int(domain.bits) } else { DynSolType::Uint(domain.bits) };
                let fresh = value::value(&ty, &self.world, &mut self.rng);
                match fresh {
                    alloy_dyn_abi::DynSolValue::Int(value, _) => int(value.into_raw(), true),
                    alloy_dyn_abi::DynSolValue::Uint(value, _) => int(value, false),
                    _ => return None,
                }
            }
        };
        self.moved(base, element, value, Move::Far)
    }

    /// The base with another value of one element.
    pub(super) fn moved(
        &self,
        base: &Arc<Base>,
        element: Element,
        value: Int,
        by: Move,
    ) -> Option<Candidate> {
        let mut draft = Draft::new(Some(&base.seed), self.depth);
        let tx = draft.calls().get(element.step)?;
        if input::get(tx, element.part) == Some(value)
            || !input::set(draft.edit(element.step), element.part, value, &self.world)
        {
            return None;
        }
        let (sequence, from) = draft.finish(&self.world.surface);
        if sequence.len() != base.seed.calls.len() {
            return None;
        }
        let intent = Intent::Probe { base: base.clone(), element, by };
        Some(Candidate::tracked(sequence, "probe", from, intent))
    }

    /// The base on a state in which a word that the last call reads is another one.
    fn aggressive(&mut self, base: &Arc<Base>) -> Option<Candidate> {
        let reads: Vec<(Slot, U256)> = base.reads(Subject::Call).collect();
        let (slot, value) = *self.rng.pick(&reads)?;
        let operand = base
            .branches()
            .find(|branch| branch.left == value || branch.right == value)
            .map(|branch| if branch.left == value { branch.right } else { branch.left });
        let replaced = match (operand, self.rng.below(4)) {
            (Some(operand), 0..=1) if operand != value => operand,
            (_, 2) => value.wrapping_add(U256::ONE),
            _ => self.world.dictionary.word(&mut self.rng).unwrap_or_else(|| self.rng.magnitude(256)),
        };
        let intent = Intent::Aggressive { base: base.clone(), slots: vec![slot] };
        let candidate = Candidate::tracked(base.seed.calls.clone(), "aggressive", usize::MAX, intent);
        Some(Candidate { probing: Probing { track: true, state: vec![(slot, replaced)] }, ..candidate })
    }

    /// The base with calls put before what it ends in: behind its last call if that is a property.
    fn reach(
        &mut self,
        base: &Arc<Base>,
        goal: Option<(EdgeId, EdgeId)>,
        of_property: bool,
    ) -> Option<Candidate> {
        let mut draft = Draft::new(Some(&base.seed), self.depth);
        let room = draft.room();
        if room == 0 || of_property && !base.seed.extendable {
            return None;
        }
        let mut place = if of_property { draft.len() } else { draft.len() - 1 };
        if self.rng.below(4) == 0 {
            place = self.rng.below(place + 1);
        }
        let mut chain = Vec::new();
        if self.features.has(Feature::Dependencies)
            && let Some((edge, branch)) = goal
            && self.rng.below(8) > 0
        {
            chain = self.demand.chain(base, branch, edge, &self.world, &mut self.rng);
        }
        if chain.is_empty() {
            chain = self.pooled(&draft, place);
        }
        chain.truncate(room);
        if chain.is_empty() || !can_stand(&chain, draft.born_before(place), &self.world) {
            return None;
        }
        draft.insert(place, chain);
        let (sequence, from) = draft.finish(&self.world.surface);
        let intent = match goal {
            Some((edge, place)) => Intent::Reach { base: base.clone(), edge, place },
            None => Intent::Explore,
        };
        Some(Candidate::tracked(sequence, "reach", from, intent))
    }

    /// Harvey's operators: a call, or the calls of another kept sequence.
    fn pooled(&mut self, draft: &Draft, place: usize) -> Vec<crate::model::Transaction> {
        match self.rng.below(3) {
            0 => self.world.call(draft.born_before(place), None, &mut self.rng).into_iter().collect(),
            1 => {
                let other = self.corpus.any(&mut self.rng).filter(|other| other.extendable);
                other.and_then(|other| other.calls.last().cloned()).into_iter().collect()
            }
            _ => {
                let other = self.corpus.any(&mut self.rng).filter(|other| other.extendable);
                other.map(|other| other.calls.clone()).unwrap_or_default()
            }
        }
    }

    /// The picked sequence with a part of what precedes its last call removed.
    fn trim(&mut self, pick: &Pick) -> Candidate {
        let mut draft = Draft::new(Some(&pick.seed), self.depth);
        mutate::trim(&mut draft, &mut self.rng);
        let (sequence, from) = draft.finish(&self.world.surface);
        Candidate { from, parent: pick.path, ..Candidate::new(sequence, "trim") }
    }

    /// The picked sequence after some operators.
    fn mutant(&mut self, pick: &Pick) -> Option<Candidate> {
        let mut draft = Draft::new(Some(&pick.seed), self.depth);
        let mut material = Material { world: &self.world, corpus: &self.corpus, rng: &mut self.rng };
        let origin = mutate::mutate(&mut draft, &mut material)?;
        let (sequence, from) = draft.finish(&self.world.surface);
        let candidate = Candidate::tracked(sequence, origin, from, Intent::Explore);
        Some(Candidate { parent: pick.path, ..candidate })
    }
}

/// The elements to move in a pick that does not come back for the others.
fn first_probes(base: &Base) -> Range<usize> {
    0..base.elements.len().min(most_probes(base))
}

/// Elements to move one by one in one pick: fewer, the longer the sequence.
fn most_probes(base: &Base) -> usize {
    (PROBE_CALLS / base.seed.calls.len().max(1)).clamp(LEAST_PROBES, GOAL_PROBES)
}
