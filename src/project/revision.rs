//! Revision of the project and changes since another one, as git knows them.
//!
//! The settings of a repository may name programs, and a repository may come from a stranger. So git is told to run
//! none of them: no filters, no hooks, no file monitor, nothing that fetches. It does not enter submodules either,
//! which have settings of their own.

use super::toolchain::restrict;
use crate::model::Revision;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{Read as _, Seek as _},
    ops::RangeInclusive,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Time after which git is ended. Its answer is then left out.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time between two looks at a running git.
const PAUSE: Duration = Duration::from_millis(5);

/// Most bytes read of an answer.
const MOST_BYTES: u64 = 16 << 20;

/// Settings that name programs or keep git from reaching another computer.
const SETTINGS: [&str; 3] = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never"];

/// Keys of a filter, with the values that turn it off.
const NO_FILTER: [&str; 4] = ["clean=", "smudge=", "process=", "required=false"];

/// Ends of the names of files that decide what is tested. Other files that git does not track, such as reports, are no
/// change.
const INPUTS: [&str; 4] = [".sol", ".vy", "foundry.toml", "remappings.txt"];

/// Returns the commit of the repository around `root`. Returns `None` if there is none, or if git is not installed or
/// does not answer in time.
#[must_use]
pub fn revision(root: &Path) -> Option<Revision> {
    let git = Git { root, deadline: Instant::now() + PATIENCE };
    let commit = git.answer(&[], &["rev-parse", "--verify", "--quiet", "HEAD"])?.trim().to_owned();
    if commit.is_empty() || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let settings = git.settings()?;
    let status = ["status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=dirty"];
    let status = git.answer(&settings, &status)?;
    Some(Revision { commit, is_changed: status.split('\0').any(is_change) })
}

/// Returns the lines of sources that were added or changed since the last common ancestor with a commit, by path
/// relative to `root`. All lines of a source that git does not track count as changed. Returns `None` if there is no
/// such commit, or git does not answer in time.
#[must_use]
pub fn changed_lines(root: &Path, commit: &str) -> Option<BTreeMap<String, Vec<RangeInclusive<usize>>>> {
    let git = Git { root, deadline: Instant::now() + PATIENCE };
    let mut settings = git.settings()?;
    settings.push("core.quotePath=false".to_owned());
    let diff = [
        "diff",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--no-prefix",
        "--relative",
        "-U0",
        "--merge-base",
    ];
    let diff = [&diff[..], &["--ignore-submodules=all", "--end-of-options", commit, "--", "*.sol"]].concat();
    let mut lines = lines_of_diff(&git.answer(&settings, &diff)?);
    let others = ["ls-files", "-z", "--others", "--exclude-standard", "--", "*.sol"];
    let others = git.answer(&settings, &others)?;
    let others = others.split('\0').filter(|path| !path.is_empty());
    lines.extend(others.map(|path| (path.to_owned(), vec![1..=usize::MAX])));
    Some(lines)
}

/// Returns the lines of the later side of a diff without context, by path.
fn lines_of_diff(diff: &str) -> BTreeMap<String, Vec<RangeInclusive<usize>>> {
    let mut lines: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut path = "";
    for line in diff.lines() {
        if let Some(later) = line.strip_prefix("+++ ") {
            path = later.trim_end_matches('\t');
        } else if let Some(range) = line.strip_prefix("@@ ").and_then(later_range) {
            lines.entry(path.to_owned()).or_default().push(range);
        }
    }
    lines
}

/// Reads the later range of a hunk's head: `-4,2 +5,3 @@ ...`. Where lines were only removed, there is none.
fn later_range(head: &str) -> Option<RangeInclusive<usize>> {
    let later = head.split(' ').find_map(|part| part.strip_prefix('+'))?;
    let (start, length) = later.split_once(',').unwrap_or((later, "1"));
    let (start, length): (usize, usize) = (start.parse().ok()?, length.parse().ok()?);
    (length > 0).then(|| start..=start + length - 1)
}

/// Tells whether an entry of `git status --porcelain` is about a file that the commit should have in another form.
fn is_change(entry: &str) -> bool {
    match entry.strip_prefix("?? ") {
        Some(untracked) => INPUTS.iter().any(|end| untracked.ends_with(end)),
        None => !entry.is_empty(),
    }
}

/// Returns settings that turn the filters with these keys off. Returns `None` if git has no way to say so.
fn without_filters(keys: &str) -> Option<Vec<String>> {
    let mut settings = Vec::new();
    for key in keys.split('\0').filter(|key| !key.is_empty()) {
        let (filter, _) = key.rsplit_once('.')?;
        if filter.contains('=') {
            return None;
        }
        settings.extend(NO_FILTER.map(|setting| format!("{filter}.{setting}")));
    }
    Some(settings)
}

