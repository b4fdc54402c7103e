//! Division of the budget among techniques by their yield.
//!
//! This is a bandit with proportional shares. The share of a technique in the cost grows with its yield: the
//! reward per cost, discounted so that old rewards fade. It is limited by a floor and a cap. Stride
//! scheduling (Waldspurger and Weihl, 1995) assigns the turns: the technique that is furthest behind its
//! share is next, so that no technique delays another from the first execution on. A technique with nothing
//! to run forfeits its turn.
//!
//! All figures are integers and deterministic, so that a seed gives the same campaign on every machine.

use super::{candidate::Candidate, technique::Technique};
use crate::engine::tuning::shares::{
    AHEAD_AT_FIRST, AHEAD_LATER, CAP, FLOOR, LEAST_MEMORY, MEMORY, PER_SEQUENCE, PER_TRANSACTION, PRIOR_COST,
    PRIOR_REWARD, START, TRACED,
};
use crate::model::{Observation, Work};
use std::{ops::AddAssign, time::Duration};

/// Reward of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reward {
    /// Number of edges covered for the first time.
    pub edges: u64,
    /// Number of classes of values read for the first time.
    pub values: u64,
    /// Number of just-missed branches to which the run came nearer than all before.
    pub nearer: u64,
    /// Number of optimizations with a better value.
    pub better: u64,
    /// Number of paths taken for the first time. They are reported but earn nothing, because loops make any
    /// number of paths.
    pub paths: u64,
    /// Number of failures found.
    pub findings: u64,
}

impl Reward {
    /// Maximum number of values, and of branches that came nearer, that count for one run. A single run may
    /// show very many of them.
    const MOST: u64 = 4;

    fn worth(self) -> u64 {
        64 * self.findings
            + 16 * (self.edges + self.better)
            + 4 * self.values.min(Self::MOST)
            + 2 * self.nearer.min(Self::MOST)
    }
}

impl AddAssign for Reward {
    fn add_assign(&mut self, more: Self) {
        self.edges += more.edges;
        self.values += more.values;
        self.nearer += more.nearer;
        self.better += more.better;
        self.paths += more.paths;
        self.findings += more.findings;
    }
}

/// Cost and reward of a technique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TechniqueCost {
    /// Number of sequences run.
    pub sequences: u64,
    /// Number of transactions executed: calls and properties.
    pub executions: u64,
    /// Cost: the work of the EVM, with a fixed part for every sequence and transaction and a larger weight
    /// for traced ones.
    pub cost: u64,
    /// CPU time. It is reported and does not influence decisions.
    pub cpu: Duration,
    /// Rewards of the runs.
    pub reward: Reward,
}

impl AddAssign for TechniqueCost {
    fn add_assign(&mut self, more: Self) {
        self.sequences += more.sequences;
        self.executions += more.executions;
        self.cost += more.cost;
        self.cpu += more.cpu;
        self.reward += more.reward;
    }
}

/// Cost and reward of one operator of a technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorCost {
    /// The technique.
    pub technique: Technique,
    /// Name of the operator.
    pub operator: &'static str,
    /// Cost and reward of the operator.
    pub account: TechniqueCost,
}

/// Arm of the bandit: one technique.
#[derive(Clone, Copy, Debug, Default)]
struct TechniqueArm {
    /// Discounted cost.
    cost: u64,
    /// Discounted reward.
    reward: u64,
    /// Total cost so far.
    total: u64,
    /// Total cost so far, with each cost divided by the share at its time.
    pass: u64,
}

impl TechniqueArm {
    /// Returns the reward per cost, including the prior.
    fn weight(&self) -> u64 {
        let scale = u128::from(PRIOR_COST) << 20;
        let rate = u128::from(self.reward + PRIOR_REWARD) * scale / u128::from(self.cost + PRIOR_COST);
        rate as u64
    }
}

/// Costs and shares of all techniques.
#[derive(Debug)]
pub(super) struct Shares {
    arms: [TechniqueArm; Technique::COUNT],
    /// Cost and reward of each operator, in the order in which they first ran.
    origins: Vec<OperatorCost>,
    /// True if shares follow the yield.
    adaptive: bool,
    /// Maximum share of random sequences, in thousandths.
    most_random: u64,
    /// Share of each technique, in thousandths; zero if it does not take part.
    shares: [u64; Technique::COUNT],
    /// Largest pass of the techniques that ran.
    now: u64,
    /// Total cost so far of all techniques.
    cost: u64,
}

impl Shares {
    /// Creates the shares of techniques that are `on`. The share of random sequences is at most `most_random`
    /// percent.
    pub(super) fn new(on: impl Fn(Technique) -> bool, adaptive: bool, most_random: u32) -> Self {
        let shares = Technique::ALL.map(|technique| u64::from(on(technique)));
        let most_random = 10 * u64::from(most_random.min(100));
        let (arms, origins) = Default::default();
        let mut shares = Self { arms, origins, adaptive, most_random, shares, now: 0, cost: 0 };
        shares.divide();
        shares
    }

