//! The `forge-harvey` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    forge_harvey::cli::main()
}
