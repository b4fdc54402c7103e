//! Directories of a project, to tell its own sources from those of libraries.

use crate::{config::PathsConfig, model::ContractId, project::sources};
use foundry_compilers::artifacts::remappings::Remapping;
use std::path::{Path, PathBuf};

/// Directories of a project.
#[derive(Debug, Default)]
pub(crate) struct Directories {
    root: PathBuf,
    /// Directories of libraries, relative to the root, each with a `/` at its end.
    libraries: Vec<String>,
    /// Directories of contracts, tests and scripts, in this order and the same form.
    own: Vec<String>,
    remappings: Vec<Remapping>,
}

impl Directories {
    /// Takes the directories that are configured.
    pub(crate) fn new(paths: &PathsConfig) -> Self {
        let root = &paths.root;
        Self {
            root: root.clone(),
            libraries: paths.libs.iter().map(|library| prefix(root, library)).collect(),
            own: [&paths.src, &paths.test, &paths.script].map(|own| prefix(root, own)).into(),
            // The compiler has refused others.
            remappings: paths.remappings.iter().filter_map(|text| text.parse().ok()).collect(),
        }
    }

    /// Makes the directories of a project without sources.
    pub(crate) fn at(root: &Path) -> Self {
        Self { root: root.to_owned(), ..Self::default() }
    }

    /// Returns the absolute path of a contract's source.
    pub(crate) fn source(&self, contract: &ContractId) -> PathBuf {
        self.root.join(&contract.path)
    }

    /// Returns the source that an import of `path` in the source `importer` means by a remapping, relative to the root
    /// where possible.
    pub(crate) fn remapped(&self, path: &str, importer: &str) -> Option<String> {
        let directory = Path::new(importer).parent().unwrap_or(Path::new(""));
        let applies = |remapping: &&Remapping| {
            remapping.context.as_ref().is_none_or(|context| directory.starts_with(context))
        };
        let (target, rest) = self.remappings.iter().filter(applies).find_map(|remapping| {
            Some((Path::new(&remapping.path), Path::new(path).strip_prefix(&remapping.name).ok()?))
        })?;
        // A remapping may be one of a single file.
        let mut full = if rest == Path::new("") { target.to_owned() } else { target.join(rest) };
        // As in Forge, a directory `contracts` may be named by the remapping and by the path again.
        if let Ok(rest) = rest.strip_prefix("contracts")
            && target.ends_with("contracts")
            && !self.root.join(&full).exists()
        {
            full = target.join(rest);
        }
        Some(full.strip_prefix(&self.root).unwrap_or(&full).display().to_string())
    }

    /// Tells whether a file, given by its absolute path, has settings on which all sources depend.
    pub(crate) fn is_settings_file(&self, path: &Path) -> bool {
        path.parent() == Some(&self.root)
            && path.file_name().is_some_and(|name| name == "foundry.toml" || name == "remappings.txt")
    }

    /// Tells whether a source belongs to a library.
    pub(crate) fn is_library(&self, path: &str) -> bool {
        let is_in =
            |dirs: &[String]| dirs.iter().any(|dir| !dir.is_empty() && path.starts_with(dir.as_str()));
        let is_usual = || path.split('/').any(|part| matches!(part, "lib" | "node_modules"));
        is_in(&self.libraries) || !is_in(&self.own) && is_usual()
    }

    /// Tells whether a source is scaffolding of tests by its path below the directory of contracts.
    pub(crate) fn is_scaffolding(&self, path: &str) -> bool {
        let below = self.own.first().and_then(|contracts| path.strip_prefix(contracts.as_str()));
        let below = below.unwrap_or(path);
        let (directories, file) = below.rsplit_once('/').unwrap_or(("", below));
        let is_known = |part: &str| SCAFFOLDING.contains(&part.to_lowercase().as_str());
        directories.split('/').any(is_known) || is_scaffolding_file(file)
    }

    /// Tells whether a source is in the directory of contracts, and not in that of tests or scripts.
    pub(crate) fn is_contract(&self, path: &str) -> bool {
        let [contracts, others @ ..] = &self.own[..] else { return false };
        let is_other = |dir: &String| dir.len() > contracts.len() && path.starts_with(dir.as_str());
        path.starts_with(contracts.as_str()) && !self.is_library(path) && !others.iter().any(is_other)
    }
}

/// Names of directories with scaffolding of tests.
const SCAFFOLDING: [&str; 14] = [
    "test",
    "tests",
    "testing",
    "mock",
    "mocks",
    "echidna",
    "medusa",
    "fuzz",
    "fuzzing",
    "certora",
    "harness",
    "harnesses",
    "invariant",
    "invariants",
];

/// Tells whether a file is named like scaffolding of tests.
fn is_scaffolding_file(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    name.ends_with(".t.sol")
        || ["Mock", "Echidna", "Harness"].iter().any(|part| stem.starts_with(part) || stem.ends_with(part))
        || stem.ends_with("Test")
}

/// Returns the prefix of the paths in a directory: its path relative to the root, with a `/` at its end.
fn prefix(root: &Path, directory: &Path) -> String {
    match sources::relative(root, directory) {
        root if root.is_empty() => root,
        directory => directory + "/",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_remapped_as_an_import_is() {
        let texts =
            ["test:a/=lib/test-a/", "a/=lib/a/src/", "b/=/root/lib/b/contracts/", "One.sol=lib/one/One.sol"];
        let remappings = texts.iter().map(|text| text.parse().unwrap()).collect();
        let directories = Directories { root: "/root".into(), remappings, ..Directories::default() };
        let remapped = |path, importer| directories.remapped(path, importer);
        assert_eq!(remapped("a/X.sol", "test/T.t.sol").as_deref(), Some("lib/test-a/X.sol"));
        assert_eq!(remapped("a/X.sol", "src/T.sol").as_deref(), Some("lib/a/src/X.sol"));
        assert_eq!(remapped("b/contracts/Y.sol", "src/T.sol").as_deref(), Some("lib/b/contracts/Y.sol"));
        assert_eq!(remapped("One.sol", "src/T.sol").as_deref(), Some("lib/one/One.sol"));
        assert_eq!(remapped("ab/X.sol", "src/T.sol"), None);
    }

    #[test]
    fn scaffolding_is_known_by_its_path_below_the_directory_of_contracts() {
        let own = ["test/src/".to_owned(), "test/".to_owned(), "script/".to_owned()];
        let directories = Directories { own: own.into(), ..Directories::default() };
        for path in
            ["test/src/mocks/A.sol", "test/src/a/Echidna/B.sol", "test/src/MockERC20.sol", "test/src/A.t.sol"]
        {
            assert!(directories.is_scaffolding(path), "{path}");
        }
        for path in ["test/src/A.sol", "test/src/vaults/Testament.sol", "test/src/Contest.sol"] {
            assert!(!directories.is_scaffolding(path), "{path}");
        }
    }
}
