//! Conversion of untyped values to typed ones, with errors in Forge's words.

use super::{
    ConfigError,
    reference::join,
    value::{ConfigNode, Table, Value},
};
use alloy_primitives::{Address, B256, U256};
use std::{fmt::Display, path::PathBuf};

/// Table of settings with its dotted path, for reading.
pub(super) struct ConfigSection<'a> {
    table: &'a Table,
    path: String,
}

impl<'a> ConfigSection<'a> {
    pub(super) fn new(table: &'a Table) -> Self {
        Self { table, path: String::new() }
    }

    /// Reads a setting that has a default.
    pub(super) fn get<T: FromNode>(&self, name: &str) -> Result<T, ConfigError> {
        let value = self.find(name)?;
        Ok(value.unwrap_or_else(|| panic!("`{}` has no default in defaults.toml", join(&self.path, name))))
    }

    /// Reads a setting that may be unset.
    pub(super) fn find<T: FromNode>(&self, name: &str) -> Result<Option<T>, ConfigError> {
        self.node(name).map(|node| T::from_node(node, &join(&self.path, name))).transpose()
    }

    /// Returns the untyped value of a setting.
    pub(super) fn node(&self, name: &str) -> Option<&'a ConfigNode> {
        self.table.get(name)
    }

    /// Returns a nested table.
    pub(super) fn section(&self, name: &str) -> Result<Self, ConfigError> {
        let path = join(&self.path, name);
        let node = self.node(name).unwrap_or_else(|| panic!("`{path}` has no default in defaults.toml"));
        Self::of(node, path)
    }

    /// Returns the tables of an array of tables.
    pub(super) fn sections(&self, name: &str) -> Result<Vec<Self>, ConfigError> {
        let items = self.node(name).map(|node| list(node, &join(&self.path, name))).transpose()?;
        let items = items.into_iter().flatten().enumerate();
        items.map(|(index, item)| Self::of(item, format!("{}.{index}", join(&self.path, name)))).collect()
    }

    /// Reads all entries of a table whose names are chosen by the user.
    pub(super) fn entries<T: FromNode>(&self) -> Result<Vec<(&'a str, T)>, ConfigError> {
        let entry =
            |(name, node): (&'a String, _)| Ok((name.as_str(), T::from_node(node, &join(&self.path, name))?));
        self.table.iter().map(entry).collect()
    }

    fn of(node: &'a ConfigNode, path: String) -> Result<Self, ConfigError> {
        match node.as_table() {
            Some(table) => Ok(Self { table, path }),
            None => Err(node.mismatch(&path, "a table")),
        }
    }
}

/// Type of a setting's value.
pub(super) trait FromNode: Sized {
    /// Converts the value of the setting `key`.
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError>;
}

impl ConfigNode {
    /// Describes the value in Forge's words.
    pub(super) fn describe(&self) -> String {
        match &self.value {
            Value::Bool(value) => format!("bool {value}"),
            Value::Int(value) => format!("signed int `{value}`"),
            Value::Float(value) => format!("float `{value}`"),
            Value::Text(value) => format!("string {value:?}"),
            Value::List(_) => "sequence".to_owned(),
            Value::Table(_) => "map".to_owned(),
        }
    }

    /// Returns the error for a value of the wrong type.
    pub(super) fn mismatch(&self, key: &str, expected: &str) -> ConfigError {
        self.invalid(key, format!("invalid type: found {}, expected {expected}", self.describe()))
    }

    /// Returns the error for a value of the right type that is invalid for this setting.
    pub(super) fn invalid(&self, key: &str, problem: impl Display) -> ConfigError {
        let problem = problem.to_string();
        ConfigError::Invalid { key: key.to_owned(), problem, place: self.place.clone() }
    }

    /// Returns the value as text, or an error if it is not text.
    pub(super) fn text(&self, key: &str, expected: &str) -> Result<&str, ConfigError> {
        self.as_text().ok_or_else(|| self.mismatch(key, expected))
    }
}

fn list<'a>(node: &'a ConfigNode, key: &str) -> Result<&'a [ConfigNode], ConfigError> {
    match &node.value {
        Value::List(items) => Ok(items),
        _ => Err(node.mismatch(key, "a sequence")),
    }
}

macro_rules! integers {
    ($($integer:ident)*) => {$(
        impl FromNode for $integer {
            fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
                let expected = stringify!($integer);
                let Value::Int(value) = node.value else { return Err(node.mismatch(key, expected)) };
                Self::try_from(value).map_err(|_| {
                    node.invalid(key, format!("invalid value {}, expected {expected}", node.describe()))
                })
            }
        }
    )*};
}
integers!(u8 u32 u64 usize);

impl FromNode for bool {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        match node.value {
            Value::Bool(value) => Ok(value),
            _ => Err(node.mismatch(key, "a boolean")),
        }
    }
}

impl FromNode for String {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        node.text(key, "a string").map(str::to_owned)
    }
}

impl FromNode for PathBuf {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        node.text(key, "path string").map(Self::from)
    }
}

impl FromNode for Address {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = node.text(key, "an address")?;
        text.parse().map_err(|error| node.invalid(key, format!("invalid address {text:?}: {error}")))
    }
}

impl FromNode for B256 {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = node.text(key, "32 bytes in hexadecimal")?;
        let wrong = |error| format!("invalid value {text:?}, expected 32 bytes in hexadecimal: {error}");
        text.parse().map_err(|error| node.invalid(key, wrong(error)))
    }
}

/// Accepts decimal or hexadecimal text, or a number. Forge requires text for some settings and a number for
/// others; we accept both for all.
impl FromNode for U256 {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let number = match &node.value {
            Value::Text(text) => text.parse().ok(),
            Value::Int(value) => u128::try_from(*value).ok().map(Self::from),
            _ => None,
        };
        number.ok_or_else(|| node.mismatch(key, "a number of 256 bits, decimal or 0x"))
    }
}

impl<T: FromNode> FromNode for Vec<T> {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let items = list(node, key)?.iter().enumerate();
        items.map(|(index, item)| T::from_node(item, &format!("{key}.{index}"))).collect()
    }
}
