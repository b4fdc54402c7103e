//! Failures that outlive a run, and are replayed first by the next one.
//!
//! Two stores side by side: [`forge`] writes and reads the files that a plain `forge test` replays, for
//! what these can express; [`own`] keeps everything. [`rerun`] is the list of failed tests behind `--rerun`.
//! [`corpus`] holds inputs that reached something new, whether they failed or not.
//! Nothing here runs a sequence or knows an EVM, and no error here loses a finding: it is still in memory,
//! and the caller turns the error into a warning.

pub mod corpus;
pub mod forge;
mod merge;
mod named_file;
pub mod own;
pub mod rerun;
pub mod unanswered;

pub use merge::{Merged, failures, merge};
pub use named_file::NamedFile;
pub use own::has_kept;

use crate::{
    files::kept,
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

/// Bytes of a name; file systems take 255, and more is added to some.
const MOST_NAME: usize = 200;

/// One path component for `text`, different for different texts: `/` becomes `+`, and what file systems or
/// shells may dislike becomes `%` and hex.
fn mangle(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'/' => name.push('+'),
            // `..` would lead elsewhere.
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

/// Why a file gives nothing.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is gone: somebody put another one in its place, or removed it.
    #[error("it is gone")]
    Gone,
    /// Nobody can read it.
    #[error("{0}")]
    Damaged(String),
    /// Somebody else can: the user with other rights, or a later version.
    #[error("{0}")]
    LeftAlone(String),
}

impl Unreadable {
    /// Sets the file aside where it is damaged, and says so; `what` is a word for such files.
    #[must_use]
    fn warning(self, what: &str, path: &Path) -> Option<String> {
        match self {
            Self::Gone => None,
            Self::Damaged(why) => Some(set_aside(what, path, &why)),
            Self::LeftAlone(why) => Some(format!("ignored {what} {}: {why}", path.display())),
        }
    }
}

/// Renames a damaged file to `<file>.damaged`, or `<file>.damaged-2` where there is one, so that nobody reads it again
/// and nothing is lost; says so.
fn set_aside(what: &str, path: &Path, why: &str) -> String {
    let mut names = (1_u32..).map(|number| {
        let mut aside = path.as_os_str().to_owned();
        aside.push(if number == 1 { ".damaged".to_owned() } else { format!(".damaged-{number}") });
        PathBuf::from(aside)
    });
    let aside = names.find(|aside| !aside.exists()).expect("endless");
    match kept::rename(path, &aside) {
        Ok(()) => format!("set {what} aside as {}: {why}", aside.display()),
        Err(error) => format!("ignored damaged {what} {} ({error}): {why}", path.display()),
    }
}

/// A call that is answered by calling back, as it is saved.
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
    /// The call, not decoded, with its target where it is now.
    fn reentry(&self, moved: &BTreeMap<Address, Address>) -> Reentry {
        let target = moved.get(&self.target).copied().unwrap_or(self.target);
        Reentry { target, nth: self.nth, input: Input::Raw(self.calldata.clone()) }
    }
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
    let saved = || parse_function(signature?).map(TargetFunction::new);
    let saved = || saved().filter(|function| function.selector() == selector);
    targets.function(address, selector).cloned().or_else(|| saved().map(Arc::new))
}
