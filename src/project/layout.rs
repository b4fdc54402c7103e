//! Where a contract keeps its variables, if the compiler was asked.

use alloy_primitives::U256;
use foundry_compilers::artifacts::StorageLayout;

/// The variables of a contract in storage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout(Vec<Variable>);

/// A variable in storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its first slot.
    pub slot: U256,
    /// Slots that it takes.
    pub slots: u64,
    /// How what it holds lies in storage.
    pub encoding: Encoding,
}

/// Solidity's ways to lay out a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One part behind the other.
    InPlace,
    /// By hashes of keys.
    Mapping,
    /// From the hash of the slot on.
    DynamicArray,
    /// As an array, or in place when it is short.
    Bytes,
}

impl Layout {
    /// As it stands in an artifact; `None` if it does not.
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
        // A contract that was compiled without says as much as one without variables.
        (!variables.is_empty()).then_some(Self(variables))
    }

    /// The variable of this name, in whatever case.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.0.iter().find(|variable| variable.name.eq_ignore_ascii_case(name))
    }
}
