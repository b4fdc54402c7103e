//! No flag of `forge test` is unknown. `tests/it/forge_flags.rs` checks those of the real forge 1.7.1.

use crate::cli::args::Cli;
use clap::CommandFactory as _;
use std::collections::BTreeSet;

/// Flags of `forge test`, one a line, after comments that say where they are from.
const LISTS: [(&str, &str); 2] = [
    ("flags-nightly.txt", include_str!("../../../../testdata/forge/flags-nightly.txt")),
    ("flags-1.8.txt", include_str!("../../../../testdata/forge/flags-1.8.txt")),
];

/// Names, short names and aliases of all flags of `test`, hidden ones included.
fn known() -> BTreeSet<String> {
    let mut cli = Cli::command();
    cli.build();
    let test = cli.find_subcommand("test").unwrap();
    let mut names = BTreeSet::new();
    for arg in test.get_arguments() {
        let longs = arg.get_long().into_iter().chain(arg.get_all_aliases().into_iter().flatten());
        names.extend(longs.map(|name| format!("--{name}")));
        let shorts = arg.get_short().into_iter().chain(arg.get_all_short_aliases().into_iter().flatten());
        names.extend(shorts.map(|name| format!("-{name}")));
    }
    names
}

#[test]
fn no_flag_of_forge_is_unknown() {
    let known = known();
    for (file, text) in LISTS {
        let flags: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(flags.len() > 100, "{file} has {} flags", flags.len());
        let missing: Vec<_> = flags.into_iter().filter(|flag| !known.contains(*flag)).collect();
        assert!(missing.is_empty(), "{file}: {missing:?}");
    }
}
