//! A program in a project: started with an environment of its own, and what it left.

use super::{dialogue::Dialogue, tools::tools};
use regex::Regex;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs::File,
    os::unix::{self, fs::FileExt as _, process::ExitStatusExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::LazyLock,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// No run of a test takes longer, also on a slow machine.
const LIMIT: Duration = Duration::from_secs(300);

/// The forge of May 2026, which npm installs.
const NIGHTLY: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/node_modules/forge-nightly-linux-amd64/bin/forge");

/// What is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// The real forge 1.7.1.
    Forge,
    /// The real forge of May 2026, between 1.7.1 and 1.8.
    Nightly,
    /// Ours.
    Ours,
}

/// A run to be: `forge test` or `forge-harvey test`, without the network and without the user's settings.
pub(crate) struct Running {
    command: Command,
    root: PathBuf,
    /// A home of its own: Forge keeps there the signatures that it met, and words its messages by them.
    home: TempDir,
}

impl Running {
    pub(crate) fn new(program: Program, subcommand: &str, root: &Path) -> Self {
        let mut running = Self::online(program, subcommand, root);
        // Those that compile nothing have no such flag.
        if matches!(
            subcommand,
            "test" | "build" | "coverage" | "replay" | "config" | "init" | "corpus" | "mcp"
        ) {
            running.command.arg("--offline");
        }
        if program == Program::Forge && matches!(subcommand, "test" | "build" | "coverage") {
            running.command.args(&tools().approval);
        }
        running
    }

    /// A run that may fetch what it lacks, but knows no server of compilers.
    pub(crate) fn online(program: Program, subcommand: &str, root: &Path) -> Self {
        let tools = tools();
        let mut command = Command::new(match program {
            Program::Forge => tools.forge.as_path(),
            Program::Nightly => Path::new(NIGHTLY),
            Program::Ours => Path::new(env!("CARGO_BIN_EXE_forge-harvey")),
        });
        let home = TempDir::new().unwrap();
        unix::fs::symlink(&tools.svm, home.path().join(".svm")).unwrap();
        command
            .env_clear()
            .env("HOME", home.path())
            // The real forge of the tests is 1.7.1.
            .env("FOUNDRY_HARVEY_FORGE", "1.7")
            .env("FORGE_HARVEY_SOLC_RELEASES", "")
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.arg(subcommand).current_dir(root).stdin(Stdio::null());
        Self { command, root: root.to_owned(), home }
    }

    /// Adds words of a command line; none of them contains a blank.
    pub(crate) fn args(mut self, line: &str) -> Self {
        self.command.args(line.split_whitespace());
        self
    }

    /// Sets a variable of the environment, which is empty but for HOME and PATH.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes a variable out of the environment.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// With what was left in a home by another run.
    pub(crate) fn home(mut self, home: &Path) -> Self {
        let versions = home.join(".svm");
        if !versions.exists() {
            unix::fs::symlink(&tools().svm, versions).unwrap();
        }
        self.command.env("HOME", home);
        self
    }

    /// Behind other words of a command line, which run it: `sh -c '... "$@"' sh`.
    pub(crate) fn behind(mut self, words: &[&str]) -> Self {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(self.command.get_program()).args(self.command.get_args());
        command.env_clear().stdin(Stdio::null()).current_dir(&self.root);
        command.envs(self.command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        self.command = command;
        self
    }

    /// Runs to the end.
    pub(crate) fn run(self) -> Run {
        self.start().finish()
    }

    /// Starts with stdout and stderr going to files.
    pub(crate) fn start(mut self) -> Started {
        let [stdout, stderr] = [(); 2].map(|()| tempfile::tempfile().unwrap());
        self.command.stdout(stdout.try_clone().unwrap()).stderr(stderr.try_clone().unwrap());
        Started { child: self.command.spawn().unwrap(), stdout, stderr, root: self.root, home: self.home }
    }

    /// Starts with a stdin to write to and a stdout to read line by line.
    pub(crate) fn converse(mut self) -> Dialogue {
        let stderr = tempfile::tempfile().unwrap();
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr.try_clone().unwrap());
        let child = self.command.spawn().unwrap();
        let stdout = tempfile::tempfile().unwrap();
        Dialogue::new(Started { child, stdout, stderr, root: self.root, home: self.home })
    }

    /// Runs to the end with a stdout that nobody reads.
    pub(crate) fn run_into_closed_pipe(mut self) -> Run {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let [stdout, stderr] = [(); 2].map(|()| tempfile::tempfile().unwrap());
        self.command.stdout(writer).stderr(stderr.try_clone().unwrap());
        let child = self.command.spawn().unwrap();
        // The command holds the pipe's writing end.
        drop(self.command);
        Started { child, stdout, stderr, root: self.root, home: self.home }.finish()
    }
}

/// A run that is under way.
pub(crate) struct Started {
    pub(super) child: Child,
    stdout: File,
    stderr: File,
    root: PathBuf,
    home: TempDir,
}

