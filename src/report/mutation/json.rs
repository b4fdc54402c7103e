//! All mutants for programs.

use super::groupings;
use crate::{
    model::{MutantCounts, MutantVerdict, MutationReport},
    report::json::line,
};
use serde::Serialize;
use std::{collections::BTreeMap, ops::Range};

/// Version of the format.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct JsonMutationReport<'a> {
    version: u32,
    /// Share of killed mutants among those that count, from 0 to 1.
    score: Option<f64>,
    counts: MutantCounts,
    /// Counts by contract, by function and by operator.
    by: BTreeMap<&'a str, BTreeMap<String, MutantCounts>>,
    suites: Vec<String>,
    failing: Vec<String>,
    /// Mutants without a verdict: the run was interrupted, or they could not be tested.
    left: usize,
    mutants: Vec<JsonMutant<'a>>,
}

#[derive(Serialize)]
struct JsonMutant<'a> {
    id: &'a str,
    operator: &'a str,
    path: &'a str,
    line: usize,
    column: usize,
    /// Range of bytes that is replaced.
    range: Range<usize>,
    original: &'a str,
    replacement: &'a str,
    contract: Option<&'a str>,
    function: Option<&'a str>,
    #[serde(flatten)]
    verdict: &'a MutantVerdict,
}

/// Formats the report as one line that ends in a newline.
pub(super) fn report(report: &MutationReport) -> String {
    let counts = report.counts();
    let mutants = report.mutants.iter().map(|tested| JsonMutant {
        id: &tested.id,
        operator: &tested.mutant.operator,
        path: &tested.mutant.path,
        line: tested.place.line,
        column: tested.place.column,
        range: tested.mutant.range.clone(),
        original: &tested.mutant.original,
        replacement: &tested.mutant.replacement,
        contract: tested.mutant.contract.as_deref(),
        function: tested.mutant.function.as_deref(),
        verdict: &tested.verdict,
    });
    line(&JsonMutationReport {
        version: VERSION,
        score: counts.score(),
        counts,
        by: groupings(report).into_iter().collect(),
        suites: report.suites.iter().map(ToString::to_string).collect(),
        failing: report.failing.iter().map(|(suite, test)| format!("{suite}.{test}")).collect(),
        left: report.left,
        mutants: mutants.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::mutation::samples;

    #[test]
    fn each_mutant_has_its_verdict_beside_its_place() {
        let text = report(&samples::report());
        assert_eq!(text.matches('\n').count(), 1);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["score"], 0.4);
        insta::assert_snapshot!(value["mutants"][3], @r#"{"id":"a4","operator":"dropped-write","path":"src/Bank.sol","line":6,"column":9,"range":{"start":10,"end":12},"original":"+=","replacement":"=","contract":"Bank","function":"deposit","verdict":"survived","difference":{"suite":"test/Bank.t.sol:BankTest","kind":"storage","original":"slot 0x0 of Bank becomes 0x3","mutant":"slot 0x0 of Bank becomes 0x2","calls":["Bank.deposit(1) from 0xbeef","Bank.deposit(2) from 0xbeef"]}}"#);
        insta::assert_snapshot!(value["by"]["operator"]["logical"], @r#"{"killed":0,"killed_without_search":0,"survived":0,"survived_with_difference":0,"not_reached":0,"equivalent":1,"duplicate":1,"invalid":0}"#);
    }
}
