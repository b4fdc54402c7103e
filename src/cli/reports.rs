//! `--report`: documents in addition to the output for people.

use super::{
    args::{Format, ReportArg},
    command_line, repro,
};
use crate::{
    config::{Config, find_repository},
    files::write_atomically,
    model::RunReport,
    oracle,
    project::{Project, revision},
    report::{self, LinkBase, ReportOptions, html::PageFacts},
};
use anyhow::{Context as _, Result, bail};
use std::{env, fs, path::Path, time::SystemTime};

/// Checks the reports before anything runs. Fails if two documents would go to stdout (`is_taken` is true if
/// another option already writes one), if annotations would be mixed with a document, or if a report's file
/// cannot exist.
pub(super) fn check(reports: &[ReportArg], is_taken: bool) -> Result<()> {
    let documents = reports.iter().filter(|report| report.takes_stdout()).count() + usize::from(is_taken);
    let annotations = reports.iter().any(|report| report.file.is_none() && !report.takes_stdout());
    check_outputs(
        documents + usize::from(annotations),
        reports.iter().filter_map(|report| report.file.as_deref()),
    )
}

/// Fails if more than one output goes to stdout, or if one of the files cannot exist.
pub(super) fn check_outputs<'a>(on_stdout: usize, files: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    if on_stdout > 1 {
        bail!(
            "--report: only one report can go to stdout; give the others files, as in \
             --report sarif=results.sarif"
        );
    }
    for file in files {
        if file.is_dir() {
            bail!("--report: {} is a directory", file.display());
        }
    }
    Ok(())
}

/// Surroundings of a run that reports show.
pub(super) struct ReportScene<'a> {
    pub(super) config: &'a Config,
    /// Project that was tested, if any suite ran.
    pub(super) project: Option<&'a Project>,
    /// Directory for reproducers, if the user named one.
    pub(super) reproducers: Option<&'a Path>,
    pub(super) options: ReportOptions,
}

/// Formats a report.
pub(super) fn text(format: Format, report: &RunReport, scene: &ReportScene<'_>) -> String {
    let root = &scene.config.paths.root;
    match format {
        Format::Json => report::json::report(report, &scene.options),
        Format::Junit => report::junit::report(report, SystemTime::now(), &scene.options),
        Format::Sarif => report::sarif::report(report, &oracle::RULES, &base(root)),
        Format::Markdown => report::markdown::report(report),
        Format::Github => report::github::report(report, &base(root)),
        Format::Lcov => report::lcov::report(report, &base(root)),
        Format::Html => report::html::report(report, &page_facts(report, scene)),
    }
}

/// Collects what an HTML page shows besides the results.
fn page_facts(report: &RunReport, scene: &ReportScene<'_>) -> PageFacts {
    let root = &scene.config.paths.root;
    let now = SystemTime::now();
    let sources = scene.project.into_iter().flat_map(|project| project.statements().files());
    let reproducers =
        scene.project.map(|project| repro::all(report, scene.reproducers, scene.config, project));
    PageFacts {
        title: title(root),
        started: now.checked_sub(report.duration).unwrap_or(now),
        command: command_line::shown(env::args_os()),
        revision: revision(root),
        rules: &oracle::RULES,
        sources: sources.map(|file| (file.path.clone(), file.text.clone())).collect(),
        reproducers: reproducers.unwrap_or_default(),
    }
}

/// Writes the reports that have files, and returns the text for stdout. Writes all of them even if one fails.
pub(super) fn write(
    reports: &[ReportArg],
    report: &RunReport,
    scene: &ReportScene<'_>,
) -> (String, Result<()>) {
    let (mut stdout, mut written) = (String::new(), Ok(()));
    for ReportArg { format, file } in reports {
        let text = text(*format, report, scene);
        match file {
            Some(file) => written = written.and(write_to(file, &text)),
            None => stdout += &text,
        }
    }
    (stdout, written)
}

/// Writes a report. Devices and pipes are written to, and not replaced.
pub(super) fn write_to(file: &Path, text: &str) -> Result<()> {
    match file.metadata() {
        Ok(known) if !known.is_file() => {
            fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
        }
        _ => Ok(write_atomically(file, text.as_bytes())?),
    }
}

/// Returns the base of the paths in reports on the project at `root`.
pub(super) fn base(root: &Path) -> LinkBase {
    let repository = find_repository(root).unwrap_or(root);
    let text = |path: &Path| path.to_string_lossy().replace('\\', "/");
    let inside = root.strip_prefix(repository).map(text).unwrap_or_default();
    LinkBase { repository: text(repository), project: inside }
}

/// Returns the title of a page on the project at `root`.
pub(super) fn title(root: &Path) -> String {
    root.file_name().map_or_else(|| root.display().to_string(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn paths_begin_at_the_repository() {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path().join("packages/core contracts");
        fs::create_dir_all(&project).unwrap();
        fs::create_dir(directory.path().join(".git")).unwrap();
        let base = base(&project);
        assert_eq!(base.path("src/A.sol"), "packages/core contracts/src/A.sol");
        let elsewhere = directory.path().join("shared/B.sol").display().to_string();
        assert_eq!(base.path(&elsewhere), "shared/B.sol");
        assert_eq!(base.path("/usr/C.sol"), "/usr/C.sol");
        assert_eq!(super::base(directory.path()).path("src/A.sol"), "src/A.sol");
    }
}
