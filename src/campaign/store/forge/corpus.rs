//! Forge's corpus: sequences that covered something new, one file each.

mod layout;

use crate::{
    campaign::store::SavedCall,
    config::{CorpusConfig, ForgeVersion},
    files::{WriteError, nofollow},
    model::{Input, Property, Sequence, TargetSet, Transaction},
};
use alloy_primitives::{Address, Bytes, U256, hex, keccak256};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use layout::{CorpusLayout, files, uuid};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    collections::BTreeSet,
    io::{Read as _, Write as _},
    path::Path,
    time::SystemTime,
};

/// Maximum decompressed size of a file in bytes.
const MOST: u64 = 1 << 24;
/// Maximum decompressed size of all files of a campaign in bytes; further files are not read.
const MOST_OF_ALL: usize = 1 << 28;

/// Corpora of the tests that share a campaign.
#[derive(Clone, Debug)]
pub struct ForgeCorpus {
    layout: CorpusLayout,
    gzip: bool,
}

/// State of an optimization that Forge keeps beside its corpus. The value is not needed: it is computed again.
#[derive(Debug, Deserialize)]
struct OptimizationBest {
    best_sequence: Vec<CorpusCall>,
}

/// Call in a corpus file.
#[derive(Debug, Serialize, Deserialize)]
struct CorpusCall {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    warp: Option<U256>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roll: Option<U256>,
    sender: Address,
    target: Address,
    calldata: Bytes,
    /// Call value, for Forge 1.8; earlier versions ignore it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<U256>,
}

impl ForgeCorpus {
    /// Returns the corpora of these properties of the contract with the bare name `contract`, as this version of
    /// Forge places them.
    #[must_use]
    pub fn new<'a>(
        config: &CorpusConfig,
        contract: &str,
        properties: impl IntoIterator<Item = &'a Property>,
        forge: ForgeVersion,
    ) -> Self {
        let layout = CorpusLayout::new(&config.dir.join(contract), properties, forge);
        Self { layout, gzip: config.gzip }
    }

    /// Returns all sequences, in the order of their directories and file names, with the calls that the current
    /// targets have. Also returns a warning for each file that cannot be read, without `Warning: `.
    #[must_use]
    pub fn read(&self, targets: &TargetSet) -> (Vec<Sequence>, Vec<String>) {
        let mut known = BTreeSet::new();
        let (mut sequences, mut warnings) = (Vec::new(), Vec::new());
        let mut length = 0;
        for path in self.layout.optima() {
            let Ok(text) = nofollow::read(path) else { continue };
            match serde_json::from_slice::<OptimizationBest>(&text) {
                Ok(best) => sequences.push(best.best_sequence),
                Err(_) => warnings.push(damaged(path)),
            }
        }
        for path in self.layout.entries() {
            // The same sequence may be in the directories of several workers.
            if !known.insert(uuid(&path)) {
                continue;
            }
            if length >= MOST_OF_ALL {
                let dir = path.parent().unwrap_or(&path).display();
                warnings
                    .push(format!("read only the first {MOST_OF_ALL} bytes of Forge's corpus, up to {dir}"));
                break;
            }
            match read(&path, &mut length) {
                Some(calls) => sequences.push(calls),
                None => warnings.push(damaged(&path)),
            }
        }
        let current =
            |calls: Vec<CorpusCall>| calls.into_iter().filter_map(|call| call.of(targets)).collect();
        let mut sequences: Vec<Sequence> = sequences.into_iter().map(current).collect();
        sequences.retain(|sequence| !sequence.is_empty());
        (sequences, warnings)
    }

    /// Returns the number of directories to which each sequence is written.
    #[must_use]
    pub fn directories(&self) -> usize {
        self.layout.written().count()
    }

    /// Adds sequences that are not yet in the corpora.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write<'a>(&self, sequences: impl Iterator<Item = &'a Sequence> + Clone) -> Result<(), WriteError> {
        self.layout.written().try_for_each(|dir| self.write_into(dir, sequences.clone()))
    }

    fn write_into<'a>(
        &self,
        dir: &Path,
        sequences: impl Iterator<Item = &'a Sequence>,
    ) -> Result<(), WriteError> {
        let known: BTreeSet<_> = files(dir).iter().map(|path| uuid(path)).collect();
        let seconds =
            SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        for sequence in sequences {
            let calls: Vec<_> =
                sequence.iter().filter(|tx| !tx.is_only_ours()).map(CorpusCall::from).collect();
            if calls.is_empty() {
                continue;
            }
            let mut text = serde_json::to_vec(&calls).expect("strings are JSON");
            let mut name = format!("{}-{seconds}.json", id(&text));
            if known.contains(&uuid(Path::new(&name))) {
                continue;
            }
            if self.gzip {
                name += ".gz";
                text = compressed(&text);
            }
            nofollow::write(&dir.join(name), &text)?;
        }
        Ok(())
    }
}

fn damaged(path: &Path) -> String {
    format!("{} holds no sequence of calls that can be read; remove it", path.display())
}

/// Parses the calls of a corpus file; they are not decoded.
#[must_use]
pub fn kept_by_forge(text: &[u8]) -> Option<Vec<Transaction>> {
    let calls: Vec<CorpusCall> = serde_json::from_slice(text).ok()?;
    Some(calls.into_iter().map(CorpusCall::raw).collect())
}

impl CorpusCall {
    fn raw(self) -> Transaction {
        Transaction {
            sender: self.sender,
            target: self.target,
            value: self.value.unwrap_or_default(),
            input: Input::Raw(self.calldata),
            warp: self.warp.unwrap_or_default(),
            roll: self.roll.unwrap_or_default(),
            reentry: None,
        }
    }

    /// Returns the call, if one of the current targets has its function.
    fn of(self, targets: &TargetSet) -> Option<Transaction> {
        let call = SavedCall { tx: self.raw(), contract: None, signature: None }.decode(targets);
        call.tx.input.function().is_some().then_some(call.tx)
    }
}

impl From<&Transaction> for CorpusCall {
    fn from(tx: &Transaction) -> Self {
        let some = |number: U256| (!number.is_zero()).then_some(number);
        Self {
            warp: some(tx.warp),
            roll: some(tx.roll),
            sender: tx.sender,
            target: tx.target,
            calldata: tx.input.calldata(),
            value: some(tx.value),
        }
    }
}

/// Reads a file and adds its decompressed size to `length`.
fn read<T: DeserializeOwned>(path: &Path, length: &mut usize) -> Option<T> {
    let mut bytes = nofollow::read(path).ok()?;
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        let mut text = Vec::new();
        GzDecoder::new(&bytes[..]).take(MOST).read_to_end(&mut text).ok()?;
        bytes = text;
    }
    *length += bytes.len();
    serde_json::from_slice(&bytes).ok()
}

fn compressed(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).and_then(|()| encoder.finish()).expect("memory takes everything")
}

/// Returns the first part of a file name, which must be a UUID for Forge: one of version 8 (RFC 9562),
/// derived from the content.
fn id(text: &[u8]) -> String {
    let mut hash = keccak256(text).0;
    hash[6] = hash[6] & 0x0f | 0x80;
    hash[8] = hash[8] & 0x3f | 0x80;
    let part = |range: std::ops::Range<usize>| hex::encode(&hash[range]);
    [part(0..4), part(4..6), part(6..8), part(8..10), part(10..16)].join("-")
}

#[cfg(test)]
mod tests;
