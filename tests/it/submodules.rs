//! Libraries that are git submodules, as `forge install` makes them, cloned like a user clones.

use crate::harness::{Project, Run, tools};
use forge_harvey::{config, project};
use insta::assert_snapshot;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};
use tempfile::TempDir;

const MATH: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Math {
    function half(uint256 number) internal pure returns (uint256) {
        return number / 2;
    }
}
";

const TOKEN: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Math} from "math/Math.sol";

contract Token {
    uint256 public supply;

    function mint(uint256 amount) external {
        supply += Math.half(amount);
    }
}
"#;

const VAULT: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Token} from "@tokens/Token.sol";

contract Vault {
    Token public immutable shares = new Token();
    uint256 public paid;

    function pay(uint64 amount) external {
        paid += amount;
        shares.mint(amount);
    }
}
"#;

const TESTS: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Test} from "forge-std/Test.sol";
import {Math} from "math/Math.sol";
import {Token} from "tokens/Token.sol";
import {Vault} from "vaults/Vault.sol";

contract VaultTest is Test {
    Vault vault = new Vault();

    function setUp() external {
        targetContract(address(vault));
    }

    function invariant_sharesAreFewer() external view {
        assertLe(vault.shares().supply(), vault.paid());
    }

    function invariant_nothingIsPaid() external view {
        assertTrue(vault.paid() == 0, "paid");
    }

    function testFuzz_halves(uint128 number) external {
        Token token = new Token();
        token.mint(number);
        assertEq(token.supply(), Math.half(number));
    }

    function test_wrong() external pure {
        assertEq(Math.half(4), 3, "not half");
    }
}
"#;

const SETTINGS: &str = "
[profile.default.fuzz]
runs = 20

[profile.default.invariant]
runs = 20
depth = 10
";

/// Home of a user, with bare repositories of an application and of what it uses: `vaults` and `tokens` are
/// submodules of the application, `tokens` is one of `vaults` as well, and `math` is one of `tokens`.
struct Remotes {
    home: TempDir,
}

impl Remotes {
    fn new() -> Self {
        let remotes = Self { home: TempDir::new().unwrap() };
        // Git refuses submodules in the local file system otherwise.
        let config = "[user]\nname = A\nemail = a@example.org\n[protocol \"file\"]\nallow = always\n";
        fs::write(remotes.home.path().join(".gitconfig"), config).unwrap();
        // Also lays out forge-std where it is not a submodule.
        tools();
        remotes.publish("forge-std", &Project::copy_of("testdata/lib/forge-std"), &[]);
        remotes.publish("math", &Project::new(&[("src/Math.sol", MATH)]), &[]);
        let config = "[profile.default]\nsrc = 'contracts'\n";
        let tokens = [("foundry.toml", config), ("contracts/Token.sol", TOKEN)];
        remotes.publish("tokens", &Project::new(&tokens), &["math"]);
        let config = "[profile.default]\nremappings = ['@tokens/=lib/tokens/contracts/']\n";
        let vaults = [("foundry.toml", config), ("src/Vault.sol", VAULT)];
        remotes.publish("vaults", &Project::new(&vaults), &["forge-std", "tokens"]);
        let app = [("foundry.toml", SETTINGS), ("test/Vault.t.sol", TESTS), (".gitignore", "cache/\nout/\n")];
        remotes.publish("app", &Project::new(&app), &["forge-std", "tokens", "vaults"]);
        remotes
    }

    fn publish(&self, name: &str, files: &Project, submodules: &[&str]) {
        let root = files.root();
        // forge-std may be a submodule of ours.
        let _ = fs::remove_file(root.join(".git"));
        self.git(root, "init -q");
        for submodule in submodules {
            self.git(root, &format!("submodule --quiet add {} lib/{submodule}", self.url(submodule)));
        }
        self.git(root, "add --all");
        self.git(root, "commit -qm First");
        self.git(root, &format!("clone -q --bare . {}", self.url(name)));
    }

    fn url(&self, name: &str) -> String {
        self.home.path().join(format!("{name}.git")).display().to_string()
    }

    /// A clone of the application.
    fn cloned(&self, options: &str) -> Project {
        let project = Project::new(&[]);
        self.git(project.root(), &format!("clone -q {options} {} .", self.url("app")));
        project
    }

