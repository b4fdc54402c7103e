//! Output while compilers run: a spinner with the elapsed time, and after ten seconds a line that says why it
//! takes long and what would be faster.

use crate::{project::CompileEvent, report::progress::Spinner};
use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::mpsc,
    time::Duration,
};

/// Time after which compilation counts as slow.
const SLOW: Duration = Duration::from_secs(10);

/// Spinner and timer of the compilers that run.
pub(super) struct CompileWatch {
    /// True if nothing is shown.
    quiet: bool,
    via_ir: bool,
    /// Number of compilers that run.
    running: usize,
    /// Spinner, and the timer that ends when its sender is dropped.
    shown: Option<(Spinner, mpsc::Sender<()>)>,
}

impl CompileWatch {
    pub(super) fn new(quiet: bool, via_ir: bool) -> Self {
        Self { quiet, via_ir, running: 0, shown: None }
    }

    /// Follows an event: the first compiler starts the spinner, and the end of the last one ends it.
    pub(super) fn event(&mut self, event: &CompileEvent) {
        match event {
            CompileEvent::Compiling { is_native, .. } => {
                self.running += 1;
                if self.shown.is_none() && !self.quiet {
                    self.shown = Some(start(event, slow_note(*is_native, self.via_ir)));
                }
            }
            CompileEvent::Compiled { .. } => {
                self.running = self.running.saturating_sub(1);
                if self.running == 0 {
                    self.end();
                }
            }
            _ => {}
        }
    }

    /// Calls `print` while the spinner is hidden.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.shown {
            Some((spinner, _)) => spinner.suspend(print),
            None => print(),
        }
    }

    fn end(&mut self) {
        if let Some((spinner, _)) = self.shown.take() {
            spinner.end();
        }
    }
}

impl Drop for CompileWatch {
    fn drop(&mut self) {
        self.end();
    }
}

/// Starts the spinner, and the timer that prints the note.
fn start(event: &CompileEvent, note: Option<&'static str>) -> (Spinner, mpsc::Sender<()>) {
    let spinner = Spinner::start(&event.to_string(), io::stderr().is_terminal());
    let (sender, receiver) = mpsc::channel::<()>();
    let shown = spinner.clone();
    if let Some(note) = note {
        std::thread::spawn(move || {
            if receiver.recv_timeout(SLOW) == Err(mpsc::RecvTimeoutError::Timeout) {
                // There is no place to report that stderr cannot be written.
                shown.suspend(|| drop(writeln!(io::stderr(), "Note: {note}")));
            }
        });
    }
    (spinner, sender)
}

/// Returns why compilation is slow, and what would be faster.
fn slow_note(is_native: bool, via_ir: bool) -> Option<&'static str> {
    match (is_native, via_ir) {
        (false, true) => Some(
            "compilation takes long because solc runs as WebAssembly and `via_ir` is on. A native compiler is \
             several times as fast: run `forge build` or `svm install VERSION` once, or put `solc` on PATH; a \
             profile without `via_ir` is faster, too",
        ),
        (false, false) => Some(
            "compilation takes long because solc runs as WebAssembly. A native compiler is several times as \
             fast: run `forge build` or `svm install VERSION` once, or put `solc` on PATH",
        ),
        (true, true) => Some(
            "compilation takes long because `via_ir` is on; a profile without it is faster. The next run \
             compiles only what has changed",
        ),
        (true, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semver::Version;

    #[test]
    fn a_spinner_lives_from_the_first_compiler_to_the_last() {
        let version = Version::new(0, 8, 30);
        let compiling = CompileEvent::Compiling {
            files: 2,
            compiler: "Solc",
            version: version.clone(),
            is_native: false,
        };
        let compiled =
            CompileEvent::Compiled { compiler: "Solc", version, elapsed: Duration::from_millis(1) };
        let mut watch = CompileWatch::new(false, false);
        for (event, is_shown) in
            [(&compiling, true), (&compiling, true), (&compiled, true), (&compiled, false)]
        {
            watch.event(event);
            assert_eq!(watch.shown.is_some(), is_shown);
        }
        let mut quiet = CompileWatch::new(true, false);
        quiet.event(&compiling);
        assert!(quiet.shown.is_none() && quiet.suspend(|| 7) == 7);
    }

    #[test]
    fn what_is_slow_is_named_with_what_would_be_faster() {
        let says = |is_native, via_ir, part: &str| slow_note(is_native, via_ir).unwrap().contains(part);
        assert!(says(false, false, "`svm install VERSION`") && !says(false, false, "via_ir"));
        assert!(says(false, true, "WebAssembly") && says(false, true, "a profile without `via_ir`"));
        assert!(says(true, true, "a profile without it"));
        assert_eq!(slow_note(true, false), None);
    }
}
