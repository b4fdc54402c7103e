//! Ways to install a release: the installer, the Homebrew formula and cargo-binstall, on archives of `scripts/pack`.

use crate::harness::{Project, REPOSITORY};
use sha2::{Digest as _, Sha256};
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Answers like forge-harvey to `scripts/pack` and `scripts/install`.
const PROGRAM: &str = r#"#!/bin/sh
case $1 in
    --version) echo "forge-harvey 9.8.7" ;;
    completions) echo "completions for $2" ;;
    man) echo ".TH forge-harvey 1" ;;
esac
"#;

/// Computers that have a program: what `uname -s` and `uname -m` print, and the target.
const COMPUTERS: [(&str, &str, &str); 4] = [
    ("Linux", "x86_64", "x86_64-unknown-linux-gnu"),
    ("Linux", "aarch64", "aarch64-unknown-linux-gnu"),
    ("Darwin", "x86_64", "x86_64-apple-darwin"),
    ("Darwin", "arm64", "aarch64-apple-darwin"),
];

/// Version 9.8.7 as a release, and a computer that installs it.
struct Release {
    project: Project,
}

impl Release {
    /// Packs the program for all targets.
    fn new() -> Self {
        let release = Self { project: Project::new(&[("releases/latest/download/version.txt", "v9.8.7\n")]) };
        release.write_program("program", PROGRAM);
        release.computer("Linux", "x86_64", "ldd (GNU libc) 2.36");
        for (_, _, target) in COMPUTERS {
            let program = release.path("program");
            let words = ["v9.8.7".as_ref(), target.as_ref(), program.as_path(), &release.path(DOWNLOAD)];
            let packed = script("pack").args(words).output().unwrap();
            assert!(packed.status.success(), "{}", shown(&packed));
        }
        release
    }

    fn path(&self, path: &str) -> PathBuf {
        self.project.root().join(path)
    }

