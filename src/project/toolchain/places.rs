//! Places of compilers on this computer.

use crate::{
    config::InstalledForge,
    project::toolchain::{known::KnownVersions, native::MIRROR},
};
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
    /// Address of a mirror of native compilers. None of them is downloaded if it is empty.
    pub(crate) mirror: Option<OsString>,
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
        let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(home.as_ref()?.join(".cache")));
        Self {
            svm: home.as_deref().map(|home| svm_directory(home, data_directory(home))),
            mirror: env::var_os(MIRROR),
            cache: cache.map(|cache| cache.join("forge-harvey/solc")),
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
        program_in(&self.path, name)
    }
}

/// Returns the first program of this name in some directories.
pub(crate) fn program_in(directories: &[PathBuf], name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    directories.iter().map(|directory| directory.join(&name)).find(|path| path.is_file())
}

/// Returns the absolute path in an environment variable.
fn absolute(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Returns the user's directory for data of programs, as svm looks for it.
fn data_directory(home: &Path) -> Option<PathBuf> {
    if cfg!(windows) {
        absolute("APPDATA")
    } else if cfg!(target_os = "macos") {
        Some(home.join("Library/Application Support"))
    } else {
        absolute("XDG_DATA_HOME").or_else(|| Some(home.join(".local/share")))
    }
}

/// Returns the directory of svm: `~/.svm` if that exists or if there is no directory for data of programs, else a
/// directory there.
fn svm_directory(home: &Path, data: Option<PathBuf>) -> PathBuf {
    let old = home.join(".svm");
    match data {
        Some(data) if !old.exists() && data.exists() => data.join("svm"),
        _ => old,
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
    fn compilers_are_kept_where_svm_keeps_them() {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("data");
        let kept = || svm_directory(home.path(), Some(data.clone()));
        assert_eq!(kept(), home.path().join(".svm"));
        assert_eq!(svm_directory(home.path(), None), home.path().join(".svm"));
        fs::create_dir(&data).unwrap();
        assert_eq!(kept(), data.join("svm"));
        fs::create_dir(home.path().join(".svm")).unwrap();
        assert_eq!(kept(), home.path().join(".svm"));
    }

    #[test]
    fn compilers_of_svm_and_our_own_are_found_by_their_directories() {
        let home = tempfile::tempdir().unwrap();
        let places = Places {
            svm: Some(home.path().join("svm")),
            mirror: None,
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
