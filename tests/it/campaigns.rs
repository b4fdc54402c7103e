//! Campaigns beyond one run: partitions, baselines, watching, and what is done to corpora.

use crate::harness::{Project, REPOSITORY, VM, fixtures};
use insta::assert_snapshot;
use serde_json::Value;
use std::{collections::BTreeMap, fs, time::Duration};

/// Two suites of one invariant each, and three tests.
pub(crate) const SUITES: &str = "
contract Counter {
    uint256 public number;

    function count() external {
        number++;
    }
}

contract First {
    Counter counter = new Counter();

    function invariant_low() external view {
        require(counter.number() < 3, 'three');
    }

    function testFuzz_one(uint256 x) external pure {
        require(x != 0x1234567890, 'one');
    }

    function testFuzz_two(uint256 x) external pure {}
}

contract Second {
    Counter counter = new Counter();

    function invariant_holds() external view {}

    function test_unit() external {}
}";

/// Names of the tests that a run reports, with their calls or runs.
fn ran(project: &Project, line: &str) -> BTreeMap<String, u64> {
    let run =
        project.ours(&format!("{line} --json --no-corpus --unit --fuzz-seed 1 --runs 64 --depth 10")).run();
    let report = run.json();
    let suites = report.as_object().unwrap().iter();
    let tests = suites.flat_map(|(suite, report)| {
        let tests = report["test_results"].as_object().unwrap().iter();
        tests.map(move |(name, test)| {
            let kind = test["kind"].as_object().unwrap().values().next().unwrap();
            let figure = kind.get("calls").or(kind.get("runs")).and_then(Value::as_u64).unwrap_or(1);
            (format!("{suite}.{name}"), figure)
        })
    });
    tests.collect()
}

#[test]
fn partitions_together_run_everything_once() {
    let project = Project::with_tests("", SUITES);
    let all = ran(&project, "");
    assert_eq!(all.len(), 5);
    let _ = fs::remove_dir_all(project.root().join("cache/harvey"));
    let parts: Vec<_> = (1..=2).map(|part| ran(&project, &format!("--partition {part}/2"))).collect();
    let mut names: Vec<_> = parts.iter().flat_map(|part| part.keys().cloned()).collect();
    names.sort();
    assert_eq!(names, all.keys().cloned().collect::<Vec<_>>());
    assert!(parts.iter().all(|part| part.keys().any(|name| name.contains("invariant"))), "{parts:?}");
}

#[test]
fn partitions_that_share_a_campaign_share_its_budget_and_search_by_seeds_of_their_own() {
    let project = Project::with_tests("", SUITES);
    let name = "test/Test.t.sol:Second.invariant_holds()";
    let whole = ran(&project, "--match-test invariant_holds")[name];
    let figures = |part| {
        let line =
            format!("--match-test invariant_holds --partition {part}/3 --json --fuzz-seed 1 --no-corpus");
        let run = project.ours(&format!("{line} --runs 66 --depth 10")).run().exits_with(0);
        let suite = run.json()["test/Test.t.sol:Second"].clone();
        let invariant = &suite["test_results"]["invariant_holds()"]["kind"]["Invariant"];
        (invariant["calls"].as_u64().unwrap(), suite["harvey"]["stats"]["executions"].as_u64().unwrap())
    };
    let parts = [1, 2, 3].map(figures);
    assert!(parts.iter().all(|(calls, _)| (200..300).contains(calls)) && whole > 600, "{whole}, {parts:?}");
    assert!(parts[0] != parts[1] && parts[1] != parts[2], "{parts:?}");
    assert_eq!(figures(2), parts[1]);
}

#[test]
fn a_part_without_work_says_so() {
    let project = Project::with_tests("", SUITES);
    // Unit tests are the same with any seed, so that one part runs them.
    let run = project.ours("--unit --match-test test_unit --partition 2/2").run().exits_with(0);
    assert_snapshot!(run.stdout.lines().last().unwrap(), @"This part of the campaigns is empty");
}

