//! Gas snapshots: what tests measured, compared with what was written before and written again.

use crate::{config::CheatsConfig, files::write_atomically};
use anyhow::{Context as _, Result, bail};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// Characters of a file's name; each may be four bytes, of the 255 that there are.
const MOST_NAME: usize = 60;

/// Values by name.
type Group = BTreeMap<String, String>;

fn file(config: &CheatsConfig, group: &str) -> PathBuf {
    // A group may not lead out of the directory, nor have a name that no file can have.
    let name: String = group.replace(['/', '\\', '\0'], "_").chars().take(MOST_NAME).collect();
    config.snapshots.join(format!("{name}.json"))
}

/// What differs from the files, in Forge's words; a value that is in none of them does not.
///
/// # Errors
/// When something differs, or a file is not what Forge or we write.
pub(super) fn check(config: &CheatsConfig, groups: &BTreeMap<String, Group>) -> Result<()> {
    let mut differences = String::new();
    for (group, values) in groups {
        let path = file(config, group);
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let known: Group = serde_json::from_str(&text)
            .with_context(|| format!("cannot read the gas snapshot {}", path.display()))?;
        let changed = values.iter().filter_map(|(name, value)| {
            let before = known.get(name).filter(|before| *before != value)?;
            Some(format!("- [{name}] {before} → {value}\n"))
        });
        let changed: String = changed.collect();
        if !changed.is_empty() {
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
pub(super) fn write(config: &CheatsConfig, groups: &BTreeMap<String, Group>) -> Result<()> {
    for (group, values) in groups {
        write_atomically(&file(config, group), serde_json::to_string_pretty(values)?.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::testing;

    #[test]
    fn what_was_written_is_compared() {
        let directory = tempfile::tempdir().unwrap();
        let config = testing::config(directory.path()).cheats;
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
