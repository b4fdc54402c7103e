//! Download of native compilers to the place where svm, and so Forge, keeps them.
//!
//! svm's own crate cannot be used here: its servers, its directory and its time limits are fixed.

use super::{
    ToolchainError, archive, child, known, npm,
    places::Places,
    platform::{self, BuildSource},
    release_list::{NativeBuild, ReleaseList},
    server::{self, RequestError},
    version_directory::{self, VersionDirectory},
};
use crate::{
    files::write_atomically,
    project::events::{CompileEvent, CompileProgress},
};
use alloy_primitives::hex;
use reqwest::Url;
use semver::Version;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};
use tempfile::TempPath;

/// Environment variable with the address of a mirror. If it is empty, no native compiler is downloaded.
pub(super) const MIRROR: &str = "FORGE_HARVEY_SOLC_RELEASES";

/// Native compilers that can be downloaded.
pub(crate) struct NativeCompilers<'a> {
    places: &'a Places,
    known: Mutex<KnownLists>,
}

/// Answers of servers in this run: no list is asked for twice, and no server after one that could not be reached.
#[derive(Default)]
struct KnownLists {
    lists: BTreeMap<&'static str, Result<ReleaseList, String>>,
    unreachable: Option<String>,
}

impl<'a> NativeCompilers<'a> {
    pub(crate) fn new(places: &'a Places) -> Self {
        Self { places, known: Mutex::default() }
    }

    /// Returns the versions that servers offer for this computer.
    ///
    /// # Errors
    /// Fails with [`ToolchainError::NoNative`] if no server has a list, and otherwise if the address of the mirror is
    /// wrong.
    pub(crate) fn versions(&self) -> Result<Vec<Version>, ToolchainError> {
        let (mut versions, mut failure) = (Vec::new(), None);
        for source in platform::sources() {
            match self.with_list(source, |list| list.versions().cloned().collect::<Vec<_>>()) {
                Ok(listed) => versions.extend(listed.into_iter().filter(|version| source.has(version))),
                Err(error @ ToolchainError::NoNative(_)) => failure = Some(error),
                Err(error) => return Err(error),
            }
        }
        match failure {
            Some(error) if versions.is_empty() => Err(error),
            _ => Ok(versions),
        }
    }

    /// Returns the path of a version, which is downloaded if it is not there. The download appears at its place only
    /// when it is complete, has the listed checksum, and runs.
    ///
    /// # Errors
    /// Fails with [`ToolchainError::NoNative`] if there is no such build, or if it cannot be fetched, stored or run.
    /// Fails otherwise if the address of the mirror is wrong, or if the checksum is.
    pub(crate) fn install(
        &self,
        version: &Version,
        progress: &CompileProgress<'_>,
    ) -> Result<PathBuf, ToolchainError> {
        let no_home = || no_native("there is no directory for it; set HOME");
        let svm = self.places.svm.as_deref().ok_or_else(no_home)?;
        let installed = version_directory::compiler(svm, version);
        if installed.is_file() {
            return Ok(installed);
        }
        let source = platform::sources().iter().find(|source| source.has(version));
        let source = source.ok_or_else(|| no_native("there is none for this platform"))?;
        if let Some(reason) = self.unusable(version).as_deref().and_then(remembered) {
            return Err(no_native(reason));
        }
        let build = self.with_list(source, |list| list.get(version).cloned())?;
        let build = build.ok_or_else(|| no_native("the list of releases has none"))?;
        progress.tell(CompileEvent::Downloading { version: version.clone() });
        let directory = VersionDirectory::lock(svm, version)
            .map_err(|error| no_native(format!("cannot write to `{}`: {error}", svm.display())))?;
        // Another process may have been faster.
        if !installed.is_file() {
            self.store(source, &build, version, &directory)?;
        }
        Ok(installed)
    }

    /// Downloads a build, checks it, and puts it in its place.
    fn store(
        &self,
        source: &BuildSource,
        build: &NativeBuild,
        version: &Version,
        directory: &VersionDirectory,
    ) -> Result<(), ToolchainError> {
        let to = directory.compiler();
        let unwritable = |error: io::Error| no_native(format!("cannot write `{}`: {error}", to.display()));
        let download = self.download(source, build, directory)?;
        let compiler = unpacked(download, build, to).map_err(unwritable)?;
        check(&compiler, version).map_err(|reason| remember(self.unusable(version).as_deref(), reason))?;
        compiler.persist(to).map_err(|error| unwritable(error.error))
    }

    /// Returns the file with the reason why the build of a version cannot be used here.
    fn unusable(&self, version: &Version) -> Option<PathBuf> {
        Some(self.places.cache.as_ref()?.join(format!("unusable-{version}")))
    }

