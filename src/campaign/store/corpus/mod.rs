//! Our corpus: inputs of one suite that covered something new.
//!
//! The files are `<corpus>/inputs/<source>/<Contract>/<checksum>.jsonl.gz`. Each one is a segment, which
//! holds the inputs that one campaign kept within a few seconds. A segment is named by the checksum of its
//! bytes and never changed. This allows any number of processes to write in parallel, corpora to be merged by
//! copying files, and damage to be detected. Unreadable files are set aside and reported.

pub mod import;
mod v1;

pub use v1::CorpusEntry;

use super::{Unreadable, mangle};
use crate::{
    files::{WriteError, nofollow},
    model::ContractId,
};
use alloy_primitives::{hex, keccak256};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    fs,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// File name suffix of segments.
const SUFFIX: &str = ".jsonl.gz";
/// Size of the text in bytes at which a segment ends, and maximum decompressed size of one.
const FULL: usize = 1 << 24;
const MOST: u64 = 1 << 26;
/// Maximum decompressed size of all segments of one suite in bytes; further segments are not read.
const MOST_OF_ALL: usize = 1 << 28;
/// Maximum number of directory listings if files in it disappear.
const MOST_LISTINGS: u32 = 8;
/// Age at which a temporary file counts as abandoned.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Coverage of a campaign when a segment was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covered {
    /// Number of branch outcomes.
    pub branches: u64,
    /// Number of distinct paths.
    pub paths: u64,
}

/// Segment that was read.
#[derive(Debug)]
pub struct Segment {
    /// Suite of the inputs.
    pub suite: ContractId,
    /// Coverage when it was written.
    pub covered: Covered,
    /// Inputs.
    pub entries: Vec<CorpusEntry>,
    /// Decompressed size in bytes.
    pub length: usize,
}

/// Contents of a corpus.
#[derive(Debug, Default)]
pub struct LoadedCorpus {
    /// Inputs without duplicates, the newest first, in an order that depends only on the files.
    pub entries: Vec<CorpusEntry>,
    /// Segments from which they were read.
    pub segments: Vec<PathBuf>,
    /// Maximum coverage of the campaigns that wrote them.
    pub covered: Covered,
    /// Warnings about unreadable files, without the `Warning: ` prefix.
    pub warnings: Vec<String>,
}

/// Corpus of one suite.
#[derive(Clone, Debug)]
pub struct CorpusStore {
    suite: ContractId,
    dir: PathBuf,
}

impl CorpusStore {
    /// Creates the corpus of `suite` below the persistence directory.
    #[must_use]
    pub fn new(corpus: &Path, suite: &ContractId) -> Self {
        let dir = root(corpus).join(mangle(&suite.path)).join(mangle(&suite.name));
        Self { suite: suite.clone(), dir }
    }

    /// Reads all segments. Damaged files are renamed to `<file>.damaged`, and files of a later version are
    /// left alone. Both cause a warning.
    #[must_use]
    pub fn read(&self) -> LoadedCorpus {
        let mut warnings = Vec::new();
        // Another process may have merged files into a new one after they were listed.
        for _ in 0..MOST_LISTINGS {
            let (loaded, is_whole) = self.read_listed();
            warnings.extend(loaded.warnings);
            if is_whole {
                return LoadedCorpus { warnings, ..loaded };
            }
        }
        LoadedCorpus { warnings, ..self.read_listed().0 }
    }

    /// Reads the segments that exist now. The second result is false if any disappeared in the meantime.
    fn read_listed(&self) -> (LoadedCorpus, bool) {
        let mut loaded = LoadedCorpus::default();
        let mut segments = Vec::new();
        let (mut is_whole, mut length) = (true, 0);
        for path in files(&self.dir) {
            if !is_segment(&path) {
                continue;
            }
            if length >= MOST_OF_ALL {
                let dir = self.dir.display();
                let text =
                    format!("read only the first {MOST_OF_ALL} bytes of the inputs in {dir}, which are more");
                loaded.warnings.push(text);
                break;
            }
            match read(&path) {
                Ok(segment) => {
                    length += segment.length;
                    loaded.covered.branches = loaded.covered.branches.max(segment.covered.branches);
                    loaded.covered.paths = loaded.covered.paths.max(segment.covered.paths);
                    segments.push((segment.covered, segment.entries));
                    loaded.segments.push(path);
                }
                Err(why) => {
                    is_whole &= !matches!(why, Unreadable::Gone);
                    loaded.warnings.extend(why.warning("corpus file", &path));
                }
            }
        }
        // The coverage of a campaign only grows, so this puts the newest inputs first.
        segments.sort_by_key(|(covered, _)| Reverse((covered.branches, covered.paths)));
        let mut known = FxHashSet::default();
        let entries = segments.into_iter().flat_map(|(_, entries)| entries);
        loaded.entries.extend(entries.filter(|entry| known.insert(entry.clone())));
        (loaded, is_whole)
    }

