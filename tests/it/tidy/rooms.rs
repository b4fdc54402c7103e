//! The rules of the house, read from the source itself.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What each room may use of ours.
const ROOMS: [(&str, &[&str]); 9] = [
    ("model", &[]),
    ("config", &["model"]),
    ("project", &["model", "config"]),
    ("engine", &["model", "config"]),
    ("oracle", &["model", "config"]),
    ("report", &["model", "config"]),
    ("evm", &["model", "config", "project"]),
    ("campaign", &["model", "config", "project", "engine", "oracle", "evm"]),
    ("cli", &["model", "config", "project", "engine", "oracle", "evm", "campaign", "report"]),
];

/// Outside crates that one room alone may name.
const OWNED: [(&str, &[&str]); 6] = [
    ("foundry_compilers", &["project"]),
    ("revm", &["evm"]),
    ("clap", &["cli"]),
    ("indicatif", &["report"]),
    ("quick_junit", &["report"]),
    ("ctrlc", &["cli"]),
];

fn sources(room: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room);
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let is_code = |line: &&str| !line.trim_start().starts_with("//");
                let code = text.lines().filter(is_code).collect::<Vec<_>>().join("\n");
                found.push((path, code));
            }
        }
    }
    assert!(!found.is_empty(), "room {room} has no sources");
    found
}

/// Names of rooms that follow `crate::` in a text, also inside `use crate::{a::b, c}`.
fn rooms_named(text: &str) -> BTreeSet<&'static str> {
    let mut named = BTreeSet::new();
    for (position, _) in text.match_indices("crate::") {
        let rest = &text[position + "crate::".len()..];
        if text[..position].ends_with('$') {
            continue;
        }
        let heads = if rest.starts_with('{') { heads_of_group(rest) } else { vec![head(rest)] };
        named.extend(ROOMS.iter().map(|room| room.0).filter(|room| heads.contains(room)));
    }
    named
}

fn head(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// First segments of the paths of a `{...}` group, nested groups skipped.
fn heads_of_group(text: &str) -> Vec<&str> {
    let (mut depth, mut heads) = (0, Vec::new());
    for (position, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && (c == '{' || c == ',') {
            heads.push(head(text[position + 1..].trim_start()));
        }
    }
    heads
}

#[test]
fn dependencies_between_rooms_go_one_way() {
    for (room, allowed) in ROOMS {
        for (path, text) in sources(room) {
            for named in rooms_named(&text) {
                assert!(
                    named == room || allowed.contains(&named),
                    "{} names {named}, which {room} may not use",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn each_outside_crate_is_named_in_its_own_room_only() {
    for (owned, owners) in OWNED {
        for (room, _) in ROOMS.iter().filter(|room| !owners.contains(&room.0)) {
            for (path, text) in sources(room) {
                assert!(!text.contains(&format!("{owned}::")), "{} names {owned}", path.display());
            }
        }
    }
}

#[test]
fn the_core_has_no_clock_thread_or_file() {
    for room in ["engine", "oracle", "model"] {
        for (path, text) in sources(room) {
            for forbidden in ["std::fs", "std::time::Instant", "SystemTime", "std::thread", "std::env"] {
                assert!(!text.contains(forbidden), "{} names {forbidden}", path.display());
            }
        }
    }
}

#[test]
fn groups_of_imports_are_understood() {
    let text = "use crate::{evm::{a, b}, model::C, project};\nuse crate::oracle;";
    assert_eq!(rooms_named(text), BTreeSet::from(["evm", "model", "oracle", "project"]));
}
