//! Where code may start threads, look at the clock, touch files, read the environment, start programs or print.

use super::source::SOURCES;
use std::collections::BTreeSet;

/// Something that code does to the world outside, with the places that may do it.
struct Effect {
    name: &'static str,
    /// Text by which the effect is recognised.
    signs: &'static [&'static str],
    /// Files, and directories with a slash at the end.
    allowed: &'static [&'static str],
}

const EFFECTS: [Effect; 8] = [
    Effect {
        name: "threads",
        signs: &["thread::spawn", "thread::scope", "thread::Builder", "scope.spawn"],
        allowed: &[
            "campaign/mod.rs",
            "campaign/outcomes.rs",
            "campaign/run/search.rs",
            "campaign/run/workers.rs",
            "campaign/smt/process.rs",
            "cli/compile_watch.rs",
            "cli/mutate/scheduler.rs",
            "evm/cheats/ffi.rs",
            "project/toolchain/child.rs",
        ],
    },
    Effect {
        name: "the wall clock",
        signs: &["SystemTime::now"],
        allowed: &[
            "campaign/run/events.rs",
            "campaign/store/",
            "cli/event_log.rs",
            "cli/live_output.rs",
            "cli/reports.rs",
            "evm/cheats/utilities.rs",
            "evm/state/fork/jwt.rs",
            "project/toolchain/npm.rs",
        ],
    },
    Effect {
        name: "timers",
        signs: &["Instant::now", "ThreadTime::now"],
        allowed: &[
            "campaign/",
            "cli/",
            "evm/base/heartbeat.rs",
            "evm/base/limits.rs",
            "evm/cheats/utilities.rs",
            "evm/exec/test_env/context.rs",
            "project/revision.rs",
            "project/toolchain/",
        ],
    },
    Effect {
        name: "files",
        signs: &["std::fs", "fs::", "File::open", "File::create", "OpenOptions", "tempfile::"],
        allowed: &[
            "campaign/store/",
            "cli/",
            "config/",
            "evm/cheats/allocs.rs",
            "evm/cheats/file_access.rs",
            "evm/cheats/files.rs",
            "files/",
            "project/",
        ],
    },
    Effect {
        name: "the environment",
        signs: &[
            "env::var",
            "env::vars",
            "env::current_dir",
            "env::home_dir",
            "env::temp_dir",
            "env::split_paths",
        ],
        allowed: &["cli/", "project/toolchain/"],
    },
    Effect {
        name: "programs",
        signs: &["Command::new"],
        allowed: &[
            "campaign/smt/process.rs",
            "cli/mcp/child.rs",
            "evm/cheats/ffi.rs",
            "project/revision.rs",
            "project/toolchain/",
        ],
    },
    Effect {
        name: "printing",
        signs: &[
            "println!",
            "print!",
            "eprintln!",
            "eprint!",
            "dbg!",
            "io::stdout",
            "io::stderr",
            "stdout()",
            "stderr()",
        ],
        allowed: &["cli/", "evm/cheats/prompt.rs", "report/progress.rs"],
    },
    Effect { name: "tokio", signs: &["tokio::"], allowed: &["cli/mcp/", "evm/state/fork/node.rs"] },
];

#[test]
fn effects_stand_where_they_may() {
    let mut wrong = Vec::new();
    for effect in &EFFECTS {
        for source in SOURCES.iter().filter(|source| !source.is_test()) {
            let may = |place: &&&str| match place.ends_with('/') {
                true => source.path.starts_with(**place),
                false => source.path == **place,
            };
            if effect.allowed.iter().any(|place| may(&place)) {
                continue;
            }
            let code = source.code();
            wrong.extend(
                effect
                    .signs
                    .iter()
                    .filter(|sign| code_has(&code, sign))
                    .map(|sign| format!("{} has `{sign}`: {}", source.path, effect.name)),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_place_that_may_have_an_effect_has_it() {
    let mut idle = BTreeSet::new();
    for effect in &EFFECTS {
        for place in effect.allowed {
            let of_place = SOURCES.iter().filter(|source| source.path.starts_with(place));
            let codes: Vec<String> = of_place.map(super::source::Source::code).collect();
            if !codes.iter().any(|code| effect.signs.iter().any(|sign| code_has(code, sign))) {
                idle.insert(format!("{place} does nothing with {}", effect.name));
            }
        }
    }
    assert!(idle.is_empty(), "{idle:?}");
}

/// Tells whether code has a sign at the beginning of a word.
fn code_has(code: &str, sign: &str) -> bool {
    code.match_indices(sign).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// What the crate's page says is nowhere, each with a test: a sentence of the list, as it stands there.
const ABSENCES: [&str; 8] = [
    "`model`, `engine`, `solver` and `oracle` have no clock, thread, file or environment variable.",
    "`engine`, `solver` and `oracle` do not know the EVM.",
    "Only `evm` names revm, only `project` foundry-compilers, only `cli` clap, ctrlc and rmcp, only `report` indicatif and quick-junit.",
    "Only `campaign` starts threads that search.",
    "`campaign` never prints.",
    "`report` does no I/O except in `progress`.",
    "Only `cli` and `project::toolchain` read the process environment.",
    "Only `evm::state::fork` and `cli::mcp` are asynchronous.",
];

#[test]
fn the_list_of_absences_on_the_page_of_the_crate_is_the_one_that_is_tested() {
    let page = &SOURCES.iter().find(|source| source.path == "lib.rs").unwrap().text;
    let lines = page.lines().map(|line| line.trim_start_matches("//!").trim());
    let after = lines.skip_while(|line| !line.starts_with("# What is not there")).skip(1);
    let section: Vec<&str> = after.take_while(|line| !line.starts_with('#')).collect();
    let text = section.join(" ");
    let listed: Vec<String> = text
        .split(" * ")
        .map(|item| item.trim().trim_start_matches("* ").to_owned())
        .filter(|item| !item.is_empty())
        .collect();
    assert_eq!(listed, ABSENCES.map(str::to_owned));
}
