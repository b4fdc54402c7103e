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
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    fs,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// File name suffix of segments.
const SUFFIX: &str = ".jsonl.gz";
/// Size of the text in bytes at which a segment ends, and maximum decompressed size of one.
const FULL: usize = 1 << 24;
const MOST: u64 = 1 << 26;
/// Maximum size of the inputs of one suite in bytes, as text. More are neither stored nor read, so that neither the
/// files nor the memory of later runs grow without end.
pub const MOST_OF_SUITE: usize = 1 << 26;
/// Maximum number of directory listings if files in it disappear.
const MOST_LISTINGS: u32 = 8;
/// Age at which a temporary file counts as abandoned.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Advice for a suite that has more inputs than that.
pub const FULL_CORPUS: &str =
    "a suite has 64 MiB of them; `forge-harvey corpus minimise` removes those that show nothing new";

/// Coverage of a campaign when a segment was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covered {
    /// Number of branch outcomes.
    pub branches: u64,
    /// Number of distinct paths.
    pub paths: u64,
}

impl Covered {
    /// Returns the larger of each number.
    #[must_use]
    pub fn most(self, other: Self) -> Self {
        Self { branches: self.branches.max(other.branches), paths: self.paths.max(other.paths) }
    }
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
}

/// Contents of a corpus.
#[derive(Debug, Default)]
pub struct LoadedCorpus {
    /// Inputs without duplicates, the newest first, in an order that depends only on the files.
    pub entries: IndexSet<CorpusEntry, FxBuildHasher>,
    /// Segments from which they were read.
    pub segments: Vec<PathBuf>,
    /// Size of the inputs in bytes, as text.
    pub bytes: usize,
    /// Maximum coverage of the campaigns that wrote them.
    pub covered: Covered,
    /// Warnings about unreadable files, without the `Warning: ` prefix.
    pub warnings: Vec<String>,
}

impl LoadedCorpus {
    /// Adds an input if there is room for it. Returns true if it is new.
    pub fn insert(&mut self, entry: CorpusEntry) -> bool {
        if self.is_full() || self.entries.contains(&entry) {
            return false;
        }
        self.bytes += entry.line().len();
        self.entries.insert(entry)
    }

    /// Returns true if there is no room for more inputs.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.bytes >= MOST_OF_SUITE
    }

    /// Reads segments whose coverage is known, as far as there is room. Returns those that cannot be read.
    pub fn read(&mut self, mut segments: Vec<(Covered, PathBuf)>) -> Vec<(PathBuf, Unreadable)> {
        // The coverage of a campaign only grows, so this puts the newest inputs first.
        segments.sort_by_key(|(covered, _)| Reverse((covered.branches, covered.paths)));
        let mut unreadable = Vec::new();
        let mut left_out = 0;
        for (_, path) in segments {
            if self.is_full() {
                left_out += 1;
                continue;
            }
            match read(&path) {
                Ok(segment) => {
                    self.covered = self.covered.most(segment.covered);
                    segment.entries.into_iter().for_each(|entry| _ = self.insert(entry));
                    self.segments.push(path);
                }
                Err(why) => unreadable.push((path, why)),
            }
        }
        if left_out > 0 {
            self.warnings.push(format!("left out {left_out} files of inputs: {FULL_CORPUS}"));
        }
        unreadable
    }
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
        let mut unreadable = Vec::new();
        let mut headers = Vec::new();
        for path in files(&self.dir).into_iter().filter(|path| is_segment(path)) {
            match read_header(&path) {
                Ok((_, covered)) => headers.push((covered, path)),
                Err(why) => unreadable.push((path, why)),
            }
        }
        let mut loaded = LoadedCorpus::default();
        unreadable.extend(loaded.read(headers));
        let is_whole = !unreadable.iter().any(|(_, why)| matches!(why, Unreadable::Gone));
        let warnings = unreadable.into_iter().filter_map(|(path, why)| why.warning("corpus file", &path));
        loaded.warnings.extend(warnings);
        (loaded, is_whole)
    }

    /// Adds inputs and returns the files that hold them.
    ///
    /// # Errors
    /// Fails if a file cannot be written; files written before are kept.
    pub fn write<'a>(
        &self,
        entries: impl IntoIterator<Item = &'a CorpusEntry>,
        covered: Covered,
    ) -> Result<Vec<PathBuf>, WriteError> {
        let mut written = Vec::new();
        let mut text = String::new();
        let mut entries = entries.into_iter().peekable();
        while let Some(entry) = entries.next() {
            if text.is_empty() {
                text = v1::header(&self.suite, covered);
            }
            text += &entry.line();
            if text.len() >= FULL || entries.peek().is_none() {
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
    pub fn replace<'a>(
        &self,
        read: &[PathBuf],
        entries: impl IntoIterator<Item = &'a CorpusEntry>,
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
    parse(&checked(path)?)
}

/// Reads the suite and the coverage of a segment. The rest of it is not checked.
///
/// # Errors
/// Fails if the segment cannot be read.
pub fn read_header(path: &Path) -> Result<(ContractId, Covered), Unreadable> {
    let bytes = bytes(path)?;
    let mut line = String::new();
    let mut start = BufReader::new(GzDecoder::new(&*bytes)).take(MOST);
    let read = start.read_line(&mut line).map_err(|error| Unreadable::Damaged(error.to_string()));
    // A wrong checksum says more than a wrong header.
    read.and_then(|_| v1::parse_header(line.trim_end())).map_err(|why| checked(path).err().unwrap_or(why))
}

fn bytes(path: &Path) -> Result<Vec<u8>, Unreadable> {
    nofollow::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Unreadable::Gone,
        _ => Unreadable::LeftAlone(error.to_string()),
    })
}

/// Returns the bytes of a segment, which have the checksum of its name.
fn checked(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let bytes = bytes(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match name.strip_suffix(SUFFIX) == Some(&*checksum(&bytes)) {
        true => Ok(bytes),
        false => Err(Unreadable::Damaged("its checksum is not that in its name".to_owned())),
    }
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
