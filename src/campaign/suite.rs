//! Run of one suite: it is deployed and set up, and its campaigns run one after the other.

use super::{
    CancellationToken, Plan, SuitePlan,
    persistence::replayed_files,
    plan::{CampaignPlan, Objective, RunOptions},
    queue::campaign_turns,
    run::{Campaign, CampaignContext, SuiteClock},
    store::{
        corpus::{CorpusStore, LoadedCorpus},
        hung_calls::HungCall,
    },
    threads::most,
    unit_tests,
    verdict::failed,
    watchdog::Heartbeats,
};
use crate::{
    config::Feature,
    engine::Example,
    evm::exec::test_env::{ProjectContext, SCAN, SetupFailure, TestEnv},
    model::{
        ContractId, Event, Evidence, Finding, Status, SuiteReport, TargetFunction, TestKind, TestReport,
        stuck,
    },
    project::{FunctionKind, Project, SuiteFault},
};
use cpu_time::ThreadTime;
use std::{
    path::Path,
    sync::{Arc, atomic::AtomicUsize},
    time::Instant,
};

/// Context in which a suite runs.
#[derive(Clone, Copy)]
pub(super) struct SuiteContext<'a> {
    pub(super) plan: &'a Plan,
    pub(super) context: &'a ProjectContext,
    /// Token that ends the suite.
    pub(super) stop: &'a CancellationToken,
    /// Heartbeats of all threads, for the watchdog.
    pub(super) heartbeats: &'a Heartbeats,
    /// Index of the suite in the plan.
    pub(super) index: usize,
}

/// Runs a suite on this number of threads and returns its report.
pub(super) fn run(
    suite: &SuitePlan,
    threads: usize,
    suite_context: SuiteContext<'_>,
    emit: &mut dyn FnMut(Event),
) -> SuiteReport {
    let (start, cpu) = (Instant::now(), ThreadTime::now());
    let mut report = SuiteReport {
        comments: suite.comments.clone(),
        warnings: suite.suite.warnings.clone(),
        ..SuiteReport::new(suite.suite.contract.id.clone())
    };
    report.tests.extend(suite.invalid.iter().map(|(signature, reason)| failed(signature, reason.clone())));
    match &suite.suite.fault {
        Some(SuiteFault::Whole { signature, reason }) => {
            report.tests = vec![failed(signature, (*reason).to_owned())]
        }
        Some(SuiteFault::Removed { signatures, reason }) => {
            report.tests =
                signatures.iter().map(|signature| failed(signature, (*reason).to_owned())).collect();
        }
        None => run_campaigns(suite, threads, suite_context, emit, &mut report),
    }
    report.tests.sort_by(|a, b| a.signature.cmp(&b.signature));
    find_places(&mut report, suite_context.context.project());
    report.cpu += cpu.elapsed();
    report.duration = start.elapsed();
    report
}

/// Returns the report of a suite that a bug of this program ended. Its failures until then were already
/// emitted and stored.
pub(super) fn broken_off(suite: &SuitePlan, panic: &str) -> SuiteReport {
    let reason = format!("forge-harvey panicked ({panic}); this is a bug in it, please report it");
    let tests = vec![failed("forge-harvey", reason)];
    SuiteReport { tests, panicked: true, ..SuiteReport::new(suite.suite.contract.id.clone()) }
}

/// Returns the report of a suite that did not end, from the names and reasons of its known failures.
pub(super) fn unfinished(suite: &SuitePlan, failures: Vec<(String, String)>) -> SuiteReport {
    let tests = failures.into_iter().map(|(name, reason)| failed(&name, reason)).collect();
    let warnings = vec![format!("{} did not end; this is what was known of it", suite.suite.id())];
    SuiteReport { tests, warnings, ..SuiteReport::new(suite.suite.contract.id.clone()) }
}

