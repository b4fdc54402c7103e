use super::*;
use foundry_compilers::artifacts::output_selection::FileOutputSelection;
use semver::Version;
use std::cell::RefCell;

/// Returns an input of these sources, all of which are compiled.
fn input(sources: &[(&str, &str)], remappings: &[&str]) -> SolcVersionedInput {
    let mut input = SolcVersionedInput {
        version: Version::new(0, 8, 30),
        input: Default::default(),
        cli_settings: Default::default(),
    };
    input.cli_settings.base_path = Some("/project".into());
    input.input.settings.output_selection.0.clear();
    input.input.settings.remappings = remappings.iter().map(|remapping| remapping.parse().unwrap()).collect();
    for (name, text) in sources {
        input.input.sources.insert(name.into(), Source::new(*text));
        let selected = FileOutputSelection::from([("*".to_owned(), vec!["abi".to_owned()])]);
        input.input.settings.output_selection.0.insert((*name).to_owned(), selected);
    }
    input
}

/// Plays solc: each source gets its text and its imported names as output, and `bad` is an error.
fn solc(input: &SolcVersionedInput) -> Value {
    let remappings: Vec<_> = input.input.settings.remappings.iter().filter_map(parts).collect();
    let mut output = json!({ "contracts": {}, "sources": {}, "errors": [] });
    for (id, (name, source)) in input.input.sources.iter().enumerate() {
        let name = name.to_str().unwrap();
        let directives = SolData::parse(&source.content, Path::new(name)).imports;
        let imports: Vec<String> = directives
            .iter()
            .map(|it| remapped(absolute(name, it.data().path().to_str().unwrap()), name, &remappings))
            .collect();
        assert!(imports.iter().all(|name| input.input.sources.contains_key(Path::new(name))), "{imports:?}");
        output["sources"][name] = json!({ "id": id });
        let selected = input.input.settings.output_selection.0.get(name);
        if selected.is_some_and(|selected| selected.values().any(|outputs| !outputs.is_empty())) {
            output["contracts"][name] = json!({ "text": *source.content, "imports": imports });
        }
        if source.content.contains("bad") {
            let error = json!({ "severity": "error", "sourceLocation": { "file": name } });
            output["errors"].as_array_mut().unwrap().push(error);
        }
    }
    output
}

const SOURCES: [(&str, &str); 5] = [
    ("src/core/Vault.sol", "import '../lib/Math.sol'; import 'token/Token.sol'; contract Vault {}"),
    ("src/Heir.sol", "import 'src/core/Vault.sol'; import './lib/Math.sol'; contract Heir {}"),
    ("src/Maker.sol", "import {Heir as H} from './Heir.sol'; contract Maker {}"),
    ("src/lib/Math.sol", "library Math {}"),
    ("lib/token/src/Token.sol", "contract Token {}"),
];
const REMAPPINGS: [&str; 1] = ["token/=lib/token/src/"];

fn texts(endings: &[&str]) -> Vec<String> {
    endings.iter().map(|ending| format!("{} // {ending}", SOURCES[0].1)).collect()
}

/// Compiles texts one after the other. Returns the outputs, and the number of calls of solc.
fn compiled(texts: &[String]) -> (Vec<Value>, usize) {
    let variants = SourceVariants::new("/project/src/core/Vault.sol".into(), texts.to_vec());
    let calls = RefCell::new(0);
    let run = |input: &SolcVersionedInput| {
        *calls.borrow_mut() += 1;
        Ok(solc(input).to_string().into_bytes())
    };
    let outputs = texts.iter().map(|text| {
        let mut sources = SOURCES;
        sources[0].1 = text;
        let output = variants.compile(&input(&sources, &REMAPPINGS), run).unwrap();
        serde_json::from_slice(&output).unwrap()
    });
    (outputs.collect(), calls.into_inner())
}

fn alone(text: &str) -> Value {
    let mut sources = SOURCES;
    sources[0].1 = text;
    solc(&input(&sources, &REMAPPINGS))["contracts"].clone()
}

#[test]
fn several_texts_are_compiled_in_one_call_with_the_outputs_of_calls_of_their_own() {
    let texts = texts(&["one", "two", "three"]);
    let (outputs, calls) = compiled(&texts);
    assert_eq!(calls, 1);
    for (output, text) in outputs.iter().zip(&texts) {
        assert_eq!(output["contracts"], alone(text));
        let names: Vec<&String> = output["sources"].as_object().unwrap().keys().collect();
        assert_eq!(names.len(), SOURCES.len(), "{names:?}");
    }
}

