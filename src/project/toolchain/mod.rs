//! Compilers: where they are found, and how they are run.
//!
//! A configured path is used first. Otherwise the search has these stages: compilers installed by svm (and so
//! by Forge), then `solc` on `PATH` and compilers that we installed, then the npm package `solc`, which runs
//! under node. A later stage is used only if no compiler of the earlier stages fits, so that a project is
//! compiled with the same compiler as by Forge. If a project has not changed, no process is started to find
//! out versions that are not needed.

mod child;
mod known;
mod npm;
mod places;

pub(super) use child::restrict;
pub(crate) use places::Places;

use crate::{
    config::SolcRequest,
    project::events::{CompileEvent, CompileProgress},
};
use foundry_compilers::{
    Compiler, CompilerVersion, Vyper, VyperCompilationError, VyperOutput,
    artifacts::{CompilerOutput as SolcOutput, Contract, Error as SolidityError},
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
    io,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

/// Error of finding or installing a compiler.
#[derive(Debug, thiserror::Error)]
pub enum ToolchainError {
    /// The compiler given by path, or found on `PATH`, does not work.
    #[error("cannot use the compiler `{path}`: {error}")]
    Unusable {
        /// Path of the compiler.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// A compiler would have to be fetched, but the user asked to work offline. The version is given if one
    /// was requested.
    #[error(
        "{} is not installed and nothing is fetched offline; run once without `--offline`, \
         or give the path of a compiler with `--use`",
        .0.as_ref().map_or_else(|| "a fitting compiler".to_owned(), |version| format!("solc {version}"))
    )]
    Offline(Option<Version>),
    /// npm cannot be started.
    #[error(
        "fetching a compiler needs Node.js with `npm` and `node` on PATH; install it, \
         install the compiler with svm, or give its path with `--use`"
    )]
    NoNode,
    /// npm failed; the message is npm's.
    #[error("npm could not fetch the compiler: {0}")]
    Npm(String),
    /// The environment sets neither a home nor a cache directory.
    #[error("there is no directory to keep a compiler in; set HOME or XDG_CACHE_HOME")]
    NoCache,
    /// Our cache directory cannot be written.
    #[error(
        "cannot keep a compiler in `{path}`: {error}; set XDG_CACHE_HOME to a directory that can be written"
    )]
    Unwritable {
        /// Path of the directory.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
}

impl ToolchainError {
    fn unusable(path: &Path, error: io::Error) -> Self {
        Self::Unusable { path: path.to_owned(), error }
    }
}

/// Stage of the search for compilers. Each stage includes the ones before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LookupStage {
    /// Compilers installed by svm.
    Svm,
    /// Also `solc` on `PATH`, and compilers that we installed.
    Installed,
    /// Also compilers that npm offers.
    Registry,
}

/// Available versions of solc with their paths; a version without a path has to be fetched.
pub(crate) type Choice = BTreeMap<Version, Option<PathBuf>>;

/// Returns the compilers that are available for a request in a stage of the search.
///
/// # Errors
/// Fails if the requested compiler does not work, or if the registry cannot be queried.
pub(crate) fn choose(
    request: &SolcRequest,
    stage: LookupStage,
    places: &Places,
) -> Result<Choice, ToolchainError> {
    if let SolcRequest::Path(path) = request {
        let version = KnownVersions::new(places.cache.as_deref()).of(path)?;
        return Ok(Choice::from([(version, Some(path.clone()))]));
    }
    let mut choice = Choice::new();
    if stage >= LookupStage::Registry && *request == SolcRequest::Auto {
        choice.extend(npm::versions(places)?.into_iter().map(|version| (version, None)));
    }
    // Later entries replace earlier ones, so that a compiler of svm is preferred to another one of the same
    // version.
    if stage >= LookupStage::Installed {
        choice.extend(places.own_versions().into_iter().map(installed));
        choice.extend(places.solc_on_path().map(installed));
    }
    choice.extend(places.svm_versions().into_iter().map(installed));
    if let SolcRequest::Version(wanted) = request {
        choice.retain(|version, _| version == wanted);
        if stage >= LookupStage::Registry {
            choice.entry(wanted.clone()).or_insert(None);
        }
    }
    Ok(choice)
}

fn installed((version, path): (Version, PathBuf)) -> (Version, Option<PathBuf>) {
    (version, Some(path))
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
    /// True if nothing may be fetched.
    pub(crate) offline: bool,
    /// Receiver of progress events.
    pub(crate) progress: &'a CompileProgress<'a>,
}

