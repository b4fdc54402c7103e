//! Suites of a run: those that match the filters, have something to replay, and depend on changed files.

use super::{
    ExitStatus,
    args::{LimitArgs, TestArgs},
    console::Console,
};
use crate::{
    campaign::{
        self, ReplayMode,
        store::{
            NamedFile, has_kept,
            rerun::{self, FailedTests},
        },
    },
    config::{Config, Filter, FilterConfig, HarveyConfig, Scan},
    project::{Harness, Project, Suite},
    report::list::{self, Listing},
};
use anyhow::{Context as _, Result};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Returns the filter that is configured; with `--rerun`, it selects the tests that failed last.
pub(super) fn filter(args: &TestArgs, config: &Config, console: &mut Console) -> Result<Filter> {
    let (mut patterns, root) = (config.filter.clone(), &config.paths.root);
    if !args.campaign.run.rerun {
        return Ok(Filter::new(&patterns, root)?);
    }
    let path = root.join(&config.test_failures_file);
    patterns.test = None;
    match rerun::read(&path) {
        None => {}
        Some(FailedTests::List(tests)) => return Ok(Filter::new(&patterns, root)?.only(tests)),
        Some(FailedTests::Pattern(pattern)) => {
            patterns.test = Some(pattern.clone());
            if let Err(error) = Filter::new(&patterns, root) {
                console.warn(&rerun::unparsable_warning(&path, &format!("{error} in {pattern}")));
                patterns.test = None;
            }
        }
    }
    Ok(Filter::new(&patterns, root)?)
}

/// Returns the suites that match the filter. In a replay, these are only those to which a failure may belong.
pub(super) fn suites(
    project: &Project,
    filter: &Filter,
    config: &Config,
    replay: Option<&ReplayMode>,
) -> Vec<Suite> {
    let mut suites = matching(project, filter, config);
    match replay {
        Some(ReplayMode::NamedFile(file)) => retain_named(&mut suites, file),
        // A scan of which nothing is kept need not be deployed.
        Some(ReplayMode::Kept) => {
            suites.retain(|suite| !suite.is_scan() || has_kept(&config.paths.corpus, suite.id()))
        }
        None => {}
    }
    suites
}

fn matching(project: &Project, filter: &Filter, config: &Config) -> Vec<Suite> {
    let HarveyConfig { unit, scan, .. } = config.harvey;
    campaign::suites(project, filter, unit, scan)
}

/// Keeps the suites to which a failure may belong: those that its directory names, or all if it names none.
fn retain_named(suites: &mut Vec<Suite>, file: &NamedFile) {
    let named = suites.iter().any(|suite| file.is_of(suite.id(), true));
    suites.retain(|suite| file.is_of(suite.id(), named));
}

/// Returns the files of `--affected-by` as absolute paths; `None` if the flag is not given.
///
/// # Errors
/// When a file does not exist, since a name that is misspelt would make everything pass.
pub(super) fn changed_files(args: &LimitArgs) -> Result<Option<BTreeSet<PathBuf>>> {
    let absolute = |file: &PathBuf| {
        file.canonicalize().with_context(|| {
            let file = file.display();
            format!(
                "--affected-by: cannot find {file}; leave out deleted files, as `git diff --name-only \
                 --diff-filter=d` does"
            )
        })
    };
    args.affected_by.as_ref().map(|files| files.iter().map(absolute).collect()).transpose()
}

/// Returns the list of all tests of suites, as text or JSON.
pub(super) fn listing(suites: &[Suite], json: bool) -> String {
    let mut listing = Listing::new();
    for suite in suites {
        let properties = suite.properties.iter().map(|property| &property.function.name);
        let tests = suite.tests.iter().map(|test| &test.function.name);
        let mut names: Vec<_> = properties.chain(tests).cloned().collect();
        names.sort_unstable();
        listing.entry(suite.id().path.clone()).or_default().insert(suite.id().name.clone(), names);
    }
    if json { list::json(&listing) } else { list::text(&listing) }
}

/// Prints why no suite matches, as Forge does, and what could be run, and returns the exit code.
pub(super) fn explain_none(
    project: &Project,
    filter: &Filter,
    config: &Config,
    console: &mut Console,
) -> Result<ExitStatus> {
    let all = Filter::new(&FilterConfig::default(), &config.paths.root)?;
    if filter.is_empty() || matching(project, &all, config).is_empty() {
        console.say(
            "No tests found in project! forge-harvey looks for functions that start with `invariant`, and \
             for functions with parameters that start with `test` or `table`\n",
        )?;
        for offer in offers(project, &all) {
            console.say(&format!("Found {offer}\n"))?;
        }
    } else {
        let mut offers: Vec<_> = units(project, filter).into_iter().collect();
        if filter.names_contracts() {
            offers.extend(harnesses(project, filter));
        }
        let hint: String = offers.iter().map(|offer| format!("\nIt matches {offer}")).collect();
        console
            .warn(&format!("no tests match the provided pattern:\n{}{hint}", filter.to_string().trim_end()));
    }
    let failure = config.harvey.no_tests == "fail";
    Ok(if failure { ExitStatus::Failure } else { ExitStatus::Success })
}

/// Describes the unit tests that match a filter: `3 unit tests; `--unit` runs them`.
fn units(project: &Project, filter: &Filter) -> Option<String> {
    let matching = campaign::suites(project, filter, true, Scan::None);
    match matching.iter().map(|suite| suite.tests.len()).sum::<usize>() {
        0 => None,
        1 => Some("1 unit test; `--unit` runs it".to_owned()),
        units => Some(format!("{units} unit tests; `--unit` runs them")),
    }
}

/// Maximum number of harnesses that are named.
const HARNESSES: usize = 5;

/// Describes what a project without tests has, and the flags that run it.
fn offers(project: &Project, all: &Filter) -> Vec<String> {
    let mut offers: Vec<String> = units(project, all).into_iter().collect();
    offers.extend(harnesses(project, all));
    match project.scans(true).len() {
        0 => {}
        1 => offers
            .push("1 contract that can be called; `--scan` searches it for failed assertions".to_owned()),
        count => offers.push(format!(
            "{count} contracts that can be called; `--scan` searches them for failed assertions"
        )),
    }
    offers
}

/// Describes the test contracts of other fuzzers whose name and file match a filter.
fn harnesses(project: &Project, filter: &Filter) -> Vec<String> {
    let mut harnesses = project.harnesses();
    harnesses.retain(|Harness { id, .. }| {
        filter.matches_contract(&id.name) && filter.matches_path(Path::new(&id.path))
    });
    let mut offers: Vec<_> = harnesses.iter().take(HARNESSES).map(offer).collect();
    if harnesses.len() > HARNESSES {
        offers.push(format!("{} more of these", harnesses.len() - HARNESSES));
    }
    offers
}

/// Describes the test contract of another fuzzer, and the flags that run it.
fn offer(harness: &Harness) -> String {
    let Harness { id, properties, is_chimera } = harness;
    let owner = if *is_chimera { "a Chimera harness" } else { "a harness for Echidna or Medusa" };
    match properties {
        0 => format!("{owner}, {id}; `--foreign-properties` searches it for failed assertions"),
        1 => format!("{owner}, {id}, with 1 property; `--foreign-properties` runs it"),
        _ => format!("{owner}, {id}, with {properties} properties; `--foreign-properties` runs them"),
    }
}
