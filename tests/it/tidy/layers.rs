//! Which module may use which.

use super::source::SOURCES;
use std::collections::BTreeSet;

/// Modules of the crate, each with those that it may use.
const MODULES: [(&str, &[&str]); 13] = [
    ("files", &[]),
    ("panics", &[]),
    ("model", &[]),
    ("config", &["model", "files", "panics"]),
    ("project", &["model", "config", "files"]),
    ("mutation", &["model", "project"]),
    ("solver", &["model"]),
    ("engine", &["model", "config", "solver"]),
    ("oracle", &["model", "config"]),
    ("report", &["model", "config"]),
    ("evm", &["model", "config", "files", "panics", "project"]),
    ("campaign", &["model", "config", "files", "panics", "project", "solver", "engine", "oracle", "evm"]),
    (
        "cli",
        &[
            "model", "config", "files", "panics", "project", "mutation", "solver", "engine", "oracle", "evm",
            "campaign", "report",
        ],
    ),
];

/// Modules of `evm`, the lowest first: each may use those before it.
const EVM_LAYERS: [&str; 6] = ["base", "state", "trace", "cheats", "vm", "exec"];

/// External crates that only one module may name.
const OWNED: [(&str, &str); 8] = [
    ("easy_smt", "solver"),
    ("foundry_compilers", "project"),
    ("revm", "evm"),
    ("clap", "cli"),
    ("indicatif", "report"),
    ("quick_junit", "report"),
    ("ctrlc", "cli"),
    ("rmcp", "cli"),
];

/// First segments of all paths that follow `prefix` in a text, also inside groups such as `prefix{a::b, c}`.
fn named_after<'a>(text: &'a str, prefix: &str) -> BTreeSet<&'a str> {
    let mut named = BTreeSet::new();
    for (position, _) in text.match_indices(prefix) {
        if text[..position].ends_with(|c: char| c == '$' || c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &text[position + prefix.len()..];
        match rest.starts_with('{') {
            true => named.extend(heads_of_group(rest)),
            false => _ = named.insert(head(rest)),
        }
    }
    named
}

fn head(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// First segments of the paths of a `{...}` group; nested groups are skipped.
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

/// The nested part of a group: the text behind `evm::` in `use crate::{config::X, evm::{a, b}}`.
fn nested<'a>(text: &'a str, prefix: &str, module: &str) -> BTreeSet<&'a str> {
    let mut named = named_after(text, &format!("{prefix}{module}::"));
    for (position, _) in text.match_indices(&format!("use {prefix}{{")) {
        let end = text[position..].find(';').map_or(text.len(), |end| position + end);
        named.extend(named_after(&text[position..end], &format!("{module}::")));
    }
    named
}

#[test]
fn dependencies_between_modules_go_one_way() {
    for source in SOURCES.iter().filter(|source| {
        source.path.contains('/') || MODULES.iter().any(|(name, _)| source.path == format!("{name}.rs"))
    }) {
        let module = source.path.split(['/', '.']).next().unwrap();
        let Some((_, allowed)) = MODULES.iter().find(|(name, _)| *name == module) else { continue };
        for named in named_after(&source.code(), "crate::") {
            let is_module = MODULES.iter().any(|(name, _)| *name == named);
            assert!(
                !is_module || named == module || allowed.contains(&named),
                "{} names {named}, which {module} may not use",
                source.path
            );
        }
    }
}

#[test]
fn a_layer_of_evm_uses_only_those_below() {
    let mut checked = 0;
    for source in SOURCES.iter().filter(|source| !source.is_test()) {
        let mut segments = source.path.split('/');
        let (Some("evm"), Some(layer)) = (segments.next(), segments.next()) else { continue };
        let Some(level) = EVM_LAYERS.iter().position(|name| *name == layer) else { continue };
        let code = source.code();
        let mut named = nested(&code, "crate::", "evm");
        if source.path == format!("evm/{layer}/mod.rs") {
            named.extend(named_after(&code, "super::"));
        }
        for other in named {
            let Some(other_level) = EVM_LAYERS.iter().position(|name| *name == other) else { continue };
            assert!(other_level <= level, "{} names {other}, which lies above {layer}", source.path);
            checked += 1;
        }
    }
    assert!(checked > 100, "only {checked} uses were found");
}

#[test]
fn each_external_crate_is_named_in_its_own_module_only() {
    for (name, owner) in OWNED {
        let owner = format!("{owner}/");
        for source in SOURCES.iter().filter(|source| !source.path.starts_with(&owner)) {
            assert!(!source.code().contains(&format!("{name}::")), "{} names {name}", source.path);
        }
    }
}

#[test]
fn groups_of_imports_are_understood() {
    let text = "use crate::{evm::{a, b::{x, y}}, model::C, project};\nuse crate::oracle;\nlet z = crate::evm::c::d();";
    assert_eq!(named_after(text, "crate::"), BTreeSet::from(["evm", "model", "oracle", "project"]));
    assert_eq!(nested(text, "crate::", "evm"), BTreeSet::from(["a", "b", "c"]));
}
