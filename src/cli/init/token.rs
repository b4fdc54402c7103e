//! Token for a contract that needs one, if the project has none that can be deployed.

use super::suite::relative;
use crate::{
    config::Config,
    evm::exec::scan::{is_of_token, is_plain_address, is_token},
    files::nofollow,
    project::{Contract, Project},
    report::starter::{TOKEN, TokenBase, token},
};
use alloy_json_abi::{InternalType, Param};
use anyhow::Result;
use std::path::PathBuf;

/// Writes the token if the constructor of a contract takes one and the project has none. Returns its path.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write_missing(
    project: &Project,
    contract: &Contract,
    config: &Config,
) -> Result<Option<PathBuf>> {
    let constructor = contract.abi.constructor();
    let params = constructor.map(|constructor| &constructor.inputs[..]).unwrap_or_default();
    let wanted = params.iter().find_map(|param| wanted(param, project));
    let has_token = || {
        let mut contracts = project.contracts().iter();
        contracts.any(|contract| is_token(&contract.abi) && project.is_callable(contract))
    };
    let Some(wanted) = wanted.filter(|_| !has_token()) else { return Ok(None) };
    let paths = &config.paths;
    let dir = paths.root.join(&paths.test).join("mocks");
    let path = dir.join(format!("{TOKEN}.sol"));
    if path.exists() {
        return Ok(None);
    }
    let base = wanted.and_then(|ty| {
        let inputs = &ty.abi.constructor()?.inputs;
        let types: Vec<&str> = inputs.iter().map(|param| &*param.ty).collect();
        let takes_decimals = types == ["string", "string", "uint8"];
        (takes_decimals || types == ["string", "string"]).then(|| TokenBase {
            name: ty.bare_name().to_owned(),
            import: relative(&dir, &paths.root.join(&ty.id.path)),
            takes_decimals,
        })
    });
    nofollow::write(&path, token(base.as_ref()).as_bytes())?;
    Ok(Some(path))
}

/// Tells whether a parameter is a token: with its type, if the project has that.
fn wanted<'a>(param: &Param, project: &'a Project) -> Option<Option<&'a Contract>> {
    if let Some(InternalType::Contract(name)) = param.internal_type() {
        let mut named = project.contracts().iter().filter(|contract| contract.bare_name() == name);
        return named.find(|contract| is_token(&contract.abi)).map(|contract| Some(&**contract));
    }
    (is_plain_address(param) && is_of_token(&param.name)).then_some(None)
}
