//! Forks: the state of a chain at a block, fetched from a node on demand.
//!
//! [`node`] sends requests to nodes, [`chain`] caches the answers in memory and on disk, and [`forks`] is the
//! set of forks of a test.

pub(crate) mod chain;
mod endpoint;
pub(crate) mod forks;
mod http;
mod jwt;
pub(crate) mod node;

pub(crate) use chain::Chain;
pub(crate) use endpoint::Endpoints;
pub(crate) use forks::{ForkView, Forks};
pub(crate) use node::RpcNode;
