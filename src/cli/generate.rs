//! Texts generated from definitions: shell completions, the manual page and the schema of `--json`.

use super::{
    Cli, ExitStatus,
    args::{CompletionsArgs, GlobalArgs, SchemaArgs},
    console::Console,
};
use crate::report;
use anyhow::Result;
use clap::CommandFactory as _;
use clap_complete::Shell;

/// Prints completions for a shell.
pub(super) fn completions(args: &CompletionsArgs) -> Result<ExitStatus> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut visible_command(), NAME, &mut text);
    let mut text = String::from_utf8_lossy(&text).into_owned();
    if args.shell == Shell::Bash {
        // clap_complete takes the hyphen of the name for the boundary of a subcommand, in one of two places.
        text = text.replace("forge__subcmd__harvey", "forge__harvey");
    }
    print(text.as_bytes())
}

/// Name of the program.
const NAME: &str = "forge-harvey";

/// Returns the command without hidden subcommands, which completions would list.
fn visible_command() -> clap::Command {
    let all = Cli::command();
    let shown = all.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()).cloned();
    let command = clap::Command::default().name(NAME).args(all.get_arguments().cloned()).subcommands(shown);
    command.version(env!("CARGO_PKG_VERSION"))
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

/// Prints the schema of `--json`, or of `--events`.
pub(super) fn schema(args: &SchemaArgs) -> Result<ExitStatus> {
    let schema = if args.events { report::events::schema() } else { report::json::schema() };
    print(schema.as_bytes())
}

fn print(text: &[u8]) -> Result<ExitStatus> {
    Console::new(&GlobalArgs::default(), false).print(&String::from_utf8_lossy(text))?;
    Ok(ExitStatus::Success)
}
