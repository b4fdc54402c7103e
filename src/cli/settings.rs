//! Conversion of flags and environment variables to configuration.

use super::args::{GlobalArgs, TestArgs};
use crate::config::{Environment, Overrides, Value};
use toml::Table;

/// Returns the layer of flags, which overrides foundry.toml.
pub(super) fn overrides(args: &TestArgs, global: &GlobalArgs) -> Overrides {
    let mut overrides = Overrides::default();
    overrides.config_path.clone_from(&args.build.config_path);
    let mut table = args.overrides(global);
    if let Some(toml::Value::Array(remappings)) = table.remove("remappings") {
        overrides.remappings =
            remappings.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect();
    }
    add(&mut overrides, "", table);
    overrides
}

fn add(overrides: &mut Overrides, prefix: &str, table: Table) {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        let flag = format!("--{}", name.replace('_', "-"));
        match value {
            toml::Value::Table(section) => add(overrides, &format!("{key}."), section),
            toml::Value::Boolean(given) => drop(overrides.set(&key, &flag, Some(given))),
            toml::Value::Integer(number) => drop(overrides.set(&key, &flag, Some(Value::Int(number.into())))),
            toml::Value::String(text) => drop(overrides.set(&key, &flag, Some(text))),
            toml::Value::Array(items) => drop(overrides.set(&key, &flag, Some(list(items)))),
            toml::Value::Float(_) | toml::Value::Datetime(_) => unreachable!("no flag gives such a value"),
        }
    }
}

fn list(items: Vec<toml::Value>) -> Vec<Value> {
    let item = |item| match item {
        toml::Value::Integer(number) => Value::Int(number.into()),
        toml::Value::String(text) => Value::Text(text),
        _ => unreachable!("lists of flags hold numbers or text"),
    };
    items.into_iter().map(item).collect()
}

/// Returns the environment of this process, without variables that are not Unicode.
pub(super) fn environment() -> Environment {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
