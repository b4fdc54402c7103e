//! The commands beside `test`.

use crate::harness::{Project, Run};
use insta::assert_snapshot;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

const TESTS: &str = r#"
contract Bank {
    uint256 public total;

    function pay(uint256 amount) external {
        total += amount % 9;
        assert(total != 5);
    }
}

contract Accounts {
    Bank bank = new Bank();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(bank);
    }

    function invariant_poor() external view {
        require(bank.total() < 4, "rich");
    }

    function testFuzz_small(uint256 number) external pure {
        require(number != 77777, "found");
    }
}
"#;

/// A project whose failures were found and kept.
fn searched() -> Project {
    let project = Project::with_tests("[profile.default.invariant]\nruns = 20\ndepth = 8", TESTS);
    project.ours("--fuzz-seed 1").run().exits_with(1);
    project
}

/// Verdicts, and how often each call stands in a trace.
fn verdicts(run: &Run) -> String {
    let text = run.stdout.split("\nFailing tests").next().unwrap();
    let heads = text.lines().filter(|line| line.starts_with('['));
    let traced = text.matches("Bank::pay").count();
    let heads: Vec<_> = heads.map(|line| line.split("; ").next().unwrap()).collect();
    format!("{}\ntraced calls: {traced}", heads.join("\n"))
}

