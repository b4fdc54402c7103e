//! Recordings of a transaction: coverage, comparisons, reads, taint, expressions and the call tree.

pub(crate) mod call_tree;
pub(crate) mod cmplog;
pub mod coverage;
pub mod decode;
pub(in crate::evm) mod edge_counts;
pub(crate) mod failure;
pub(in crate::evm) mod path;
pub(in crate::evm) mod read_set;
pub(in crate::evm) mod redaction;
pub(in crate::evm) mod result_tree;
mod shadow_stack;
pub(in crate::evm) mod stepping;
pub(in crate::evm) mod symbolic;
pub(in crate::evm) mod taint;
pub(in crate::evm) mod writes;
