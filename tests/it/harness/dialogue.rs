//! A program that is talked to, line by line.

use super::run::{Run, Started};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::ChildStdin,
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

/// An answer comes within this time, also on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Dialogue {
    started: Started,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Dialogue {
    pub(super) fn new(mut started: Started) -> Self {
        let (sender, lines) = mpsc::channel();
        let stdout = BufReader::new(started.child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let stdin = started.child.stdin.take();
        Self { started, stdin, lines }
    }

    /// Writes a line.
    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits for the next line.
    #[track_caller]
    pub(crate) fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line on stdout")
    }

    /// Closes stdin.
    pub(crate) fn close(&mut self) {
        self.stdin = None;
    }

    /// Sends a signal by its short name.
    pub(crate) fn signal(&mut self, name: &str) {
        self.started.signal(name);
    }

    /// Closes stdin, and waits for the end. What was not heard is lost.
    pub(crate) fn finish(mut self) -> Run {
        self.close();
        self.wait()
    }

    /// Waits for the end, and leaves stdin as it is.
    pub(crate) fn wait(self) -> Run {
        let Self { started, stdin: _stdin, lines: _lines } = self;
        started.finish()
    }
}
