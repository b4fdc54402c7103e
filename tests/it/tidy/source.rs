//! The source files of the crate, parsed.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};
use syn::{
    Attribute, Item, ItemImpl, Meta,
    visit::{self, Visit},
};

/// A file of `src`.
pub(crate) struct Source {
    /// Relative to `src`, as `engine/rng.rs`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Parses the file.
    pub(crate) fn syntax(&self) -> syn::File {
        syn::parse_file(&self.text).unwrap_or_else(|error| panic!("{}: {error}", self.path))
    }

    /// The text without comments that fill their line, and without the tests at its end.
    pub(crate) fn code(&self) -> String {
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let end = self.text.find("#[cfg(test)]\nmod tests {").unwrap_or(self.text.len());
        self.text[..end].lines().filter(is_code).collect::<Vec<_>>().join("\n")
    }

    /// Tells whether only tests compile the file.
    pub(crate) fn is_test(&self) -> bool {
        let name = Path::new(&self.path).file_stem().unwrap().to_string_lossy();
        let is_listed = TEST_FILES.iter().any(|file| self.path.starts_with(file));
        name == "tests" || name.ends_with("_tests") || is_listed
    }
}

/// Files and directories of tests with other names; each module is declared under `cfg(test)`.
const TEST_FILES: [&str; 8] = [
    "config/scratch.rs",
    "engine/toy/",
    "engine/toy_contracts.rs",
    "evm/cheats/testing.rs",
    "evm/trace/cmplog/shapes.rs",
    "project/test_contracts.rs",
    "report/any_text.rs",
    "report/samples.rs",
];

/// All files of `src`, ordered by path.
pub(crate) static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    let mut open = vec![root.clone()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap().map(Result::unwrap) {
            let path: PathBuf = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(&root).unwrap().display().to_string();
                sources.push(Source { path, text });
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
});

/// Tells whether an item or field is compiled for tests only.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string().contains("test"),
        _ => false,
    })
}

/// First lines of the doc comments of a text.
pub(crate) fn openings(text: &str) -> Vec<&str> {
    let doc = |line: &'_ str| {
        let line = line.trim_start();
        let rest = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        rest.filter(|rest| !rest.starts_with('/')).is_some()
    };
    let mut openings = Vec::new();
    let mut before = false;
    for line in text.lines() {
        let is_doc = doc(line);
        if is_doc && !before {
            openings.push(line.trim_start()[3..].trim());
        }
        before = is_doc;
    }
    openings
}

/// A type that a file defines.
#[derive(Debug)]
pub(crate) struct Type {
    pub(crate) name: String,
    /// Number of fields; 0 for what is no struct.
    pub(crate) fields: usize,
}

/// Types and inherent impls of a file, without what is for tests.
#[derive(Default)]
pub(crate) struct Contents {
    pub(crate) types: Vec<Type>,
    /// Names of types that have an inherent impl in the file.
    pub(crate) impls: Vec<String>,
}

impl Contents {
    pub(crate) fn of(source: &Source) -> Self {
        let mut contents = Self::default();
        contents.visit_file(&source.syntax());
        contents
    }

    fn add(&mut self, name: &syn::Ident, fields: usize) {
        self.types.push(Type { name: name.to_string(), fields });
    }
}

impl<'a> Visit<'a> for Contents {
    fn visit_item(&mut self, item: &'a Item) {
        match item {
            Item::Mod(module) if is_for_tests(&module.attrs) => return,
            Item::Fn(function) if is_for_tests(&function.attrs) => return,
            Item::Struct(item) => self.add(&item.ident, item.fields.len()),
            Item::Enum(item) => self.add(&item.ident, 0),
            Item::Trait(item) => self.add(&item.ident, 0),
            Item::Union(item) => self.add(&item.ident, 0),
            Item::Type(item) => self.add(&item.ident, 0),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, item: &'a ItemImpl) {
        if is_for_tests(&item.attrs) {
            return;
        }
        if let (None, syn::Type::Path(path)) = (&item.trait_, &*item.self_ty) {
            self.impls.push(path.path.segments.last().unwrap().ident.to_string());
        }
        visit::visit_item_impl(self, item);
    }
}
