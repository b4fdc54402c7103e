//! Merging of corpora of other runs into one: of partitions, other machines, or earlier runs.

use super::{
    corpus::{self, CorpusStore, Covered, FULL_CORPUS, LoadedCorpus},
    own,
};
use crate::{files::WriteError, model::ContractId};
use std::{
    collections::BTreeMap,
    fmt::Display,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// Numbers of merged items.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Numbers of new inputs and of all inputs found.
    pub inputs: (usize, usize),
    /// Numbers of new or shorter failures, and of all failures found.
    pub failures: (usize, usize),
    /// Number of suites with inputs.
    pub suites: usize,
    /// Warnings about unreadable files, without the `Warning: ` prefix.
    pub warnings: Vec<String>,
}

/// Adds all inputs and failures anywhere below `from` to `corpus`. Each file names its suite, so directory
/// names do not matter. Nothing below `from` is changed.
///
/// # Errors
/// Fails if something cannot be written; everything merged before is kept.
pub fn merge(from: &[PathBuf], corpus: &Path) -> Result<Merged, WriteError> {
    let mut merged = Merged::default();
    let mut suites: BTreeMap<ContractId, Vec<(Covered, PathBuf)>> = BTreeMap::new();
    for path in from.iter().flat_map(|dir| corpus::segments(dir)) {
        match corpus::read_header(&path) {
            Ok((suite, covered)) => suites.entry(suite).or_default().push((covered, path)),
            Err(why) => merged.ignore(&path, &why),
        }
    }
    merged.suites = suites.len();
    for (suite, segments) in suites {
        let store = CorpusStore::new(corpus, &suite);
        let (mut all, mut more) = (store.read(), LoadedCorpus::default());
        more.read(segments).iter().for_each(|(path, why)| merged.ignore(path, why));
        merged.warnings.append(&mut all.warnings);
        merged.warnings.append(&mut more.warnings);
        merged.inputs.1 += more.entries.len();
        let known = all.entries.len();
        more.entries.into_iter().for_each(|entry| _ = all.insert(entry));
        merged.inputs.0 += all.entries.len() - known;
        if all.is_full() {
            merged.warnings.push(format!("the corpus of {suite} is full: {FULL_CORPUS}"));
        }
        store.replace(&all.segments, &all.entries, all.covered.most(more.covered))?;
    }
    for path in from.iter().flat_map(|dir| files(dir)) {
        merged.failures.1 += 1;
        match own::adopt(&path, corpus, &mut merged.warnings) {
            Ok(is_new) => merged.failures.0 += usize::from(is_new),
            Err(why) => merged.ignore(&path, &why),
        }
    }
    Ok(merged)
}

impl Merged {
    fn ignore(&mut self, path: &Path, why: &dyn Display) {
        self.warnings.push(format!("ignored {}: {why}", path.display()));
    }
}

/// Returns each failure file below `corpus` with its suite, or with the reason that it cannot be read.
pub fn failures(corpus: &Path) -> impl Iterator<Item = (PathBuf, Result<ContractId, String>)> {
    files(corpus).map(|path| {
        let suite = own::suite(&path);
        (path, suite)
    })
}

/// Returns every file below a directory with a path of our failures:
/// `failures/<source>/<Contract>/<failure>.json`.
fn files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let files = WalkDir::new(dir).sort_by_file_name().into_iter().flatten();
    let is_failure = |path: &Path| {
        path.extension().is_some_and(|extension| extension == "json")
            && path.ancestors().nth(3).is_some_and(|dir| dir.ends_with("failures"))
    };
    files
        .filter(|file| file.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .filter(move |path| is_failure(path))
}
