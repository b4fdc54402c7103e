//! Sources of the project, as foundry-compilers parsed them with solar. They are not parsed a second time.

use crate::{model::Place, project::old_syntax};
use foundry_compilers::compilers::multi::MultiCompilerParser;
use solar::{
    ast::{ContractKind, Item, ItemKind},
    interface::{Session, Span},
    sema::{Compiler, Source},
};
use std::{
    collections::HashMap,
    mem,
    ops::Range,
    path::{Path, PathBuf},
};

/// Parsed sources of the project and of all its imports.
pub(crate) struct Sources {
    root: PathBuf,
    compiler: Compiler,
    /// Sources with syntax that Solidity no longer has, rewritten.
    old: Option<Compiler>,
    /// Texts of these sources as they are.
    originals: HashMap<PathBuf, String>,
}

/// Place in a source with the function around it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// Path, line and column.
    pub place: Place,
    /// Name of the surrounding function or modifier, if any. `constructor`, `receive` and `fallback` have
    /// these names.
    pub function: Option<String>,
}

/// Doc comment of a contract or of one of its functions: one `///` line or one `/** */` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocComment {
    /// Path of the source relative to the root, with `/` as the separator.
    pub path: String,
    /// Bare name of the contract.
    pub contract: String,
    /// Name of the function; `None` for a comment on the contract.
    pub function: Option<String>,
    /// Text after `///`, or between `/**` and `*/`.
    pub text: String,
    /// Line of its beginning, from 1.
    pub line: usize,
    /// Column of its beginning, from 1.
    pub column: usize,
}

impl Sources {
    /// Moves the parsed sources out of the parser.
    pub(crate) fn take(parser: &mut MultiCompilerParser, root: &Path) -> Self {
        // Cloning the parser gives an empty one.
        let empty = parser.solc().clone();
        let compiler = mem::replace(parser.solc_mut(), empty).into_compiler();
        let (mut originals, mut rewritten) = (HashMap::new(), Vec::new());
        each_of(&compiler, &mut |path, source| {
            let text = source.file.src.as_str();
            if let Some(new) = source.ast.is_none().then(|| old_syntax::rewritten(text)).flatten() {
                originals.insert(path.to_owned(), text.to_owned());
                rewritten.push((path.to_owned(), new));
            }
        });
        let old = (!rewritten.is_empty()).then(|| parsed(rewritten));
        Self { root: root.to_owned(), compiler, old, originals }
    }

    /// Calls `f` with each source and its absolute path, ordered by path; those with old syntax come last.
    pub(crate) fn each(&self, mut f: impl for<'a> FnMut(&Path, &'a Source<'a>)) {
        each_of(&self.compiler, &mut |path, source| {
            if !self.originals.contains_key(path) {
                f(path, source);
            }
        });
        if let Some(old) = &self.old {
            each_of(old, &mut f);
        }
    }

