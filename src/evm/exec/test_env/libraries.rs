//! Deployment of libraries, by their factory or by an account.

use super::{SetupFailure, setup::Builder};
use crate::{
    evm::{
        base::constants::{CREATE2_DEPLOYER, CREATE2_DEPLOYER_CODE, LIBRARY_DEPLOYER},
        vm::call::Callee,
    },
    model::TraceKind,
    project::{Library, LibraryFactory},
};
use alloy_primitives::Bytes;
use revm::state::Bytecode;

impl Builder<'_> {
    /// Installs the CREATE2 deployer where it is missing, with the nonce of a contract that was created.
    pub(super) fn install_create2_deployer(&mut self) {
        if !self.evm.code(CREATE2_DEPLOYER).is_empty() {
            return;
        }
        let base_state = self.base_state();
        base_state
            .set_code(CREATE2_DEPLOYER, Bytecode::new_legacy(Bytes::from_static(&CREATE2_DEPLOYER_CODE)));
        base_state.account(CREATE2_DEPLOYER).info.nonce = 1;
    }

    /// Deploys all libraries of the project at the addresses that its contracts are linked with.
    ///
    /// # Errors
    /// When a constructor or a factory reverts.
    pub(super) fn deploy_libraries(&mut self) -> Result<(), Box<SetupFailure>> {
        let context = self.context;
        for library in context.project.libraries() {
            match library.factory {
                None => self.deploy_library(Callee::New, library.init_code.clone())?,
                Some(factory) => self.deploy_by_create2(library, factory)?,
            }
        }
        // For the test, no call was made so far.
        self.evm.inspector().cheats.forget_last_call();
        Ok(())
    }

    /// Deploys a library through its factory, unless the fork has the library already.
    fn deploy_by_create2(
        &mut self,
        library: &Library,
        factory: LibraryFactory,
    ) -> Result<(), Box<SetupFailure>> {
        let LibraryFactory { address, salt } = factory;
        if address == CREATE2_DEPLOYER {
            self.install_create2_deployer();
        }
        self.evm.inspector().cheats.keep_on_forks(library.address);
        if !self.evm.code(library.address).is_empty() {
            self.identifiers.insert(library.address, library.id.to_string());
            return Ok(());
        }
        let data = [&salt[..], &library.init_code[..]].concat();
        self.deploy_library(Callee::Account(address), data.into())?;
        if self.evm.code(library.address).is_empty() {
            let at = library.address;
            let reason = format!("CREATE2 library deployment succeeded but no code was found at {at}");
            return Err(self.failure("setUp()", reason));
        }
        Ok(())
    }

    fn deploy_library(&mut self, to: Callee, data: Bytes) -> Result<(), Box<SetupFailure>> {
        let output = self.transact(LIBRARY_DEPLOYER, to, data, TraceKind::Deployment);
        if output.is_success() {
            return Ok(());
        }
        // Forge names neither the library nor the constructor.
        let reason = self.reason(&output);
        Err(self.failure("setUp()", reason))
    }
}
