//! The command line: what the user typed, how the process ends, and what a signal or a closed pipe does.

pub mod args;
pub mod exit;
pub mod interrupt;
pub mod output;

pub use args::{Cli, Command};
pub use exit::ExitStatus;
pub use interrupt::Interrupt;
