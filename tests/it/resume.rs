//! What a campaign leaves when it is killed, and what the next one makes of it.

use crate::harness::{Project, Run, fixtures};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// Suites with bugs of all depths, searched for hours.
const SUITES: &str =
    "--match-contract ^(VestingBugTest|CouncilBugTest|MultisigWalletBugTest|EscrowBugTest)$ --depth 50";

/// How often a campaign is killed; `KILLS` says another number.
fn kills() -> u64 {
    std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6)
}

/// Moments that are spread over the first seconds of a run, the same ones in each run of this test.
fn moments() -> impl Iterator<Item = Duration> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        Duration::from_millis(100 + (state >> 33) % 6000)
    })
}

/// Test contract and function of each failure that was printed.
fn printed(run: &Run) -> BTreeSet<(String, String)> {
    let events = run.stderr.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let text = |event: &Value, name: &str| event[name].as_str().unwrap_or_default().to_owned();
    let failures = events.filter(|event| event["event"] == "failure");
    failures.map(|event| (text(&event, "target"), text(&event, "invariant"))).collect()
}

/// Test contract and function of each failure that a report has.
fn reported(run: &Run) -> BTreeSet<(String, String)> {
    let report = run.json();
    let suites = report.as_object().unwrap().iter();
    suites
        .flat_map(|(suite, report)| {
            let tests = report["test_results"].as_object().unwrap().iter();
            let failed = tests.filter(|(_, test)| test["status"] == "Failure").map(|(name, _)| name.as_str());
            let findings = report["harvey"]["findings"].as_array().unwrap().iter();
            let found = findings.map(|finding| finding["function"].as_str().unwrap());
            let names: Vec<_> = failed.chain(found).map(str::to_owned).collect();
            names.into_iter().map(|name| (suite.clone(), name))
        })
        .collect()
}

/// Branches that were covered when the newest inputs of each suite were written.
fn written(project: &Project) -> BTreeMap<String, u64> {
    let shown = project.command("corpus", "show --json").run().exits_with(0);
    assert!(shown.stderr.is_empty(), "a file cannot be read: {}", shown.shown());
    let suites = shown.json();
    let branches = |suite: &Value| suite["branches"].as_u64().unwrap();
    suites.as_object().unwrap().iter().map(|(suite, value)| (suite.clone(), branches(value))).collect()
}

#[test]
fn a_campaign_that_is_killed_loses_nothing_that_it_printed_or_kept() {
    let project = fixtures().copy();
    let mut all = BTreeSet::new();
    let mut compared = 0;
    for (number, moment) in (1..=kills()).zip(moments()) {
        let line = format!("{SUITES} --runs 1000000 --threads 2 --fuzz-seed {number}");
        let running = project.ours(&line).start();
        std::thread::sleep(moment);
        running.signal("KILL");
        let run = running.finish().exits_with(128 + 9);
        all.append(&mut printed(&run));
        let before = written(&project);
        // So few runs cover little by themselves.
        let line = format!("{SUITES} --runs 1 --threads 2 --fuzz-seed {number} --json");
        let resumed = project.ours(&line).run().exits_with(i32::from(!all.is_empty()));
        for (suite, branches) in before {
            let tests = resumed.json()[&suite]["test_results"].clone();
            if tests.as_object().unwrap().values().any(|test| test["status"] == "Failure") {
                // An invariant that is known to be broken is not evaluated again, so that its own branches are missing.
                continue;
            }
            compared += 1;
            let resumed = resumed.json()[&suite]["harvey"]["stats"]["branches"].as_u64().unwrap();
            assert!(resumed >= branches, "{suite} after {moment:?}: {resumed} of {branches} branches");
        }
        let reported: BTreeSet<_> =
            reported(&resumed).into_iter().map(|(suite, name)| (suite, bare(&name))).collect();
        all = all.into_iter().map(|(suite, name)| (suite, bare(&name))).collect();
        assert!(reported.is_superset(&all), "after {moment:?}: {all:?} of which {reported:?} is left");
    }
    assert!(!all.is_empty() && compared > 0, "nothing was found or kept in {} runs", kills());
}

