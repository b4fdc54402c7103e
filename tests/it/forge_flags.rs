//! Flags of `forge test`: none is unknown, and each does what it does there, or says that only Forge does it.

use crate::harness::{Project, Run, VM};
use regex::Regex;
use std::{collections::BTreeSet, fs, sync::OnceLock};

const SETTINGS: &str = "
[profile.default.invariant]
runs = 4
depth = 5

[profile.deep.invariant]
runs = 7";

const TESTS: &str = r#"
contract Counter {
    uint256 public number;

    function set(uint256 value) external returns (uint256) {
        number = value;
        return number;
    }
}

contract Nested {
    function set(Counter counter) external returns (uint256) {
        return counter.set(3);
    }
}

contract FirstTest {
    Counter counter = new Counter();
    Nested nested = new Nested();

    function test_nested() external {
        nested.set(counter);
        counter.set(4);
    }

    function test_fuzz(uint8 value) external {
        require(counter.set(value) != 200, "two hundred");
    }
}

contract SecondTest {
    Counter counter = new Counter();

    function invariant_holds() external {}

    function test_fails() external pure {
        revert("no");
    }
}
"#;

/// The project, compiled once.
fn project() -> Project {
    static PROJECT: OnceLock<Project> = OnceLock::new();
    let project = PROJECT.get_or_init(|| {
        let project = Project::with_tests(SETTINGS, TESTS);
        project.ours("--list").run().exits_with(0);
        project
    });
    project.copy()
}

/// Flags and their aliases in the help of a command, short ones included.
fn flags(help: &str) -> BTreeSet<String> {
    let name = Regex::new(r"--?[a-zA-Z0-9-]+").unwrap();
    let flag = Regex::new(r"(?m)^(?: {2}| {6})(-[a-zA-Z], )?--[a-z0-9-]+|alias(?:es)?: .*\]").unwrap();
    let shown = flag.find_iter(help).map(|found| found.as_str());
    shown.flat_map(|text| name.find_iter(text).map(|found| found.as_str().to_owned())).collect()
}

#[test]
fn the_help_names_every_flag_of_the_real_forge() {
    let project = project();
    let [ours, forge] =
        [project.ours("--help"), project.forge("--help")].map(|run| flags(&run.run().exits_with(0).stdout));
    assert!(forge.len() > 130 && forge.contains("--nmco") && forge.contains("-r"), "{forge:?}");
    let missing: Vec<_> = forge.difference(&ours).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_flag_for_what_only_forge_does_ends_with_the_command_for_it() {
    let run = project().ours("--flamegraph --match-test nested --runs 3").run().exits_with(2);
    assert_eq!(run.stdout, "");
    assert_eq!(
        run.stderr,
        "Error: only Forge has --flamegraph; run `forge test --flamegraph --match-test nested`\n"
    );
    for line in
        ["--celo", "--network optimism", "--gas-report", "--symbolic --symbolic-loop 3", "--opcodes ADD"]
    {
        let run = project().ours(line).run().exits_with(2);
        assert!(run.stderr.contains(&format!("`forge test {line}`")), "{}", run.shown());
    }
    let line = "--network ethereum --no-open --cups 3 --allow-local-compiler --allow-project-env --list";
    project().ours(line).run().exits_with(0);
}

/// The part of the output between two texts, without times.
fn between<'a>(run: &'a Run, from: &str, to: &str) -> String {
    let rest: &'a str = run.stdout.split_once(from).unwrap_or_else(|| panic!("{}", run.shown())).1;
    crate::harness::placeholders(rest.split_once(to).map_or(rest, |(part, _)| part))
}

