//! Forge's corpus: sequences that covered something new, one file each.
//!
//! Forge 1.7 reads only files directly in `<corpus_dir>/<Contract>/<test>/` whose names have its own form. It
//! writes to worker directories below that, which it does not read. We read both, and write where Forge
//! reads.

use crate::{
    campaign::store::SavedCall,
    config::CorpusConfig,
    files::{WriteError, nofollow},
    model::{Input, Sequence, TargetSet, Transaction},
};
use alloy_primitives::{Address, Bytes, U256, hex, keccak256};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    time::SystemTime,
};
use walkdir::{DirEntry, WalkDir};

/// Maximum decompressed size of a file in bytes.
const MOST: u64 = 1 << 24;

/// Corpora of the tests that share a campaign.
#[derive(Clone, Debug)]
pub struct ForgeCorpus {
    /// Directories, one per test.
    dirs: Vec<PathBuf>,
    gzip: bool,
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
    /// Returns the corpora of tests of the contract with the bare name `contract`.
    #[must_use]
    pub fn new<'a>(config: &CorpusConfig, contract: &str, tests: impl IntoIterator<Item = &'a str>) -> Self {
        let dir = config.dir.join(contract);
        Self { dirs: tests.into_iter().map(|test| dir.join(test)).collect(), gzip: config.gzip }
    }

    /// Returns all sequences, in the order of their file names, with the calls that the current targets have.
    /// Also returns the damaged files.
    #[must_use]
    pub fn read(&self, targets: &TargetSet) -> (Vec<Sequence>, Vec<PathBuf>) {
        let mut known = BTreeSet::new();
        let (mut sequences, mut damaged) = (Vec::new(), Vec::new());
        for file in self.dirs.iter().flat_map(|dir| files(dir)) {
            let path = file.path().to_owned();
            if !is_name(&file.file_name().to_string_lossy()) || !known.insert(file.file_name().to_owned()) {
                continue;
            }
            match read(&path) {
                Some(calls) => {
                    sequences.push(calls.into_iter().filter_map(|call| call.of(targets)).collect())
                }
                None => damaged.push(path),
            }
        }
        sequences.retain(|sequence: &Sequence| !sequence.is_empty());
        (sequences, damaged)
    }

    /// Adds sequences that are not yet in the corpora.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write<'a>(&self, sequences: impl Iterator<Item = &'a Sequence> + Clone) -> Result<(), WriteError> {
        self.dirs.iter().try_for_each(|dir| self.write_into(dir, sequences.clone()))
    }

    fn write_into<'a>(
        &self,
        dir: &Path,
        sequences: impl Iterator<Item = &'a Sequence>,
    ) -> Result<(), WriteError> {
        let known: Vec<_> = files(dir).map(|file| file.file_name().to_string_lossy().into_owned()).collect();
        let seconds =
            SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        for sequence in sequences {
            let calls: Vec<_> =
                sequence.iter().filter(|tx| !tx.is_only_ours()).map(CorpusCall::from).collect();
            if calls.is_empty() {
                continue;
            }
            let mut text = serde_json::to_vec(&calls).expect("strings are JSON");
            let id = id(&text);
            if known.iter().any(|name| name.starts_with(&id)) {
                continue;
            }
            let mut name = format!("{id}-{seconds}.json");
            if self.gzip {
                name += ".gz";
                text = compressed(&text);
            }
            nofollow::write(&dir.join(name), &text)?;
        }
        Ok(())
    }
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

/// Returns all files below a directory, sorted by name.
fn files(dir: &Path) -> impl Iterator<Item = DirEntry> {
    let entries = WalkDir::new(dir).sort_by_file_name().into_iter().flatten();
    entries.filter(|entry| entry.file_type().is_file())
}