/// Repository that is asked.
struct Git<'a> {
    root: &'a Path,
    deadline: Instant,
}

impl Git<'_> {
    /// Returns settings that turn the filters of the repository off. Returns `None` if git has no way to say so.
    fn settings(&self) -> Option<Vec<String>> {
        // It fails if there are no filters.
        let keys = self.answer(&[], &["config", "--null", "--name-only", "--get-regexp", r"^filter\."]);
        without_filters(&keys.unwrap_or_default())
    }

    /// Returns what git prints; `None` if it fails or takes too long.
    fn answer(&self, settings: &[String], arguments: &[&str]) -> Option<String> {
        let mut file = tempfile::tempfile().ok()?;
        let mut command = Command::new("git");
        restrict(&mut command);
        command.envs([("GIT_OPTIONAL_LOCKS", "0"), ("GIT_NO_LAZY_FETCH", "1"), ("GIT_TERMINAL_PROMPT", "0")]);
        for setting in SETTINGS.into_iter().chain(settings.iter().map(String::as_str)) {
            command.args(["-c", setting]);
        }
        command.args(arguments).current_dir(self.root);
        command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(file.try_clone().ok()?);
        self.run(command).then(|| read(&mut file))?
    }

    /// Runs a command until it ends or the time is up, and returns true if it succeeds.
    fn run(&self, mut command: Command) -> bool {
        let Ok(mut child) = command.spawn() else { return false };
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) if Instant::now() < self.deadline => thread::sleep(PAUSE),
                _ => {
                    // It may have ended meanwhile.
                    let _ = child.kill();
                    let _ = child.wait();
                    return false;
                }
            }
        }
    }
}

fn read(file: &mut File) -> Option<String> {
    let mut bytes = Vec::new();
    file.rewind().ok()?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn git(root: &Path, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b.c"]).args(arguments).current_dir(root);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().unwrap().success(), "{arguments:?}");
    }

    /// Returns a repository with one commit.
    fn repository() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        git(root, &["init", "--quiet"]);
        fs::write(root.join("A.sol"), "contract A {}").unwrap();
        git(root, &["add", "A.sol"]);
        git(root, &["commit", "--quiet", "-m", "a"]);
        directory
    }

    #[test]
    fn a_commit_is_told_with_changes_of_what_is_tested() {
        let directory = repository();
        let root = directory.path();
        let clean = revision(root).unwrap();
        assert_eq!((clean.commit.len(), clean.is_changed), (40, false));
        fs::write(root.join("report.html"), "").unwrap();
        assert_eq!(revision(root), Some(clean.clone()));
        fs::write(root.join("B.sol"), "").unwrap();
        assert!(revision(root).unwrap().is_changed);
        fs::remove_file(root.join("B.sol")).unwrap();
        fs::write(root.join("A.sol"), "contract B {}").unwrap();
        assert_eq!(revision(root), Some(Revision { is_changed: true, ..clean }));
    }

    #[test]
    fn without_a_repository_or_a_commit_there_is_nothing_to_tell() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(revision(directory.path()), None);
        git(directory.path(), &["init", "--quiet"]);
        assert_eq!(revision(directory.path()), None);
    }

    #[cfg(unix)]
    #[test]
    fn no_program_that_a_repository_names_is_run() {
        let directory = repository();
        let root = directory.path();
        fs::write(root.join(".git/info/attributes"), "*.sol filter=f\n").unwrap();
        let touch = format!("touch {}", root.join("ran").display());
        for key in ["core.fsmonitor", "filter.f.clean", "filter.f.process"] {
            git(root, &["config", key, &touch]);
        }
        fs::write(root.join("A.sol"), "contract B {}").unwrap();
        assert!(revision(root).unwrap().is_changed);
        assert!(!root.join("ran").exists());
        git(root, &["config", "filter.a=b.clean", &touch]);
        assert_eq!(revision(root), None);
        assert!(!root.join("ran").exists());
    }

    #[test]
    fn changed_lines_are_those_of_the_later_side() {
        let directory = repository();
        let root = directory.path();
        fs::write(root.join("A.sol"), "// a\ncontract A {}").unwrap();
        fs::write(root.join("B C.sol"), "contract B {}").unwrap();
        let lines = changed_lines(root, "HEAD").unwrap();
        assert_eq!(lines["A.sol"], [1..=1]);
        assert_eq!(lines["B C.sol"], [1..=usize::MAX]);
        assert_eq!(changed_lines(root, "nowhere"), None);
        assert_eq!(changed_lines(root, "--output=B.sol"), None);
    }
}
