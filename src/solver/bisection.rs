//! Inputs at which a difference changes its sign.

use alloy_primitives::U256;
use std::cmp::Ordering;

/// Maximum number of changes of one order that are located.
const MOST_CHANGES: usize = 4;

/// Returns numbers up to `most` at which one of several orders changes, with their neighbours: one for each two
/// successive samples between which it does. The samples are the powers of two, and numbers as far from `now`. `orders`
/// returns `None` if there is no budget left.
pub(super) fn changes(
    now: U256,
    most: U256,
    mut orders: impl FnMut(U256) -> Option<Vec<Ordering>>,
) -> Vec<U256> {
    let mut found = Vec::new();
    let mut located: Vec<usize> = Vec::new();
    let mut before: Option<(U256, Vec<Ordering>)> = None;
    for sample in samples(now, most) {
        let Some(here) = orders(sample) else { return found };
        let Some((below, there)) = before.replace((sample, here.clone())) else {
            located.resize(here.len(), 0);
            continue;
        };
        for index in (0..here.len()).filter(|index| here[*index] != there[*index]) {
            if located[index] == MOST_CHANGES {
                continue;
            }
            located[index] += 1;
            let order = |number: U256| orders(number).map(|orders| orders[index]);
            let Some(pair) = locate([below, sample], there[index], order) else { return found };
            found.extend(pair.into_iter().filter(|number| !found.contains(number)).collect::<Vec<_>>());
        }
    }
    found
}

fn samples(now: U256, most: U256) -> Vec<U256> {
    let powers = (0..256).map(|bit| U256::ONE << bit);
    let near = (0..256).step_by(4).map(|bit| U256::ONE << bit);
    let around = near.flat_map(|by| [now.checked_sub(by), now.checked_add(by)]).flatten();
    let mut samples: Vec<U256> = powers.chain(around).chain([U256::ZERO, now, most]).collect();
    samples.retain(|sample| *sample <= most);
    samples.sort_unstable();
    samples.dedup();
    samples
}

/// Returns two neighbours between which the order is no longer that of the first.
fn locate(
    [mut low, mut high]: [U256; 2],
    first: Ordering,
    mut order: impl FnMut(U256) -> Option<Ordering>,
) -> Option<[U256; 2]> {
    while high - low > U256::ONE {
        let middle = low + ((high - low) >> 1);
        if order(middle)? == first {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roots_of_a_parabola_and_the_edges_of_a_step_are_found() {
        let number = U256::from;
        let product = number(123_456_789_u64) * number(877_u64);
        let parabola = |x: U256| {
            let other = number(123_457_666_u64).checked_sub(x);
            Some(vec![other.map_or(Ordering::Less, |other| (x * other).cmp(&product))])
        };
        let found = changes(number(5), number(1_u64 << 40), parabola);
        assert!(found.contains(&number(877)) && found.contains(&number(123_456_789_u64)), "{found:?}");
        let step = |x: U256| Some(vec![(x / number(1000)).cmp(&number(77_777))]);
        let found = changes(number(0), U256::MAX, step);
        assert!(found.contains(&number(77_777_000)), "{found:?}");
    }

    #[test]
    fn nothing_is_asked_when_the_budget_is_used_up() {
        let mut left = 10;
        let order = |x: U256| {
            left -= 1;
            (left >= 0).then(|| vec![x.cmp(&U256::from(1_000))])
        };
        assert!(changes(U256::ZERO, U256::MAX, order).is_empty());
        assert_eq!(left, -1);
    }
}
