//! A mutant that is tested in place of a source.

use crate::{config::Config, files, model::Mutant};
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};

/// Name of the file in the directory of a mutant that describes it.
pub(super) const DESCRIPTION: &str = "mutant.json";

/// Lets the project be compiled with the mutant of a directory. Whatever is written goes to this directory, so that
/// neither the sources nor the results of others change.
///
/// # Errors
/// When the directory describes no mutant, or the source has changed since.
pub(super) fn put_in_place(directory: &Path, config: &mut Config) -> Result<()> {
    let file = directory.join(DESCRIPTION);
    let description = files::read_text(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mutant: Mutant = serde_json::from_str(&description)
        .with_context(|| format!("{} describes no mutant", file.display()))?;
    replace_source(&mutant, config)?;
    let directory =
        directory.canonicalize().with_context(|| format!("cannot find {}", directory.display()))?;
    config.move_outputs(&directory);
    Ok(())
}

/// Lets the source of a mutant, and no other one, be compiled with its change.
///
/// # Errors
/// When the source cannot be read, or has changed since the mutant was made.
pub(super) fn replace_source(mutant: &Mutant, config: &mut Config) -> Result<()> {
    config.paths.replaced = [source(mutant, config)?].into();
    Ok(())
}

/// Returns the absolute path and the text of the source of a mutant with its change.
///
/// # Errors
/// When the source cannot be read, or has changed since the mutant was made.
pub(super) fn source(mutant: &Mutant, config: &Config) -> Result<(PathBuf, String)> {
    let source = config.paths.root.join(&mutant.path);
    let text = files::read_text(&source).with_context(|| format!("cannot read {}", source.display()))?;
    let mutated = mutant
        .applied(&text)
        .with_context(|| format!("{} has changed since the mutant was made", mutant.path))?;
    Ok((source, mutated))
}
