//! Values by their paths, which are those of `jsonpath_lib`, as in Forge.

use crate::evm::cheats::dispatch::{CheatError, ensure};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Maximum length of a path, in bytes.
const LONGEST_PATH: usize = 4096;

/// Maximum number of values that a path may visit.
const MOST_VISITED: u64 = 1 << 24;

/// Returns the path with `$` (the root) in front, if it is missing.
fn rooted(path: &str) -> Cow<'_, str> {
    if path.starts_with('$') { path.into() } else { format!("${path}").into() }
}

/// Returns the values at a path.
///
/// # Errors
/// Fails if the path cannot be parsed, is too long, or leads through too many values.
pub(super) fn select<'a>(document: &'a Value, path: &str) -> Result<Vec<&'a Value>, CheatError> {
    let path = if path == "." { "$" } else { path };
    ensure!(path.len() <= LONGEST_PATH, "the path has more than {LONGEST_PATH} bytes");
    ensure!(visited(document, path) <= MOST_VISITED, "the path {path:?} leads through too much");
    let found = jsonpath_lib::select(document, &rooted(path));
    Ok(found.map_err(|error| format!("failed selecting from JSON: {:?}", error.to_string()))?)
}

/// Returns an upper bound on the number of values that a path visits. `..` visits all values below, a choice
/// visits each of its parts, and values that are visited twice count twice. Paths without `..` and choices
/// count as zero.
fn visited(document: &Value, path: &str) -> u64 {
    let descents = u32::try_from(path.matches("..").count()).unwrap_or(u32::MAX);
    let choices =
        path.split('[').skip(1).map(|part| part.bytes().filter(|byte| *byte == b',').count() as u64 + 1);
    let choices = choices.fold(1, u64::saturating_mul);
    if descents == 0 && choices == 1 {
        return 0;
    }
    let (values, depth) = extent(document);
    values.saturating_mul(depth.saturating_pow(descents.saturating_sub(1))).saturating_mul(choices)
}

/// Returns the number of values in a document, and its depth.
fn extent(value: &Value) -> (u64, u64) {
    let all = |inner: &mut dyn Iterator<Item = &Value>| {
        inner.map(extent).fold((1, 1), |(values, depth), (more, below)| (values + more, depth.max(below + 1)))
    };
    match value {
        Value::Array(values) => all(&mut values.iter()),
        Value::Object(members) => all(&mut members.values()),
        _ => (1, 1),
    }
}

/// Tells whether a path leads to a value.
pub(in crate::evm::cheats) fn has(document: &Value, path: &str) -> Result<bool, CheatError> {
    Ok(!select(document, path)?.is_empty())
}

/// Returns the names of the members of the object at a path.
pub(in crate::evm::cheats) fn keys(document: &Value, path: &str) -> Result<Vec<String>, CheatError> {
    let found = select(document, path)?;
    let [value] = found[..] else {
        return Err(format!("key {path:?} must return exactly one JSON object").into());
    };
    let Value::Object(object) = value else {
        return Err(format!("JSON value at {path:?} is not an object").into());
    };
    Ok(object.keys().cloned().collect())
}

/// Returns the number of values in the array at a path.
pub(super) fn length(document: &Value, path: &str) -> Result<usize, CheatError> {
    let [value] = select(document, path)?[..] else {
        return Err(format!("key {path:?} must return exactly one JSON array").into());
    };
    let Value::Array(values) = value else {
        return Err(format!("JSON value at {path:?} is not an array").into());
    };
    Ok(values.len())
}

/// Sets the value at a path of names separated by dots, and creates missing objects on the way.
pub(in crate::evm::cheats) fn put(document: &mut Value, path: &str, value: Value) -> Result<(), CheatError> {
    let rooted = rooted(path);
    let names = rooted.strip_prefix("$.").unwrap_or(path).split('.').filter(|name| !name.is_empty());
    let names: Vec<&str> = names.collect();
    let Some((last, way)) = names.split_last() else {
        return Err("'valueKey' cannot be empty or just '$'".into());
    };
    let mut at = document;
    for name in way {
        let Value::Object(members) = at else {
            return Err(format!("path segment '{name}' does not resolve to an object.").into());
        };
        at = members.entry((*name).to_owned()).or_insert_with(|| Value::Object(Map::new()));
    }
    let Value::Object(members) = at else {
        return Err("final destination is not an object, cannot insert key.".into());
    };
    members.insert((*last).to_owned(), value);
    Ok(())
}
