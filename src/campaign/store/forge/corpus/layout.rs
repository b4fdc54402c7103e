//! Directories of Forge's corpora.
//!
//! | | Forge 1.7 | Forge 1.8 |
//! |---|---|---|
//! | fuzz test, optimization | `<Contract>/<function>/` | `<Contract>/<function>/worker<k>/corpus/` |
//! | other invariants | `<Contract>/<function>/` | `<Contract>/worker<k>/corpus/` |
//!
//! Forge 1.7 writes to the directories of workers, too, but reads only files directly in the directory of the
//! function. Forge 1.8 reads those only if there are no directories of workers.

use crate::{
    config::ForgeVersion,
    model::{Property, PropertyKind},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Directory of the first worker below that of a corpus, to which entries of other programs belong.
const FIRST_WORKER: &str = "worker0/corpus";

/// Directories of the corpora of a campaign.
#[derive(Clone, Debug, Default)]
pub(super) struct CorpusLayout {
    /// Directories of corpora in either layout.
    roots: Vec<PathBuf>,
    /// Directories to which entries are written.
    written: Vec<PathBuf>,
    /// Files with the best sequences of optimizations.
    optima: Vec<PathBuf>,
    /// True if files directly in a root do not count beside the directories of workers.
    prefers_workers: bool,
}

impl CorpusLayout {
    /// Returns the directories of the corpora of these properties below the directory of their contract.
    pub(super) fn new<'a>(
        contract: &Path,
        properties: impl IntoIterator<Item = &'a Property>,
        forge: ForgeVersion,
    ) -> Self {
        let prefers_workers = forge.behaviour().keeps_corpora_of_workers;
        let mut layout = Self { prefers_workers, ..Self::default() };
        for Property { function, kind } in properties {
            let own = contract.join(&function.name);
            let is_of_contract = !matches!(kind, PropertyKind::Test | PropertyKind::Optimization);
            let written = match (prefers_workers, is_of_contract) {
                (true, true) => contract.join(FIRST_WORKER),
                (true, false) => own.join(FIRST_WORKER),
                (false, _) => own.clone(),
            };
            if is_of_contract {
                add(&mut layout.roots, contract.to_owned());
            }
            if *kind == PropertyKind::Optimization {
                add(&mut layout.optima, own.join("optimization_best.json"));
            }
            add(&mut layout.roots, own);
            add(&mut layout.written, written);
        }
        layout
    }

    /// Returns the directories to which entries are written.
    pub(super) fn written(&self) -> impl Iterator<Item = &Path> {
        self.written.iter().map(PathBuf::as_path)
    }

    /// Returns the files with the best sequences of optimizations, which need not exist.
    pub(super) fn optima(&self) -> impl Iterator<Item = &Path> {
        self.optima.iter().map(PathBuf::as_path)
    }

    /// Returns all entries, sorted within each directory.
    pub(super) fn entries(&self) -> impl Iterator<Item = PathBuf> {
        self.roots.iter().flat_map(|root| {
            let mut entries: Vec<_> = workers(root).iter().flat_map(|dir| files(dir)).collect();
            if !self.prefers_workers || workers(root).is_empty() {
                entries.extend(files(root));
            }
            entries
        })
    }
}

fn add(paths: &mut Vec<PathBuf>, path: PathBuf) {
    if !paths.contains(&path) {
        paths.push(path);
    }
}

/// Returns the corpora of workers in a directory, sorted. Links are not followed.
fn workers(root: &Path) -> Vec<PathBuf> {
    let is_worker = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("worker");
    let is_dir = |path: &PathBuf| path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let workers = entries.filter(is_worker).map(|entry| entry.path()).filter(is_dir);
    let mut dirs: Vec<_> = workers.map(|worker| worker.join("corpus")).filter(is_dir).collect();
    dirs.sort();
    dirs
}

/// Returns the entries directly in a directory, sorted by name. Other files are left out: Forge keeps some there.
pub(super) fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|ty| ty.is_file()));
    let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(|path| uuid(path).is_some()).collect();
    files.sort();
    files
}

/// Returns the digits of the UUID in the name of an entry, `<uuid>-<seconds>.json`, optionally with `.gz`; `None`
/// for other files. The suffixes may be in capitals.
pub(super) fn uuid(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let stem = name.strip_suffix(".gz").unwrap_or(&name).strip_suffix(".json")?;
    let (uuid, seconds) = stem.rsplit_once('-')?;
    seconds.parse::<u64>().ok()?;
    let lengths: Vec<_> = uuid.split('-').map(str::len).collect();
    let digits = uuid.replace('-', "");
    let is_uuid = matches!(lengths[..], [32] | [8, 4, 4, 4, 12]);
    (is_uuid && digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(digits)
}
