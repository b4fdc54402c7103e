//! Persistence of failures and inputs: failures outlive a run, and the next run replays them first.
//!
//! There are two stores of failures. [`forge`] reads and writes the files that a plain `forge test` replays,
//! for failures that these can express. [`own`] keeps all failures. [`rerun`] is the list of failed tests
//! behind `--rerun`. [`corpus`] keeps inputs that covered something new, failing or not. Nothing here runs a
//! sequence or depends on an EVM. An error here never loses a finding: it is still in memory, and the caller
//! turns the error into a warning.

pub mod corpus;
pub mod forge;
pub mod hung_calls;
mod merge;
mod named_file;
pub mod own;
pub mod rerun;

pub use merge::{Merged, failures, merge};
pub use named_file::NamedFile;
pub use own::has_kept;

use crate::{
    files::nofollow,
    model::{Input, Reentry, SequenceCall, TargetFunction, TargetSet, Transaction, parse_function},
};
use alloy_primitives::{Address, Bytes, Selector, hex, keccak256};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Returns the files of `dir` whose names end in `.json`, sorted by name; none if the directory does not
/// exist.
fn json_files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}

/// Maximum length of a file name in bytes. File systems allow 255, and suffixes may be added.
const MOST_NAME: usize = 200;

/// Encodes `text` as one path component, which differs for different texts. `/` becomes `+`, and characters
/// that file systems or shells may not accept become `%` and hexadecimal digits.
fn mangle(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'/' => name.push('+'),
            // `..` would be another directory.
            b'.' if index == 0 => name.push_str("%2E"),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => name.push(byte.into()),
            _ => name.push_str(&format!("%{byte:02X}")),
        }
    }
    if name.len() > MOST_NAME {
        name.truncate(MOST_NAME - 17);
        name.push('-');
        name.push_str(&hex::encode(&keccak256(text)[..8]));
    }
    name
}

/// Reason that a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file is gone: another process has replaced or removed it.
    #[error("it is gone")]
    Gone,
    /// The file is damaged.
    #[error("{0}")]
    Damaged(String),
    /// The file is readable only with other access rights, or by a later version.
    #[error("{0}")]
    LeftAlone(String),
}

impl Unreadable {
    /// Returns a warning, and sets the file aside if it is damaged. `what` names the kind of file.
    #[must_use]
    fn warning(self, what: &str, path: &Path) -> Option<String> {
        match self {
            Self::Gone => None,
            Self::Damaged(why) => Some(set_aside(what, path, &why)),
            Self::LeftAlone(why) => Some(format!("ignored {what} {}: {why}", path.display())),
        }
    }
}

/// Renames a damaged file to `<file>.damaged`, or `<file>.damaged-2` if that exists, so that it is not read
/// again and nothing is lost. Returns a warning.
fn set_aside(what: &str, path: &Path, why: &str) -> String {
    let mut names = (1_u32..).map(|number| {
        let mut aside = path.as_os_str().to_owned();
        aside.push(if number == 1 { ".damaged".to_owned() } else { format!(".damaged-{number}") });
        PathBuf::from(aside)
    });
    let aside = names.find(|aside| !aside.exists()).expect("endless");
    match nofollow::rename(path, &aside) {
        Ok(()) => format!("set {what} aside as {}: {why}", aside.display()),
        Err(error) => format!("ignored damaged {what} {} ({error}): {why}", path.display()),
    }
}

/// Saved form of a reentrant call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct SavedReentry {
    target: Address,
    nth: u32,
    calldata: Bytes,
}

impl From<&Reentry> for SavedReentry {
    fn from(back: &Reentry) -> Self {
        Self { target: back.target, nth: back.nth, calldata: back.input.calldata() }
    }
}

impl SavedReentry {
    /// Returns the call, not decoded; its target is replaced if it has `moved` to another address.
    fn reentry(&self, moved: &BTreeMap<Address, Address>) -> Reentry {
        let target = moved.get(&self.target).copied().unwrap_or(self.target);
        Reentry { target, nth: self.nth, input: Input::Raw(self.calldata.clone()) }
    }
}

/// Saved transaction: its calldata, and the contract and signature known when it was saved.
struct SavedCall<'a> {
    tx: Transaction,
    contract: Option<&'a str>,
    signature: Option<&'a str>,
}

impl SavedCall<'_> {
    /// Decodes the calldata with the current function of the target. If there is none, as for contracts
    /// created in a run, it uses the saved signature. Otherwise the calldata stays raw.
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
    let saved = || parse_function(signature?).map(TargetFunction::new);
    let saved = || saved().filter(|function| function.selector() == selector);
    targets.function(address, selector).cloned().or_else(|| saved().map(Arc::new))
}
