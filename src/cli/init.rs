//! `forge-harvey init`: files that a project needs to begin.

mod suite;
mod token;

use super::{
    ExitStatus,
    args::{GlobalArgs, InitArgs, TestArgs},
    console::Console,
    project,
};
use crate::{
    config::find_repository,
    files::{nofollow, read_text, shown},
};
use anyhow::Result;
use std::path::Path;

const WORKFLOW: &str = include_str!("init/workflow.yml");
const HOOK: &str = include_str!("init/pre-commit.yml");

/// Writes a workflow, the configuration of a hook, and a suite for the named contract. Existing files are not
/// changed.
pub(super) fn run(args: &InitArgs, global: &GlobalArgs) -> Result<ExitStatus> {
    let mut console = Console::new(global, false);
    let as_test = TestArgs { build: args.build.clone(), ..TestArgs::default() };
    let loaded = project::load(&as_test, global, &mut console)?;
    let config = &loaded.config;
    let root = &config.paths.root;
    if let Some(wanted) = &args.contract {
        suite::write(&loaded, wanted, &mut console)?;
    }
    let repository = find_repository(root).unwrap_or(root);
    let inside = root.strip_prefix(repository).map(slashed).unwrap_or_default();
    let directory = if inside.is_empty() { ".".to_owned() } else { inside };
    let cache = slashed(config.paths.cache.strip_prefix(repository).unwrap_or(&config.paths.cache));
    let workflow = WORKFLOW
        .replace("VERSION", env!("CARGO_PKG_VERSION"))
        .replace("DIRECTORY", &directory)
        .replace("CACHE", &cache);
    add(&repository.join(".github/workflows/forge-harvey.yml"), &workflow, root, &mut console)?;
    let hooks = repository.join(".pre-commit-config.yaml");
    if hooks.exists() {
        let known = read_text(&hooks).unwrap_or_default().contains("forge-harvey");
        let entry = HOOK.trim_start_matches("repos:\n");
        let text = if known { String::new() } else { format!("Add this to {}:\n{entry}", hooks.display()) };
        console.say(&text)?;
    } else {
        add(&hooks, HOOK, root, &mut console)?;
    }
    Ok(ExitStatus::Success)
}

/// Writes a file, unless it exists.
fn add(path: &Path, text: &str, root: &Path, console: &mut Console) -> Result<()> {
    let shown = shown(path, root);
    if path.exists() {
        return console.say(&format!("Left as it is: {shown}\n"));
    }
    nofollow::write(path, text.as_bytes())?;
    console.say(&format!("Wrote {shown}\n"))
}

fn slashed(path: &Path) -> String {
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.collect::<Vec<_>>().join("/")
}
