//! Shrink pass that reduces the value sent with calls.

use super::{Shrinker, search};
use alloy_primitives::U256;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    shrinker.attempt_all(|call| call.value = U256::ZERO);
    for index in 0..shrinker.best.len() {
        let value = shrinker.best[index].value;
        search::minimise(value, |less| shrinker.attempt_call(index, |call| call.value = less));
    }
}
