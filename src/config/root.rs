//! Search for the project's root.

use super::ConfigError;
use std::path::{Path, PathBuf};

/// Returns the nearest directory with a foundry.toml, from `start` upwards. As in Forge, the search does not
/// leave the git repository that contains `start`.
///
/// # Errors
/// Fails if there is no foundry.toml.
pub fn find_root(start: &Path) -> Result<PathBuf, ConfigError> {
    let repository = find_repository(start);
    start
        .ancestors()
        .take_while(|directory| repository.is_none_or(|repository| directory.starts_with(repository)))
        .find(|directory| directory.join("foundry.toml").is_file())
        .map(Path::to_path_buf)
        .ok_or_else(|| ConfigError::NoProject { root: start.to_path_buf() })
}

/// Returns the git repository that contains `start`.
#[must_use]
pub fn find_repository(start: &Path) -> Option<&Path> {
    start.ancestors().find(|directory| directory.join(".git").exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_search_stays_in_the_repository() {
        let outside = tempfile::tempdir().unwrap();
        let repository = outside.path().join("repository");
        let deep = repository.join("a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(repository.join(".git")).unwrap();
        fs::write(outside.path().join("foundry.toml"), "").unwrap();
        assert!(matches!(find_root(&deep), Err(ConfigError::NoProject { .. })));
        fs::write(repository.join("foundry.toml"), "").unwrap();
        assert_eq!(find_root(&deep).unwrap(), repository);
    }

    #[test]
    fn without_a_repository_the_search_goes_all_the_way_up() {
        let project = tempfile::tempdir().unwrap();
        let inside = project.path().join("src/deep");
        fs::create_dir_all(&inside).unwrap();
        fs::write(project.path().join("foundry.toml"), "").unwrap();
        assert_eq!(find_root(&inside).unwrap(), project.path());
    }
}