    /// Returns the techniques that take part, the one furthest behind its share first. Random sequences come
    /// last while they exceed their maximum share.
    pub(super) fn turns(&self) -> impl Iterator<Item = Technique> + use<> {
        let mut turns = Technique::ALL;
        let (passes, shares) = (self.arms.map(|arm| arm.pass), self.shares);
        let random = self.arms[Technique::Random.index()].total;
        let is_spent = 1000 * random > self.most_random * self.cost;
        turns.sort_by_key(|technique| {
            (*technique == Technique::Random && is_spent, passes[technique.index()])
        });
        turns.into_iter().filter(move |technique| shares[technique.index()] > 0)
    }

    /// Returns true if a technique need not wait for its turn.
    pub(super) fn may_go_ahead(&self, technique: Technique) -> bool {
        let index = technique.index();
        let at_first = self.cost.min(START);
        let most = AHEAD_AT_FIRST * at_first + AHEAD_LATER * (self.cost - at_first);
        self.adaptive && self.shares[index] > 0 && 1000 * self.arms[index].total < most
    }

    /// Ends the turn of a technique that had nothing to run. It cannot save unused turns for later.
    pub(super) fn forfeit(&mut self, technique: Technique) {
        let arm = &mut self.arms[technique.index()];
        arm.pass = arm.pass.max(self.now);
    }

    /// Begins the turn of a technique whose candidate is handed out.
    pub(super) fn begin(&mut self, technique: Technique) {
        let arm = &mut self.arms[technique.index()];
        self.now = self.now.max(arm.pass);
        arm.pass += 1;
    }

    /// Records that a candidate of a technique is handed out before its turn. This does not advance the
    /// turns.
    pub(super) fn begin_ahead(&mut self, technique: Technique) {
        self.arms[technique.index()].pass += 1;
    }

    /// Records the cost and the reward of a run, and the cost of the work on conditions that followed it.
    pub(super) fn charge(&mut self, candidate: &Candidate, seen: &Observation, reward: Reward, solving: u64) {
        let (executions, cost) = cost(seen);
        let cost = cost + solving;
        let account = TechniqueCost { sequences: 1, executions, cost, reward, ..TechniqueCost::default() };
        *self.account(candidate) += account;
        let index = candidate.technique.index();
        let arm = &mut self.arms[index];
        arm.cost += cost;
        arm.reward += reward.worth();
        // Without the bandit, the cost must not depend on the calls that the snapshot cache or the property
        // cache saved.
        let turn = if self.adaptive { cost } else { (seen.steps.len() + seen.properties.len()) as u64 };
        // Passes are scaled so that small costs count.
        arm.pass += turn * 1000 / self.shares[index].max(1);
        arm.total += turn;
        self.cost += turn;
        let memory = LEAST_MEMORY.max(self.cost / MEMORY);
        if self.arms.iter().map(|arm| arm.cost).sum::<u64>() > memory {
            for arm in &mut self.arms {
                (arm.cost, arm.reward) = (arm.cost / 2, arm.reward / 2);
            }
        }
        self.divide();
    }

    /// Credits a candidate with a new failure.
    pub(super) fn credit(&mut self, candidate: &Candidate) {
        let reward = Reward { findings: 1, ..Reward::default() };
        self.account(candidate).reward += reward;
        self.arms[candidate.technique.index()].reward += reward.worth();
    }

    /// Records the CPU time of a candidate.
    pub(super) fn note_cpu(&mut self, candidate: &Candidate, cpu: Duration) {
        self.account(candidate).cpu += cpu;
    }

    /// Returns the cost and reward of each operator so far.
    pub(super) fn origins(&self) -> &[OperatorCost] {
        &self.origins
    }

    fn account(&mut self, candidate: &Candidate) -> &mut TechniqueCost {
        let Candidate { technique, origin: operator, .. } = *candidate;
        let is_it = |origin: &OperatorCost| origin.operator == operator && origin.technique == technique;
        let place = self.origins.iter().position(is_it).unwrap_or_else(|| {
            self.origins.push(OperatorCost { technique, operator, account: TechniqueCost::default() });
            self.origins.len() - 1
        });
        &mut self.origins[place].account
    }

