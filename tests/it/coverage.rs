//! What ran of the sources, against what forge says of the same tests, and what campaigns are stuck on.

use crate::harness::Project;
use insta::assert_snapshot;
use std::collections::BTreeMap;

/// A source with all kinds of statements, and unit tests that run some of them.
const STATEMENTS: &str = r#"
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Half {
    function half(uint256 number) internal pure returns (uint256) {
        return number / 2;
    }

    function never(uint256 number) internal pure returns (uint256) {
        return number;
    }
}

contract Statements {
    using Half for uint256;

    uint256 public total;
    address immutable owner = msg.sender;

    error Refused(uint256 number);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function branch(uint256 number) external returns (uint256) {
        if (number > 10) {
            total += number;
        } else if (number == 7) {
            total = 7;
        } else {
            delete total;
        }
        return total > 3
            ? number.half()
            : 0;
    }

    function loop(uint256 times) external {
        for (uint256 i; i < times; i++) {
            if (i == 3) continue;
            total++;
        }
        while (total > 100) {
            total--;
        }
        do {
            total++;
        } while (total < 2);
    }

    function guarded() external onlyOwner {
        total = 1;
    }

    function refuse(uint256 number) external pure {
        if (number > 1) revert Refused(number);
    }

    function attempt(uint256 number) external returns (bool) {
        try this.refuse(number) {
            return true;
        } catch {
            total = 9;
        }
        unchecked {
            total -= 1;
        }
        return false;
    }

    function assembled(uint256 many) external pure returns (uint256 result) {
        assembly {
            switch many
            case 0 {
                result := 1
            }
            default {
                for { let i := 0 } lt(i, many) { i := add(i, 1) } {
                    result := add(result, 2)
                }
            }
            if gt(result, 100) {
                revert(0, 0)
            }
        }
    }

    function unused() external {
        total = 2;
    }
}

contract StatementsTest {
    Statements statements = new Statements();

    function test_branch() external {
        statements.branch(20);
        statements.branch(2);
    }

    function test_loop() external {
        statements.loop(2);
    }

    function test_guarded() external {
        statements.guarded();
    }

    function test_attempt() external {
        statements.attempt(5);
    }

    function test_assembled() external view {
        statements.assembled(4);
    }
}
"#;

/// By line, whether it ran.
fn lines(lcov: &str) -> BTreeMap<usize, bool> {
    let counts = lcov.lines().filter_map(|line| line.strip_prefix("DA:")?.split_once(','));
    counts.map(|(line, count)| (line.parse().unwrap(), count.trim() != "0")).collect()
}