#[test]
fn what_is_kept_is_replayed_with_traces_and_nothing_else_is_run() {
    let project = searched();
    let run = project.command("replay", "").run().exits_with(1);
    assert_snapshot!(verdicts(&run), @r"
    [FAIL: rich]
    [FAIL: found
    [FAIL: panic: assertion failed (0x01)]
    traced calls: 2
    ");
    let some = project.command("replay", "--match-test invariant_poor -vv").run().exits_with(1);
    assert_snapshot!(verdicts(&some), @r"
    [FAIL: rich]
    [FAIL: panic: assertion failed (0x01)]
    traced calls: 0
    ");
}

#[test]
fn one_failure_is_replayed_from_its_file_ours_or_forges() {
    let project = searched();
    for file in [
        "cache/harvey/failures/test+Test.t.sol/Accounts/invariant_poor.json",
        "cache/invariant/failures/Accounts/invariant_poor",
    ] {
        let run = project.command("replay", file).run().exits_with(1);
        assert!(
            run.stdout.contains("[FAIL: rich]") && !run.stdout.contains("testFuzz_small"),
            "{}",
            run.shown()
        );
    }
    let run = project.command("replay", "cache/fuzz/failures/Accounts/testFuzz_small").run().exits_with(1);
    assert!(run.stdout.contains("[FAIL: found") && !run.stdout.contains("invariant_poor"), "{}", run.shown());
}

#[test]
fn a_replay_writes_reproducers_of_what_still_fails() {
    let project = searched();
    let file = "cache/harvey/failures/test+Test.t.sol/Accounts/invariant_poor.json";
    let run = project.command("replay", &format!("{file} --emit-repro test/repro")).run().exits_with(1);
    let written: Vec<_> = run.stdout.lines().filter(|line| line.starts_with("Reproducer: ")).collect();
    assert_snapshot!(written.join("\n"), @"Reproducer: test/repro/Repro_Accounts_invariant_poor.t.sol (run `forge test --match-path test/repro/Repro_Accounts_invariant_poor.t.sol --match-test test_regression_invariant_poor`)");
    let forge = project.forge("--match-path test/repro/*").run().exits_with(1);
    assert!(forge.stdout.contains("[FAIL: rich"), "{}", forge.shown());
    let outside = project.command("replay", &format!("{file} --emit-repro ../elsewhere")).run().exits_with(1);
    assert!(outside.stderr.contains("reproducers must lie in the project"), "{}", outside.shown());
}

#[test]
fn a_failure_that_was_mended_is_shown_to_pass() {
    let project = searched();
    let mended = project.read("test/Test.t.sol").replace("bank.total() < 4", "bank.total() < 4000000");
    project.write("test/Test.t.sol", &mended);
    let run =
        project.command("replay", "cache/invariant/failures/Accounts/invariant_poor").run().exits_with(0);
    assert_snapshot!(verdicts(&run), @r"
    [PASS] invariant_poor() (runs: 0, calls: 0, reverts: 0)
    traced calls: 1
    ");
}

#[test]
fn a_file_that_is_no_failure_is_an_error() {
    let project = Project::with_tests("", TESTS);
    assert_snapshot!(project.command("replay", "foundry.toml").run().exits_with(1).stderr, @"Error: foundry.toml is no failure file of ours (expected value at line 1 column 2), nor one of Forge's");
    assert_snapshot!(project.command("replay", "missing.json").run().exits_with(1).stderr, @"Error: cannot read missing.json: No such file or directory (os error 2)");
    let run = project.command("replay", "").run().exits_with(0);
    assert_snapshot!(run.stdout.lines().last().unwrap(), @"Nothing fails: there is no failure to replay, or none that still fails");
}

#[test]
fn the_configuration_is_shown_with_its_origins() {
    let project = Project::with_tests(
        "[profile.default.invariant]\nruns = 20\n[rpc_endpoints]\nlocal = 'http://localhost:8545'",
        "",
    );
    let run =
        project.command("config", "--changed --depth 7").env("FOUNDRY_FUZZ_RUNS", "9").run().exits_with(0);
    assert_snapshot!(run.stdout, @r#"
    # Forge 1.7, as FOUNDRY_HARVEY_FORGE says
    [profile.default]
    offline = true                                   # --offline

    [profile.default.fuzz]
    runs = 9                                         # FOUNDRY_FUZZ_RUNS

    [profile.default.harvey]
    forge = "1.7"                                    # FOUNDRY_HARVEY_FORGE

    [profile.default.invariant]
    depth = 7                                        # --depth
    runs = 20                                        # foundry.toml:3:8

    [profile.default.rpc_endpoints]
    local = "http://localhost:8545"                  # foundry.toml:5:9
    "#);
    // What is printed is a foundry.toml again.
    let all = project.command("config", "").run().exits_with(0).stdout;
    assert!(all.contains("[profile.default.harvey]") && all.parse::<toml::Table>().is_ok(), "{all}");
    let json: Value = project.command("config", "--json --runs 3").run().exits_with(0).json();
    assert_eq!(json["invariant.runs"], serde_json::json!({ "value": 3, "origin": "--runs" }));
}

#[test]
fn rules_are_explained() {
    let project = Project::new(&[]);
    assert_snapshot!(project.command("explain", "").run().exits_with(0).stdout, @r"
    invariant                An invariant does not hold after a sequence of calls
    test                     A test fails, for the input that is shown if it has parameters
    assertion                An assertion in the code under test fails
    arbitrary-write          The caller chooses which slot of storage is written
    ether-leak               An account that never paid in gets wei out
    token-leak               An account takes tokens that are others' or nobody's
    excess-withdrawal        An account gets more wei out than it paid in
    integer-overflow         A result that wrapped around is taken for a quantity
    reentrancy               A callee that calls back gets what it would not get otherwise
    unchecked-call           A call failed, and the contract went on as if it had not
    failed-call-dos          An account that rejects a payment makes the calls of others fail
    gas-exhaustion           Strangers can make a call need more gas than a block has
    requirement-violation    A call between contracts breaks a requirement of the callee
    panic                    Earlier calls make a call fail a check of the compiler
    arbitrary-jump           The caller chooses where the code goes on
    delegatecall             The caller chooses whose code a delegatecall runs
    ownership-takeover       A stranger becomes the account whom the contract trusts
    selfdestruct             Anybody can destroy the contract
    tx-origin                `tx.origin` decides who may do something
    freezing-ether           The contract takes wei that nobody can get out again
    gasless-send             A `send` or `transfer` gives its receiver too little gas
    timestamp-dependence     The time of the block decides about a payment
    block-number-dependence  The number or hash of the block decides about a payment
    ");
    let one = project.command("explain", "assertion").run().exits_with(0).stdout;
    assert!(one.starts_with("assertion (SWC-110"), "{one}");
    let unknown = project.command("explain", "asertion").run().exits_with(2).stderr;
    assert!(unknown.contains("a similar value exists: 'assertion'"), "{unknown}");
}

#[test]
fn completions_and_the_manual_name_the_commands() {
    let project = Project::new(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = project.command("completions", shell).run().exits_with(0).stdout;
        assert!(text.contains("fuzz-seed") && text.contains("replay"), "{shell}: {text}");
    }
    // Bash offers flags of the subcommand, and no hidden command.
    let complete = |words: &str, word: &str| {
        let script = "source <(\"$@\"); read -ra COMP_WORDS <<< \"$WORDS\"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); \
                      _forge__harvey forge-harvey \"$WORD\" ''; echo \"${COMPREPLY[@]}\"";
        let running = project.command("completions", "bash").env("WORDS", words).env("WORD", word);
        running.behind(&["bash", "-c", script, "bash"]).run().exits_with(0).stdout
    };
    assert_eq!(complete("forge-harvey test --budg", "--budg"), "--budget\n");
    assert_eq!(complete("forge-harvey pre-commit --bud", "--bud"), "--budget\n");
    let commands = complete("forge-harvey x", "");
    assert!(commands.contains("pre-commit") && !commands.contains("schema"), "{commands}");
    let manual = project.command("man", "").run().exits_with(0).stdout;
    assert!(manual.starts_with(".ie") && manual.contains("fuzz\\-seed"), "{manual}");
}

const CONTRACTS: &str = "
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

type Price is uint64;
interface Token {}
enum Mode { A, B }
struct Settings { uint256 a; string b; }

contract Plain {
    uint256 public total;
    function pay(uint256 amount) external { unchecked { total += amount; } }
    receive() external payable {}
}

contract Elementary {
    constructor(address owner, address payable to, int8, bytes4 id, bytes memory data, string memory name, bool) payable {
        require(owner != address(0) && to != address(0) && id != 0 && data.length == 0 && bytes(name).length > 0);
    }
    function act() external {}
}

contract Special {
    constructor(Token token, Price price, Mode mode, Settings memory settings, uint256[] memory list) {}
    fallback() external payable {}
    function act() external {}
}

abstract contract Abstract {
    function act() external virtual;
}
";

#[test]
fn a_project_gets_a_workflow_a_hook_and_suites_that_compile_and_hold() {
    let project = Project::new(&[
        ("app/foundry.toml", "[profile.default.invariant]\nruns = 5\ndepth = 5"),
        ("app/src/All.sol", CONTRACTS),
        (".git/HEAD", ""),
    ]);
    let first = project.command("init", "Plain --root app").run().exits_with(0).stdout;
    let wrote: Vec<_> = first.lines().filter(|line| line.starts_with("Wrote")).collect();
    let wrote = wrote.join("\n").replace(&project.root().display().to_string(), "[REPOSITORY]");
    assert_snapshot!(wrote, @r"
    Wrote test/PlainInvariants.t.sol
    Wrote [REPOSITORY]/.github/workflows/forge-harvey.yml
    Wrote [REPOSITORY]/.pre-commit-config.yaml
    ");
    for contract in ["Elementary", "src/All.sol:Special"] {
        project.command("init", &format!("{contract} --root app")).run().exits_with(0);
    }
    let run = project.ours("--root app").run().exits_with(0);
    assert_eq!(run.stdout.matches("[SKIP] invariant_writeThisOne()").count(), 3, "{}", run.shown());
    let workflow = project.read(".github/workflows/forge-harvey.yml");
    assert!(workflow.contains("working-directory: app\n") && !workflow.contains("VERSION"), "{workflow}");
    let again = project.command("init", "Plain --root app").run().exits_with(0);
    assert!(again.stdout.contains("Left as it is: test/PlainInvariants.t.sol"), "{}", again.shown());
    let unknown = project.command("init", "Abstract --root app").run().exits_with(1);
    assert_snapshot!(unknown.stderr, @r"
    Error: Abstract is no contract of this project that can be deployed; there are:
      src/All.sol:Elementary
      src/All.sol:Plain
      src/All.sol:Special
    ");
}

/// All files below a directory with what they hold.
fn contents(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(contents(&path)),
            false => drop(files.insert(path.clone(), fs::read(&path).unwrap())),
        }
    }
    files
}

#[test]
fn replaying_a_file_leaves_what_is_kept_alone() {
    let project = searched();
    let kept = |name: &str| contents(&project.root().join("cache").join(name));
    let before = ["harvey", "invariant", "fuzz"].map(kept);
    let assertion = before[0].keys().find(|path| path.to_string_lossy().contains("assertion-pay")).unwrap();
    let line = assertion.display().to_string();
    let run = project.command("replay", &line).run().exits_with(1);
    assert!(run.stdout.contains("[FAIL: panic: assertion failed (0x01)]"), "{}", run.shown());
    assert_eq!(["harvey", "invariant", "fuzz"].map(kept), before);
}

#[test]
fn a_failure_of_a_test_that_is_gone_is_an_error() {
    let project = searched();
    let renamed = project.read("test/Test.t.sol").replace("invariant_poor", "invariant_rich");
    project.write("test/Test.t.sol", &renamed);
    let file = "cache/harvey/failures/test+Test.t.sol/Accounts/invariant_poor.json";
    assert_snapshot!(project.command("replay", file).run().exits_with(1).stderr, @"Error: cache/harvey/failures/test+Test.t.sol/Accounts/invariant_poor.json is a failure of no test that is here: it may have another name now, or be filtered out");
}

#[test]
fn a_commit_may_touch_two_projects() {
    let suite = |bound: u32| {
        format!(
            "contract C {{\n    uint256 n;\n    function go() external {{ n++; }}\n    \
             function targetContracts() external view returns (address[] memory t) {{ t = new address[](1); t[0] = address(this); }}\n    \
             function invariant_few() external view {{ require(n < {bound}, 'many'); }}\n}}\n"
        )
    };
    let config = "[profile.default.invariant]\nruns = 5\ndepth = 9\n";
    let project = Project::new(&[
        ("a/foundry.toml", config),
        ("a/test/A.t.sol", &suite(1000)),
        ("b/foundry.toml", config),
        ("b/test/B.t.sol", &suite(3)),
    ]);
    let line = "--budget 20 a/test/A.t.sol b/test/B.t.sol";
    let run = project.command("pre-commit", line).env("FOUNDRY_OFFLINE", "true").run().exits_with(1);
    assert!(
        run.stdout.contains("[PASS] invariant_few") && run.stdout.contains("[FAIL: many]"),
        "{}",
        run.shown()
    );
    let none = project.command("pre-commit", "--budget 0 a/test/A.t.sol").run().exits_with(2);
    assert!(none.stderr.contains("0 is not in 1.."), "{}", none.shown());
}

#[test]
fn a_run_without_anything_to_do_leaves_its_reports_too() {
    let project = Project::with_tests("", TESTS);
    project.write("README.md", "");
    let line = "--affected-by README.md --report markdown=summary.md --json";
    let run = project.ours(line).run().exits_with(0);
    assert_eq!(run.stdout, "{}\n");
    assert!(project.read("summary.md").contains("## forge-harvey: 0 tests held"));
    let listed =
        |file: &str| project.ours(&format!("--list --affected-by {file}")).run().exits_with(0).stdout;
    assert!(!listed("README.md").contains("Test.t.sol"));
    assert!(listed("test/Test.t.sol").contains("test/Test.t.sol\n"));
    // A name that is misspelt must not look like a change that concerns nothing.
    let missing = project.ours("--affected-by README.md missing.sol").run().exits_with(1);
    assert!(missing.stderr.contains("--affected-by: cannot find missing.sol; "), "{}", missing.shown());
}