fn run_campaigns(
    suite: &SuitePlan,
    threads: usize,
    suite_context: SuiteContext<'_>,
    emit: &mut dyn FnMut(Event),
    report: &mut SuiteReport,
) {
    if suite.groups.is_empty() {
        return;
    }
    let SuiteContext { plan, context, stop, heartbeats, index: suite_index } = suite_context;
    let hung_calls = suite.hung_calls().read();
    report.tests.extend(hung_calls.iter().map(|(file, call)| left_out(suite, file, call)));
    let hung_calls: Vec<HungCall> = hung_calls.into_iter().map(|(_, call)| call).collect();
    if hung_calls.iter().any(|call| suite.cannot_do_without(call)) {
        return;
    }
    let build = || TestEnv::build(context, &suite.config, &suite.suite);
    let is_reported = plan.options.sources || suite.groups.iter().any(|group| !group.is_test());
    let first = if is_reported { TestEnv::build_recorded } else { TestEnv::build };
    let test_env = match first(context, &suite.config, &suite.suite) {
        Ok(test_env) => Arc::new(leaving_out(test_env, &hung_calls)),
        Err(failure) if failure.ended => {
            let id = suite.suite.id();
            let warnings = vec![format!("{id} was not run: its set-up was ended with the run")];
            return emit(Event::Warned { suite: id.clone(), warnings });
        }
        Err(failure) => return report.tests.extend(setup_failure(*failure)),
    };
    report.scene = test_env.scene().cloned();
    let start = Instant::now();
    let is_timed = |group: &&CampaignPlan| !group.is_test() && group.config.invariant.timeout.is_some();
    let timed = suite.groups.iter().filter(is_timed).count();
    let timed = match suite.config.harvey.forge.behaviour().times_each_campaign {
        true => 1,
        false => u32::try_from(timed).expect("fewer campaigns than functions"),
    };
    let kept = kept(suite, &plan.options);
    report.warnings.extend(kept.iter().flat_map(|kept| kept.warnings.clone()));
    let recorded = Arc::new(AtomicUsize::new(kept.as_ref().map_or(0, |kept| kept.bytes)));
    let examples = examples(suite, &test_env, suite_context, &hung_calls);
    let mut replayed = Vec::new();
    let kinds: Vec<_> = suite.groups.iter().map(CampaignPlan::kind).collect();
    for (index, time_share) in campaign_turns(&kinds, plan.options.budget.is_some()) {
        let Some(group) = suite.groups[index].without(&suite.suite, &hung_calls) else { continue };
        let group = &group;
        let stop = &stop.for_share(time_share);
        let under = |test_env: &TestEnv| Arc::new(test_env_for(test_env, context, group, suite));
        let redeploy = || build().ok().map(|test_env| under(&leaving_out(test_env, &hung_calls)));
        let share = CampaignContext {
            stop,
            // Invariants share the time of their suite, unless each campaign has its own as each test has.
            clock: match group.is_test() {
                true => SuiteClock { start: Instant::now(), timed: 1 },
                false => SuiteClock { start, timed },
            },
            first: group.leads && group.copy == 0,
            threads: threads.min(most(group, plan.options.budget.is_some())),
            suite,
            options: &plan.options,
            project: context.project(),
            kept: kept.as_ref(),
            examples: &examples,
            recorded: &recorded,
            redeploy: &redeploy,
            watch: &|| heartbeats.watch(suite_index),
        };
        let outcome = Campaign::new(share, group, under(&test_env), emit).run();
        merge(&mut report.findings, outcome.findings);
        report.tests.extend(outcome.tests);
        for warning in outcome.warnings {
            // Files that cannot be used may concern several campaigns.
            if !report.warnings.contains(&warning) {
                report.warnings.push(warning);
            }
        }
        replayed.extend(outcome.replayed);
        report.stats.add(outcome.stats);
        report.coverage.sources.add(outcome.coverage_report.covered);
        report.coverage.stuck.extend(outcome.coverage_report.stuck);
        report.cpu += outcome.cpu;
        if plan.options.fail_fast && report.failed() {
            break;
        }
    }
    report.warnings.extend(replayed_files(&replayed));
    report.coverage.stuck = stuck(report.coverage.stuck.iter(), &report.coverage.sources);
    report.coverage.counts = report.coverage.sources.counts();
    report.coverage.contracts = report.coverage.sources.contract_counts();
    report.coverage.looked = report.coverage.sources.looked;
    report.warnings.extend(test_env.deprecation_warning());
}

/// Returns the failed result of a call that ended an earlier run and is no longer made.
fn left_out(suite: &SuitePlan, file: &Path, call: &HungCall) -> TestReport {
    let reason = format!(
        "left out: in an earlier run it {}; it is called again once the code is another or {} is removed",
        call.reason,
        file.display()
    );
    failed(&call.name(suite.suite.id()), reason)
}

/// Returns the test environment without target functions that are among `calls`, which did not end in earlier
/// runs.
fn leaving_out(mut test_env: TestEnv, calls: &[HungCall]) -> TestEnv {
    for target in &mut test_env.targets.targets {
        let is_out = |signature: &str| {
            calls.iter().any(|call| call.contract == target.identifier && call.function == signature)
        };
        target.functions.retain(|function| !is_out(function.signature()));
        target.views.retain(|function| !is_out(function.signature()));
    }
    test_env
}

