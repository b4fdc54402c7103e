//! Rules by which Forge chooses the addresses of libraries.

use crate::{
    config::Config,
    model::ContractId,
    project::{contract::Contract, error::ProjectError, settings},
};
use alloy_primitives::{Address, B256, address};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// The usual factory for CREATE2, which Forge installs where it is missing.
pub const CREATE2_DEPLOYER: Address = address!("4e59b44847b379578588920ca78fbf26c0b4956c");

/// Factory that deploys libraries by CREATE2. Its calldata is the salt and the creation code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryFactory {
    /// Address of the factory.
    pub address: Address,
    /// Salt of the deployments.
    pub salt: B256,
}

/// Rules by which Forge chooses the addresses of libraries.
pub(crate) struct LinkRules<'a> {
    /// Root of the project.
    pub(crate) root: PathBuf,
    /// Libraries with the addresses that the setting `libraries` gives them. The compiler has linked those whose
    /// files are named as in the code.
    pub(crate) configured: Vec<(ContractId, Address)>,
    /// Factory to use if it exists.
    pub(crate) factory: Option<LibraryFactory>,
    /// Tells whether there is a factory at an address. It is asked only if there are libraries to deploy.
    pub(crate) exists: &'a dyn Fn(Address) -> bool,
    /// True if the artifacts of a library, one for each compiler and profile, have addresses of their own. Else those
    /// with the same source and name share the address of the first one.
    pub(crate) apart: bool,
}

impl<'a> LinkRules<'a> {
    /// Returns the rules of the version of Forge that is followed. `exists` tells whether there is a factory at an
    /// address.
    ///
    /// # Errors
    /// Fails if the setting `libraries` is invalid.
    pub(crate) fn of(config: &Config, exists: &'a dyn Fn(Address) -> bool) -> Result<Self, ProjectError> {
        let root = config.paths.root.clone();
        if !config.harvey.forge.behaviour().deploys_libraries_by_create2 {
            return Ok(Self { root, configured: Vec::new(), factory: None, exists, apart: false });
        }
        let libraries = settings::libraries(&config.compiler, &settings::paths(config)?)?;
        let mut configured = Vec::new();
        for (path, named) in libraries.with_stripped_file_prefixes(&root).libs {
            for (name, address) in named {
                let address = address.parse().map_err(|error| settings::invalid("libraries", error))?;
                configured.push((ContractId { path: path.display().to_string(), name }, address));
            }
        }
        let salt = config.compiler.create2_library_salt;
        let factory = Some(LibraryFactory { address: config.cheats.create2_deployer, salt });
        Ok(Self { root, configured, factory, exists, apart: true })
    }

    /// Returns the source file without symbolic links, if it exists.
    pub(super) fn file(&self, path: &str) -> Option<PathBuf> {
        self.root.join(Path::new(path)).canonicalize().ok()
    }

    /// Returns the configured address of a library that the code calls by `names`.
    ///
    /// # Errors
    /// Fails if the library has several addresses.
    pub(super) fn configured(
        &self,
        library: &Contract,
        names: &BTreeSet<&ContractId>,
    ) -> Result<Option<Address>, ProjectError> {
        let addresses = |is_it: &dyn Fn(&ContractId) -> bool| {
            let found = self.configured.iter().filter(|(id, _)| is_it(id));
            found.map(|(_, address)| *address).collect::<BTreeSet<_>>()
        };
        let mut found = addresses(&|id| names.contains(id));
        if found.is_empty() {
            // The setting may name the file by another path.
            found = addresses(&|id| {
                id.name == library.bare_name()
                    && self.file(&id.path).is_some_and(|file| self.file(&library.id.path) == Some(file))
            });
        }
        match found.len() {
            0 | 1 => Ok(found.first().copied()),
            _ => Err(settings::invalid("libraries", format!("`{}` has several addresses", library.id))),
        }
    }
}
