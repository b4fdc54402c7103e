//! `--emit-repro`: a Solidity test for each failure.

use super::plain_repro::{self, Replayed};
use crate::{
    config::{Config, SolcRequest},
    files::nofollow,
    model::{
        AssertionKind, Counterexample, Finding, PropertyKind, RunReport, Status, SuiteReport, TestReport,
        test_id,
    },
    project::Project,
    report::reproducer::{Reproducer, ReproducerGoal, ReproducerInput, pranks, reproducer},
};
use anyhow::{Context as _, Result, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path},
};

/// Writes the tests into `dir`, which must be in the project so that they compile with it; returns a line for
/// each that says how to run it.
pub(super) fn emit(
    report: &RunReport,
    dir: &Path,
    config: &Config,
    project: &Project,
) -> Result<Vec<String>> {
    let root = &config.paths.root;
    let dir = relative(dir, root)?;
    let approval = approval(config);
    let mut taken = BTreeSet::new();
    let mut lines = Vec::new();
    for suite in &report.suites {
        lines.extend(
            without(suite).map(|what| {
                format!("No reproducer of {what}: a callee calls back as no test can make it do\n")
            }),
        );
        for (_, repro) in of_suite(suite, &dir, config, project, &mut taken) {
            nofollow::write(&root.join(&repro.path), repro.source.as_bytes())?;
            lines.push(format!(
                "Reproducer: {0} (run `{2}forge test --match-path {0} --match-test {1}{approval}`)\n",
                repro.path, repro.test, repro.variable
            ));
        }
    }
    Ok(lines)
}

/// Returns the tests that [`emit`] would write, by the ids of the failures. Without a directory for them, they are made
/// for one among the project's tests.
pub(super) fn all(
    report: &RunReport,
    dir: Option<&Path>,
    config: &Config,
    project: &Project,
) -> BTreeMap<String, Reproducer> {
    let root = &config.paths.root;
    let dir = dir.map_or_else(|| config.paths.test.join(DIRECTORY), Path::to_path_buf);
    let dir = relative(&dir, root).unwrap_or_else(|_| DIRECTORY.to_owned());
    let mut taken = BTreeSet::new();
    report.suites.iter().flat_map(|suite| of_suite(suite, &dir, config, project, &mut taken)).collect()
}

/// Directory of reproducers, if the user named none.
const DIRECTORY: &str = "repro";

/// Returns the tests for the failures of a suite, each with the id of the failure.
fn of_suite(
    suite: &SuiteReport,
    dir: &str,
    config: &Config,
    project: &Project,
    taken: &mut BTreeSet<String>,
) -> Vec<(String, Reproducer)> {
    let via_ir = config.compiler.via_ir;
    let written = |(id, replayed): (String, Replayed<'_>)| {
        let plain = plain_repro::names(&replayed, project, via_ir);
        let input = ReproducerInput { plain: plain.as_ref(), ..replayed.input };
        (id, reproducer(&input, taken))
    };
    counterexamples(suite, dir).map(written).collect()
}

/// Returns the flags without which the Forge that is followed asks before it runs in this project, each after a blank.
fn approval(config: &Config) -> String {
    let asks = config.harvey.forge.behaviour().asks_approval;
    let flags = [
        ("--allow-local-compiler", matches!(config.compiler.solc, SolcRequest::Path(_))),
        ("--allow-project-env", config.paths.root.join(".env").is_file()),
    ];
    flags.iter().filter(|(_, needed)| asks && *needed).map(|(flag, _)| format!(" {flag}")).collect()
}

/// Fails before anything runs when [`emit`] could not write to `dir`.
pub(super) fn check(dir: &Path, root: &Path) -> Result<()> {
    relative(dir, root).map(drop)
}

/// `dir` relative to the root, with `/` as separator.
fn relative(dir: &Path, root: &Path) -> Result<String> {
    let absolute = if dir.is_absolute() { dir.to_owned() } else { root.join(dir) };
    let inside = absolute.strip_prefix(root).ok().filter(|path| {
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    });
    let Some(inside) = inside else {
        bail!("--emit-repro {}: reproducers must lie in the project, {}", dir.display(), root.display());
    };
    let inside = inside.to_str().context("--emit-repro: the directory's name is not Unicode")?;
    Ok(inside.replace('\\', "/"))
}

