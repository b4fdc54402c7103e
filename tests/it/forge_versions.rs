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
fn the_json_report_lists_failures_as_forge_1_8_does_beside_ours() {
    let project = Project::with_tests("", SUITES);
    let flags = "--fuzz-seed 1 --runs 64 --depth 20 --threads 1 --match-contract AssertTest --json";
    let result = |version: &str| {
        let run = project.ours(&format!("{flags} --forge-version {version}")).run().exits_with(1);
        run.json()["test/Test.t.sol:AssertTest"]["test_results"]["invariant_small()"].clone()
    };
    let new = result("1.8");
    let failure = &new["invariant_failures"][0];
    assert_eq!((&failure["kind"], &failure["name"]), (&"predicate".into(), &"invariant_small".into()));
    assert_eq!((&failure["reason"], &failure["counterexample"]), (&new["reason"], &new["counterexample"]));
    assert!(failure["counterexample"]["Sequence"][1].as_array().is_some_and(|calls| !calls.is_empty()));
    project.read(failure["persisted_path"].as_str().unwrap());
    assert_eq!(new["kind"]["Invariant"]["workers"], 1);
    let handler = &new["invariant_handler_failures"][0];
    assert_eq!(
        [&handler["kind"], &handler["name"], &handler["reason"]],
        ["handler", "test/Test.t.sol:Handler::add", "panic: assertion failed (0x01)"]
    );
    let last = handler["counterexample"]["Sequence"][1].as_array().unwrap().last().unwrap();
    assert_eq!(handler["reverter"], last["addr"]);
    assert!(last["calldata"].as_str().unwrap().starts_with(handler["selector"].as_str().unwrap()));

    let old = result("1.7");
    assert_eq!((&old["status"], &old["reason"]), (&new["status"], &new["reason"]));
    assert!(old["kind"]["Invariant"].get("workers").is_none());
    for field in ["invariant_failures", "invariant_handler_failures"] {
        assert!(old.get(field).is_none(), "{field}");
    }
}

const PAID: &str = r"
interface Dealer {
    function deal(address account, uint256 wei_) external;
}

contract Till {
    uint256 public paid;

    function pay() external payable {
        if (msg.value > 1000) paid += 1;
    }
}

abstract contract Senders {
    Till till = new Till();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(till);
    }

    function targetSenders() external pure returns (address[] memory senders) {
        senders = new address[](1);
        senders[0] = address(0xa11ce);
    }

    function invariant_unpaid() external view {
        require(till.paid() == 0, 'paid');
    }
}

contract Rich is Senders {
    function setUp() external {
        Dealer(address(vm)).deal(address(0xa11ce), type(uint256).max);
    }
}

contract Poor is Senders {}

contract Inputs {
    function test_paid(uint256) external payable {
        require(msg.value < 1000, 'paid');
    }

    function test_small(uint256 amount) external pure {
        require(amount < 1000, 'large');
    }
}
";

#[test]
fn forge_1_8_is_given_the_value_that_a_sender_owns() {
    let project = Project::with_tests("", PAID);
    let flags = "--fuzz-seed 1 --runs 16 --depth 20 --threads 1 --match-test invariant_";
    let run = project.ours(&format!("{flags} --forge-version 1.8")).run().exits_with(1);
    let file = "cache/invariant/failures/Rich/invariants/invariant_unpaid";
    let kept: serde_json::Value = serde_json::from_str(&project.read(file)).unwrap();
    let value = kept["call_sequence"][0]["value"].as_str().unwrap();
    assert!(u128::from_str_radix(value.trim_start_matches("0x"), 16).unwrap() > 1000, "{value}");
    let why = "call 1 sends value that its sender does not own, and Forge 1.8 gives it none";
    assert_eq!(run.stdout.matches(why).count(), 1, "{}", run.shown());
    assert!(!project.root().join(file.replace("Rich", "Poor")).exists());

    let older = project.copy().ours(&format!("{flags} --forge-version 1.7")).run().exits_with(1);
    assert!(older.stdout.contains("and Forge 1.7 replays every call without"), "{}", older.shown());
}

