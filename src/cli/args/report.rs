//! `--report FORMAT[=FILE]`.

use clap::ValueEnum;
use std::{path::PathBuf, str::FromStr};

/// A document to write when the run is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportArg {
    /// What it is written as.
    pub format: Format,
    /// Where to; `None` is stdout.
    pub file: Option<PathBuf>,
}

/// Forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Forge's JSON with a `harvey` object in each suite
    Json,
    /// JUnit XML
    Junit,
    /// SARIF 2.1.0
    Sarif,
    /// A summary in Markdown
    Markdown,
    /// Annotations of a GitHub workflow
    Github,
    /// Coverage for lcov and its relatives
    Lcov,
    /// A page with everything, for a browser
    Html,
}

impl ReportArg {
    /// Whether sources are in it, with what was covered of them.
    #[must_use]
    pub fn shows_sources(&self) -> bool {
        matches!(self.format, Format::Lcov | Format::Html)
    }

    /// Whether stdout is its own, so that nothing else may go there. Annotations stand among other lines.
    #[must_use]
    pub fn takes_stdout(&self) -> bool {
        self.file.is_none() && self.format != Format::Github
    }
}

impl FromStr for ReportArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (format, file) = match text.split_once('=') {
            Some((format, file)) => (format, Some(file)),
            None => (text, None),
        };
        let formats = || {
            let values = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            values.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(", ")
        };
        let format = Format::from_str(format, false).map_err(|_| format!("the formats are {}", formats()))?;
        if file == Some("") {
            return Err("the name of the file is missing".to_owned());
        }
        Ok(Self { format, file: file.map(PathBuf::from) })
    }
}