    fn write_program(&self, path: &str, text: &str) {
        self.project.write(path, text);
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Decides what the installer finds out about the computer.
    fn computer(&self, kernel: &str, machine: &str, libc: &str) {
        let uname =
            format!("#!/bin/sh\ncase $1 in\n    -s) echo {kernel} ;;\n    *) echo {machine} ;;\nesac\n");
        self.write_program("computer/uname", &uname);
        self.write_program("computer/ldd", &format!("#!/bin/sh\necho '{libc}' >&2\n"));
    }

    /// Runs a script as on that computer, with the address of this release.
    fn run(&self, script: &mut Command, words: &[&str]) -> Output {
        let path = format!("{}:{}", self.path("computer").display(), std::env::var("PATH").unwrap());
        let releases = format!("file://{}", self.path("releases").display());
        let script = script.args(words).env("PATH", path).env("HOME", self.path("home"));
        script.env("FORGE_HARVEY_RELEASES", releases).current_dir(self.project.root()).output().unwrap()
    }

    fn install(&self, words: &[&str]) -> Output {
        self.run(&mut script("install"), words)
    }
}

/// Directory of the files of the version, below the root of a [`Release`].
const DOWNLOAD: &str = "releases/download/v9.8.7";

fn script(name: &str) -> Command {
    Command::new(Path::new(REPOSITORY).join("scripts").join(name))
}

fn archive(target: &str) -> String {
    format!("{DOWNLOAD}/forge-harvey-v9.8.7-{target}.tar.gz")
}

fn shown(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    format!("{}\n{}{}", output.status, text(&output.stdout), text(&output.stderr))
}

/// Checks that a script failed with this exit code and message.
#[track_caller]
fn refused(output: &Output, code: i32, message: &str) {
    let shown = shown(output);
    assert!(output.status.code() == Some(code) && shown.contains(message), "{shown}");
}

#[test]
fn the_newest_version_is_installed_into_the_home() {
    let release = Release::new();
    let installed = release.install(&[]);
    assert!(installed.status.success(), "{}", shown(&installed));
    assert!(shown(&installed).contains("home/.local/bin is not on PATH"), "{}", shown(&installed));
    let said = Command::new(release.path("home/.local/bin/forge-harvey")).arg("--version").output().unwrap();
    assert_eq!(said.stdout, b"forge-harvey 9.8.7\n");
}

#[test]
fn each_computer_gets_its_program() {
    let release = Release::new();
    for (kernel, machine, target) in COMPUTERS {
        release.computer(kernel, machine, "ldd (GNU libc) 2.36");
        let installed = release.install(&["--to", target, "9.8.7"]);
        assert!(installed.status.success(), "{}", shown(&installed));
        assert!(shown(&installed).contains(&format!("forge-harvey-v9.8.7-{target}.tar.gz")));
        assert!(release.path(target).join("forge-harvey").is_file());
    }
}

#[test]
fn a_file_with_a_wrong_checksum_is_not_installed() {
    let release = Release::new();
    let archive = release.path(&archive("x86_64-unknown-linux-gnu"));
    let mut bytes = fs::read(&archive).unwrap();
    bytes.push(0);
    fs::write(&archive, bytes).unwrap();
    refused(&release.install(&["--to", "bin"]), 1, "FAILED");
    assert!(!release.path("bin").exists());
}

#[test]
fn without_a_program_that_runs_here_the_message_says_what_to_do() {
    let release = Release::new();
    let to_bin = |words: &[&str]| release.install(&[["--to", "bin"].as_slice(), words].concat());
    refused(&to_bin(&["1.2.3"]), 3, "Does version 1.2.3 exist");
    release.computer("Linux", "x86_64", "musl libc (x86_64)");
    refused(&to_bin(&[]), 3, "no program for Linux with musl");
    release.computer("Linux", "riscv64", "ldd (GNU libc) 2.36");
    refused(&to_bin(&[]), 3, "no program for Linux on riscv64");
    release.computer("FreeBSD", "amd64", "");
    refused(&to_bin(&[]), 3, "cargo install --path .");
    assert!(!release.path("bin").exists());
}

#[test]
fn without_an_address_nothing_is_fetched() {
    let output = script("install").env("FORGE_HARVEY_RELEASES", "").output().unwrap();
    refused(&output, 1, "set FORGE_HARVEY_RELEASES");
    refused(&script("install").arg("--too").output().unwrap(), 2, "unknown argument: --too");
}

#[test]
fn a_part_of_the_installer_does_nothing() {
    let release = Release::new();
    let text = fs::read_to_string(Path::new(REPOSITORY).join("scripts/install")).unwrap();
    let whole = text.trim_end();
    for left in [1, 2, 5, 8, 12, 20, whole.len() / 3, whole.len() / 2] {
        release.project.write("part", &whole[..whole.len() - left]);
        release.run(&mut Command::new("sh"), &["part"]);
    }
    assert!(!release.path("home").exists());
    release.project.write("whole", whole);
    let installed = release.run(&mut Command::new("sh"), &["whole"]);
    assert!(installed.status.success(), "{}", shown(&installed));
}

#[test]
fn the_formula_has_the_sums_of_the_archives() {
    let release = Release::new();
    let printed = release.run(&mut script("formula"), &["v9.8.7", DOWNLOAD]);
    assert!(printed.status.success(), "{}", shown(&printed));
    let formula = String::from_utf8(printed.stdout).unwrap();
    for (_, _, target) in COMPUTERS {
        let archive = archive(target);
        let sum = format!("{:x}", Sha256::digest(fs::read(release.path(&archive)).unwrap()));
        let url = format!("file://{}", release.path(&archive).display());
        let lines = format!("url \"{url}\"\n      sha256 \"{sum}\"\n");
        assert!(formula.contains(&lines), "{target}: {sum}\n{formula}");
    }
    fs::write(release.path(&format!("{}.sha256", archive("x86_64-apple-darwin"))), "").unwrap();
    refused(&release.run(&mut script("formula"), &["v9.8.7", DOWNLOAD]), 1, "has no SHA-256");
}

#[test]
fn cargo_binstall_finds_the_program_and_the_archive_has_the_rest() {
    let release = Release::new();
    let manifest: toml::Value = toml::from_str(include_str!("../../Cargo.toml")).unwrap();
    let settings = &manifest["package"]["metadata"]["binstall"];
    for (_, _, target) in COMPUTERS {
        let filled = |key: &str| {
            let values = [("repo", "REPO"), ("name", "forge-harvey"), ("bin", "forge-harvey")];
            let values =
                values.into_iter().chain([("version", "9.8.7"), ("target", target), ("binary-ext", "")]);
            let template = settings[key].as_str().unwrap().to_owned();
            values.fold(template, |text, (name, value)| text.replace(&format!("{{ {name} }}"), value))
        };
        let archive = archive(target);
        assert_eq!(filled("pkg-url"), format!("REPO/{archive}"));
        let listed = Command::new("tar").arg("-tzf").arg(release.path(&archive)).output().unwrap();
        let names = String::from_utf8(listed.stdout).unwrap();
        let folder = format!("forge-harvey-v9.8.7-{target}");
        let rest = ["man/forge-harvey.1", "completions/forge-harvey.zsh", "LICENSE-MIT", "README.md"];
        for name in rest.iter().map(|name| format!("{folder}/{name}")).chain([filled("bin-dir")]) {
            assert!(names.lines().any(|line| line == name), "{name}\n{names}");
        }
    }
}
