//! Settings in comments of Solidity sources: `/// forge-config: default.invariant.runs = 10`.

use super::{
    ConfigError, SettingPlace,
    value::{self, ConfigNode, Lists, Table, Value},
};
use std::path::Path;
use toml::de::DeTable;

const PREFIX: &str = "forge-config:";

/// Settings in one documentation comment.
#[derive(Clone, Debug)]
pub struct InlineItem {
    /// Settings as written, one per line, for messages.
    lines: Vec<String>,
    /// Settings by profile.
    profiles: Table,
    place: SettingPlace,
}

/// Errors in settings of a comment. The messages are Forge's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InlineError {
    /// The settings are not TOML, or name no known profile. No test can run: Forge ends with exit code 1.
    #[error("Inline config error at {location}: {problem}")]
    Malformed {
        /// Place of the comment, `path:line:column`.
        location: String,
        /// Description of the mistake.
        problem: String,
    },
    /// A value does not fit its setting. Only the test with the comment fails.
    #[error("{0}")]
    Value(String),
}

impl InlineError {
    /// Returns true if no test of the project can run.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::Malformed { .. })
    }
}

/// Reads the settings in a documentation comment; returns `None` if it has none.
///
/// `text` may be with or without its slashes and stars. `path` is relative to the root. `line` and `column`
/// are those of the comment, from 1. Successive `///` lines are one comment, so that a setting can occur in
/// them only once. Names of settings may be written with dashes instead of underscores.
///
/// # Errors
/// Fails if the text after `forge-config:` is not TOML.
pub fn parse(text: &str, path: &Path, line: usize, column: usize) -> Result<Option<InlineItem>, InlineError> {
    let mut first = None;
    let mut lines = Vec::new();
    for (index, text) in text.lines().enumerate() {
        if let Some((_, setting)) = text.split_once(PREFIX) {
            first.get_or_insert(index);
            lines.push(setting.trim().trim_end_matches("*/").trim().to_owned());
        }
    }
    let Some(first) = first else { return Ok(None) };
    // Forge reports the first line with a setting, or the first line of a block comment.
    let line = if text.trim_start().starts_with("/**") { line } else { line + first };
    let place = SettingPlace::Comment { path: path.to_path_buf(), line, column };
    let profiles = profiles(&lines, &place)
        .map_err(|problem| InlineError::Malformed { location: place.short(), problem })?;
    Ok(Some(InlineItem { lines, profiles, place }))
}

fn profiles(lines: &[String], place: &SettingPlace) -> Result<Table, String> {
    let lines: Vec<_> = lines.iter().map(|line| underscored(line)).collect();
    let text = lines.join("\n");
    let document = DeTable::parse(&text).map_err(|error| error.to_string().trim_end().to_owned())?;
    let profiles = value::from_toml(document.get_ref(), &|_| place.clone());
    match profiles.iter().find(|(_, node)| node.as_table().is_none()) {
        Some((name, node)) => Err(format!(
            "`{name}` is set to {}, but a setting begins with a profile, for example `default.{name}`",
            node.describe()
        )),
        None => Ok(profiles),
    }
}

fn underscored(line: &str) -> String {
    match line.split_once('=') {
        Some((name, value)) => format!("{}={value}", name.replace('-', "_")),
        None => line.to_owned(),
    }
}

impl InlineItem {
    /// Returns the settings as written, one per line: `default.invariant.runs = 10`.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Tells whether it enables Forge's symbolic mode in a profile.
    #[must_use]
    pub fn enables_symbolic_mode(&self, profile: &str) -> bool {
        let mut profiles = speaking(profile).rev().filter_map(|profile| self.profile(profile));
        let set = profiles.find_map(|table| value::find(table, "symbolic.enabled"));
        set.is_some_and(|node| node.value == Value::Bool(true))
    }

    pub(super) fn check_profiles(&self, known: &[String]) -> Result<(), InlineError> {
        let valid = |line: &&String| {
            known.iter().any(|profile| {
                line.strip_prefix(profile.as_str()).is_some_and(|rest| rest.trim_start().starts_with('.'))
            })
        };
        match self.lines.iter().find(|line| !valid(line)) {
            None => Ok(()),
            Some(line) => Err(InlineError::Malformed {
                location: self.place.short(),
                problem: format!("invalid profile `{line}`; valid profiles: {}", known.join(", ")),
            }),
        }
    }

    fn profile(&self, profile: &str) -> Option<&Table> {
        self.profiles.get(profile).and_then(ConfigNode::as_table)
    }
}

/// Returns the profiles whose comments apply, weakest first.
fn speaking(profile: &str) -> impl DoubleEndedIterator<Item = &str> {
    let selected = (profile != "default").then_some(profile);
    ["default"].into_iter().chain(selected)
}

/// Returns `settings` with the settings of the comments merged over them.
pub(super) fn overlay(settings: &Table, items: &[&InlineItem], profile: &str) -> Table {
    let mut merged = settings.clone();
    for profile in speaking(profile) {
        for table in items.iter().filter_map(|item| item.profile(profile)) {
            value::merge(&mut merged, table.clone(), Lists::Replace);
        }
    }
    merged
}

