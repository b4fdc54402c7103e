//! Compilers from the npm package `solc`: soljson, run by node. This is for computers that can reach only an
//! npm registry.
//!
//! The npm client is found on `PATH` and reads the user's own configuration, including proxies and mirrors.
//! It runs in an empty directory: in the directory of the project it would obey the project's `.npmrc`, which
//! may choose a registry and the credentials sent to it.

use crate::{
    files::write_atomically,
    project::toolchain::{ToolchainError, child, places::Places},
};
use semver::Version;
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// Time for which the cached list of published versions is used, and other things that may change.
const LIST_LIFETIME: Duration = Duration::from_secs(7 * 24 * 3600);

/// Oldest compiler version that is used.
const OLDEST: Version = Version::new(0, 4, 0);

/// Script that provides solc's command line for `soljson.js`.
const WRAPPER: &str = include_str!("soljson.js");

/// Returns the versions that can be installed, from a fresh cached list or else from the registry.
///
/// # Errors
/// Fails if npm is missing or fails, and there is no cached list.
pub(crate) fn versions(places: &Places) -> Result<Vec<Version>, ToolchainError> {
    let file = places.cache.as_ref().map(|cache| cache.join("versions.json"));
    if let Some(list) = file.as_deref().filter(|file| is_fresh(file)).and_then(read_list) {
        return Ok(list);
    }
    let old = || file.as_deref().and_then(read_list);
    let asked = tempfile::tempdir()
        .map_err(|error| ToolchainError::Unwritable { path: std::env::temp_dir(), error })
        .and_then(|empty| npm(places, empty.path(), ["view", "solc", "versions", "--json"]));
    let text = match asked {
        Ok(text) => text,
        // An outdated list is better than none.
        Err(error) => return old().ok_or(error),
    };
    let list = parse_list(&text)
        .ok_or_else(|| ToolchainError::Npm("`npm view solc versions --json` printed no list".to_owned()))?;
    if let Some(file) = &file {
        // If the list cannot be stored, it is fetched again the next time.
        let _ = write_atomically(file, text.as_bytes());
    }
    Ok(list)
}

/// Returns the path of a version that was installed before.
pub(crate) fn installed(places: &Places, version: &Version) -> Option<PathBuf> {
    let solc = places.cache.as_ref()?.join(version.to_string()).join("solc");
    solc.is_file().then_some(solc)
}

/// Installs a version into our cache and returns the path of the compiler.
///
/// The directory is prepared beside its final place and then renamed, so that it is either complete or
/// absent. If another process has installed the same version meanwhile, that one is used.
///
/// # Errors
/// Fails if the cache is not writable, if npm or node is missing, or if the package cannot be fetched.
pub(crate) fn install(places: &Places, version: &Version) -> Result<PathBuf, ToolchainError> {
    let cache = places.cache.as_deref().ok_or(ToolchainError::NoCache)?;
    let unwritable = |error| ToolchainError::Unwritable { path: cache.to_owned(), error };
    fs::create_dir_all(cache).map_err(unwritable)?;
    let temporary = tempfile::Builder::new().prefix(".install-").tempdir_in(cache).map_err(unwritable)?;

    let package = temporary.path().join("package");
    fs::create_dir(&package).map_err(unwritable)?;
    let wanted = format!("solc@{version}");
    let options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    npm(places, &package, ["install"].into_iter().chain(options).chain([&*wanted]))?;

    let ready = temporary.path().join("ready");
    fs::create_dir(&ready).map_err(unwritable)?;
    fs::rename(package.join("node_modules/solc/soljson.js"), ready.join("soljson.js"))
        .map_err(|_| ToolchainError::Npm(format!("the package solc@{version} holds no soljson.js")))?;
    write_wrapper(&ready).map_err(unwritable)?;
    // The first run loads the compiler, which shows that it works.
    let told = told_version(&ready.join("solc"))?;
    fs::write(ready.join("version"), told).map_err(unwritable)?;

    let place = cache.join(version.to_string());
    match fs::rename(&ready, &place) {
        Err(error) if !place.join("solc").is_file() => Err(unwritable(error)),
        _ => Ok(place.join("solc")),
    }
}

fn write_wrapper(directory: &Path) -> io::Result<()> {
    let solc = directory.join("solc");
    fs::write(&solc, WRAPPER)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&solc, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// Returns the full version that the wrapper prints, such as `0.8.30+commit.73712a01.Emscripten.clang`.
fn told_version(solc: &Path) -> Result<String, ToolchainError> {
    let output = child::told_version(solc).map_err(|error| ToolchainError::unusable(solc, error))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match text.lines().find_map(|line| line.strip_prefix("Version: ")) {
        Some(version) if output.status.success() => Ok(version.to_owned()),
        _ => {
            let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            Err(ToolchainError::unusable(solc, io::Error::other(text)))
        }
    }
}

/// Runs npm in `directory` and returns its output.
fn npm<'a>(
    places: &Places,
    directory: &Path,
    args: impl IntoIterator<Item = &'a str>,
) -> Result<String, ToolchainError> {
    let mut command = child::npm(&places.npm, directory);
    // Without `--prefix`, npm searches for a package in the directories above.
    command.arg("--prefix").arg(directory).arg("--no-update-notifier").args(args);
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => ToolchainError::NoNode,
        _ => ToolchainError::Npm(error.to_string()),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    // The message is that of npm, without its reference to a log file.
    let lines = text.lines().filter(|line| line.contains("error") || line.contains("ERR!"));
    let lines = lines.filter(|line| !line.contains("log of this run")).collect::<Vec<_>>();
    Err(ToolchainError::Npm(if lines.is_empty() { text.trim().to_owned() } else { lines.join("\n") }))
}

