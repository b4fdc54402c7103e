//! Tests of whole builds, in which a script plays the compiler.
#![cfg(unix)]

use super::{toolchain::Places, *};
use crate::config::{Config, SolcRequest};
use serde_json::json;
use std::{fs, os::unix::fs::PermissionsExt};

#[test]
fn a_project_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Project>();
}

/// Returns `text` without colours, which are switched on or off for the whole process.
fn plain(text: impl ToString) -> String {
    let text = text.to_string();
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').map_or(part, |(_, rest)| rest))
}

/// Project with one source, and a script as the compiler that prints prepared output.
struct Fixture {
    directory: tempfile::TempDir,
    config: Config,
    places: Places,
}

impl Fixture {
    fn new(source: &str, output: &serde_json::Value) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        fs::create_dir(root.join("src")).unwrap();
        fs::write(root.join("src/A.sol"), source).unwrap();
        fs::write(root.join("output.json"), output.to_string()).unwrap();
        let solc = root.join("solc");
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Version: 0.8.30+commit.1'; exit; fi\n\
             cat > /dev/null; echo run >> {0}/log; cat {0}/output.json\n",
            root.display()
        );
        fs::write(&solc, script).unwrap();
        fs::set_permissions(&solc, fs::Permissions::from_mode(0o755)).unwrap();
        let mut config = Config::defaults(&root);
        config.compiler.solc = SolcRequest::Path(solc);
        let places = Places {
            svm: None,
            mirror: Some("".into()),
            cache: Some(root.join("known")),
            path: vec![],
            npm: "/nowhere/npm".into(),
        };
        Self { directory, config, places }
    }

    fn load(&self) -> (Result<Project, ProjectError>, Vec<String>) {
        let mut events = Vec::new();
        let mut tell = |event: CompileEvent| match event {
            CompileEvent::Compiled { .. } => events.push("compiled".to_owned()),
            event => events.push(plain(event)),
        };
        let project = Project::load_with(&self.config, &self.places, None, &|_| true, &mut tell);
        (project, events)
    }

    /// Returns the number of times that the compiler ran.
    fn runs(&self) -> usize {
        fs::read_to_string(self.directory.path().join("log")).unwrap_or_default().lines().count()
    }
}

fn output() -> serde_json::Value {
    let test = json!({
        "type": "function", "name": "invariant_a", "inputs": [], "outputs": [],
        "stateMutability": "nonpayable"
    });
    json!({
        "contracts": { "src/A.sol": { "A": {
            "abi": [test],
            "evm": {
                "bytecode": { "object": "6001", "sourceMap": "0:12:0:-:0", "linkReferences": {} },
                "deployedBytecode": {
                    "object": "5f00", "sourceMap": "0:12:0:-:0", "linkReferences": {},
                    "immutableReferences": { "7": [{ "start": 0, "length": 1 }] }
                },
                "methodIdentifiers": {}
            }
        } } },
        "sources": { "src/A.sol": { "id": 0 } }
    })
}

#[test]
fn a_project_is_compiled_once_and_read_from_the_cache_after() {
    let fixture = Fixture::new("contract A {}", &output());
    let (first, events) = fixture.load();
    assert!(first.is_ok());
    assert_eq!(events, ["Compiling 1 files with Solc 0.8.30", "compiled", "Compiler run successful!"]);
    let (second, events) = fixture.load();
    assert_eq!(events, ["No files changed, compilation skipped"]);
    assert_eq!(fixture.runs(), 1);

    let project = second.unwrap();
    let suites = project.suites();
    let [suite] = &suites[..] else { panic!("{} suites", suites.len()) };
    assert_eq!(suite.id().to_string(), "src/A.sol:A");
    assert_eq!(suite.contract.runtime.immutables.first(), Some(&(0..1)));
    let location = project.locate(&suite.contract, CodeKind::Runtime, 0).unwrap();
    assert_eq!((location.place.line, location.place.column), (1, 1));
    assert_eq!(project.identify_created(&[0x5f, 0], &[0x60, 1]).map(|found| &found.id), Some(suite.id()));
}

#[test]
fn errors_of_the_compiler_are_shown_as_forge_shows_them() {
    let error = json!({ "errors": [{
        "component": "general", "errorCode": "7576", "severity": "error", "type": "DeclarationError",
        "message": "Undeclared identifier.",
        "formattedMessage": "DeclarationError: Undeclared identifier.\n --> src/A.sol:1:23:\n"
    }] });
    let fixture = Fixture::new("contract A {}", &error);
    let (result, _) = fixture.load();
    insta::assert_snapshot!(plain(result.err().unwrap()), @r"
    Compiler run failed:
    Error (7576): Undeclared identifier.
     --> src/A.sol:1:23:
    ");
}

#[test]
fn an_import_that_is_not_found_is_named_with_its_file() {
    let fixture = Fixture::new("import './B.sol';", &output());
    let (_, events) = fixture.load();
    let file = fixture.config.paths.src.join("A.sol");
    let expected = format!(r#""./B.sol" in "{}""#, file.display());
    assert!(
        events[0].starts_with("Unable to resolve imports:") && events[0].contains(&expected),
        "{events:?}"
    );
    assert!(events[1].starts_with("Compiling"), "told before the compiler runs: {events:?}");
}

#[test]
fn a_pragma_that_no_compiler_fits_is_an_error_that_names_the_file() {
    let fixture = Fixture::new("pragma solidity ^0.7.0; contract A {}", &output());
    let (result, _) = fixture.load();
    assert_eq!(
        plain(result.err().unwrap()),
        "Encountered invalid compiler version in src/A.sol: No compiler version exists that matches the \
         version requirement: ^0.7.0"
    );
}

#[test]
fn without_any_compiler_the_error_says_how_to_get_one() {
    let mut fixture = Fixture::new("contract A {}", &output());
    fixture.config.compiler.solc = SolcRequest::Auto;
    assert_eq!(
        plain(fixture.load().0.err().unwrap()),
        "fetching a compiler from npm needs Node.js with `npm` and `node` on PATH; install it, install the compiler \
         with svm, or give its path with `--use`\n\
         no native compiler was downloaded: FORGE_HARVEY_SOLC_RELEASES is empty"
    );
    fixture.config.compiler.offline = true;
    assert_eq!(
        plain(fixture.load().0.err().unwrap()),
        "a fitting compiler is not installed and nothing is fetched offline; run once without `--offline`, \
         or give the path of a compiler with `--use`"
    );
}

#[test]
fn a_project_without_sources_is_empty() {
    let fixture = Fixture::new("", &output());
    fs::remove_dir_all(&fixture.config.paths.src).unwrap();
    let (project, events) = fixture.load();
    assert!(project.unwrap().contracts().is_empty());
    assert_eq!(events, ["Nothing to compile"]);
}
