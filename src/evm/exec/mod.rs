//! Execution of sequences: the state after `setUp`, the targets, and the executor.

pub mod bare;
pub mod executor;
pub(crate) mod scan;
pub mod seed_dictionary;
pub(crate) mod targets;
pub mod test_env;
