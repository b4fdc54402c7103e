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
    project::{Project, Suite},
    report::list::{self, Listing},
};
use anyhow::Result;
use std::{collections::BTreeSet, path::PathBuf};

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

/// Returns the files of `--affected-by` that exist, as absolute paths, and warns of the others.
pub(super) fn changed_files(args: &LimitArgs, console: &mut Console) -> Option<BTreeSet<PathBuf>> {
    let mut changed = BTreeSet::new();
    for file in args.affected_by.as_ref()? {
        match file.canonicalize() {
            Ok(path) => drop(changed.insert(path)),
            Err(error) => console.warn(&format!("--affected-by {}: {error}", file.display())),
        }
    }
    Some(changed)
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

/// Prints why no suite matches, as Forge does, and returns the exit code.
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
             for functions with parameters that start with `test` or `table`; `--scan` calls contracts \
             without tests\n",
        )?;
    } else {
        let matching = campaign::suites(project, filter, true, Scan::None);
        let hint = match matching.iter().map(|suite| suite.tests.len()).sum::<usize>() {
            0 => String::new(),
            1 => "\nIt matches 1 unit test; `--unit` runs it".to_owned(),
            units => format!("\nIt matches {units} unit tests; `--unit` runs them"),
        };
        console
            .warn(&format!("no tests match the provided pattern:\n{}{hint}", filter.to_string().trim_end()));
    }
    let failure = config.harvey.no_tests == "fail";
    Ok(if failure { ExitStatus::Failure } else { ExitStatus::Success })
}
