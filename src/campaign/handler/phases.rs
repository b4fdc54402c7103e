//! Phases of learning: the search for the choices of each function, and calls with the best ones.

use super::{bandit::ChoiceSearch, walk::Walks};

/// Number of calls tried for each function, and maximum number for all of them.
const CALLS_PER_FUNCTION: usize = 2000;
const MOST_CALLS: usize = 40_000;

/// Further calls while some function never succeeded, as a multiple of these.
const MORE: usize = 2;

/// Number of calls of each function to see whether it fails where all use their best choices.
const TRIALS: usize = 60;

/// Part of the calls that use the final choices, in percent: the changes of quantities are read from them.
const FINAL: usize = 25;

/// Way in which the choices of calls are drawn.
pub(super) enum Phase {
    /// All functions search for theirs.
    Search,
    /// All use their best ones, to see which of them fail together.
    Trial,
    /// These functions search; the others use their best ones.
    Again(Vec<usize>),
    /// All use their best ones, as the handler does.
    Final,
}

impl Phase {
    pub(super) fn uses_best(&self, function: usize) -> bool {
        match self {
            Self::Search => false,
            Self::Again(searching) => !searching.contains(&function),
            Self::Trial | Self::Final => true,
        }
    }
}

impl Walks<'_> {
    /// Makes all walks.
    pub(super) fn learn(&mut self) {
        self.fund();
        let most = (self.examined.len() * CALLS_PER_FUNCTION).min(MOST_CALLS);
        let last = most * FINAL / 100;
        self.walks(most - last, Phase::Search);
        let mut more = most * MORE;
        while more > 0 && !self.examined.iter().all(|examined| examined.search.has_success()) {
            let some = more.min(CALLS_PER_FUNCTION);
            self.walks(some, Phase::Search);
            more -= some;
        }
        self.search_again();
        self.walks(last, Phase::Final);
    }

    /// Searches again for the choices of functions that fail where the others use their best choices: a market that was
    /// created with odd parameters is not the market that the others use.
    fn search_again(&mut self) {
        self.walks((self.examined.len() * TRIALS).min(MOST_CALLS), Phase::Trial);
        let fails = |index: &usize| self.examined[*index].trials.fail();
        let failing: Vec<usize> = (0..self.examined.len()).filter(fails).collect();
        let restarted = failing.iter().map(|index| (*index, self.examined[*index].search.restart()));
        let before: Vec<(usize, ChoiceSearch)> = restarted.collect();
        self.walks((failing.len() * CALLS_PER_FUNCTION).min(MOST_CALLS), Phase::Again(failing));
        for (index, search) in before {
            if !self.examined[index].search.has_success() {
                self.examined[index].search = search;
            }
        }
    }

    /// Makes walks of this many calls.
    fn walks(&mut self, calls: usize, phase: Phase) {
        let mut left = calls;
        while left > 0 && !self.examined.is_empty() && !self.stop.is_run_ending() {
            left = left.saturating_sub(self.walk(&phase));
        }
    }
}
