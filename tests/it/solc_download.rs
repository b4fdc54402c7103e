//! Compilers are downloaded where svm and Forge find them, and come from npm if that fails.

use crate::harness::{Answer, Project, Running, Server, tools};
use sha2::{Digest as _, Sha256};
use std::{
    fs,
    net::TcpListener,
    os::unix::{self, fs::PermissionsExt as _},
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;

const SUITE: &str = "
contract DownloadTest {
    function test_sum() external pure {
        assert(1 + 1 == 2);
    }
}
";

/// Name of the served compiler.
const FILE: &str = "solc-v0.8.30+commit.73712a01";

/// A compiler like a native one: the one of npm, with the version of a native build.
fn compiler() -> String {
    let script = tools().svm.join("0.8.30/cli.js");
    format!("#!/bin/sh\nexec node --stack-size=4000 '{}' \"$@\"\n", script.display())
}

/// List of one release with the checksum of `file`.
fn list(file: &str) -> String {
    let sum: String = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        r#"{{"builds":[{{"path":"{FILE}","version":"0.8.30","build":"commit.73712a01","sha256":"0x{sum}"}}],
            "releases":{{"0.8.30":"{FILE}"}},"latestRelease":"0.8.30"}}"#
    )
}

/// A server of a working compiler.
fn server() -> Server {
    Server::start(&[("/list.json", Answer::body(list(&compiler()))), (FILE, Answer::body(compiler()))])
}

/// A computer without compilers, on which only node and a few commands are found.
struct Computer {
    home: TempDir,
    project: Project,
}

impl Computer {
    fn new(settings: &str) -> Self {
        let home = TempDir::new().unwrap();
        fs::create_dir(home.path().join(".svm")).unwrap();
        fs::create_dir(home.path().join("bin")).unwrap();
        let paths = std::env::var_os("PATH").unwrap();
        for program in ["node", "mkdir", "cp"] {
            let mut places = std::env::split_paths(&paths).map(|directory| directory.join(program));
            let found = places.find(|path| path.is_file()).unwrap();
            unix::fs::symlink(found, home.path().join("bin").join(program)).unwrap();
        }
        Self { home, project: Project::with_tests(settings, SUITE) }
    }

    fn write_program(&self, path: &str, text: &str) {
        let path = self.home.path().join(path);
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Adds a client of npm, which notes that it was run.
    fn with_npm(self) -> Self {
        let compiler = tools().svm.join("0.8.30/soljson.js");
        let script = format!(
            "#!/bin/sh\necho run >> '{}'\nmkdir -p \"$2/node_modules/solc\"\n\
             cp '{}' \"$2/node_modules/solc/soljson.js\"\n",
            self.home.path().join("npm.log").display(),
            compiler.display()
        );
        self.write_program("bin/npm", &script);
        self
    }

    /// A run on this computer, with the address of a server.
    fn on(&self, running: Running, url: &str) -> Running {
        let bin = self.home.path().join("bin").display().to_string();
        running.home(self.home.path()).env("PATH", &bin).env("FORGE_HARVEY_SOLC_RELEASES", url)
    }

    fn test(&self, url: &str) -> Running {
        self.on(self.project.online("--unit"), url)
    }

    fn installed(&self) -> PathBuf {
        self.home.path().join(".svm/0.8.30/solc-0.8.30")
    }

    fn has_used_npm(&self) -> bool {
        self.home.path().join("npm.log").exists()
    }

    /// Paths below the directory of svm.
    fn stored(&self) -> Vec<String> {
        let entries = |directory: &Path| {
            fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
        };
        let versions = entries(&self.home.path().join(".svm"));
        let files = versions.iter().flat_map(|version| entries(version));
        let mut names: Vec<_> =
            files.map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
        names.extend(versions.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()));
        names.sort();
        names
    }
}