    /// Adds inputs and returns the files that hold them.
    ///
    /// # Errors
    /// Fails if a file cannot be written; files written before are kept.
    pub fn write(&self, entries: &[CorpusEntry], covered: Covered) -> Result<Vec<PathBuf>, WriteError> {
        let mut written = Vec::new();
        let mut text = String::new();
        for (index, entry) in entries.iter().enumerate() {
            if text.is_empty() {
                text = v1::header(&self.suite, covered);
            }
            text += &entry.line();
            if text.len() >= FULL || index + 1 == entries.len() {
                let bytes = compressed(std::mem::take(&mut text).as_bytes());
                let path = self.dir.join(checksum(&bytes) + SUFFIX);
                nofollow::write(&path, &bytes)?;
                written.push(path);
            }
        }
        Ok(written)
    }

    /// Replaces segments that were read before by new ones with these inputs. Segments that others have
    /// written since are kept. An interruption loses nothing.
    ///
    /// # Errors
    /// Fails if the inputs cannot be written, or a segment cannot be removed.
    pub fn replace(
        &self,
        read: &[PathBuf],
        entries: &[CorpusEntry],
        covered: Covered,
    ) -> Result<(), WriteError> {
        let written = self.write(entries, covered)?;
        for path in read.iter().filter(|path| !written.contains(path)) {
            nofollow::remove(path).map_err(|error| WriteError { path: path.clone(), error })?;
        }
        Ok(())
    }

    /// Removes temporary files of killed processes that are more than an hour old.
    pub fn tidy(&self) {
        for path in files(&self.dir) {
            let is_temporary =
                path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".harvey-"));
            let modified = || path.metadata().and_then(|metadata| metadata.modified()).ok();
            // If the clock was set back, no file is old.
            let is_old =
                |modified| SystemTime::now().duration_since(modified).is_ok_and(|age| age > ABANDONED);
            if is_temporary && modified().is_some_and(is_old) {
                // Another process may have removed it, and nobody reads it.
                _ = nofollow::remove(&path);
            }
        }
    }
}

/// Returns the directory of the inputs of all suites.
#[must_use]
pub fn root(corpus: &Path) -> PathBuf {
    corpus.join("inputs")
}

/// Returns all segments below a directory, at any depth.
pub fn segments(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = walkdir::WalkDir::new(dir).sort_by_file_name().into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).filter(|path| is_segment(path))
}

/// Reads a segment.
///
/// # Errors
/// Fails if the segment cannot be read.
pub fn read(path: &Path) -> Result<Segment, Unreadable> {
    let bytes = nofollow::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Unreadable::Gone,
        _ => Unreadable::LeftAlone(error.to_string()),
    })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.strip_suffix(SUFFIX) != Some(&*checksum(&bytes)) {
        return Err(Unreadable::Damaged("its checksum is not that in its name".to_owned()));
    }
    parse(&bytes)
}

/// Parses the bytes of a segment, regardless of its file name.
///
/// # Errors
/// Fails if the bytes are damaged or of a later version.
pub fn parse(bytes: &[u8]) -> Result<Segment, Unreadable> {
    let damaged = |error: io::Error| Unreadable::Damaged(error.to_string());
    let mut text = String::new();
    GzDecoder::new(bytes).take(MOST + 1).read_to_string(&mut text).map_err(damaged)?;
    if text.len() as u64 > MOST {
        return Err(Unreadable::Damaged(format!("it unfolds to more than {MOST} bytes")));
    }
    v1::parse(&text)
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

fn is_segment(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(SUFFIX))
}

fn compressed(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).and_then(|()| encoder.finish()).expect("memory takes everything")
}

fn checksum(bytes: &[u8]) -> String {
    hex::encode(&keccak256(bytes)[..16])
}

#[cfg(test)]
mod tests;
