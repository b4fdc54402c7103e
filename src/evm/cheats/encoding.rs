//! Hashes and encodings: RLP, ENS names and typed data (EIP-712).

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, ensure},
    files::read_text,
    type_limits,
    vm::Vm,
};
use alloy_dyn_abi::{
    TypedData,
    eip712::{Resolver, parser::EncodeType},
};
use alloy_primitives::{B256, Bytes, keccak256};
use alloy_rlp::{Decodable, Encodable};
use serde_json::Value;
use std::collections::BTreeMap;

/// Maximum length of RLP to decode, in bytes. Each byte may be an item, which takes two hundred times its size.
const MOST_RLP: usize = 1 << 20;

impl Cheatcode for Vm::toRlpCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let mut encoded = Vec::new();
        self.data.encode(&mut encoded);
        Ok(encoded.into())
    }
}

impl Cheatcode for Vm::fromRlpCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let length = self.rlp.len();
        ensure!(length <= MOST_RLP, "RLP of {length} bytes is not decoded, only of up to {MOST_RLP}");
        let decoded = Vec::<Bytes>::decode(&mut self.rlp.as_ref());
        Ok(decoded.map_err(|error| format!("Failed to decode RLP: {error}"))?)
    }
}

impl Cheatcode for Vm::ensNamehashCall {
    /// Hashes the name by ERC-137, without normalizing it.
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        // U+FE0F, which requests emoji presentation, does not belong to a name.
        let name = self.name.replace('\u{fe0f}', "");
        let labels = name.rsplit('.').filter(|_| !name.is_empty());
        Ok(labels.fold(B256::ZERO, |node, label| keccak256([node, keccak256(label)].concat())))
    }
}

/// Text before the name of a type in the files that `forge bind-json` writes.
const SCHEMA: &str = "string constant schema_";

/// Returns the definition of a type from a file of `forge bind-json`; if a name occurs several times, the last
/// one.
fn bound(cx: &Cx<'_>, name: &str, path: &str) -> Result<String, CheatError> {
    let text = read_text(cx, path)?;
    let definition = |line: &str| {
        let (of, definition) = line.trim().strip_prefix(SCHEMA)?.split_once('=')?;
        let definition = definition.trim().strip_prefix('"')?.strip_suffix("\";")?;
        Some((of.trim().to_owned(), definition.to_owned()))
    };
    let mut known: BTreeMap<String, String> = text.lines().filter_map(definition).collect();
    known.remove(name).ok_or_else(|| {
        let list: String = known.keys().map(|known| format!(" - {known}\n")).collect();
        let list = if list.is_empty() { list } else { format!("\nAvailable bindings:\n{list}") };
        CheatError::Message(format!("'{name}' not found in '{path}'.{list}"))
    })
}

/// Returns the canonical definition of a type. The text is a definition, or a name in the project's bindings.
fn definition(cx: &Cx<'_>, text: &str) -> Result<String, CheatError> {
    if text.contains('(') {
        Ok(parsed(text)?.canonicalize().map_err(|error| error.to_string())?)
    } else {
        let shared = &cx.cheats.shared;
        let path = shared.config.bindings.strip_prefix(&shared.root).unwrap_or(&shared.config.bindings);
        bound(cx, text, &path.display().to_string())
    }
}

/// Parses the structs of a definition, unless there are too many.
fn parsed(definition: &str) -> Result<EncodeType<'_>, CheatError> {
    type_limits::check_text(definition)?;
    let parsed = EncodeType::parse(definition).map_err(|error| error.to_string())?;
    type_limits::check_definition(&parsed)?;
    Ok(parsed)
}

fn definition_in(cx: &Cx<'_>, path: &str, name: &str) -> Result<String, CheatError> {
    bound(cx, name, path)
}

/// Returns the hash of a struct whose type is the first one in a definition.
fn hash_struct(definition: &str, data: &Bytes) -> Result<B256, CheatError> {
    let primary = definition.split('(').next().unwrap_or_default();
    let mut resolver = Resolver::default();
    // A definition contains all types, one after the other.
    for kind in parsed(definition)?.types {
        resolver.ingest(kind.to_owned());
    }
    let kind = resolver
        .resolve(primary)
        .map_err(|error| format!("Failed to resolve EIP-712 primary type '{primary}': {error}"))?;
    type_limits::check_type(&kind)?;
    let value = kind.abi_decode(data).map_err(|error| {
        format!("Failed to ABI decode using resolved_sol_type directly for '{primary}': {error}.")
    })?;
    Ok(resolver.eip712_data_word(&value).map_err(|error| error.to_string())?)
}

impl Cheatcode for Vm::eip712HashType_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(keccak256(definition(cx, &self.typeNameOrDefinition)?))
    }
}

impl Cheatcode for Vm::eip712HashType_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(keccak256(definition_in(cx, &self.bindingsPath, &self.typeName)?))
    }
}

impl Cheatcode for Vm::eip712HashStruct_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        hash_struct(&definition(cx, &self.typeNameOrDefinition)?, &self.data)
    }
}

impl Cheatcode for Vm::eip712HashStruct_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        hash_struct(&definition_in(cx, &self.bindingsPath, &self.typeName)?, &self.data)
    }
}

impl Cheatcode for Vm::eip712HashTypedDataCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        let json: Value = serde_json::from_str(&self.json).map_err(|error| error.to_string())?;
        type_limits::check_typed_data(&json)?;
        let data: TypedData = serde_json::from_str(&self.json).map_err(|error| error.to_string())?;
        Ok(data.eip712_signing_hash().map_err(|error| error.to_string())?)
    }
}
