//! `write_reproducer`: a saved failure as a Solidity test.

use super::{
    Answer, ToolEffect, define, parse,
    show_failure::{saved, unknown},
};
use crate::cli::mcp::server::ToolCall;
use anyhow::{Result, anyhow, bail};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsString,
    path::{Component, Path},
};

pub(super) const NAME: &str = "write_reproducer";

const DESCRIPTION: &str = "Writes a Solidity test that fails as a saved failure does, and that plain `forge test` runs. \
                           An existing reproducer of the same failure is replaced.";

/// Directory of the tests, unless the client gives another one.
const DIRECTORY: &str = "test/repro";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReproducerArguments {
    /// Id of the failure, as `run_tests` and `list_failures` show it.
    id: String,
    /// Directory of the test, relative to the project; `test/repro` by default. It is created if missing.
    directory: Option<String>,
}

#[derive(Debug, PartialEq, Serialize, JsonSchema)]
struct WrittenReproducer {
    /// File of the test, relative to the project.
    file: String,
    /// Command that runs it.
    command: String,
}

pub(super) fn definition() -> Tool {
    define::<ReproducerArguments, WrittenReproducer>(
        NAME,
        "Write a reproducer",
        DESCRIPTION,
        ToolEffect::Runs,
    )
}

pub(super) async fn call(arguments: serde_json::Value, call: &ToolCall<'_>) -> Result<Answer> {
    let ReproducerArguments { id, directory } = parse(arguments)?;
    let mut flag = OsString::from("--emit-repro=");
    flag.push(inside(directory.as_deref().unwrap_or(DIRECTORY))?);
    let Some(file) = saved(call, &id)? else {
        bail!("{}", unknown(&id));
    };
    let output = call.run("replay", vec![flag, file.into()]).await?;
    let written = output.stdout.lines().rev().find_map(written);
    let Some(written) = written else {
        let why = output.stdout.lines().rev().find(|line| line.starts_with("No reproducer of "));
        return Err(match why {
            Some(why) => anyhow!("{why}"),
            None if output.succeeded() => anyhow!("{id} does not fail any more: there is nothing to write"),
            None => output.error(),
        });
    };
    let text = format!("Wrote {}\nRun it with: {}\n", written.file, written.command);
    Answer::new(text, &written)
}

/// Checks that a directory lies in the project, whatever its files are. Links are refused when the file is written.
fn inside(directory: &str) -> Result<&Path> {
    let path = Path::new(directory);
    let is_plain = |part: Component<'_>| match part {
        // Hidden directories belong to other programs.
        Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
        Component::CurDir => true,
        _ => false,
    };
    if directory.is_empty() || !path.components().all(is_plain) {
        bail!(
            "`directory` must be one in the project, such as {DIRECTORY}, and not hidden, not {directory:?}"
        );
    }
    Ok(path)
}

/// Reads the line that names a reproducer: "Reproducer: FILE (run `COMMAND`)".
fn written(line: &str) -> Option<WrittenReproducer> {
    let (file, command) = line.strip_prefix("Reproducer: ")?.split_once(" (run `")?;
    let command = command.strip_suffix("`)")?.to_owned();
    Some(WrittenReproducer { file: file.to_owned(), command })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directories_of_the_project_are_written_to() {
        for right in ["test", "test/repro", "./test/a b"] {
            inside(right).unwrap();
        }
        for wrong in ["", "..", "test/../..", "/tmp", ".git/hooks", "test/.hidden"] {
            inside(wrong).unwrap_err();
        }
        insta::assert_snapshot!(inside("../x").unwrap_err(), @r#"`directory` must be one in the project, such as test/repro, and not hidden, not "../x""#);
    }

    #[test]
    fn the_line_with_the_file_is_read() {
        let line = "Reproducer: test/repro/A.t.sol (run `forge test --match-path test/repro/A.t.sol`)";
        let command = "forge test --match-path test/repro/A.t.sol".to_owned();
        assert_eq!(written(line), Some(WrittenReproducer { file: "test/repro/A.t.sol".to_owned(), command }));
        assert_eq!(written("Reproducer"), None);
    }
}
