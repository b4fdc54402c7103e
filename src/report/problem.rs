//! Failures in one form, for the formats that do not distinguish tests from findings.

use crate::{
    model::{
        ContractId, Counterexample, Evidence, Finding, Found, Input, Place, RunReport, SequenceCall, Status,
        SuiteReport, TestKind, TestReport,
        format::{self, Style},
        rule, test_id,
    },
    report::headline,
};
use alloy_primitives::{Address, U256, hex};

/// A failing test or a finding.
#[derive(Clone, Copy, Debug)]
pub(super) enum Problem<'a> {
    Test(&'a SuiteReport, &'a TestReport),
    Finding(&'a SuiteReport, &'a Finding),
}

/// Returns all failures, ordered by the ids of their suites.
pub(super) fn problems(report: &RunReport) -> Vec<Problem<'_>> {
    suites(report).into_iter().flat_map(of_suite).collect()
}

/// Returns the suites, ordered by their ids.
pub(super) fn suites(report: &RunReport) -> Vec<&SuiteReport> {
    let mut suites: Vec<_> = report.suites.iter().collect();
    suites.sort_by_key(|suite| &suite.id);
    suites
}

/// Returns the failures of one suite.
fn of_suite(suite: &SuiteReport) -> impl Iterator<Item = Problem<'_>> {
    let failed = suite.tests.iter().filter(|test| test.status == Status::Failure);
    let tests = failed.map(move |test| Problem::Test(suite, test));
    tests.chain(suite.findings.iter().map(move |finding| Problem::Finding(suite, finding)))
}

impl<'a> Problem<'a> {
    pub(super) fn suite(self) -> &'a SuiteReport {
        match self {
            Self::Test(suite, _) | Self::Finding(suite, _) => suite,
        }
    }

    /// Returns the id of the rule: `invariant` or `test` for the project's own tests, else the oracle's name.
    pub(super) fn rule(self) -> &'static str {
        match self {
            Self::Test(_, test) if matches!(test.kind, TestKind::Invariant { .. }) => rule::INVARIANT,
            Self::Test(..) => rule::TEST,
            Self::Finding(_, finding) => finding.oracle,
        }
    }

    /// Returns the signature of the test, as in `invariant_x()`, or the function that was called last.
    pub(super) fn name(self) -> String {
        match self {
            Self::Test(_, test) => test.signature.clone(),
            Self::Finding(_, finding) => headline::entry(finding),
        }
    }

    pub(super) fn reason(self) -> &'a str {
        match self {
            Self::Test(_, test) => test.reason.as_deref().unwrap_or("it fails"),
            Self::Finding(_, finding) => &finding.failure.reason,
        }
    }

    /// Returns the place of the assertion, or of the property that does not hold.
    pub(super) fn place(self) -> Option<&'a Place> {
        match self {
            Self::Test(_, test) => test.place.as_ref(),
            Self::Finding(_, finding) => finding.failure.site.location.as_ref(),
        }
    }

    /// Returns the place at which the last call failed, or else that of [`Self::place`].
    pub(super) fn failing_place(self) -> Option<&'a Place> {
        let place = match self {
            Self::Test(..) => self.evidence().failed_at.as_ref(),
            // An oracle knows better than the end of a call.
            Self::Finding(..) => None,
        };
        place.or_else(|| self.place())
    }

    pub(super) fn counterexample(self) -> Option<&'a Counterexample> {
        let shown = match self {
            Self::Test(_, test) => test.counterexample.as_ref(),
            Self::Finding(_, finding) => Some(&finding.counterexample),
        };
        shown.filter(|counterexample| !counterexample.calls.is_empty())
    }

    /// Describes the calls of the counterexample.
    pub(super) fn calls(self) -> Vec<String> {
        let calls = self.counterexample().map(|shown| &shown.calls[..]).unwrap_or_default();
        calls.iter().map(|call| self.call(call)).collect()
    }

    /// Describes the calls, numbered from 1.
    pub(super) fn steps(self) -> Vec<String> {
        self.calls().iter().enumerate().map(|(index, call)| format!("{}. {call}", index + 1)).collect()
    }

    /// Describes one call.
    pub(super) fn call(self, of: &SequenceCall) -> String {
        call(of, &|account| self.label(account))
    }

    /// Describes one call in parts, of which the sender is one.
    pub(super) fn call_parts(self, of: &SequenceCall) -> CallParts {
        call_parts(of, &|account| self.label(account))
    }

    /// Returns the label that tests gave to an account, or its role in a scan.
    pub(super) fn label(self, account: Address) -> Option<&'a str> {
        let (tests, scene) = match self {
            Self::Test(_, test) => (std::slice::from_ref(test), None),
            Self::Finding(suite, _) => (&suite.tests[..], suite.scene.as_ref()),
        };
        let labels = tests.iter().filter_map(|test| test.evidence.labels.get(&account)).map(String::as_str);
        let actors = scene.into_iter().flat_map(|scene| &scene.actors);
        labels.chain(actors.filter(|actor| actor.address == account).map(|actor| actor.name)).next()
    }

    /// Returns the point of the campaign at which it was found.
    pub(super) fn found(self) -> Option<Found> {
        match self {
            Self::Test(_, test) => test.found,
            Self::Finding(_, finding) => Some(finding.found),
        }
    }

    /// Returns the traces and log lines of the replay.
    pub(super) fn evidence(self) -> &'a Evidence {
        match self {
            Self::Test(_, test) => &test.evidence,
            Self::Finding(_, finding) => &finding.evidence,
        }
    }

    /// Returns an id that is the same in every run, regardless of the counterexample.
    pub(super) fn id(self) -> String {
        match self {
            Self::Test(suite, test) => test_id(&suite.id, &test.signature),
            Self::Finding(_, finding) => finding.id.clone(),
        }
    }
}

