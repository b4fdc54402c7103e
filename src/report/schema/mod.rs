//! Types of the machine-readable output, by version.

pub(super) mod events_v1;
pub(super) mod v1;
