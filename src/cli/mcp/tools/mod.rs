//! The tools, one file each: arguments, result, and the text for a reader.

mod explain_rule;
mod list_failures;
mod list_tests;
mod replay_failures;
mod run_tests;
mod show_failure;
mod show_stuck;
mod write_reproducer;

use super::{
    document::RunDocument,
    failures::{FailureSummary, FoundFailure},
    server::ToolCall,
};
use anyhow::{Context as _, Result, anyhow};
use regex::Regex;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::transform_subschemas};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::ffi::OsString;

/// Answer of a tool: the same as text and as data.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) data: Value,
}

impl Answer {
    fn new(text: String, data: &impl Serialize) -> Result<Self> {
        Ok(Self { text, data: serde_json::to_value(data).context("the result is no JSON")? })
    }
}

/// Effect of a tool, as clients ask about it before they call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ToolEffect {
    /// It looks at what is known.
    Reads,
    /// It compiles or runs contracts, which write artifacts and caches.
    Runs,
}

/// Returns the definitions of all tools.
pub(super) fn definitions() -> Vec<Tool> {
    vec![
        list_tests::definition(),
        run_tests::definition(),
        list_failures::definition(),
        show_failure::definition(),
        show_stuck::definition(),
        explain_rule::definition(),
        replay_failures::definition(),
        write_reproducer::definition(),
    ]
}

/// Calls the tool with this name. Returns `None` if there is none.
pub(super) async fn call(name: &str, arguments: Value, call: &ToolCall<'_>) -> Option<Result<Answer>> {
    Some(match name {
        list_tests::NAME => list_tests::call(arguments, call).await,
        run_tests::NAME => run_tests::call(arguments, call).await,
        list_failures::NAME => list_failures::call(arguments, call),
        show_failure::NAME => show_failure::call(arguments, call).await,
        show_stuck::NAME => show_stuck::call(arguments, call),
        explain_rule::NAME => explain_rule::call(arguments),
        replay_failures::NAME => replay_failures::call(arguments, call).await,
        write_reproducer::NAME => write_reproducer::call(arguments, call).await,
        _ => return None,
    })
}

/// Defines a tool with arguments `A` and result `R`.
fn define<A, R>(name: &'static str, title: &str, description: &'static str, effect: ToolEffect) -> Tool
where
    A: JsonSchema + 'static,
    R: JsonSchema + 'static,
{
    let annotations =
        ToolAnnotations::with_title(title).read_only(effect == ToolEffect::Reads).destructive(false);
    // A test may ask nodes of chains.
    let annotations = annotations.open_world(effect == ToolEffect::Runs);
    let [mut input, output] = [schema::<A>(|settings| settings), schema::<R>(SchemaSettings::for_serialize)];
    leave_out_null(&mut input);
    Tool::new(name, description, input)
        .with_title(title)
        .with_raw_output_schema(output.into())
        .with_annotations(annotations)
}

/// Returns the schema of a type, without names of Rust's number types, which clients warn about as unknown formats.
fn schema<T: JsonSchema>(settings: fn(SchemaSettings) -> SchemaSettings) -> JsonObject {
    fn leave_out_formats(schema: &mut Schema) {
        schema.remove("format");
        transform_subschemas(&mut leave_out_formats, schema);
    }
    let mut schema = settings(SchemaSettings::draft2020_12()).into_generator().into_root_schema_for::<T>();
    leave_out_formats(&mut schema);
    schema.remove("title");
    schema.as_object().cloned().unwrap_or_default()
}

/// Leaves null out of the types of arguments: some clients send a text if a type has two names. An argument may be left
/// out anyway.
fn leave_out_null(schema: &mut JsonObject) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(|properties| properties.values_mut()) {
        let one = match property["type"].as_array().map(Vec::as_slice) {
            Some([one, null]) if null == "null" => one.clone(),
            _ => continue,
        };
        property["type"] = one;
    }
}

/// Reads the arguments of a tool.
///
/// # Errors
/// When one is unknown, missing or of another type. The error names it.
fn parse<A: DeserializeOwned>(arguments: Value) -> Result<A> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let path = error.path().to_string();
        let place = if path == "." { String::new() } else { format!("`{path}`: ") };
        let mut message = error.inner().to_string();
        for number in ["u32", "u64", "usize"] {
            message = message.replace(&format!("expected {number}"), "expected a whole number");
        }
        anyhow!("wrong arguments: {place}{message}")
    })
}

/// Returns a flag with a regular expression as its value.
///
/// # Errors
/// When it is none. `argument` names it.
fn pattern(flag: &str, argument: &str, pattern: Option<&str>) -> Result<Option<OsString>> {
    let Some(pattern) = pattern else { return Ok(None) };
    Regex::new(pattern).with_context(|| format!("`{argument}` is no regular expression"))?;
    Ok(Some(format!("{flag}={pattern}").into()))
}

/// Reads a JSON report.
///
/// # Errors
/// When it is none.
fn report(text: &str) -> Result<RunDocument> {
    serde_json::from_str(text).context("the report of the run cannot be read")
}

/// Most failures in the result of a run.
const MOST_FAILURES: usize = 10;

/// Returns the first failures.
fn first(failures: &[FoundFailure]) -> Vec<FailureSummary> {
    failures.iter().take(MOST_FAILURES).map(|failure| failure.summary.clone()).collect()
}

/// Formats the first failures of `total`, one line each.
fn failure_lines(first: &[FailureSummary], total: usize) -> String {
    let mut text: String = first.iter().map(|failure| format!("- {}\n", failure.text())).collect();
    if total > first.len() {
        text += &format!("- {} more: `list_failures` lists them\n", total - first.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only errors are looked at")]
    struct Sample {
        count: Option<u32>,
        name: String,
    }

    #[test]
    fn errors_name_the_argument() {
        let error = |arguments| parse::<Sample>(arguments).unwrap_err().to_string();
        insta::assert_snapshot!(error(json!({ "count": "x", "name": "a" })), @r#"wrong arguments: `count`: invalid type: string "x", expected a whole number"#);
        insta::assert_snapshot!(error(json!({ "count": 1 })), @"wrong arguments: missing field `name`");
        insta::assert_snapshot!(error(json!({ "cuont": 1 })), @"wrong arguments: `cuont`: unknown field `cuont`, expected `count` or `name`");
        let error = pattern("--match-test", "match_test", Some("(")).unwrap_err();
        insta::assert_snapshot!(error, @"`match_test` is no regular expression");
    }

    #[test]
    fn a_tool_has_a_schema_of_objects_and_a_name_of_its_own() {
        let definitions = definitions();
        for tool in &definitions {
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
            assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
            assert_eq!(tool.output_schema.as_ref().unwrap()["type"], "object", "{}", tool.name);
        }
        let names: std::collections::BTreeSet<_> = definitions.iter().map(|tool| &tool.name).collect();
        assert_eq!(names.len(), definitions.len());
    }

    #[test]
    fn schemas_have_nothing_that_clients_stumble_over() {
        for tool in definitions() {
            for (argument, schema) in tool.input_schema["properties"].as_object().unwrap() {
                assert!(schema["type"].is_string(), "{}: {argument}: {schema}", tool.name);
                assert!(schema["description"].is_string(), "{}: {argument}: {schema}", tool.name);
            }
            let output = serde_json::to_string(&tool.output_schema).unwrap();
            assert!(!output.contains("\"format\""), "{}: {output}", tool.name);
        }
    }
}