    /// Returns the text of a source as it is.
    pub(crate) fn text<'a>(&'a self, path: &Path, source: &'a Source<'_>) -> &'a str {
        self.originals.get(path).map_or(source.file.src.as_str(), String::as_str)
    }

    /// Returns `path` relative to the root, with `/` as the separator.
    pub(crate) fn relative(&self, path: &Path) -> String {
        relative(&self.root, path)
    }

    /// Returns the doc comments of contracts and functions in files that contain `marker`.
    pub(crate) fn doc_comments(&self, marker: &str) -> Vec<DocComment> {
        let mut found = Vec::new();
        self.each(|path, source| {
            let text = self.text(path, source);
            let Some(unit) = source.ast.as_ref().filter(|_| text.contains(marker)) else { return };
            let mut add = |item: &Item<'_>, contract: &str, function: Option<&str>| {
                found.extend(item.docs.iter().map(|comment| {
                    let offset = source.file.relative_position(comment.span.lo()).to_usize();
                    let (line, column) = position(text, offset);
                    DocComment {
                        path: self.relative(path),
                        contract: contract.to_owned(),
                        function: function.map(str::to_owned),
                        text: comment.symbol.as_str().to_owned(),
                        line,
                        column,
                    }
                }));
            };
            for item in &unit.items[..] {
                let ItemKind::Contract(contract) = &item.kind else { continue };
                let name = contract.name.as_str();
                add(item, name, None);
                for member in contract.body.iter() {
                    if let ItemKind::Function(function) = &member.kind
                        && let Some(function) = function.header.name
                    {
                        add(member, name, Some(function.as_str()));
                    }
                }
            }
        });
        found
    }

    /// Returns the place at a byte offset in the file at `path`, without the surrounding function.
    pub(crate) fn place(&self, path: &Path, offset: usize) -> Option<Place> {
        self.locate(path, offset).map(|location| location.place)
    }

    /// Returns the place at a byte offset in the file at the absolute `path`.
    pub(crate) fn locate(&self, path: &Path, offset: usize) -> Option<Location> {
        let mut location = None;
        self.each(|other, source| {
            if other == path {
                let (line, column) = position(&source.file.src, offset);
                let function = enclosing_function(source, offset);
                let place = Place { path: self.relative(path), line, column };
                location = Some(Location { place, function });
            }
        });
        location
    }

    /// Returns the line of a place: its text without surrounding white space, the column in this text, and
    /// the number of lines before it with the same text.
    pub(crate) fn line(&self, place: &Place) -> Option<(String, usize, usize)> {
        let mut found = None;
        self.each(|path, source| {
            let number = place.line.saturating_sub(1);
            if self.relative(path) == place.path
                && let Some(line) = self.text(path, source).lines().nth(number)
            {
                let text = line.trim();
                let indent = line.chars().count() - line.trim_start().chars().count();
                let alike =
                    self.text(path, source).lines().take(number).filter(|other| other.trim() == text).count();
                found = Some((text.to_owned(), place.column.saturating_sub(indent), alike));
            }
        });
        found
    }

    /// Tells whether a place is in a library.
    pub(crate) fn is_in_library(&self, place: &Place) -> bool {
        let mut found = false;
        self.each(|path, source| {
            let is_around = |item: &Item<'_>| {
                let span = relative_span(source, item.span);
                let [first, last] = [span.start, span.end].map(|at| position(&source.file.src, at).0);
                let ItemKind::Contract(contract) = &item.kind else { return false };
                contract.kind == ContractKind::Library && (first..=last).contains(&place.line)
            };
            found |= self.relative(path) == place.path
                && source.ast.as_ref().is_some_and(|unit| unit.items.iter().any(is_around));
        });
        found
    }

    /// Tells whether a word begins at a place.
    pub(crate) fn has_at(&self, place: &Place, word: &str) -> bool {
        let mut found = false;
        self.each(|path, source| {
            let line = || self.text(path, source).lines().nth(place.line.checked_sub(1)?);
            let rest = || line().map(|line| line.chars().skip(place.column.saturating_sub(1)));
            let is_word = |rest: &str| {
                let behind = rest.strip_prefix(word).map(|behind| behind.chars().next());
                behind.is_some_and(|next| next.is_none_or(|next| !next.is_alphanumeric() && next != '_'))
            };
            found |= self.relative(path) == place.path
                && rest().is_some_and(|rest| is_word(&rest.collect::<String>()));
        });
        found
    }
}

/// Returns `path` relative to `root`, with `/` as the separator; unchanged if it is outside of `root`.
pub(crate) fn relative(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path).display().to_string();
    if cfg!(windows) { path.replace('\\', "/") } else { path }
}

/// Returns the name of the function at a byte offset.
fn enclosing_function(source: &Source<'_>, offset: usize) -> Option<String> {
    let around = |item: &&Item<'_>| relative_span(source, item.span).contains(&offset);
    let item = source.ast.as_ref()?.items.iter().find(around)?;
    let item = match &item.kind {
        ItemKind::Contract(contract) => contract.body.iter().find(around)?,
        _ => item,
    };
    match &item.kind {
        ItemKind::Function(function) => {
            let name = function.header.name.map(|name| name.as_str().to_owned());
            Some(name.unwrap_or_else(|| function.kind.to_str().to_owned()))
        }
        _ => None,
    }
}

fn each_of(compiler: &Compiler, f: &mut dyn for<'a> FnMut(&Path, &'a Source<'a>)) {
    compiler.enter_sequential(|compiler| {
        let all = compiler.gcx().sources.iter();
        let mut sources =
            all.filter_map(|source| Some((source.file.name.as_real()?, source))).collect::<Vec<_>>();
        sources.sort_unstable_by_key(|(path, _)| *path);
        for (path, source) in sources {
            f(path, source);
        }
    });
}