#[test]
fn texts_with_errors_are_compiled_alone() {
    let texts = texts(&["bad", "two", "bad again", "four"]);
    let (outputs, calls) = compiled(&texts);
    assert_eq!(calls, 4, "all, those without errors, and two alone");
    for (output, text) in outputs.iter().zip(&texts) {
        assert_eq!(output["contracts"], alone(text));
        assert_eq!(output["errors"].as_array().unwrap().len(), usize::from(text.contains("bad")));
    }
}

#[test]
fn texts_that_cannot_be_compiled_together_are_compiled_alone() {
    let texts = ["one", "two"].map(str::to_owned);
    let batch = |input: &SolcVersionedInput, path: &str| {
        Batch::of(input, Path::new(path), &texts).map(|batch| (batch.copied.len(), batch.texts.len()))
    };
    let path = "/project/src/A.sol";
    assert_eq!(batch(&input(&[("src/A.sol", "one")], &[]), path), Some((1, 2)));
    assert_eq!(batch(&input(&[("src/A.sol", "two")], &[]), path), Some((1, 1)), "the last text");
    assert_eq!(batch(&input(&[("src/A.sol", "one")], &[]), "/project/src/B.sol"), None, "another source");
    assert_eq!(batch(&input(&[("src/A.sol", "three")], &[]), path), None, "another text");
    let unknown = input(&[("src/A.sol", "one"), ("src/B.sol", "import './C.sol';")], &[]);
    assert_eq!(batch(&unknown, path), None, "an import of no source");
    let heirs: Vec<_> = (0..40).map(|index| (format!("src/{index}.sol"), "import './A.sol';")).collect();
    let mut sources: Vec<_> = heirs.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    sources.push(("src/A.sol", "one"));
    assert_eq!(batch(&input(&sources, &[]), path), Some((41, 1)), "too many copies");
}

#[test]
fn an_output_with_sources_that_were_not_given_is_not_used() {
    let texts = texts(&["one", "two"]);
    let variants = SourceVariants::new("/project/src/core/Vault.sol".into(), texts.clone());
    let mut sources = SOURCES;
    sources[0].1 = &texts[0];
    let calls = RefCell::new(0);
    let output = variants.compile(&input(&sources, &REMAPPINGS), |input| {
        *calls.borrow_mut() += 1;
        let mut output = solc(input);
        output["sources"]["src/core/Vault.sol"] = json!({ "id": 0 });
        Ok(output.to_string().into_bytes())
    });
    assert_eq!(calls.into_inner(), 2);
    let output: Value = serde_json::from_slice(&output.unwrap()).unwrap();
    assert_eq!(output["contracts"], alone(&texts[0]));
}

#[test]
fn names_are_resolved_as_by_solc() {
    assert_eq!(absolute("src/a/A.sol", "../b/./B.sol"), "src/b/B.sol");
    assert_eq!(absolute("src/A.sol", "../../out/C.sol"), "out/C.sol");
    assert_eq!(absolute("src/A.sol", "@lib/C.sol"), "@lib/C.sol");
    let remappings = ["@lib/=lib/one/", "src/a/:@lib/=lib/two/", "@lib/deep/=lib/three/"];
    let remappings: Vec<_> = remappings.iter().filter_map(|text| parts(&text.parse().unwrap())).collect();
    let resolved = |from: &str, name: &str| remapped(name.to_owned(), from, &remappings);
    assert_eq!(resolved("src/A.sol", "@lib/X.sol"), "lib/one/X.sol");
    assert_eq!(resolved("src/A.sol", "@lib/deep/X.sol"), "lib/three/X.sol");
    assert_eq!(resolved("src/a/A.sol", "@lib/deep/X.sol"), "lib/two/deep/X.sol");
}

#[test]
fn code_that_is_not_needed_is_not_asked_for() {
    let texts = texts(&["one", "two"]);
    let variants = SourceVariants::new("/project/src/core/Vault.sol".into(), texts.clone())
        .without(["/project/src/Maker.sol".into()].into());
    let mut sources = SOURCES;
    sources[0].1 = &texts[0];
    let run = |input: &SolcVersionedInput| Ok(solc(input).to_string().into_bytes());
    let output = variants.compile(&input(&sources, &REMAPPINGS), run).unwrap();
    let output: Value = serde_json::from_slice(&output).unwrap();
    let mut expected = alone(&texts[0]);
    assert!(expected.as_object_mut().unwrap().remove("src/Maker.sol").is_some());
    assert_eq!(output["contracts"], expected);
    assert!(output["sources"]["src/Maker.sol"].is_object());
}