/// Returns the calls of unit tests, if any campaign searches sequences of several calls.
fn examples(
    suite: &SuitePlan,
    test_env: &Arc<TestEnv>,
    suite_context: SuiteContext<'_>,
    hung_calls: &[HungCall],
) -> Vec<Vec<Example>> {
    let SuiteContext { plan, context, stop, .. } = suite_context;
    let is_on = suite.config.harvey.features().has(Feature::UnitTests);
    if !is_on || plan.options.replay.is_some() || suite.groups.iter().all(CampaignPlan::is_test) {
        return Vec::new();
    }
    unit_tests::examples(suite, test_env, context, hung_calls, stop)
}

/// Number of segments of a corpus above which they are joined.
const MANY_SEGMENTS: usize = 32;

/// Returns the inputs that earlier campaigns of the suite stored; `None` if no inputs are run.
fn kept(suite: &SuitePlan, options: &RunOptions) -> Option<LoadedCorpus> {
    let is_wanted = |group: &CampaignPlan| group.config.harvey.keep_inputs;
    if options.replay.is_some() || !suite.groups.iter().any(is_wanted) {
        return None;
    }
    let corpus = CorpusStore::new(&suite.config.paths.corpus, suite.suite.id());
    corpus.tidy();
    let mut kept = corpus.read();
    if kept.segments.len() > MANY_SEGMENTS {
        let joined = corpus.replace(&kept.segments, &kept.entries, kept.covered);
        kept.warnings.extend(joined.err().map(|error| error.to_string()));
    }
    Some(kept)
}

/// Returns the test environment of a campaign.
pub(super) fn test_env_for(
    test_env: &TestEnv,
    context: &ProjectContext,
    group: &CampaignPlan,
    suite: &SuitePlan,
) -> TestEnv {
    let test_env = test_env.under(context, &group.config, &suite.suite);
    match &group.objective {
        Objective::Invariants(_) if group.config.harvey.invariant_calls => test_env.with_invariant_calls(),
        Objective::Invariants(_) => test_env,
        Objective::Test(test) => {
            let function = Arc::new(TargetFunction::without_value((*test.function).clone()));
            // The setting applies only to fuzz tests.
            let any_revert = test.kind != FunctionKind::Fuzz || group.config.invariant.fail_on_revert;
            test_env.of_test(&function, &suite.suite, any_revert)
        }
    }
}

/// Sets the places at which failed functions, and functions called in counterexamples, are declared.
fn find_places(report: &mut SuiteReport, project: &Project) {
    for test in report.tests.iter_mut().filter(|test| test.status == Status::Failure) {
        let declared = project.function_declared(&report.id, &test.signature);
        test.place = declared.or_else(|| project.declared(&report.id));
    }
    let failed = report.tests.iter_mut().filter(|test| test.status == Status::Failure);
    let shown = failed.filter_map(|test| test.counterexample.as_mut());
    let found = report.findings.iter_mut().map(|finding| &mut finding.counterexample);
    for call in shown.chain(found).flat_map(|counterexample| &mut counterexample.calls) {
        let id = call.contract.as_deref().and_then(ContractId::parse);
        call.place =
            id.zip(call.signature()).and_then(|(id, signature)| project.function_declared(&id, &signature));
    }
}

/// Merges the findings of several campaigns of a suite, so that there is one for each id.
fn merge(findings: &mut Vec<Finding>, more: Vec<Finding>) {
    for finding in more {
        if !findings.iter().any(|known| known.id == finding.id) {
            findings.push(finding);
        }
    }
}

fn setup_failure(failure: SetupFailure) -> Vec<TestReport> {
    let report = |signature: &str, kind: TestKind| {
        let skipped = failure.skipped.is_some();
        let reason = match &failure.skipped {
            Some(Some(reason)) if failure.test == SCAN => Some(reason.clone()),
            Some(Some(reason)) => Some(format!("skipped: {reason}")),
            Some(None) => Some("skipped".to_owned()),
            None => Some(failure.reason.clone()),
        };
        TestReport {
            status: if skipped { Status::Skipped } else { Status::Failure },
            reason,
            kind,
            evidence: Evidence {
                traces: failure.traces.clone(),
                logs: failure.logs.clone(),
                labels: failure.labels.clone(),
                ..Evidence::default()
            },
            ..failed(signature, String::new())
        }
    };
    vec![report(failure.test, TestKind::Unit { gas: 0 })]
}
