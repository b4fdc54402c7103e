//! External SMT solvers: a process for each query.
//!
//! A solver that hangs, crashes or lies costs its time limit and nothing else: its process is killed, what it prints is
//! data, and inputs are only accepted if they meet the conditions.

mod process;
mod program;

pub use program::SolverProgram;

use crate::solver::{Assignment, PathCondition};
use alloy_primitives::U256;
use regex::Regex;
use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

/// Value of a variable in an answer: `(v7 #x0f)`, `(v7 #b01)` or `(v7 15)`.
static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\(\s*v(\d{1,9})\s+(?:#x([0-9a-fA-F]{1,64})|#b([01]{1,256})|([0-9]{1,78}))\s*\)")
        .expect("a valid expression")
});

/// Answer of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtAnswer {
    /// Inputs that meet the condition.
    Inputs(Assignment),
    /// There are none, the solver says.
    Impossible,
    /// No answer in time, or none that is right.
    Unknown,
}

/// External solver with its limits.
#[derive(Clone, Debug)]
pub struct SmtSolver {
    program: SolverProgram,
    /// Time limit of a query.
    limit: Duration,
    /// Maximum time of all queries, in percent of the CPU time of the campaign.
    share: u32,
    /// Time that all queries took.
    spent: Duration,
    /// Number of queries.
    queries: u32,
}

/// Time that the first query is assumed to take.
const FIRST_QUERY: Duration = Duration::from_millis(25);

impl SmtSolver {
    /// Creates a solver whose queries take this long at most, and all together this part of the CPU time in percent.
    #[must_use]
    pub fn new(program: SolverProgram, limit: Duration, share: u32) -> Self {
        Self { program, limit, share, spent: Duration::ZERO, queries: 0 }
    }

    /// Tells whether another query, if it takes as long as the others did, may be made in a campaign that took this CPU
    /// time.
    #[must_use]
    pub fn may_ask(&self, campaign: Duration) -> bool {
        let next = self.spent.checked_div(self.queries).unwrap_or(FIRST_QUERY);
        (self.spent + next) * 100 <= campaign * self.share
    }

    /// Returns the time that all queries took.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// Asks for inputs that meet a condition: over integers if that is possible, and with bit vectors if that brings no
    /// answer.
    pub fn solve(&mut self, problem: &PathCondition) -> SmtAnswer {
        let scripts: [fn(&PathCondition) -> Option<String>; 2] =
            [PathCondition::integer_script, PathCondition::bit_vector_script];
        let first = if self.program.knows_integers() { 0 } else { 1 };
        let mut answers =
            scripts[first..].iter().filter_map(|write| Some(self.ask(problem, write(problem)?)));
        answers.find(|answer| *answer != SmtAnswer::Unknown).unwrap_or(SmtAnswer::Unknown)
    }

    fn ask(&mut self, problem: &PathCondition, script: String) -> SmtAnswer {
        let start = Instant::now();
        let arguments = self.program.arguments(self.limit);
        let output = process::run(self.program.path(), &arguments, script, self.limit);
        (self.spent, self.queries) = (self.spent + start.elapsed(), self.queries + 1);
        let output = output.unwrap_or_default();
        if output.trim_start().starts_with("unsat") {
            return SmtAnswer::Impossible;
        }
        let inputs = values(&output).and_then(|values| problem.accept(&values));
        inputs.map_or(SmtAnswer::Unknown, SmtAnswer::Inputs)
    }
}

/// Returns the values of the variables in an output; `None` if there is no solution.
fn values(output: &str) -> Option<Vec<(usize, U256)>> {
    let rest = output.trim_start().strip_prefix("sat")?;
    let value = |found: regex::Captures<'_>| {
        let notations = [(2, 16), (3, 2), (4, 10)];
        let digits = |(group, radix)| Some((found.get(group)?.as_str(), radix));
        let (digits, radix) = notations.into_iter().find_map(digits)?;
        Some((found[1].parse().ok()?, U256::from_str_radix(digits, radix).ok()?))
    };
    Some(VALUE.captures_iter(rest).filter_map(value).collect())
}

#[cfg(test)]
mod tests;
