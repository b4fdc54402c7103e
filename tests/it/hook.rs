//! The hook, under the real pre-commit in a repository of its own.

use crate::harness::{Project, REPOSITORY, tools};
use std::{
    fs,
    os::unix,
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

const BANK: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Bank {
    uint256 public total;

    function pay(uint256 amount) external {
        total += amount % 9;
    }
}
";

const SUITE: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Bank} from "../src/Bank.sol";

contract BankTest {
    Bank bank = new Bank();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(bank);
    }

    function invariant_poor() external view {
        require(bank.total() < 1e9, "rich");
    }
}
"#;

const OTHER: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Other {
    uint256 public count;

    function go() external {
        count++;
    }

    function invariant_broken() external view {
        require(count < 3, "always broken");
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(this);
    }
}
"#;

/// A repository with a project below its root, the hook installed, and everything committed.
struct Repository {
    project: Project,
    home: TempDir,
    /// The repository of the hook.
    _hooks: TempDir,
}

impl Repository {
    fn new(args: &str) -> Self {
        let (home, hooks) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        unix::fs::symlink(&tools().svm, home.path().join(".svm")).unwrap();
        fs::copy(
            Path::new(REPOSITORY).join(".pre-commit-hooks.yaml"),
            hooks.path().join(".pre-commit-hooks.yaml"),
        )
        .unwrap();
        let config =
            "[profile.default]\nsrc = 'src'\n[profile.default.invariant]\nruns = 100000\ndepth = 50\n";
        let project = Project::new(&[
            ("README.md", "A bank."),
            (".gitignore", "out/\ncache/\n"),
            ("contracts/foundry.toml", config),
            ("contracts/src/Bank.sol", BANK),
            ("contracts/test/Bank.t.sol", SUITE),
            ("contracts/test/Other.t.sol", OTHER),
        ]);
        let repository = Self { project, home, _hooks: hooks };
        let hooks = repository._hooks.path();
        repository.run(hooks, &["git", "init", "-q"]);
        repository.run(hooks, &["git", "add", "."]);
        repository.run(hooks, &["git", "commit", "-qm", "hook"]);
        let revision = repository.run(hooks, &["git", "rev-parse", "HEAD"]);
        let revision = String::from_utf8(revision.stdout).unwrap();
        repository.project.write(
            ".pre-commit-config.yaml",
            &format!(
                "repos:\n  - repo: {}\n    rev: {}\n    hooks:\n      - id: forge-harvey-system\n        args: [{args}]\n",
                hooks.display(),
                revision.trim(),
            ),
        );
        let root = repository.project.root();
        for line in [&["git", "init", "-q"][..], &["git", "add", "."], &["git", "commit", "-qm", "first"]] {
            assert!(repository.run(root, line).status.success(), "{line:?}");
        }
        let installed = repository.run(root, &["python3", "-m", "pre_commit", "install"]);
        assert!(installed.status.success(), "`scripts/test` installs pre-commit: {}", text(&installed));
        repository
    }

    fn run(&self, directory: &Path, line: &[&str]) -> Output {
        let path = std::env::var("PATH").unwrap();
        let ours = Path::new(env!("CARGO_BIN_EXE_forge-harvey")).parent().unwrap();
        Command::new(line[0])
            .args(&line[1..])
            .current_dir(directory)
            .env_clear()
            .env("PATH", format!("{}:{path}", ours.display()))
            .env("HOME", self.home.path())
            .env("PYTHONPATH", Path::new(REPOSITORY).join("testdata/cache/python"))
            .env("FOUNDRY_OFFLINE", "true")
            .envs(["AUTHOR", "COMMITTER"].into_iter().flat_map(|role| {
                [(format!("GIT_{role}_NAME"), "A"), (format!("GIT_{role}_EMAIL"), "a@example.org")]
            }))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Commits a change of a file; whether it may pass, and what was said.
    fn commit(&self, path: &str, content: &str) -> (bool, String) {
        self.project.write(path, content);
        let root = self.project.root();
        self.run(root, &["git", "add", "."]);
        let output = self.run(root, &["git", "commit", "-m", "change"]);
        (output.status.success(), text(&output))
    }
}

fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).join("\n")
}

#[test]
fn a_commit_runs_what_it_touches_and_is_stopped_by_what_breaks() {
    let repository = Repository::new("--budget=2");
    // Nothing of the project changes.
    let (passes, said) = repository.commit("README.md", "The bank.");
    assert!(passes && said.contains("(no files to check)Skipped"), "{said}");

    // The clean suite is searched until the time is up; the broken one does not depend on the change.
    let start = Instant::now();
    let (passes, said) = repository.commit("contracts/src/Bank.sol", &BANK.replace("% 9", "% 8"));
    assert!(passes && said.contains("Suite result: ok. 1 passed; 0 failed"), "{said}");
    assert!(start.elapsed() >= Duration::from_secs(2), "{said}");
    assert!(!said.contains("Other"), "{said}");
    // Compiling and starting are not in the budget, but take no minute.
    assert!(start.elapsed().as_secs() < 60, "{said}");

    let broken = BANK.replace("amount % 9", "amount");
    let (passes, said) = repository.commit("contracts/src/Bank.sol", &broken);
    assert!(!passes && said.contains("[FAIL: rich]") && said.contains("calldata=pay(uint256)"), "{said}");

    // What does not compile is no clean commit either.
    let (passes, said) = repository.commit("contracts/src/Bank.sol", "contract Bank {");
    assert!(!passes && said.contains("declaration expected"), "{said}");
}

#[test]
fn settings_touch_every_suite() {
    let repository = Repository::new("--budget=1");
    let config = repository.project.read("contracts/foundry.toml").replace("depth = 50", "depth = 49");
    let (passes, said) = repository.commit("contracts/foundry.toml", &config);
    assert!(!passes && said.contains("[FAIL: always broken]"), "{said}");
}