/// Parses texts by path, without their imports. Those that cannot be parsed have no AST.
pub(super) fn parsed(texts: Vec<(PathBuf, String)>) -> Compiler {
    let mut compiler = Compiler::new(Session::builder().with_buffer_emitter(Default::default()).build());
    compiler.enter_mut(|compiler| {
        let map = compiler.sess().source_map();
        let files = texts.into_iter().filter_map(|(path, text)| map.new_source_file(path, text).ok());
        let files: Vec<_> = files.collect();
        let mut parsing = compiler.parse();
        parsing.set_resolve_imports(false);
        parsing.add_files(files);
        parsing.parse();
    });
    compiler
}

/// Returns the range of bytes of a span in its source.
pub(crate) fn relative_span(source: &Source<'_>, span: Span) -> Range<usize> {
    let relative = |position| source.file.relative_position(position).to_usize();
    relative(span.lo())..relative(span.hi())
}

/// Returns the line and the column of a byte offset, both from 1.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    // Every character begins with a byte that is no UTF-8 continuation byte.
    let column = before[start..].iter().filter(|byte| (**byte as i8) >= -0x40).count() + 1;
    (line, column)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use foundry_compilers::{Graph, ProjectPathsConfig};

    /// Returns the sources of a project with one file, `src/A.sol`.
    pub(crate) fn parsed(text: &str) -> (tempfile::TempDir, Sources) {
        parsed_all(&[("A.sol", text)])
    }

    /// Returns the sources of a project with these files in `src`.
    pub(crate) fn parsed_all(files: &[(&str, &str)]) -> (tempfile::TempDir, Sources) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("src")).unwrap();
        for (name, text) in files {
            std::fs::write(root.join("src").join(name), text).unwrap();
        }
        let paths: ProjectPathsConfig = ProjectPathsConfig::builder().build_with_root(&root);
        let graph = Graph::<MultiCompilerParser>::resolve(&paths).unwrap();
        let (_, mut edges) = graph.into_sources();
        let sources = Sources::take(edges.parser_mut(), &root);
        (directory, sources)
    }

    #[test]
    fn doc_comments_are_found_line_by_line_where_the_marker_stands() {
        let text = "\
/** forge-config: default.invariant.runs = 1
 */
contract A {
    /// first
      /// forge-config: default.fuzz.runs = 2
    function test_a() public {}
    function b() public {}
}";
        let (_directory, sources) = parsed(text);
        let found = sources.doc_comments("forge-config:").into_iter().map(|comment| {
            let function = comment.function.unwrap_or_default();
            format!(
                "{}:{}:{} {}.{function}:{}",
                comment.path, comment.line, comment.column, comment.contract, comment.text
            )
        });
        insta::assert_snapshot!(found.collect::<Vec<_>>().join("\n---\n"), @r"
        src/A.sol:1:1 A.: forge-config: default.invariant.runs = 1
         
        ---
        src/A.sol:4:5 A.test_a: first
        ---
        src/A.sol:5:7 A.test_a: forge-config: default.fuzz.runs = 2
        ");
        assert!(sources.doc_comments("another-marker").is_empty());
    }

    #[test]
    fn an_offset_is_located_by_line_column_and_function() {
        let text =
            "contract A {\n  constructor() {}\n  /* ä */ function f() public {}\n}\nfunction free() {}";
        let (directory, sources) = parsed(text);
        let path = directory.path().canonicalize().unwrap().join("src/A.sol");
        let at = |part: &str| {
            let found = sources.locate(&path, text.find(part).unwrap()).unwrap();
            format!("{} {}", found.place, found.function.clone().unwrap_or_default())
        };
        assert_eq!(at("constructor"), "src/A.sol:2:3 constructor");
        assert_eq!(at("function f"), "src/A.sol:3:11 f");
        assert_eq!(at("function free"), "src/A.sol:5:1 free");
        assert_eq!(at("contract"), "src/A.sol:1:1 ");
        assert_eq!(sources.locate(Path::new("/elsewhere.sol"), 0), None);
    }
}
