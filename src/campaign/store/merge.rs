//! Merging of corpora of other runs into one: of partitions, other machines, or earlier runs.

use super::{
    corpus::{self, CorpusEntry, CorpusStore, Covered, Segment},
    own,
};
use crate::{files::WriteError, model::ContractId};
use rustc_hash::FxHashSet;
use std::{
    collections::BTreeMap,
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
    let mut suites: BTreeMap<ContractId, (Vec<CorpusEntry>, Covered)> = BTreeMap::new();
    for path in from.iter().flat_map(|dir| corpus::segments(dir)) {
        match corpus::read(&path) {
            Ok(Segment { suite, covered, entries, .. }) => {
                let (all, most) = suites.entry(suite).or_default();
                all.extend(entries);
                most.branches = most.branches.max(covered.branches);
                most.paths = most.paths.max(covered.paths);
            }
            Err(why) => merged.warnings.push(format!("ignored {}: {why}", path.display())),
        }
    }
    merged.suites = suites.len();
    for (suite, (mut entries, mut covered)) in suites {
        let store = CorpusStore::new(corpus, &suite);
        let known = store.read();
        merged.warnings.extend(known.warnings);
        let mut all = known.entries;
        let mut seen = FxHashSet::default();
        entries.retain(|entry| seen.insert(entry.clone()));
        let found = entries.len();
        seen = all.iter().cloned().collect();
        entries.retain(|entry| seen.insert(entry.clone()));
        merged.inputs.1 += found;
        merged.inputs.0 += entries.len();
        all.append(&mut entries);
        covered.branches = covered.branches.max(known.covered.branches);
        covered.paths = covered.paths.max(known.covered.paths);
        store.replace(&known.segments, &all, covered)?;
    }
    for path in from.iter().flat_map(|dir| files(dir)) {
        merged.failures.1 += 1;
        match own::adopt(&path, corpus, &mut merged.warnings) {
            Ok(is_new) => merged.failures.0 += usize::from(is_new),
            Err(why) => merged.warnings.push(format!("ignored {}: {why}", path.display())),
        }
    }
    Ok(merged)
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
