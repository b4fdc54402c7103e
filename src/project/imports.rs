//! Dependencies between sources.

use crate::project::sources::Sources;
use foundry_compilers::{compilers::multi::MultiCompilerParser, resolver::GraphEdges};
use regex::Regex;
use solar::ast::ItemKind;
use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// Pattern for sources named in strings, as in `vm.getCode("Vault.sol:Vault")`.
static NAMED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"["']([^"'\n]*\.(?:sol|vy))(?::[^"'\n]*)?["']"#).expect("a fixed pattern"));

/// Pattern for single words in quotes, which may name a contract, as in `vm.deployCode("Vault")`.
static WORD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"["']([A-Za-z_$][\w$]*)["']"#).expect("a fixed pattern"));

/// Sources that each source imports or names in strings, by absolute path.
#[derive(Debug, Default)]
pub(crate) struct Imports(HashMap<PathBuf, Vec<PathBuf>>);

impl Imports {
    /// Returns the imports in a graph.
    pub(crate) fn of(graph: &GraphEdges<MultiCompilerParser>) -> Self {
        let path = |node| graph.node_path(node).to_owned();
        let edges = graph.files().map(|from| {
            (path(from), graph.imported_nodes(from).iter().map(|to| path(*to)).collect::<Vec<_>>())
        });
        Self(edges.collect())
    }

    /// Returns these imports together with the sources that each source names in strings.
    pub(crate) fn with_names(&self, sources: &Sources) -> Self {
        let mut imports = Self(self.0.clone());
        let all: Vec<_> = imports.0.keys().cloned().collect();
        let contracts = contracts(sources);
        sources.each(|path, source| {
            let edges = imports.0.entry(path.to_owned()).or_default();
            let names = NAMED.captures_iter(sources.text(path, source)).map(|found| found[1].to_owned());
            for name in names.filter(|name| !name.starts_with('.')) {
                edges.extend(all.iter().filter(|path| path.ends_with(&name)).cloned());
            }
            for word in WORD.captures_iter(sources.text(path, source)) {
                edges.extend(contracts.get(&word[1]).into_iter().flatten().cloned());
            }
        });
        imports
    }

    /// Tells whether `source` is one of `changed`, or depends on one.
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

/// Returns the sources that declare a contract, by the contract's name.
fn contracts(sources: &Sources) -> HashMap<String, Vec<PathBuf>> {
    let mut contracts: HashMap<_, Vec<_>> = HashMap::new();
    sources.each(|path, source| {
        let items = source.ast.iter().flat_map(|unit| unit.items.iter());
        for item in items {
            if let ItemKind::Contract(contract) = &item.kind {
                contracts.entry(contract.name.as_str().to_owned()).or_default().push(path.to_owned());
            }
        }
    });
    contracts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::sources::tests::parsed_all;

    #[test]
    fn sources_and_contracts_are_named_in_strings() {
        let (directory, sources) = parsed_all(&[
            ("Vault.sol", "contract Vault {}"),
            ("Token.sol", "contract Coin {}"),
            ("ByFile.sol", "contract A { string constant code = \"Token.sol:Coin\"; }"),
            ("ByName.sol", "contract B { string constant code = 'Vault'; string constant word = \"coin\"; }"),
        ]);
        let path = |name: &str| directory.path().canonicalize().unwrap().join("src").join(name);
        let files = ["Vault.sol", "Token.sol", "ByFile.sol", "ByName.sol"];
        let imports = Imports(files.map(|name| (path(name), Vec::new())).into()).with_names(&sources);
        let reach = |from: &str, changed: &str| imports.reach(&path(from), &BTreeSet::from([path(changed)]));
        assert!(reach("ByFile.sol", "Token.sol") && reach("ByName.sol", "Vault.sol"));
        assert!(!reach("ByFile.sol", "Vault.sol") && !reach("ByName.sol", "Token.sol"));
    }

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
