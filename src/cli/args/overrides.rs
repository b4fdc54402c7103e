//! Builder of the layer of settings that flags put over foundry.toml.

use alloy_primitives::U256;
use toml::{Table, Value};

/// Table under construction. A key `section.name` belongs to a section.
#[derive(Debug, Default)]
pub(super) struct OverridesBuilder(Table);

impl OverridesBuilder {
    /// Sets `key` if the flag was given.
    pub(super) fn set(&mut self, key: &str, value: Option<impl Into<Value>>) {
        let Some(value) = value else { return };
        match key.split_once('.') {
            None => self.0.insert(key.to_owned(), value.into()),
            Some((section, key)) => self.section(section).insert(key.to_owned(), value.into()),
        };
    }

    /// Sets `key` to true if the flag was given.
    pub(super) fn flag(&mut self, key: &str, given: bool) {
        self.set(key, given.then_some(true));
    }

    /// Sets `key` to a list if the flag was given at least once.
    pub(super) fn list(&mut self, key: &str, values: &[String]) {
        self.set(key, (!values.is_empty()).then(|| values.to_vec()));
    }

    pub(super) fn into_table(self) -> Table {
        self.0
    }

    fn section(&mut self, name: &str) -> &mut Table {
        let section = self.0.entry(name).or_insert_with(|| Table::new().into());
        section.as_table_mut().expect("no flag sets a section's name itself")
    }
}

/// Returns a TOML integer, or a hex string if the value does not fit in one.
pub(super) fn quantity(value: U256) -> Value {
    i64::try_from(value).map_or_else(|_| format!("{value:#x}").into(), Value::from)
}