#[test]
fn a_compiler_is_downloaded_once_and_forge_finds_it() {
    let computer = Computer::new("solc = '0.8.30'").with_npm();
    let server = server();
    let run = computer.test(&server.url).run().exits_with(0);
    let lines: Vec<&str> = run.stdout.lines().filter(|line| line.contains("Solc")).collect();
    assert_eq!(
        lines[..2],
        ["Downloading Solc 0.8.30", "Compiling 1 files with Solc 0.8.30"],
        "{}",
        run.stdout
    );
    assert_eq!(server.requests(), ["list.json", FILE]);
    assert_eq!(computer.stored(), [".lock", "0.8.30", "solc-0.8.30"]);
    let mode = fs::metadata(computer.installed()).unwrap().permissions().mode();
    assert_eq!((mode & 0o777, fs::read_to_string(computer.installed()).unwrap()), (0o755, compiler()));

    let run = computer.on(computer.project.online("--unit --force"), &server.url).run().exits_with(0);
    assert!(run.stdout.contains("Compiling 1 files with Solc 0.8.30"), "{}", run.stdout);
    let run = computer.on(computer.project.forge_build().args("--force"), "").run().exits_with(0);
    assert!(run.stdout.contains("Compiling 1 files with Solc 0.8.30"), "{}", run.shown());
    assert_eq!(server.requests().len(), 2);
    assert!(!computer.has_used_npm());
}

#[test]
fn a_pragma_chooses_among_the_listed_versions_and_redirects_are_followed() {
    let computer = Computer::new("");
    let server = Server::start(&[
        ("/list.json", Answer::body(list(&compiler()))),
        ("/moved/solc", Answer::body(compiler())),
        (FILE, Answer::redirect("/moved/solc")),
    ]);
    computer.test(&server.url).run().exits_with(0);
    let requests = server.requests();
    assert!(requests.ends_with(&[FILE.to_owned(), "solc".to_owned()]), "{requests:?}");
    assert!(computer.installed().is_file());
}

#[test]
fn a_server_is_asked_once_if_no_version_is_named() {
    let computer = Computer::new("");
    let server = Server::start(&[]);
    let run = computer.test(&server.url).run().exits_with(1);
    let reason = "no native compiler was downloaded: http";
    assert!(run.stderr.contains(reason) && run.stderr.contains("answers 404 Not Found"), "{}", run.shown());
    let requests = server.requests();
    assert!(requests.iter().all(|name| name == "list.json"), "{requests:?}");
    // On aarch64 under Linux and macOS, there are lists of two directories.
    assert!((1..=2).contains(&requests.len()), "{requests:?}");
}

#[test]
fn a_compiler_on_path_is_preferred_to_a_download() {
    let computer = Computer::new("");
    computer.write_program("bin/solc", &compiler());
    let server = server();
    computer.test(&server.url).run().exits_with(0);
    assert_eq!(server.requests(), [""; 0]);
}

#[test]
fn there_is_no_connection_offline() {
    let server = server();
    let expected = "solc 0.8.30 is not installed and nothing is fetched offline";
    let [by_flag, by_variable] = [(); 2].map(|()| Computer::new("solc = '0.8.30'").with_npm());
    let by_file = Computer::new("solc = '0.8.30'\noffline = true").with_npm();
    for (computer, running) in [
        (&by_flag, by_flag.on(by_flag.project.ours("--unit"), &server.url)),
        (&by_variable, by_variable.test(&server.url).env("FOUNDRY_OFFLINE", "true")),
        (&by_file, by_file.test(&server.url)),
    ] {
        let run = running.run().exits_with(1);
        assert!(run.stderr.contains(expected), "{}", run.shown());
        assert!(!computer.has_used_npm());
    }
    assert_eq!(server.requests(), [""; 0]);
}

#[test]
fn a_compiler_with_a_wrong_checksum_is_an_error_and_is_not_stored() {
    let computer = Computer::new("solc = '0.8.30'").with_npm();
    let (list, evil) = (list(&compiler()), "#!/bin/sh\necho evil\n");
    let server = Server::start(&[("/list.json", Answer::body(&list)), (FILE, Answer::body(evil))]);
    let run = computer.test(&server.url).run().exits_with(1);
    let sum = |text: &str| Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let [expected, found] = [&compiler(), evil].map(sum);
    for part in [&server.url, FILE, "has a wrong checksum and was not stored", &expected, &found] {
        assert!(run.stderr.contains(part), "{part}\n{}", run.shown());
    }
    assert_eq!(computer.stored(), [""; 0]);
    assert!(!computer.has_used_npm());
}

#[test]
fn npm_is_used_if_the_server_cannot_be_reached_and_the_native_compiler_later() {
    let computer = Computer::new("solc = '0.8.30'").with_npm();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let unreachable = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let run = computer.test(&unreachable).run().exits_with(0);
    assert!(run.stdout.contains("Installing Solc 0.8.30"), "{}", run.shown());
    assert!(computer.has_used_npm() && computer.stored().is_empty());
    assert_eq!(run.warnings(), "");

    let server = server();
    computer.test(&server.url).run().exits_with(0);
    assert_eq!(server.requests(), [""; 0], "an unchanged project needs no compiler");
    let forced = computer.on(computer.project.online("--unit --force"), &server.url);
    let run = forced.run().exits_with(0);
    assert!(run.stdout.contains("Downloading Solc 0.8.30"), "{}", run.shown());
    assert!(computer.installed().is_file());
}

