//! What is done as by Forge 1.8, and how the version is found.

use crate::harness::Project;
use std::{fs, os::unix::fs::PermissionsExt as _};
use tempfile::TempDir;

const SUITES: &str = r"
contract Handler {
    uint256 public sum;

    function add(uint256 amount) external {
        sum += amount % 100;
        assert(amount % 1024 != 77);
    }
}

contract AssertTest {
    Handler handler = new Handler();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_small() external view {
        require(handler.sum() < 300, 'large');
    }
}

contract OtherTest {
    uint256 calls;

    function poke() external {
        calls++;
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(this);
    }

    function invariant_small() external pure {}
}
";

/// A directory with a program `forge` that tells this version, and notes each time that it was asked.
fn forge_of(version: &str) -> TempDir {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("forge");
    let log = directory.path().join("log");
    let script = format!("#!/bin/sh\necho asked >> {}\necho 'forge Version: {version}'\n", log.display());
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    directory
}

#[test]
fn the_forge_on_the_path_is_followed_and_asked_once() {
    let project = Project::with_tests("", SUITES);
    let home = TempDir::new().unwrap();
    for (version, says, isolate) in [("1.7.1", "Forge 1.7", "false"), ("1.8.0", "Forge 1.8", "true")] {
        let forge = forge_of(version);
        let path = format!("{}:{}", forge.path().display(), std::env::var("PATH").unwrap());
        let shown = || {
            let running = project.command("config", "").without("FOUNDRY_HARVEY_FORGE").env("PATH", &path);
            running.home(home.path()).run().exits_with(0).stdout
        };
        let first = shown();
        let headline = format!("# {says}, because {}/forge is {version}\n", forge.path().display());
        assert!(first.starts_with(&headline), "{first}");
        assert!(first.lines().any(|line| line.starts_with(&format!("isolate = {isolate} "))), "{first}");
        assert_eq!(shown(), first);
        assert_eq!(fs::read_to_string(forge.path().join("log")).unwrap(), "asked\n");
    }
    let said = project.command("config", "--forge-version 1.8").run().exits_with(0).stdout;
    assert!(said.starts_with("# Forge 1.8, as --forge-version says\n"), "{said}");
}

#[test]
fn failures_are_kept_as_forge_1_8_keeps_them() {
    let project = Project::with_tests("", SUITES);
    let flags = "--forge-version 1.8 --fuzz-seed 1 --runs 64 --depth 20 --threads 1";
    project.ours(flags).run().exits_with(1);
    let list = project.read("cache/test-failures");
    assert_eq!(
        list,
        r#"{"version":1,"failures":[{"contract":"test/Test.t.sol:AssertTest","test":"invariant_small"}]}"#
    );
    let handlers = project.root().join("cache/invariant/failures/AssertTest/handlers");
    let files: Vec<_> = fs::read_dir(&handlers).unwrap().map(|file| file.unwrap().path()).collect();
    let [file] = &files[..] else { panic!("{files:?}") };
    assert_eq!(file.file_stem().unwrap().len(), 64);
    let kept: serde_json::Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!((&kept["assertion_failure"], &kept["failure_site"]), (&true.into(), &serde_json::Value::Null));

    // Only the suite that failed runs again, though another one has a test of the same name.
    let again = project.ours(&format!("{flags} --rerun --json")).run().exits_with(1).json();
    assert_eq!(again.as_object().unwrap().keys().collect::<Vec<_>>(), ["test/Test.t.sol:AssertTest"]);
    // A user of 1.7 has the list read, too.
    let older = project.ours("--forge-version 1.7 --fuzz-seed 1 --runs 8 --rerun --json").run().exits_with(1);
    assert_eq!(older.json().as_object().unwrap().len(), 1);
}

#[test]
fn a_regression_of_the_symbolic_mode_runs_its_own_tests_only() {
    let tests = r"
    contract BaseTest {
        function test_unit() external pure {}
        function test_fuzz(uint256) external pure {}
    }
    contract BaseTest_SymbolicRegression is BaseTest {
        function __foundry_symbolic_regression_marker() external pure {}
        function test_regression_one() external pure {}
    }";
    let project = Project::with_tests("", tests);
    let listed = project.ours("--unit --fuzz-seed 1 --json").run().exits_with(0).json();
    let names = |contract: &str| {
        let tests = &listed[format!("test/Test.t.sol:{contract}")]["test_results"];
        tests.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(names("BaseTest"), ["test_fuzz(uint256)", "test_unit()"]);
    assert_eq!(names("BaseTest_SymbolicRegression"), ["test_regression_one()"]);
}

#[test]
fn a_report_can_go_to_a_file_of_json() {
    let project = Project::with_tests("", SUITES);
    let flags = "--match-contract OtherTest --runs 4 --fuzz-seed 1 --json-file result.json";
    let run = project.ours(flags).run().exits_with(0);
    assert!(run.stdout.contains("[PASS] invariant_small()"), "{}", run.shown());
    let written: serde_json::Value = serde_json::from_str(&project.read("result.json")).unwrap();
    assert_eq!(
        written["test/Test.t.sol:OtherTest"]["test_results"]["invariant_small()"]["status"],
        "Success"
    );
}
