//! Interruption by Ctrl-C or a termination signal. The first one asks campaigns to end and report; the second
//! one ends the process.

use std::{
    io::Write as _,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Exit code that shells report for a process ended by Ctrl-C: 128 + SIGINT.
const KILLED: i32 = 130;

/// Lets the process survive a file that grows beyond the limit of the system (`ulimit -f`). From here on this
/// is an error, like a full disk.
#[cfg(unix)]
pub(super) fn survive_file_size_limit() {
    // If the signal cannot be caught, it ends the process as before.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

#[cfg(not(unix))]
pub(super) fn survive_file_size_limit() {}

/// Flag that is set once the user asked the program to stop. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches SIGINT, SIGTERM and SIGHUP (Ctrl-C and console close on Windows) from here on. Later calls
    /// return the same flag.
    ///
    /// Later signals end the process at once with exit code 130, so that the user need not wait.
    pub fn install() -> Result<Self, ctrlc::Error> {
        static INSTALLED: Mutex<Option<Interrupt>> = Mutex::new(None);
        let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(interrupt) = &*installed {
            return Ok(interrupt.clone());
        }
        let interrupt = Self::default();
        let handler = interrupt.clone();
        ctrlc::set_handler(move || {
            if handler.request() {
                std::process::exit(KILLED);
            }
            // A closed stderr must not prevent the report.
            let _ = writeln!(
                std::io::stderr(),
                "\nInterrupted: ending campaigns; interrupt again to quit at once"
            );
        })?;
        *installed = Some(interrupt.clone());
        Ok(interrupt)
    }

    /// Requests the end, and returns true if it was requested before.
    pub fn request(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Tells whether the end was requested.
    #[must_use]
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the flag itself, for modules that do not handle signals.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_request_is_told_from_later_ones_and_clones_see_it() {
        let interrupt = Interrupt::default();
        let clone = interrupt.clone();
        assert!(!clone.requested());
        assert!(!interrupt.request());
        assert!(clone.requested() && clone.flag().load(Ordering::Relaxed));
        assert!(clone.request());
    }
}
