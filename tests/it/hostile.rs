//! Contracts that attack whoever runs them: none crashes or hangs, none uses more memory or time than it may, none reaches what is
//! outside of its project, and what they say controls nothing.

use crate::harness::{Project, REPOSITORY};
use regex::Regex;
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::{LazyLock, Mutex},
};

/// Suites, their exit codes, and what is printed of them.
const SUITES: &[(&str, i32, &str)] = &[
    ("BlobFeeTest", 0, "[PASS] invariant_holds()"),
    ("BreedingTest", 0, "[PASS] invariant_holds()"),
    ("BulkTest", 0, "[PASS] invariant_holds()"),
    ("CommentTest", 1, "is named by no setting and by no variable of the environment"),
    ("ConsoleFloodTest", 0, "[PASS] invariant_holds()"),
    ("CopiesTest", 0, "[PASS] invariant_holds()"),
    ("DeafSetUpTest", 0, "[PASS] invariant_holds()"),
    ("DeafTargetTest", 0, "[PASS] invariant_holds()"),
    ("DeafUnitTest", 0, "[PASS] invariant_holds()"),
    ("DeepCallsTest", 0, "[PASS] invariant_holds()"),
    ("DeepDelegatesTest", 0, "[PASS] invariant_holds()"),
    ("EndlessAfterInvariantTest", 1, "[FAIL: ended after 1 s of CPU time"),
    ("EndlessConstructorTest", 1, "[FAIL: EvmError: OutOfGas] constructor()"),
    ("EndlessFuzzTest", 1, "[FAIL: ended after 1 s of CPU time"),
    ("EndlessGetterTest", 0, "[PASS] invariant_holds()"),
    ("EndlessInvariantTest", 1, "[FAIL: "),
    ("EndlessSetUpTest", 1, "[FAIL: EvmError: OutOfGas] setUp()"),
    ("EndlessTargetTest", 0, "[PASS] invariant_holds()"),
    ("EndlessTargetsTest", 1, "No contracts to fuzz."),
    ("EndlessUnitTest", 0, "[PASS] invariant_holds()"),
    ("EnvironmentTest", 0, "[PASS] invariant_holds()"),
    ("EtchTest", 1, "[FAIL: EvmError: Revert]"),
    ("ExtremesTest", 0, "[PASS] invariant_holds()"),
    ("FallbackTest", 0, "[PASS] invariant_holds()"),
    ("FarMemoryTest", 0, "[PASS] invariant_holds()"),
    ("GarbageTargetsTest", 0, "[PASS] invariant_holds()"),
    ("HoardTest", 0, "[PASS] invariant_holds()"),
    ("HugeInputsTest", 1, "[FAIL: its arguments have more than 16384 words] testFuzz_numbers"),
    ("JsonPathsTest", 0, "[PASS] invariant_holds()"),
    ("KeysTest", 0, "[PASS] invariant_holds()"),
    ("LogFloodTest", 0, "[PASS] invariant_holds()"),
    ("LogsTest", 0, "[PASS] invariant_holds()"),
    ("LongProgramTest", 0, "[PASS] invariant_holds()"),
    ("LongReasonTest", 1, "... (5000000 bytes)]"),
    ("LongReturnTest", 0, "[PASS] invariant_holds()"),
    ("LongRevertTest", 0, "[PASS] invariant_holds()"),
    ("LongTextTest", 0, "[PASS] invariant_holds()"),
    ("LongerTextTest", 0, "[PASS] invariant_holds()"),
    ("ManyChildrenTest", 0, "[PASS] invariant_holds()"),
    ("ManyTargetsTest", 1, "No contracts to fuzz."),
    ("MockTest", 0, "[PASS] invariant_holds()"),
    ("NapsTest", 0, "[PASS] invariant_holds()"),
    ("NetworkTest", 1, "is named by no setting and by no variable of the environment"),
    ("NoTextTest", 0, "[PASS] invariant_holds()"),
    ("NothingAssumedTest", 1, "`vm.assume` rejected too many inputs"),
    ("OddCodeTest", 0, "[PASS] invariant_holds()"),
    ("PrecompileTest", 0, "[PASS] invariant_holds()"),
    ("ProgramTest", 1, "FFI is disabled"),
    ("ReadingTest", 1, "not allowed to be accessed for read operations"),
    ("ReasonsTest", 1, "␛[31mred␛]0;title␇ ␛[2J"),
    ("RedirectTest", 1, "is named by no setting and by no variable of the environment"),
    ("SecretTest", 0, "[PASS] invariant_holds()"),
    ("SelfDestructTest", 0, "[PASS] invariant_holds()"),
    ("SkippedTest", 0, "[SKIP: ␛[31mred"),
    ("SleepingTest", 0, "[PASS] invariant_holds()"),
    ("SnapshotsTest", 0, "[PASS] invariant_holds()"),
    ("StatesTest", 1, "is not allowed to be accessed for write operations"),
    ("StorageFloodTest", 0, "[PASS] invariant_holds()"),
    ("TracedSecretTest", 1, "[FAIL: as expected"),
    ("TransactionTest", 0, "[PASS] invariant_holds()"),
    ("TypesTest", 0, "[PASS] invariant_holds()"),
    ("UnmeteredInvariantTest", 1, "[FAIL: ended after 1 s of CPU time"),
    ("UnmeteredLoopTest", 0, "[PASS] invariant_holds()"),
    ("UnmeteredWorkTest", 0, "[PASS] invariant_holds()"),
    ("WideInputsTest", 0, "[PASS] invariant_holds()"),
    ("WritingTest", 1, "not allowed to be accessed for write operations"),
];

