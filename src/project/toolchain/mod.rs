//! Compilers: where they are found, and how they are run.
//!
//! A configured path is used first. Otherwise the search has these stages: compilers installed by svm (and so
//! by Forge), then `solc` on `PATH`, then compilers from npm that we installed, then native compilers that can be
//! downloaded, then the npm package `solc`, which runs under node as WebAssembly. A later stage is used only if no
//! compiler of the earlier stages fits, so that a project is compiled with the same compiler as by Forge. If a project
//! has not changed, no process is started to find out versions that are not needed, and there is no connection.
//!
//! A version of which only the WebAssembly is there is downloaded as native compiler before it runs, because that is
//! several times as fast. If this fails, WebAssembly is used. Only a download with a wrong checksum is an error:
//! somebody may have changed the file, and a run that goes on would hide this.

mod archive;
mod child;
mod error;
mod known;
mod native;
mod npm;
mod places;
mod platform;
mod release_list;
mod server;
#[cfg(test)]
mod tests;
mod variants;
mod version_directory;

#[cfg(unix)]
pub(crate) use child::signal_group;
pub(crate) use child::{end_group, in_own_group, restrict};
pub use error::ToolchainError;
pub(crate) use native::NativeCompilers;
pub(crate) use places::{Places, program_in};
pub use variants::SourceVariants;

use crate::{
    config::{CompilerConfig, SolcRequest},
    project::events::{CompileEvent, CompileProgress},
};
use foundry_compilers::{
    Compiler, CompilerVersion, Vyper, VyperCompilationError, VyperOutput,
    artifacts::{CompilerOutput as SolcOutput, Contract},
    compilers::{
        CompilerOutput,
        multi::{
            MultiCompilerError, MultiCompilerInput, MultiCompilerLanguage, MultiCompilerParser,
            MultiCompilerSettings,
        },
        solc::{CliSettings, Solc, SolcVersionedInput},
        vyper::input::VyperVersionedInput,
    },
    error::{Result as CompilersResult, SolcError},
};
use known::KnownVersions;
use semver::Version;
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

/// Stage of the search for compilers. Each stage includes the ones before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LookupStage {
    /// Compilers installed by svm.
    Svm,
    /// Also `solc` on `PATH`.
    OnPath,
    /// Also compilers of npm that we installed.
    Kept,
    /// Also native compilers that can be downloaded.
    Native,
    /// Also compilers that npm offers.
    Npm,
}

impl LookupStage {
    pub(crate) const ALL: [Self; 5] = [Self::Svm, Self::OnPath, Self::Kept, Self::Native, Self::Npm];
}

/// Available versions of solc with their paths; a version without a path has to be fetched.
pub(crate) type Choice = BTreeMap<Version, Option<PathBuf>>;

/// Returns the compilers that are available for a request in a stage of the search.
///
/// # Errors
/// Fails if the requested compiler does not work, if the address of the mirror is wrong, or if npm cannot be asked.
pub(crate) fn choose(
    request: &SolcRequest,
    stage: LookupStage,
    places: &Places,
    native: &NativeCompilers<'_>,
) -> Result<Choice, ToolchainError> {
    if let SolcRequest::Path(path) = request {
        let version = KnownVersions::new(places.cache.as_deref()).of(path)?;
        return Ok(Choice::from([(version, Some(path.clone()))]));
    }
    let mut choice = Choice::new();
    if *request == SolcRequest::Auto && stage >= LookupStage::Native {
        choice.extend(offered(stage, places, native)?.into_iter().map(|version| (version, None)));
    }
    // Later entries replace earlier ones, so that a compiler of svm is preferred to another one of the same
    // version.
    if stage >= LookupStage::Kept {
        choice.extend(places.own_versions().into_iter().map(installed));
    }
    if stage >= LookupStage::OnPath {
        choice.extend(places.solc_on_path().map(installed));
    }
    choice.extend(places.svm_versions().into_iter().map(installed));
    if let SolcRequest::Version(wanted) = request {
        choice.retain(|version, _| version == wanted);
        if stage >= LookupStage::Native {
            choice.entry(wanted.clone()).or_insert(None);
        }
    }
    Ok(choice)
}

/// Returns the versions that can be fetched in a stage of the search.
fn offered(
    stage: LookupStage,
    places: &Places,
    native: &NativeCompilers<'_>,
) -> Result<Vec<Version>, ToolchainError> {
    let (mut versions, reason) = match native.versions() {
        Ok(versions) => (versions, None),
        Err(ToolchainError::NoNative(reason)) => (Vec::new(), Some(reason)),
        Err(error) => return Err(error),
    };
    if stage >= LookupStage::Npm {
        versions.extend(npm::versions(places).map_err(|npm| npm.after(reason))?);
    }
    Ok(versions)
}

fn installed((version, path): (Version, PathBuf)) -> (Version, Option<PathBuf>) {
    (version, Some(path))
}

/// Returns the reason why no compiler is fetched, if the configuration says so.
pub(crate) fn fetches_nothing(compiler: &CompilerConfig) -> Option<&'static str> {
    match &compiler.solc {
        SolcRequest::Path(_) => Some("the path of this one is configured"),
        _ if compiler.offline => Some("nothing is fetched offline; run once without `--offline`"),
        _ => None,
    }
}

