//! Settings from environment variables.

use super::{
    ConfigError, SettingPlace, Warning,
    load::Environment,
    reference::reference,
    value::{self, ConfigNode, Lists, Table, Value},
    warning::nearest,
};

/// Sections whose settings a variable can set, as in `FOUNDRY_INVARIANT_RUNS`. Only `harvey` is unknown to
/// Forge.
const SECTIONS: [&str; 15] = [
    "rpc_endpoints",
    "etherscan",
    "fmt",
    "lint",
    "doc",
    "fuzz",
    "invariant",
    "labels",
    "vyper",
    "bind_json",
    "tracing",
    "coverage",
    "symbolic",
    "mutation",
    "harvey",
];

/// Settings that are not read from variables in the ordinary way. `ffi` and `fs_permissions` can only be set
/// by the project, because they allow tests to run programs and to access files. The others have rules of
/// their own.
const IGNORED: [&str; 6] = ["profile", "config", "remappings", "libraries", "ffi", "fs_permissions"];

/// Setting whose value is text even if it looks like a number: 1.10 is not the version 1.1.
const VERSION: &str = "harvey_forge";

/// Variables of dapptools: the name after `DAPP_`, the setting, and true if its value is a number.
const DAPP: [(&str, &str, bool); 9] = [
    ("SOLC_VERSION", "solc", false),
    ("TEST_NUMBER", "block_number", true),
    ("TEST_ADDRESS", "sender", false),
    ("FORK_BLOCK", "fork_block_number", true),
    ("TEST_TIMESTAMP", "block_timestamp", true),
    ("BUILD_OPTIMIZE_RUNS", "optimizer_runs", true),
    ("BUILD_OPTIMIZE", "optimizer", true),
    ("TEST_FUZZ_RUNS", "fuzz.runs", true),
    ("TEST_DEPTH", "invariant.depth", true),
];

/// Reads the settings in `DAPP_*` and `FOUNDRY_*` variables and warns about misspelled ones. `FOUNDRY_*`
/// variables have precedence.
///
/// # Errors
/// Fails if a dapptools variable that takes a number has another value. All other values are checked later,
/// when their setting is read.
pub(super) fn settings(env: &Environment) -> Result<(Table, Vec<Warning>), ConfigError> {
    let (mut table, mut warnings) = (Table::new(), Vec::new());
    for (variable, text) in env {
        let Some(rest) = variable.strip_prefix("DAPP_") else { continue };
        let name = rest.strip_prefix("TEST_").unwrap_or(rest).to_ascii_lowercase();
        if let Some((_, path, number)) = DAPP.into_iter().find(|(name, ..)| *name == rest) {
            value::insert(&mut table, path, dapp(variable, path, text, number)?);
        } else if !IGNORED.contains(&name.as_str()) {
            value::insert(&mut table, &name, node(variable, text));
        }
    }
    let mut foundry = Table::new();
    if let Some(text) = env.get("FOUNDRY_SOLC_VERSION") {
        value::insert(&mut foundry, "solc", node("FOUNDRY_SOLC_VERSION", text));
    }
    for (variable, text) in env {
        let Some(name) = variable.strip_prefix("FOUNDRY_").map(str::to_ascii_lowercase) else { continue };
        if IGNORED.contains(&name.as_str()) || name == "solc_version" {
            continue;
        }
        warnings.extend(misspelled(variable, &name));
        let value = if name == VERSION { quoted(variable, text) } else { node(variable, text) };
        value::insert(&mut foundry, &dotted(&name), value);
    }
    value::merge(&mut table, foundry, Lists::Replace);
    if let Some((variable, text)) = first(env, ["DAPP_LIBRARIES", "FOUNDRY_LIBRARIES"]) {
        value::insert(&mut table, "libraries", libraries(variable, text));
    }
    Ok((table, warnings))
}

/// Returns the first of `names` that is set, with its value.
pub(super) fn first<'a>(env: &'a Environment, names: [&'static str; 2]) -> Option<(&'static str, &'a str)> {
    names.into_iter().find_map(|name| Some((name, env.get(name)?.as_str())))
}

/// Converts the rest of a variable's name to a dotted path: `invariant_runs` becomes `invariant.runs`.
fn dotted(name: &str) -> String {
    let within = SECTIONS.iter().find_map(|section| {
        let rest = name.strip_prefix(section)?.strip_prefix('_')?;
        Some(format!("{section}.{rest}"))
    });
    within.unwrap_or_else(|| name.to_owned())
}

/// Returns a warning if the variable names an unknown setting of a section about testing. Forge never warns
/// about variables. Other sections are not checked, because other programs use `FOUNDRY_` names, too.
fn misspelled(variable: &str, name: &str) -> Option<Warning> {
    let (section, key) = ["fuzz", "invariant", "harvey"]
        .into_iter()
        .find_map(|section| Some((section, name.strip_prefix(section)?.strip_prefix('_')?)))?;
    let known = reference().names(section)?;
    if known.clone().any(|known| known == key) {
        return None;
    }
    Some(Warning::UnknownKey {
        name: key.to_owned(),
        within: ("section", section.to_owned()),
        place: SettingPlace::Variable(variable.to_owned()),
        nearest: nearest(key, known),
    })
}

