//! Embedded `defaults.toml`: default values, known names, and the settings that have no effect.

use super::{
    SettingSource,
    value::{self, Lists, Table},
};
use std::{collections::BTreeMap, sync::Arc, sync::LazyLock};

/// Text of `defaults.toml`.
pub(super) const TEXT: &str = include_str!("defaults.toml");

/// Mark in the comment of a setting that is accepted but has no effect.
const NOT_HONOURED: &str = "(not honoured yet)";

/// Parsed content of `defaults.toml`.
pub(super) struct Reference {
    /// Default values; sections are nested tables of the profile.
    pub(super) defaults: Table,
    /// Names in each section, and false for settings without effect. The empty name stands for the profile
    /// itself. A section without names accepts any name.
    sections: BTreeMap<String, BTreeMap<String, bool>>,
}

/// Returns the content of the embedded file, which is parsed only once.
pub(super) fn reference() -> &'static Reference {
    static REFERENCE: LazyLock<Reference> = LazyLock::new(|| Reference::parse(TEXT));
    &REFERENCE
}

impl Reference {
    /// Parses the text. Names are read line by line, because comments carry information.
    fn parse(text: &str) -> Self {
        let mut sections = BTreeMap::from([(String::new(), BTreeMap::new())]);
        let (mut section, mut honoured) = (String::new(), true);
        for line in text.lines() {
            if let Some(comment) = line.strip_prefix("# ") {
                honoured = !comment.contains(NOT_HONOURED);
            } else if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = header.trim_start_matches("profile.default").trim_start_matches('.').to_owned();
                if !section.is_empty() {
                    let (parent, name) = section.rsplit_once('.').unwrap_or(("", &section));
                    sections.entry(parent.to_owned()).or_default().insert(name.to_owned(), honoured);
                    sections.entry(section.clone()).or_default();
                }
            } else if let Some((name, _)) = line.trim_start_matches('#').split_once(" = ") {
                sections.entry(section.clone()).or_default().insert(name.to_owned(), honoured);
            }
        }
        Self { defaults: defaults(text), sections }
    }

    /// Returns the names that a section may contain; `None` if the section is unknown or accepts any name.
    pub(super) fn names(&self, section: &str) -> Option<impl Iterator<Item = &str> + Clone> {
        let names = self.sections.get(section).filter(|names| !names.is_empty())?;
        Some(names.keys().map(String::as_str))
    }

    /// Returns dotted paths of the settings that are accepted but have no effect.
    pub(super) fn not_honoured(&self) -> impl Iterator<Item = String> {
        self.sections.iter().flat_map(|(section, names)| {
            let ignored = names.iter().filter(|(_, honoured)| !**honoured);
            ignored.map(move |(name, _)| join(section, name))
        })
    }
}

/// Returns `section.name`, or `name` for the profile itself.
pub(super) fn join(section: &str, name: &str) -> String {
    if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") }
}

/// Returns the defaults as one table, in which the sections are merged with `[profile.default]`.
fn defaults(text: &str) -> Table {
    let source = Arc::new(SettingSource { name: "defaults.toml".to_owned(), text: text.to_owned() });
    let mut document = value::parse(&source).expect("the embedded defaults are TOML");
    let profile = document.remove("profile").expect("the embedded defaults have a profile");
    let profile = profile.as_table().and_then(|profiles| profiles.get("default")?.as_table());
    let profile = profile.expect("the embedded defaults have a default profile").clone();
    value::merge(&mut document, profile, Lists::Replace);
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_without_default_is_known_and_unset() {
        let reference = reference();
        assert!(reference.names("").unwrap().any(|name| name == "solc"));
        assert_eq!(value::find(&reference.defaults, "solc"), None);
    }

    #[test]
    fn what_is_not_honoured_is_marked_in_the_comment() {
        let ignored: Vec<_> = reference().not_honoured().collect();
        assert!(ignored.contains(&"network".to_owned()));
        assert!(ignored.contains(&"celo".to_owned()));
        assert!(!ignored.contains(&"invariant.runs".to_owned()));
    }

    #[test]
    fn every_setting_has_a_comment_before_it() {
        let mut previous = "";
        for line in TEXT.lines() {
            let setting = line.trim_start_matches('#').split_once(" = ");
            if !line.starts_with("# ") && setting.is_some() {
                assert!(previous.starts_with("# "), "no comment before {line}");
            }
            previous = line;
        }
    }

    #[test]
    fn examples_are_toml() {
        let uncommented: Vec<_> = TEXT
            .lines()
            .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line))
            .collect();
        let source = SettingSource { name: "examples".to_owned(), text: uncommented.join("\n") };
        value::parse(&Arc::new(source)).unwrap();
    }
}
