//! How large things may be, and that a name means one thing.

use super::source::{Contents, SOURCES};
use std::collections::{BTreeMap, BTreeSet};

/// Most fields of a struct outside of settings and report schemas.
const MOST_FIELDS: usize = 12;
/// Most files with inherent impls of one type.
const MOST_IMPL_FILES: usize = 3;
/// Most lines of a file.
const MOST_LINES: usize = 400;

/// Files that are mostly one table.
const TABLES: [&str; 2] = ["engine/tuning.rs", "evm/cheats/vm.rs"];

/// Names that stand for several types, each with its reason.
const SHARED_NAMES: [(&str, &str); 0] = [];

#[test]
fn a_name_means_one_type() {
    let mut places = BTreeMap::<String, Vec<&str>>::new();
    for source in SOURCES.iter().filter(|source| !source.is_test()) {
        for item in Contents::of(source).types {
            places.entry(item.name).or_default().push(&source.path);
        }
    }
    let shared = SHARED_NAMES.map(|(name, _)| name);
    let twice = |(name, files): &(String, Vec<&str>)| files.len() > 1 && !shared.contains(&name.as_str());
    let wrong = places.into_iter().filter(twice).map(|(name, files)| format!("{name}: {}", files.join(", ")));
    none(wrong);
}

#[test]
fn a_struct_has_few_fields() {
    let wide = |path: &str| path.starts_with("config/") || path.starts_with("report/schema/");
    none(SOURCES.iter().filter(|source| !source.is_test() && !wide(&source.path)).flat_map(|source| {
        let types = Contents::of(source).types.into_iter().filter(|item| item.fields > MOST_FIELDS);
        types.map(|item| format!("{} in {} has {} fields", item.name, source.path, item.fields))
    }));
}

#[test]
fn a_type_is_implemented_in_few_files() {
    let mut places = BTreeMap::<String, BTreeSet<&str>>::new();
    for source in SOURCES.iter().filter(|source| !source.is_test()) {
        for name in Contents::of(source).impls {
            places.entry(name).or_default().insert(&source.path);
        }
    }
    let spread = places.into_iter().filter(|(_, files)| files.len() > MOST_IMPL_FILES);
    none(spread.map(|(name, files)| format!("{name}: {}", Vec::from_iter(files).join(", "))));
}

#[test]
fn a_file_is_read_in_one_sitting() {
    let long = |path: &str, lines: usize| lines > MOST_LINES && !TABLES.contains(&path);
    let lengths = SOURCES.iter().map(|source| (source.path.as_str(), source.text.lines().count()));
    none(
        lengths
            .filter(|(path, lines)| long(path, *lines))
            .map(|(path, lines)| format!("{path}: {lines} lines")),
    );
}

/// Fails with what is wrong, one a line.
fn none(wrong: impl Iterator<Item = String>) {
    let wrong = Vec::from_iter(wrong);
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
