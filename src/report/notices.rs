//! Notices about a suite that its verdicts do not show: functions that never succeed or are never called, invariants
//! whose values never change, and functions whose calls are mostly rejected.

use crate::{
    model::{FunctionStats, SuiteReport},
    report::{listed, style::Palette, visible},
};
use indicatif::HumanCount;
use yansi::Color;

/// Number of calls of a function below which nothing is concluded from them.
const FEW: u64 = 8;

/// Number of calls of a suite, for each of its functions, below which a function may be left over.
const FEW_FOR_EACH: u64 = 50;

/// Maximum number of names in a notice, and of reasons for each name.
const NAMES: usize = 6;
const REASONS: usize = 2;

/// Maximum length of a reason in characters.
const REASON: usize = 80;

/// Parts of reasons of reverts, and what the caller lacks then. The errors are those of OpenZeppelin, solmate and
/// solady.
const HINTS: [(&[&str], &str); 6] = [
    (
        &["allowance", "Allowance"],
        "the caller approved too little: let the handler call `approve` from the actor first",
    ),
    (
        &["TransferFromFailed", "TRANSFER_FROM_FAILED", "transferFrom", "STF"],
        "the token took nothing: the actor lacks balance or approval",
    ),
    (
        &["InsufficientBalance", "insufficient balance", "exceeds balance", "ETH_TRANSFER_FAILED"],
        "the account owns too little: let `setUp` or the handler mint or `deal` to the actor",
    ),
    (
        &["Unauthorized", "UNAUTHORIZED", "not the owner", "AccessControl", "missing role", "onlyOwner"],
        "no sender has the right: add the owner with `targetSender`, or prank in the handler",
    ),
    (&["EnforcedPause", "paused"], "the contract is paused"),
    (&["arithmetic underflow"], "if a subtraction goes below zero, the caller may lack balance or approval"),
];

/// Formats the notices of a suite, one line each; empty if there is nothing to say.
#[must_use]
pub(super) fn of_suite(report: &SuiteReport, palette: Palette) -> String {
    let line = |title: &str, names: Vec<String>| match names.is_empty() {
        true => String::new(),
        false => format!("{}: {}\n", palette.paint(Color::Yellow, title), listed(&names, NAMES)),
    };
    // Each with its reasons in a line of its own.
    let each = |title: &str, names: Vec<String>| {
        let more = names.len().saturating_sub(NAMES);
        let more = (more > 0).then(|| format!("and {more} more"));
        let items: Vec<String> = names.into_iter().take(NAMES).chain(more).collect();
        let indent = format!("\n{:1$}", "", title.len() + 2);
        line(title, (!items.is_empty()).then(|| items.join(&indent)).into_iter().collect())
    };
    let is_test = |function: &&FunctionStats| tests(report).any(|name| name == function.name);
    let called = || report.stats.functions.iter().filter(|function| !is_test(function));
    let calls: u64 = called().map(|function| function.metrics.calls + function.metrics.discards).sum();
    let fails = |function: &&FunctionStats| {
        function.metrics.calls >= FEW && function.metrics.calls == function.metrics.reverts
    };
    let failing = called().filter(fails).map(failing).collect();
    let idle = |function: &&FunctionStats| function.metrics.calls + function.metrics.discards == 0;
    let is_searched = calls >= FEW_FOR_EACH * called().count() as u64;
    let idle =
        called().filter(idle).filter(|_| is_searched).map(|function| visible(function.short())).collect();
    let vacuous = report.stats.vacuous.iter().map(|name| visible(name)).collect();
    let mut discards: Vec<_> = report.stats.functions.iter().filter_map(discarding).collect();
    discards.sort_by_key(|(part, _)| std::cmp::Reverse(*part));
    let discards = discards.into_iter().map(|(_, text)| text).collect();
    [
        each("Never succeeded", failing),
        line("Never called", idle),
        line("Never tested, because no call changed what it reads", vacuous),
        line("Mostly rejected by `vm.assume`", discards),
    ]
    .concat()
}

/// Returns the names of the suite's tests that are called themselves, as in the statistics.
fn tests(report: &SuiteReport) -> impl Iterator<Item = String> {
    let tests = report.tests.iter().filter(|test| test.kind.is_of_one_call());
    tests.map(|test| format!("{}.{}", report.id, test.signature.split('(').next().unwrap_or_default()))
}

