//! Flags of `forge test` for the search, each of which sets one setting.

use crate::config::{Overrides, Value};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use std::sync::LazyLock;

/// Name of a flag without its prefix, name of its value (`N` is a number), sections that have it, and help.
type Row = (&'static str, &'static str, &'static [&'static str], &'static str);

const BOTH: &[&str] = &["invariant", "fuzz"];
const INVARIANT: &[&str] = &["invariant"];
const FUZZ: &[&str] = &["fuzz"];

/// All flags. Those without effect have none in foundry.toml, either.
const ROWS: [Row; 22] = [
    ("workers", "N|auto", INVARIANT, "Number of workers of a campaign"),
    ("min-depth", "N", INVARIANT, "Minimum length of random sequences, with a random depth"),
    ("depth-mode", "MODE", INVARIANT, "Length of random sequences: fixed or random"),
    ("timeout", "N", FUZZ, "Time limit per fuzz test, in seconds"),
    ("run", "N", FUZZ, "Number of the one run of Forge to repeat; has no effect"),
    ("worker", "N", FUZZ, "Number of the worker whose run is repeated; has no effect"),
    ("dictionary-weight", "N", BOTH, "Share of values from the dictionary, in percent"),
    ("dictionary-addresses", "N", BOTH, "Size of Forge's dictionary; has no effect"),
    ("dictionary-values", "N", BOTH, "Size of Forge's dictionary; has no effect"),
    ("dictionary-literals", "N", BOTH, "Size of Forge's dictionary; has no effect"),
    ("corpus-dir", "DIR", BOTH, "Directory of a corpus in Forge's format"),
    ("corpus-random-sequence-weight", "N", BOTH, "Weight of Forge's search; has no effect"),
    ("payable-value-weight", "N", BOTH, "Share of the payable calls that send value, in percent"),
    ("mutation-weight-splice", "N", BOTH, "Weight of Forge's search; has no effect"),
    ("mutation-weight-repeat", "N", BOTH, "Weight of Forge's search; has no effect"),
    ("mutation-weight-interleave", "N", BOTH, "Weight of Forge's search; has no effect"),
    ("mutation-weight-prefix", "N", BOTH, "Weight of Forge's search; has no effect"),
    ("mutation-weight-suffix", "N", BOTH, "Weight of Forge's search; has no effect"),
    ("mutation-weight-abi", "N", BOTH, "Weight of Forge's search; has no effect"),
    ("mutation-weight-cmp", "N", BOTH, "Weight of Forge's search; has no effect"),
    ("frontier-dir", "DIR", FUZZ, "Directory for Forge's symbolic mode; has no effect"),
    ("frontier-limit", "N", FUZZ, "Limit of Forge's symbolic mode; has no effect"),
];

/// A flag and its setting.
struct SettingFlag {
    /// Name without the two dashes in front.
    name: String,
    /// Dotted path of the setting.
    key: String,
    value: &'static str,
    help: &'static str,
}

static FLAGS: LazyLock<Vec<SettingFlag>> = LazyLock::new(|| {
    let rows = ROWS.iter().flat_map(|(name, value, sections, help)| {
        let key = match *name {
            "dictionary-addresses" | "dictionary-values" | "dictionary-literals" => {
                format!("max-fuzz-{name}")
            }
            _ => (*name).to_owned(),
        };
        let key = key.replace('-', "_");
        sections.iter().map(move |section| SettingFlag {
            name: format!("{section}-{name}"),
            key: format!("{section}.{key}"),
            value,
            help,
        })
    });
    rows.collect()
});

/// The flags that were given: setting, flag and value.
#[derive(Clone, Debug, Default)]
pub struct ForgeSearchArgs(Vec<(String, String, Value)>);

impl ForgeSearchArgs {
    pub(super) fn add_to(&self, overrides: &mut Overrides) {
        for (key, flag, value) in &self.0 {
            overrides.set(key, flag, Some(value.clone()));
        }
    }
}

impl Args for ForgeSearchArgs {
    fn augment_args(command: Command) -> Command {
        let args = FLAGS.iter().map(|flag| {
            let arg = Arg::new(&*flag.name).long(&*flag.name).value_name(flag.value).help(flag.help);
            // The long help lists those without effect, too.
            let has_effect = !flag.help.ends_with("has no effect");
            let arg = arg.help_heading("Search options of Forge").hide_short_help(!has_effect);
            if flag.value == "N" { arg.value_parser(clap::value_parser!(u32)) } else { arg }
        });
        command.args(args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ForgeSearchArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = FLAGS.iter().filter_map(|flag| {
            let value: Value = match flag.value {
                "N" => (*matches.get_one::<u32>(&flag.name)?).into(),
                _ => matches.get_one::<String>(&flag.name)?.as_str().into(),
            };
            Some((flag.key.clone(), format!("--{}", flag.name), value))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
