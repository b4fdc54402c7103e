//! Ctrl-C and termination signals: the first asks campaigns to end and report, the second ends the process.

use std::{
    io::Write as _,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// What shells report for a process that Ctrl-C ended: 128 and SIGINT.
const KILLED: i32 = 130;

/// From here on a file that grows beyond what the system allows (`ulimit -f`) is an error, as a full disk is, and does not end
/// the process.
#[cfg(unix)]
pub(super) fn survive_file_size_limit() {
    // Where it cannot be caught, it ends the process as before.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

#[cfg(not(unix))]
pub(super) fn survive_file_size_limit() {}

/// Whether somebody asked us to stop. Clones share the answer.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches SIGINT, SIGTERM and SIGHUP (Ctrl-C and console close on Windows) from here on; later calls give the same
    /// answer.
    ///
    /// Later signals end the process at once with 130: whoever presses Ctrl-C twice does not want to wait.
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
            // A closed stderr is no reason to lose the report.
            let _ = writeln!(
                std::io::stderr(),
                "\nInterrupted: ending campaigns; interrupt again to quit at once"
            );
        })?;
        *installed = Some(interrupt.clone());
        Ok(interrupt)
    }

    /// Asks for the end, and says whether that had been asked before.
    pub fn request(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Whether the end was asked for.
    #[must_use]
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for rooms that know nothing of signals.
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
