//! The script that shows that a change of the code changes no result.

use crate::harness::{REPOSITORY, node};
use std::{fs, path::Path, process::Command};
use tempfile::TempDir;

/// One small run of the net: a set, a seed, two threads.
const SAMPLE: [&str; 8] = ["--sets", "papers", "--seeds", "1", "--threads", "2", "--runs", "8"];

fn script() -> String {
    Path::new(REPOSITORY).join("scripts/unchanged.mjs").display().to_string()
}

#[test]
fn a_build_gives_the_same_results_twice_and_a_changed_result_is_noticed() {
    let record = TempDir::new().unwrap();
    let line = |mode: &str| {
        let mut line = vec![script(), mode.to_owned(), env!("CARGO_BIN_EXE_forge-harvey").to_owned()];
        line.push(record.path().display().to_string());
        line.extend(SAMPLE.map(str::to_owned));
        line
    };
    let run = |mode| node(&line(mode).iter().map(Path::new).collect::<Vec<_>>());
    run("record");
    run("check");
    let path = fs::read_dir(record.path()).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("reverts: ", "reverts: 1", 1)).unwrap();
    let output = Command::new("node").args(line("check")).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("differs at line"), "{printed}");
}
