//! Commands in the README and in pages of docs/ run, and the files that the README names exist.

use crate::harness::{Project, REPOSITORY};
use std::path::Path;

/// Commands in the blocks of a page, without what is said of them.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines = blocks.flat_map(str::lines);
    lines.map(|line| line.split(" #").next().unwrap().trim_end().to_owned()).collect()
}

/// Runs them one after another in a copy of the demo.
fn run(commands: &[String]) -> Project {
    let project = Project::copy_of("testdata/demo");
    for command in commands {
        let mut words = command.strip_prefix("forge-harvey ").unwrap().splitn(2, ' ');
        let name = words.next().unwrap().to_owned().leak();
        let command_line = project.command(name, words.next().unwrap_or_default());
        let run = match command.contains("--watch") {
            false => command_line.run(),
            true => {
                let mut watching = command_line.start();
                watching.wait_for("Watching for changes");
                watching.signal("INT");
                watching.finish()
            }
        };
        // The demo has a bug, which everything finds that searches.
        let expected = i32::from(matches!(&*name, "test" | "replay"));
        assert_eq!(run.code, expected, "{command}\n{}", run.shown());
    }
    project
}

#[test]
fn its_commands_run_one_after_another() {
    let commands = commands(include_str!("../../README.md"));
    assert!(commands.len() > 8);
    let project = run(&commands);
    for left in ["report.html", ".pre-commit-config.yaml", ".github/workflows/forge-harvey.yml"] {
        assert!(project.root().join(left).is_file(), "{left}");
    }
}

#[test]
fn all_commands_run_one_after_another() {
    let commands = commands(include_str!("../../docs/commands.md"));
    assert!(commands.len() > 13);
    let project = run(&commands);
    assert!(project.root().join("report.html").is_file());
}

#[test]
fn the_first_five_minutes_go_as_they_are_told() {
    let commands = commands(include_str!("../../docs/getting-started.md"));
    assert!(commands.len() > 3);
    let project = run(&commands);
    assert!(project.root().join("test/LotteryInvariants.t.sol").is_file());
}

#[test]
fn files_that_it_names_are_there() {
    let readme = include_str!("../../README.md");
    let named = readme.split('`').skip(1).step_by(2).filter_map(|code| code.split(' ').next());
    let links = readme.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let is_path =
        |path: &&str| path.starts_with("scripts/") || path.starts_with("docs/") || path.starts_with("src/");
    let paths: Vec<_> = named.chain(links).filter(is_path).collect();
    assert!(paths.len() > 10);
    for path in paths {
        assert!(Path::new(REPOSITORY).join(path).exists(), "{path}");
    }
}