#[test]
fn the_table_of_suites_is_forges() {
    for flags in ["--summary", "--summary --detailed", "--summary --md", "--summary --json"] {
        let line =
            format!("{flags} --fuzz-seed 1 --match-test nested|fails --match-contract FirstTest|SecondTest");
        let [ours, forge] = [project().ours(&format!("--unit {line}")), project().forge(&line)].map(|run| {
            let run = run.run().exits_with(1);
            match flags.ends_with("json") {
                true => run.json().to_string(),
                // The widths of the columns depend on the times.
                false => {
                    between(&run, "Test Suite", "\nFailing tests").replace(['-', '='], "").replace("  ", "")
                }
            }
        });
        assert_eq!(ours.contains("File Path"), flags.ends_with("detailed"), "{ours}");
        if flags.ends_with("detailed") {
            assert!(ours.contains("test/Test.t.sol") && ours.contains("[TIME]"), "{ours}");
        } else {
            assert_eq!(ours, forge, "{flags}");
        }
    }
}

#[test]
fn traces_end_and_hide_names_as_in_forge() {
    for (line, setting) in [
        ("--trace-depth 0", ""),
        ("--trace-depth 1", ""),
        ("--disable-labels", ""),
        ("", "trace_depth = 1\ndisable_labels = true"),
    ] {
        let flags = match setting {
            "" => line,
            // Forge 1.7 has no such settings.
            _ => "--trace-depth 1 --disable-labels",
        };
        let trace = |project: &Project, program: &str, line: &str| {
            let line = format!("{line} -vvvv --match-test nested");
            let run = match program {
                "ours" => project.ours(&format!("--unit {line}")),
                _ => project.forge(&line),
            };
            between(&run.run().exits_with(0), "Traces:\n", "\n\n")
        };
        let (configured, plain) = (project(), project());
        if !setting.is_empty() {
            let settings = configured.read("foundry.toml") + "\n[tracing]\n" + setting + "\n";
            configured.write("foundry.toml", &settings);
        }
        let ours = trace(&configured, "ours", line);
        assert_eq!(ours, trace(&plain, "forge", flags), "{line}{setting}");
        assert!(ours.contains("test_nested()"), "{ours}");
    }
}

#[test]
fn a_profile_is_chosen_by_a_flag() {
    let project = project();
    let runs = |line: &str| {
        let shown = project.command("config", line).run().exits_with(0);
        let line = |line: &&str| line.starts_with("runs = ");
        (
            shown.stdout.lines().filter(line).map(str::to_owned).collect::<Vec<_>>().join("\n"),
            shown.warnings(),
        )
    };
    let (deep, warnings) = runs("--profile deep");
    assert!(deep.contains("runs = 7") && warnings.is_empty(), "{deep} {warnings}");
    let variable = project.command("config", "").env("FOUNDRY_PROFILE", "deep").run().exits_with(0).stdout;
    let flag = project.command("config", "--profile deep").run().exits_with(0).stdout;
    assert_eq!(flag, variable);
    let (default, warnings) = runs("--profile none");
    assert!(
        default.contains("runs = 4") && warnings.contains("`none` does not exist"),
        "{default} {warnings}"
    );
}

#[test]
fn the_layout_of_hardhat_is_a_flag() {
    let project = Project::new(&[
        ("foundry.toml", ""),
        ("contracts/Counter.sol", &format!("{VM}contract Counter {{ uint256 public number; }}")),
        ("node_modules/base/Base.sol", &format!("{VM}contract Base {{}}")),
        (
            "test/A.t.sol",
            "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\nimport 'base/Base.sol';\n\
             contract ATest is Base { function test_a(uint256) external {} }",
        ),
        ("src/Broken.sol", "no Solidity"),
    ]);
    let run = project.ours("--hh --list").run().exits_with(0);
    assert!(run.stdout.contains("test_a"), "{}", run.shown());
    let run = project.ours("--list").run();
    assert_eq!(run.code, 1, "{}", run.shown());
}

#[test]
fn what_the_compiler_writes_is_chosen_by_flags() {
    let project = project();
    let line = "--list --force --ast --build-info --extra-output metadata --extra-output-files ir";
    project.ours(line).run().exits_with(0);
    let out = project.root().join("out");
    let artifact: serde_json::Value =
        serde_json::from_str(&project.read("out/Test.t.sol/FirstTest.json")).unwrap();
    assert!(
        artifact["ast"].is_object() && !artifact["metadata"].is_null(),
        "{:?}",
        artifact.as_object().unwrap().keys()
    );
    assert!(out.join("Test.t.sol/FirstTest.ir").is_file());
    assert!(fs::read_dir(out.join("build-info")).unwrap().count() > 0);
}