/// Returns the counterexamples of a suite that a test can show, each with the id of the failure.
fn counterexamples<'a>(suite: &'a SuiteReport, dir: &'a str) -> impl Iterator<Item = (String, Replayed<'a>)> {
    let input = move |calls, goal, reason| ReproducerInput {
        suite: &suite.id,
        dir,
        calls,
        goal,
        reason,
        pranks: false,
        finding: "",
        scene: suite.scene.as_ref(),
        comments: [&suite.comments, &[]],
        plain: None,
    };
    let tests = suite.tests.iter().filter(|test| test.status == Status::Failure);
    let tests = tests.filter_map(move |test| {
        let counterexample = test.counterexample.as_ref().filter(|found| !found.calls_back())?;
        let traces = &test.evidence.traces;
        let input = ReproducerInput {
            pranks: pranks(traces),
            comments: [&suite.comments, &test.settings.comments],
            ..input(&counterexample.calls, goal(test), test.reason.as_deref().unwrap_or_default())
        };
        let replayed = Replayed { input, traces, is_test: test.kind.is_of_one_call() };
        Some((test_id(&suite.id, &test.signature), replayed))
    });
    let findings = suite.findings.iter().filter(|finding| can_be_shown(&finding.counterexample));
    let findings = findings.map(move |finding| {
        let traces = &finding.evidence.traces;
        let input = ReproducerInput {
            // Nothing but test contracts pranks.
            pranks: suite.scene.is_none() && pranks(traces),
            finding: if finding.failure.kind == AssertionKind::Oracle { &finding.id } else { "" },
            comments: [&suite.comments, &finding.settings.comments],
            ..input(&finding.counterexample.calls, goal_of(finding), &finding.failure.reason)
        };
        (finding.id.clone(), Replayed { input, traces, is_test: false })
    });
    tests.chain(findings)
}

/// What failed, and cannot be shown in Solidity.
fn without(suite: &SuiteReport) -> impl Iterator<Item = &str> {
    let fails = |test: &&TestReport| test.counterexample.as_ref().is_some_and(|found| found.calls_back());
    let tests = suite.tests.iter().filter(|test| test.status == Status::Failure).filter(fails);
    let findings = suite.findings.iter().filter(|finding| !can_be_shown(&finding.counterexample));
    tests.map(|test| test.signature.as_str()).chain(findings.map(|finding| finding.entry.function.as_str()))
}

/// Returns true if a test in Solidity can make all the calls: the account that calls back must be known, and it
/// must be the first one that could.
fn can_be_shown(found: &Counterexample) -> bool {
    found.calls.iter().all(|call| {
        let back = call.tx.reentry.as_ref();
        back.is_none_or(|back| call.called_back_by.is_some() && back.nth == 0)
    })
}

fn goal_of(finding: &Finding) -> ReproducerGoal<'_> {
    let called_back_by = finding.counterexample.calls.last().and_then(|call| call.called_back_by);
    match (finding.failure.written, called_back_by) {
        (Some(account), _) => ReproducerGoal::Write(account),
        (None, Some(account)) if finding.failure.kind == AssertionKind::Oracle => {
            ReproducerGoal::CallsBack(account)
        }
        _ if finding.reverts || finding.failure.kind != AssertionKind::Oracle => ReproducerGoal::LastCall,
        _ => ReproducerGoal::GoesThrough,
    }
}

fn goal(test: &TestReport) -> ReproducerGoal<'_> {
    match &test.kind {
        _ if test.violation.by_revert || test.kind.is_of_one_call() => ReproducerGoal::LastCall,
        _ if test.violation.echidna_style == Some(PropertyKind::Predicate) => {
            ReproducerGoal::Predicate(&test.signature)
        }
        _ if test.violation.echidna_style == Some(PropertyKind::Refusal) => {
            ReproducerGoal::Refusal(&test.signature)
        }
        _ => ReproducerGoal::Invariant {
            signature: &test.signature,
            after_invariant: test.violation.after_invariant,
        },
    }
}