/// Address space in KiB, and seconds.
const LIMITS: &str = "ulimit -v 2000000; exec timeout -k 5 300 \"$@\"";

const SECRET: &str = "s3cr3t-of-the-shell";

/// The contracts, compiled, in a directory below one that is theirs as well.
static HOSTILE: LazyLock<Project> = LazyLock::new(|| {
    let project = Project::copy_of("testdata/hostile");
    project.ours("--list").run().exits_with(0);
    project
});

/// What no output may have in it, colours apart.
fn controls(text: &str) -> Option<char> {
    static COLOUR: LazyLock<Regex> = LazyLock::new(|| Regex::new("\u{1b}\\[[0-9;]*m").unwrap());
    let is_control = |c: &char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    COLOUR.replace_all(text, "").chars().find(is_control)
}

#[test]
fn each_contract_that_attacks_is_known() {
    let tests = fs::read_dir(Path::new(REPOSITORY).join("testdata/hostile/test")).unwrap();
    let declared = Regex::new(r"(?m)^contract (\w+Test)\b").unwrap();
    let sources = tests.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let names: BTreeSet<String> = sources
        .flat_map(|source| declared.captures_iter(&source).map(|name| name[1].to_owned()).collect::<Vec<_>>())
        .collect();
    assert_eq!(names, SUITES.iter().map(|(name, ..)| (*name).to_owned()).collect());
}

#[test]
fn each_attack_ends_within_its_limits() {
    let left = Mutex::new(SUITES.iter());
    let work = || {
        while let Some(suite) = { left.lock().unwrap().next() } {
            attack(*suite);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    assert!(!HOSTILE.root().join("written.txt").exists());
    assert!(!HOSTILE.root().join("../written.txt").exists());
    assert!(!HOSTILE.root().join(".env").exists());
    let settings = fs::read_to_string(Path::new(REPOSITORY).join("testdata/hostile/foundry.toml")).unwrap();
    assert_eq!(HOSTILE.read("foundry.toml"), settings);
}

fn attack((name, code, said): (&str, i32, &str)) {
    let line = format!("--match-contract ^{name}$ --threads 1 --fuzz-seed 1");
    let run = HOSTILE
        .ours(&line)
        .env("SECRET_TOKEN", SECRET)
        .env("NODE_HOST", "some")
        .behind(&["sh", "-c", LIMITS, "sh"])
        .run();
    assert!(run.code == code && run.stdout.contains(said), "{name}: {}", run.shown());
    for text in [&run.stdout, &run.stderr] {
        assert_eq!(controls(text), None, "{name}: {text}");
        assert!(!text.contains(SECRET), "{name}: {text}");
        assert!(text.len() < 1 << 20, "{name}: {} bytes", text.len());
    }
}

#[test]
fn what_contracts_say_controls_no_terminal_no_page_and_no_workflow() {
    let project = HOSTILE.copy();
    let files =
        ["html=a.html", "markdown=a.md", "sarif=a.sarif", "junit=a.xml", "github=a.txt", "json=a.json"];
    let reports: String = files.iter().map(|file| format!(" --report {file}")).collect();
    let suites = "--match-contract ^(ReasonsTest|SkippedTest|NoTextTest|SecretTest)$ --fuzz-seed 1 -vvvv";
    let line = format!("{suites} --emit-repro test/repro{reports}");
    let run = project.ours(&line).args("--color always").env("SECRET_TOKEN", SECRET).run().exits_with(1);
    assert!(run.stdout.contains("\u{1b}[31m"), "{}", run.stdout);
    let json = project.ours(&format!("{suites} --json")).env("SECRET_TOKEN", SECRET).run().exits_with(1);
    let mut outputs = vec![("stdout", run.stdout), ("stderr", run.stderr), ("--json", json.stdout)];
    outputs.extend(files.map(|file| (file, project.read(file.split_once('=').unwrap().1))));
    let repro = fs::read_dir(project.root().join("test/repro")).unwrap();
    outputs.extend(repro.map(|file| ("repro", fs::read_to_string(file.unwrap().path()).unwrap())));
    for (name, text) in &outputs {
        assert_eq!(controls(text), None, "{name}: {text}");
        let obeyed = text.lines().find(|line| line.trim_start().starts_with("::error::"));
        assert_eq!(obeyed, None, "{name}: {text}");
    }
    let page = project.read("a.html");
    assert!(page.contains("alert(1)") && !page.contains("<script>alert(1)"), "{page}");
    let summary = project.read("a.md");
    assert!(!summary.lines().any(|line| line.starts_with("# Heading")), "{summary}");
}

#[test]
fn a_secret_of_the_shell_stays_there() {
    let project = HOSTILE.copy();
    // What a test hands on is what it prints.
    let line = "--match-path test/{Outside,Text}.t.sol --no-match-contract RedirectTest --fuzz-seed 1 --json -vvvvv --report html=a.html --report sarif=a.sarif";
    let run = project.ours(line).env("SECRET_TOKEN", SECRET).run();
    assert!(!run.stdout.contains(SECRET) && !run.stderr.contains(SECRET), "{}", run.shown());
    for file in files(project.root()) {
        let bytes = fs::read(&file).unwrap();
        let is_in = bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
        assert!(!is_in, "{}", file.display());
    }
}

fn files(directory: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