#[test]
fn lines_that_ran_are_those_that_forge_counts() {
    let settings = "solc = \"0.8.30\"\nsrc = \"src\"\ntest = \"src\"\noptimizer = false";
    let foundry_toml = format!("[profile.default]\n{settings}\n");
    let project = Project::new(&[("foundry.toml", &foundry_toml), ("src/Statements.t.sol", STATEMENTS)]);
    project.ours("--unit --report lcov=ours.info").run().exits_with(0);
    project.forge_coverage().args("--report lcov --report-file forge.info").run().exits_with(0);
    let [ours, theirs] = ["ours.info", "forge.info"].map(|file| lines(&project.read(file)));
    let differ: Vec<_> =
        ours.iter().filter(|(line, ran)| theirs.get(line).is_some_and(|theirs| theirs != *ran)).collect();
    assert!(differ.is_empty(), "{differ:?}");
    let only = |these: &BTreeMap<usize, bool>, those: &BTreeMap<usize, bool>| -> String {
        let text = STATEMENTS.lines().collect::<Vec<_>>();
        let lines = these.iter().filter(|(line, _)| !those.contains_key(line));
        lines.map(|(line, ran)| format!("{} {}\n", u8::from(*ran), text[line - 1].trim())).collect()
    };
    assert!(ours.len() > 40, "{}", ours.len());
    assert_snapshot!(only(&ours, &theirs), @r"
    1 delete total;
    1 switch many
    1 function test_branch() external {
    1 statements.branch(20);
    1 statements.branch(2);
    1 function test_loop() external {
    1 statements.loop(2);
    1 function test_guarded() external {
    1 statements.guarded();
    1 function test_attempt() external {
    1 statements.attempt(5);
    1 function test_assembled() external view {
    1 statements.assembled(4);
    ");
    assert_snapshot!(only(&theirs, &ours), @r"
    0 function never(uint256 number) internal pure returns (uint256) {
    0 return number;
    1 } catch {
    1 case 0 {
    1 default {
    ");
}

/// A contract with all kinds of decisions, one of each group on a line, and a unit test that takes some of their ways.
const BRANCHES: &str = r#"
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Branches {
    uint256 public total;
    error E(uint256);
    modifier only(uint256 x) {
        require(x != 5, "five");
        if (x == 6) revert E(x);
        _;
    }
    function bare(uint256 x) external {
        if (x > 3) total = 1;
        if (x > 3) revert E(x);
        if (x == 1) total = 2;
        else total = 3;
    }
    function empty(uint256 x) external {
        if (x > 3) {}
        if (x > 4) {} else { total = 1; }
        if (x > 5) { total = 2; } else {}
    }
    function chain(uint256 x) external {
        if (x > 10) {
            total = 1;
        } else if (x > 5) {
            total = 2;
        } else {
            total = 3;
        }
    }
    function logic(uint256 x, uint256 y) external {
        if (x > 1 && y > 1) total = 1;
        if (x > 1 || y > 1) { total = 2; }
        total = x > 4 ? y : 2;
        require(x < 100 || y < 100);
        bool both = x > 1 && y > 2;
        total = both ? 1 : 0;
    }
    function loops(uint256 n) external {
        for (uint256 i; i < n; i++) total++;
        while (total > 100) total--;
        do total++; while (total < 2);
    }
    function guarded(uint256 x) external only(x) { assert(total != 77); total = x; }
    function plain(uint256 x) external only(x) { total = x; }
    function until(uint256 x) external { do total += x; while (x > 5 || total < 2); }
    function tries(uint256 x) external {
        try this.bare(x) { total = 1; } catch Error(string memory) { total = 5; } catch { total = 2; }
    }
    function asm_(uint256 x) external {
        assembly {
            if gt(x, 3) { sstore(0, 1) }
            switch x case 0 { sstore(0, 2) } default { sstore(0, 3) }
            for { let i := 0 } lt(i, x) { i := add(i, 1) } { sstore(0, i) }
        }
    }
    function early(uint256 x) external returns (uint256) {
        if (x == 0) return 1;
        if (x == 1) { return 2; }
        return 3;
    }
}

contract BranchesTest {
    Branches branches = new Branches();

    function test_ways() external {
        branches.bare(1);
        branches.bare(2);
        try branches.bare(9) {} catch {}
        branches.empty(1);
        branches.empty(10);
        branches.chain(11);
        branches.chain(1);
        branches.logic(2, 2);
        branches.logic(0, 0);
        branches.logic(9, 0);
        branches.loops(2);
        branches.guarded(1);
        branches.until(1);
        try branches.guarded(6) {} catch {}
        branches.tries(1);
        branches.tries(9);
        branches.asm_(5);
        branches.early(1);
        branches.early(3);
    }
}
"#;

/// Ways of the branches on a line, and whether each was taken.
type Ways = BTreeMap<usize, Vec<bool>>;

/// The ways of branches in an lcov file: line, number of the branch, number of the way, and whether it was taken.
fn ways(lcov: &str) -> impl Iterator<Item = (usize, usize, usize, bool)> {
    lcov.lines().filter_map(|line| line.strip_prefix("BRDA:")).map(|way| {
        let cells: Vec<&str> = way.split(',').collect();
        let [line, branch, way] = [0, 1, 2].map(|cell| cells[cell].parse().unwrap());
        (line, branch, way, !matches!(cells[3], "0" | "-"))
    })
}

/// By line, the ways of the branches that Forge counts, and those of the others.
fn branches(lcov: &str) -> [Ways; 2] {
    let mut groups = [Ways::new(), Ways::new()];
    for (line, branch, _, taken) in ways(lcov) {
        groups[usize::from(branch >= 10_000)].entry(line).or_default().push(taken);
    }
    groups
}

/// Runs the unit test with these settings, and returns its branches.
fn own_branches(settings: &str) -> (Project, [Ways; 2]) {
    let settings = format!("solc = \"0.8.30\"\nsrc = \"src\"\ntest = \"src\"\n{settings}");
    let foundry_toml = format!("[profile.default]\n{settings}\n");
    let project = Project::new(&[("foundry.toml", &foundry_toml), ("src/Branches.t.sol", BRANCHES)]);
    let flags = "--unit --match-contract BranchesTest --report lcov=ours.info";
    project.ours(flags).run().exits_with(0);
    let ways = branches(&project.read("ours.info"));
    (project, ways)
}

#[test]
fn branches_that_were_taken_are_those_that_forge_counts_and_more() {
    let (project, [ours, others]) = own_branches("optimizer = false");
    project.forge_coverage().args("--report lcov --report-file forge.info").run().exits_with(0);
    let text = BRANCHES.lines().collect::<Vec<_>>();
    let mut theirs = Ways::new();
    for (line, _, way, taken) in ways(&project.read("forge.info")) {
        let ways = theirs.entry(line).or_default();
        ways.resize(ways.len().max(way + 1), false);
        ways[way] = taken;
    }
    // Forge does not see which way an empty body was taken, and looks at one copy of a modifier alone.
    let is_seen = |line: &str| ["{}", "x != 5", "x == 6"].iter().all(|odd| !line.contains(odd));
    theirs.retain(|line, _| is_seen(text[line - 1]));
    let mut only = Vec::new();
    for (line, ways) in &theirs {
        let Some(own) = ours.get(line) else {
            only.push(text[line - 1].trim());
            continue;
        };
        // The ways of a `require` begin with the one that fails. Of an `if` without `else`, Forge counts one way.
        let own = if text[line - 1].contains("require(") { vec![own[1], own[0]] } else { own.clone() };
        assert_eq!(own[..ways.len()], ways[..], "{}", text[line - 1]);
    }
    assert_eq!(
        only,
        ["try this.bare(x) { total = 1; } catch Error(string memory) { total = 5; } catch { total = 2; }"]
    );
    let shown = |ways: &Ways| -> String {
        let line = |(line, ways): (&usize, &Vec<bool>)| format!("{ways:?} {}\n", text[line - 1].trim());
        ways.iter().map(line).collect()
    };
    let not_theirs = ours.iter().filter(|(line, _)| !theirs.contains_key(line));
    let not_theirs = not_theirs.map(|(line, ways)| (*line, ways.clone())).collect();
    assert_snapshot!(shown(&not_theirs), @r#"
    [true, false] require(x != 5, "five");
    [true, true] if (x == 6) revert E(x);
    [true, true] if (x > 4) {} else { total = 1; }
    [true, true] if (x > 5) { total = 2; } else {}
    "#);
    assert_snapshot!(shown(&others), @"
    [true, true] if (x > 1 && y > 1) total = 1;
    [true, true] if (x > 1 || y > 1) { total = 2; }
    [true, true] total = x > 4 ? y : 2;
    [true, false] require(x < 100 || y < 100);
    [true, true] bool both = x > 1 && y > 2;
    [false, true] total = both ? 1 : 0;
    [true, true] for (uint256 i; i < n; i++) total++;
    [false, true] while (total > 100) total--;
    [false, true] do total++; while (total < 2);
    [true, false] function guarded(uint256 x) external only(x) { assert(total != 77); total = x; }
    [false, true] function until(uint256 x) external { do total += x; while (x > 5 || total < 2); }
    [true, true] for { let i := 0 } lt(i, x) { i := add(i, 1) } { sstore(0, i) }
    ");
}

#[test]
fn the_optimizer_does_not_change_which_branches_were_taken() {
    let (_, plain) = own_branches("optimizer = false");
    let (_, optimized) = own_branches("optimizer = true");
    assert_eq!(plain, optimized);
    let text = BRANCHES.lines().collect::<Vec<_>>();
    let mut missing = String::new();
    for optimizer in [false, true] {
        let (_, groups) = own_branches(&format!("via_ir = true\noptimizer = {optimizer}"));
        missing += &format!("optimizer = {optimizer}\n");
        for (all, of_ir) in plain.iter().zip(&groups) {
            for (line, ways) in all {
                match of_ir.get(line) {
                    Some(known) => assert_eq!(known, ways, "{optimizer}: {}", text[line - 1]),
                    None => missing += &format!("  {}\n", text[line - 1].trim()),
                }
            }
        }
    }
    assert_snapshot!(missing, @r#"
    optimizer = false
      require(x != 5, "five");
      require(x < 100 || y < 100);
      if gt(x, 3) { sstore(0, 1) }
      function guarded(uint256 x) external only(x) { assert(total != 77); total = x; }
      for { let i := 0 } lt(i, x) { i := add(i, 1) } { sstore(0, i) }
    optimizer = true
      require(x != 5, "five");
      require(x < 100 || y < 100);
      if gt(x, 3) { sstore(0, 1) }
      total = x > 4 ? y : 2;
      total = both ? 1 : 0;
      while (total > 100) total--;
      for { let i := 0 } lt(i, x) { i := add(i, 1) } { sstore(0, i) }
    "#);
}

/// Doors that the search cannot open, each with something behind it.
const DOORS: &str = r#"
contract Other {
    function check(uint256 key) external pure returns (bool) {
        require(key == uint256(keccak256("another")), "refused");
        return true;
    }
}

contract Doors {
    Other other = new Other();
    address admin = address(0xad);
    bytes32 constant SECRET = 0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef;
    uint256 public opened;
    uint256 level;

    function role(uint256 step) external {
        require(msg.sender == admin, "not the admin");
        opened += step;
        opened += 1;
        opened += 2;
        opened += 3;
        opened += 4;
    }

    function secret(string calldata word) external {
        if (keccak256(bytes(word)) == SECRET) {
            opened += 1;
            opened += 2;
            opened += 3;
            opened += 4;
        }
    }

    function time() external {
        if (block.timestamp > 4_000_000_000) {
            opened += 1;
            opened += 2;
            opened += 3;
        }
    }

    function state() external {
        if (level < 5) return;
        opened += 1;
        opened += 2;
    }

    function call(uint256 key) external {
        other.check(key % 1000);
        opened += 1;
    }
}

contract DoorsTest {
    Doors doors = new Doors();

    function targetSenders() external pure returns (address[] memory senders) {
        senders = new address[](1);
        senders[0] = address(0xcafe);
    }

    function invariant_holds() external view {}
}
"#;

#[test]
fn what_a_campaign_is_stuck_on_is_told_with_what_would_help() {
    let project = Project::with_tests("solc = \"0.8.30\"\ninvariant = { runs = 20, depth = 50 }", DOORS);
    let run = project.ours("--fuzz-seed 1 --threads 1").run().exits_with(0);
    let (_, stuck) = run.stdout.split_once("\nStuck").unwrap();
    assert_snapshot!(without_tries(&format!("Stuck{stuck}")), @r#"
    Stuck on branches that nothing passed (`--report html` shows 2 more):
    test/Test.t.sol:31:9 require(msg.sender == admin, "not the admin")
      never true in calls of Doors.role
      nearest: msg.sender was 0xcafe, admin was 0xad
      behind it: 5 lines that nothing ran, from test/Test.t.sol:32
      needs: another caller: give the role to a target sender in setUp, or prank in a handler
    test/Test.t.sol:40:9 if (keccak256(bytes(word)) == SECRET)
      never true in calls of Doors.secret
      nearest: keccak256(bytes(word)) was [HASH], SECRET was 0x12345678…89abcdef
      behind it: 4 lines that nothing ran, from test/Test.t.sol:41
      needs: what a hash or a signature is made of: let a handler compute it
    test/Test.t.sol:49:9 if (block.timestamp > 4_000_000_000)
      never true in calls of Doors.time
      nearest: block.timestamp was 1; 4000000000 away
      behind it: 3 lines that nothing ran, from test/Test.t.sol:50
      needs: another time: a larger `max_time_delay` or `max_block_delay`, or vm.warp in a handler
    "#);
    let json = project.ours("--fuzz-seed 1 --threads 1 --json").run().json();
    let harvey = &json["test/Test.t.sol:DoorsTest"]["harvey"];
    let stuck = harvey["stuck"].as_array().unwrap().iter();
    let shown = stuck.map(|stuck| {
        let behind = stuck["behind"].as_array().unwrap().len();
        format!("{} {} {behind} {}", stuck["location"], stuck["needs"], stuck["functions"])
    });
    assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @r#"
    "test/Test.t.sol:31:9" ["role"] 5 ["Doors.role"]
    "test/Test.t.sol:40:9" ["hash"] 4 ["Doors.secret"]
    "test/Test.t.sol:49:9" ["time"] 3 ["Doors.time"]
    "test/Test.t.sol:57:9" ["state"] 2 ["Doors.state"]
    "test/Test.t.sol:18:9" ["value"] 1 ["Doors.call"]
    "#);
    let reasons = |function: &str| harvey["functions"][function]["reasons"][0][0].clone();
    assert_eq!(reasons("test/Test.t.sol:Doors.role"), "not the admin");
    assert_eq!(reasons("test/Test.t.sol:Doors.call"), "refused");
}

/// How often something was tried changes with every change of the search.
fn without_tries(text: &str) -> String {
    let tries = regex::Regex::new(r"; \d+ calls? came no nearer").unwrap();
    let hashes = regex::Regex::new(r"was 0x[0-9a-f]{8}…[0-9a-f]{8}, SECRET").unwrap();
    hashes.replace_all(&tries.replace_all(text, ""), "was [HASH], SECRET").into_owned()
}

/// What `setUp` ran is not locked, a property of one's own locks nothing, and what one line holds is told apart.
const ODD: &str = r#"
contract Odd {
    bool initialized;
    uint256 total;
    mapping(address => uint256) balances;

    function initialize() external {
        require(!initialized, "again");
        initialized = true;
        total = 1;
    }

    function take(uint256 amount) external {
        require(balances[msg.sender] >= amount + 1, "msg.sender has no balance");
        total = 2;
    }

    function oneLine() external { require(msg.sender == address(1)); total = 3; total = 4; }

    function sum(uint256 x) external { total += x % 100; }
}

contract OddTest {
    Odd odd = new Odd();

    function setUp() external {
        odd.initialize();
    }

    function targetSenders() external pure returns (address[] memory senders) {
        senders = new address[](1);
        senders[0] = address(0xcafe);
    }

    function invariant_holds() external view {
        if (address(odd).balance == 123456789) {
            require(address(odd).balance > 5 /* \u{7} */);
            revert("rich");
        }
    }
}
"#;

#[test]
fn what_is_behind_a_branch_is_what_neither_set_up_nor_campaigns_ran() {
    let project = Project::with_tests("solc = \"0.8.30\"\ninvariant = { runs = 20, depth = 20 }", ODD);
    let run = project.ours("--fuzz-seed 1 --threads 1").run().exits_with(0);
    let (_, stuck) = run.stdout.split_once("\nStuck").unwrap();
    assert_snapshot!(without_tries(&format!("Stuck{stuck}")), @r#"
    Stuck on branches that nothing passed:
    test/Test.t.sol:32:35 require(msg.sender == address(1))
      never true in calls of Odd.oneLine
      nearest: msg.sender was 0xcafe, address(1) was 0x1
      behind it: 1 line that nothing ran, from test/Test.t.sol:32
      needs: another caller: give the role to a target sender in setUp, or prank in a handler
    test/Test.t.sol:28:9 require(balances[msg.sender] >= amount + 1, "msg.sender has no balance")
      never true in calls of Odd.take
      nearest: balances[msg.sender] was 0, amount + 1 was 1; 1 away
      behind it: 1 line that nothing ran, from test/Test.t.sol:29
      needs: another argument: a `fixture` function for the parameter, or a handler that bounds it; or another state, and no call that succeeded changed what is compared: change it in a handler or in setUp
    "#);
}

#[test]
fn what_was_not_looked_at_is_not_told() {
    let tests = "contract Slow {
    uint256 public sum;
    function work(uint256 rounds) external { for (uint256 i; i < rounds % 50; i++) sum += i; }
}
contract SlowTest { Slow slow = new Slow(); function invariant_holds() external view {} }";
    let project = Project::with_tests("solc = \"0.8.30\"\ninvariant = { runs = 1000000, depth = 50 }", tests);
    project.ours("--list").run().exits_with(0);
    let mut running = project.ours("--report html=page.html --report lcov=lines.info").start();
    running.wait_for("No files changed");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    running.signal("INT");
    let run = running.finish();
    assert!(!run.stdout.contains("Stuck on"), "{}", run.stdout);
    let page = project.read("page.html");
    assert!(page.contains("Not everything was looked at"), "{}", run.shown());
    assert!(!page.contains("was passed"));
}

#[test]
fn quiet_runs_and_what_was_passed_elsewhere_tell_of_nothing() {
    let tests = "contract Door {
    uint256 public opened;
    address admin = msg.sender;
    function open() external {
        require(msg.sender == admin);
        opened = 1;
    }
}
contract Outside {
    Door door = new Door();
    function targetSenders() external pure returns (address[] memory senders) {
        senders = new address[](1);
        senders[0] = address(0xcafe);
    }
    function invariant_holds() external view {}
}
contract Inside {
    Door door = new Door();
    function open() external { door.open(); }
    function targetContracts() external view returns (address[] memory own) {
        own = new address[](1);
        own[0] = address(this);
    }
    function invariant_holds() external view {}
}";
    let project = Project::with_tests("solc = \"0.8.30\"\ninvariant = { runs = 5, depth = 10 }", tests);
    let alone = project.ours("--match-contract Outside").run().exits_with(0);
    assert!(alone.stdout.contains("Stuck on branches"), "{}", alone.stdout);
    let both = project.ours("").run().exits_with(0);
    assert!(!both.stdout.contains("Stuck on"), "{}", both.stdout);
    let quiet = project.ours("--match-contract Outside -q").run().exits_with(0);
    assert_eq!(quiet.stdout, "");
}
