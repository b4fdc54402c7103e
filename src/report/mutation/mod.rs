//! Mutants and the verdicts of the tests on them, in several formats.
//!
//! | file | content |
//! |---|---|
//! | `terminal` | text for people: scores, and survivors as differences of the source |
//! | `json` | all mutants for programs |
//! | `markdown` | a summary for the page of a workflow run or for a comment |
//! | `sarif` | survivors for code scanning and editors |
//! | `html` | a page with scores and survivors |

mod html;
mod json;
mod markdown;
#[cfg(test)]
mod samples;
mod sarif;
mod terminal;

pub use terminal::{list, summary};

use crate::{
    model::{DifferenceKind, MutantCounts, MutantVerdict, MutationReport, TestedMutant},
    report::{LinkBase, count},
};
use std::collections::BTreeMap;

/// Format of a report on mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutationFormat {
    /// JSON.
    Json,
    /// Markdown.
    Markdown,
    /// SARIF 2.1.0.
    Sarif,
    /// HTML page.
    Html,
}

impl MutationFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Json, Self::Markdown, Self::Sarif, Self::Html];

    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Sarif => "sarif",
            Self::Html => "html",
        }
    }
}

/// Reasons of the operators by their ids, and the base of paths.
#[derive(Clone, Debug, Default)]
pub struct MutationScene {
    /// Reason to exist of each operator.
    pub reasons: BTreeMap<&'static str, &'static str>,
    /// Directory of the mutants, as a command names it.
    pub directory: String,
    /// Base of the paths in SARIF.
    pub base: LinkBase,
    /// Title of a page.
    pub title: String,
}

/// Formats a report.
#[must_use]
pub fn text(format: MutationFormat, report: &MutationReport, scene: &MutationScene) -> String {
    match format {
        MutationFormat::Json => json::report(report),
        MutationFormat::Markdown => markdown::report(report, scene),
        MutationFormat::Sarif => sarif::report(report, scene),
        MutationFormat::Html => html::report(report, scene),
    }
}

/// Formats a score: `83.3 %`, or `-` if there is nothing to score.
fn score(counts: &MutantCounts) -> String {
    counts.score().map_or_else(|| "-".to_owned(), |score| format!("{:.1} %", 100.0 * score))
}

/// Counts the verdicts on the mutants that have the same value of `key`.
fn counts_by<'a>(
    report: &'a MutationReport,
    key: impl Fn(&'a TestedMutant) -> String,
) -> BTreeMap<String, MutantCounts> {
    let mut groups: BTreeMap<String, Vec<&MutantVerdict>> = BTreeMap::new();
    for tested in &report.mutants {
        groups.entry(key(tested)).or_default().push(&tested.verdict);
    }
    groups.into_iter().map(|(key, verdicts)| (key, MutantCounts::of(verdicts))).collect()
}

/// Returns the groups by which mutants are counted: the name of each, and its counts.
fn groupings(report: &MutationReport) -> [(&'static str, BTreeMap<String, MutantCounts>); 3] {
    [
        ("contract", counts_by(report, contract)),
        ("function", counts_by(report, |tested| format!("{}.{}", contract(tested), function(tested)))),
        ("operator", counts_by(report, |tested| tested.mutant.operator.clone())),
    ]
}

/// Returns the contract of a mutant, or the file of a free function.
fn contract(tested: &TestedMutant) -> String {
    tested.mutant.contract.clone().unwrap_or_else(|| tested.mutant.path.clone())
}

fn function(tested: &TestedMutant) -> &str {
    tested.mutant.function.as_deref().unwrap_or("(state)")
}

/// Describes the effect of a survivor in a sentence.
fn effect(tested: &TestedMutant) -> String {
    match &tested.verdict {
        MutantVerdict::Survived { difference: Some(difference) } => {
            let noun = match difference.kind {
                DifferenceKind::Ether => "ether that is sent differs",
                DifferenceKind::Storage => "storage differs",
                DifferenceKind::Result => "a result differs",
                DifferenceKind::Event => "an event differs",
            };
            format!(
                "no test notices that {noun}: {} with the change, {} without it",
                difference.mutant, difference.original
            )
        }
        MutantVerdict::NotReached => "no test runs this code".to_owned(),
        _ => "no test fails, and no stored input shows a difference".to_owned(),
    }
}

/// Returns the command that tests a mutant.
fn command(tested: &TestedMutant, scene: &MutationScene) -> String {
    format!("forge-harvey test --unit --mutant {}/{}", scene.directory, tested.id)
}

/// Formats a change as the lines of a difference, each with a sign before it.
fn difference(tested: &TestedMutant) -> [String; 2] {
    let lines = |sign: &str, text: &str| text.lines().map(|line| format!("{sign}{line}\n")).collect();
    [lines("-", &tested.before), lines("+", &tested.after)]
}

/// Returns what a score does not say: mutants that do not count, tests that were left out, and what is missing.
fn notes(report: &MutationReport) -> Vec<String> {
    let counts = report.counts();
    let mut notes = Vec::new();
    let uncounted = [
        (counts.equivalent, "compile to the same code"),
        (counts.duplicate, "compile to the code of another mutant"),
        (counts.invalid, "do not compile"),
    ];
    let uncounted = uncounted.into_iter().filter(|(count, _)| *count > 0);
    let uncounted: Vec<String> = uncounted.map(|(count, reason)| format!("{count} {reason}")).collect();
    if !uncounted.is_empty() {
        notes.push(format!("Not counted: {}", uncounted.join(", ")));
    }
    if !report.failing.is_empty() {
        let names = report.failing.iter().map(|(suite, test)| format!("{test} of {}", suite.name));
        let names = names.collect::<Vec<_>>().join(", ");
        notes.push(format!("These tests fail without a change, and are left out: {names}"));
    }
    notes.extend(report.errors.iter().cloned());
    if report.left > 0 {
        notes.push(format!(
            "{} without a verdict; the next run goes on with them",
            count(report.left, "mutant")
        ));
    }
    notes
}