    /// Downloads a build beside its place.
    fn download(
        &self,
        source: &BuildSource,
        build: &NativeBuild,
        directory: &VersionDirectory,
    ) -> Result<TempPath, ToolchainError> {
        let url = self.url(source, &build.file)?;
        let path = directory.download();
        let unwritable = |error: io::Error| no_native(format!("cannot write `{}`: {error}", path.display()));
        let mut file = File::create(&path).map_err(unwritable)?;
        // From here on, the file is removed unless it is kept.
        let download = TempPath::try_from_path(&path).map_err(unwritable)?;
        let found = server::build(&url, &mut file).map_err(|error| no_native(error.into_reason()))?;
        if found != build.sha256 {
            let [expected, found] = [build.sha256, found].map(hex::encode);
            let url = server::shown(&url).to_string();
            return Err(ToolchainError::Checksum { url, expected, found });
        }
        // Otherwise a power failure might leave a name without content.
        file.sync_all().map_err(unwritable)?;
        Ok(download)
    }

    /// Passes the list of a directory to `read`; it is fetched if that was not tried yet.
    fn with_list<T>(
        &self,
        source: &BuildSource,
        read: impl FnOnce(&ReleaseList) -> T,
    ) -> Result<T, ToolchainError> {
        let url = self.url(source, "list.json")?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let KnownLists { lists, unreachable } = &mut *known;
        let list = lists.entry(source.directory).or_insert_with(|| {
            if let Some(reason) = unreachable {
                return Err(reason.clone());
            }
            let fetched = server::list(&url).map_err(|error| {
                if let RequestError::Unreachable(reason) = &error {
                    *unreachable = Some(reason.clone());
                }
                error.into_reason()
            });
            let parse = |text: Vec<u8>| ReleaseList::parse(&text);
            fetched.and_then(|text| {
                parse(text)
                    .map_err(|error| format!("{} is no list of releases: {error}", server::shown(&url)))
            })
        });
        list.as_ref().map(read).map_err(no_native)
    }

    /// Returns the URL of a file in a directory, on the mirror if there is one.
    fn url(&self, source: &BuildSource, file: &str) -> Result<Url, ToolchainError> {
        let joined = match self.places.mirror.as_deref() {
            None => Url::parse(&format!("{}/{file}", source.url)),
            Some(value) if value.is_empty() => return Err(no_native(format!("{MIRROR} is empty"))),
            Some(value) => {
                let mirror = server::mirror(value).map_err(|reason| ToolchainError::Mirror { reason })?;
                mirror.join(&format!("{}/{file}", source.directory))
            }
        };
        Ok(joined.expect("names of directories and files fit into a URL"))
    }
}

fn no_native(reason: impl ToString) -> ToolchainError {
    ToolchainError::NoNative(reason.to_string())
}

/// Turns a verified download into a program beside its place, and unpacks it if it is an archive.
fn unpacked(download: TempPath, build: &NativeBuild, to: &Path) -> io::Result<TempPath> {
    let compiler = match build.file.ends_with(".zip") {
        true => archive::unpack(&download, to)?,
        false => download,
    };
    // As svm does, whatever the umask is.
    #[cfg(unix)]
    fs::set_permissions(&compiler, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(compiler)
}

/// Checks that a compiler runs on this computer and is of a version.
///
/// # Errors
/// Fails with the reason, for example that there is no linker for it (NixOS, Alpine) or no Rosetta (macOS).
fn check(compiler: &Path, version: &Version) -> Result<(), String> {
    let mut patience = 20;
    let output = loop {
        match child::told_version(compiler) {
            // A child of another thread still has the file open for writing, until it starts its own program.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && patience > 0 => {
                patience -= 1;
                thread::sleep(Duration::from_millis(50));
            }
            output => {
                break output.map_err(|error| format!("the downloaded one does not run here: {error}"))?;
            }
        }
    };
    match known::parse(&String::from_utf8_lossy(&output.stdout)) {
        Some(told) if told == *version => Ok(()),
        Some(told) => Err(format!("the downloaded one is of version {told}")),
        None => Err(format!("the downloaded one does not run here: {}", output.status)),
    }
}

/// Stores the reason why a compiler cannot be used, so that it is not downloaded in each run.
fn remember(file: Option<&Path>, reason: String) -> ToolchainError {
    if let Some(file) = file {
        // If it cannot be stored, the compiler is downloaded again the next time.
        let _ = write_atomically(file, reason.as_bytes());
    }
    no_native(reason)
}

/// Returns a reason that was stored lately.
fn remembered(file: &Path) -> Option<String> {
    npm::is_fresh(file).then(|| fs::read_to_string(file).ok()).flatten()
}