/// Tells whether a file name is one of Forge's for sequences, `<uuid>-<seconds>.json`, optionally with `.gz`.
/// Forge keeps other files there, too.
fn is_name(name: &str) -> bool {
    let stem = name.strip_suffix(".gz").unwrap_or(name).strip_suffix(".json");
    let parts = stem.map(|stem| stem.split('-').collect::<Vec<_>>()).unwrap_or_default();
    let is_hex =
        |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let [uuid @ .., seconds] = &parts[..] else { return false };
    uuid.len() == 5
        && uuid.iter().zip([8, 4, 4, 4, 12]).all(|(part, length)| is_hex(part, length))
        && seconds.bytes().all(|byte| byte.is_ascii_digit())
}

fn read(path: &Path) -> Option<Vec<CorpusCall>> {
    let mut bytes = nofollow::read(path).ok()?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut text = Vec::new();
        GzDecoder::new(&bytes[..]).take(MOST).read_to_end(&mut text).ok()?;
        bytes = text;
    }
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
mod tests {
    use super::*;
    use crate::model::{Target, TargetFunction};
    use alloy_json_abi::Function;
    use std::fs;
    use std::sync::Arc;

    const TARGET: Address = Address::repeat_byte(7);

    fn targets() -> TargetSet {
        let function = Arc::new(TargetFunction::new(Function::parse("function f(uint256)").unwrap()));
        let target = Target {
            address: TARGET,
            identifier: "src/C.sol:C".into(),
            functions: vec![function],
            views: Vec::new(),
            abi: Arc::default(),
        };
        TargetSet { targets: vec![target], ..TargetSet::default() }
    }

    fn corpus(dir: &Path, gzip: bool) -> ForgeCorpus {
        ForgeCorpus::new(&CorpusConfig { dir: dir.to_owned(), gzip }, "T", ["invariant_x"])
    }

    /// Returns a file as Forge writes it, with a call that no target has any more.
    fn text() -> String {
        let call = format!("b3de648b{:064x}", 5);
        format!(
            r#"[{{"sender":"{0}","target":"{TARGET}","calldata":"0x{call}"}},{{"sender":"{0}","target":"{TARGET}","calldata":"0x01020304"}}]"#,
            Address::repeat_byte(1)
        )
    }

    #[test]
    fn what_forge_wrote_is_read_wherever_it_stands() {
        let dir = tempfile::tempdir().unwrap();
        let workers = dir.path().join("T/invariant_x/worker0/corpus");
        fs::create_dir_all(&workers).unwrap();
        fs::write(workers.join("f90a5d22-603f-4a92-8916-0cdfba84e370-1.json"), text()).unwrap();
        fs::write(
            dir.path().join("T/invariant_x/f90a5d22-603f-4a92-8916-0cdfba84e371-1.json.gz"),
            compressed(text().as_bytes()),
        )
        .unwrap();
        fs::write(dir.path().join("T/invariant_x/f90a5d22-603f-4a92-8916-0cdfba84e372-1.json"), "[").unwrap();
        fs::write(dir.path().join("T/invariant_x/optimization_best.json"), "{}").unwrap();
        let (sequences, damaged) = corpus(dir.path(), true).read(&targets());
        assert_eq!(sequences.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(damaged, [dir.path().join("T/invariant_x/f90a5d22-603f-4a92-8916-0cdfba84e372-1.json")]);
    }

    #[test]
    fn what_is_written_is_read_back_and_not_written_again() {
        let dir = tempfile::tempdir().unwrap();
        let workers = dir.path().join("T/invariant_x");
        fs::create_dir_all(&workers).unwrap();
        fs::write(workers.join("f90a5d22-603f-4a92-8916-0cdfba84e370-1.json"), text()).unwrap();
        let corpus = corpus(dir.path(), true);
        let (mut sequences, _) = corpus.read(&targets());
        sequences[0][0].warp = U256::from(9);
        corpus.write(sequences.iter()).unwrap();
        corpus.write(sequences.iter()).unwrap();
        let (read, damaged) = corpus.read(&targets());
        assert_eq!((read.len(), damaged.len()), (2, 0));
        assert!(read.contains(&sequences[0]));
    }
}
