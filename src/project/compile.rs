//! Build of the project, which uses Forge's cache and artifacts.

use crate::{
    config::{Config, Scan, SolcRequest, VyperConfig},
    files::{self, WriteError, write_atomically},
    model::controls,
    project::{
        dynamic_linking::DynamicLinking,
        error::ProjectError,
        events::{CompileEvent, CompileProgress, Sink},
        faulty_sources::faults,
        interface, profiles, settings, submodules,
        toolchain::{
            Choice, LookupStage, NativeCompilers, Places, SourceVariants, Toolchain, ToolchainError, choose,
            fetches_nothing,
        },
    },
};
use foundry_compilers::{
    ConfigurableArtifacts, Project, ProjectBuilder, ProjectCompileOutput, ProjectPathsConfig, Vyper,
    artifacts::Source, cache::SOLIDITY_FILES_CACHE_FILENAME, error::SolcError, multi::MultiCompilerLanguage,
    project::ProjectCompiler, report,
};
use semver::Version;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use walkdir::WalkDir;

/// Result of a build: new and cached artifacts, and the parsed sources.
pub(crate) type BuildOutput<'a> = ProjectCompileOutput<Toolchain<'a>, ConfigurableArtifacts>;

/// Compiles the sources that changed, and passes the output to `then`. Returns `None` if there is nothing to
/// compile. Texts of `variants` are compiled together.
///
/// # Errors
/// Fails if the project cannot be compiled, or if `then` fails; see [`ProjectError`].
pub(crate) fn run<T>(
    config: &Config,
    places: &Places,
    variants: Option<&SourceVariants>,
    sink: Sink<'_>,
    then: impl FnOnce(BuildOutput<'_>) -> Result<T, ProjectError>,
) -> Result<Option<T>, ProjectError> {
    let mut paths = settings::paths(config)?;
    let progress = CompileProgress::new(sink);
    if !paths.has_input_files() {
        progress.tell(CompileEvent::Nothing);
        return Ok(None);
    }
    check_names(config, &paths)?;
    check_artifacts(&paths.artifacts)?;
    // Symbolic links in built paths have been resolved already.
    check_links(&config.paths.cache.join(SOLIDITY_FILES_CACHE_FILENAME))?;
    // With a mutant, the build of the original is read and not changed.
    let writes = config.paths.replaced.is_empty();
    if writes {
        make_places(config)?;
    }
    let cache = paths.cache.clone();
    let unreadable = |error| ProjectError::Unwritable { path: cache, key: "cache_path", error };
    let is_cached = config.compiler.cache && (writes || !config.compiler.force);
    let copy = is_cached.then(|| CacheCopy::new(&mut paths, config)).transpose();
    let copy = copy.map_err(unreadable)?;
    let native = NativeCompilers::new(places);
    let toolchain = Toolchain {
        solc: Choice::new(),
        vyper: vyper(&config.compiler.vyper, &paths)?,
        places,
        native: &native,
        fetches_nothing: fetches_nothing(&config.compiler),
        progress: &progress,
        variants,
    };
    let mut project = project(config, paths, toolchain)?;
    (project.cached, project.no_artifacts) = (is_cached, !writes);
    if config.compiler.force && writes {
        project.cleanup().map_err(|error| ProjectError::Build(error.to_string()))?;
    }
    let reporter = progress.reporter();
    let output = report::with_scoped(&reporter, || build_what_compiles(config, &mut project, &progress))?;
    if let Some(copy) = copy.filter(|_| writes) {
        let unwritable =
            |WriteError { path, error }| ProjectError::Unwritable { path, key: "cache_path", error };
        copy.keep().map_err(unwritable)?;
    }
    progress.tell_unresolved();
    if output.has_compiler_errors() {
        let advice = progress.lacks_imports().then(|| submodules::advice(&config.paths.root)).flatten();
        return Err(ProjectError::Diagnostics { text: output.to_string(), advice });
    }
    progress.tell(match output.is_unchanged() {
        true => CompileEvent::Unchanged,
        false => CompileEvent::Succeeded(output.to_string()),
    });
    then(output).map(Some)
}

/// Refuses names with control characters, which could forge lines in the output of compilers and in reports.
fn check_names(
    config: &Config,
    paths: &ProjectPathsConfig<MultiCompilerLanguage>,
) -> Result<(), ProjectError> {
    let files = std::iter::once(config.paths.root.clone()).chain(paths.input_files_iter());
    match files.into_iter().find(|path| path.to_string_lossy().contains(controls)) {
        Some(path) => Err(ProjectError::FileName { path }),
        None => Ok(()),
    }
}

/// Refuses pipes and devices among the artifacts, because reading one may block or never end. Also refuses
/// symbolic links, because writing to one would write elsewhere.
fn check_artifacts(directory: &Path) -> Result<(), ProjectError> {
    for entry in WalkDir::new(directory).min_depth(1).into_iter().flatten() {
        let kind = entry.file_type();
        let leads_to = if kind.is_symlink() {
            fs::metadata(entry.path()).map_or(kind, |found| found.file_type())
        } else {
            kind
        };
        let path = entry.into_path();
        if !(leads_to.is_file() || leads_to.is_dir() || leads_to.is_symlink()) {
            return Err(ProjectError::Irregular { path });
        }
        if kind.is_symlink() {
            return Err(ProjectError::Link { path });
        }
    }
    Ok(())
}

fn check_links(path: &Path) -> Result<(), ProjectError> {
    match path.is_symlink() {
        true => Err(ProjectError::Link { path: path.to_owned() }),
        false => Ok(()),
    }
}

/// Temporary copy of the compiler's cache. The compiler writes its cache in place, even if nothing changed.
/// Another process that reads the file meanwhile would compile everything again, and a read-only file would
/// make the build fail.
struct CacheCopy {
    original: PathBuf,
    copy: PathBuf,
    _directory: TempDir,
}

impl CacheCopy {
    /// Makes the copy, and lets `paths` refer to it.
    fn new(paths: &mut ProjectPathsConfig<MultiCompilerLanguage>, config: &Config) -> io::Result<Self> {
        let directory = TempDir::new()?;
        let copy = directory.path().join("cache.json");
        match files::open(&paths.cache) {
            Ok(mut known) => drop(io::copy(&mut known, &mut File::create(&copy)?)?),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        if !config.paths.replaced.is_empty() {
            mark_as_changed(&copy, config)?;
        }
        let original = std::mem::replace(&mut paths.cache, copy.clone());
        Ok(Self { original, copy, _directory: directory })
    }

    /// Replaces the original by the copy, if they differ. A directory that cannot be written is no error; the
    /// next build then compiles again.
    fn keep(&self) -> Result<(), WriteError> {
        let Ok(bytes) = fs::read(&self.copy) else { return Ok(()) };
        if fs::read(&self.original).is_ok_and(|known| known == bytes) {
            return Ok(());
        }
        match write_atomically(&self.original, &bytes) {
            Err(WriteError { error, .. })
                if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) =>
            {
                Ok(())
            }
            result => result,
        }
    }
}

/// Marks the sources with replaced texts as changed: foundry-compilers compares its cache with the files only. If their
/// code may be in tests that are linked dynamically, these are compiled again, too.
fn mark_as_changed(cache: &Path, config: &Config) -> io::Result<()> {
    let known = fs::read(cache).ok().and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
    let Some(mut value) = known else { return Ok(()) };
    for (path, text) in &config.paths.replaced {
        let file = files::shown(path, &config.paths.root);
        let Some(entry) = value["files"].get_mut(file) else { continue };
        entry["contentHash"] = "".into();
        if fs::read_to_string(path).map_or(true, |known| interface::differ(&known, text)) {
            entry["interfaceReprHash"] = "".into();
        }
    }
    fs::write(cache, value.to_string())
}

/// Creates the output directories before compilation, so that missing permissions are found early.
fn make_places(config: &Config) -> Result<(), ProjectError> {
    let places = [(&config.paths.out, "out"), (&config.paths.cache, "cache_path")];
    let make = |(path, key): (&PathBuf, _)| {
        let unwritable = |error| ProjectError::Unwritable { path: path.clone(), key, error };
        fs::create_dir_all(path).map_err(unwritable)
    };
    places.into_iter().filter(|(_, key)| *key == "out" || config.compiler.cache).try_for_each(make)
}

/// Returns the Vyper compiler that is configured or on `PATH`, if the project has Vyper sources.
fn vyper(
    config: &VyperConfig,
    paths: &ProjectPathsConfig<MultiCompilerLanguage>,
) -> Result<Option<Vyper>, ProjectError> {
    let is_vyper = |extension: &std::ffi::OsStr| extension == "vy" || extension == "vyi";
    let wanted = paths.input_files_iter().any(|file| file.extension().is_some_and(is_vyper));
    match &config.path {
        _ if !wanted => Ok(None),
        Some(path) => Vyper::new(path).map(Some).map_err(|error| settings::invalid("vyper.path", error)),
        None => Ok(Vyper::new(Path::new("vyper")).ok()),
    }
}

fn project<'a>(
    config: &Config,
    paths: ProjectPathsConfig<MultiCompilerLanguage>,
    toolchain: Toolchain<'a>,
) -> Result<Project<Toolchain<'a>, ConfigurableArtifacts>, ProjectError> {
    let compiler = &config.compiler;
    let artifacts = settings::artifacts(compiler)?;
    let version = chosen_version(config, &toolchain)?;
    let default = settings::compiler(compiler, &paths, &artifacts, version.as_ref())?;
    let filter = profiles::filter(&compiler.skip, &config.paths.root)?;
    let mut builder = ProjectBuilder::new(artifacts)
        .additional_settings(profiles::additional(&compiler.compiler_profiles, &default)?)
        .restrictions(profiles::restrictions(&compiler.compilation_restrictions, &paths)?)
        .settings(default)
        .paths(paths)
        .ignore_error_codes(compiler.ignored_error_codes.iter().copied())
        .ignore_error_codes_from(compiler.ignored_error_codes_from.iter().cloned())
        .ignore_paths(settings::ignored_paths(config))
        .set_compiler_severity_filter(settings::severity(compiler)?)
        .set_offline(compiler.offline)
        .set_build_info(compiler.build_info);
    if let Some(filter) = filter {
        builder = builder.sparse_output(filter);
    }
    builder.build(toolchain).map_err(|error| ProjectError::Build(error.to_string()))
}

