//! Versions of Forge, and what differs between them.

use super::{
    ConfigError, SettingPlace,
    read::FromNode,
    value::{self, ConfigNode, Table, Value},
};
use semver::Version;
use std::{fmt, path::PathBuf};

/// Path of the setting that chooses a version.
const KEY: &str = "harvey.forge";

/// Version of Forge whose behaviour is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ForgeVersion {
    /// 1.7 and older.
    V1_7,
    /// 1.8 and newer.
    V1_8,
}

/// Differences between versions of Forge. Nothing else depends on the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForgeBehaviour {
    /// Default of `isolate`: true if each call of a test is a transaction of its own.
    pub isolates: bool,
    /// Default of `dynamic_test_linking`.
    pub links_dynamically: bool,
    /// True if the list of failed tests is JSON; else it is a regular expression.
    pub lists_failures_as_json: bool,
    /// True if replayed calls send their value, as far as their sender owns it; else they send none.
    pub replays_value: bool,
    /// True if the files of invariants are in a directory `invariants`, and failed assertions of handlers have files
    /// of their own.
    pub keeps_handler_failures: bool,
    /// True if tests find the contract with the hashes of the last blocks (EIP-2935), from Prague on.
    pub has_block_history: bool,
    /// True if isolated calls see the fees that `vm.fee` and `vm.txGasPrice` set; else they see zero.
    pub isolates_with_fees: bool,
    /// True if libraries are deployed by CREATE2 where that is possible, and each artifact of a library has an address
    /// of its own; else one account creates them, and artifacts with the same source and name share an address.
    pub deploys_libraries_by_create2: bool,
    /// True if the entries of a corpus are in directories `worker<k>/corpus`, and those of all boolean invariants of a
    /// contract in one corpus; else they are in the directory of each test.
    pub keeps_corpora_of_workers: bool,
    /// True if it asks the user before it runs a compiler that a path names, or reads `.env`, and refuses to without a
    /// terminal.
    pub asks_approval: bool,
    /// True if the JSON report lists the failures of an invariant, with the failed assertions of handlers, and if it
    /// has the number of workers, and the sender of a fuzz test's input.
    pub reports_campaigns: bool,
    /// True if `timeout` is for each campaign of a contract; else the campaigns of a contract share it.
    pub times_each_campaign: bool,
}

impl ForgeVersion {
    /// The version that is followed if nothing says another one.
    pub const NEWEST: Self = Self::V1_8;

    /// Returns the version that behaves like a release of Forge. The nightlies before 1.8 behave like 1.7.
    #[must_use]
    pub fn of(version: &Version) -> Self {
        if (version.major, version.minor) >= (1, 8) { Self::V1_8 } else { Self::V1_7 }
    }

    /// Returns its name as in `[profile.NAME.harvey]`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V1_7 => "1.7",
            Self::V1_8 => "1.8",
        }
    }

    /// Returns what this version does.
    #[must_use]
    pub const fn behaviour(self) -> ForgeBehaviour {
        let is_1_8 = matches!(self, Self::V1_8);
        ForgeBehaviour {
            isolates: is_1_8,
            links_dynamically: is_1_8,
            lists_failures_as_json: is_1_8,
            replays_value: is_1_8,
            keeps_handler_failures: is_1_8,
            has_block_history: is_1_8,
            isolates_with_fees: is_1_8,
            deploys_libraries_by_create2: is_1_8,
            keeps_corpora_of_workers: is_1_8,
            asks_approval: is_1_8,
            reports_campaigns: is_1_8,
            times_each_campaign: is_1_8,
        }
    }

    /// Returns the defaults of this version that may differ from `defaults.toml`, which has those of the newest one.
    pub(super) fn defaults(self) -> Table {
        let ForgeBehaviour { isolates, links_dynamically, .. } = self.behaviour();
        let settings: [(&str, Value); 3] = [
            ("isolate", isolates.into()),
            ("dynamic_test_linking", links_dynamically.into()),
            (KEY, self.name().into()),
        ];
        let mut table = Table::new();
        for (path, value) in settings {
            value::insert(&mut table, path, ConfigNode::new(value, SettingPlace::Default));
        }
        table
    }
}

