//! What goes wrong is said clearly, in the right place, and ends with the right code.

use crate::harness::Project;
use insta::assert_snapshot;
use std::sync::OnceLock;

/// Contracts that are wrong in one way each, compiled once.
fn wrong() -> Project {
    static WRONG: OnceLock<Project> = OnceLock::new();
    let project = WRONG.get_or_init(|| {
        let settings = "[profile.default.invariant]\nruns = 4\ndepth = 5\nmax_assume_rejects = 10";
        let project = Project::with_tests(settings, TESTS);
        project.ours("--list").run().exits_with(0);
        project
    });
    project.copy()
}

const TESTS: &str = r#"
contract Counter {
    error Refused(uint256 number, address who);

    uint256 public number;

    function count() external {
        number++;
    }

    function refuse(uint256 n) external {
        number = n;
        revert Refused(n, msg.sender);
    }
}

contract SetUpReverts {
    function setUp() external {
        new Counter().refuse(7);
    }

    function invariant_unreached() external {}
}

contract ConstructorReverts {
    constructor() {
        revert("not today");
    }

    function invariant_unreached() external {}
}

contract NoTargets {
    function invariant_unreached() external {}
}

contract Picky {
    function never(uint256) external {
        vm.assume(false);
    }
}

contract AllRejected {
    Picky picky = new Picky();

    function invariant_holds() external {}
}

contract UnknownCheatcode {
    Counter counter = new Counter();

    function invariant_asks() external {
        vm.unheardOf();
    }
}

contract EndlessInvariant {
    Counter counter = new Counter();
    uint256 turns;

    function invariant_ends() external {
        while (counter.number() < 2 ** 255) turns++;
    }
}
"#;

/// Runs one of the contracts above.
fn suite(contract: &str, flags: &str) -> String {
    wrong().ours(&format!("--match-contract ^{contract}$ --fuzz-seed 1 {flags}")).run().brief()
}

/// Runs a project of testdata/errors.
fn project(name: &str) -> String {
    Project::copy_of(&format!("testdata/errors/{name}")).ours("--fuzz-seed 1").run().brief()
}