    /// Divides 1000 thousandths among the techniques that take part.
    fn divide(&mut self) {
        let on = self.shares.map(|share| share > 0);
        let count = on.iter().filter(|on| **on).count() as u64;
        if count == 0 {
            return;
        }
        let weight = |index: usize| match on[index] {
            true if self.adaptive => self.arms[index].weight(),
            on => u64::from(on),
        };
        let weights: [u64; Technique::COUNT] = std::array::from_fn(weight);
        let total = weights.iter().sum::<u64>().max(1);
        let floor = FLOOR.min(1000 / count);
        let free = 1000 - floor * count;
        let mut shares = weights.map(|weight| free * weight / total);
        // The excess over the maximum share is divided evenly among the others.
        for index in 0..Technique::COUNT {
            let most = self.most(index).saturating_sub(floor);
            let excess = shares[index].saturating_sub(most);
            if excess > 0 && count > 1 {
                shares[index] = most;
                let others = (0..Technique::COUNT).filter(|other| on[*other] && *other != index);
                others.for_each(|other| shares[other] += excess / (count - 1));
            }
        }
        self.shares = std::array::from_fn(|index| if on[index] { shares[index] + floor } else { 0 });
    }

    fn most(&self, index: usize) -> u64 {
        if index == Technique::Random.index() { CAP.min(self.most_random) } else { CAP }
    }
}

/// Returns the number of transactions that a run executed, and their cost.
fn cost(seen: &Observation) -> (u64, u64) {
    let steps = seen.steps.len() - seen.work.resumed.min(seen.steps.len());
    let properties = seen.properties.iter().filter(|run| !run.recalled).count();
    let executions = (steps + properties) as u64;
    let Work { plain, traced, .. } = seen.work;
    (executions, plain + TRACED * traced + PER_TRANSACTION * executions + PER_SEQUENCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(plain: u64) -> Observation {
        Observation { work: Work { plain, ..Work::default() }, ..Observation::default() }
    }

    fn candidate(technique: Technique) -> Candidate {
        Candidate::new(Vec::new(), technique, "toy")
    }

    /// Returns the shares of the cost after many turns, where a turn of technique `i` costs `costs[i]` and
    /// earns `rewards[i]` edges in a thousand turns. A technique without cost never has anything to run.
    fn shares(
        adaptive: bool,
        most_random: u32,
        costs: [u64; Technique::COUNT],
        rewards: [u64; Technique::COUNT],
    ) -> [u64; Technique::COUNT] {
        let mut shares = Shares::new(|technique| technique != Technique::Reentry, adaptive, most_random);
        for turn in 0..20_000 {
            for technique in shares.turns() {
                let index = technique.index();
                if costs[index] == 0 {
                    shares.forfeit(technique);
                    continue;
                }
                shares.begin(technique);
                let edges = u64::from(turn % 1000 < rewards[index]);
                let reward = Reward { edges, ..Reward::default() };
                shares.charge(&candidate(technique), &run(costs[index]), reward, 0);
                break;
            }
        }
        let total: u64 = shares.origins().iter().map(|origin| origin.account.cost).sum();
        Technique::ALL.map(|technique| {
            let own = shares.origins().iter().find(|origin| origin.technique == technique);
            own.map_or(0, |origin| (1000 * origin.account.cost + total / 2) / total)
        })
    }

    #[test]
    fn without_a_yield_all_get_the_same_cost_whatever_a_turn_costs() {
        let costs = [10_000, 10_000_000, 100_000, 100_000, 50_000, 70_000, 1_000_000, 100_000, 0];
        for share in &shares(true, 100, costs, [0; 9])[..8] {
            assert!((120..170).contains(share), "{share}");
        }
    }

    #[test]
    fn what_yields_more_gets_more_and_what_yields_nothing_its_floor() {
        let all = shares(true, 100, [100_000; 9], [0, 10, 0, 100, 0, 0, 0, 0, 0]);
        assert!(all[3] > 2 * all[1] && 2 * all[1] > 3 * all[0], "{all:?}");
        assert!(all[..8].iter().all(|share| (30..=560).contains(share)), "{all:?}");
    }

    #[test]
    fn random_sequences_are_bounded_as_configured() {
        let all = shares(true, 20, [100_000; 9], [0, 500, 0, 0, 0, 0, 0, 0, 0]);
        assert!((150..=230).contains(&all[1]), "{all:?}");
    }

    #[test]
    fn a_technique_with_nothing_to_run_keeps_no_turns_for_later() {
        let mut shares = Shares::new(|technique| technique != Technique::Reentry, true, 100);
        for _ in 0..1_000 {
            shares.forfeit(Technique::Prediction);
            shares.begin(Technique::Mutation);
            shares.charge(&candidate(Technique::Mutation), &run(100_000), Reward::default(), 0);
        }
        shares.forfeit(Technique::Prediction);
        let behind = shares.arms.iter().filter(|arm| arm.pass + 1 < shares.now).count();
        assert_eq!(behind, 7, "all but these two had no turn at all");
        assert!(shares.arms[Technique::Prediction.index()].pass >= shares.now);
    }
}
