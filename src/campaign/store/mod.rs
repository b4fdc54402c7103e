//! Failures that outlive a run, and are replayed first by the next one.
//!
//! Two stores side by side: [`forge`] writes and reads the files that a plain `forge test` replays, for
//! what these can express; [`own`] keeps everything. [`rerun`] is the list of failed tests behind `--rerun`.
//! Nothing here runs a sequence or knows an EVM, and no error here loses a finding: it is still in memory,
//! and the caller turns the error into a warning.

pub mod forge;
mod given;
pub mod own;
pub mod rerun;

pub use given::Given;
pub use own::has_kept;

use crate::model::{Input, SequenceCall, TargetFunction, TargetSet, Transaction};
use alloy_json_abi::Function;
use alloy_primitives::{Address, Bytes, Selector};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The files of `dir` whose names end in `.json`, by name; none when there is no such directory.
fn json_files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}

/// A transaction as it was saved: calldata, and what was known about it then.
struct SavedCall<'a> {
    tx: Transaction,
    contract: Option<&'a str>,
    signature: Option<&'a str>,
}

impl SavedCall<'_> {
    /// Decodes the calldata with the target's function as it is now, else with the signature that was saved
    /// (contracts that a run creates are not in the target set), else leaves it raw.
    fn decode(self, targets: &TargetSet) -> SequenceCall {
        let Self { mut tx, contract, signature } = self;
        let target = targets.targets.iter().find(|target| target.address == tx.target);
        let contract = target.map(|target| target.identifier.clone()).or_else(|| contract.map(str::to_owned));
        let calldata = tx.input.calldata();
        if let Some(function) = known_function(targets, tx.target, &calldata, signature) {
            tx.input = Input::decode(&function, &calldata);
        }
        if let Some(back) = &mut tx.reentry {
            let calldata = back.input.calldata();
            if let Some(function) = known_function(targets, back.target, &calldata, None) {
                Arc::make_mut(back).input = Input::decode(&function, &calldata);
            }
        }
        SequenceCall::new(tx, contract)
    }
}

fn known_function(
    targets: &TargetSet,
    address: Address,
    calldata: &Bytes,
    signature: Option<&str>,
) -> Option<Arc<TargetFunction>> {
    let special = signature.and_then(|signature| targets.special(address, signature));
    if let Some(special) = special.filter(|special| Input::decode(special, calldata).function().is_some()) {
        return Some(special.clone());
    }
    let selector = Selector::from_slice(calldata.get(..4)?);
    let saved = || Function::parse(signature?).ok().map(TargetFunction::new);
    let saved = || saved().filter(|function| function.selector() == selector);
    targets.function(address, selector).cloned().or_else(|| saved().map(Arc::new))
}