#[test]
fn what_is_wrong_with_a_server_is_named_if_there_is_no_npm_either() {
    let compiler = compiler();
    let list = Answer::body(list(&compiler));
    let long = vec![b' '; (16 << 20) + 1];
    for (answer_of_list, answer, reason) in [
        (Answer::status("404 Not Found"), list.clone(), "list.json answers 404 Not Found"),
        (
            Answer::body("<html>Sign in</html>"),
            list.clone(),
            "list.json is no list of releases: expected value",
        ),
        (Answer::of_unknown_length(&long), list.clone(), "list.json has more than 16 MiB"),
        (Answer::redirect("/list.json"), list.clone(), "list.json cannot be fetched: it redirects too often"),
        (
            Answer::redirect("http://example.org/list.json"),
            list.clone(),
            "list.json cannot be fetched: it redirects to an address without HTTPS",
        ),
        (Answer::body(r#"{"builds":[],"releases":{}}"#), list.clone(), "the list of releases has none"),
        (list.clone(), Answer::status("404 Not Found"), "73712a01 answers 404 Not Found"),
        (list.clone(), Answer::of_length(1000, &compiler), "73712a01 broke off: "),
        (list.clone(), Answer::of_length(1 << 30, &compiler), "73712a01 has more than 256 MiB"),
    ] {
        let server = Server::start(&[("/list.json", answer_of_list), (FILE, answer)]);
        let computer = Computer::new("solc = '0.8.30'");
        let run = computer.test(&server.url).run().exits_with(1);
        let reason_is_named =
            run.stderr.contains("no native compiler was downloaded: ") && run.stderr.contains(reason);
        assert!(reason_is_named && run.stderr.contains("needs Node.js"), "{reason}\n{}", run.shown());
        assert_eq!(computer.stored(), [""; 0], "{reason}");
    }
}

#[test]
fn a_compiler_that_does_not_run_here_is_not_downloaded_again() {
    let computer = Computer::new("solc = '0.8.30'");
    let broken = "#!/nowhere/loader\n";
    let server = Server::start(&[("/list.json", Answer::body(list(broken))), (FILE, Answer::body(broken))]);
    for _ in 0..2 {
        let run = computer.test(&server.url).run().exits_with(1);
        assert!(run.stderr.contains("the downloaded one does not run here: "), "{}", run.shown());
    }
    assert_eq!(server.requests(), ["list.json", FILE]);
    assert_eq!(computer.stored(), [""; 0]);
}

#[test]
fn a_mirror_without_https_is_refused() {
    let computer = Computer::new("solc = '0.8.30'").with_npm();
    let run = computer.test("http://mirror.example/solc").run().exits_with(1);
    let expected = "invalid value of FORGE_HARVEY_SOLC_RELEASES: it must begin with `https://`";
    assert!(run.stderr.contains(expected), "{}", run.shown());
}

#[test]
fn a_server_is_reached_through_the_proxy_of_the_environment() {
    let computer = Computer::new("solc = '0.8.30'");
    let proxy = Server::start(&[]);
    let run = computer.test("https://solc.example").env("HTTPS_PROXY", &proxy.url).run().exits_with(1);
    assert!(run.stderr.contains("/list.json cannot be fetched: "), "{}", run.shown());
    assert_eq!(proxy.requests(), ["solc.example:443"]);
}

#[test]
fn two_processes_download_a_compiler_once() {
    let computer = Computer::new("solc = '0.8.30'");
    let other = computer.project.copy();
    let slow = Answer::body(compiler()).after(Duration::from_secs(2));
    let server = Server::start(&[("/list.json", Answer::body(list(&compiler()))), (FILE, slow)]);
    let started =
        [&computer.project, &other].map(|project| computer.on(project.online("--unit"), &server.url).start());
    for run in started.map(|started| started.finish().exits_with(0)) {
        assert!(run.stdout.contains("[PASS] test_sum()"), "{}", run.shown());
    }
    let requests = server.requests();
    assert_eq!(requests.iter().filter(|name| *name == FILE).count(), 1, "{requests:?}");
    assert_eq!(computer.stored(), [".lock", "0.8.30", "solc-0.8.30"]);
}