impl Toolchain<'_> {
    /// Returns the path of a version of solc, which is fetched if it is not installed.
    fn solc(&self, version: &Version) -> Result<PathBuf, ToolchainError> {
        match self.solc.get(version) {
            Some(Some(path)) => Ok(path.clone()),
            _ if self.offline => Err(ToolchainError::Offline(Some(version.clone()))),
            _ => {
                self.progress.tell(CompileEvent::Installing { version: version.clone() });
                npm::install(self.places, version)
            }
        }
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
                let path = self.solc(&input.version).map_err(SolcError::msg)?;
                let is_native = !self.places.has_installed(&path);
                self.progress.compiling("Solc", &input.version, is_native);
                let start = Instant::now();
                let output = run_solc(&path, input)?;
                self.progress.compiled("Solc", &input.version, start.elapsed());
                Ok(output.map_err(MultiCompilerError::Solc))
            }
            MultiCompilerInput::Vyper(input) => {
                let vyper =
                    self.vyper.as_ref().ok_or_else(|| SolcError::msg("there is no Vyper compiler"))?;
                self.progress.compiling("Vyper", &vyper.version, true);
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
fn run_solc(
    path: &Path,
    input: &SolcVersionedInput,
) -> CompilersResult<CompilerOutput<SolidityError, Contract>> {
    let mut solc = Solc::new_with_version(path, input.version.clone());
    let CliSettings { extra_args, allow_paths, base_path, include_paths } = input.cli_settings.clone();
    (solc.extra_args, solc.allow_paths) = (extra_args, allow_paths);
    (solc.base_path, solc.include_paths) = (base_path, include_paths);
    let json = child::standard_json(solc.configure_cmd(), path, &input.input)?;
    let SolcOutput { errors, contracts, sources, .. } = parsed(&json)?;
    Ok(CompilerOutput { errors, contracts, sources, metadata: BTreeMap::new() })
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn machine(svm: &[&str], own: &[&str]) -> (tempfile::TempDir, Places) {
        let home = tempfile::tempdir().unwrap();
        let file = |path: PathBuf| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        svm.iter().for_each(|v| file(home.path().join(format!("svm/{v}/solc-{v}"))));
        own.iter().for_each(|v| file(home.path().join(format!("cache/{v}/solc"))));
        fs::create_dir_all(home.path().join("cache")).unwrap();
        fs::write(home.path().join("cache/versions.json"), r#"["0.7.6","0.8.20","0.8.30"]"#).unwrap();
        let places = Places {
            svm: Some(home.path().join("svm")),
            cache: Some(home.path().join("cache")),
            path: vec![],
            npm: "/nowhere/npm".into(),
        };
        (home, places)
    }

    fn show(choice: &Choice) -> String {
        let kind = |path: &Option<PathBuf>| match path {
            Some(path) if path.ends_with("solc") => "own",
            Some(_) => "svm",
            None => "npm",
        };
        choice.iter().map(|(v, path)| format!("{v}:{}", kind(path))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_stage_offers_more_and_svm_is_preferred() {
        let (_home, places) = machine(&["0.8.20"], &["0.8.20", "0.8.19"]);
        let offered = |stage| show(&choose(&SolcRequest::Auto, stage, &places).unwrap());
        assert_eq!(offered(LookupStage::Svm), "0.8.20:svm");
        assert_eq!(offered(LookupStage::Installed), "0.8.19:own 0.8.20:svm");
        assert_eq!(offered(LookupStage::Registry), "0.7.6:npm 0.8.19:own 0.8.20:svm 0.8.30:npm");
    }

    #[test]
    fn a_version_asked_for_is_the_only_choice_and_needs_no_list() {
        let (_home, places) = machine(&["0.8.20"], &[]);
        let request = SolcRequest::Version(Version::new(0, 8, 20));
        assert_eq!(show(&choose(&request, LookupStage::Svm, &places).unwrap()), "0.8.20:svm");
        let request = SolcRequest::Version(Version::new(0, 6, 12));
        assert_eq!(show(&choose(&request, LookupStage::Installed, &places).unwrap()), "");
        assert_eq!(show(&choose(&request, LookupStage::Registry, &places).unwrap()), "0.6.12:npm");
    }

    #[test]
    fn a_path_asked_for_must_work() {
        let (home, places) = machine(&["0.8.20"], &[]);
        let request = SolcRequest::Path(home.path().join("solc"));
        let error = choose(&request, LookupStage::Svm, &places).unwrap_err();
        assert!(error.to_string().starts_with("cannot use the compiler `"), "{error}");
    }

    #[test]
    fn what_is_missing_offline_is_named_with_a_way_out() {
        let (_home, places) = machine(&[], &[]);
        let mut ignore = |_| {};
        let progress = CompileProgress::new(&mut ignore);
        let request = SolcRequest::Version(Version::new(0, 8, 30));
        let solc = choose(&request, LookupStage::Registry, &places).unwrap();
        let toolchain = Toolchain { solc, vyper: None, places: &places, offline: true, progress: &progress };
        assert_eq!(
            toolchain.solc(&Version::new(0, 8, 30)).unwrap_err().to_string(),
            "solc 0.8.30 is not installed and nothing is fetched offline; run once without `--offline`, or \
             give the path of a compiler with `--use`"
        );
    }
}
