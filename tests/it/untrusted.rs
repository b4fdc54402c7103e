//! Projects of strangers: what stands in the directory reaches nothing outside of it, and hides no failure.

use crate::harness::{Project, fixtures};
use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    os::unix,
    process::Command,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const TEST: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract EmptyTest {
    function test_nothing() external {}
}
";

/// Gives every request the same answer, and tells what it was asked.
struct Server {
    address: String,
    requests: mpsc::Receiver<String>,
}

impl Server {
    /// An answer of this status line and these headers, without a body.
    fn start(answer: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (told, requests) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = [0; 4096];
                let length = stream.read(&mut request).unwrap_or(0);
                let _ = told.send(String::from_utf8_lossy(&request[..length]).into_owned());
                let _ = write!(stream, "HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            }
        });
        Self { address, requests }
    }

    /// What tells npm to take it for its registry.
    fn settings(&self) -> String {
        let address = &self.address;
        format!("registry=http://{address}/\n//{address}/:_authToken=${{GITHUB_TOKEN}}\nfetch-retries=0\n")
    }
}

#[test]
fn a_projects_settings_of_npm_are_not_read_and_secrets_are_sent_nowhere() {
    let (own, foreign) = (Server::start("404 Not Found"), Server::start("404 Not Found"));
    let project =
        Project::new(&[("foundry.toml", ""), ("test/Empty.t.sol", TEST), (".npmrc", &foreign.settings())]);
    let home = TempDir::new().unwrap();
    fs::write(home.path().join(".npmrc"), own.settings()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_forge-harvey"));
    command.arg("test").current_dir(project.root()).env_clear().env("HOME", home.path());
    command.envs(std::env::var_os("PATH").map(|path| ("PATH", path))).env("GITHUB_TOKEN", "s3cr3t");
    // No compiler is downloaded, so that npm is asked.
    command.env("FORGE_HARVEY_SOLC_RELEASES", "");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let request = own.requests.recv_timeout(Duration::from_secs(30)).expect("the user's registry is asked");
    assert!(request.starts_with("GET /solc ") && !request.contains("s3cr3t"), "{request}");
    assert!(foreign.requests.try_recv().is_err());
}

fn edit_artifact(project: &Project, from: &str, to: &str) {
    let path = "testdata/out/EnglishAuction.t.sol/EnglishAuctionBugTest.json";
    let text = project.read(path);
    assert!(text.contains(from));
    project.write(path, &text.replacen(from, to, 1));
}

#[test]
fn a_damaged_artifact_is_an_error_that_names_it() {
    const LINE: &str = "--match-contract ^EnglishAuctionBugTest$ --runs 1";
    for (from, to, problem) in [
        ("\"bytecode\":{\"object\":\"0x6", "\"bytecode\":{\"object\":\"0xz", "its code is not hexadecimal"),
        ("\"abi\":", "\"cba\":", "it has code and no `abi`"),
    ] {
        let project = fixtures().copy();
        edit_artifact(&project, from, to);
        let run = project.ours(LINE).run().exits_with(1);
        let error = format!(
            "Error: the artifact [ROOT]/testdata/out/EnglishAuction.t.sol/EnglishAuctionBugTest.json is damaged: {problem}; compile anew with `--force`"
        );
        assert!(run.shown().contains(&error), "{}", run.shown());
    }
}

#[test]
fn a_name_of_a_file_that_would_write_lines_is_an_error() {
    let project = Project::new(&[("foundry.toml", ""), ("test/A\n::error::owned \u{1b}[2J.t.sol", TEST)]);
    let run = project.ours("").run().exits_with(1);
    assert!(run.stdout.is_empty(), "{}", run.shown());
    let error =
        "\"[ROOT]/test/A\\n::error::owned \\u{1b}[2J.t.sol\" has characters that control terminals and logs";
    assert!(run.stderr.lines().count() == 1 && run.shown().contains(error), "{}", run.shown());
}

#[test]
fn a_node_that_asks_to_wait_for_a_day_is_given_up() {
    let Server { address, .. } = Server::start("429 Too Many Requests\r\nretry-after: 100000");
    let test = format!(
        "interface Forks {{ function createSelectFork(string calldata url) external; }}
contract WaitTest {{
    function test_waits() external {{
        Forks(address(vm)).createSelectFork(\"http://{address}\");
    }}
}}"
    );
    let start = Instant::now();
    let run = Project::with_tests("", &test).ours("--unit").run().exits_with(1);
    assert!(run.stdout.contains("[FAIL: ") && run.stdout.contains("429"), "{}", run.shown());
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn no_test_writes_what_git_obeys_or_settings_come_from() {
    let test = "interface Files {
    function writeFile(string calldata path, string calldata data) external;
    function createDir(string calldata path, bool recursive) external;
}
contract WriteTest {
    function test_git() external {
        Files(address(vm)).writeFile(\".git/config\", \"[core] fsmonitor = evil\");
    }
    function test_submodule() external {
        Files(address(vm)).writeFile(\"lib/a/.GIT/hooks/pre-commit\", \"evil\");
    }
    function test_dotenv() external {
        Files(address(vm)).createDir(\".env\", true);
    }
    function test_other() external {
        Files(address(vm)).writeFile(\"out.txt\", \"fine\");
    }
}";
    let project = Project::with_tests("fs_permissions = [{ access = \"read-write\", path = \"./\" }]", test);
    project.write(".git/config", "");
    project.write("lib/a/.GIT/hooks/README", "");
    let run = project.ours("--unit").run().exits_with(1);
    for line in [
        "[FAIL: vm.writeFile: access to `.git` is not allowed] test_git()",
        "[FAIL: vm.writeFile: access to `.git` is not allowed] test_submodule()",
        "[FAIL: vm.createDir: access to `.env` is not allowed] test_dotenv()",
        "[PASS] test_other()",
    ] {
        assert!(run.stdout.contains(line), "{line}: {}", run.shown());
    }
    assert!(project.read(".git/config").is_empty() && !project.root().join(".env").exists());
}

const BROKEN: &str = "contract Counter {
    uint256 public count;
    function inc() external { count++; }
}
contract CounterTest {
    Counter counter = new Counter();
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(counter);
    }
    function invariant_small() external view { require(counter.count() < 2, \"large\"); }
}";

#[test]
fn links_in_the_cache_lead_nowhere() {
    let project = Project::with_tests("", BROKEN);
    let kept = "cache/harvey/failures/test+Test.t.sol/CounterTest";
    for (link, inside) in [
        ("cache/harvey", "failures/test+Test.t.sol/CounterTest"),
        ("cache/harvey/failures", "test+Test.t.sol/CounterTest"),
        (kept, ""),
    ] {
        let outside = TempDir::new().unwrap();
        let theirs = outside.path().join(inside).join("invariant_small.json");
        fs::create_dir_all(theirs.parent().unwrap()).unwrap();
        fs::write(&theirs, "theirs").unwrap();
        let link = project.root().join(link);
        let _ = fs::remove_dir_all(project.root().join("cache/harvey"));
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        unix::fs::symlink(outside.path(), &link).unwrap();
        let run = project.ours("--runs 50").run().exits_with(1);
        assert!(run.stdout.contains("[FAIL: large]"), "{}", run.shown());
        assert!(
            run.stderr.contains(" is a link; remove it, or configure where it leads to"),
            "{}",
            run.shown()
        );
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
        assert_eq!(fs::read_dir(theirs.parent().unwrap()).unwrap().count(), 1, "{}", run.shown());
        fs::remove_file(&link).unwrap();
    }
}

#[test]
fn a_link_that_was_configured_is_followed() {
    let project = Project::with_tests("[profile.default.harvey]\ncorpus = \"../elsewhere\"", BROKEN);
    let outside = TempDir::new().unwrap();
    let link = project.root().with_file_name("elsewhere");
    let _ = fs::remove_file(&link);
    unix::fs::symlink(outside.path(), &link).unwrap();
    let run = project.ours("--runs 50").run().exits_with(1);
    fs::remove_file(&link).unwrap();
    assert!(!run.stderr.contains("is a link"), "{}", run.shown());
    assert!(outside.path().join("failures").is_dir());
}

#[test]
fn what_never_ends_is_not_read() {
    let project = Project::with_tests("", BROKEN);
    unix::fs::symlink("/dev/zero", project.root().join(".env")).unwrap();
    let run = project.ours("--runs 50").run().exits_with(1);
    assert!(
        run.warnings().contains("Ignored the rest of .env: it cannot be read: it is no regular file"),
        "{}",
        run.shown()
    );
    project.write("foundry.toml", "[profile.default]\nextends = \"/dev/zero\"\n");
    let run = project.ours("").run().exits_with(1);
    assert!(run.stderr.contains("cannot read /dev/zero: it is no regular file"), "{}", run.shown());
}

/// With more gas than a machine could burn in its life.
const ENDLESS: &str = "gas_limit = \"18446744073709551615\"
[profile.default.harvey]
call_timeout = 1
[profile.default.invariant]
runs = 20
depth = 10
";

#[test]
fn a_budget_holds_whatever_gas_there_is() {
    let test = "contract Target {
    function hash() external {
        assembly {
            for {} 1 {} { pop(keccak256(0, 0x7000000)) }
        }
    }
    function straight() external {
        assembly {
            mstore(0x7000000, 1)
            pop(keccak256(0, 0x7000000)) pop(keccak256(0, 0x7000000)) pop(keccak256(0, 0x7000000))
            pop(keccak256(0, 0x7000000)) pop(keccak256(0, 0x7000000)) pop(keccak256(0, 0x7000000))
            pop(keccak256(0, 0x7000000)) pop(keccak256(0, 0x7000000)) pop(keccak256(0, 0x7000000))
            pop(keccak256(0, 0x7000000)) pop(keccak256(0, 0x7000000)) pop(keccak256(0, 0x7000000))
        }
    }
    function nested(uint256 depth) external {
        if (depth % 300 > 0) try this.nested(depth % 300 - 1) {} catch {}
        assembly { revert(0, 0x6000000) }
    }
    function grow(uint256 depth) external {
        if (depth % 300 > 0) { (bool done,) = address(this).call(abi.encodeCall(this.grow, depth % 300 - 1)); done; }
        assembly { mstore(0x6000000, 1) }
    }
}
contract BulkTest {
    Target target = new Target();
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(target);
    }
    function invariant_holds() external view {}
}";
    let project = Project::with_tests(ENDLESS, test);
    project.ours("--list").run().exits_with(0);
    let start = Instant::now();
    let limits = "ulimit -v 4000000; exec timeout -k 5 60 \"$@\"";
    let run = project.ours("--budget 5 --threads 2").behind(&["sh", "-c", limits, "sh"]).run().exits_with(0);
    assert!(run.stdout.contains("[PASS] invariant_holds()"), "{}", run.shown());
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}: {}", start.elapsed(), run.shown());
}

#[test]
fn numbers_and_variables_without_a_bound_end_nothing() {
    let doubled: String = (1..60).map(|index| format!("X{index}=${{X{0}}}${{X{0}}}\n", index - 1)).collect();
    let settings = "memory_limit = 18446744073709551615\nthreads = 100000000\n";
    let test = "contract GasTest {
    function testFuzz_gas(address to) external {
        (bool done,) = to.call(\"\");
        done;
    }
}";
    let project = Project::with_tests(&format!("{settings}gas_limit = \"18446744073709551615\"\n"), test);
    project.write(".env", &format!("X0=aaaaaaaaaaaaaaaa\n{doubled}"));
    project.ours("--list").run().exits_with(0);
    let run = project
        .ours("--budget 10")
        .behind(&["sh", "-c", "ulimit -v 4000000; exec \"$@\"", "sh"])
        .run()
        .exits_with(0);
    assert!(run.stdout.contains("[PASS] testFuzz_gas(address)"), "{}", run.shown());
    assert!(run.stderr.contains("has more than 1024 KiB"), "{}", run.shown());
}

#[test]
fn nothing_compiled_is_written_through_a_link() {
    let project = Project::new(&[("foundry.toml", ""), ("test/Empty.t.sol", TEST)]);
    project.ours("--list").run().exits_with(0);
    let outside = TempDir::new().unwrap();
    let file = outside.path().join("file");
    for written in ["out/Empty.t.sol/EmptyTest.json", "cache/solidity-files-cache.json"] {
        let place = project.root().join(written);
        let text = fs::read(&place).unwrap();
        fs::remove_file(&place).unwrap();
        fs::write(&file, "mine").unwrap();
        unix::fs::symlink(&file, &place).unwrap();
        let run = project.ours("--unit --force").run().exits_with(1);
        assert!(run.stderr.contains("is a link"), "{}", run.shown());
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        fs::remove_file(&place).unwrap();
        fs::write(&place, text).unwrap();
    }
}