impl FromNode for ForgeVersion {
    /// Accepts a version with any number of parts, `1.8` as well as `1.7.1`.
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let expected = "a version of Forge, \"1.7\" or \"1.8\"";
        let text = match &node.value {
            Value::Float(number) => {
                let text = number.to_string();
                // Other numbers may not be the version that was meant: 1.10 is the number 1.1.
                if ![Self::V1_7, Self::V1_8].iter().any(|version| version.name() == text) {
                    return Err(node.mismatch(key, "a version in quotes, \"1.10\" and not 1.10,"));
                }
                text
            }
            _ => node.text(key, expected)?.to_owned(),
        };
        let parts: Option<Vec<u64>> = text.split('.').map(|part| part.parse().ok()).collect();
        match parts.as_deref() {
            Some([major, minor, ..]) => Ok(Self::of(&Version::new(*major, *minor, 0))),
            _ => Err(node.mismatch(key, expected)),
        }
    }
}

/// The `forge` that the user has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledForge {
    /// Path of the program.
    pub path: PathBuf,
    /// Version that it prints; `None` if it prints none.
    pub version: Option<Version>,
}

/// Version of Forge that is followed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeChoice {
    /// The version.
    pub version: ForgeVersion,
    reason: ChoiceReason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ChoiceReason {
    /// It is set there.
    Setting(SettingPlace),
    /// It is that of the `forge` on `PATH`.
    Installed(InstalledForge),
    /// There is no `forge`.
    Newest,
}

impl ForgeChoice {
    /// Chooses the version that the strongest of these layers sets, else that of the installed `forge`, else the
    /// newest one.
    ///
    /// # Errors
    /// Fails if the value that is set is no version.
    pub(super) fn new(
        layers: &[Table],
        installed: &dyn Fn() -> Option<InstalledForge>,
    ) -> Result<Self, ConfigError> {
        if let Some(node) = layers.iter().rev().find_map(|layer| value::find(layer, KEY)) {
            let version = ForgeVersion::from_node(node, KEY)?;
            return Ok(Self { version, reason: ChoiceReason::Setting(node.place.clone()) });
        }
        Ok(match installed() {
            Some(forge) => {
                let version = forge.version.as_ref().map_or(ForgeVersion::NEWEST, ForgeVersion::of);
                Self { version, reason: ChoiceReason::Installed(forge) }
            }
            None => Self { version: ForgeVersion::NEWEST, reason: ChoiceReason::Newest },
        })
    }
}

