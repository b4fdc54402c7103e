//! Figures of a campaign.

use std::{ops::AddAssign, time::Duration};

/// Calls of one function of one contract during a campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallMetrics {
    /// Calls made, without discarded ones.
    pub calls: u64,
    /// Calls that reverted.
    pub reverts: u64,
    /// Calls that `vm.assume` rejected.
    pub discards: u64,
}

/// Figures of one campaign.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Target calls made, discarded ones included.
    pub calls: u64,
    /// Top-level EVM transactions after `setUp`: target calls, property calls, and all that were run again to
    /// confirm, shrink or show a failure.
    pub executions: u64,
    /// Distinct path ids seen.
    pub paths: u64,
    /// Distinct edges of branches taken.
    pub branches: u64,
    /// Results of predictions.
    pub predictions: PredictionCounts,
    /// Results of the solver of path conditions.
    pub solver: SolverCounts,
    /// Number of sequences in Harvey's test suite at the end, and number of calls in them.
    pub kept: (u64, u64),
    /// Cost and yield of each operator of the search.
    pub origins: Vec<OriginStats>,
    /// Coverage at several times.
    pub coverage: Vec<CoveragePoint>,
    /// Functions that could be called, ordered by name.
    pub functions: Vec<FunctionStats>,
    /// Signatures of the invariants that held although no call changed what they read.
    pub vacuous: Vec<String>,
}

impl Stats {
    /// Adds the figures of another campaign.
    pub fn add(&mut self, more: Self) {
        self.seconds += more.seconds;
        self.calls += more.calls;
        self.executions += more.executions;
        self.paths += more.paths;
        self.branches += more.branches;
        self.predictions += more.predictions;
        self.solver += more.solver;
        self.kept = (self.kept.0 + more.kept.0, self.kept.1 + more.kept.1);
        for more in more.origins {
            let is_it = |known: &&mut OriginStats| {
                (known.technique, known.operator) == (more.technique, more.operator)
            };
            match self.origins.iter_mut().find(is_it) {
                Some(known) => known.add(more),
                None => self.origins.push(more),
            }
        }
        self.coverage.extend(more.coverage);
        self.vacuous.extend(more.vacuous);
        more.functions.into_iter().for_each(|function| self.add_function(function));
    }

    /// Adds the calls of a function in another campaign.
    pub fn add_function(&mut self, more: FunctionStats) {
        match self.functions.binary_search_by(|known| known.name.cmp(&more.name)) {
            Ok(index) => self.functions[index].add(more),
            Err(index) => self.functions.insert(index, more),
        }
    }
}

/// Calls of one function during a campaign, and the reasons of their reverts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionStats {
    /// `path:Name.function`.
    pub name: String,
    /// Numbers of calls.
    pub metrics: CallMetrics,
    /// Reasons of reverts and their numbers, the most frequent first. Custom errors that differ only in their
    /// arguments are the same reason.
    pub reasons: Vec<(String, u64)>,
}

impl FunctionStats {
    fn add(&mut self, more: Self) {
        self.metrics.calls += more.metrics.calls;
        self.metrics.reverts += more.metrics.reverts;
        self.metrics.discards += more.metrics.discards;
        for (reason, times) in more.reasons {
            match self.reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, known)) => *known += times,
                None => self.reasons.push((reason, times)),
            }
        }
        self.reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    }

    /// Returns the name without the path: `Name.function`.
    #[must_use]
    pub fn short(&self) -> &str {
        self.name.rsplit(':').next().unwrap_or(&self.name)
    }
}

/// Results of all predictions, and of some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PredictionCounts {
    /// Results of all.
    pub all: Predictions,
    /// Results of those that were for branches of properties.
    pub of_properties: Predictions,
}

impl AddAssign for PredictionCounts {
    fn add_assign(&mut self, more: Self) {
        self.all += more.all;
        self.of_properties += more.of_properties;
    }
}

/// Results of the solver of path conditions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverCounts {
    /// Number of path conditions examined.
    pub conditions: u64,
    /// Number of conditions that our own procedures met.
    pub solved: u64,
    /// Number of conditions that were put to an external solver.
    pub asked: u64,
    /// Number of those that it met.
    pub answered: u64,
    /// Number of branches that nothing passed and of which a condition was left to an external solver.
    pub left: u64,
}

impl AddAssign for SolverCounts {
    fn add_assign(&mut self, more: Self) {
        self.conditions += more.conditions;
        self.solved += more.solved;
        self.asked += more.asked;
        self.answered += more.answered;
        self.left += more.left;
    }
}

/// Results of predictions by the Secant method (Harvey section 4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Predictions {
    /// Branches that predictions tried to flip.
    pub tried: u64,
    /// Branches that the first value flipped.
    pub one_shot: u64,
    /// Branches that a later value flipped.
    pub iterated: u64,
    /// Branches that were not reached with the first value.
    pub unreached: u64,
    /// Branches for which the first value came no nearer than the execution from which it was predicted.
    pub no_nearer: u64,
}

impl AddAssign for Predictions {
    fn add_assign(&mut self, more: Self) {
        self.tried += more.tried;
        self.one_shot += more.one_shot;
        self.iterated += more.iterated;
        self.unreached += more.unreached;
        self.no_nearer += more.no_nearer;
    }
}

/// Cost and yield of an operator of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OriginStats {
    /// Technique of the operator.
    pub technique: &'static str,
    /// Its name.
    pub operator: &'static str,
    /// Sequences run.
    pub sequences: u64,
    /// Transactions executed: calls and properties.
    pub executions: u64,
    /// Cost by which the budget is shared: work of the EVM and other counted work.
    pub cost: u64,
    /// CPU time.
    pub cpu: Duration,
    /// Edges covered for the first time.
    pub edges: u64,
    /// Classes of values that nothing had read before.
    pub values: u64,
    /// Just-missed branches that came nearer, and better values of optimizations.
    pub nearer: u64,
    /// Paths taken for the first time.
    pub paths: u64,
    /// Failures found.
    pub findings: u64,
}

impl OriginStats {
    /// Adds the figures of the same operator in another campaign.
    pub fn add(&mut self, more: Self) {
        self.sequences += more.sequences;
        self.executions += more.executions;
        self.cost += more.cost;
        self.cpu += more.cpu;
        self.edges += more.edges;
        self.values += more.values;
        self.nearer += more.nearer;
        self.paths += more.paths;
        self.findings += more.findings;
    }
}

/// Coverage at one time of a campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoveragePoint {
    /// Executions of the search.
    pub executions: u64,
    /// Seconds since the campaign began.
    pub seconds: f64,
    /// Distinct path ids seen.
    pub paths: u64,
    /// Distinct edges of branches taken.
    pub branches: u64,
}
