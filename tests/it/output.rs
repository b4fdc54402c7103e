//! What a person sees of a run, and its events.

use crate::harness::{Project, REPOSITORY};
use insta::assert_snapshot;
use serde_json::Value;

/// A vault whose handler forgets to approve, and invariants of which one cannot fail.
const VAULT: &str = "
contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed);

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < amount) revert ERC20InsufficientAllowance(msg.sender, allowed, amount);
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

contract Vault {
    Token public token;
    uint256 public total;
    uint256 public fee;

    constructor(Token token_) {
        token = token_;
    }

    function stake(uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        total += amount;
    }

    function setFee(uint256 to) external {
        fee = to;
    }
}

contract Handler {
    Vault vault;
    Token token;

    constructor(Vault vault_, Token token_) {
        vault = vault_;
        token = token_;
    }

    function stake(uint256 amount) external {
        amount = amount % 1e18 + 1;
        token.mint(address(this), amount);
        vault.stake(amount);
    }

    function setFee(uint256 to) external payable {
        vault.setFee(to);
    }
}

contract VaultTest {
    Token token = new Token();
    Vault vault = new Vault(token);
    Handler handler = new Handler(vault, token);

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_feeIsLow() external view {
        require(vault.fee() < 1e24, 'fee');
    }

    function invariant_paid() external view {
        require(address(handler).balance == 0, 'paid');
    }

    function invariant_solvent() external view {
        require(vault.total() <= token.balanceOf(address(vault)), 'insolvent');
    }
}";

#[test]
fn what_a_verdict_hides_comes_first_and_everything_comes_once() {
    let project = Project::with_tests("", VAULT);
    let run = project.ours("--fuzz-seed 1 --threads 1 --runs 32 --depth 64").run().exits_with(1);
    let text = &run.stdout[run.stdout.find("Ran 3 tests").unwrap()..];
    assert_eq!(text.matches("| Handler  | setFee").count(), 1, "{text}");
    assert_eq!(text.matches("[Sequence]").count(), 2, "{text}");
    assert_eq!(text.matches("Note: ").count(), 1, "{text}");
    let lines: Vec<_> = text.lines().skip(1).take(2).collect();
    assert!(lines[0].starts_with("Never succeeded: Handler.stake ("), "{text}");
    assert!(
        lines[0].contains(" ERC20InsufficientAllowance x ") && lines[0].contains("approved too little"),
        "{text}"
    );
    assert_eq!(lines[1], "Never tested, because no call changed what it reads: invariant_solvent()");
}

#[test]
fn events_follow_the_schema_and_end_with_the_run() {
    let project = Project::with_tests("", VAULT);
    let flags = "--fuzz-seed 1 --threads 1 --runs 8 --depth 16";
    let run = project.ours(&format!("{flags} --events -")).run().exits_with(1);
    let schema: Value = serde_json::from_str(include_str!("../../docs/events.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let lines: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &lines {
        let wrong: Vec<_> = validator.iter_errors(line).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{line}: {wrong:?}");
    }
    let names: Vec<_> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(names[..2], ["started", "campaign_started"]);
    assert_eq!(names[names.len() - 2..], ["suite_finished", "finished"]);
    let failure = lines.iter().find(|line| line["event"] == "failure").unwrap();
    assert_eq!(failure["sequence"].as_array().unwrap().len(), 1, "{failure}");
    // Nothing to run is a run, too, and a file that cannot be written is an error before anything else.
    let none = project.ours("--match-test nothing --events -").run().exits_with(0);
    assert_eq!(none.stdout.lines().count(), 2, "{}", none.shown());
    let unwritable = project.ours("--events .").run().exits_with(1);
    assert!(unwritable.stderr.starts_with("Error: --events: cannot write .: "), "{}", unwritable.shown());
}

#[test]
fn a_benchmark_leaves_a_log_and_the_project_as_it_was() {
    let project = Project::with_tests("", VAULT);
    let script = format!(
        "FORGE_HARVEY=\"$1\" exec bash {REPOSITORY}/scripts/benchmark . 2 --log ../b.jsonl -- --offline"
    );
    let run = project.ours("").behind(&["sh", "-c", &script, "sh"]).run().exits_with(1);
    assert!(run.stdout.contains("[FAIL: fee]"), "{}", run.shown());
    let log = project.root().parent().unwrap().join("b.jsonl");
    let lines = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(log).unwrap();
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[1], names[names.len() - 1]), ("benchmark", "started", "finished"));
    assert!(!project.root().join("cache").exists() && !project.root().join("out").exists());
}

