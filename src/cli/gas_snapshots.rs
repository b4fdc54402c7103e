//! Gas snapshots: values measured by tests, compared with the files of earlier runs and written again.

use crate::{
    config::CheatsConfig,
    files::{read_text, write_atomically},
    report::visible,
};
use alloy_primitives::{hex, keccak256};
use anyhow::{Context as _, Result, bail};
use std::{collections::BTreeMap, path::PathBuf};

/// Most bytes of a file's name. The limit of file systems is 255, and an extension follows.
const MOST_NAME: usize = 240;
/// Number of bytes kept of a longer name, before its hash.
const KEPT_NAME: usize = 200;

/// Compares and writes what tests measured, as far as it is configured. Nothing is written if not `may_write`.
///
/// # Errors
/// As those of [`check`] and [`write`].
pub(super) fn check_and_write(
    config: &CheatsConfig,
    groups: &BTreeMap<String, SnapshotGroup>,
    may_write: bool,
) -> Result<()> {
    if config.snapshot_check {
        check(config, groups)?;
    }
    if config.snapshot_emit && may_write {
        write(config, groups)?;
    }
    Ok(())
}

/// Values by name.
type SnapshotGroup = BTreeMap<String, String>;

fn file(config: &CheatsConfig, group: &str) -> PathBuf {
    // A group's name may not lead out of the directory, be no valid file name, or contain what terminals
    // should not print.
    let mut name = visible(group).replace(|c: char| c.is_control() || matches!(c, '/' | '\\'), "_");
    if name.len() > MOST_NAME {
        name.truncate(name.floor_char_boundary(KEPT_NAME));
        name += &format!("-{}", hex::encode(&keccak256(group)[..8]));
    }
    config.snapshots.join(format!("{name}.json"))
}

/// Compares values with the files. Reports differences in Forge's words; a value that is in no file is no
/// difference.
///
/// # Errors
/// When something differs, or a file was written neither by Forge nor by this program.
fn check(config: &CheatsConfig, groups: &BTreeMap<String, SnapshotGroup>) -> Result<()> {
    let mut differences = String::new();
    for (group, values) in groups {
        let path = file(config, group);
        let Ok(text) = read_text(&path) else { continue };
        let known: SnapshotGroup = serde_json::from_str(&text)
            .with_context(|| format!("cannot read the gas snapshot {}", path.display()))?;
        let changed = values.iter().filter_map(|(name, value)| {
            let before = known.get(name).filter(|before| *before != value)?;
            Some(format!("- [{}] {} → {value}\n", visible(name), visible(before)))
        });
        let changed: String = changed.collect();
        if !changed.is_empty() {
            let group = visible(group);
            differences.push_str(&format!("\n[{group}] Failed to match snapshots:\n{changed}"));
        }
    }
    if !differences.is_empty() {
        bail!("Snapshots differ from previous run\n{differences}");
    }
    Ok(())
}

/// Writes a file for each group.
///
/// # Errors
/// When one cannot be written.
fn write(config: &CheatsConfig, groups: &BTreeMap<String, SnapshotGroup>) -> Result<()> {
    for (group, values) in groups {
        write_atomically(&file(config, group), serde_json::to_string_pretty(values)?.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use std::path::Path;

    #[test]
    fn each_group_has_a_file_of_its_own_in_the_directory() {
        let config = Config::defaults(Path::new("/root")).cheats;
        let name = |group: &str| {
            let file = file(&config, group);
            assert_eq!(file.parent(), Some(config.snapshots.as_path()));
            file.file_name().unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(name(&"a".repeat(240)), "a".repeat(240) + ".json");
        assert_eq!(name("../\x1b[2J\n"), ".._␛[2J_.json");
        let long = |end: &str| name(&("ü".repeat(200) + end));
        assert!(long("a") != long("b") && long("a").len() < 255);
    }

    #[test]
    fn what_was_written_is_compared() {
        let directory = tempfile::tempdir().unwrap();
        let config = Config::defaults(directory.path()).cheats;
        let groups = |value: &str| {
            let values = BTreeMap::from([("a".to_owned(), value.to_owned())]);
            BTreeMap::from([("Group".to_owned(), values)])
        };
        check(&config, &groups("1")).unwrap();
        write(&config, &groups("1")).unwrap();
        check(&config, &groups("1")).unwrap();
        insta::assert_snapshot!(check(&config, &groups("2")).unwrap_err(), @r"
        Snapshots differ from previous run

        [Group] Failed to match snapshots:
        - [a] 1 → 2
        ");
    }
}
