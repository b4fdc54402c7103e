//! Output while compilers are downloaded and run: a spinner with the elapsed time, and after ten seconds of compilation
//! a line that says why it takes long and what would be faster.

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

    /// Follows an event: the first compiler starts the spinner, and the end of the last one ends it. A download has a
    /// spinner too, if no compiler runs.
    pub(super) fn event(&mut self, event: &CompileEvent) {
        match event {
            CompileEvent::Downloading { .. } if self.running == 0 => self.show(event, None),
            CompileEvent::Installing { .. } if self.running == 0 => self.end(),
            CompileEvent::Compiling { not_native, .. } => {
                self.running += 1;
                if self.running == 1 {
                    self.show(event, slow_note(not_native.as_deref(), self.via_ir));
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

    /// Starts the spinner, in place of another one.
    fn show(&mut self, event: &CompileEvent, note: Option<String>) {
        self.end();
        if !self.quiet {
            self.shown = Some(start(event, note));
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
fn start(event: &CompileEvent, note: Option<String>) -> (Spinner, mpsc::Sender<()>) {
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

/// Returns why compilation is slow, and what would be faster. `not_native` is the reason why no native compiler runs.
fn slow_note(not_native: Option<&str>, via_ir: bool) -> Option<String> {
    let (and, profile) = match via_ir {
        true => (" and `via_ir` is on", "; a profile without `via_ir` is faster, too"),
        false => ("", ""),
    };
    match not_native {
        Some(reason) => Some(format!(
            "compilation takes long because solc runs as WebAssembly{and}. A native compiler is several times as fast, \
             but none was downloaded: {reason}. Put a native `solc` on PATH, or name one with `--use`{profile}"
        )),
        None if via_ir => Some(
            "compilation takes long because `via_ir` is on; a profile without it is faster. The next run \
             compiles only what has changed"
                .to_owned(),
        ),
        None => None,
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
            not_native: None,
        };
        let [downloading, installing] = [
            CompileEvent::Downloading { version: version.clone() },
            CompileEvent::Installing { version: version.clone() },
        ];
        let compiled =
            CompileEvent::Compiled { compiler: "Solc", version, elapsed: Duration::from_millis(1) };
        let mut watch = CompileWatch::new(false, false);
        for (event, is_shown) in [
            (&downloading, true),
            (&installing, false),
            (&downloading, true),
            (&compiling, true),
            (&compiling, true),
            (&downloading, true),
            (&installing, true),
            (&compiled, true),
            (&compiled, false),
        ] {
            watch.event(event);
            assert_eq!(watch.shown.is_some(), is_shown);
        }
        let mut quiet = CompileWatch::new(true, false);
        quiet.event(&compiling);
        assert!(quiet.shown.is_none() && quiet.suspend(|| 7) == 7);
    }

    #[test]
    fn what_is_slow_is_named_with_what_would_be_faster() {
        assert_eq!(
            slow_note(Some("nothing is fetched offline"), false).unwrap(),
            "compilation takes long because solc runs as WebAssembly. A native compiler is several times as fast, but \
             none was downloaded: nothing is fetched offline. Put a native `solc` on PATH, or name one with `--use`"
        );
        let both = slow_note(Some("why"), true).unwrap();
        assert!(
            both.contains("WebAssembly and `via_ir` is on") && both.ends_with("`via_ir` is faster, too"),
            "{both}"
        );
        assert!(slow_note(None, true).unwrap().contains("a profile without it"));
        assert_eq!(slow_note(None, false), None);
    }
}