fn dapp(variable: &str, path: &str, text: &str, number: bool) -> Result<ConfigNode, ConfigError> {
    let place = SettingPlace::Variable(variable.to_owned());
    let invalid = |expected: &str| ConfigError::Invalid {
        key: path.to_owned(),
        problem: format!("invalid value `{text}`, expected {expected}"),
        place: place.clone(),
    };
    let value = match (path, number) {
        ("optimizer", _) => match text {
            "0" => Value::Bool(false),
            "1" => Value::Bool(true),
            _ => return Err(invalid("0 or 1")),
        },
        (_, true) => Value::from(text.parse::<u64>().map_err(|_| invalid("a number"))?),
        (_, false) => Value::from(text),
    };
    Ok(ConfigNode::new(value, place))
}

fn libraries(variable: &str, text: &str) -> ConfigNode {
    let place = SettingPlace::Variable(variable.to_owned());
    let entries = text.trim_start_matches('[').trim_end_matches(']').split(',').map(|entry| entry.trim());
    let entries = entries.map(|entry| entry.trim_matches('"')).filter(|entry| !entry.is_empty());
    ConfigNode::new(Value::List(entries.map(|entry| ConfigNode::new(entry, place.clone())).collect()), place)
}

fn node(variable: &str, text: &str) -> ConfigNode {
    let place = SettingPlace::Variable(variable.to_owned());
    ConfigNode::new(parse(text.trim(), &place), place)
}

/// Returns a variable's value as text, with or without quotes.
fn quoted(variable: &str, text: &str) -> ConfigNode {
    ConfigNode::new(text.trim().trim_matches('"'), SettingPlace::Variable(variable.to_owned()))
}

/// Parses a variable's text as `true` or `false`, a number, a list `[a, b]`, or text with or without quotes.
/// Hexadecimal numbers stay text, because they may be addresses.
fn parse(text: &str, place: &SettingPlace) -> Value {
    if let Ok(value) = text.parse::<bool>() {
        return Value::Bool(value);
    }
    if let Ok(value) = text.parse::<i128>() {
        return Value::Int(value);
    }
    if let Some(value) = text.parse::<f64>().ok().filter(|_| text.contains('.')) {
        return Value::Float(value);
    }
    if let Some(items) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        let items = items.split(',').map(str::trim).filter(|item| !item.is_empty());
        return Value::List(items.map(|item| ConfigNode::new(parse(item, place), place.clone())).collect());
    }
    let unquoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    Value::from(unquoted.unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &[(&str, &str)]) -> Environment {
        pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    fn one(name: &str, text: &str, path: &str) -> Option<Value> {
        let (table, _) = settings(&env(&[(name, text)])).unwrap();
        value::find(&table, path).map(|node| node.value.clone())
    }

    #[test]
    fn sections_are_reached_by_prefix() {
        assert_eq!(one("FOUNDRY_INVARIANT_RUNS", "5", "invariant.runs"), Some(Value::Int(5)));
        assert_eq!(one("FOUNDRY_BIND_JSON_OUT", "x", "bind_json.out"), Some("x".into()));
        assert_eq!(one("FOUNDRY_HARVEY_PLATEAU", "5", "harvey.plateau"), Some(Value::Int(5)));
        assert_eq!(one("FOUNDRY_SRC", "\"a b\"", "src"), Some("a b".into()));
        assert_eq!(one("FOUNDRY_SENDER", "0x12", "sender"), Some("0x12".into()));
    }

    #[test]
    fn lists_need_brackets_and_no_quotes() {
        let list = ["a", "b"].map(|item| ConfigNode::new(item, SettingPlace::Default)).to_vec();
        assert_eq!(one("FOUNDRY_LIBS", "[a, \"b\"]", "libs"), Some(Value::List(list)));
        assert_eq!(one("FOUNDRY_LIBS", "a,b", "libs"), Some("a,b".into()));
    }

    #[test]
    fn programs_and_files_are_not_opened_by_variables() {
        assert_eq!(one("FOUNDRY_FFI", "true", "ffi"), None);
        assert_eq!(one("DAPP_FS_PERMISSIONS", "[]", "fs_permissions"), None);
    }

    #[test]
    fn foundry_beats_dapp_but_for_libraries() {
        let both = env(&[
            ("DAPP_SRC", "a"),
            ("FOUNDRY_SRC", "b"),
            ("DAPP_LIBRARIES", "x"),
            ("FOUNDRY_LIBRARIES", "y"),
        ]);
        let (table, _) = settings(&both).unwrap();
        assert_eq!(table["src"].as_text(), Some("b"));
        assert_eq!(table["libraries"].value, Value::List(vec![ConfigNode::new("x", SettingPlace::Default)]));
    }

    #[test]
    fn the_names_of_dapptools_work() {
        assert_eq!(one("DAPP_TEST_DEPTH", "7", "invariant.depth"), Some(Value::Int(7)));
        assert_eq!(one("DAPP_BUILD_OPTIMIZE", "1", "optimizer"), Some(Value::Bool(true)));
        assert_eq!(one("DAPP_TEST_GAS_LIMIT", "7", "gas_limit"), Some(Value::Int(7)));
        let error = settings(&env(&[("DAPP_TEST_NUMBER", "x")])).unwrap_err();
        insta::assert_snapshot!(error, @r"
        invalid value `x`, expected a number for setting `block_number`
          --> environment variable DAPP_TEST_NUMBER
        ");
    }

    #[test]
    fn a_misspelled_variable_is_noticed() {
        let (_, warnings) = settings(&env(&[("FOUNDRY_INVARIANT_RUNZ", "1"), ("FOUNDRY_BIN", "x")])).unwrap();
        let warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            ["Found unknown `runz` config key in section `invariant` defined at FOUNDRY_INVARIANT_RUNZ. \
              Did you mean `runs`?"]
        );
    }
}