/// Compiler for foundry-compilers: runs each input with the version that was chosen by its pragmas.
#[derive(Clone)]
pub(crate) struct Toolchain<'a> {
    /// Available versions of solc.
    pub(crate) solc: Choice,
    /// Vyper compiler, if the project has Vyper sources and a compiler is installed.
    pub(crate) vyper: Option<Vyper>,
    /// Directories and programs of this computer, for installing a fetched compiler.
    pub(crate) places: &'a Places,
    /// Native compilers that can be downloaded.
    pub(crate) native: &'a NativeCompilers<'a>,
    /// Reason why nothing is fetched, if that is so.
    pub(crate) fetches_nothing: Option<&'static str>,
    /// Receiver of progress events.
    pub(crate) progress: &'a CompileProgress<'a>,
    /// Texts of a source that are compiled in one call.
    pub(crate) variants: Option<&'a SourceVariants>,
}

impl Toolchain<'_> {
    /// Returns the path of a version of solc, which is fetched if it is not installed. If it runs as WebAssembly, also
    /// returns the reason why it is not a native compiler.
    fn solc(&self, version: &Version) -> Result<(PathBuf, Option<String>), ToolchainError> {
        let kept = match self.solc.get(version) {
            Some(Some(path)) if !self.places.has_installed(path) => return Ok((path.clone(), None)),
            Some(path) => path.clone(),
            None => None,
        };
        let native = match self.fetches_nothing {
            Some(_) if kept.is_none() => return Err(ToolchainError::Offline(Some(version.clone()))),
            Some(reason) => Err(ToolchainError::NoNative(reason.to_owned())),
            None => self.native.install(version, self.progress),
        };
        let reason = match native {
            Ok(path) => return Ok((path, None)),
            Err(ToolchainError::NoNative(reason)) => reason,
            Err(error) => return Err(error),
        };
        let path = match kept.or_else(|| npm::installed(self.places, version)) {
            Some(path) => path,
            None => {
                self.progress.tell(CompileEvent::Installing { version: version.clone() });
                npm::install(self.places, version).map_err(|npm| npm.after(Some(reason.clone())))?
            }
        };
        Ok((path, Some(reason)))
    }
}

impl Compiler for Toolchain<'_> {
    type Input = MultiCompilerInput;
    type CompilationError = MultiCompilerError;
    type CompilerContract = Contract;
    type Parser = MultiCompilerParser;
    type Settings = MultiCompilerSettings;
    type Language = MultiCompilerLanguage;

    fn compile(
        &self,
        input: &Self::Input,
    ) -> CompilersResult<CompilerOutput<Self::CompilationError, Self::CompilerContract>> {
        match input {
            MultiCompilerInput::Solc(input) => {
                let (path, not_native) = self.solc(&input.version).map_err(SolcError::msg)?;
                self.progress.compiling("Solc", &input.version, not_native);
                let start = Instant::now();
                let run = |input: &SolcVersionedInput| run_solc(&path, input);
                let json = match self.variants {
                    Some(variants) => variants.compile(input, run)?,
                    None => run(input)?,
                };
                let SolcOutput { errors, contracts, sources, .. } = parsed(&json)?;
                let output = CompilerOutput { errors, contracts, sources, metadata: BTreeMap::new() };
                self.progress.compiled("Solc", &input.version, start.elapsed());
                Ok(output.map_err(MultiCompilerError::Solc))
            }
            MultiCompilerInput::Vyper(input) => {
                let vyper =
                    self.vyper.as_ref().ok_or_else(|| SolcError::msg("there is no Vyper compiler"))?;
                self.progress.compiling("Vyper", &vyper.version, None);
                let start = Instant::now();
                let output = run_vyper(vyper, input)?;
                self.progress.compiled("Vyper", &vyper.version, start.elapsed());
                Ok(output.map_err(MultiCompilerError::Vyper))
            }
        }
    }

    fn available_versions(&self, language: &Self::Language) -> Vec<CompilerVersion> {
        match language {
            MultiCompilerLanguage::Solc(_) => {
                let version = |(version, path): (&Version, &Option<PathBuf>)| match path {
                    Some(_) => CompilerVersion::Installed(version.clone()),
                    None => CompilerVersion::Remote(version.clone()),
                };
                let mut versions = self.solc.iter().map(version).collect::<Vec<_>>();
                // Sorted by kind first, because foundry-compilers takes the last version that fits.
                versions.sort_unstable();
                versions
            }
            MultiCompilerLanguage::Vyper(_) => {
                let plain = |v: &Version| Version::new(v.major, v.minor, v.patch);
                self.vyper.iter().map(|vyper| CompilerVersion::Installed(plain(&vyper.version))).collect()
            }
        }
    }
}

/// Runs solc like foundry-compilers, but with the restricted environment variables of our child processes.
fn run_solc(path: &Path, input: &SolcVersionedInput) -> CompilersResult<Vec<u8>> {
    let mut solc = Solc::new_with_version(path, input.version.clone());
    let CliSettings { extra_args, allow_paths, base_path, include_paths } = input.cli_settings.clone();
    (solc.extra_args, solc.allow_paths) = (extra_args, allow_paths);
    (solc.base_path, solc.include_paths) = (base_path, include_paths);
    child::standard_json(solc.configure_cmd(), path, &input.input)
}

fn run_vyper(
    vyper: &Vyper,
    input: &VyperVersionedInput,
) -> CompilersResult<CompilerOutput<VyperCompilationError, Contract>> {
    let mut command = Command::new(&vyper.path);
    command.arg("--standard-json");
    let output: VyperOutput = parsed(&child::standard_json(command, &vyper.path, input)?)?;
    Ok(output.into())
}

fn parsed<'a, T: Deserialize<'a>>(json: &'a [u8]) -> CompilersResult<T> {
    let json = std::str::from_utf8(json).map_err(|_| SolcError::InvalidUtf8)?;
    Ok(serde_json::from_str(json)?)
}
