//! What is worth saying about a configuration that is usable all the same.

use super::{
    place::SettingPlace,
    reference::{join, reference},
    value::{self, Table},
};
use std::fmt;

/// A warning about the configuration, worded as Forge does where it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// A section outside of profiles that nobody knows.
    UnknownSection {
        /// Its name.
        name: String,
        /// Where.
        place: SettingPlace,
        /// The known name that is most like it.
        nearest: Option<String>,
    },
    /// A setting that nobody knows.
    UnknownKey {
        /// Its name.
        name: String,
        /// `profile` and its name, or `section` and its name.
        within: (&'static str, String),
        /// Where.
        place: SettingPlace,
        /// The known name that is most like it.
        nearest: Option<String>,
    },
    /// A setting with a newer name.
    Deprecated {
        /// The old name.
        old: &'static str,
        /// What to write instead.
        new: &'static str,
    },
    /// `FOUNDRY_PROFILE` names no profile.
    MissingProfile {
        /// The name.
        name: String,
    },
    /// A setting that we accept and ignore.
    NotHonoured {
        /// The setting.
        key: String,
        /// Where.
        place: SettingPlace,
    },
    /// A line of `.env` that makes no sense; what follows it is not read.
    Dotenv {
        /// What is wrong.
        problem: String,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSection { name, place, nearest } => {
                write!(f, "Found unknown config section at {}: [{name}]. ", place.short())?;
                match nearest {
                    Some(nearest) => write!(f, "Did you mean [{nearest}]?"),
                    None => write!(f, "If it is a profile, call it [profile.{name}]."),
                }
            }
            Self::UnknownKey { name, within: (kind, within), place, nearest } => {
                let place = place.short();
                match *kind {
                    "profile" => {
                        write!(f, "Found unknown `{name}` config for profile `{within}` defined at {place}.")
                    }
                    _ => write!(
                        f,
                        "Found unknown `{name}` config key in section `{within}` defined at {place}."
                    ),
                }?;
                nearest.iter().try_for_each(|nearest| write!(f, " Did you mean `{nearest}`?"))
            }
            Self::Deprecated { old, new } => write!(
                f,
                "Key `{old}` is being deprecated in favor of `{new}`. It will be removed in future versions."
            ),
            Self::MissingProfile { name } => {
                write!(f, "Selected profile `{name}` does not exist; falling back to the default profile.")
            }
            Self::NotHonoured { key, place } => {
                write!(
                    f,
                    "`{key}` set at {} is not honoured by forge-harvey yet and has no effect.",
                    place.short()
                )
            }
            Self::Dotenv { problem } => write!(f, "Ignored the rest of .env: {problem}"),
        }
    }
}

/// Sections that may stand outside of profiles, in Forge's order.
pub(super) const STANDALONE: [&str; 12] = [
    "rpc_endpoints",
    "etherscan",
    "fmt",
    "lint",
    "doc",
    "fuzz",
    "invariant",
    "labels",
    "dependencies",
    "soldeer",
    "vyper",
    "bind_json",
];

/// Old names, and what to write instead.
const DEPRECATED: [(&str, &str); 2] =
    [("cancun", "evm_version = Cancun"), ("deny_warnings", "deny = warnings")];

/// Everything unknown or deprecated in a foundry.toml.
pub(super) fn of_file(document: &Table) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (name, node) in document {
        let Some(table) = node.as_table() else { continue };
        if name == "profile" {
            table.iter().for_each(|(profile, node)| of_profile(profile, node.as_table(), &mut warnings));
        } else if STANDALONE.contains(&name.as_str()) {
            of_section(name, table, &mut warnings);
        } else {
            let nearest = nearest(name, STANDALONE.into_iter());
            warnings.push(Warning::UnknownSection { name: name.clone(), place: node.place.clone(), nearest });
        }
    }
    warnings
}

fn of_profile(profile: &str, table: Option<&Table>, warnings: &mut Vec<Warning>) {
    let known = reference().names("").expect("the profile has names");
    for (name, node) in table.into_iter().flatten() {
        let snake = snake_case(name);
        if let Some((old, new)) = DEPRECATED.into_iter().find(|(old, _)| *old == snake) {
            warnings.push(Warning::Deprecated { old, new });
        } else if !known.clone().any(|known| known == snake) {
            let nearest = nearest(&snake, known.clone());
            let within = ("profile", profile.to_owned());
            warnings.push(Warning::UnknownKey {
                name: name.clone(),
                within,
                place: node.place.clone(),
                nearest,
            });
        } else if let Some(table) = node.as_table() {
            of_section(&snake, table, warnings);
        }
    }
}

/// Names in sections are taken as they are written: Forge ignores `fail-on-revert` there, and does not say so.
fn of_section(section: &str, table: &Table, warnings: &mut Vec<Warning>) {
    let Some(known) = reference().names(section) else { return };
    for (name, node) in table {
        if !known.clone().any(|known| known == name) {
            let nearest = nearest(name, known.clone());
            let within = ("section", section.to_owned());
            warnings.push(Warning::UnknownKey {
                name: name.clone(),
                within,
                place: node.place.clone(),
                nearest,
            });
        } else if let Some(table) = node.as_table() {
            of_section(&join(section, name), table, warnings);
        }
    }
}

/// Settings that differ from their default and have no effect.
pub(super) fn not_honoured(settings: &Table) -> Vec<Warning> {
    let set = |key: String| {
        let node = value::find(settings, &key)?;
        let default = value::find(&reference().defaults, &key);
        (Some(node) != default).then(|| Warning::NotHonoured { key, place: node.place.clone() })
    };
    reference().not_honoured().filter_map(set).collect()
}

/// The known name that a misspelled one is most like, if it is like any.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let scored = known.map(|known| (strsim::jaro(name, known), known)).filter(|(score, _)| *score > 0.8);
    scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known.to_owned())
}

/// `via-ir` and `viaIr` are `via_ir`, as for Forge.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut after_small = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && after_small {
            snake.push('_');
        }
        snake.push(if c == '-' { '_' } else { c.to_ascii_lowercase() });
        after_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    snake
}