#[test]
fn the_input_of_a_fuzz_test_is_kept_with_its_sender_for_forge_1_8() {
    let project = Project::with_tests("", PAID);
    let flags = "--fuzz-seed 1 --fuzz-runs 200 --threads 1 --match-contract Inputs";
    // As Forge 1.8 writes it.
    let forge_wrote = format!(
        r#"{{"warp":null,"roll":null,"sender":"0x1804c8ab1f12e6bbf3894d4083f33e07309d1f38","addr":
        "0x7fa9385be102ac3eac297483dd6233d62b3e1496","calldata":"0xda8fbdd8{:064x}","value":"0x7d0","contract_name":
        null,"func_name":null,"signature":null,"args":"5","raw_args":"5","fuzz_seed":"0x1","fuzz_run":3,
        "fuzz_worker":1}}"#,
        5
    );
    project.write("cache/fuzz/failures/Inputs/test_paid", &forge_wrote);
    let run = project.ours(&format!("{flags} --forge-version 1.8")).run().exits_with(1);
    let kept = |test: &str| -> serde_json::Value {
        serde_json::from_str(&project.read(format!("cache/fuzz/failures/Inputs/{test}"))).unwrap()
    };
    for (test, value) in [("test_paid", Some("0x3e8")), ("test_small", None)] {
        let kept = kept(test);
        assert_eq!(kept["sender"], "0x1804c8ab1f12e6bbf3894d4083f33e07309d1f38");
        assert_eq!(kept["addr"], "0x7fa9385be102ac3eac297483dd6233d62b3e1496");
        assert_eq!(kept.get("value").and_then(|value| value.as_str()), value);
        // Ours are no random numbers of Forge's.
        assert!(kept.get("fuzz_seed").is_none() && kept.get("fuzz_run").is_none());
    }
    assert!(run.stdout.contains("counterexample: sender=0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38 addr="));

    // We replay both, and an older forge the one without value.
    let again = project.ours(&format!("{flags} --forge-version 1.8 --json")).run().exits_with(1).json();
    let results = &again["test/Test.t.sol:Inputs"]["test_results"];
    for test in ["test_paid", "test_small"] {
        let call = &results[format!("{test}(uint256)")]["counterexample"]["Single"];
        let fields = ["sender", "addr", "value", "calldata", "args"];
        assert_eq!(fields.map(|field| call[field].clone()), fields.map(|field| kept(test)[field].clone()));
    }
    let forge = project.forge("--match-test test_small --fuzz-runs 1 --json").run().exits_with(1).json();
    let call =
        &forge["test/Test.t.sol:Inputs"]["test_results"]["test_small(uint256)"]["counterexample"]["Single"];
    assert_eq!(call["calldata"], kept("test_small")["calldata"]);
}

#[test]
fn a_campaign_of_forge_1_8_has_the_whole_timeout() {
    let tests = r"
    contract TimeTest {
        uint256 calls;
        function poke() external { calls++; }
        function targetContracts() external view returns (address[] memory targets) {
            targets = new address[](1);
            targets[0] = address(this);
        }
        function invariant_one() external pure {}
        /// forge-config: default.invariant.depth = 7
        function invariant_two() external pure {}
    }";
    let project = Project::with_tests("", tests);
    project.ours("--list").run().exits_with(0);
    let seconds = |version: &str| {
        let flags = format!("--timeout 2 --threads 1 --json --forge-version {version}");
        let report = project.copy().ours(&flags).run().exits_with(0).json();
        report["test/Test.t.sol:TimeTest"]["harvey"]["stats"]["seconds"].as_f64().unwrap()
    };
    let (new, old) = (seconds("1.8"), seconds("1.7"));
    assert!(new >= 4.0 && (2.0..3.5).contains(&old), "{new} {old}");
}

#[test]
fn workers_search_together_and_a_delay_of_zero_is_none() {
    let tests = r"
    contract ClockTest {
        uint256 immutable start = block.timestamp;
        uint256 calls;
        function poke() external { calls++; }
        function targetContracts() external view returns (address[] memory targets) {
            targets = new address[](1);
            targets[0] = address(this);
        }
        function invariant_no_time_passes() external view { require(block.timestamp == start, 'late'); }
    }";
    let result = |settings: &str, code: i32| {
        let project = Project::with_tests(&format!("[invariant]\n{settings}"), tests);
        let flags = "--forge-version 1.8 --fuzz-seed 1 --runs 200 --depth 10 --threads 2 --json";
        let run = project.ours(flags).run().exits_with(code);
        assert_eq!(run.warnings(), "", "{settings}");
        run.json()["test/Test.t.sol:ClockTest"]["test_results"]["invariant_no_time_passes()"].clone()
    };
    let still = result("workers = 2\nmax_time_delay = 0\nmax_block_delay = 0", 0);
    assert_eq!(still["kind"]["Invariant"]["workers"], 2, "{still}");
    let late = result("workers = 1\nmax_time_delay = 100", 1);
    assert_eq!((&late["reason"], &late["kind"]["Invariant"]["workers"]), (&"late".into(), &1.into()));
}

#[test]
fn a_number_of_a_run_of_forge_is_said_to_have_no_effect() {
    let project = Project::with_tests("", PAID);
    let flags = "--match-test test_small --fuzz-seed 1 --fuzz-run 3 --fuzz-worker 1";
    insta::assert_snapshot!(project.ours(flags).run().exits_with(1).warnings(), @"Warning: `fuzz.run` set at --fuzz-run has no effect: it numbers the inputs of Forge's search, which are others than ours. `forge-harvey replay` repeats the failures that were found.");
    let alone =
        project.ours("--match-test test_small --fuzz-seed 1 --fuzz-worker 1").run().exits_with(1).warnings();
    assert!(alone.contains("`fuzz.worker` set at --fuzz-worker has no effect"), "{alone}");
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
