//! What the tests share: the tools, projects to run them on, and what a run printed.

mod project;
mod run;
mod tools;

pub(crate) use project::{Project, VM, fixtures};
pub(crate) use run::{Program, Run, Running, placeholders};
pub(crate) use tools::{REPOSITORY, node};
