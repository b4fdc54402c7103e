//! Cheatcodes and behaviour of Forge 1.8, which no forge of npm has: what its specification says of them.

use crate::harness::{Node, Project, REPOSITORY};
use serde_json::Value;
use std::{fs, path::Path};

/// Fixtures, whose tests all pass but for those of contracts named `…Errors`.
const FIXTURES: &str = "testdata/conformance/forge-1.8";

/// Reason for which the only test fails that has to.
const REASON: &str = "expected call to 0x000000000000000000000000000000000000c0DE with data 0x06661abd, \
                      call type DelegateCall to be called 1 time, but was called 0 times";

#[test]
fn cheatcodes_of_1_8_do_what_its_specification_says_in_both_versions() {
    let project = Project::copy_of(FIXTURES);
    let node = Node::start();
    for version in ["1.7", "1.8"] {
        let running = project.ours(&format!("--unit --json --forge-version {version}"));
        let suites = running.env("CONFORMANCE_NODE", &node.url).run().exits_with(1).json();
        let mut count = 0;
        for (suite, results) in suites.as_object().unwrap() {
            for (test, result) in results["test_results"].as_object().unwrap() {
                let (status, reason) = match suite.ends_with("Errors") {
                    false => ("Success", Value::Null),
                    true => ("Failure", REASON.into()),
                };
                let found = (result["status"].as_str(), &result["reason"]);
                assert_eq!(found, (Some(status), &reason), "{version} {suite} {test}");
                count += 1;
            }
        }
        assert!(count >= 50, "{count} tests");
    }
}

#[test]
fn each_cheatcode_of_1_8_is_called_by_a_fixture() {
    let root = Path::new(REPOSITORY);
    let tests = fs::read_dir(root.join(FIXTURES).join("test")).unwrap();
    let sources: String = tests.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    let list = fs::read_to_string(root.join("src/evm/cheats/forge-1.8.txt")).unwrap();
    for cheatcode in list.lines() {
        let (name, _) = cheatcode.split_once('(').unwrap();
        assert!(sources.contains(&format!("vm.{name}(")), "{cheatcode}");
    }
}