/// Tells whether a file of the cache is there and not too old to be used.
pub(super) fn is_fresh(file: &Path) -> bool {
    let modified = fs::metadata(file).and_then(|metadata| metadata.modified());
    modified.is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age < LIST_LIFETIME))
}

fn read_list(file: &Path) -> Option<Vec<Version>> {
    parse_list(&fs::read_to_string(file).ok()?)
}

/// Parses the list of versions. Only releases from 0.4.0 on are kept, not nightlies or
/// re-releases (`0.8.7-fixed`).
fn parse_list(json: &str) -> Option<Vec<Version>> {
    let names: Vec<String> = serde_json::from_str(json).ok()?;
    let versions = names.iter().filter_map(|name| Version::parse(name).ok());
    Some(versions.filter(|version| version.pre.is_empty() && *version >= OLDEST).collect())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// Returns places in which npm is the shell script `npm`.
    fn machine(npm: &str) -> (tempfile::TempDir, Places) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("npm");
        fs::write(&path, format!("#!/bin/sh\n{npm}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let cache = Some(directory.path().join("cache"));
        (directory, Places { svm: None, mirror: None, cache, path: vec![], npm: path.into() })
    }

    /// npm script that installs a compiler of one version, similar to old emscripten builds.
    const INSTALLS: &str = r#"
mkdir -p "$2/node_modules/solc"
echo 'exports._version = () => 0;
exports.Pointer_stringify = () => "0.4.26+commit.4563c3fc.Emscripten.clang";' \
  > "$2/node_modules/solc/soljson.js""#;

    #[test]
    fn the_list_of_versions_is_asked_for_once_and_holds_releases_only() {
        let (directory, places) =
            machine(r#"echo run >> "$(dirname "$0")/log"; echo '["0.3.6","0.4.26","0.8.7-fixed","0.8.30"]'"#);
        let expected = [Version::new(0, 4, 26), Version::new(0, 8, 30)];
        assert_eq!(versions(&places).unwrap(), expected);
        assert_eq!(versions(&places).unwrap(), expected);
        assert_eq!(fs::read_to_string(directory.path().join("log")).unwrap(), "run\n");
    }

    #[test]
    fn an_installed_compiler_tells_its_version_without_being_loaded() {
        let (_directory, places) = machine(INSTALLS);
        let solc = install(&places, &Version::new(0, 4, 26)).unwrap();
        fs::write(solc.with_file_name("soljson.js"), "throw new Error('loaded')").unwrap();
        assert_eq!(told_version(&solc).unwrap(), "0.4.26+commit.4563c3fc.Emscripten.clang");
        assert_eq!(places.own_versions(), [(Version::new(0, 4, 26), solc)]);
    }

    #[test]
    fn a_second_installation_of_a_version_uses_the_first() {
        let (_directory, places) = machine(INSTALLS);
        let first = install(&places, &Version::new(0, 4, 26)).unwrap();
        assert_eq!(install(&places, &Version::new(0, 4, 26)).unwrap(), first);
        let left = fs::read_dir(places.cache.unwrap()).unwrap().count();
        assert_eq!(left, 1, "no temporary directory stays behind");
    }

    #[test]
    fn npm_sees_neither_the_project_nor_the_variables_of_others() {
        let (directory, places) =
            machine(r#"(pwd; ls -A; env | grep -c '^CARGO') > "$(dirname "$0")/log"; echo '["0.8.30"]'"#);
        versions(&places).unwrap();
        let log = fs::read_to_string(directory.path().join("log")).unwrap();
        let lines: Vec<&str> = log.lines().collect();
        assert!(lines.len() == 2 && lines[1] == "0", "{log}");
        assert_ne!(Path::new(lines[0]), std::env::current_dir().unwrap());
    }

    #[test]
    fn without_npm_the_error_says_what_to_install() {
        let (_directory, mut places) = machine("");
        places.npm = "/nowhere/npm".into();
        let error = install(&places, &Version::new(0, 8, 30)).unwrap_err();
        assert!(matches!(error, ToolchainError::NoNode));
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_named() {
        let (directory, mut places) = machine("");
        let file = directory.path().join("file");
        fs::write(&file, "").unwrap();
        places.cache = Some(file.join("cache"));
        let error = install(&places, &Version::new(0, 8, 30)).unwrap_err();
        assert!(matches!(error, ToolchainError::Unwritable { .. }), "{error}");
    }

    #[test]
    fn a_failing_npm_is_quoted() {
        let (_directory, places) = machine("echo 'npm error code E404' >&2; exit 1");
        let error = install(&places, &Version::new(0, 8, 99)).unwrap_err();
        assert_eq!(error.to_string(), "npm could not fetch the compiler: npm error code E404");
    }
}