#[test]
fn only_what_is_not_in_the_baseline_fails() {
    let project = Project::with_tests("", SUITES);
    let line = |more: &str| format!("--match-test invariant --fuzz-seed 1 --baseline known.json {more}");
    let missing = project.ours(&line("")).run().exits_with(1);
    assert!(
        missing.stderr.contains("known.json is not there; `--update-baseline` writes it"),
        "{}",
        missing.shown()
    );
    let updated = project.ours(&line("--update-baseline")).run().exits_with(0);
    assert!(updated.stdout.ends_with("Added 1 failure to known.json\n"), "{}", updated.shown());
    assert_snapshot!(project.read("known.json"), @r#"
    {
      "version": 1,
      "findings": {
        "test/Test.t.sol:First.invariant_low()": "invariant_low() of test/Test.t.sol:First"
      }
    }
    "#);
    let known = project.ours(&line("")).run().exits_with(0);
    assert!(known.stdout.ends_with("Of 1 failure, 1 known and 0 new\n"), "{}", known.shown());
    let broken = SUITES.replace(
        "function invariant_holds() external view {}",
        "function invariant_holds() external view { require(counter.number() < 2, 'two'); }",
    );
    project.write("test/Test.t.sol", &format!("{VM}{broken}"));
    let new = project.ours(&line("--report sarif=out.sarif")).run().exits_with(1);
    assert!(
        new.stdout
            .contains("Of 2 failures, 1 known and 1 new\n  new: invariant_holds() of test/Test.t.sol:Second"),
        "{}",
        new.shown()
    );
    let sarif: Value = serde_json::from_str(&project.read("out.sarif")).unwrap();
    let states: Vec<_> = sarif["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["baselineState"].clone())
        .collect();
    assert_eq!(states, ["unchanged".into(), Value::Null]);
    project.write("known.json", "{}");
    let wrong = project.ours(&line("")).run().exits_with(1);
    assert!(wrong.stderr.contains("known.json is no baseline"), "{}", wrong.shown());
}

const BANK: &str = "
contract Bank {
    uint256 total;

    function pay(uint256 amount) external {
        assert(amount != 7);
        total += amount % 9;
    }
}

contract BankTest {
    Bank bank = new Bank();

    function invariant_holds() external view {}
}";

#[test]
fn a_finding_keeps_its_id_when_its_code_moves_and_gets_another_one_when_its_line_changes() {
    let id = |source: &str| {
        let project = Project::with_tests("", source);
        let report = project.ours("--fuzz-seed 1 --json").run().exits_with(1).json();
        report["test/Test.t.sol:BankTest"]["harvey"]["findings"][0]["id"].as_str().unwrap().to_owned()
    };
    let first = id(BANK);
    let moved =
        BANK.replace("uint256 total;", "// A line more.\n    uint256 other = 5;\n    uint256 total;\n");
    assert_eq!(id(&moved), first);
    assert_ne!(id(&BANK.replace("amount != 7", "amount != 8")), first);
}

#[test]
fn a_change_is_searched_from_the_corpus_while_watching() {
    let project = Project::with_tests("", SUITES);
    project.write(
        "test/Other.t.sol",
        &format!("{VM}contract Other {{ function testFuzz_other(uint256 x) external {{}} }}"),
    );
    let mut running = project.ours("--watch --fuzz-seed 1 --match-test invariant|other").start();
    running.wait_for("Watching for changes");
    let broken = SUITES.replace(
        "function invariant_holds() external view {}",
        "function invariant_holds() external view { require(counter.number() < 2, 'two'); }",
    );
    project.write("test/Test.t.sol", &format!("{VM}{broken}"));
    running.wait_for("[FAIL: two]");
    project.write("test/Test.t.sol", "no Solidity");
    running.wait_for("Error");
    project.write("test/Test.t.sol", &format!("{VM}{SUITES}"));
    std::thread::sleep(Duration::from_millis(1500));
    running.signal("INT");
    let run = running.finish();
    assert_eq!(run.stdout.matches("Ran 1 test for test/Other.t.sol:Other").count(), 1, "{}", run.shown());
    assert!(run.stdout.matches("Watching for changes").count() >= 3, "{}", run.shown());
    assert!(!run.stderr.contains("panicked"), "{}", run.shown());
}

#[test]
fn corpora_are_shown_minimised_merged_and_exported_for_forge() {
    let suite = "testdata/suites/council/Council.t.sol:CouncilTest";
    let line =
        |seed| format!("--match-contract ^CouncilTest$ --runs 300 --depth 50 --threads 1 --fuzz-seed {seed}");
    let [one, two] = [1, 2].map(|seed| {
        let project = fixtures().copy();
        project.ours(&line(seed)).run().exits_with(0);
        project
    });
    let shown = |project: &Project| {
        project.command("corpus", "show --json").run().exits_with(0).json()[suite].clone()
    };
    let inputs = |project: &Project| shown(project)["inputs"].as_u64().unwrap();
    let (before, other) = (inputs(&one), inputs(&two));
    let from = two.root().join("testdata/cache").display().to_string();
    let merged = one.command("corpus", &format!("merge {from}")).run().exits_with(0);
    assert!(merged.stdout.starts_with("Added "), "{}", merged.shown());
    let all = inputs(&one);
    assert!(all > before && all > other && all <= before + other, "{before} and {other} are {all}");
    let again = one.command("corpus", &format!("merge {from}")).run().exits_with(0);
    assert!(
        again.stdout.starts_with(&format!("Added 0 of {other} inputs of 1 suite, and 0 of ")),
        "{}",
        again.shown()
    );
    let minimised = one.command("corpus", "minimise --match-contract ^CouncilTest$").run().exits_with(0);
    let left = inputs(&one);
    assert!(
        minimised.stdout.ends_with(&format!("{suite}: {left} of {all} inputs kept\n")),
        "{}",
        minimised.shown()
    );
    assert!(left < all, "{left} of {all}");
    // What is left covers what all did.
    let branches = |project: &Project| {
        let line = "--match-contract ^CouncilTest$ --runs 1 --depth 50 --threads 1 --fuzz-seed 3 --json";
        project.ours(line).run().json()[suite]["harvey"]["stats"]["branches"].as_u64().unwrap()
    };
    let covered = shown(&one)["branches"].as_u64().unwrap();
    assert!(branches(&one) >= covered, "{} of {covered}", branches(&one));
    one.command("corpus", "export exported --match-contract ^CouncilTest$").run().exits_with(0);
    let imported = fixtures().copy();
    let from = one.root().join("exported").display().to_string();
    let line = format!("import {from} --match-contract ^CouncilTest$");
    let run = imported.command("corpus", &line).run().exits_with(0);
    assert!(run.stdout.contains(" inputs imported"), "{}", run.shown());
    assert!(branches(&imported) > branches(&fixtures().copy()));
}

#[test]
fn forge_finds_what_the_exported_inputs_show() {
    let lock = "
contract Lock {
    bool public bad;
    bool private set;

    function put(uint256 x) external {
        if (x ^ 0x5555555555555555 == 0x1234567890abcdef) set = true;
    }

    function open(uint8 y) external {
        if (set && y == 7) bad = true;
    }
}

contract LockTest {
    Lock lock = new Lock();

    function invariant_closed() external view {
        require(!lock.bad(), 'open');
    }
}";
    let project = Project::with_tests("", lock);
    project.ours("--fuzz-seed 1").run().exits_with(1);
    project.command("corpus", "export exported").run().exits_with(0);
    project.forget_failures();
    let search = || {
        let running = project.forge("--fuzz-seed 1").env("FOUNDRY_INVARIANT_RUNS", "300");
        running.env("FOUNDRY_INVARIANT_CORPUS_DIR", "exported").run()
    };
    let run = search();
    assert!(run.stdout.contains("[FAIL: open]"), "{}", run.shown());
}

#[test]
fn what_echidna_and_medusa_kept_is_imported() {
    let source = "
contract Magic {
    bool public bad;

    function magic(uint256 a, uint256 b) external payable {
        if (a * 7919 + b == 42 * 7919 + 129) bad = true;
    }
}

contract MagicTest {
    Magic magic = new Magic();

    function invariant_good() external view {
        require(!magic.bad(), 'bad');
    }
}";
    for sample in ["echidna", "medusa"] {
        let project = Project::with_tests("", source);
        let run = project
            .command("corpus", &format!("import {REPOSITORY}/testdata/foreign/{sample}"))
            .run()
            .exits_with(0);
        assert!(run.stdout.contains("test/Test.t.sol:MagicTest: 1 of "), "{}", run.shown());
        let found =
            project.ours("--fuzz-seed 1 --runs 1 --depth 10 --without prediction").run().exits_with(1);
        assert!(found.stdout.contains("(runs: 0, calls: 0, reverts: 0)"), "{}", found.shown());
    }
    let project = Project::with_tests("", SUITES);
    let run = project.command("corpus", &format!("import {REPOSITORY}/testdata/foreign")).run().exits_with(1);
    assert_snapshot!(run.stderr, @"Error: no test contract here has a function that these sequences call");
    let run = project.command("corpus", "import foundry.toml").run().exits_with(1);
    assert_snapshot!(run.stderr, @"
    Warning: ignored foundry.toml: expected value at line 1 column 2
    Error: no sequence of Echidna, Medusa or Forge is there
    ");
}

#[test]
fn minimising_removes_nothing_that_it_cannot_judge() {
    let deep = "
contract Deep {
    uint256 public step;

    function go(uint256 x) external {
        if (x % 5 == step % 5) step++;
    }
}

contract DeepTest {
    Deep deep = new Deep();

    function invariant_early() external view { require(deep.step() < 2, 'early'); }

    function invariant_holds() external view {}
}";
    let project = Project::with_tests("", deep);
    let inputs = || {
        project.command("corpus", "show --json").run().json()["test/Test.t.sol:DeepTest"]["inputs"].as_u64()
    };
    let branches = || {
        let run = project.ours("--runs 1 --json --threads 1 --fuzz-seed 5").run();
        run.json()["test/Test.t.sol:DeepTest"]["harvey"]["stats"]["branches"].as_u64()
    };
    // What two campaigns reached that did not know of each other.
    let other = project.copy();
    for (project, seed) in [(&project, 1), (&other, 2)] {
        let line = format!("--fuzz-seed {seed} --runs 64 --depth 40 --threads 1");
        project.ours(&line).run().exits_with(1);
    }
    let from = other.root().join("cache").display().to_string();
    project.command("corpus", &format!("merge {from}")).run().exits_with(0);
    // The run that counts them may keep something, too.
    let covered = branches();
    let before = inputs().unwrap();
    assert!(before > 2);
    // A suite that has no time, and one that is broken.
    let settings = project.read("foundry.toml");
    project.write("foundry.toml", &format!("{settings}\n[invariant]\ntimeout = 1\n"));
    let source = project.read("test/Test.t.sol");
    let odd = source.replace(
        "function invariant_holds",
        "/// forge-config: nowhere.invariant.runs = 1\n    function invariant_holds",
    );
    project.write("test/Test.t.sol", &odd);
    project.command("corpus", "minimise").run();
    assert_eq!(inputs(), Some(before));
    project.write(
        "test/Test.t.sol",
        &source.replace(
            "Deep deep = new Deep();",
            "Deep deep = new Deep(); function setUp() external { revert('no'); }",
        ),
    );
    let refused = project.command("corpus", "minimise").run().exits_with(0);
    assert!(refused.stderr.contains("so nothing was done"), "{}", refused.shown());
    assert_eq!(inputs(), Some(before));
    // What lies behind the broken invariant is kept.
    project.write("test/Test.t.sol", &source);
    project.command("corpus", "minimise").run().exits_with(0);
    assert!(inputs().unwrap() > 1 && inputs() < Some(before), "{:?} of {before}", inputs());
    // The run itself may reach something more.
    assert!(covered.is_some() && branches() >= covered, "{covered:?}");
}