/// Describes a function that always reverts: `Vault.stake (1,370 calls: ERC20InsufficientAllowance x 1,370; ...)`.
fn failing(function: &FunctionStats) -> String {
    let reasons: Vec<_> =
        function.reasons.iter().take(REASONS).map(|(reason, times)| named(reason, *times)).collect();
    let hint = function.reasons.first().and_then(|(reason, _)| hint(reason));
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    let (name, calls) = (visible(function.short()), HumanCount(function.metrics.calls));
    format!("{name} ({calls} calls: {}{hint})", reasons.join(", "))
}

fn named(reason: &str, times: u64) -> String {
    let reason = visible(reason);
    let is_long = reason.chars().count() > REASON;
    let short: String = reason.chars().take(REASON).collect();
    format!("{short}{} x {}", if is_long { "..." } else { "" }, HumanCount(times))
}

/// Returns what the caller lacks if calls revert for this reason.
fn hint(reason: &str) -> Option<&'static str> {
    let is_it = |(parts, _): &&(&[&str], &str)| parts.iter().any(|part| reason.contains(part));
    HINTS.iter().find(is_it).map(|(_, hint)| *hint)
}

/// Describes a function most of whose calls were discarded: `Handler.swap (98 % of 4,000 calls)`; with their part in
/// percent.
fn discarding(function: &FunctionStats) -> Option<(u64, String)> {
    let all = function.metrics.calls + function.metrics.discards;
    let part = 100 * function.metrics.discards / all.max(1);
    let text = || format!("{} ({part} % of {} calls)", visible(function.short()), HumanCount(all));
    (all >= FEW && part > 50).then(|| (part, text()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{CallMetrics, Status},
        report::samples,
    };

    fn function(name: &str, [calls, reverts, discards]: [u64; 3], reason: Option<&str>) -> FunctionStats {
        FunctionStats {
            name: name.into(),
            metrics: CallMetrics { calls, reverts, discards },
            reasons: reason.into_iter().map(|reason| (reason.to_owned(), reverts)).collect(),
        }
    }

    fn said(functions: Vec<FunctionStats>, vacuous: &[&str]) -> String {
        let tests = vec![samples::unit("testFuzz_a(uint256)", Status::Failure, None)];
        let mut report = samples::suite("Bank", tests, vec![]);
        report.stats.functions = functions;
        report.stats.vacuous = vacuous.iter().map(|name| (*name).to_owned()).collect();
        of_suite(&report, Palette::new(false))
    }

    #[test]
    fn what_no_verdict_shows_is_said() {
        let functions = vec![
            function("test/H.sol:Handler.claim", [0, 0, 0], None),
            function("test/H.sol:Handler.deposit", [5_000, 12, 0], Some("Paused()")),
            function(
                "test/H.sol:Handler.stake",
                [1_370, 1_370, 0],
                Some("ERC20InsufficientAllowance(0x01, 0, 5)"),
            ),
            function("test/H.sol:Handler.settle", [500, 0, 600], None),
            function("test/H.sol:Handler.swap", [80, 0, 3_920], None),
            function(
                "test/H.sol:Handler.unstake",
                [40, 40, 0],
                Some("panic: arithmetic underflow or overflow (0x11)"),
            ),
        ];
        insta::assert_snapshot!(said(functions, &["invariant_solvent()"]), @r"
        Never succeeded: Handler.stake (1,370 calls: ERC20InsufficientAllowance(0x01, 0, 5) x 1,370; the caller approved too little: let the handler call `approve` from the actor first)
                         Handler.unstake (40 calls: panic: arithmetic underflow or overflow (0x11) x 40; if a subtraction goes below zero, the caller may lack balance or approval)
        Never called: Handler.claim
        Never tested, because no call changed what it reads: invariant_solvent()
        Mostly rejected by `vm.assume`: Handler.swap (98 % of 4,000 calls), Handler.settle (54 % of 1,100 calls)
        ");
    }

    #[test]
    fn few_calls_prove_nothing_and_a_test_that_fails_is_no_function() {
        let functions = vec![
            function("test/A.t.sol:Bank.testFuzz_a", [900, 900, 0], Some("no")),
            function("test/H.sol:Handler.claim", [0, 0, 0], None),
            function("test/H.sol:Handler.stake", [7, 7, 0], Some("no")),
        ];
        assert_eq!(said(functions, &[]), "");
    }

    #[test]
    fn long_lists_and_reasons_are_cut() {
        let long = "x".repeat(200);
        let functions =
            (0..8).map(|index| function(&format!("H.f{index}"), [50, 50, 0], Some(&long))).collect();
        let text = said(functions, &[]);
        assert!(text.contains("x... x 50") && text.ends_with(" and 2 more\n"), "{text}");
    }
}
