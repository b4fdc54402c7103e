//! Data that the reports of failing tests and of findings have in common.

use crate::model::{
    place::Place,
    trace::{Trace, TraceKind},
};
use alloy_primitives::Address;
use std::collections::BTreeMap;

/// Point of the campaign at which something was found, and its source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// Target calls made until then.
    pub calls: u64,
    /// Executions of the search until then, without those that confirmed and shrank earlier findings.
    pub executions: u64,
    /// Seconds since the campaign began.
    pub seconds: f64,
    /// CPU seconds of the campaign's threads since the campaign began.
    pub cpu_seconds: f64,
    /// Source of the sequence: an operator of the search, or `replay` for a failure of an earlier run.
    pub operator: &'static str,
}

/// Evidence of a failure, recorded while its sequence was replayed. Tests that pass have it, too.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Traces: deployment and `setUp` of tests, one per call of the sequence, then the property.
    pub traces: Vec<(TraceKind, Trace)>,
    /// `console.log` and DSTest log lines: of `setUp` of tests, then of the replay.
    pub logs: Vec<String>,
    /// Labels given with `vm.label`, and the built-in ones. Findings have none of their own.
    pub labels: BTreeMap<Address, String>,
    /// Place in the sources at which the last call failed, if it did and the place is known.
    pub failed_at: Option<Place>,
}

/// Replay by Forge, from a file in the format in which Forge saves failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ForgeReplay {
    /// No file was written.
    #[default]
    NotWritten,
    /// Path of the file, relative to the root.
    File(String),
    /// Reason for which Forge's format cannot express the counterexample.
    Inexpressible(String),
}

impl ForgeReplay {
    /// Returns the path of the file, relative to the root.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::File(path) => Some(path),
            Self::NotWritten | Self::Inexpressible(_) => None,
        }
    }

    /// Returns the reason for which Forge's format cannot express the counterexample, if it cannot.
    #[must_use]
    pub fn obstacle(&self) -> Option<&str> {
        match self {
            Self::Inexpressible(reason) => Some(reason),
            Self::NotWritten | Self::File(_) => None,
        }
    }
}

/// Settings of a campaign that its reports depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportSettings {
    /// True if sequences are shown as Solidity (`show_solidity`).
    pub show_solidity: bool,
    /// Settings in the comments of the functions that the campaign is for, as they were written there.
    pub comments: Vec<String>,
}
