//! Compilation of several texts of one source in one call of solc.
//!
//! Mutants of a source are compiled one after the other. One call that compiles several takes less time than as many
//! calls, because the compiler starts once and analyses once what no mutant changes. In this call, the source and each
//! source that imports it, directly or not, have a copy for each text beside them. Remappings lead imports between them
//! to the copies of the same text. The output for a text is that of its copies, under the names of the sources. It is
//! that of a call of its own, but for the numbers of sources and syntax nodes, and for the hashes of metadata.

use alloy_primitives::{B256, keccak256};
use foundry_compilers::{
    artifacts::{
        SolcInput, SolcLanguage, Source, Sources, output_selection::OutputSelection, remappings::Remapping,
    },
    compilers::solc::SolcVersionedInput,
    error::Result as CompilersResult,
    resolver::parse::SolData,
};
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// Texts of a source, each of which is compiled in place of the source, in this order.
#[derive(Debug)]
pub struct SourceVariants {
    /// Absolute path of the source.
    path: PathBuf,
    texts: Vec<String>,
    /// Absolute paths of sources whose code is not made.
    unneeded: BTreeSet<PathBuf>,
    /// Outputs that were not asked for yet, by their inputs; none if the input must be compiled alone.
    outputs: Mutex<HashMap<B256, Option<Vec<u8>>>>,
}

impl SourceVariants {
    /// Takes the absolute path of a source and its texts.
    #[must_use]
    pub fn new(path: PathBuf, texts: Vec<String>) -> Self {
        Self { path, texts, unneeded: BTreeSet::new(), outputs: Mutex::default() }
    }

    /// Leaves out the code of sources, given by absolute paths, unless another source contains it.
    #[must_use]
    pub fn without(self, unneeded: BTreeSet<PathBuf>) -> Self {
        Self { unneeded, ..self }
    }

    /// Returns the output of solc for an input, without the code that is not needed. If the input has one of the texts,
    /// the next ones are compiled with it, and their outputs are kept until they are asked for. A text that does not
    /// compile is compiled alone, so that the messages are those of a call of its own.
    ///
    /// # Errors
    /// When `solc` fails for this input.
    pub(super) fn compile(
        &self,
        input: &SolcVersionedInput,
        solc: impl Fn(&SolcVersionedInput) -> CompilersResult<Vec<u8>>,
    ) -> CompilersResult<Vec<u8>> {
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        let input = &self.needed(input);
        let key = key(input);
        if !outputs.contains_key(&key)
            && let Some(mut batch) = Batch::of(input, &self.path, &self.texts)
        {
            batch.texts.retain(|text| !outputs.contains_key(&text.key));
            outputs.extend(batch.compile(&solc));
        }
        outputs.remove(&key).flatten().map_or_else(|| solc(input), Ok)
    }

    /// Tells whether the code of all sources is made.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.unneeded.is_empty()
    }

    /// Returns an input that asks for the needed code only.
    fn needed(&self, input: &SolcVersionedInput) -> SolcVersionedInput {
        let mut needed = input.clone();
        for (name, selected) in &mut needed.input.settings.output_selection.0 {
            if self.unneeded.contains(&path_of(input, Path::new(name))) {
                *selected = OutputSelection::empty_file_output_select();
            }
        }
        needed
    }
}

/// Returns the absolute path of a source of an input.
fn path_of(input: &SolcVersionedInput, name: &Path) -> PathBuf {
    input.cli_settings.base_path.as_deref().unwrap_or(Path::new("")).join(name)
}

fn key(input: &SolcVersionedInput) -> B256 {
    keccak256(serde_json::to_vec(input).unwrap_or_default())
}

/// Number of copies of sources in one call of solc at most. The compiler's memory grows with it.
const MOST_COPIES: usize = 64;

/// Returns the name of the copy of a source for the text with an index. It has the place of the source in the order of
/// all names, which is that of the numbers of syntax nodes, on which the code may depend.
fn copy_of(name: &str, index: usize) -> String {
    format!("{name}.variant-{index}.sol")
}

/// A call of solc with several texts of a source.
struct Batch<'a> {
    /// Input with the first of the texts.
    input: &'a SolcVersionedInput,
    /// Name of the source.
    name: &'a str,
    texts: Vec<Text<'a>>,
    /// Names of the sources that have copies: the source, and those that import it, directly or not.
    copied: BTreeSet<&'a str>,
    /// Imports between these.
    imports: Vec<Import<'a>>,
}

/// Text of the source.
struct Text<'a> {
    index: usize,
    text: &'a str,
    /// Key of the input with this text.
    key: B256,
}

