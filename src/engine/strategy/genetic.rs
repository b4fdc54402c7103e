//! A genetic algorithm (the study, section 3.1.2). An individual is a sequence; its fitness is the number of different
//! instructions that it executes. In addition to the study, those that do so at little cost are sorted first.
//!
//! The population is sorted into fronts of individuals that no other dominates. The best two have two offspring by
//! single-point crossover and mutation. Offspring that execute more than both parents take the places of the worst.

use super::{SearchContext, SearchStrategy};
use crate::{
    engine::{
        candidate::{Candidate, Intent},
        random,
        rng::Rng,
        search_state::SearchState,
        technique::Technique,
        tuning::strategy_genetic::{CROSSOVER, MUTATION, POPULATION},
        value,
    },
    model::{Observation, Sequence, Transaction, Work},
};
use std::collections::VecDeque;

/// Fitness of an individual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fitness {
    /// Number of different instructions executed, which is to be large.
    instructions: usize,
    /// Work of the execution, which is to be small.
    cost: u64,
}

impl Fitness {
    /// Tells whether this is better in one objective and not worse in the other.
    fn dominates(self, other: Self) -> bool {
        self != other && self.instructions >= other.instructions && self.cost <= other.cost
    }
}

#[derive(Clone, Debug)]
struct Individual {
    sequence: Sequence,
    fitness: Fitness,
}

#[derive(Default)]
pub(super) struct Genetic {
    /// The population, the best first.
    population: Vec<Individual>,
    /// Number of individuals of the first population that were made.
    initial_made: usize,
    /// Sequences to run, and then to measure.
    offspring: VecDeque<Sequence>,
    /// Sequences that ran, whose fitness is to be measured.
    unmeasured: VecDeque<Sequence>,
    /// Number of instructions that offspring must exceed: those of the better parent.
    least_fitness: usize,
}

impl SearchStrategy for Genetic {
    fn next(&mut self, search: &mut SearchContext<'_>) -> Option<Candidate> {
        if let Some(sequence) = self.unmeasured.pop_front() {
            let mut candidate = Candidate::new(sequence, Technique::Mutation, "fitness");
            candidate.intent = Intent::Fitness;
            candidate.probing.instructions = true;
            return Some(candidate);
        }
        if self.initial_made < POPULATION {
            self.initial_made += 1;
            return Some(random::of_any_length(search.state));
        }
        if self.offspring.is_empty() {
            self.breed(search.state);
        }
        let sequence = self.offspring.pop_front()?;
        Some(Candidate::new(sequence, Technique::Mutation, "offspring"))
    }

    fn learn(&mut self, candidate: &Candidate, seen: &Observation) {
        let sequence = candidate.sequence.clone();
        if !matches!(candidate.intent, Intent::Fitness) {
            if !candidate.is_shared() {
                self.unmeasured.push_back(sequence);
            }
            return;
        }
        let Work { plain, traced, instructions, .. } = seen.work;
        let fitness = Fitness { instructions, cost: plain + traced };
        if self.population.len() < POPULATION || fitness.instructions > self.least_fitness {
            self.population.push(Individual { sequence, fitness });
            sort(&mut self.population);
            self.population.truncate(POPULATION);
        }
    }
}

impl Genetic {
    /// Makes the offspring of the best two individuals.
    fn breed(&mut self, state: &mut SearchState) {
        let [first, second, ..] = &self.population[..] else { return };
        self.least_fitness = first.fitness.instructions.max(second.fitness.instructions);
        for (front, back) in [(first, second), (second, first)] {
            let mut sequence = cross(&front.sequence, &back.sequence, state.depth);
            sequence.iter_mut().for_each(|call| mutate(call, state));
            self.offspring.push_back(sequence);
        }
    }
}

/// Sorts a population into fronts: no individual of the first front is dominated, none of the second except by those of
/// the first, and so on. Within a front, those that execute more come first.
fn sort(population: &mut Vec<Individual>) {
    let mut fronts = vec![0; population.len()];
    let mut open: Vec<usize> = (0..population.len()).collect();
    for front in 0.. {
        let is_dominated = |index: &usize| {
            open.iter().any(|other| population[*other].fitness.dominates(population[*index].fitness))
        };
        let (later, members): (Vec<usize>, Vec<usize>) = open.iter().partition(|index| is_dominated(index));
        members.iter().for_each(|index| fronts[*index] = front);
        open = later;
        if open.is_empty() {
            break;
        }
    }
    let mut ranked: Vec<_> = fronts.into_iter().zip(population.drain(..)).collect();
    ranked.sort_by_key(|(front, individual)| (*front, std::cmp::Reverse(individual.fitness.instructions)));
    population.extend(ranked.into_iter().map(|(_, individual)| individual));
}

/// Returns the first part of one sequence and the last part of another (single-point crossover).
fn cross(front: &[Transaction], back: &[Transaction], depth: usize) -> Sequence {
    let point = |sequence: &[Transaction]| (sequence.len() * CROSSOVER).div_ceil(100);
    front[..point(front)].iter().chain(&back[point(back)..]).take(depth).cloned().collect()
}

/// Draws some of the inputs of a call anew.
fn mutate(call: &mut Transaction, state: &mut SearchState) {
    let SearchState { generator, rng, .. } = state;
    let is_drawn = |rng: &mut Rng| rng.percent(MUTATION);
    let method = call.input.function().and_then(|function| generator.functions.method(function));
    let (Some(method), Some(args)) = (method, call.input.args_mut()) else { return };
    for (arg, param) in args.iter_mut().zip(&method.params) {
        if is_drawn(rng) {
            *arg = value::value(&param.ty, generator, rng);
        }
    }
    if is_drawn(rng) {
        call.sender = generator.sender(rng);
    }
    if is_drawn(rng) {
        call.value = generator.value(&method, rng);
    }
    if is_drawn(rng) {
        (call.warp, call.roll) = (generator.warp(rng), generator.roll(rng));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::toy;

    fn population(fitness: &[(usize, u64)]) -> Vec<Individual> {
        let individual = |(instructions, cost)| Individual {
            sequence: Vec::new(),
            fitness: Fitness { instructions, cost },
        };
        fitness.iter().copied().map(individual).collect()
    }

    #[test]
    fn individuals_are_sorted_by_fronts_and_then_by_what_they_execute() {
        // (10, 9) and (8, 2) dominate the others; (9, 9) and (7, 3) are dominated by them alone.
        let mut all = population(&[(7, 3), (6, 4), (8, 2), (9, 9), (10, 9)]);
        sort(&mut all);
        let sorted: Vec<_> = all.iter().map(|one| (one.fitness.instructions, one.fitness.cost)).collect();
        assert_eq!(sorted, [(10, 9), (8, 2), (9, 9), (7, 3), (6, 4)]);
    }

    #[test]
    fn equal_individuals_share_a_front() {
        let mut all = population(&[(1, 1), (1, 1), (1, 2)]);
        sort(&mut all);
        assert_eq!(all.last().map(|one| one.fitness.cost), Some(2));
    }

    #[test]
    fn the_parents_are_cut_at_the_same_part_of_their_lengths() {
        let calls = |arg: u64, length: usize| vec![toy::call("add", &[arg]); length];
        let crossed = cross(&calls(1, 10), &calls(2, 5), 20);
        assert_eq!(crossed, [calls(1, 2), calls(2, 4)].concat());
        assert_eq!(cross(&calls(1, 10), &calls(2, 10), 3), [calls(1, 2), calls(2, 1)].concat());
    }
}
