//! What is recorded of a transaction: coverage, comparisons, reads, taint and the call tree.

pub(crate) mod call_tree;
pub(crate) mod cmplog;
pub mod coverage;
pub mod decode;
pub(in crate::evm) mod edge_counts;
pub(crate) mod failure;
pub(in crate::evm) mod read_set;
pub(crate) mod recorder;
pub(in crate::evm) mod redaction;
pub(in crate::evm) mod stepping;
pub(in crate::evm) mod taint;
