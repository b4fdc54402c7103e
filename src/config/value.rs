//! Untyped values with the places where they were written.

use super::{ConfigError, SettingPlace, SettingSource};
use alloy_primitives::U256;
use std::{collections::BTreeMap, sync::Arc};
use toml::de::{DeTable, DeValue};

/// Untyped value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// An integer, wide enough for those in TOML and in variables.
    Int(i128),
    /// A floating-point number; no setting of ours accepts one.
    Float(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<ConfigNode>),
    /// A table.
    Table(Table),
}

/// Table, sorted by key.
pub(super) type Table = BTreeMap<String, ConfigNode>;

/// Value with the place where it was written.
#[derive(Clone, Debug)]
pub struct ConfigNode {
    pub(super) value: Value,
    pub(super) place: SettingPlace,
}

/// Compares only the values, not the places.
impl PartialEq for ConfigNode {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl ConfigNode {
    pub(super) fn new(value: impl Into<Value>, place: SettingPlace) -> Self {
        Self { value: value.into(), place }
    }

    pub(super) fn as_table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Converts the value to JSON, for settings that are passed on unchanged.
    pub(super) fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Bool(value) => (*value).into(),
            Value::Int(value) => i64::try_from(*value).map_or_else(|_| (*value as u64).into(), Into::into),
            Value::Float(value) => (*value).into(),
            Value::Text(value) => value.as_str().into(),
            Value::List(items) => items.iter().map(Self::to_json).collect(),
            Value::Table(table) => serde_json::Value::Object(
                table.iter().map(|(key, node)| (key.clone(), node.to_json())).collect(),
            ),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self::Int(value.into())
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<U256> for Value {
    /// Converts to an integer as in TOML, or to hexadecimal text if it has more than 64 bits.
    fn from(value: U256) -> Self {
        i64::try_from(value)
            .map_or_else(|_| Self::Text(format!("{value:#x}")), |value| Self::Int(value.into()))
    }
}

impl From<Table> for Value {
    fn from(value: Table) -> Self {
        Self::Table(value)
    }
}

/// Parses TOML.
///
/// # Errors
/// Fails if the text is not TOML.
pub(super) fn parse(source: &Arc<SettingSource>) -> Result<Table, ConfigError> {
    let document = DeTable::parse(&source.text).map_err(|error| ConfigError::Syntax {
        message: error.message().to_owned(),
        place: SettingPlace::File { source: source.clone(), span: error.span().unwrap_or_default() },
    })?;
    let place_of = |span| SettingPlace::File { source: source.clone(), span };
    Ok(from_toml(document.get_ref(), &place_of))
}

/// Converts a TOML table. `place_of` returns the place of a span.
pub(super) fn from_toml(
    table: &DeTable<'_>,
    place_of: &dyn Fn(std::ops::Range<usize>) -> SettingPlace,
) -> Table {
    table
        .iter()
        .map(|(key, value)| {
            let node = ConfigNode::new(from_toml_value(value.get_ref(), place_of), place_of(value.span()));
            (key.get_ref().to_string(), node)
        })
        .collect()
}

fn from_toml_value(value: &DeValue<'_>, place_of: &dyn Fn(std::ops::Range<usize>) -> SettingPlace) -> Value {
    match value {
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Integer(value) => i128::from_str_radix(value.as_str(), value.radix())
            .map_or_else(|_| Value::Text(value.to_string()), Value::Int),
        DeValue::Float(value) => Value::Float(value.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::String(value) => Value::Text(value.to_string()),
        DeValue::Datetime(value) => Value::Text(value.to_string()),
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| ConfigNode::new(from_toml_value(item.get_ref(), place_of), place_of(item.span())))
                .collect(),
        ),
        DeValue::Table(table) => Value::Table(from_toml(table, place_of)),
    }
}

/// Rule for lists that are in both tables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lists {
    /// The upper list replaces the lower one.
    Replace,
    /// The upper list is appended to the lower one.
    Append,
}

/// Merges `upper` over `lower`: tables are merged key by key, other values are replaced.
pub(super) fn merge(lower: &mut Table, upper: Table, lists: Lists) {
    for (key, node) in upper {
        match (lower.get_mut(&key), node.value) {
            (Some(ConfigNode { value: Value::Table(below), place }), Value::Table(above)) => {
                *place = node.place;
                merge(below, above, lists);
            }
            (Some(ConfigNode { value: Value::List(below), .. }), Value::List(above))
                if lists == Lists::Append =>
            {
                below.extend(above);
            }
            (_, value) => {
                lower.insert(key, ConfigNode { value, place: node.place });
            }
        }
    }
}

/// Puts a value at a dotted path and creates the tables in between.
pub(super) fn insert(table: &mut Table, path: &str, node: ConfigNode) {
    match path.split_once('.') {
        None => {
            table.insert(path.to_owned(), node);
        }
        Some((section, rest)) => {
            let inner = table
                .entry(section.to_owned())
                .or_insert_with(|| ConfigNode::new(Table::new(), node.place.clone()));
            if !matches!(inner.value, Value::Table(_)) {
                inner.value = Table::new().into();
            }
            if let Value::Table(inner) = &mut inner.value {
                insert(inner, rest, node);
            }
        }
    }
}

/// Returns the value at a dotted path.
pub(super) fn find<'a>(table: &'a Table, path: &str) -> Option<&'a ConfigNode> {
    match path.split_once('.') {
        None => table.get(path),
        Some((section, rest)) => find(table.get(section)?.as_table()?, rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        parse(&Arc::new(SettingSource { name: "t".to_owned(), text: text.to_owned() })).unwrap()
    }

    #[test]
    fn merging_goes_into_tables_and_replaces_the_rest() {
        let mut lower = table("a = 1\nb = [1]\n[c]\nx = 1\ny = 2");
        merge(&mut lower, table("b = [2]\n[c]\ny = 'z'"), Lists::Replace);
        assert_eq!(lower, table("a = 1\nb = [2]\nc = { x = 1, y = 'z' }"));
    }

    #[test]
    fn lists_may_be_appended() {
        let mut lower = table("b = [1]");
        merge(&mut lower, table("b = [2]"), Lists::Append);
        assert_eq!(lower, table("b = [1, 2]"));
    }

    #[test]
    fn paths_reach_into_tables() {
        let mut root = table("a = 1");
        insert(&mut root, "b.c", ConfigNode::new(7u32, SettingPlace::Default));
        assert_eq!(find(&root, "b.c").map(|node| &node.value), Some(&Value::Int(7)));
        assert_eq!(find(&root, "a.c"), None);
    }
}
