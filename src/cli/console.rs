//! Output of text to stdout and stderr, with or without colours.

use super::{
    args::{ColorChoice, GlobalArgs},
    output::PipeSafe,
};
use crate::report::{sanitized, visible};
use anyhow::{Context as _, Result};
use std::{
    collections::BTreeSet,
    io::{self, IsTerminal as _, Write as _},
};

/// Output of results to stdout, and of everything else to stderr.
pub(super) struct Console {
    stdout: PipeSafe<io::Stdout>,
    stderr: PipeSafe<io::Stderr>,
    pub(super) quiet: bool,
    /// True if stdout is for machines, so that only the final document goes there.
    pub(super) machine: bool,
    colored: bool,
    pub(super) colored_errors: bool,
    /// Warnings of running suites that were printed early; the reports of these suites contain them again.
    warned: BTreeSet<String>,
}

impl Console {
    /// Creates a console. `documents` is true if documents go to stdout.
    pub(super) fn new(global: &GlobalArgs, documents: bool) -> Self {
        // The library that paints the compiler's diagnostics does not know these settings, only this switch.
        let colors = colored(global, io::stdout().is_terminal());
        if !colors {
            yansi::disable();
        }
        Self {
            stdout: PipeSafe::new(io::stdout()),
            stderr: PipeSafe::new(io::stderr()),
            quiet: global.quiet,
            machine: global.json || documents,
            colored: colors,
            colored_errors: colored(global, io::stderr().is_terminal()),
            warned: BTreeSet::new(),
        }
    }

    /// Prints text for people.
    pub(super) fn say(&mut self, text: &str) -> Result<()> {
        if self.quiet || self.machine { Ok(()) } else { self.print(text) }
    }

    /// Prints the result of the command.
    pub(super) fn print(&mut self, text: &str) -> Result<()> {
        self.stdout
            .write_all(sanitized(text, self.colored).as_bytes())
            .and_then(|()| self.stdout.flush())
            .context("cannot write to stdout")
    }

    /// Warns on stderr.
    pub(super) fn warn(&mut self, warning: &str) {
        if !self.quiet {
            let word = if self.colored_errors { "\u{1b}[33mWarning\u{1b}[0m" } else { "Warning" };
            self.note(&format!("{word}: {}\n", visible(warning)));
        }
    }

    /// Prints a warning at once that the report of a suite will contain again.
    pub(super) fn warn_early(&mut self, warning: &str) {
        self.warn(warning);
        self.warned.insert(warning.to_owned());
    }

    /// Prints a warning of a suite's report, unless it was printed early.
    pub(super) fn warn_late(&mut self, warning: &str) {
        if !self.warned.remove(warning) {
            self.warn(warning);
        }
    }

    /// Prints to stderr.
    pub(super) fn note(&mut self, text: &str) {
        // There is no place to report that stderr cannot be written.
        let text = sanitized(text, self.colored_errors);
        let _ = self.stderr.write_all(text.as_bytes()).and_then(|()| self.stderr.flush());
    }
}

/// Tells whether output is coloured, depending on whether it goes to a `terminal`.
pub(super) fn colored(global: &GlobalArgs, terminal: bool) -> bool {
    match global.color.unwrap_or_default() {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}
