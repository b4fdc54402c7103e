//! Distribution of campaigns among processes that do not communicate (`--partition K/N`).
//!
//! Campaigns are dealt out in their order, as nextest does with tests. Each kind of campaign is dealt out
//! separately. If there are fewer campaigns than partitions, several partitions share one: each has a part of
//! the budget and a seed of its own.

use super::plan::{CampaignKind, CampaignPlan, SuitePlan};
use std::{fmt, str::FromStr, sync::Arc};

/// One part of all campaigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Index of the part, from 0.
    index: usize,
    /// Number of parts.
    count: usize,
}

impl FromStr for Partition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not of the form K/N, as in 2/4");
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let (index, count): (usize, usize) =
            (index.parse().map_err(|_| wrong())?, count.parse().map_err(|_| wrong())?);
        if index == 0 || index > count {
            return Err(format!("there is no part {index} of {count}: they are counted from 1"));
        }
        Ok(Self { index: index - 1, count })
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

impl Partition {
    /// Removes the campaigns of other parts. Faults of a suite stay in one part only.
    pub(super) fn retain(self, suites: &mut Vec<SuitePlan>) {
        for (place, suite) in suites.iter_mut().enumerate() {
            let is_told = place % self.count == self.index;
            if suite.suite.fault.is_some() {
                // Its campaigns do not run. One part reports the reason.
                suite.groups.clear();
                suite.suite.fault = suite.suite.fault.take().filter(|_| is_told);
            }
            if !is_told {
                suite.invalid.clear();
            }
        }
        // Each kind is dealt out separately, so that every part has some campaigns of each.
        let total = |kind| {
            let groups = suites.iter().flat_map(|suite| &suite.groups);
            groups.filter(|group| group.kind() == kind).count()
        };
        let kinds = [CampaignKind::Invariants, CampaignKind::Fuzz, CampaignKind::Fixed]
            .map(|kind| (kind, total(kind)));
        let mut dealt = [0; 3];
        for suite in suites.iter_mut() {
            let groups = std::mem::take(&mut suite.groups);
            suite.groups = groups
                .into_iter()
                .filter_map(|group| {
                    let at = kinds.iter().position(|(kind, _)| *kind == group.kind())?;
                    let number = dealt[at];
                    dealt[at] += 1;
                    let copy = self.copy(number, kinds[at].1)?;
                    let copies =
                        if kinds[at].0 == CampaignKind::Fixed { 1 } else { self.copies(number, kinds[at].1) };
                    (copy < copies).then(|| shared(group, copy, copies))
                })
                .collect();
        }
        suites.retain(|suite| {
            !suite.groups.is_empty() || !suite.invalid.is_empty() || suite.suite.fault.is_some()
        });
    }

    /// Returns the index of this part among those that share campaign `number`, of `campaigns` campaigns;
    /// `None` if this part has no share in it.
    fn copy(self, number: usize, campaigns: usize) -> Option<usize> {
        if campaigns >= self.count {
            return (number % self.count == self.index).then_some(0);
        }
        (self.index % campaigns == number).then_some(self.index / campaigns)
    }

    /// Returns the number of parts that share campaign `number`, of `campaigns` campaigns.
    fn copies(self, number: usize, campaigns: usize) -> usize {
        if campaigns >= self.count { 1 } else { (self.count - number).div_ceil(campaigns) }
    }
}

/// Returns the share of one of `copies` parts in a campaign.
fn shared(group: CampaignPlan, copy: usize, copies: usize) -> CampaignPlan {
    if copies == 1 {
        return group;
    }
    let copies = u32::try_from(copies).unwrap_or(u32::MAX);
    let mut config = Arc::unwrap_or_clone(group.config);
    config.invariant.runs = config.invariant.runs.div_ceil(copies);
    config.harvey.executions = config.harvey.executions.div_ceil(copies.into());
    let copy = u32::try_from(copy).unwrap_or(u32::MAX);
    CampaignPlan { config: Arc::new(config), copy, ..group }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_from_one() {
        let part: Partition = "2/4".parse().unwrap();
        assert_eq!((part, &*part.to_string()), (Partition { index: 1, count: 4 }, "2/4"));
        for wrong in ["0/4", "5/4", "4", "a/b", "1/0", "-1/2", ""] {
            wrong.parse::<Partition>().unwrap_err();
        }
    }

    #[test]
    fn every_campaign_is_run_by_as_many_as_share_it_and_every_part_has_work() {
        for count in 1..12 {
            for campaigns in 1..12 {
                let mut runs = vec![Vec::new(); campaigns];
                for index in 0..count {
                    let part = Partition { index, count };
                    let mut mine = 0;
                    for (number, copies) in runs.iter_mut().enumerate() {
                        if let Some(copy) = part.copy(number, campaigns) {
                            copies.push(copy);
                            mine += 1;
                        }
                    }
                    assert!(mine > 0, "part {index} of {count} has none of {campaigns}");
                }
                let part = Partition { index: 0, count };
                for (number, mut copies) in runs.into_iter().enumerate() {
                    copies.sort_unstable();
                    let expected: Vec<_> = (0..part.copies(number, campaigns)).collect();
                    assert_eq!(copies, expected, "{number} of {campaigns} in {count}");
                }
            }
        }
    }
}
