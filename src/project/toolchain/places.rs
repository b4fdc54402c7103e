//! Places of compilers on this computer.

use crate::{config::InstalledForge, project::toolchain::known::KnownVersions};
use semver::Version;
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Directories and programs that are used in the search for a compiler.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Directory in which svm, and so Forge, installs compilers: `<svm>/<version>/solc-<version>`.
    pub(crate) svm: Option<PathBuf>,
    /// Directory of our own cache: compilers at `<cache>/<version>/solc`, and the cached versions of
    /// compilers.
    pub(crate) cache: Option<PathBuf>,
    /// Directories of `PATH`.
    pub(crate) path: Vec<PathBuf>,
    /// Name or path of the npm client.
    pub(crate) npm: OsString,
}

impl Places {
    /// Returns the places given by the environment variables.
    pub(crate) fn from_env() -> Self {
        let home = env::home_dir().filter(|home| home.is_absolute());
        let under = |variable: &str, default: &str| {
            env::var_os(variable)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
                .or_else(|| Some(home.as_ref()?.join(default)))
        };
        let data = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
        // As in svm, the directory is `~/.svm` if that exists, else the platform's data directory.
        let dot_svm = home.as_ref().map(|home| home.join(".svm")).filter(|path| path.is_dir());
        Self {
            svm: dot_svm.or_else(|| Some(under("XDG_DATA_HOME", data)?.join("svm"))),
            cache: under("XDG_CACHE_HOME", ".cache").map(|cache| cache.join("forge-harvey/solc")),
            path: env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default(),
            npm: if cfg!(windows) { "npm.cmd" } else { "npm" }.into(),
        }
    }

    /// Returns the compilers that svm installed. As in svm, it is enough that the file exists.
    pub(crate) fn svm_versions(&self) -> Vec<(Version, PathBuf)> {
        self.svm.iter().flat_map(|svm| versions_in(svm, |version| format!("solc-{version}"))).collect()
    }

    /// Returns the compilers that we installed.
    pub(crate) fn own_versions(&self) -> Vec<(Version, PathBuf)> {
        self.cache.iter().flat_map(|cache| versions_in(cache, |_| "solc".to_owned())).collect()
    }

    /// Tells whether a compiler is one that we installed, which runs as WebAssembly.
    pub(crate) fn has_installed(&self, compiler: &Path) -> bool {
        self.cache.as_ref().is_some_and(|cache| compiler.starts_with(cache))
    }

    /// Returns the first `solc` on `PATH`, if it prints a version.
    pub(crate) fn solc_on_path(&self) -> Option<(Version, PathBuf)> {
        let solc = self.program("solc")?;
        let version = KnownVersions::new(self.cache.as_deref()).of(&solc).ok()?;
        Some((version, solc))
    }

    /// Returns the first `forge` on `PATH`, with the version that it prints.
    pub(crate) fn forge_on_path(&self) -> Option<InstalledForge> {
        let path = self.program("forge")?;
        let version = KnownVersions::new(self.cache.as_deref()).of(&path).ok();
        Some(InstalledForge { path, version })
    }

    /// Returns the first file named `name` in the directories of `PATH`.
    pub(crate) fn program(&self, name: &str) -> Option<PathBuf> {
        let name = format!("{name}{}", env::consts::EXE_SUFFIX);
        self.path.iter().map(|directory| directory.join(&name)).find(|path| path.is_file())
    }
}

/// Returns the subdirectories of `directory` that are named like a version and contain `file`, with the
/// file's path.
fn versions_in(directory: &Path, file: impl Fn(&Version) -> String) -> Vec<(Version, PathBuf)> {
    let Ok(entries) = directory.read_dir() else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let version = Version::parse(entry.file_name().to_str()?).ok()?;
            let path = entry.path().join(file(&version));
            path.is_file().then_some((version, path))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    #[test]
    fn compilers_of_svm_and_our_own_are_found_by_their_directories() {
        let home = tempfile::tempdir().unwrap();
        let places = Places {
            svm: Some(home.path().join("svm")),
            cache: Some(home.path().join("cache")),
            path: vec![],
            npm: "npm".into(),
        };
        touch(&home.path().join("svm/0.8.20/solc-0.8.20"));
        touch(&home.path().join("svm/0.8.21/README"));
        touch(&home.path().join("svm/.global-version"));
        touch(&home.path().join("cache/0.7.6/solc"));
        touch(&home.path().join("cache/.tmpx/solc"));
        let names =
            |found: Vec<(Version, PathBuf)>| found.iter().map(|(v, _)| v.to_string()).collect::<Vec<_>>();
        assert_eq!(names(places.svm_versions()), ["0.8.20"]);
        assert_eq!(names(places.own_versions()), ["0.7.6"]);
        assert_eq!(places.solc_on_path(), None);
        let is_own = |found: Vec<(Version, PathBuf)>| places.has_installed(&found[0].1);
        assert!(is_own(places.own_versions()) && !is_own(places.svm_versions()));
    }
}
