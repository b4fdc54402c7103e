//! `forge-harvey pre-commit`: the suites that depend on changed files, within a budget.

use super::{
    ExitStatus,
    args::{GlobalArgs, PreCommitArgs, TestArgs},
    console::Console,
    test,
};
use anyhow::Result;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Runs each project that contains one of the files, and returns the worst exit code.
pub(super) fn run(args: &PreCommitArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    if let Some(file) = misread(std::env::args_os()) {
        anyhow::bail!(
            "`{}` looks like a file, but was read as an option; end `entry` or `args` of the hook with `--`",
            file.to_string_lossy()
        );
    }
    let projects = projects(args);
    if projects.is_empty() {
        Console::new(global, false).say("None of the files is in a Foundry project\n")?;
        return Ok(ExitStatus::Success);
    }
    // The budget is in whole seconds, and at least one: zero would mean no budget.
    let budget = (args.budget / u32::try_from(projects.len()).unwrap_or(u32::MAX)).max(1);
    let mut worst = ExitStatus::Success;
    for (root, files) in projects {
        let mut one = TestArgs { build: args.build.clone(), ..TestArgs::default() };
        one.build.project.root = Some(root);
        one.campaign.limits.budget = Some(budget);
        one.campaign.limits.affected_by = Some(files);
        let status = test::run(&one, global)?;
        if status == ExitStatus::Interrupted {
            return Ok(status);
        }
        if worst == ExitStatus::Success || status == ExitStatus::Failure {
            worst = status;
        }
    }
    Ok(worst)
}

/// Finds a committed file that was read as an option. This happens to a path that begins like an option if no
/// `--` precedes it.
fn misread(args: impl Iterator<Item = OsString>) -> Option<OsString> {
    let is_file = |arg: &OsString| {
        let arg = arg.to_string_lossy();
        arg.starts_with('-')
            && [".sol", ".vy", "foundry.toml", "remappings.txt"].iter().any(|end| arg.ends_with(end))
    };
    args.take_while(|arg| arg != "--").find(is_file)
}

/// Groups the files by the roots of their projects: the root that was given, or each directory above with a
/// `foundry.toml`. A library of one project may be a project of its own.
fn projects(args: &PreCommitArgs) -> BTreeMap<PathBuf, Vec<PathBuf>> {
    let mut projects: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for file in &args.files {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
        let is_project = |directory: &&Path| directory.join("foundry.toml").is_file();
        let roots: Vec<_> = match &args.build.project.root {
            Some(root) => vec![root.clone()],
            None => file.ancestors().skip(1).filter(is_project).map(Path::to_owned).collect(),
        };
        for root in roots {
            projects.entry(root).or_default().push(file.clone());
        }
    }
    projects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_no_option() {
        let misread = |line: &str| misread(line.split(' ').map(OsString::from)).is_some();
        assert!(misread("pre-commit --use=./test/A.sol src/B.sol"));
        assert!(!misread("pre-commit --budget 30 -- --use=./test/A.sol"));
        assert!(!misread("pre-commit --use=./bin/solc src/B.sol"));
    }
}
