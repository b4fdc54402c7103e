//! Output of `corpus show`: the inputs and failures that are kept of each suite.

use crate::{
    model::ContractId,
    report::{count, visible},
};
use serde_json::{Value, json};
use std::{cmp::Reverse, collections::BTreeMap};

/// Most functions shown of a suite.
const SHOWN: usize = 12;

/// Inputs and failures that are kept of one suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuiteCorpus {
    /// Number of files that hold the inputs.
    pub files: usize,
    /// Number of distinct inputs.
    pub inputs: usize,
    /// Number of calls in the inputs, by `Contract.signature`.
    pub calls: BTreeMap<String, usize>,
    /// Largest number of branches that a campaign had covered when it wrote one of the files.
    pub branches: u64,
    /// Largest number of paths that a campaign had covered when it wrote one of the files.
    pub paths: u64,
    /// Number of failures.
    pub failures: usize,
}

/// Formats the suites as text for people.
#[must_use]
pub fn text(suites: &BTreeMap<ContractId, SuiteCorpus>) -> String {
    if suites.is_empty() {
        return "Nothing is kept\n".to_owned();
    }
    let mut out = String::new();
    for (suite, corpus) in suites {
        let SuiteCorpus { files, inputs, calls, branches, paths, failures } = corpus;
        let all: usize = calls.values().sum();
        out += &visible(&format!("{suite}\n"));
        let [inputs_of, calls_in, files] =
            [(*inputs, "input"), (all, "call"), (*files, "file")].map(|(n, noun)| count(n, noun));
        out += &format!("  {inputs_of} of {calls_in} in {files}, {}\n", count(*failures, "failure"));
        if *inputs > 0 {
            out += &format!("  {branches} branches and {paths} paths were covered when they were written\n");
        }
        let mut calls: Vec<_> = calls.iter().collect();
        calls.sort_by_key(|(_, count)| Reverse(**count));
        for (function, count) in calls.iter().take(SHOWN) {
            out += &visible(&format!("  {count:>8} {function}\n"));
        }
        if calls.len() > SHOWN {
            out += &format!(
                "  {:>8} more of other functions\n",
                calls[SHOWN..].iter().map(|(_, count)| **count).sum::<usize>()
            );
        }
    }
    out
}

/// Formats the suites as one JSON object, by the ids of the suites.
#[must_use]
pub fn json(suites: &BTreeMap<ContractId, SuiteCorpus>) -> String {
    let suite = |(suite, corpus): (&ContractId, &SuiteCorpus)| {
        let SuiteCorpus { files, inputs, calls, branches, paths, failures } = corpus;
        let value = json!({
            "inputs": inputs,
            "files": files,
            "calls": calls,
            "branches": branches,
            "paths": paths,
            "failures": failures,
        });
        (suite.to_string(), value)
    };
    format!("{}\n", Value::Object(suites.iter().map(suite).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    #[test]
    fn what_is_called_most_comes_first() {
        let id = ContractId { path: "test/A.t.sol".into(), name: "A".into() };
        let calls = [("Bank.pay(uint256)".to_owned(), 3), ("Bank.close()".to_owned(), 40)].into();
        let corpus = SuiteCorpus { files: 2, inputs: 9, calls, branches: 121, paths: 12, failures: 1 };
        let suites = [(id, corpus)].into();
        assert_snapshot!(text(&suites), @"
        test/A.t.sol:A
          9 inputs of 43 calls in 2 files, 1 failure
          121 branches and 12 paths were covered when they were written
                40 Bank.close()
                 3 Bank.pay(uint256)
        ");
        assert_snapshot!(json(&suites), @r#"{"test/A.t.sol:A":{"inputs":9,"files":2,"calls":{"Bank.close()":40,"Bank.pay(uint256)":3},"branches":121,"paths":12,"failures":1}}"#);
        assert_snapshot!(text(&BTreeMap::new()), @"Nothing is kept");
    }
}