impl fmt::Display for ForgeChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Forge {}", self.version.name())?;
        match &self.reason {
            ChoiceReason::Setting(place) => write!(f, ", as {} says", place.short()),
            ChoiceReason::Installed(InstalledForge { path, version }) => {
                let path = path.display();
                match version {
                    Some(version) => write!(f, ", because {path} is {version}"),
                    None => write!(f, ", because {path} tells no version"),
                }
            }
            ChoiceReason::Newest => write!(f, ", because no forge is on PATH"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::scratch::Scratch;

    fn chosen(installed: Option<&str>, toml: &str) -> (String, bool) {
        let installed = installed.map(|version| InstalledForge {
            path: "/bin/forge".into(),
            version: Version::parse(version).ok(),
        });
        let mut scratch = Scratch::toml(toml);
        scratch.forge = installed;
        let loaded = scratch.load().unwrap();
        (loaded.forge.to_string(), loaded.config.cheats.isolate)
    }

    #[test]
    fn the_version_is_the_one_that_is_set_or_installed_or_the_newest() {
        let cases = [
            (None, "", "Forge 1.8, because no forge is on PATH", true),
            (Some("1.7.1"), "", "Forge 1.7, because /bin/forge is 1.7.1", false),
            (Some("1.7.2-nightly"), "", "Forge 1.7, because /bin/forge is 1.7.2-nightly", false),
            (Some("none"), "", "Forge 1.8, because /bin/forge tells no version", true),
            (Some("1.9.0"), "", "Forge 1.8, because /bin/forge is 1.9.0", true),
            (
                Some("1.7.1"),
                "[profile.default.harvey]\nforge = '1.8'",
                "Forge 1.8, as foundry.toml:2:9 says",
                true,
            ),
        ];
        for (installed, toml, said, isolates) in cases {
            assert_eq!(chosen(installed, toml), (said.to_owned(), isolates), "{installed:?} {toml}");
        }
    }

    #[test]
    fn a_setting_of_the_project_is_stronger_than_a_default_of_the_version() {
        assert!(!chosen(None, "[profile.default]\nisolate = false").1);
        assert!(chosen(Some("1.7.1"), "[profile.default]\nisolate = true").1);
    }

    #[test]
    fn what_is_no_version_is_an_error() {
        let scratch = Scratch::new(&[("foundry.toml", "[profile.default.harvey]\nforge = 'latest'")]);
        let error = scratch.load().unwrap_err().to_string();
        assert!(error.contains("a version of Forge") && error.contains("harvey.forge"), "{error}");
    }

    #[test]
    fn a_version_that_loses_its_zero_must_be_quoted() {
        let said = |version: &str| chosen(None, &format!("[profile.default.harvey]\nforge = {version}")).0;
        assert_eq!(said("'1.10'"), "Forge 1.8, as foundry.toml:2:9 says");
        assert_eq!(said("1.7"), "Forge 1.7, as foundry.toml:2:9 says");
        insta::assert_snapshot!(Scratch::toml("[profile.default.harvey]\nforge = 1.10").error(), @r#"
        invalid type: found float `1.1`, expected a version in quotes, "1.10" and not 1.10, for setting `harvey.forge`
         --> foundry.toml:2:9
          |
        2 | forge = 1.10
          |         ^^^^
        "#);
        let mut scratch = Scratch::toml("");
        scratch.env("FOUNDRY_HARVEY_FORGE", "1.10");
        assert_eq!(scratch.load().unwrap().forge.to_string(), "Forge 1.8, as FOUNDRY_HARVEY_FORGE says");
    }

    #[test]
    fn the_defaults_in_the_file_are_those_of_the_newest_version() {
        let defaults = &crate::config::reference::reference().defaults;
        for (name, node) in ForgeVersion::NEWEST.defaults().iter().filter(|(name, _)| *name != "harvey") {
            assert_eq!(defaults[name].value, node.value, "{name}");
        }
    }

    #[test]
    fn settings_of_forge_1_8_are_known_and_misspelt_ones_are_named() {
        let text = include_str!("load/forge-1.8.toml");
        let scratch = Scratch::toml(text);
        insta::assert_snapshot!(scratch.warnings(), @"`fuzz.run` set at foundry.toml:12:7 has no effect: it numbers the inputs of Forge's search, which are others than ours. `forge-harvey replay` repeats the failures that were found.");
        let config = scratch.config();
        let invariant = &config.invariant;
        assert_eq!((invariant.min_depth, invariant.workers.map(|n| n.get())), (Some(3), Some(4)));
        assert_eq!((invariant.payable_value_weight, config.fuzz.payable_value_weight), (25, 5));
        assert_eq!((invariant.max_time_delay, invariant.max_block_delay), (Some(0), Some(0)));
        assert_eq!((config.verbosity, config.cheats.labels.len()), (3, 1));
        assert!(!config.cheats.isolate);
        let misspelt = Scratch::toml("[invariant]\nworker = 2\n[symbolic]\nsolvers = 'z3'\n[mutations]");
        let warnings = misspelt.warnings();
        for nearest in ["`workers`", "`solver`", "[mutation]"] {
            assert!(warnings.contains(&format!("Did you mean {nearest}?")), "{warnings}");
        }
    }

    #[test]
    fn no_worker_is_an_error() {
        let error = Scratch::toml("[invariant]\nworkers = 0").error();
        assert!(error.contains("a number of workers"), "{error}");
    }
}
