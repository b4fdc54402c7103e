//! Texts generated from definitions: shell completions, the manual page and the schema of `--json`.

use super::{
    Cli, ExitStatus,
    args::{CompletionsArgs, GlobalArgs},
    console::Console,
};
use crate::report;
use anyhow::Result;
use clap::CommandFactory as _;

/// Prints completions for a shell.
pub(super) fn completions(args: &CompletionsArgs) -> Result<ExitStatus> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "forge-harvey", &mut text);
    print(&text)
}

/// Prints the manual page of the command, and then those of its subcommands.
pub(super) fn manual() -> Result<ExitStatus> {
    let mut text = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        clap_mangen::Man::new(subcommand.clone()).render(&mut text)?;
    }
    print(&text)
}

/// Prints the schema of `--json`.
pub(super) fn schema() -> Result<ExitStatus> {
    print(report::json::schema().as_bytes())
}

fn print(text: &[u8]) -> Result<ExitStatus> {
    Console::new(&GlobalArgs::default(), false).print(&String::from_utf8_lossy(text))?;
    Ok(ExitStatus::Success)
}
