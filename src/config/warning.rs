//! Warnings about a configuration that can be used nevertheless.

use super::{
    place::SettingPlace,
    reference::{join, reference},
    value::{self, Table},
};
use std::fmt;

/// Warning about the configuration, in Forge's words if Forge has the same warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// An unknown section outside of profiles.
    UnknownSection {
        /// Name of the section.
        name: String,
        /// Place of the section.
        place: SettingPlace,
        /// Most similar known name.
        nearest: Option<String>,
    },
    /// An unknown setting.
    UnknownKey {
        /// Name of the setting.
        name: String,
        /// Kind and name of the table around it; the kind is `profile` or `section`.
        within: (&'static str, String),
        /// Place of the setting.
        place: SettingPlace,
        /// Most similar known name.
        nearest: Option<String>,
    },
    /// A setting that has a newer name.
    Deprecated {
        /// Old name.
        old: &'static str,
        /// New name.
        new: &'static str,
    },
    /// `FOUNDRY_PROFILE` or `--profile` names a profile that does not exist.
    MissingProfile {
        /// Name of the profile.
        name: String,
    },
    /// A setting that is accepted but has no effect.
    NotHonoured {
        /// Dotted path of the setting.
        key: String,
        /// Place of the setting.
        place: SettingPlace,
    },
    /// `fuzz.run` or `fuzz.worker`: Forge repeats the run with this number.
    OneRun {
        /// Dotted path of the setting.
        key: &'static str,
        /// Place of the setting.
        place: SettingPlace,
    },
    /// A malformed line of `.env`, after which reading stops.
    Dotenv {
        /// Description of the mistake.
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
            Self::OneRun { key, place } => write!(
                f,
                "`{key}` set at {} has no effect: it numbers the inputs of Forge's search, which are others than \
                 ours. `forge-harvey replay` repeats the failures that were found.",
                place.short()
            ),
            Self::Dotenv { problem } => write!(f, "Ignored the rest of .env: {problem}"),
        }
    }
}

/// Sections that may be outside of profiles, in Forge's order.
pub(super) const STANDALONE: [&str; 16] = [
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
    "tracing",
    "coverage",
    "symbolic",
    "mutation",
];

/// Deprecated names, each with the text to write instead.
const DEPRECATED: [(&str, &str); 2] =
    [("cancun", "evm_version = Cancun"), ("deny_warnings", "deny = warnings")];

/// Returns warnings about all unknown and deprecated names in a foundry.toml.
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

/// Checks the names in a section. Their spelling must be exact: Forge silently ignores `fail-on-revert`
/// there.
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

/// Returns warnings about settings without effect whose values differ from their defaults.
pub(super) fn not_honoured(settings: &Table) -> Vec<Warning> {
    let set = |key: String| {
        let node = value::find(settings, &key)?;
        let default = value::find(&reference().defaults, &key);
        (Some(node) != default).then(|| Warning::NotHonoured { key, place: node.place.clone() })
    };
    let one_run = ["fuzz.run", "fuzz.worker"].into_iter().find_map(|key| {
        let node = value::find(settings, key)?;
        Some(Warning::OneRun { key, place: node.place.clone() })
    });
    reference().not_honoured().filter_map(set).chain(one_run).collect()
}

/// Returns the known name that is most similar to `name`, if any is similar enough.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let scored = known.map(|known| (strsim::jaro(name, known), known)).filter(|(score, _)| *score > 0.8);
    scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known.to_owned())
}

/// Converts a name to snake case, as Forge does: `via-ir` and `viaIr` become `via_ir`.
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
