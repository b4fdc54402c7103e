//! Types of the machine-readable output, by version.

pub(super) mod v1;
