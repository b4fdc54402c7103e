//! Projects to run on: copies of those in testdata, and small ones that a test writes itself.

use super::{
    run::{Program, Running},
    tools::REPOSITORY,
};
use std::{
    fs::{self, File},
    os::unix,
    path::{Path, PathBuf},
    sync::OnceLock,
};
use tempfile::TempDir;

/// What a small source begins with: a license, and the cheatcodes as an interface without forge-std.
pub(crate) const VM: &str = r#"
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Vm {
    function assertTrue(bool condition, string calldata message) external pure;
    function assume(bool condition) external;
    function expectSafeMemory(uint64 from, uint64 to) external;
    function label(address account, string calldata name) external;
    function skip(bool skipped, string calldata reason) external;
    function unheardOf() external;
}

Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
"#;

/// A directory with a foundry.toml in it, or without one.
pub(crate) struct Project {
    root: PathBuf,
    /// Removes the directory with the last use of it.
    _temporary: Option<TempDir>,
}

impl Project {
    /// A directory with these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let temporary = TempDir::new().unwrap();
        // Programs print where links lead.
        let project = Self { root: temporary.path().canonicalize().unwrap(), _temporary: Some(temporary) };
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// A project with the default settings and one source of tests, which begins with [`VM`].
    pub(crate) fn with_tests(settings: &str, tests: &str) -> Self {
        let foundry_toml = format!("[profile.default]\n{settings}\n");
        Self::new(&[("foundry.toml", &foundry_toml), ("test/Test.t.sol", &format!("{VM}{tests}"))])
    }

    /// A copy of a directory of the repository.
    pub(crate) fn copy_of(directory: &str) -> Self {
        let project = Self::new(&[]);
        copy(&Path::new(REPOSITORY).join(directory), project.root());
        // What somebody's own run left there, such as that of the demo.
        for left in ["out", "cache"] {
            let _ = fs::remove_dir_all(project.root().join(left));
        }
        project
    }

    /// A copy of this project with what was compiled, which may be written to.
    pub(crate) fn copy(&self) -> Self {
        let project = Self::new(&[]);
        copy(self.root(), project.root());
        project
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[track_caller]
    pub(crate) fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.root.join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Removes what runs kept of broken invariants, in our store and in Forge's.
    pub(crate) fn forget_failures(&self) {
        for directory in ["cache/harvey", "cache/invariant"] {
            let _ = fs::remove_dir_all(self.root.join(directory));
        }
    }

    /// `forge-harvey test` here.
    pub(crate) fn ours(&self, line: &str) -> Running {
        Running::new(Program::Ours, "test", &self.root).args(line)
    }

    /// `forge-harvey test` here, without `--offline`.
    pub(crate) fn online(&self, line: &str) -> Running {
        Running::online(Program::Ours, "test", &self.root).args(line)
    }

    /// Another command of ours here.
    pub(crate) fn command(&self, name: &'static str, line: &str) -> Running {
        Running::new(Program::Ours, name, &self.root).args(line)
    }

    /// `forge test` here.
    pub(crate) fn forge(&self, line: &str) -> Running {
        Running::new(Program::Forge, "test", &self.root).args(line)
    }

    /// `forge coverage` here.
    pub(crate) fn forge_coverage(&self) -> Running {
        Running::new(Program::Forge, "coverage", &self.root)
    }

    /// `forge remappings` here.
    pub(crate) fn forge_remappings(&self) -> Running {
        Running::new(Program::Forge, "remappings", &self.root)
    }

    /// `forge build` here.
    pub(crate) fn forge_build(&self) -> Running {
        Running::new(Program::Forge, "build", &self.root)
    }
}

/// The project of all fixtures and suites, compiled; not to be written to.
pub(crate) fn fixtures() -> &'static Project {
    static FIXTURES: OnceLock<(Project, File)> = OnceLock::new();
    let compiled = FIXTURES.get_or_init(|| {
        let (root, lock) = place();
        let project = Project { root, _temporary: None };
        let testdata = project.root().join("testdata");
        for directory in ["fixtures", "suites"] {
            // What was compiled last time is still good where the sources did not change.
            let _ = fs::remove_dir_all(testdata.join(directory));
            copy(&Path::new(REPOSITORY).join("testdata").join(directory), &testdata.join(directory));
        }
        project
            .write("foundry.toml", &fs::read_to_string(Path::new(REPOSITORY).join("foundry.toml")).unwrap());
        for libraries in ["lib", "node_modules"] {
            let _ = fs::remove_file(testdata.join(libraries));
            let there = Path::new(REPOSITORY).join("testdata").join(libraries);
            unix::fs::symlink(there, testdata.join(libraries)).unwrap();
        }
        project.ours("--list").run().exits_with(0);
        (project, lock)
    });
    &compiled.0
}

/// A directory below the build directory that no other process uses, and the lock that goes with the process.
fn place() -> (PathBuf, File) {
    let base = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut numbers = 0..;
    loop {
        let root = base.join(format!("fixtures-{}", numbers.next().expect("endless")));
        fs::create_dir_all(&root).unwrap();
        let lock = File::create(root.join(".lock")).unwrap();
        if lock.try_lock().is_ok() {
            return (root, lock);
        }
    }
}

/// Copies a directory; links stay links.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            copy(&source, &target);
        } else if kind.is_symlink() {
            unix::fs::symlink(fs::read_link(&source).unwrap(), &target).unwrap();
        } else {
            fs::copy(&source, &target).unwrap();
        }
    }
}
