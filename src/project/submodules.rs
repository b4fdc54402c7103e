//! Git submodules that a clone without `--recurse-submodules` left empty.

use crate::{
    config::find_repository,
    files::{self, read_text},
};
use std::{
    collections::BTreeSet,
    fs,
    io::ErrorKind,
    path::{Component, Path, PathBuf},
};

/// Most submodules that a message names.
const MOST_NAMED: usize = 5;

/// Returns advice to fetch the submodules without files in the repository of a project, if there are any.
pub(super) fn advice(root: &Path) -> Option<String> {
    let empty = empty_in(find_repository(root)?);
    let shown = empty.iter().take(MOST_NAMED).map(|path| files::shown(path, root));
    let mut names: Vec<_> = shown.collect();
    if empty.len() > names.len() {
        names.push(format!("{} more", empty.len() - names.len()));
    }
    let subject = match &names[..] {
        [] => return None,
        [name] => format!("{name} is an empty git submodule"),
        [names @ .., last] => format!("{} and {last} are empty git submodules", names.join(", ")),
    };
    Some(format!("{subject}; run `git submodule update --init --recursive`"))
}

/// Returns the submodules without files in a repository and, recursively, in its submodules.
fn empty_in(repository: &Path) -> BTreeSet<PathBuf> {
    let (mut open, mut seen, mut empty) = (vec![repository.to_owned()], BTreeSet::new(), BTreeSet::new());
    while let Some(next) = open.pop() {
        // Links may lead out of the repository, or in circles.
        let inside = fs::canonicalize(&next).ok().filter(|path| path.starts_with(repository));
        if !inside.is_some_and(|path| seen.insert(path)) {
            continue;
        }
        for module in declared(&next) {
            match is_empty(&module) {
                true => drop(empty.insert(module)),
                false => open.push(module),
            }
        }
    }
    empty
}

/// Returns the directories of the submodules that the `.gitmodules` of a repository declares.
fn declared(repository: &Path) -> Vec<PathBuf> {
    let text = read_text(&repository.join(".gitmodules")).unwrap_or_default();
    let settings = text.lines().filter_map(|line| line.split_once('='));
    let paths = settings.filter(|(key, _)| key.trim().eq_ignore_ascii_case("path"));
    let paths = paths.map(|(_, path)| Path::new(path.trim().trim_matches('"')));
    let below = |path: &&Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    paths.filter(below).map(|path| repository.join(path)).collect()
}

fn is_empty(directory: &Path) -> bool {
    match fs::read_dir(directory) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// Returns a repository with files; a name that ends with `/` is that of an empty directory.
    fn repository(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        for (name, text) in [(".git/", "")].iter().chain(files) {
            let path = root.join(name);
            fs::create_dir_all(if name.ends_with('/') { &path } else { path.parent().unwrap() }).unwrap();
            if !name.ends_with('/') {
                fs::write(path, text).unwrap();
            }
        }
        (directory, root)
    }

    fn module(path: &str) -> String {
        format!("[submodule \"x\"]\n\tpath = {path}\n\turl = https://example.org/x\n")
    }

    #[test]
    fn empty_submodules_are_named_with_the_command_that_fetches_them() {
        let modules = module("lib/full") + &module("lib/empty") + &module("\"lib/gone\"");
        let (_directory, root) = repository(&[
            (".gitmodules", &modules),
            ("lib/empty/", ""),
            ("lib/full/.gitmodules", &module("lib/nested")),
            ("lib/full/lib/nested/", ""),
        ]);
        let command = "; run `git submodule update --init --recursive`";
        let told = advice(&root).unwrap();
        let nested = "lib/empty, lib/full/lib/nested and lib/gone are empty git submodules";
        assert_eq!(told.strip_suffix(command), Some(nested));
        for path in ["lib/empty/A.sol", "lib/full/lib/nested/A.sol"] {
            fs::write(root.join(path), "").unwrap();
        }
        let told = advice(&root).unwrap();
        assert_eq!(told.strip_suffix(command), Some("lib/gone is an empty git submodule"));
        fs::create_dir(root.join("lib/gone")).unwrap();
        fs::write(root.join("lib/gone/A.sol"), "").unwrap();
        assert_eq!(advice(&root), None);
    }

    #[test]
    fn of_many_empty_submodules_a_few_are_named() {
        let modules: String = (0..9).map(|number| module(&format!("lib/m{number}"))).collect();
        let (_directory, root) = repository(&[(".gitmodules", &modules), ("app/", "")]);
        assert!(advice(&root).unwrap().contains("lib/m3, lib/m4 and 4 more are empty"));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_odd_paths_do_not_lead_out_or_in_circles() {
        use std::os::unix;
        let modules = module("loop/a") + &module("away") + &module("../out") + &module("/") + &module(".");
        let (_outside, away) = repository(&[(".gitmodules", &module("secret"))]);
        let (_directory, root) = repository(&[(".gitmodules", &modules), ("a/.gitmodules", &modules)]);
        unix::fs::symlink(".", root.join("loop")).unwrap();
        unix::fs::symlink("..", root.join("a/loop")).unwrap();
        unix::fs::symlink(&away, root.join("away")).unwrap();
        unix::fs::symlink(&away, root.join("a/away")).unwrap();
        assert_eq!(advice(&root), None);
    }

    #[test]
    fn a_project_outside_of_git_gets_no_advice() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join(".gitmodules"), module("lib/empty")).unwrap();
        assert_eq!(advice(directory.path()), None);
    }
}
