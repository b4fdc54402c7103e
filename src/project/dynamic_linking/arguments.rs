//! Encoding of constructor arguments: a library for each constructor, whose struct has its parameters.
//!
//! `abi.encode(7)` would lose the types of the parameters, to which Solidity converts arguments. A struct converts them
//! in the same way, and takes named arguments, too.

use super::Program;
use alloy_primitives::{hex, keccak256};
use solar::sema::hir::{ContractId, ItemId, SourceId, Type, TypeKind};
use std::{collections::BTreeMap, path::PathBuf};

/// Library that encodes the arguments of one constructor.
#[derive(Debug)]
pub(super) struct ArgumentLibrary {
    /// Name of the library.
    pub(super) name: String,
    /// Parameters in order: type with local names, and name.
    parameters: Vec<(String, String)>,
    /// Imported items: local name, and source and name of the item.
    imports: BTreeMap<String, (String, String)>,
}

impl ArgumentLibrary {
    /// Returns the library for a contract whose constructor has parameters. Returns `None` for types that cannot be
    /// named in another source.
    pub(super) fn of(program: Program<'_, '_>, contract: ContractId) -> Option<Self> {
        let hir = &program.gcx.hir;
        let artifact = program.artifact(contract)?;
        let digest = hex::encode(&keccak256(artifact.as_bytes())[..4]);
        let name = format!("Arguments_{}_{digest}", hir.contract(contract).name);
        let mut arguments = Self { name, parameters: Vec::new(), imports: BTreeMap::new() };
        for (index, parameter) in hir.function(hir.contract(contract).ctor?).parameters.iter().enumerate() {
            let parameter = hir.variable(*parameter);
            let name = parameter.name.map_or(format!("unnamed_{index}"), |name| name.to_string());
            let kind = arguments.type_name(program, &parameter.ty)?;
            arguments.parameters.push((kind, name));
        }
        Some(arguments)
    }

    /// Returns the source name of the library.
    pub(super) fn path(&self) -> PathBuf {
        PathBuf::from(format!("forge-harvey-dynamic-linking/{}.sol", self.name))
    }

    /// Returns the directive that imports the library.
    pub(super) fn import(&self) -> String {
        format!("import {{{0}}} from \"forge-harvey-dynamic-linking/{0}.sol\";\n", self.name)
    }

    /// Returns the text of the library.
    pub(super) fn source(&self) -> String {
        let Self { name, parameters, imports } = self;
        let import = |(local, (path, item)): (&String, &(String, String))| {
            format!("import {{{item} as {local}}} from \"{path}\";\n")
        };
        let imports: String = imports.iter().map(import).collect();
        let fields: String =
            parameters.iter().map(|(kind, name)| format!("        {kind} {name};\n")).collect();
        let values: Vec<_> = parameters.iter().map(|(_, name)| format!("values.{name}")).collect();
        format!(
            "// SPDX-License-Identifier: UNLICENSED\npragma solidity >=0.8.0;\n{imports}\nlibrary {name} {{\n    \
             struct Values {{\n{fields}    }}\n\n    \
             function encode(Values memory values) internal pure returns (bytes memory) {{\n        \
             return abi.encode({});\n    }}\n}}\n",
            values.join(", ")
        )
    }

    /// Returns the name of a type in the library, and imports what it needs.
    fn type_name(&mut self, program: Program<'_, '_>, kind: &Type<'_>) -> Option<String> {
        let text = |span| program.gcx.sess.source_map().span_to_snippet(span).ok();
        match &kind.kind {
            TypeKind::Elementary(_) => text(kind.span),
            TypeKind::Array(array) => {
                let element = self.type_name(program, &array.element)?;
                let size = array.size.map_or(Some(String::new()), |size| text(size.span))?;
                // The name of a constant means nothing elsewhere.
                let is_number = size.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
                is_number.then(|| format!("{element}[{size}]"))
            }
            TypeKind::Custom(item) => self.item_name(program, *item),
            TypeKind::Function(_) | TypeKind::Mapping(_) | TypeKind::Err(_) => None,
        }
    }

    fn item_name(&mut self, program: Program<'_, '_>, item: ItemId) -> Option<String> {
        let hir = &program.gcx.hir;
        let (source, contract, name) = match item {
            ItemId::Contract(id) => (hir.contract(id).source, None, hir.contract(id).name),
            ItemId::Struct(id) => (hir.strukt(id).source, hir.strukt(id).contract, hir.strukt(id).name),
            ItemId::Enum(id) => (hir.enumm(id).source, hir.enumm(id).contract, hir.enumm(id).name),
            ItemId::Udvt(id) => (hir.udvt(id).source, hir.udvt(id).contract, hir.udvt(id).name),
            ItemId::Function(_) | ItemId::Variable(_) | ItemId::Error(_) | ItemId::Event(_) => return None,
        };
        match contract {
            Some(outer) => {
                let local = self.imported(program, source, hir.contract(outer).name.to_string())?;
                Some(format!("{local}.{name}"))
            }
            None => self.imported(program, source, name.to_string()),
        }
    }

    /// Imports an item of a source, and returns its local name.
    fn imported(&mut self, program: Program<'_, '_>, source: SourceId, item: String) -> Option<String> {
        let path = program.written_name(source)?;
        let wanted = (path, item);
        if let Some((local, _)) = self.imports.iter().find(|(_, imported)| **imported == wanted) {
            return Some(local.clone());
        }
        let local = format!("Imported_{}", self.imports.len());
        self.imports.insert(local.clone(), wanted);
        Some(local)
    }
}
