//! Flags of `--watch`.

use clap::Args;
use std::{path::PathBuf, time::Duration};

/// Flags of `--watch`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Watch options")]
pub struct WatchArgs {
    /// Rerun the affected suites after each change of a source, or of these files and directories
    ///
    /// Each run continues from the last one.
    #[arg(long, short, value_name = "PATH", num_args = 0..,
        conflicts_with_all = ["list", "json", "junit", "affected_by"])]
    pub watch: Option<Vec<PathBuf>>,
    /// Time without changes before a rerun, in seconds, or with the unit ms [default: 200ms]
    #[arg(long, value_name = "DELAY", value_parser = delay)]
    pub watch_delay: Option<Duration>,
    /// Finish a run before the next one begins; without it, a change ends the run
    #[arg(long)]
    pub no_restart: bool,
    /// Rerun all suites after each change
    #[arg(long)]
    pub run_all: bool,
    /// After a failure, rerun the failed tests first, and the others when these pass
    #[arg(long, visible_alias = "rerun-failures")]
    pub rerun_failed: bool,
}

/// Reads a duration such as `0.5`, `2s` or `500ms`.
fn delay(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1000.0),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().map(|number| number / unit);
    seconds
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected seconds, or a number with the unit ms".to_owned())
}

#[cfg(test)]
mod tests {
    use super::delay;
    use std::time::Duration;

    #[test]
    fn a_delay_is_seconds_or_has_a_unit() {
        for (text, milliseconds) in [("2", 2000), ("0.5", 500), ("50ms", 50), ("1.5s", 1500), ("0", 0)] {
            assert_eq!(delay(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "ms", "-1", "x", "inf", "NaN", "1m", "1e300"] {
            assert!(delay(text).is_err(), "{text}");
        }
    }
}
