//! `forge-harvey config`: the effective settings and their origins.

use super::{
    ExitStatus,
    args::{ConfigArgs, GlobalArgs},
    console::Console,
    project,
};
use crate::config::Setting;
use anyhow::Result;
use serde_json::{Value, json};

/// Prints the settings as TOML with their origins in comments, or as JSON.
pub(super) fn run(args: &ConfigArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    let mut console = Console::new(global, false);
    let loaded = project::load(&args.test, global, &mut console)?;
    let settings: Vec<_> =
        loaded.settings().into_iter().filter(|setting| !args.changed || setting.is_changed).collect();
    let text = match global.json {
        true => as_json(&settings),
        false => format!("# {}\n{}", loaded.forge, as_toml(&settings, &loaded.config.profile)),
    };
    console.print(&text)?;
    Ok(ExitStatus::Success)
}

fn as_json(settings: &[Setting]) -> String {
    let entries = settings.iter().map(|setting| {
        let key =
            setting.section.iter().chain([&setting.name]).map(String::as_str).collect::<Vec<_>>().join(".");
        (key, json!({ "value": setting.value, "origin": setting.origin }))
    });
    format!("{}\n", Value::Object(entries.collect()))
}

/// Formats the settings by section, those without a section first.
fn as_toml(settings: &[Setting], profile: &str) -> String {
    let mut text = String::new();
    let mut section: Option<&[String]> = None;
    for setting in settings {
        if section != Some(&setting.section) {
            let separator = if text.is_empty() { "" } else { "\n" };
            let parts = ["profile".to_owned(), profile.to_owned()];
            let names: Vec<_> = parts.iter().chain(&setting.section).map(|part| key(part)).collect();
            text += &format!("{separator}[{}]\n", names.join("."));
            section = Some(&setting.section);
        }
        let line = format!("{} = {}", key(&setting.name), toml_value(&setting.value));
        text += &format!("{line:48} # {}\n", setting.origin);
    }
    text
}

fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { name.to_owned() } else { toml::Value::from(name).to_string() }
}

fn toml_value(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => toml::Value::from(text.as_str()).to_string(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(toml_value).collect::<Vec<_>>().join(", "))
        }
        Value::Object(entries) => {
            let entry = |(name, value): (&String, &Value)| format!("{} = {}", key(name), toml_value(value));
            format!("{{ {} }}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}