/// Returns the version of the compiler that the user chose, if any.
fn chosen_version(config: &Config, toolchain: &Toolchain<'_>) -> Result<Option<Version>, ProjectError> {
    match &config.compiler.solc {
        SolcRequest::Auto => Ok(None),
        SolcRequest::Version(version) => Ok(Some(version.clone())),
        path @ SolcRequest::Path(_) => {
            Ok(choose(path, LookupStage::Svm, toolchain.places, toolchain.native)?.into_keys().next())
        }
    }
}

/// Compiles all sources. In a scan, files that do not compile are named and left out, with those that import them.
fn build_what_compiles<'a>(
    config: &Config,
    project: &mut Project<Toolchain<'a>, ConfigurableArtifacts>,
    progress: &CompileProgress<'_>,
) -> Result<BuildOutput<'a>, ProjectError> {
    let mut left_out = BTreeSet::new();
    loop {
        let result = build(config, project, &left_out);
        let is_done = result.as_ref().is_ok_and(|output| !output.has_compiler_errors());
        if is_done || config.harvey.scan != Scan::All {
            return result;
        }
        let files: Vec<PathBuf> = project.paths.input_files_iter().collect();
        let faults = faults(&result, &project.paths.root, &files);
        let fresh: BTreeMap<_, _> = faults.into_iter().filter(|(file, _)| !left_out.contains(file)).collect();
        if fresh.is_empty() || left_out.len() + fresh.len() >= files.len() {
            return result;
        }
        for (file, reason) in fresh {
            let shown = file.strip_prefix(&project.paths.root).unwrap_or(&file).to_owned();
            progress.tell(CompileEvent::LeftOut { file: shown, reason });
            left_out.insert(file);
        }
    }
}