#[test]
fn an_input_from_a_file_runs_the_one_test_that_it_is_for() {
    let project = project();
    let input = |value: u8| {
        let artifact: serde_json::Value =
            serde_json::from_str(&project.read("out/Test.t.sol/FirstTest.json")).unwrap();
        let selector = artifact["methodIdentifiers"]["test_fuzz(uint8)"].as_str().unwrap().to_owned();
        format!(r#"{{"sender":null,"addr":null,"calldata":"0x{selector}{value:064x}","args":"{value}"}}"#)
    };
    project.write("fails.json", &input(200));
    project.write("passes.json", &input(100));
    let run = project.ours("--fuzz-input-file fails.json").run().exits_with(1);
    assert!(
        run.stdout.contains("[FAIL: two hundred") && !run.stdout.contains("SecondTest"),
        "{}",
        run.shown()
    );
    project.ours("--fuzz-input-file fails.json --allow-failure").run().exits_with(0);
    project.ours("--fuzz-input-file passes.json").run().exits_with(0);
    let run = project.ours("--fuzz-input-file fails.json --match-contract SecondTest").run().exits_with(1);
    assert!(run.stderr.contains("no fuzz test that is selected"), "{}", run.shown());
    project.write("none.json", "{}");
    let run = project.ours("--fuzz-input-file none.json").run().exits_with(1);
    assert!(run.stderr.contains("--fuzz-input-file"), "{}", run.shown());
}

#[test]
fn gas_snapshots_are_checked_and_written_as_flags_say() {
    let tests = r#"
    interface Snapshots { function snapshotValue(string calldata name, uint256 value) external; }
    contract SnapTest {
        function test_snap() external { Snapshots(address(vm)).snapshotValue("a", 1); }
    }"#;
    let project = Project::with_tests("", tests);
    project.ours("--unit --gas-snapshot-emit false").run().exits_with(0);
    assert!(!project.root().join("snapshots").exists());
    project.ours("--unit").run().exits_with(0);
    let written = project.read("snapshots/SnapTest.json");
    project.write("snapshots/SnapTest.json", &written.replace('1', "2"));
    let line = "--unit --gas-snapshot-emit false";
    project.ours(line).run().exits_with(0);
    let run = project.ours(&format!("{line} --gas-snapshot-check true")).run().exits_with(1);
    assert!(run.stderr.contains("Snapshots differ from previous run"), "{}", run.shown());
}

#[test]
fn named_files_are_watched_and_what_failed_runs_first() {
    let project = project();
    project.write("notes.json", "1");
    let line = "-w notes.json --watch-delay 50ms --rerun-failed --unit --match-test nested|fails";
    let mut running = project.ours(line).start();
    running.wait_for("Watching for changes");
    // A source that is not watched, then the file that is.
    project
        .write("test/More.t.sol", &format!("{VM}contract More {{ function test_nested() external {{}} }}"));
    std::thread::sleep(std::time::Duration::from_millis(500));
    project.write("notes.json", "2");
    running.wait_for("(1 total tests)");
    running.signal("INT");
    let run = running.finish();
    assert_eq!(run.stdout.matches("(2 total tests)").count(), 1, "{}", run.shown());
}

#[test]
fn a_command_that_verifies_a_result_has_the_approvals_that_forge_asks_for() {
    let project = project();
    project.write(".env", "A=1\n");
    let line = "--match-test test_fuzz --fuzz-seed 1 --emit-repro test/repro --forge-version";
    let of = |version: &str| {
        let run = project.ours(&format!("{line} {version}")).run().exits_with(1);
        let line = run.stdout.lines().find(|line| line.starts_with("Reproducer: ")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{}", run.shown()))
    };
    assert!(!of("1.7").contains("--allow"));
    assert!(of("1.8").ends_with(" --allow-project-env`)"), "{}", of("1.8"));
}
