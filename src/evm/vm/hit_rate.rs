//! Part of the static calls of a function that the call cache answers.

/// Number of calls of a function that are recorded before it counts how many of them were answered.
const TRIAL: u32 = 32;

/// Part of the calls of a function that have to be answered, as a divisor, so that further ones are recorded. To record
/// a call takes time, too.
const LEAST_ANSWERED: u32 = 4;

/// Number of calls of a function after which it is tried again.
const PERIOD: u32 = 1024;

/// Calls of one function, and how many of them were answered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HitRate {
    asked: u32,
    /// Number of calls that were answered.
    pub(super) answered: u32,
}

impl HitRate {
    /// Counts a call, and tells whether it is worth while to look for an answer.
    pub(super) fn ask(&mut self) -> bool {
        if self.asked == PERIOD {
            *self = Self::default();
        }
        self.asked += 1;
        self.asked <= TRIAL || self.answered * LEAST_ANSWERED >= self.asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_always_read_something_else_are_not_recorded() {
        let mut hits = HitRate::default();
        assert_eq!((0..PERIOD).filter(|_| hits.ask()).count(), TRIAL as usize);
        assert!(hits.ask(), "a new trial");
        let mut hits = HitRate::default();
        let is_worth_it = |call: u32| {
            hits.answered += u32::from(call.is_multiple_of(LEAST_ANSWERED));
            hits.ask()
        };
        assert!((0..PERIOD).all(is_worth_it));
    }
}
