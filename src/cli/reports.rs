//! `--report`: documents beside what people read.

use super::args::{Format, ReportArg};
use crate::{
    files::write_atomically,
    model::CampaignReport,
    oracle,
    report::{self, Options},
};
use anyhow::{Result, bail};
use std::{path::Path, time::SystemTime};

/// Fails before anything runs when two reports would go to stdout, or one where no file can be.
pub(super) fn check(reports: &[ReportArg]) -> Result<()> {
    if reports.iter().filter(|report| report.takes_stdout()).count() > 1 {
        bail!(
            "--report: only one report can go to stdout; give the others files, as in --report sarif=results.sarif"
        );
    }
    for file in reports.iter().filter_map(|report| report.file.as_deref()) {
        if file.is_dir() {
            bail!("--report: {} is a directory", file.display());
        }
    }
    Ok(())
}

/// The text of a report on the project at `root`.
pub(super) fn text(format: Format, report: &CampaignReport, root: &Path, options: &Options) -> String {
    match format {
        Format::Json => report::json::report(report, options),
        Format::Junit => report::junit::report(report, SystemTime::now(), options),
        Format::Sarif => report::sarif::report(report, &oracle::RULES, &prefix(root)),
        Format::Markdown => report::markdown::report(report),
        Format::Github => report::github::report(report, &prefix(root)),
    }
}

/// Writes the reports that have files, and gives what goes to stdout.
pub(super) fn write(
    reports: &[ReportArg],
    report: &CampaignReport,
    root: &Path,
    options: &Options,
) -> Result<String> {
    let mut stdout = String::new();
    for ReportArg { format, file } in reports {
        let text = text(*format, report, root, options);
        match file {
            Some(file) => write_atomically(file, text.as_bytes())?,
            None => stdout += &text,
        }
    }
    Ok(stdout)
}

/// What leads from the repository to the project: empty, or a path that ends in `/`.
fn prefix(root: &Path) -> String {
    let repository = root.ancestors().find(|directory| directory.join(".git").exists());
    let inside = repository.and_then(|repository| root.strip_prefix(repository).ok());
    let parts = inside.into_iter().flat_map(|path| path.components());
    parts.map(|part| format!("{}/", part.as_os_str().to_string_lossy())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn paths_begin_at_the_repository() {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path().join("packages/core contracts");
        fs::create_dir_all(&project).unwrap();
        fs::create_dir(directory.path().join(".git")).unwrap();
        assert_eq!(prefix(&project), "packages/core contracts/");
        assert_eq!(prefix(directory.path()), "");
    }
}
