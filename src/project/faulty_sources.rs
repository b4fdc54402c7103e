//! Sources that do not compile, which a scan leaves out.

use crate::{
    files,
    project::{compile::BuildOutput, error::ProjectError},
};
use foundry_compilers::CompilationError as _;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Returns the input files that do not compile, each with the first line of the reason.
pub(super) fn faults(
    result: &Result<BuildOutput<'_>, ProjectError>,
    root: &Path,
    files: &[PathBuf],
) -> BTreeMap<PathBuf, String> {
    let mut faults = BTreeMap::new();
    let first_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    match result {
        Ok(output) => {
            let texts: Vec<_> =
                files.iter().map(|file| (file, files::read_text(file).unwrap_or_default())).collect();
            for error in output.output().errors.iter().filter(|error| error.is_error()) {
                let Some(location) = error.source_location() else { continue };
                for file in with_importers(root.join(&location.file), &texts) {
                    faults.entry(file).or_insert_with(|| first_line(&error.to_string()));
                }
            }
        }
        Err(ProjectError::NoVersion { message, .. } | ProjectError::Build(message)) => {
            for file in files {
                let shown = files::shown(file, root);
                let mut lines = message.lines();
                if let Some(line) = lines.find(|line| line.contains(&shown)) {
                    faults.insert(file.clone(), line.to_owned());
                }
            }
        }
        Err(_) => {}
    }
    faults
}

/// Returns a source and those of the input files, given with their texts, that import it, directly or not.
fn with_importers(faulty: PathBuf, texts: &[(&PathBuf, String)]) -> Vec<PathBuf> {
    let mut found = vec![faulty];
    let mut next = 0;
    while let Some(name) = found.get(next).map(|file| file.file_name().unwrap_or_default().to_owned()) {
        next += 1;
        for (file, text) in texts {
            if !found.contains(file) && imports(text, &name.to_string_lossy()) {
                found.push((*file).clone());
            }
        }
    }
    found
}

/// Tells whether a source imports a file of this name.
fn imports(source: &str, name: &str) -> bool {
    let is_it = |line: &str| ["\"", "'"].iter().any(|quote| line.contains(&format!("/{name}{quote}")));
    source.lines().any(|line| line.trim_start().starts_with("import") && is_it(line))
}
