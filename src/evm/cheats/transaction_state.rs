//! State of the cheatcodes that belongs to one transaction.

use super::undo::UndoLog;
use alloy_primitives::Bytes;
use std::{collections::BTreeMap, path::PathBuf};

/// Logs, results and changes of the transaction that runs, or that ran last.
#[derive(Clone, Debug, Default)]
pub(crate) struct TransactionState {
    /// True if a cheatcode runs the transaction within another one.
    pub(super) is_nested: bool,
    pub(super) undo: UndoLog,
    /// Lines logged so far.
    pub(super) logs: Vec<String>,
    /// Positions in bytes of files that are read line by line.
    pub(super) opened_files: BTreeMap<PathBuf, u64>,
    /// Revert data of the last failed `vm.assert*`.
    pub(super) assert_failure: Option<Bytes>,
    /// Revert data of the calls of `vm.skip(true)`.
    pub(super) skips: Vec<Bytes>,
    /// Error of a cheatcode that cannot be carried out, because of which the test cannot be judged.
    pub(crate) unsupported: Option<String>,
    /// True if a cheatcode returned a recording that lacks calls which did not run, because their answers were known.
    pub(crate) read_gaps: bool,
}

impl TransactionState {
    /// Forgets the last transaction.
    pub(super) fn begin_tx(&mut self) {
        let Self { is_nested: _, undo, logs, opened_files, assert_failure, skips, unsupported, read_gaps } =
            self;
        undo.clear();
        logs.clear();
        opened_files.clear();
        *assert_failure = None;
        skips.clear();
        *unsupported = None;
        *read_gaps = false;
    }

    /// Prepares for a transaction within the running one.
    pub(super) fn enter_transaction(&mut self) {
        self.is_nested = true;
    }

    /// Goes on with the transaction around one that has ended.
    pub(super) fn after_transaction(&mut self, outer: Self) {
        self.is_nested = outer.is_nested;
        self.undo = outer.undo;
    }
}
