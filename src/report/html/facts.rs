//! Facts about a run: what was run, when, and of which commit.

use super::visible as text;
use crate::{
    model::{Revision, Rule, RunReport},
    report::reproducer::Reproducer,
};
use chrono::{DateTime, SecondsFormat, Utc};
use maud::{Markup, html};
use std::{collections::BTreeMap, sync::Arc, time::SystemTime};

/// Facts that a page shows besides the results of a run.
#[derive(Clone, Debug)]
pub struct PageFacts {
    /// Name of the project.
    pub title: String,
    /// Time at which the tests began.
    pub started: SystemTime,
    /// Command line, quoted for a shell.
    pub command: String,
    /// Commit of the project, if it is known.
    pub revision: Option<Revision>,
    /// Rules, by which findings are explained.
    pub rules: &'static [Rule],
    /// Text of each source, by its path relative to the root, with `/` as separator.
    pub sources: BTreeMap<Arc<str>, Arc<str>>,
    /// Tests in Solidity that show failures, by the ids of the failures.
    pub reproducers: BTreeMap<String, Reproducer>,
}

/// Renders the list of facts.
pub(super) fn list(report: &RunReport, facts: &PageFacts) -> Markup {
    let started = DateTime::<Utc>::from(facts.started);
    html! {
        dl .facts {
            div {
                dt { "date" }
                dd {
                    time datetime=(started.to_rfc3339_opts(SecondsFormat::Secs, true)) {
                        (started.format("%Y-%m-%d %H:%M")) " UTC"
                    }
                }
            }
            div { dt { "command" } dd { code { (text(&facts.command)) } } }
            @if let Some(Revision { commit, is_changed }) = &facts.revision {
                div {
                    dt { "commit" }
                    dd { code { (commit) } @if *is_changed { " and uncommitted changes" } }
                }
            }
            div {
                dt { "seed" }
                dd {
                    code { (format!("{:#x}", report.seed)) } "; " code { "--fuzz-seed" }
                    " repeats a run on as many threads that no time ends"
                }
            }
        }
    }
}
