//! Projects in temporary directories, for tests of the configuration.

use super::{Config, ConfigError, Environment, Finders, InstalledForge, Loaded, Overrides, load};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Project in a temporary directory, with its own environment variables.
pub(super) struct Scratch {
    directory: tempfile::TempDir,
    env: Environment,
    pub(super) overrides: Overrides,
    /// The `forge` on `PATH`.
    pub(super) forge: Option<InstalledForge>,
}

impl Scratch {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self { directory, env: Environment::new(), overrides: Overrides::default(), forge: None }
    }

    pub(super) fn toml(text: &str) -> Self {
        Self::new(&[("foundry.toml", text)])
    }

    pub(super) fn env(&mut self, name: &str, value: &str) -> &mut Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(super) fn root(&self) -> PathBuf {
        fs::canonicalize(self.directory.path()).unwrap()
    }

    pub(super) fn load(&self) -> Result<Loaded, ConfigError> {
        self.load_with(&|_| Vec::new())
    }

    pub(super) fn load_with(&self, auto: &dyn Fn(&Path) -> Vec<String>) -> Result<Loaded, ConfigError> {
        let finders = Finders { remappings: auto, forge: &|| self.forge.clone() };
        load(self.directory.path(), &self.overrides, &self.env, &finders)
    }

    pub(super) fn config(&self) -> Config {
        self.load().unwrap().config
    }

    /// Returns the error message, with the directory replaced by `ROOT`.
    pub(super) fn error(&self) -> String {
        self.load().unwrap_err().to_string().replace(&self.root().display().to_string(), "ROOT")
    }

    pub(super) fn warnings(&self) -> String {
        let warnings: Vec<_> = self.load().unwrap().warnings.iter().map(ToString::to_string).collect();
        warnings.join("\n")
    }
}
