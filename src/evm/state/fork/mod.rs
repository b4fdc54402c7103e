//! Forks: the state of a chain at a block, fetched from a node when somebody asks for it.
//!
//! [`node`] speaks with nodes, [`chain`] remembers what they said, on disk too, and [`forks`] is the set of forks of a
//! test, of which one is under its accounts.

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
