//! Symbolic links: the places to which paths lead.

use std::path::{Component, Path, PathBuf};

/// Most links that are followed one after the other.
const MOST_LINKS: u32 = 40;

/// Returns the place to which a path leads. Links are followed as far as files exist; a link to a missing
/// file leads to the place where that file would be created.
#[must_use]
pub fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(found) = path.canonicalize() {
            return found;
        }
        let full = normalized(&path);
        let existing = full.ancestors().find_map(|at| Some((at, at.canonicalize().ok()?)));
        let Some((at, real)) = existing else { return full };
        let rest = full.strip_prefix(at).unwrap_or(Path::new(""));
        let mut parts = rest.components();
        let missing = parts.next().map(|first| real.join(first)).unwrap_or_default();
        match missing.read_link() {
            Ok(target) => path = real.join(target).join(parts),
            Err(_) => return real.join(rest),
        }
    }
    // The system follows no more links, either.
    normalized(&path)
}

/// Returns the path without `.` and `..`.
#[must_use]
pub fn normalized(path: &Path) -> PathBuf {
    let mut full = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                full.pop();
            }
            other => full.push(other),
        }
    }
    full
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_are_followed_to_what_is_not_there_yet() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("in")).unwrap();
        std::os::unix::fs::symlink("../out/file", root.join("in/dangling")).unwrap();
        std::os::unix::fs::symlink(&root, root.join("in/up")).unwrap();
        std::os::unix::fs::symlink("loop", root.join("in/loop")).unwrap();
        assert_eq!(followed(&root.join("in/dangling")), root.join("out/file"));
        assert_eq!(followed(&root.join("in/up/new/file")), root.join("new/file"));
        assert_eq!(followed(&root.join("in/new")), root.join("in/new"));
        let _ = followed(&root.join("in/loop"));
    }

    #[test]
    fn paths_are_normalized_without_looking_at_the_disk() {
        assert_eq!(normalized(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(normalized(Path::new("/../a")), Path::new("/a"));
    }
}
