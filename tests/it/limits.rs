//! Limits hold whatever a call does: calls that do not answer, and nodes that answer without end or not at all.

use crate::harness::Project;
use std::{
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// Three times what is asked for: a machine may have other things to do.
const BUDGET: &str = "--budget 2 --fuzz-seed 1";
const MOST: Duration = Duration::from_secs(3 * 7);
const MOST_AFTER_SIGNAL: Duration = Duration::from_secs(3 * 5);

/// Lets a call take so long that only the end of the run ends it.
const PATIENT: [&str; 4] = ["sh", "-c", "FOUNDRY_HARVEY_CALL_TIMEOUT=60 exec \"$@\"", "sh"];

/// The hostile suites, where no gas bounds precompiles.
fn hostile() -> Project {
    let project = Project::copy_of("testdata/hostile");
    let settings = project.read("foundry.toml");
    let profile = "[profile.default]\n";
    let unbounded =
        format!("{profile}gas_limit = \"18446744073709551615\"\nevm_version = \"cancun\"\nffi = true\n");
    project.write("foundry.toml", &settings.replacen(profile, &unbounded, 1));
    project.ours("--list").run().exits_with(0);
    project
}

fn unanswered(project: &Project, file: &str, suite: &str) -> usize {
    let dir = project.root().join(format!("cache/harvey/unanswered/test+{file}.t.sol/{suite}"));
    std::fs::read_dir(dir).map_or(0, Iterator::count)
}

#[test]
fn a_call_that_does_not_answer_ends_the_run_is_named_and_left_out_by_the_next() {
    let project = hostile();
    for (file, suite, named) in [
        ("Deaf", "DeafTargetTest", "Counter.stall()"),
        ("Deaf", "DeafSetUpTest", "setUp()"),
        ("Unit", "DeafUnitTest", "test_deaf()"),
    ] {
        let line = format!("--match-contract ^{suite}$ --unit --threads 2 {BUDGET}");
        let start = Instant::now();
        let run = project.ours(&line).behind(&PATIENT).run().exits_with(1);
        assert!(start.elapsed() < MOST, "{suite}: {:?}", start.elapsed());
        let said = format!("[FAIL: does not answer: it was still running when the run ended] {named}");
        assert!(run.stdout.contains(&said), "{suite}: {}", run.shown());
        assert_eq!(unanswered(&project, file, suite), 1, "{suite}");
        let again = project.ours(&line).run().exits_with(1);
        let said = "[FAIL: left out: in an earlier run it does not answer";
        assert!(again.stdout.contains(said), "{suite}: {}", again.shown());
        // What is found beside it is found all the same.
        let beside = suite == "DeafTargetTest" && !again.stdout.contains("[PASS] invariant_holds()");
        assert!(!beside || again.stdout.contains("[FAIL: counted]"), "{suite}: {}", again.shown());
    }
    let call = project.read("test/Deaf.t.sol").replace("count() < 3", "count() < 4");
    project.write("test/Deaf.t.sol", &call);
    let other = project.ours(&format!("--match-contract ^DeafTargetTest$ {BUDGET}")).run();
    assert!(!other.stdout.contains("left out"), "{}", other.shown());
}

#[test]
fn an_interrupt_ends_calls_that_do_not_answer() {
    let project = hostile();
    for suite in ["DeafTargetTest", "DeafSetUpTest", "EndlessGetterTest", "LongProgramTest"] {
        let started = project.ours(&format!("--match-contract ^{suite}$ --threads 1 --fuzz-seed 1")).start();
        thread::sleep(Duration::from_secs(2));
        let start = Instant::now();
        started.signal("TERM");
        let run = started.finish();
        assert!(start.elapsed() < MOST_AFTER_SIGNAL, "{suite}: {:?}", start.elapsed());
        assert_eq!(run.code, 3, "{suite}: {}", run.shown());
    }
    assert!(!Path::new(&project.root().join("cache/harvey/unanswered")).exists());
}

#[test]
fn a_budget_ends_set_up_getters_and_unit_tests() {
    let project = hostile();
    for suite in [
        "EndlessSetUpTest",
        "EndlessConstructorTest",
        "EndlessGetterTest",
        "EndlessUnitTest",
        "LongProgramTest",
    ] {
        let line = format!("--match-contract ^{suite}$ --unit {BUDGET}");
        let start = Instant::now();
        let run = project.ours(&line).behind(&PATIENT).run();
        // What was not even set up is no success.
        let code = i32::from(run.stdout.contains("Ran 0 test suites"));
        assert_eq!(run.code, code, "{suite}: {}", run.shown());
        assert!(start.elapsed() < MOST, "{suite}: {:?}: {}", start.elapsed(), run.shown());
    }
}

/// What a node does with whoever asks it.
type Behaviour = fn(&mut TcpStream) -> std::io::Result<()>;

/// A node that does what it likes with everybody who asks it.
fn node(behave: Behaviour) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            thread::spawn(move || {
                let mut request = [0; 4096];
                stream.read(&mut request).and_then(|_| behave(&mut stream))
            });
        }
    });
    address
}

fn silent(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.read_to_end(&mut Vec::new()).map(drop)
}

fn endless(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
    )?;
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 1 << 16], b"\r\n"].concat();
    loop {
        stream.write_all(&chunk)?;
    }
}

fn dripping(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n")?;
    loop {
        stream.write_all(b" ")?;
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_node_without_an_end_is_not_waited_for() {
    let test = "interface Forks { function createSelectFork(string calldata url) external; }
contract NodeTest {
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(this);
    }
    function ask() external { Forks(address(vm)).createSelectFork(\"NODE\"); }
    function invariant_holds() external view {}
}";
    let behaviours: [(Behaviour, &str); 3] = [
        (silent, "the run ended before the node answered"),
        (dripping, "the run ended before the node answered"),
        (endless, "the answer is longer than 64 MiB"),
    ];
    for (behave, said) in behaviours {
        let address = node(behave);
        let project = Project::with_tests("", &test.replace("NODE", &address));
        project.ours("--list").run().exits_with(0);
        let start = Instant::now();
        let limits = ["sh", "-c", "ulimit -v 2000000; exec \"$@\"", "sh"];
        let run = project.ours(BUDGET).behind(&limits).run();
        assert!(start.elapsed() < MOST, "{:?}: {}", start.elapsed(), run.shown());
        // A test that cannot reach its node fails.
        assert!(run.code < 2, "{}", run.shown());
        let start = Instant::now();
        let run = project.ours(&format!("--fork-url {address} {BUDGET}")).behind(&limits).run().exits_with(1);
        assert!(
            start.elapsed() < MOST && run.stderr.contains(said),
            "{:?}: {}",
            start.elapsed(),
            run.shown()
        );
    }
}