/// Compiles with the first lookup stage whose compilers fit all sources but those that are left out.
fn build<'a>(
    config: &Config,
    project: &mut Project<Toolchain<'a>, ConfigurableArtifacts>,
    left_out: &BTreeSet<PathBuf>,
) -> Result<BuildOutput<'a>, ProjectError> {
    let request = &config.compiler.solc;
    let mut refusal = None;
    for stage in LookupStage::ALL {
        let choice = match offline_limit(config, stage) {
            Some(error) => Err(error),
            None => choose(request, stage, project.compiler.places, project.compiler.native),
        };
        let choice = match (choice, refusal) {
            (Ok(choice), _) => choice,
            // Further versions cannot be looked up, so the refusal of the earlier stage is final.
            (Err(help), Some(message)) => return Err(no_version(message, Some(help))),
            (Err(error), None) => return Err(error.into()),
        };
        // An earlier stage without any compilers gives no useful refusal.
        let says_something = !choice.is_empty() || stage == LookupStage::Npm;
        project.compiler.solc = choice;
        let mut sources = project.paths.read_input_files().map_err(failure)?;
        sources.retain(|file, _| !left_out.contains(file));
        let replaced = config.paths.replaced.iter();
        sources.extend(replaced.map(|(path, text)| (path.clone(), Source::new(text))));
        match ProjectCompiler::with_sources(project, sources) {
            Ok(compiler) => {
                let compiler = match config.compiler.dynamic_test_linking {
                    true => compiler.with_preprocessor(DynamicLinking),
                    false => compiler,
                };
                return compiler.compile().map_err(failure);
            }
            Err(error) if says_something => refusal = Some(error),
            Err(_) => refusal = None,
        }
    }
    Err(no_version(refusal.expect("each stage returns or leaves a refusal"), None))
}

/// Returns an error if servers must not be used, because the user asked to work offline.
fn offline_limit(config: &Config, stage: LookupStage) -> Option<ToolchainError> {
    let wanted = match &config.compiler.solc {
        SolcRequest::Version(version) => Some(version.clone()),
        SolcRequest::Auto => None,
        SolcRequest::Path(_) => return None,
    };
    (config.compiler.offline && stage >= LookupStage::Native).then_some(ToolchainError::Offline(wanted))
}

/// Returns the error if no stage has fitting compilers: the message of foundry-compilers, and the reason why
/// no further versions could be looked up.
fn no_version(refusal: SolcError, help: Option<ToolchainError>) -> ProjectError {
    match refusal {
        SolcError::Message(message) => ProjectError::NoVersion { message, help },
        // Other errors, such as I/O errors, are not about versions.
        other => failure(other),
    }
}

fn failure(error: SolcError) -> ProjectError {
    ProjectError::Build(error.to_string())
}
