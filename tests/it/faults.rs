//! Disks that are full or read-only, files that are damaged, clocks that jump: nothing found is lost, and nothing ends in a panic.

use crate::harness::{Project, REPOSITORY, fixtures};
use std::{fs, path::PathBuf, process::Command};

const LINE: &str = "--match-contract ^EnglishAuctionBugTest$ --runs 200 --depth 50 --threads 2 --fuzz-seed 1";

/// What a shell does in a mount namespace of its own before it runs the rest of its command line: a file system of a few
/// kilobytes stands in the place of the corpus.
const SMALL: &str =
    "mkdir -p testdata/cache/harvey && mount -t tmpfs -o size=16k none testdata/cache/harvey && exec \"$@\"";
const READ_ONLY: &str = "cd testdata/cache && mkdir -p harvey && mount -t tmpfs none harvey && mount -o remount,ro harvey && cd ../.. && exec \"$@\"";

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_kept_is_reported_all_the_same() {
    for (script, error) in [(SMALL, "No space left on device"), (READ_ONLY, "Read-only file system")] {
        let project = fixtures().copy();
        // Long enough to be told before the end.
        let line = LINE.replace("--runs 200", "--timeout 5");
        let running = project.ours(&line).behind(&["unshare", "-rm", "sh", "-c", script, "sh"]);
        let run = running.run().exits_with(1);
        assert!(run.stdout.contains("\n[FAIL: ") && run.stdout.contains("[Sequence]"), "{}", run.shown());
        let warnings = run.warnings();
        assert!(warnings.contains(error), "{}", run.shown());
        assert!(warnings.contains("the search goes on"), "early: {warnings}");
        assert!(warnings.contains("[ROOT]/testdata/cache/harvey/"), "{warnings}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_fits_on_a_full_disk_can_be_read() {
    let project = fixtures().copy();
    let ours = env!("CARGO_BIN_EXE_forge-harvey");
    let script = SMALL.replace("exec \"$@\"", &format!("\"$@\"; echo; {ours} corpus show --json"));
    let run = project.ours(LINE).behind(&["unshare", "-rm", "sh", "-c", &script, "sh"]).run().exits_with(0);
    let shown: serde_json::Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
    assert!(shown.is_object(), "{}", run.shown());
    assert!(!run.stderr.contains("checksum"), "{}", run.shown());
}

#[test]
#[cfg(target_os = "linux")]
fn a_compiled_project_that_nobody_may_write_to_is_tested() {
    let project = fixtures().copy();
    let root = project.root().display().to_string();
    let script =
        format!("mount --bind {root} {root} && mount -o remount,ro,bind {root} && cd {root} && exec \"$@\"");
    let run = project.ours(LINE).behind(&["unshare", "-rm", "sh", "-c", &script, "sh"]).run().exits_with(1);
    assert!(run.stdout.contains("\n[FAIL: ") && run.stdout.contains("[Sequence]"), "{}", run.shown());
    assert!(run.warnings().contains("Read-only file system"), "{}", run.shown());
}

#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let project = fixtures().copy();
    let script = "ulimit -f 64; exec \"$@\"";
    let run = project.ours(LINE).behind(&["sh", "-c", script, "sh"]).run().exits_with(1);
    assert!(run.stderr.contains("File too large"), "{}", run.shown());
}

fn segments(project: &Project) -> Vec<PathBuf> {
    let dir = project.root().join(
        "testdata/cache/harvey/inputs/testdata+suites+english+EnglishAuction.t.sol/EnglishAuctionBugTest",
    );
    let mut files: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn damaged_files_are_set_aside_and_the_others_count() {
    let project = fixtures().copy();
    project.ours(LINE).run().exits_with(1);
    project.ours(&LINE.replace("seed 1", "seed 2")).run().exits_with(1);
    let files = segments(&project);
    assert!(files.len() > 1, "{files:?}");
    let failures = project.root().join(
        "testdata/cache/harvey/failures/testdata+suites+english+EnglishAuction.t.sol/EnglishAuctionBugTest",
    );
    let failure = fs::read_dir(&failures).unwrap().next().unwrap().unwrap().path();
    // One bit, where it makes other calldata of the same length.
    let text = fs::read_to_string(&failure).unwrap();
    let digit = text.find("\"calldata\": \"0x").unwrap() + 16;
    let mut bytes = text.into_bytes();
    bytes[digit] = if bytes[digit] == b'0' { b'1' } else { b'0' };
    fs::write(&failure, bytes).unwrap();
    let mut bytes = fs::read(&files[0]).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&files[0], &bytes).unwrap();
    let run = project.ours(&LINE.replace("--runs 200", "--runs 1")).run();
    let warnings = run.warnings();
    assert!(
        warnings.contains("set corpus file aside as [ROOT]/testdata/cache/harvey/inputs/"),
        "{}",
        run.shown()
    );
    assert!(
        warnings.contains("set saved failure aside as [ROOT]/testdata/cache/harvey/failures/"),
        "{}",
        run.shown()
    );
    assert_eq!(fs::read(format!("{}.damaged", files[0].display())).unwrap(), bytes);
    assert!(fs::metadata(format!("{}.damaged", failure.display())).is_ok());
    let again = project.ours(&LINE.replace("--runs 200", "--runs 1")).run().warnings();
    assert!(!again.contains("aside"), "{again}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_clock_that_jumps_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let library = dir.path().join("clock.so");
    let source = format!("{REPOSITORY}/testdata/clock.c");
    let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    assert!(made.unwrap().success());
    let library = library.display().to_string();
    let run = |clock: &str| {
        let project = fixtures().copy();
        let line = format!("{LINE} --json");
        let run = project.ours(&line).env("LD_PRELOAD", clock).run().exits_with(1);
        let resumed = project.ours(&line).env("LD_PRELOAD", clock).run().exits_with(1);
        [run, resumed].map(|run| {
            let report = run.json();
            let stats = &report.as_object().unwrap().values().next().unwrap()["harvey"]["stats"];
            [&stats["calls"], &stats["executions"], &stats["branches"]].map(ToString::to_string)
        })
    };
    assert_eq!(run(&library)[0], run("")[0]);
    let timed = fixtures().copy();
    let line = "--match-contract ^EnglishAuctionTest$ --timeout 2 --show-progress --threads 1";
    let start = std::time::Instant::now();
    timed.ours(line).env("LD_PRELOAD", &library).run().exits_with(0);
    let taken = start.elapsed().as_secs();
    assert!((2..60).contains(&taken), "{taken} s");
}
