//! Events of compilation, from which the caller can print the same lines as Forge.

use foundry_compilers::{artifacts::remappings::Remapping, report};
use semver::Version;
use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Step of compilation. `Display` gives Forge's line for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileEvent {
    /// Nothing changed since the last build, whether by Forge or by us.
    Unchanged,
    /// The project has no sources.
    Nothing,
    /// Some imports cannot be resolved; the compiler will report them, too.
    UnresolvedImports(String),
    /// A native compiler is being downloaded.
    Downloading {
        /// Version of the compiler.
        version: Version,
    },
    /// A compiler is being fetched from npm.
    Installing {
        /// Version of the compiler.
        version: Version,
    },
    /// A compiler starts.
    Compiling {
        /// Number of files that are new or changed.
        files: usize,
        /// `Solc` or `Vyper`.
        compiler: &'static str,
        /// Version of the compiler.
        version: Version,
        /// Reason why it is not a native compiler, but runs as WebAssembly, which is slower.
        not_native: Option<String>,
    },
    /// A compiler has finished.
    Compiled {
        /// `Solc` or `Vyper`.
        compiler: &'static str,
        /// Version of the compiler.
        version: Version,
        /// Wall-clock time of the compiler.
        elapsed: Duration,
    },
    /// A file of a scan does not compile, and the others are compiled without it.
    LeftOut {
        /// Path of the file, relative to the root.
        file: PathBuf,
        /// First line of the reason.
        reason: String,
    },
    /// All compilers finished without errors. The text is Forge's, including the warnings that are not
    /// ignored.
    Succeeded(String),
}

impl fmt::Display for CompileEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unchanged => f.write_str("No files changed, compilation skipped"),
            Self::Nothing => f.write_str("Nothing to compile"),
            Self::UnresolvedImports(text) | Self::Succeeded(text) => f.write_str(text),
            Self::LeftOut { file, reason } => {
                write!(f, "Left out {}, which does not compile: {reason}", file.display())
            }
            Self::Downloading { version } => write!(f, "Downloading Solc {version}"),
            Self::Installing { version } => write!(f, "Installing Solc {version}"),
            Self::Compiling { files, compiler, version, .. } => {
                write!(f, "Compiling {files} files with {compiler} {}", short(version))
            }
            Self::Compiled { compiler, version, elapsed } => {
                write!(f, "{compiler} {} finished in {elapsed:.2?}", short(version))
            }
        }
    }
}

fn short(version: &Version) -> Version {
    Version::new(version.major, version.minor, version.patch)
}

/// Receiver of events. It is called from the threads that run compilers, but never by two at once.
pub type Sink<'a> = &'a mut (dyn FnMut(CompileEvent) + Send);

/// Source of compilation events: passes them on to a sink.
pub(crate) struct CompileProgress<'a> {
    sink: Mutex<Sink<'a>>,
    notes: Arc<Mutex<Notes>>,
}

/// Information that foundry-compilers gives only to its own reporter. The reporter must be `'static`, so it
/// cannot hold the sink and stores this instead.
#[derive(Debug, Default)]
struct Notes {
    /// Number of files that each version is about to compile.
    files: BTreeMap<Version, usize>,
    unresolved: Option<String>,
    lacks_imports: bool,
}

impl<'a> CompileProgress<'a> {
    pub(crate) fn new(sink: Sink<'a>) -> Self {
        Self { sink: Mutex::new(sink), notes: Arc::default() }
    }

    pub(crate) fn tell(&self, event: CompileEvent) {
        let mut sink = lock(&self.sink);
        (*sink)(event);
    }

    /// Emits the event that a compiler starts.
    pub(crate) fn compiling(&self, compiler: &'static str, version: &Version, not_native: Option<String>) {
        self.tell_unresolved();
        let files = lock(&self.notes).files.get(&short(version)).copied().unwrap_or_default();
        self.tell(CompileEvent::Compiling { files, compiler, version: version.clone(), not_native });
    }

    /// Emits the event that a compiler has finished.
    pub(crate) fn compiled(&self, compiler: &'static str, version: &Version, elapsed: Duration) {
        self.tell(CompileEvent::Compiled { compiler, version: version.clone(), elapsed });
    }

    /// Emits the event about unresolved imports, at most once.
    pub(crate) fn tell_unresolved(&self) {
        let text = lock(&self.notes).unresolved.take();
        if let Some(text) = text {
            self.tell(CompileEvent::UnresolvedImports(text));
        }
    }

    /// Tells whether some imports cannot be resolved.
    pub(crate) fn lacks_imports(&self) -> bool {
        lock(&self.notes).lacks_imports
    }

    /// Returns the reporter to run foundry-compilers with.
    pub(crate) fn reporter(&self) -> report::Report {
        report::Report::new(Reporter(self.notes.clone()))
    }
}

/// Locks a mutex. A poisoned one is locked as well: a panic in the sink ends the program anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct Reporter(Arc<Mutex<Notes>>);

impl report::Reporter for Reporter {
    fn on_compiler_spawn(&self, _compiler: &str, version: &Version, files: &[PathBuf]) {
        lock(&self.0).files.insert(short(version), files.len());
    }

    fn on_unresolved_imports(&self, imports: &[(&Path, &Path)], remappings: &[Remapping]) {
        // The order is that of a hash set.
        let mut imports = imports.to_vec();
        imports.sort_unstable();
        let mut notes = lock(&self.0);
        notes.unresolved = Some(report::format_unresolved_imports(&imports, remappings));
        notes.lacks_imports = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_read_as_forge_prints_them() {
        let version = Version::parse("0.8.30+commit.1").unwrap();
        let compiling = CompileEvent::Compiling {
            files: 24,
            compiler: "Solc",
            version: version.clone(),
            not_native: None,
        };
        assert_eq!(compiling.to_string(), "Compiling 24 files with Solc 0.8.30");
        let elapsed = Duration::from_millis(2431);
        let compiled = CompileEvent::Compiled { compiler: "Solc", version, elapsed };
        assert_eq!(compiled.to_string(), "Solc 0.8.30 finished in 2.43s");
    }
}
