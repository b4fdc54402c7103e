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
mod version_directory;

#[cfg(unix)]
pub(crate) use child::signal_group;
pub(crate) use child::{end_group, in_own_group, restrict};
pub use error::ToolchainError;
pub(crate) use native::NativeCompilers;
pub(crate) use places::{Places, program_in};

use crate::{
    config::{CompilerConfig, SolcRequest},
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
                let output = run_solc(&path, input)?;
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
            mirror: Some("".into()),
            cache: Some(home.path().join("cache")),
            path: vec![],
            npm: "/nowhere/npm".into(),
        };
        (home, places)
    }

    fn chosen(request: &SolcRequest, stage: LookupStage, places: &Places) -> Choice {
        choose(request, stage, places, &NativeCompilers::new(places)).unwrap()
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
        let offered = |stage| show(&chosen(&SolcRequest::Auto, stage, &places));
        assert_eq!(offered(LookupStage::Svm), "0.8.20:svm");
        assert_eq!(offered(LookupStage::OnPath), "0.8.20:svm");
        assert_eq!(offered(LookupStage::Kept), "0.8.19:own 0.8.20:svm");
        assert_eq!(offered(LookupStage::Native), "0.8.19:own 0.8.20:svm");
        assert_eq!(offered(LookupStage::Npm), "0.7.6:npm 0.8.19:own 0.8.20:svm 0.8.30:npm");
    }

    #[test]
    fn a_version_asked_for_is_the_only_choice_and_needs_no_list() {
        let (_home, places) = machine(&["0.8.20"], &[]);
        let request = SolcRequest::Version(Version::new(0, 8, 20));
        assert_eq!(show(&chosen(&request, LookupStage::Svm, &places)), "0.8.20:svm");
        let request = SolcRequest::Version(Version::new(0, 6, 12));
        assert_eq!(show(&chosen(&request, LookupStage::Kept, &places)), "");
        assert_eq!(show(&chosen(&request, LookupStage::Native, &places)), "0.6.12:npm");
    }

    #[test]
    fn a_path_asked_for_must_work() {
        let (home, places) = machine(&["0.8.20"], &[]);
        let request = SolcRequest::Path(home.path().join("solc"));
        let native = NativeCompilers::new(&places);
        let error = choose(&request, LookupStage::Svm, &places, &native).unwrap_err();
        assert!(error.to_string().starts_with("cannot use the compiler `"), "{error}");
    }

    /// Passes a toolchain for a version to `then`.
    fn with_toolchain<T>(
        version: &Version,
        places: &Places,
        fetches_nothing: Option<&'static str>,
        then: impl FnOnce(&Toolchain<'_>) -> T,
    ) -> T {
        let mut ignore = |_| {};
        let progress = CompileProgress::new(&mut ignore);
        let native = &NativeCompilers::new(places);
        let solc = chosen(&SolcRequest::Version(version.clone()), LookupStage::Native, places);
        then(&Toolchain { solc, vyper: None, places, native, fetches_nothing, progress: &progress })
    }

    #[test]
    fn what_is_missing_offline_is_named_with_a_way_out() {
        let (_home, places) = machine(&[], &[]);
        let version = Version::new(0, 8, 30);
        let error = with_toolchain(&version, &places, Some("offline"), |it| it.solc(&version).unwrap_err());
        assert_eq!(
            error.to_string(),
            "solc 0.8.30 is not installed and nothing is fetched offline; run once without `--offline`, or \
             give the path of a compiler with `--use`"
        );
    }

    #[test]
    fn webassembly_runs_only_with_the_reason_why_there_is_no_native_compiler() {
        let (home, places) = machine(&["0.8.20"], &["0.8.19"]);
        let found = |version: Version, offline| {
            with_toolchain(&version, &places, offline, |it| {
                it.solc(&version).map_err(|error| error.to_string())
            })
        };
        let path = |name| home.path().join(name);
        assert_eq!(found(Version::new(0, 8, 20), None), Ok((path("svm/0.8.20/solc-0.8.20"), None)));
        let own = path("cache/0.8.19/solc");
        let off = "FORGE_HARVEY_SOLC_RELEASES is empty".to_owned();
        assert_eq!(found(Version::new(0, 8, 19), None), Ok((own.clone(), Some(off))));
        assert_eq!(found(Version::new(0, 8, 19), Some("offline")), Ok((own, Some("offline".to_owned()))));
        let error = found(Version::new(0, 8, 18), None).unwrap_err();
        let end = "\nno native compiler was downloaded: FORGE_HARVEY_SOLC_RELEASES is empty";
        assert!(
            error.starts_with("fetching a compiler from npm needs Node.js") && error.ends_with(end),
            "{error}"
        );
    }
}
