//! `--baseline FILE`: known failures. With a baseline, a run fails only for new failures.

use crate::{
    files::{read_text, write_atomically},
    model::RunReport,
    report,
};
use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
struct BaselineFile {
    version: u64,
    /// Names of the failures by id. An id is the same in every run, as long as the line that failed does not
    /// change.
    findings: BTreeMap<String, String>,
}

/// Failures that are known.
pub(super) struct Baseline {
    path: PathBuf,
    findings: BTreeMap<String, String>,
}

impl Baseline {
    /// Reads a file. If it does not exist and `is_to_be_written`, the baseline is empty.
    ///
    /// # Errors
    /// When it cannot be read, or is no baseline.
    pub(super) fn read(path: &Path, is_to_be_written: bool) -> Result<Self> {
        let path = path.to_owned();
        let text = match read_text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_to_be_written => {
                return Ok(Self { path, findings: BTreeMap::new() });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                bail!("--baseline: {} is not there; `--update-baseline` writes it", path.display());
            }
            Err(error) => {
                return Err(error).with_context(|| format!("--baseline: cannot read {}", path.display()));
            }
        };
        let BaselineFile { version, findings } = serde_json::from_str(&text)
            .with_context(|| format!("--baseline: {} is no baseline", path.display()))?;
        if version != VERSION {
            bail!("--baseline: {} has version {version}, and version {VERSION} is known", path.display());
        }
        Ok(Self { path, findings })
    }

    /// Returns the ids of the failures.
    pub(super) fn ids(&self) -> BTreeSet<String> {
        self.findings.keys().cloned().collect()
    }

    /// Adds the failures of a report, and writes the file.
    pub(super) fn update(mut self, report: &RunReport) -> Result<String> {
        let before = self.findings.len();
        self.findings.extend(report::failures(report));
        let new = self.findings.len() - before;
        let file = BaselineFile { version: VERSION, findings: self.findings };
        let mut text = serde_json::to_string_pretty(&file).context("a baseline is JSON")?;
        text.push('\n');
        write_atomically(&self.path, text.as_bytes())?;
        Ok(format!("Added {} to {}\n", report::count(new, "failure"), self.path.display()))
    }
}

/// Counts the known failures, and lists the new ones.
pub(super) fn compare(report: &RunReport) -> String {
    let failures = report::failures(report);
    let (known, new): (Vec<_>, Vec<_>) = failures.iter().partition(|(id, _)| report.known.contains(id));
    let mut out = format!(
        "Of {}, {} known and {} new\n",
        report::count(failures.len(), "failure"),
        known.len(),
        new.len()
    );
    for (id, name) in new {
        out += &report::visible(&format!("  new: {name} ({id})\n"));
    }
    out
}
