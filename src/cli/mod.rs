//! Command line: arguments, exit codes, signals and closed pipes.
//!
//! | file | content |
//! |---|---|
//! | `args/` | flags, and the settings that they override |
//! | `project` | steps that commands share: load the configuration, compile, plan campaigns |
//! | `test`, `selection`, `live_output` | `test` and `replay`: the whole run, its suites, output while it runs |
//! | `scan/` | contracts without sources: on a chain, or as bytecode |
//! | `reports`, `repro`, `baseline`, `gas_snapshots` | results of a run that are written or compared |
//! | `command_line` | the command line, for reports |
//! | `compile_watch` | spinner and advice while compilers run |
//! | `smt_solver` | the external SMT solver of a run |
//! | `event_log` | events of a run (`--events`) |
//! | `plain_repro` | choice of the form of a reproducer |
//! | `fuzz_input` | the one test that `--fuzz-input-file` is for |
//! | `watch`, `pre_commit` | runs after each change of a file, and before a commit |
//! | `mutate/` | mutants, and the verdicts of the tests on them |
//! | `mutant` | a mutant in place of a source |
//! | `mcp/` | server for clients of the Model Context Protocol |
//! | `corpus`, `init`, `config`, `explain`, `generate` | the other commands |
//! | `console`, `output` | what goes to stdout and stderr, and pipes that close |
//! | `exit`, `interrupt` | exit codes, Ctrl-C |

pub mod args;
pub mod exit;
pub mod interrupt;
pub mod output;

pub use args::{Cli, Command};
pub use exit::ExitStatus;
pub use interrupt::Interrupt;

mod baseline;
mod command_line;
mod compile_watch;
mod config;
mod console;
mod corpus;
mod event_log;
mod explain;
mod fuzz_input;
mod gas_snapshots;
mod generate;
mod init;
mod live_output;
mod mcp;
mod mutant;
mod mutate;
mod plain_repro;
mod pre_commit;
mod project;
mod reports;
mod repro;
mod scan;
mod selection;
mod smt_solver;
mod test;
mod watch;

use crate::panics;
use clap::Parser as _;
use std::{
    io::{IsTerminal as _, Write as _},
    process::ExitCode,
};

/// Parses the command line, runs the command, and returns the exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe during `--help` is not a failure.
            let _ = error.print();
            return ExitStatus::from(&error).into();
        }
    };
    match panics::caught_loudly(|| run(&cli)) {
        Ok(status) => status.into(),
        Err(_) => {
            complain("this is a bug in forge-harvey; please report it with the message above");
            ExitStatus::Internal.into()
        }
    }
}

fn run(cli: &Cli) -> ExitStatus {
    interrupt::survive_file_size_limit();
    if let Command::Test(args) = &cli.command
        && let Some(refusal) = args.forge_only.refusal(args, &cli.global)
    {
        complain(&refusal);
        return ExitStatus::Usage;
    }
    if let Command::Scan(args) = &cli.command
        && let Some(flag) = args.flag_of_tests()
    {
        complain(&format!("{flag} is for tests, and `scan` runs none; it is a flag of `forge-harvey test`"));
        return ExitStatus::Usage;
    }
    let done = match &cli.command {
        Command::Test(args) if args.watch.watch.is_some() => watch::run(args, &cli.global),
        Command::Test(args) => test::run(args, &cli.global),
        Command::Replay(args) => test::replay(args, &cli.global),
        Command::Scan(args) => scan::run(args, &cli.global),
        Command::Corpus(args) => corpus::run(args, &cli.global),
        Command::Mutate(args) => mutate::run(args, &cli.global),
        Command::Init(args) => init::run(args, &cli.global),
        Command::PreCommit(args) => pre_commit::run(args, &cli.global),
        Command::Config(args) => config::run(args, &cli.global),
        Command::Explain(args) => explain::run(args, &cli.global),
        Command::Mcp(args) => mcp::run(args, &cli.global),
        Command::Completions(args) => generate::completions(args),
        Command::Schema(args) => generate::schema(args),
        Command::Man => generate::manual(),
    };
    match done {
        Ok(status) => status,
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitStatus::Failure
        }
    }
}

fn complain(message: &str) {
    let mut stderr = std::io::stderr();
    let on = stderr.is_terminal();
    let _ = writeln!(stderr, "Error: {}", crate::report::sanitized_message(message, on));
}
