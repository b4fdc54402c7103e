//! Storage layouts of contracts, as given by the compiler on request.

use alloy_primitives::U256;
use foundry_compilers::artifacts;

/// Storage variables of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StorageLayout(Vec<StorageVariable>);

/// Storage variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageVariable {
    /// Name of the variable.
    pub name: String,
    /// First slot of the variable.
    pub slot: U256,
    /// Number of slots.
    pub slots: u64,
    /// Encoding of the value in storage.
    pub encoding: StorageEncoding,
}

/// Solidity's encodings of types in storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageEncoding {
    /// All parts in successive slots.
    InPlace,
    /// Values at hashes of their keys.
    Mapping,
    /// Elements from the hash of the slot on.
    DynamicArray,
    /// Like a dynamic array, or in the slot itself if it is short.
    Bytes,
}

impl StorageLayout {
    /// Converts the layout in an artifact; returns `None` if it has no variables.
    pub(crate) fn new(layout: artifacts::StorageLayout) -> Option<Self> {
        let variable = |stored: &artifacts::Storage| {
            let kind = layout.types.get(&stored.storage_type)?;
            let bytes: u64 = kind.number_of_bytes.parse().ok()?;
            Some(StorageVariable {
                name: stored.label.clone(),
                slot: stored.slot.parse().ok()?,
                slots: bytes.div_ceil(32),
                encoding: match kind.encoding.as_str() {
                    "mapping" => StorageEncoding::Mapping,
                    "dynamic_array" => StorageEncoding::DynamicArray,
                    "bytes" => StorageEncoding::Bytes,
                    _ => StorageEncoding::InPlace,
                },
            })
        };
        let variables: Vec<_> = layout.storage.iter().filter_map(variable).collect();
        // The compiler was not asked for the layout, or the contract has no variables.
        (!variables.is_empty()).then_some(Self(variables))
    }

    /// Returns the variable with this name, ignoring case.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&StorageVariable> {
        self.0.iter().find(|variable| variable.name.eq_ignore_ascii_case(name))
    }
}