#[test]
fn a_directory_without_foundry_toml_is_no_project() {
    assert_snapshot!(project("no-foundry-toml"), @"
    exit code 1
    --- stderr
    Error: no foundry.toml in [ROOT] or above it; run in a Foundry project, name one with --root, or start one with `forge init`
    ");
}

#[test]
fn foundry_toml_that_is_no_toml_is_located() {
    assert_snapshot!(project("malformed-toml"), @r#"
    exit code 1
    --- stderr
    Error: malformed TOML: invalid basic string, expected `"`
     --> foundry.toml:3:15
      |
    3 | solc = "0.8.30
      |               ^
    "#);
}

#[test]
fn a_key_of_the_wrong_type_is_located() {
    assert_snapshot!(project("wrong-type"), @r#"
    exit code 1
    --- stderr
    Error: invalid type: found string "many", expected u32 for setting `invariant.runs`
     --> foundry.toml:6:8
      |
    6 | runs = "many"
      |        ^^^^^^
    "#);
}

#[test]
fn an_unknown_key_is_a_warning_with_the_nearest_name() {
    assert_snapshot!(project("unknown-key"), @"
    exit code 0
    Ran 1 test for test/Holds.sol:Holds
    [PASS] invariant_holds() [FIGURES]
    --- stderr
    Warning: Found unknown `deph` config key in section `invariant` defined at foundry.toml:8:8. Did you mean `depth`?
    Warning: Found unknown `invariants` config for profile `default` defined at foundry.toml:10:1. Did you mean `invariant`?
    Warning: Found unknown `optimiser` config for profile `default` defined at foundry.toml:4:13. Did you mean `optimizer`?
    ");
}

#[test]
fn a_missing_import_is_located() {
    assert_snapshot!(project("missing-import"), @r#"
    exit code 1
    --- stdout
    Unable to resolve imports:
          "./Absent.sol" in "[ROOT]/test/Imports.sol"
    with remappings:
          
    Compiling 1 files with Solc 0.8.30
    Solc 0.8.30 finished in [TIME]
    --- stderr
    Error: Compiler run failed:
    Error (6275): Source "test/Absent.sol" not found: File not supplied initially.
     --> test/Imports.sol:4:1:
      |
    4 | import {Absent} from "./Absent.sol";
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(project("missing-remapping"), @r#"
    exit code 1
    --- stdout
    Unable to resolve imports:
          "unmapped/Absent.sol" in "[ROOT]/test/Imports.sol"
    with remappings:
          
    Compiling 1 files with Solc 0.8.30
    Solc 0.8.30 finished in [TIME]
    --- stderr
    Error: Compiler run failed:
    Error (6275): Source "unmapped/Absent.sol" not found: File not supplied initially.
     --> test/Imports.sol:4:1:
      |
    4 | import {Absent} from "unmapped/Absent.sol";
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn errors_of_the_compiler_are_shown_as_it_shows_them() {
    assert_snapshot!(project("compile-error"), @r#"
    exit code 1
    --- stdout
    Compiling 1 files with Solc 0.8.30
    Solc 0.8.30 finished in [TIME]
    --- stderr
    Error: Compiler run failed:
    Error (9574): Type literal_string "text" is not implicitly convertible to expected type uint256.
     --> test/Broken.sol:6:9:
      |
    6 |         uint256 x = "text";
      |         ^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(project("syntax-error"), @"
    exit code 1
    --- stdout
    Compiling 1 files with Solc 0.8.30
    Solc 0.8.30 finished in [TIME]
    --- stderr
    Error: Compiler run failed:
    Error (2314): Expected ';' but got '}'
     --> test/Broken.sol:7:5:
      |
    7 |     }
      |     ^
    ");
}

#[test]
fn a_library_that_is_not_where_it_was_linked_to_fails_the_call() {
    assert_snapshot!(project("library-without-code"), @r#"
    exit code 1
    Ran 1 test for test/Linked.sol:Linked
    [FAIL: failed to set up invariant testing environment: delegatecall to non-contract address 0x000000000000000000000000000000000000bEEF (usually an unliked library)] invariant_linked() [FIGURES]
    --- stderr
    {"timestamp":[TIME],"event":"failure","invariant":"invariant_linked","target":"test/Linked.sol:Linked","reason":"failed to set up invariant testing environment: delegatecall to non-contract address 0x000000000000000000000000000000000000bEEF (usually an unliked library)"}
    "#);
}

#[test]
fn a_set_up_that_reverts_fails_with_its_trace() {
    assert_snapshot!(suite("SetUpReverts", ""), @"
    exit code 1
    Ran 1 test for test/Test.t.sol:SetUpReverts
    [FAIL: Refused(7, 0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496)] setUp() (gas: 0)
    ");
    assert_snapshot!(suite("SetUpReverts", "-vvvv"), @"
    exit code 1
    Ran 1 test for test/Test.t.sol:SetUpReverts
    [FAIL: Refused(7, 0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496)] setUp() (gas: 0)
    Traces:
      [184648] SetUpReverts::setUp()
        ├─ [128775] → new Counter@0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f
        │   └─ ← [Return] 643 bytes of code
        ├─ [22871] Counter::refuse(7)
        │   └─ ← [Revert] Refused(7, 0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496)
        └─ ← [Revert] Refused(7, 0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496)
    ");
}

#[test]
fn a_constructor_that_reverts_fails() {
    assert_snapshot!(suite("ConstructorReverts", "-vvvv"), @"
    exit code 1
    Ran 1 test for test/Test.t.sol:ConstructorReverts
    [FAIL: not today] constructor() (gas: 0)
    ");
}

#[test]
fn a_suite_without_targets_fails() {
    assert_snapshot!(suite("NoTargets", ""), @"
    exit code 1
    Ran 1 test for test/Test.t.sol:NoTargets
    [FAIL: failed to set up invariant testing environment: No contracts to fuzz.] invariant_unreached() [FIGURES]
    ");
}

#[test]
fn inputs_that_are_all_rejected_fail_the_invariant() {
    assert_snapshot!(suite("AllRejected", ""), @"
    exit code 1
    Ran 1 test for test/Test.t.sol:AllRejected
    Mostly rejected by `vm.assume`: Picky.never (100 % of 11 calls)
    [FAIL: `vm.assume` rejected too many inputs (10 allowed)] invariant_holds() [FIGURES]
    ");
}

#[test]
fn an_unknown_cheatcode_fails_with_its_selector() {
    assert_snapshot!(suite("UnknownCheatcode", ""), @r#"
    exit code 1
    Ran 1 test for test/Test.t.sol:UnknownCheatcode
    [FAIL: failed to set up invariant testing environment: unknown cheatcode with selector 0x564fa07e; you may have a mismatch between the `Vm` interface (likely in `forge-std`) and the `forge` version] invariant_asks() [FIGURES]
    --- stderr
    {"timestamp":[TIME],"event":"failure","invariant":"invariant_asks","target":"test/Test.t.sol:UnknownCheatcode","reason":"failed to set up invariant testing environment: unknown cheatcode with selector 0x564fa07e; you may have a mismatch between the `Vm` interface (likely in `forge-std`) and the `forge` version"}
    "#);
}

#[test]
fn an_invariant_that_loops_without_end_runs_out_of_gas() {
    assert_snapshot!(suite("EndlessInvariant", ""), @r#"
    exit code 1
    Ran 1 test for test/Test.t.sol:EndlessInvariant
    [FAIL: failed to set up invariant testing environment: EvmError: ReentrancySentryOOG] invariant_ends() [FIGURES]
    --- stderr
    {"timestamp":[TIME],"event":"failure","invariant":"invariant_ends","target":"test/Test.t.sol:EndlessInvariant","reason":"failed to set up invariant testing environment: EvmError: ReentrancySentryOOG"}
    "#);
}

#[test]
fn a_compiler_that_is_not_installed_is_named_when_nothing_may_be_fetched() {
    assert_snapshot!(project("absent-compiler"), @"
    exit code 1
    --- stderr
    Error: solc 0.8.2 is not installed and nothing is fetched offline; run once without `--offline`, or give the path of a compiler with `--use`
    ");
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let project = Project::copy_of("testdata/demo");
    project.write("cache", "a file where a directory is needed");
    assert_snapshot!(project.ours("").run().brief(), @r#"
    exit code 1
    --- stderr
    Error: cannot write to [ROOT]/cache: File exists (os error 17); make it writable, or choose another directory with `cache_path`
    "#);
}

#[test]
fn failures_that_cannot_be_kept_are_reported_all_the_same() {
    let project = Project::copy_of("testdata/demo");
    project.ours("--list").run().exits_with(0);
    for place in ["cache/harvey", "cache/invariant", "cache/test-failures/needed"] {
        project.write(place, "a file where a directory is needed, or the other way around");
    }
    let run = project.ours("--fuzz-seed 1").run().exits_with(1);
    assert!(run.stdout.contains("[FAIL: pot and tickets sold differ]\n\t[Sequence] "), "{}", run.shown());
    // Inputs have names that say nothing, and whether they are tried to be written early depends on the time.
    let warnings =
        regex::Regex::new("[0-9a-f]{32}").unwrap().replace_all(&run.warnings(), "[CHECKSUM]").into_owned();
    let late = warnings.lines().filter(|warning| !warning.contains("the search goes on"));
    let warnings = late.collect::<Vec<_>>().join("\n");
    assert_snapshot!(warnings, @"
    Warning: cannot write [ROOT]/cache/harvey/failures/test+Lottery.t.sol/LotteryTest/invariant_potIsWhatWasSold.json: Not a directory (os error 20); make its directory writable, or configure another one
    Warning: cannot write [ROOT]/cache/invariant/failures/LotteryTest/invariants/invariant_potIsWhatWasSold: Not a directory (os error 20); make its directory writable, or configure another one
    Warning: cannot write [ROOT]/cache/harvey/inputs/test+Lottery.t.sol/LotteryTest/[CHECKSUM].jsonl.gz: Not a directory (os error 20); make its directory writable, or configure another one
    Warning: cannot write [ROOT]/cache/test-failures: Is a directory (os error 21); make its directory writable, or configure another one
    ");
}

#[test]
fn a_wrong_command_line_ends_with_2() {
    let project = Project::copy_of("testdata/errors/no-tests");
    for line in ["--no-such-flag", "--match-test (", "--runs many", "--json --quiet", "--threads -1"] {
        let run = project.ours(line).run().exits_with(2);
        assert!(run.stdout.is_empty() && run.stderr.starts_with("error: "), "{}", run.shown());
    }
    assert_snapshot!(project.ours("--no-such-flag").run().brief(), @"
    exit code 2
    --- stderr
    error: unexpected argument '--no-such-flag' found

      tip: a similar argument exists: '--no-block-gas-limit'

    Usage: forge-harvey test --offline --disable-block-gas-limit [PATH]

    For more information, try '--help'.
    ");
    assert_snapshot!(project.ours("--match-test (").run().brief(), @"
    exit code 2
    --- stderr
    error: invalid value '(' for '--match-test <REGEX>': regex parse error:
        (
        ^
    error: unclosed group

    For more information, try '--help'.
    ");
}

#[test]
fn nothing_to_test_is_no_failure_unless_asked_for() {
    assert_snapshot!(project("no-tests"), @"
    exit code 0
    --- stdout
    Compiling 1 files with Solc 0.8.30
    Solc 0.8.30 finished in [TIME]
    Compiler run successful!
    No tests found in project! forge-harvey looks for functions that start with `invariant`, and for functions with parameters that start with `test` or `table`
    Found 1 contract that can be called; `--scan` searches it for failed assertions
    ");
    let project = Project::copy_of("testdata/errors/no-tests");
    project.ours("--no-tests fail").run().exits_with(1);
    let wrong = wrong();
    assert_snapshot!(wrong.ours("--match-contract ^Nowhere$").run().brief(), @"
    exit code 0
    --- stdout
    No files changed, compilation skipped
    --- stderr
    Warning: no tests match the provided pattern:
    	match-contract: `^Nowhere$`
    ");
    wrong.ours("--match-contract ^Nowhere$ --no-tests fail").run().exits_with(1);
}

#[test]
fn a_filter_that_matches_plain_tests_only_says_who_runs_these() {
    let tests = "contract Both { function test_one() external {} function invariant_two() external {} }";
    assert_snapshot!(Project::with_tests("", tests).ours("--match-test test_").run().brief(), @"
    exit code 0
    --- stdout
    Compiling 1 files with Solc 0.8.30
    Solc 0.8.30 finished in [TIME]
    Compiler run successful!
    --- stderr
    Warning: no tests match the provided pattern:
    	match-test: `test_`
    It matches 1 unit test; `--unit` runs it
    ");
}

#[test]
fn a_root_that_does_not_exist_is_named_once() {
    let run = Project::new(&[]).ours("--root /nonexistent").run();
    assert_snapshot!(run.brief(), @"
    exit code 1
    --- stderr
    Error: cannot read /nonexistent: No such file or directory (os error 2)
    ");
}

#[test]
fn a_compiler_version_that_nobody_has_is_all_that_the_error_is_about() {
    let run = Project::copy_of("testdata/demo").ours("--use 0.8.99").run();
    assert_snapshot!(run.brief(), @"
    exit code 1
    --- stderr
    Error: solc 0.8.99 is not installed and nothing is fetched offline; run once without `--offline`, or give the path of a compiler with `--use`
    ");
}

#[test]
fn reproducers_must_lie_in_the_project() {
    let run = wrong().ours("--match-contract ^NoTargets$ --fuzz-seed 1 --emit-repro ../elsewhere").run();
    assert_snapshot!(run.brief(), @"
    exit code 1
    --- stderr
    Error: --emit-repro ../elsewhere: reproducers must lie in the project, [ROOT]
    ");
}