fn bare(name: &str) -> String {
    name.split('(').next().unwrap_or_default().to_owned()
}

#[test]
fn processes_that_share_a_corpus_keep_what_each_of_them_reached() {
    let project = fixtures().copy();
    let line = |seed| format!("{SUITES} --runs 200 --threads 1 --fuzz-seed {seed}");
    let running = [1, 2, 3].map(|seed| project.ours(&line(seed)).start());
    let runs = running.map(|running| running.finish().exits_with(1));
    for run in &runs {
        assert!(!run.stderr.contains("corpus file"), "{}", run.shown());
    }
    written(&project);
    let alone = fixtures().copy();
    alone.ours(&line(1)).run().exits_with(1);
    let inputs = |project: &Project| {
        let shown = project.command("corpus", "show --json").run().json();
        let suites = shown.as_object().unwrap().values().map(|suite| suite["inputs"].as_u64().unwrap());
        suites.sum::<u64>()
    };
    assert!(inputs(&project) > inputs(&alone), "{} and {}", inputs(&project), inputs(&alone));
}

#[test]
fn what_was_reached_is_reached_again_at_once_and_a_seed_repeats_from_the_same_corpus() {
    let line = "--match-contract ^CouncilTest$ --runs 400 --depth 50 --fuzz-seed 1 --json --threads 1";
    let project = fixtures().copy();
    let branches = |run: &Run| {
        let report = run.json();
        let suite = report.as_object().unwrap().values().next().unwrap();
        suite["harvey"]["stats"]["branches"].as_u64().unwrap()
    };
    let first = branches(&project.ours(line).run());
    let copy = project.copy();
    let few = "--match-contract ^CouncilTest$ --runs 1 --depth 50 --fuzz-seed 2 --json --threads 1";
    let runs = [&project, &copy].map(|project| project.ours(few).run());
    assert!(branches(&runs[0]) >= first, "{} of {first}", branches(&runs[0]));
    let figures = |run: &Run| {
        let mut report = run.json();
        let suite = report.as_object_mut().unwrap().values_mut().next().unwrap();
        let stats = &suite["harvey"]["stats"];
        [&stats["executions"], &stats["paths"], &stats["branches"]].map(Value::to_string)
    };
    assert_eq!(figures(&runs[0]), figures(&runs[1]));
    let nothing = fixtures().copy();
    let fresh = branches(&nothing.ours(&format!("{few} --no-corpus")).run());
    assert!(fresh < first, "{fresh} without a corpus, {first} with one");
    assert!(!nothing.root().join("testdata/cache/harvey/inputs").exists());
}

const LOCK: &str = "
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
    PADDING
    Lock lock = new Lock();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(lock);
    }

    function invariant_closed() external view {
        require(!lock.bad(), 'open');
    }
}";

#[test]
fn inputs_survive_an_edit_that_moves_their_contract() {
    let project = Project::with_tests("", &LOCK.replace("PADDING", ""));
    project.ours("--fuzz-seed 1").run().exits_with(1);
    // Another contract is created first, so that the lock stands at another address; the failure itself is forgotten.
    let moved = LOCK.replace("PADDING", "Lock decoy = new Lock();");
    project.write("test/Test.t.sol", &format!("{}{moved}", crate::harness::VM));
    std::fs::remove_dir_all(project.root().join("cache/harvey/failures")).unwrap();
    let _ = std::fs::remove_dir_all(project.root().join("cache/invariant"));
    let again = project.ours("--fuzz-seed 2 --runs 1 --depth 5").run().exits_with(1);
    assert!(again.stdout.contains("(runs: 0, calls: 0, reverts: 0)"), "{}", again.shown());
}