impl Started {
    /// Sends a signal by its short name.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits until a text was printed.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let start = Instant::now();
        loop {
            let printed = read(&self.stdout) + &read(&self.stderr);
            if printed.contains(text) {
                return;
            }
            assert!(start.elapsed() < LIMIT, "{text} did not come:\n{printed}");
            assert!(self.child.try_wait().unwrap().is_none(), "ended before {text}:\n{printed}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end.
    pub(crate) fn finish(mut self) -> Run {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > LIMIT {
                self.child.kill().unwrap();
                self.child.wait().unwrap();
                panic!("no end in sight:\n{}{}", read(&self.stdout), read(&self.stderr));
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        Run {
            // As a shell counts: a process that a signal ended has no code.
            code: status.code().unwrap_or_else(|| 128 + status.signal().unwrap()),
            stdout: read(&self.stdout),
            stderr: read(&self.stderr),
            root: self.root,
            home: self.home,
        }
    }
}

/// The whole file; the offset, which a child that is still writing shares, stays where it is.
fn read(file: &File) -> String {
    let mut text = vec![0; usize::try_from(file.metadata().unwrap().len()).unwrap()];
    file.read_exact_at(&mut text, 0).unwrap();
    String::from_utf8_lossy(&text).into_owned()
}

/// What a run left.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    root: PathBuf,
    home: TempDir,
}

impl Run {
    /// Asserts the exit code, and shows everything when it is another one.
    #[track_caller]
    pub(crate) fn exits_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}", self.shown());
        self
    }

    /// stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{}", self.shown()))
    }

    /// Exit code and both streams, with what varies replaced.
    pub(crate) fn shown(&self) -> String {
        let stream = |name, text: &str| match self.without_paths(&placeholders(text)).as_str() {
            "" => String::new(),
            text => format!("--- {name}\n{text}"),
        };
        format!(
            "exit code {}\n{}{}",
            self.code,
            stream("stdout", &self.stdout),
            stream("stderr", &self.stderr)
        )
    }

    /// The same without what the compiler, the tables of calls and the summary say, where tests ran.
    pub(crate) fn brief(&self) -> String {
        let shown = self.shown();
        let Some((_, tests)) = shown.split_once("\nRan ") else { return shown };
        let (tests, rest) = tests.split_once("\nSuite result").unwrap_or((tests, ""));
        let is_table = |line: &&str| line.starts_with(['╭', '|', '+', '╰']);
        let tests = tests.lines().filter(|line| !is_table(line)).collect::<Vec<_>>().join("\n");
        let stderr = rest
            .split_once("\n--- stderr\n")
            .map_or(String::new(), |(_, text)| format!("--- stderr\n{text}"));
        format!("exit code {}\nRan {}\n{stderr}", self.code, tests.trim_end())
    }

    /// What stdout says of each test: without the notices before the tests of a suite, the notes on them and the
    /// tables of calls, of which Forge has none or other ones.
    pub(crate) fn tests_alone(&self) -> String {
        let others = Regex::new(r"(?m)^(?:Note|Never|Mostly)[^\n]*\n|\n?^╭[^╯]*╯\n\n?").unwrap();
        others.replace_all(&self.stdout, "").into_owned()
    }

    /// The warnings of stderr.
    pub(crate) fn warnings(&self) -> String {
        let lines = self.stderr.lines().filter(|line| line.starts_with("Warning: "));
        self.without_paths(&lines.collect::<Vec<_>>().join("\n"))
    }

    fn without_paths(&self, text: &str) -> String {
        let home = self.home.path().display().to_string();
        text.replace(&self.root.display().to_string(), "[ROOT]").replace(&home, "[HOME]")
    }
}

/// Replaces what differs between two equal runs (durations, the time of day) and figures that change with
/// every change of the search.
pub(crate) fn placeholders(text: &str) -> String {
    static VARIABLE: LazyLock<[(Regex, &str); 3]> = LazyLock::new(|| {
        [
            (r"\b\d+(\.\d+)?(ns|µs|ms|s)\b( \d+(ns|µs|ms|s)\b)*", "[TIME]"),
            (r#""timestamp":\d+"#, r#""timestamp":[TIME]"#),
            (r"\(runs: \d+, calls: \d+, reverts: \d+\)", "[FIGURES]"),
        ]
        .map(|(pattern, placeholder)| (Regex::new(pattern).unwrap(), placeholder))
    });
    VARIABLE.iter().fold(text.to_owned(), |text, (pattern, placeholder)| {
        pattern.replace_all(&text, *placeholder).into_owned()
    })
}

/// A regular expression for exactly these names, followed by `end`.
pub(crate) fn any_of<'a>(names: impl Iterator<Item = &'a str>, end: &str) -> String {
    let names: BTreeSet<_> = names.collect();
    format!("^({}){end}", names.into_iter().collect::<Vec<_>>().join("|"))
}