/// Converts an error about a value in a comment to Forge's message.
pub(super) fn explain(error: ConfigError, items: &[&InlineItem], profile: &str) -> InlineError {
    let ConfigError::Invalid { key, problem, .. } = error else {
        return InlineError::Value(error.to_string());
    };
    let sets = |profile: &&str| {
        items.iter().filter_map(|item| item.profile(profile)).any(|table| value::find(table, &key).is_some())
    };
    let profile = speaking(profile).rev().find(sets).unwrap_or("default");
    InlineError::Value(format!("{problem} for key \"{profile}.{key}\" in inline config"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Loaded, scratch::Scratch};

    fn item(text: &str) -> InlineItem {
        parse(text, Path::new("test/A.t.sol"), 3, 5).unwrap().unwrap()
    }

    fn error(text: &str) -> String {
        parse(text, Path::new("test/A.t.sol"), 3, 5).unwrap_err().to_string()
    }

    fn loaded() -> Loaded {
        Scratch::new(&[("foundry.toml", "[invariant]\nruns = 7\n[profile.ci.invariant]\nruns = 70\n")])
            .load()
            .unwrap()
    }

    fn ci() -> Loaded {
        let mut scratch = Scratch::new(&[("foundry.toml", "[profile.ci.invariant]\nruns = 70\n")]);
        scratch.env("FOUNDRY_PROFILE", "ci");
        scratch.load().unwrap()
    }

    fn with(loaded: &Loaded, texts: &[&str]) -> Result<Config, InlineError> {
        let items: Vec<_> = texts.iter().map(|text| item(text)).collect();
        loaded.with_inline(&items.iter().collect::<Vec<_>>())
    }

    #[test]
    fn all_forms_of_comments_are_read() {
        for text in [
            "/// forge-config: default.invariant.runs = 10",
            "forge-config:default.invariant.runs=10",
            "/**\n * @notice x\n * forge-config: default . invariant . runs = 10 # ten\n */",
            "/** forge-config: default.invariant.runs = 10 */",
        ] {
            assert_eq!(with(&loaded(), &[text]).unwrap().invariant.runs, 10, "{text}");
        }
        assert!(parse("/// nothing here", Path::new("a"), 1, 1).unwrap().is_none());
    }

    #[test]
    fn dashes_are_underscores_and_unknown_names_are_ignored() {
        let config = with(
            &loaded(),
            &["forge-config: default.invariant.fail-on-revert = true\nforge-config: default.x.y = 1"],
        );
        assert!(config.unwrap().invariant.fail_on_revert);
    }

    #[test]
    fn the_function_beats_the_contract_and_both_keep_the_rest() {
        let contract = "forge-config: default.invariant.runs = 1\nforge-config: default.invariant.depth = 2";
        let config = with(&loaded(), &[contract, "forge-config: default.invariant.runs = 3"]).unwrap();
        assert_eq!((config.invariant.runs, config.invariant.depth), (3, 2));
    }

    #[test]
    fn lines_for_a_profile_apply_only_there_and_beat_the_default_ones() {
        let lines = ["forge-config: ci.invariant.runs = 1", "forge-config: default.invariant.runs = 2"];
        assert_eq!(with(&loaded(), &lines).unwrap().invariant.runs, 2);
        assert_eq!(with(&ci(), &lines).unwrap().invariant.runs, 1);
        assert_eq!(with(&ci(), &lines[1..]).unwrap().invariant.runs, 2);
    }

    #[test]
    fn the_symbolic_mode_is_enabled_by_the_strongest_profile() {
        let both =
            item("forge-config: default.symbolic.enabled = true\nforge-config: ci.symbolic.enabled = false");
        assert_eq!(["default", "ci"].map(|profile| both.enables_symbolic_mode(profile)), [true, false]);
        assert!(!item("forge-config: default.symbolic.loop = 3").enables_symbolic_mode("default"));
    }

    #[test]
    fn our_own_settings_work_too() {
        let config = with(&loaded(), &["forge-config: default.harvey.plateau = 9"]).unwrap();
        assert_eq!(config.harvey.plateau, 9);
    }

    #[test]
    fn a_wrong_type_fails_the_test_in_forges_words() {
        let error = with(&loaded(), &["forge-config: default.invariant.runs = 'abc'"]).unwrap_err();
        assert!(!error.is_fatal());
        insta::assert_snapshot!(error, @r#"
        invalid type: found string "abc", expected u32 for key "default.invariant.runs" in inline config
        "#);
        let error = with(&ci(), &["forge-config: ci.fuzz.runs = -1"]).unwrap_err();
        insta::assert_snapshot!(error, @r#"
        invalid value signed int `-1`, expected u32 for key "ci.fuzz.runs" in inline config
        "#);
    }

    #[test]
    fn a_profile_must_be_named_and_exist() {
        let error = with(
            &loaded(),
            &["/// text\n/// forge-config: default.fuzz.runs = 1\n/// forge-config: pr.fuzz.runs = 1"],
        );
        let error = error.unwrap_err();
        assert!(error.is_fatal());
        assert_eq!(
            error.to_string(),
            "Inline config error at test/A.t.sol:4:5: invalid profile `pr.fuzz.runs = 1`; valid profiles: \
             ci, default"
        );
    }

    #[test]
    fn what_is_not_toml_is_shown() {
        let twice = "forge-config: default.fuzz.runs = 5\nforge-config: default.fuzz.runs = 6";
        insta::assert_snapshot!(error(twice), @r"
        Inline config error at test/A.t.sol:3:5: TOML parse error at line 2, column 14
          |
        2 | default.fuzz.runs = 6
          |              ^^^^
        duplicate key
        ");
        assert_eq!(
            error("forge-config: runs = 5"),
            "Inline config error at test/A.t.sol:3:5: `runs` is set to signed int `5`, but a setting begins \
             with a profile, for example `default.runs`"
        );
    }
}
