//! Choice of the mutants: their places, operators and changed lines, or a sample.

use crate::{
    cli::args::{MutateArgs, SampleSize},
    config::Config,
    files,
    model::{Mutant, Place},
    mutation::{self, MutationOperator, OPERATORS},
    project::{Project, SourceStatements, changed_lines},
};
use alloy_primitives::{hex, keccak256};
use anyhow::{Context as _, Result, anyhow, bail};
use regex::Regex;
use std::{
    collections::{BTreeMap, HashMap},
    ops::{Range, RangeInclusive},
    path::{Path, PathBuf},
};

/// Mutant that was chosen.
#[derive(Clone, Debug)]
pub(super) struct ChosenMutant {
    /// Id, made of the names and texts around the change.
    pub(super) id: String,
    pub(super) mutant: Mutant,
    pub(super) place: Place,
    /// Lines of the source that change.
    pub(super) before: String,
    /// The same lines with the change.
    pub(super) after: String,
}

/// Returns the mutants that the flags select, in the order of their places.
///
/// # Errors
/// When a flag names a file, an operator or a revision that does not exist.
pub(super) fn choose(args: &MutateArgs, project: &Project, config: &Config) -> Result<Vec<ChosenMutant>> {
    let paths = paths(&args.paths, project, &config.paths.root)?;
    let is_wanted = |path: &str| {
        let is_usual = || project.is_contract(path) && !project.is_scaffolding(path);
        match &paths {
            None => is_usual(),
            // A file that is named may be a test or a library.
            Some(paths) => paths.iter().any(|wanted| path == wanted || is_below(path, wanted) && is_usual()),
        }
    };
    let contract = args.choice.match_contract.as_deref().map(Regex::new).transpose()?;
    let mut mutants = mutation::mutants(project, &operators(&args.choice.operators)?, is_wanted);
    mutants.retain(|mutant| {
        let name = mutant.contract.as_deref().unwrap_or_default();
        contract.as_ref().is_none_or(|contract| contract.is_match(name))
    });
    let mut candidates = candidates(mutants, project);
    if let Some(revision) = &args.choice.since {
        let changed = changed(&config.paths.root, revision)?;
        candidates.retain(|candidate| is_changed(candidate, &changed));
    }
    if !args.choice.ids.is_empty() {
        candidates = with_ids(candidates, &args.choice.ids)?;
    }
    Ok(match args.choice.sample {
        None => candidates,
        Some(sample) => sampled(candidates, sample),
    })
}

/// Returns the candidates with these ids.
fn with_ids(mut candidates: Vec<ChosenMutant>, ids: &[String]) -> Result<Vec<ChosenMutant>> {
    if let Some(unknown) = ids.iter().find(|id| candidates.iter().all(|candidate| candidate.id != **id)) {
        bail!(
            "--ids: there is no mutant {unknown}; `--list` shows the ids, which change with the code around a mutant"
        );
    }
    candidates.retain(|candidate| ids.contains(&candidate.id));
    Ok(candidates)
}

/// Returns the named operators, or all.
fn operators(ids: &[String]) -> Result<Vec<&'static MutationOperator>> {
    if ids.is_empty() {
        return Ok(OPERATORS.to_vec());
    }
    let known = |id: &String| {
        mutation::operator(id).ok_or_else(|| {
            let all: Vec<&str> = OPERATORS.iter().map(|operator| operator.id).collect();
            anyhow!("--operators: there is no operator {id}; there are {}", all.join(", "))
        })
    };
    ids.iter().map(known).collect()
}

/// Returns the files and directories that the user named, relative to the root; none if all contracts are meant.
fn paths(named: &[PathBuf], project: &Project, root: &Path) -> Result<Option<Vec<String>>> {
    if named.is_empty() {
        return Ok(None);
    }
    let relative = |path: &PathBuf| {
        let absolute = path.canonicalize().with_context(|| format!("cannot find {}", path.display()))?;
        let relative = files::shown(&absolute, root);
        let is_known = project.statements().files().iter().any(|file| is_below(&file.path, &relative));
        if !is_known {
            bail!("no source of the project is in {}", path.display());
        }
        Ok(relative)
    };
    named.iter().map(relative).collect::<Result<_>>().map(Some)
}

/// Tells whether a path is this file, or lies in this directory.
fn is_below(path: &str, wanted: &str) -> bool {
    Path::new(path).starts_with(wanted) || wanted.is_empty() || wanted == "."
}

fn candidates(mutants: Vec<Mutant>, project: &Project) -> Vec<ChosenMutant> {
    let sources: HashMap<&str, &SourceStatements> =
        project.statements().files().iter().map(|file| (&*file.path, file)).collect();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let candidate = |mutant: Mutant| {
        let source = sources.get(&*mutant.path)?;
        let key =
            [&*mutant.path, &mutant.surroundings(), &mutant.operator, &mutant.original, &mutant.replacement]
                .join("\0");
        let nth = seen.entry(key.clone()).or_default();
        *nth += 1;
        let id = hex::encode(&keccak256(format!("{key}\0{nth}"))[..ID_BYTES]);
        let (line, column) = source.position(mutant.range.start);
        let lines = lines_around(&source.text, &mutant.range);
        let before = source.text[lines.clone()].to_owned();
        let inside = mutant.range.start - lines.start..mutant.range.end - lines.start;
        let after = [&before[..inside.start], &mutant.replacement, &before[inside.end..]].concat();
        let place = Place { path: mutant.path.clone(), line, column };
        Some(ChosenMutant { id, place, before, after, mutant })
    };
    mutants.into_iter().filter_map(candidate).collect()
}

/// Bytes of a hash that make an id.
const ID_BYTES: usize = 5;

/// Returns the range of the whole lines around a range, without the end of the last line.
fn lines_around(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |length| range.end + length);
    start..end
}

/// Lines that changed, by path.
type ChangedLines = BTreeMap<String, Vec<RangeInclusive<usize>>>;

fn changed(root: &Path, revision: &str) -> Result<ChangedLines> {
    changed_lines(root, revision).ok_or_else(|| {
        anyhow!(
            "--since: git cannot compare with {revision}; name a commit, a branch or a tag that the repository has"
        )
    })
}

fn is_changed(candidate: &ChosenMutant, changed: &ChangedLines) -> bool {
    let Some(ranges) = changed.get(&candidate.place.path) else { return false };
    let first = candidate.place.line;
    let last = first + candidate.mutant.original.matches('\n').count();
    ranges.iter().any(|range| *range.start() <= last && first <= *range.end())
}

/// Returns the candidates with the lowest ids, which are hashes, in the order of their places.
fn sampled(candidates: Vec<ChosenMutant>, sample: SampleSize) -> Vec<ChosenMutant> {
    let count = sample.of(candidates.len());
    let mut ids: Vec<String> = candidates.iter().map(|candidate| candidate.id.clone()).collect();
    ids.sort_unstable();
    ids.truncate(count);
    candidates.into_iter().filter(|candidate| ids.contains(&candidate.id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_around_a_range_are_whole() {
        let text = "a\n  b = c;\n}\n";
        let at = text.find("c").unwrap();
        assert_eq!(&text[lines_around(text, &(at..at + 1))], "  b = c;");
        assert_eq!(&text[lines_around(text, &(0..3))], "a\n  b = c;");
    }

    #[test]
    fn a_directory_has_its_files_and_no_others() {
        assert!(is_below("src/core/A.sol", "src/core"));
        assert!(is_below("src/A.sol", "src/A.sol"));
        assert!(!is_below("src/core2/A.sol", "src/core"));
    }
}
