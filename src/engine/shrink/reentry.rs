//! Shrink pass that removes reentrant calls, or makes them at the first opportunity.

use super::Shrinker;
use crate::model::Reentry;
use std::sync::Arc;

pub(super) fn run(shrinker: &mut Shrinker<'_>) {
    shrinker.attempt_all(|call| call.reentry = None);
    for index in 0..shrinker.best.len() {
        let Some(reentry) = shrinker.best[index].reentry.clone() else { continue };
        if !shrinker.attempt_call(index, |call| call.reentry = None) {
            let first = Reentry { nth: 0, ..Reentry::clone(&reentry) };
            shrinker.attempt_call(index, |call| call.reentry = Some(Arc::new(first)));
        }
    }
}
