//! Files with code and ABIs: lists, artifacts of compilers, and Sourcify's metadata.

use crate::{files::read_text, project::CodeKind};
use alloy_json_abi::JsonAbi;
use alloy_primitives::{Address, Bytes, hex};
use anyhow::{Context as _, Result, bail};
use serde::Deserialize as _;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// ABI of a contract, and its name if the file tells it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interface {
    pub(super) name: Option<String>,
    pub(super) abi: JsonAbi,
}

impl Interface {
    /// Reads an ABI. Without a name in the file, the file's name is that of the contract.
    pub(super) fn read(file: &Path) -> Result<Self> {
        let shown = file.display();
        let json = serde_json::from_str(&read(file)?).with_context(|| format!("{shown}: it is no JSON"))?;
        let found = Self::of(&json).with_context(|| shown.to_string())?;
        let found =
            found.with_context(|| format!("{shown}: there is no ABI: no list, no `abi`, no `output.abi`"))?;
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Ok(Self { name: found.name.or(stem), ..found })
    }

    /// Takes the ABI from a list, an artifact or Sourcify's metadata.
    fn of(json: &Value) -> Result<Option<Self>> {
        let list = json.as_array().map(|_| json);
        let Some(abi) = list.or_else(|| json.get("abi")).or_else(|| json.pointer("/output/abi")) else {
            return Ok(None);
        };
        if has_deep_types(abi) {
            bail!("the ABI has an array of more than {MOST_ARRAYS} dimensions");
        }
        let abi = JsonAbi::deserialize(abi).context("the ABI is not valid")?;
        let target = json.pointer("/settings/compilationTarget").and_then(Value::as_object);
        let name = match target.and_then(|target| target.values().next()) {
            Some(name) => Some(name),
            None => json.get("contractName"),
        };
        Ok(Some(Self { name: name.and_then(Value::as_str).map(str::to_owned), abi }))
    }
}

/// Maximum number of dimensions of an array. Functions over types recurse once for each.
const MOST_ARRAYS: usize = 32;

fn has_deep_types(json: &Value) -> bool {
    match json {
        Value::String(text) => text.matches('[').count() > MOST_ARRAYS,
        Value::Array(items) => items.iter().any(has_deep_types),
        Value::Object(members) => members.values().any(has_deep_types),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Code in a file, with the ABI if the file is an artifact.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CompiledFile {
    pub(super) code: Bytes,
    pub(super) interface: Option<Interface>,
}

impl CompiledFile {
    /// Reads code in hexadecimal digits, or from an artifact of Forge, Hardhat, Truffle or solc.
    pub(super) fn read(file: &Path, kind: CodeKind) -> Result<Self> {
        let shown = file.display();
        let content = read(file)?;
        let json = serde_json::from_str::<Value>(&content).ok().filter(Value::is_object);
        let (digits, interface) = match &json {
            None => (Some(content.as_str()), None),
            Some(json) => (code_in(json, kind), Interface::of(json).with_context(|| shown.to_string())?),
        };
        let digits = digits.with_context(|| format!("{shown}: there is no code: no `{}`", member(kind)))?;
        let digits: String = digits.split_whitespace().collect();
        if digits.contains("__") {
            bail!("{shown}: the code lacks addresses of libraries; link it first");
        }
        let code = hex::decode(&digits).with_context(|| format!("{shown}: the code is not hexadecimal"))?;
        if code.is_empty() {
            bail!("{shown}: the code is empty, as that of an interface or an abstract contract");
        }
        Ok(Self { code: code.into(), interface })
    }
}

/// Returns the code in an artifact: a member, below `evm` in the output of solc, that is the digits or has them as its
/// `object`.
fn code_in(artifact: &Value, kind: CodeKind) -> Option<&str> {
    let member = member(kind);
    let code = artifact.get(member).or_else(|| artifact.get("evm")?.get(member))?;
    code.as_str().or_else(|| code.get("object")?.as_str())
}

/// Returns the name of the member with code.
fn member(kind: CodeKind) -> &'static str {
    match kind {
        CodeKind::Creation => "bytecode",
        CodeKind::Runtime => "deployedBytecode",
    }
}

/// Returns the ABI of a contract in a directory of Sourcify, if it has it: in `metadata.json` below the id of the chain
/// and the address, for full and partial matches.
pub(super) fn sourcify(directory: &Path, chain: u64, address: Address) -> Result<Option<Interface>> {
    let roots = ["", "contracts/full_match", "contracts/partial_match", "full_match", "partial_match"];
    let addresses = [address.to_string(), address.to_string().to_lowercase()];
    let chain = chain.to_string();
    let files = roots.iter().flat_map(|root| {
        let place = directory.join(root).join(&chain);
        addresses.clone().map(|address| place.join(address).join("metadata.json"))
    });
    let direct = addresses.clone().map(|address| directory.join(address).join("metadata.json"));
    let found: Option<PathBuf> = files.chain(direct).find(|file| file.is_file());
    let read = |file: PathBuf| {
        let Interface { name, abi } = Interface::read(&file)?;
        Ok(Interface { name: name.filter(|name| *name != "metadata"), abi })
    };
    found.map(read).transpose()
}

fn read(file: &Path) -> Result<String> {
    read_text(file).with_context(|| format!("cannot read {}", file.display()))
}

#[cfg(test)]
mod tests;
