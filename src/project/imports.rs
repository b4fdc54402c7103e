//! Which sources a source depends on.

use crate::project::sources::Sources;
use foundry_compilers::{compilers::multi::MultiCompilerParser, resolver::GraphEdges};
use regex::Regex;
use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// Sources named in text, as `vm.getCode("Vault.sol:Vault")` names them.
static NAMED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"["']([^"'\n]*\.(?:sol|vy))(?::[^"'\n]*)?["']"#).expect("a fixed pattern"));

/// What each source imports or names, by absolute paths.
#[derive(Debug, Default)]
pub(crate) struct Imports(HashMap<PathBuf, Vec<PathBuf>>);

impl Imports {
    /// The edges of a graph.
    pub(crate) fn of(graph: &GraphEdges<MultiCompilerParser>) -> Self {
        let path = |node| graph.node_path(node).to_owned();
        let edges = graph.files().map(|from| {
            (path(from), graph.imported_nodes(from).iter().map(|to| path(*to)).collect::<Vec<_>>())
        });
        Self(edges.collect())
    }

    /// With what sources name in strings.
    pub(crate) fn with_names(&self, sources: &Sources) -> Self {
        let mut imports = Self(self.0.clone());
        let all: Vec<_> = imports.0.keys().cloned().collect();
        sources.each(|path, source| {
            let names = NAMED.captures_iter(&source.file.src).map(|found| found[1].to_owned());
            for name in names.filter(|name| !name.starts_with('.')) {
                let named = all.iter().filter(|path| path.ends_with(&name)).cloned();
                imports.0.entry(path.to_owned()).or_default().extend(named);
            }
        });
        imports
    }

    /// Whether `source` is one of `changed` or depends on one.
    pub(crate) fn reach(&self, source: &Path, changed: &BTreeSet<PathBuf>) -> bool {
        let (mut open, mut seen) = (vec![source], BTreeSet::from([source]));
        while let Some(next) = open.pop() {
            if changed.contains(next) {
                return true;
            }
            let imported = self.0.get(next).into_iter().flatten().map(PathBuf::as_path);
            open.extend(imported.filter(|path| seen.insert(path)));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_reach_through_imports_and_cycles_end() {
        let edge = |from: &str, to: &[&str]| (PathBuf::from(from), to.iter().map(PathBuf::from).collect());
        let imports = Imports(HashMap::from([edge("a", &["b"]), edge("b", &["c", "a"]), edge("d", &[])]));
        let reach =
            |from: &str, changed: &str| imports.reach(Path::new(from), &BTreeSet::from([changed.into()]));
        assert!(reach("a", "c") && reach("a", "a") && reach("b", "b"));
        assert!(!reach("a", "d") && !reach("d", "a") && !reach("unknown", "a"));
    }
}
