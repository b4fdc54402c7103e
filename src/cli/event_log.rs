//! `--events FILE|-`: the events of a run, one JSON object a line, as they happen.

use super::{args::DocumentArgs, console::Console, output::PipeSafe};
use crate::{
    model::{Event, RunReport},
    report::events::EventLines,
};
use alloy_primitives::U256;
use anyhow::{Context as _, Result};
use std::{
    fs::File,
    io::{self, Write},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Writer of the events; it writes nothing if they are not wanted.
pub(super) struct EventLog {
    to: Option<PipeSafe<Box<dyn Write>>>,
    lines: EventLines,
}

impl EventLog {
    /// Opens the file, which loses what it had.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn open(args: &DocumentArgs) -> Result<Self> {
        let to: Option<Box<dyn Write>> = match &args.events {
            None => None,
            Some(_) if args.has_events_on_stdout() => Some(Box::new(io::stdout())),
            Some(file) => {
                let opened = File::create(file);
                Some(Box::new(opened.with_context(|| format!("--events: cannot write {}", file.display()))?))
            }
        };
        Ok(Self { to: to.map(PipeSafe::new), lines: EventLines::new(U256::ZERO) })
    }

    /// Begins the log of a run with this seed.
    pub(super) fn begin(&mut self, seed: U256) {
        self.lines = EventLines::new(seed);
    }

    /// Writes the lines for an event.
    pub(super) fn event(&mut self, event: &Event, console: &mut Console) {
        if self.to.is_some() {
            let lines = self.lines.lines(event, now());
            self.write(&lines, console);
        }
    }

    /// Writes the last line.
    pub(super) fn finish(&mut self, report: &RunReport, console: &mut Console) {
        let line = self.lines.finished(report, now());
        self.write(&line, console);
    }

    /// Writes lines at once, so that a reader sees them while the run goes on. If that fails, the run goes on without.
    fn write(&mut self, lines: &str, console: &mut Console) {
        let Some(to) = &mut self.to else { return };
        if let Err(error) = to.write_all(lines.as_bytes()).and_then(|()| to.flush()) {
            console.warn(&format!("--events: cannot write: {error}; no more events are written"));
            self.to = None;
        }
    }
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
