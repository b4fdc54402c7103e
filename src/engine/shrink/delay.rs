//! Lets less time and fewer blocks pass.

use super::{Shrinker, search};
use alloy_primitives::U256;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    shrinker.attempt_all(|call| (call.warp, call.roll) = (U256::ZERO, U256::ZERO));
    shrinker.attempt_all(|call| call.roll = U256::ZERO);
    shrinker.attempt_all(|call| call.warp = U256::ZERO);
    for index in 0..shrinker.best.len() {
        let warp = shrinker.best[index].warp;
        search::minimise(warp, |less| shrinker.attempt_call(index, |call| call.warp = less));
        let roll = shrinker.best[index].roll;
        search::minimise(roll, |less| shrinker.attempt_call(index, |call| call.roll = less));
    }
}
