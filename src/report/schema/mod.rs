//! The shapes of machine-readable output, by version; serde is used nowhere else in this room.

pub(super) mod v1;
