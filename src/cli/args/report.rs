//! Flags that write documents in addition to the output for people.

use clap::{Args, ValueEnum};
use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

/// Flags that write documents.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Display options")]
pub struct DocumentArgs {
    /// Write a report as json, junit, sarif, markdown, github (annotations), lcov or html
    ///
    /// Without FILE, the report replaces all other output on stdout. Only GitHub annotations are printed between
    /// the other lines. Can be given several times.
    #[arg(long, value_name = "FORMAT[=FILE]", conflicts_with = "list")]
    pub report: Vec<ReportArg>,
    /// Write the JSON report to a file, as --report json=FILE
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub json_file: Option<PathBuf>,
    /// Write what happens to a file, one JSON object a line; `-` means stdout, without any other output there
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub events: Option<PathBuf>,
}

impl DocumentArgs {
    /// Returns the reports to write at the end of the run.
    #[must_use]
    pub fn reports(&self) -> Vec<ReportArg> {
        let json = |file: &PathBuf| ReportArg { format: Format::Json, file: Some(file.clone()) };
        self.report.iter().cloned().chain(self.json_file.as_ref().map(json)).collect()
    }

    /// Tells whether the events go to stdout, without any other output there.
    #[must_use]
    pub fn has_events_on_stdout(&self) -> bool {
        self.events.as_deref().is_some_and(|file| file == Path::new("-"))
    }
}

/// Report to write at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportArg {
    /// Format of the report.
    pub format: Format,
    /// Output file; `None` means stdout.
    pub file: Option<PathBuf>,
}

/// Format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Forge's JSON with a `harvey` object in each suite
    Json,
    /// JUnit XML
    Junit,
    /// SARIF 2.1.0
    Sarif,
    /// Summary in Markdown
    Markdown,
    /// Annotations for GitHub workflows
    Github,
    /// Coverage in the lcov format
    Lcov,
    /// Full report as an HTML page
    Html,
}

impl ReportArg {
    /// Tells whether the report shows the coverage of sources.
    #[must_use]
    pub fn shows_sources(&self) -> bool {
        matches!(self.format, Format::Lcov | Format::Html)
    }

    /// Tells whether the report is the only output on stdout. GitHub annotations are printed between other lines.
    #[must_use]
    pub fn takes_stdout(&self) -> bool {
        self.file.is_none() && self.format != Format::Github
    }
}

impl FromStr for ReportArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (format, file) = format_and_file(text)?;
        let formats = || {
            let values = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            values.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(", ")
        };
        let format = Format::from_str(format, false).map_err(|_| format!("the formats are {}", formats()))?;
        Ok(Self { format, file })
    }
}

/// Splits the value of `--report`: `FORMAT`, or `FORMAT=FILE`.
pub(super) fn format_and_file(text: &str) -> Result<(&str, Option<PathBuf>), String> {
    match text.split_once('=') {
        Some((_, "")) => Err("the name of the file is missing".to_owned()),
        Some((format, file)) => Ok((format, Some(PathBuf::from(file)))),
        None => Ok((text, None)),
    }
}
