//! Storage layouts of contracts, as given by the compiler on request.

use alloy_primitives::U256;
use foundry_compilers::artifacts::StorageLayout;

/// Storage variables of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout(Vec<Variable>);

/// Storage variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Name of the variable.
    pub name: String,
    /// First slot of the variable.
    pub slot: U256,
    /// Number of slots.
    pub slots: u64,
    /// Encoding of the value in storage.
    pub encoding: Encoding,
}

/// Solidity's encodings of types in storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// All parts in successive slots.
    InPlace,
    /// Values at hashes of their keys.
    Mapping,
    /// Elements from the hash of the slot on.
    DynamicArray,
    /// Like a dynamic array, or in the slot itself if it is short.
    Bytes,
}

impl Layout {
    /// Converts the layout in an artifact; returns `None` if it has no variables.
    pub(crate) fn new(layout: StorageLayout) -> Option<Self> {
        let variable = |stored: &foundry_compilers::artifacts::Storage| {
            let kind = layout.types.get(&stored.storage_type)?;
            let bytes: u64 = kind.number_of_bytes.parse().ok()?;
            Some(Variable {
                name: stored.label.clone(),
                slot: stored.slot.parse().ok()?,
                slots: bytes.div_ceil(32),
                encoding: match kind.encoding.as_str() {
                    "mapping" => Encoding::Mapping,
                    "dynamic_array" => Encoding::DynamicArray,
                    "bytes" => Encoding::Bytes,
                    _ => Encoding::InPlace,
                },
            })
        };
        let variables: Vec<_> = layout.storage.iter().filter_map(variable).collect();
        // The compiler was not asked for the layout, or the contract has no variables.
        (!variables.is_empty()).then_some(Self(variables))
    }

    /// Returns the variable with this name, ignoring case.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.0.iter().find(|variable| variable.name.eq_ignore_ascii_case(name))
    }
}
