//! A write to a slot of storage that the caller chose (SWC-124).

use crate::model::{AssertionFailure, Step};

/// Whatever wrote the slot that no program means to write.
pub(super) fn decide(step: &Step) -> Option<&AssertionFailure> {
    step.arbitrary_write.as_ref()
}
