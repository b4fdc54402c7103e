//! What share of the budget long random walks get: the more, the more new paths they find for their calls than directed
//! sequences do.

/// Calls after which what was seen counts half.
const MEMORY: u64 = 8192;
/// The least share of walks, as a part of the largest.
const LEAST: u64 = 5;

/// Calls made and new paths found by them.
#[derive(Clone, Copy, Debug, Default)]
struct Yield {
    calls: u64,
    paths: u64,
}

impl Yield {
    fn learn(&mut self, calls: u64, paths: u64) {
        self.calls += calls;
        self.paths += paths;
        if self.calls > MEMORY {
            (self.calls, self.paths) = (self.calls / 2, self.paths / 2);
        }
    }

    /// New paths per million calls, as if one had been found in a few calls before.
    fn rate(self) -> u64 {
        (self.paths + 1) * 1_000_000 / (self.calls + 64)
    }
}

/// The account of walks.
#[derive(Debug)]
pub(super) struct Walks {
    /// Largest share, in percent.
    most: u64,
    walks: Yield,
    directed: Yield,
    /// Hundredths of calls that walks may still have.
    credit: i64,
}

impl Walks {
    /// Walks that get at most this percentage of the calls.
    pub(super) fn new(most: u32) -> Self {
        Self {
            most: u64::from(most.min(100)),
            walks: Yield::default(),
            directed: Yield::default(),
            credit: 0,
        }
    }

    /// Percent of the calls that walks get at present.
    fn share(&self) -> u64 {
        let (walks, directed) = (self.walks.rate(), self.directed.rate());
        let fair = 2 * self.most * walks / (walks + directed).max(1);
        fair.clamp(self.most / LEAST, self.most)
    }

    /// Whether walks, with one of `depth` calls more, would not have more than their share.
    pub(super) fn is_due(&self, depth: usize) -> bool {
        self.most > 0 && self.credit >= (100 - self.share() as i64) * depth as i64
    }

    /// Calls are handed out.
    pub(super) fn spend(&mut self, is_walk: bool, calls: usize) {
        let (share, calls) = (self.share() as i64, calls as i64);
        self.credit += if is_walk { (share - 100) * calls } else { share * calls };
    }

    /// So many calls found so many new paths.
    pub(super) fn learn(&mut self, is_walk: bool, calls: usize, paths: usize) {
        let side = if is_walk { &mut self.walks } else { &mut self.directed };
        side.learn(calls as u64, paths as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The percentage that walks get in the end, where they and directed sequences of two calls find so many paths in
    /// a hundred calls.
    fn share(most: u32, walks: usize, directed: usize) -> usize {
        let (mut account, mut calls) = (Walks::new(most), [0, 0]);
        for round in 0..20_000 {
            let is_walk = account.is_due(20);
            let length = if is_walk { 20 } else { 2 };
            account.spend(is_walk, length);
            let rate = if is_walk { walks } else { directed };
            account.learn(is_walk, length, usize::from(round * length % 100 < rate * length));
            if round >= 10_000 {
                calls[usize::from(is_walk)] += length;
            }
        }
        100 * calls[1] / (calls[0] + calls[1])
    }

    #[test]
    fn walks_get_their_share_by_their_yield_within_bounds() {
        assert!((45..=50).contains(&share(50, 5, 0)));
        assert!((9..=11).contains(&share(50, 0, 20)));
        assert_eq!(share(0, 5, 0), 0);
        assert!(share(100, 5, 0) > 95);
    }
}