    fn git(&self, directory: &Path, line: &str) {
        let mut command = Command::new("git");
        command.args(line.split_whitespace()).current_dir(directory).env_clear().stdin(Stdio::null());
        command.env("HOME", self.home.path()).envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {line}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Status and reason of each test.
fn verdicts(run: &Run) -> String {
    let json = run.json();
    let results = json["test/Vault.t.sol:VaultTest"]["test_results"].as_object().unwrap().iter();
    let lines = results.map(|(name, result)| format!("{name} {} {}", result["status"], result["reason"]));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn submodules_at_any_depth_are_remapped_and_tested_as_by_forge() {
    let project = Remotes::new().cloned("--recurse-submodules");
    assert!(project.root().join("lib/vaults/lib/tokens/lib/math/src/Math.sol").is_file());

    let forges = project.forge_remappings().run().exits_with(0);
    assert_snapshot!(forges.stdout, @"
    @tokens/=lib/vaults/lib/tokens/contracts/
    forge-std/=lib/forge-std/src/
    math/=lib/tokens/lib/math/src/
    tokens/=lib/tokens/contracts/
    vaults/=lib/vaults/src/
    ");
    let (overrides, environment) = Default::default();
    let finders = config::Finders { remappings: &project::find_remappings, forge: &|| None };
    let loaded = config::load(project.root(), &overrides, &environment, &finders);
    let ours = loaded.unwrap().config.paths.remappings;
    assert_eq!(ours, Vec::from_iter(forges.stdout.lines().map(str::to_owned)));

    let ours = project.ours("--json --unit --fuzz-seed 1").run().exits_with(1);
    project.forget_failures();
    // The compiler's settings, and with them the remappings, are those of our build.
    let build = project.forge_build().run().exits_with(0);
    assert!(build.stdout.contains("No files changed, compilation skipped"), "{}", build.shown());
    let forges = project.forge("--json --fuzz-seed 1").run().exits_with(1);
    assert_eq!(verdicts(&ours), verdicts(&forges));
    assert_snapshot!(verdicts(&ours), @r#"
    invariant_nothingIsPaid() "Failure" "paid"
    invariant_sharesAreFewer() "Success" null
    testFuzz_halves(uint128) "Success" null
    test_wrong() "Failure" "not half: 2 != 3"
    "#);
}

#[test]
fn a_clone_without_its_submodules_is_told_how_to_fetch_them() {
    let remotes = Remotes::new();
    let project = remotes.cloned("");
    assert_snapshot!(project.ours("").run().exits_with(1).stderr, @r#"
    Error: Compiler run failed:
    Error (6275): Source "forge-std/Test.sol" not found: File not supplied initially.
     --> test/Vault.t.sol:4:1:
      |
    4 | import {Test} from "forge-std/Test.sol";
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    Error (6275): Source "math/Math.sol" not found: File not supplied initially.
     --> test/Vault.t.sol:5:1:
      |
    5 | import {Math} from "math/Math.sol";
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    Error (6275): Source "tokens/Token.sol" not found: File not supplied initially.
     --> test/Vault.t.sol:6:1:
      |
    6 | import {Token} from "tokens/Token.sol";
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    Error (6275): Source "vaults/Vault.sol" not found: File not supplied initially.
     --> test/Vault.t.sol:7:1:
      |
    7 | import {Vault} from "vaults/Vault.sol";
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    lib/forge-std, lib/tokens and lib/vaults are empty git submodules; run `git submodule update --init --recursive`
    "#);
    // Those of the application, and not theirs.
    remotes.git(project.root(), "submodule --quiet update --init");
    assert_snapshot!(project.ours("").run().exits_with(1).stderr, @r#"
    Error: Compiler run failed:
    Error (6275): Source "math/Math.sol" not found: File not supplied initially.
     --> lib/tokens/contracts/Token.sol:4:1:
      |
    4 | import {Math} from "math/Math.sol";
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    Error (6275): Source "lib/vaults/lib/tokens/contracts/Token.sol" not found: File not supplied initially.
     --> lib/vaults/src/Vault.sol:4:1:
      |
    4 | import {Token} from "@tokens/Token.sol";
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    Error (6275): Source "math/Math.sol" not found: File not supplied initially.
     --> test/Vault.t.sol:5:1:
      |
    5 | import {Math} from "math/Math.sol";
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    lib/tokens/lib/math, lib/vaults/lib/forge-std and lib/vaults/lib/tokens are empty git submodules; run `git submodule update --init --recursive`
    "#);
    remotes.git(project.root(), "submodule --quiet update --init --recursive");
    project.ours("--list").run().exits_with(0);
}
