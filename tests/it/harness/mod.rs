//! What the tests share: the tools, projects to run them on, and what a run printed.

mod dialogue;
mod node;
mod project;
mod run;
mod server;
mod suite;
mod tools;

pub(crate) use dialogue::Dialogue;
pub(crate) use node::Node;
pub(crate) use project::{Project, VM, fixtures};
pub(crate) use run::{Program, Run, Running, any_of, placeholders};
pub(crate) use server::{Answer, Server};
pub(crate) use suite::{set_up, transaction};
pub(crate) use tools::{REPOSITORY, node, tools};
