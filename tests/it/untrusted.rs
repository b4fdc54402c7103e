//! Projects of strangers: what stands in the directory reaches nothing outside of it, and hides no failure.

use crate::harness::{Project, fixtures};
use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
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

/// A registry that knows no package, and tells what it was asked.
struct Registry {
    address: String,
    requests: mpsc::Receiver<String>,
}

impl Registry {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (told, requests) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = [0; 4096];
                let length = stream.read(&mut request).unwrap_or(0);
                let _ = told.send(String::from_utf8_lossy(&request[..length]).into_owned());
                let _ = stream
                    .write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
            }
        });
        Self { address, requests }
    }

    fn settings(&self) -> String {
        let address = &self.address;
        format!("registry=http://{address}/\n//{address}/:_authToken=${{GITHUB_TOKEN}}\nfetch-retries=0\n")
    }
}

#[test]
fn a_projects_settings_of_npm_are_not_read_and_secrets_are_sent_nowhere() {
    let (own, foreign) = (Registry::start(), Registry::start());
    let project =
        Project::new(&[("foundry.toml", ""), ("test/Empty.t.sol", TEST), (".npmrc", &foreign.settings())]);
    let home = TempDir::new().unwrap();
    fs::write(home.path().join(".npmrc"), own.settings()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_forge-harvey"));
    command.arg("test").current_dir(project.root()).env_clear().env("HOME", home.path());
    command.envs(std::env::var_os("PATH").map(|path| ("PATH", path))).env("GITHUB_TOKEN", "s3cr3t");
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
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(
                b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 100000\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
            );
        }
    });
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