/// Describes what a callback calls: `.withdraw(5)`.
fn called(input: &Input) -> String {
    match input {
        Input::Typed { function, args } => {
            format!(".{}({})", function.name, format::args(&function.inputs, args, Style::Raw))
        }
        Input::Raw(data) => format!(".call({data})"),
    }
}

/// Shortens an address to its beginning and end: `0x1234…abcd`.
pub(super) fn short(address: Address) -> String {
    let whole = address.to_string();
    format!("{}…{}", &whole[..6], &whole[whole.len() - 4..])
}

/// Describes a call as `Player.buy(99)`, with its value, delays and sender.
pub(super) fn call<'a>(call: &SequenceCall, label: &dyn Fn(Address) -> Option<&'a str>) -> String {
    let CallParts { called, rest } = call_parts(call, label);
    let sender = match label(call.tx.sender) {
        Some(label) => format!("{label} ({})", call.tx.sender),
        None => call.tx.sender.to_string(),
    };
    format!("{called} from {sender}{rest}")
}

/// Parts of the description of a call, before and after its sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallParts {
    /// Target, function, value and arguments: `Player.buy{value: 5}(99)`.
    pub(super) called: String,
    /// Delays and callback: `, 5 seconds later`.
    pub(super) rest: String,
}

fn call_parts<'a>(call: &SequenceCall, label: &dyn Fn(Address) -> Option<&'a str>) -> CallParts {
    let tx = &call.tx;
    let contract = call.contract.as_deref().and_then(ContractId::parse);
    let target = contract.map_or_else(|| tx.target.to_string(), |id| id.name);
    let name = match tx.input.function() {
        Some(function) => format!(".{}", function.name),
        None => format!(".call({})", hex::encode_prefixed(&call.calldata)),
    };
    let args = call.args(Style::Raw).map(|args| format!("({args})")).unwrap_or_default();
    let value = if tx.value.is_zero() { String::new() } else { format!("{{value: {}}}", tx.value) };
    let described = format!("{target}{name}{value}{args}");
    let mut rest = String::new();
    for (number, unit) in [(tx.warp, "second"), (tx.roll, "block")] {
        if !number.is_zero() {
            let plural = if number == U256::ONE { "" } else { "s" };
            rest += &format!(", {number} {unit}{plural} later");
        }
    }
    if let Some(back) = &tx.reentry {
        let name = match back.target == tx.target {
            true => target,
            false => label(back.target).map_or_else(|| back.target.to_string(), str::to_owned),
        };
        let called = called(&back.input);
        rest += &format!(", during which its outside call {} calls back {name}{called}", back.nth + 1);
    }
    CallParts { called: described, rest }
}