#[test]
fn replayed_failures_are_told_in_one_warning() {
    let project = Project::with_tests("", VAULT);
    let line = "--fuzz-seed 1 --threads 1 --runs 8 --depth 16";
    project.ours(line).run().exits_with(1);
    let again = project.ours(line).run().exits_with(1);
    assert_snapshot!(again.warnings(), @"Warning: replayed 2 failures of earlier runs; remove these files to forget them:");
    assert_eq!(again.stderr.matches("invariant_").count(), 4, "{}", again.shown());
}

#[test]
fn what_a_project_without_tests_has_is_offered() {
    let project = Project::new(&[
        ("foundry.toml", ""),
        ("src/Token.sol", "contract Token { uint256 public n; function f(uint256 x) external { n = x; } }"),
        (
            "test/Unit.t.sol",
            "contract UnitTest { function test_a() external {} function test_b() external {} }",
        ),
        (
            "test/Echidna.sol",
            "contract TokenEchidna { uint256 n; function set(uint256 to) external { n = to; }
             function echidna_low() external view returns (bool) { return n < 5; } }",
        ),
        (
            "test/recon/CryticTester.sol",
            "contract CryticTester { uint256 n; function token_set(uint256 to) external { n = to; assert(to != 77); } }",
        ),
    ]);
    let run = project.ours("").run().exits_with(0);
    let (_, said) = run.stdout.split_once("No tests found").unwrap();
    assert_snapshot!(said, @"
     in project! forge-harvey looks for functions that start with `invariant`, and for functions with parameters that start with `test` or `table`
    Found 2 unit tests; `--unit` runs them
    Found a harness for Echidna or Medusa, test/Echidna.sol:TokenEchidna, with 1 property; `--foreign-properties` runs it
    Found a Chimera harness, test/recon/CryticTester.sol:CryticTester; `--foreign-properties` searches it for failed assertions
    Found 1 contract that can be called; `--scan` searches it for failed assertions
    ");
    let echidna = project.ours("--foreign-properties --fuzz-seed 1").run().exits_with(1);
    assert!(
        echidna.stdout.contains("echidna_low()") && echidna.stdout.contains("1 failed"),
        "{}",
        echidna.shown()
    );
    let chimera =
        project.ours("--foreign-properties --match-contract Crytic --fuzz-seed 1").run().exits_with(1);
    assert!(chimera.stdout.contains("CryticTester.token_set(uint256)"), "{}", chimera.shown());
    // A filter that leaves out all tests may have been meant for a harness.
    project.write("test/Any.t.sol", "contract AnyTest { function invariant_any() external {} }");
    for line in ["--match-contract ^TokenEchidna$", "--match-contract ^TokenEchidna$ --list"] {
        let said = project.ours(line).run().exits_with(0).stderr;
        let offer = "It matches a harness for Echidna or Medusa, test/Echidna.sol:TokenEchidna, with 1 property; \
                     `--foreign-properties` runs it\n";
        assert!(said.ends_with(offer) && !said.contains("Chimera"), "{said}");
    }
}

#[test]
fn failures_of_the_baseline_are_marked() {
    let project = Project::with_tests("", VAULT);
    let line =
        "--fuzz-seed 1 --threads 1 --runs 8 --depth 16 --match-test invariant_paid --baseline known.json";
    project.ours(&format!("{line} --update-baseline")).run().exits_with(0);
    let run = project.ours(line).run().exits_with(0);
    assert_eq!(run.stdout.matches(" (in the baseline)\n").count(), 1, "{}", run.shown());
    let new = line.replace("_paid", "");
    let run = project.ours(&new).run().exits_with(1);
    assert_eq!(run.stdout.matches(" (in the baseline)\n").count(), 1, "{}", run.shown());
}