/// Import directive.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Import<'a> {
    /// Name of the source with the directive.
    from: &'a str,
    /// Name before remapping.
    name: String,
    /// Name of the imported source.
    to: &'a str,
}

impl<'a> Batch<'a> {
    /// Returns a batch of the text that an input has for the source at a path, and the next ones; none if they cannot
    /// be compiled in one call.
    fn of(input: &'a SolcVersionedInput, path: &Path, texts: &'a [String]) -> Option<Self> {
        let SolcInput { language, sources, settings } = &input.input;
        let (name, source) = sources.iter().find(|(name, _)| path_of(input, name) == path)?;
        let first = texts.iter().position(|text| *text == *source.content)?;
        // The addresses of libraries are given by the names of their sources.
        let is_plain = *language == SolcLanguage::Solidity
            && settings.libraries.libs.is_empty()
            && !settings.output_selection.0.contains_key("*");
        let name = name.to_str().filter(|_| is_plain)?;
        let mut imports = imports(sources, &settings.remappings)?;
        let copied = with_importers(name, &imports);
        imports.retain(|import| copied.contains(import.from) && copied.contains(import.to));
        // Remappings of other names get a slash, and these characters are escaped in JSON.
        let is_usual = |name: &str| name.ends_with(".sol") && !name.contains(['"', '\\']);
        let names = copied.iter().copied().chain(imports.iter().map(|import| import.name.as_str()));
        if !names.into_iter().all(is_usual) {
            return None;
        }
        let texts = texts.iter().enumerate().skip(first).take(MOST_COPIES / copied.len());
        let texts = texts.map(|(index, text)| Text { index, text, key: key(&input_with(input, name, text)) });
        Some(Self { input, name, texts: texts.collect(), copied, imports })
    }

    /// Compiles the texts. Returns the output of each by its input; none for those that must be compiled alone.
    fn compile(
        mut self,
        solc: &impl Fn(&SolcVersionedInput) -> CompilersResult<Vec<u8>>,
    ) -> HashMap<B256, Option<Vec<u8>>> {
        let mut outputs: HashMap<_, _> = self.texts.iter().map(|text| (text.key, None)).collect();
        // The errors of one step of the compiler hide those of the next step.
        while self.texts.len() > 1 {
            let merged = self.merged();
            let Ok(output) = solc(&merged) else { break };
            let Ok(output) = serde_json::from_slice::<Value>(&output) else { break };
            let Some(faulty) = self.faulty(&output) else { break };
            if faulty.is_empty() {
                let found = output["sources"].as_object().into_iter().flatten();
                // Otherwise the compiler has read a source in place of a copy.
                if found.into_iter().all(|(name, _)| merged.input.sources.contains_key(Path::new(name))) {
                    let own =
                        self.texts.iter().map(|text| (text.key, Some(self.output_of(text.index, &output))));
                    outputs.extend(own);
                }
                break;
            }
            self.texts.retain(|text| !faulty.contains(&text.index));
        }
        outputs
    }

    /// Returns the input for all texts.
    fn merged(&self) -> SolcVersionedInput {
        let mut merged = self.input.clone();
        let SolcInput { sources, settings, .. } = &mut merged.input;
        let selection = &mut settings.output_selection.0;
        for name in &self.copied {
            let (source, selected) = (sources.remove(Path::new(name)), selection.remove(*name));
            for Text { index, text, .. } in &self.texts {
                let copy = copy_of(name, *index);
                let source = source
                    .clone()
                    .map(|source| if *name == self.name { with_text(&source, text) } else { source });
                selection.extend(selected.clone().map(|selected| (copy.clone(), selected)));
                sources.extend(source.map(|source| (PathBuf::from(copy), source)));
            }
        }
        for Text { index, .. } in &self.texts {
            let copy = |name| copy_of(name, *index);
            settings.remappings.extend(self.imports.iter().map(|Import { from, name, to }| Remapping {
                context: Some(copy(from)),
                name: name.clone(),
                path: copy(to),
            }));
        }
        merged
    }

    /// Returns the indices of the texts with errors; none if there is an error elsewhere.
    fn faulty(&self, output: &Value) -> Option<BTreeSet<usize>> {
        let errors = output["errors"].as_array().into_iter().flatten();
        let errors = errors.filter(|error| error["severity"] == "error");
        let of_file = |file: &str| {
            let is_of = |index: &usize| self.copied.iter().any(|name| copy_of(name, *index) == file);
            self.texts.iter().map(|text| text.index).find(is_of)
        };
        errors.map(|error| of_file(error["sourceLocation"]["file"].as_str()?)).collect()
    }

    /// Returns the part of an output that belongs to the copies for one text and to the sources without copies.
    fn output_of(&self, index: usize, output: &Value) -> Vec<u8> {
        let own: Vec<(String, &str)> = self.copied.iter().map(|name| (copy_of(name, index), *name)).collect();
        let others = self.texts.iter().filter(|other| other.index != index);
        let others: BTreeSet<String> =
            others.flat_map(|other| self.copied.iter().map(|name| copy_of(name, other.index))).collect();
        let by_name = |part: &str| -> Map<String, Value> {
            let all = output[part].as_object().into_iter().flatten();
            all.filter(|(name, _)| !others.contains(*name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        };
        let is_kept = |error: &&Value| {
            let file = error["sourceLocation"]["file"].as_str();
            file.is_none_or(|file| !others.contains(file))
        };
        let errors: Vec<&Value> = output["errors"].as_array().into_iter().flatten().filter(is_kept).collect();
        let kept =
            json!({ "contracts": by_name("contracts"), "sources": by_name("sources"), "errors": errors });
        own.iter().fold(kept.to_string(), |text, (copy, name)| text.replace(copy, name)).into_bytes()
    }
}

/// Returns an input with a text of a source.
fn input_with(input: &SolcVersionedInput, name: &str, text: &str) -> SolcVersionedInput {
    let mut input = input.clone();
    if let Some(source) = input.input.sources.get_mut(Path::new(name)) {
        *source = with_text(source, text);
    }
    input
}

fn with_text(source: &Source, text: &str) -> Source {
    Source { content: Arc::new(text.to_owned()), ..source.clone() }
}

/// Returns the imports of all sources; none if one leads to no source of the input.
fn imports<'a>(sources: &'a Sources, remappings: &[Remapping]) -> Option<Vec<Import<'a>>> {
    let remappings: Vec<_> = remappings.iter().map(parts).collect::<Option<_>>()?;
    let of_source = |(name, source): (&'a PathBuf, &'a Source)| {
        let from = name.to_str()?;
        let directives = SolData::parse(&source.content, name).imports;
        let import = |path: &Path| {
            let name = absolute(from, path.to_str()?);
            let to = remapped(name.clone(), from, &remappings);
            let (to, _) = sources.get_key_value(Path::new(&to))?;
            Some(Import { from, name, to: to.to_str()? })
        };
        directives.iter().map(|directive| import(directive.data().path())).collect::<Option<Vec<_>>>()
    };
    Some(sources.iter().map(of_source).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Returns a source and those that import it, directly or not.
fn with_importers<'a>(source: &'a str, imports: &[Import<'a>]) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::from([source]);
    let mut open = vec![source];
    while let Some(next) = open.pop() {
        let importers = imports.iter().filter(|import| import.to == next).map(|import| import.from);
        open.extend(importers.filter(|from| found.insert(from)));
    }
    found
}

/// Remapping as it is written for solc: context, prefix, and what takes the place of the prefix.
type RemappingParts = (String, String, String);

fn parts(remapping: &Remapping) -> Option<RemappingParts> {
    let written = remapping.to_string();
    let (front, path) = written.split_once('=')?;
    let context = remapping.context.clone().unwrap_or_default();
    let name = if remapping.context.is_some() { front.get(context.len() + 1..)? } else { front };
    Some((context.clone(), name.to_owned(), path.to_owned()))
}

/// Returns the name that an import means before remapping: a path that begins with a dot is relative to the importing
/// source.
fn absolute(from: &str, path: &str) -> String {
    if !path.starts_with('.') {
        return path.to_owned();
    }
    let mut segments: Vec<&str> = from.split('/').collect();
    segments.pop();
    for segment in path.split('/') {
        match segment {
            "." | "" => {}
            ".." => drop(segments.pop()),
            name => segments.push(name),
        }
    }
    segments.join("/")
}

/// Returns the name after remapping by solc's rule: the longest context, then the longest prefix, then the last one.
fn remapped(name: String, from: &str, remappings: &[RemappingParts]) -> String {
    let fitting = remappings
        .iter()
        .filter(|(context, prefix, _)| from.starts_with(context) && name.starts_with(prefix));
    let chosen = fitting.max_by_key(|(context, prefix, _)| (context.len(), prefix.len()));
    chosen.map_or(name.clone(), |(_, prefix, path)| format!("{path}{}", &name[prefix.len()..]))
}

#[cfg(test)]
mod tests;
