//! Declarations of contracts and their functions in the sources: their places, bases and `assert`s.

use crate::{model::ContractId, project::sources::Sources};
use solar::{
    ast::{ContractKind, Expr, ExprKind, Item, ItemContract, ItemKind, TypeKind, Visibility, visit::Visit},
    sema::Source,
};
use std::{
    collections::{BTreeMap, HashMap},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

/// Contracts of all sources, by path and name.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    contracts: HashMap<ContractId, Declaration>,
    /// Contracts by name only, because a contract refers to its bases by name.
    named: BTreeMap<String, Vec<ContractId>>,
}

#[derive(Debug)]
struct Declaration {
    spot: SourceSpot,
    bases: Vec<String>,
    /// True if the contract is neither abstract nor an interface or library.
    is_concrete: bool,
    /// True if its source contains an `assert`; those of its bases do not count.
    asserts: bool,
    /// Members: name, number of parameters, and offset in the source in bytes. The number is `None` for
    /// getters of variables, which may have any number of parameters.
    members: Vec<(String, Option<usize>, usize)>,
    /// Variables that heirs may use: name, and type if it has a name.
    variables: Vec<(String, Option<String>)>,
}

/// Byte offset in a source with an absolute path. The line is computed only on demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceSpot {
    pub(crate) path: PathBuf,
    pub(crate) offset: usize,
}

/// Largest number of contracts that are searched for a function.
const MOST_BASES: usize = 64;

impl Declarations {
    /// Collects the declarations of all sources.
    pub(crate) fn of(sources: &Sources) -> Self {
        let mut declared = Self::default();
        sources.each(|path, source| {
            let Some(unit) = &source.ast else { return };
            for item in &unit.items[..] {
                if let ItemKind::Contract(contract) = &item.kind {
                    declared.add(sources, path, source, item, contract);
                }
            }
        });
        declared
    }

    fn add<'a>(
        &mut self,
        sources: &Sources,
        path: &Path,
        source: &Source<'_>,
        item: &'a Item<'a>,
        contract: &ItemContract<'_>,
    ) {
        let place = |item: &Item<'_>| source.file.relative_position(item.span.lo()).to_usize();
        let members = contract.body.iter().filter_map(|member| match &member.kind {
            ItemKind::Function(function) => {
                let name = function.header.name?.as_str().to_owned();
                Some((name, Some(function.header.parameters.len()), place(member)))
            }
            ItemKind::Variable(variable) => Some((variable.name?.as_str().to_owned(), None, place(member))),
            _ => None,
        });
        let variables = contract.body.iter().filter_map(|member| match &member.kind {
            ItemKind::Variable(variable) if variable.visibility != Some(Visibility::Private) => {
                let named = match &variable.ty.kind {
                    TypeKind::Custom(path) => Some(path.last().as_str().to_owned()),
                    _ => None,
                };
                Some((variable.name?.as_str().to_owned(), named))
            }
            _ => None,
        });
        let bases = contract.bases.iter().map(|base| base.name.last().as_str().to_owned());
        let declaration = Declaration {
            spot: SourceSpot { path: path.to_owned(), offset: place(item) },
            bases: bases.collect(),
            is_concrete: contract.kind == ContractKind::Contract,
            asserts: Asserts.visit_item(item).is_break(),
            members: members.collect(),
            variables: variables.collect(),
        };
        let id = ContractId { path: sources.relative(path), name: contract.name.as_str().to_owned() };
        self.named.entry(id.name.clone()).or_default().push(id.clone());
        self.contracts.insert(id, declaration);
    }

    /// Returns the place where a contract is declared.
    pub(crate) fn contract(&self, id: &ContractId) -> Option<SourceSpot> {
        self.declaration(id).map(|declaration| declaration.spot.clone())
    }

    /// Returns the declaration of a contract. An artifact's name may end in a version or profile, which is
    /// ignored.
    fn declaration(&self, id: &ContractId) -> Option<&Declaration> {
        let bare =
            || id.name.split('.').next().map(|name| ContractId { name: name.to_owned(), ..id.clone() });
        self.contracts.get(id).or_else(|| self.contracts.get(&bare()?))
    }

    /// Returns the place where a function of a contract is declared, in the contract itself or in a base.
    pub(crate) fn function(&self, id: &ContractId, signature: &str) -> Option<SourceSpot> {
        let (name, params) = signature.split_once('(')?;
        let count = parameters(params);
        self.lineage(id).find_map(|declaration| {
            let is_it = |member: &&(String, Option<usize>, usize)| {
                member.0 == name && member.1.is_none_or(|params| params == count)
            };
            let (_, _, offset) = declaration.members.iter().find(is_it)?;
            Some(SourceSpot { offset: *offset, ..declaration.spot.clone() })
        })
    }

    /// Tells whether a contract is neither abstract nor an interface or library. Contracts without a source
    /// count as concrete.
    pub(crate) fn is_concrete(&self, id: &ContractId) -> bool {
        self.declaration(id).is_none_or(|declaration| declaration.is_concrete)
    }

    /// Tells whether a contract or one of its bases contains an `assert`.
    pub(crate) fn asserts(&self, id: &ContractId) -> bool {
        self.lineage(id).any(|declaration| declaration.asserts)
    }

    /// Returns the variables of a contract and its bases that an heir may use: name, and type if it has a name.
    pub(crate) fn variables(&self, id: &ContractId) -> Vec<(String, Option<String>)> {
        self.lineage(id).flat_map(|declaration| declaration.variables.iter().cloned()).collect()
    }

    /// Tells whether any contract with this name has a function with this number of parameters.
    pub(crate) fn has_function(&self, contract: &str, function: &str, parameters: usize) -> bool {
        let named = self.named.get(contract).into_iter().flatten();
        let mut members = named.filter_map(|id| self.contracts.get(id)).flat_map(|known| &known.members);
        members.any(|(name, count, _)| name == function && *count == Some(parameters))
    }

    /// Tells whether `heir` inherits from `base`.
    pub(crate) fn inherits(&self, heir: &ContractId, base: &ContractId) -> bool {
        let Some(base) = self.declaration(base) else { return false };
        self.lineage(heir).skip(1).any(|declaration| std::ptr::eq(declaration, base))
    }

    /// Iterates over a contract and its bases. The last base comes first, because it overrides the ones
    /// before it.
    fn lineage(&self, id: &ContractId) -> impl Iterator<Item = &Declaration> {
        let mut open: Vec<_> = self.declaration(id).into_iter().collect();
        let mut looked = 0;
        std::iter::from_fn(move || {
            let declaration = open.pop()?;
            looked += 1;
            if looked < MOST_BASES {
                let bases =
                    declaration.bases.iter().flat_map(|base| self.named.get(base).into_iter().flatten());
                open.extend(bases.filter_map(|base| self.contracts.get(base)));
            }
            Some(declaration)
        })
    }
}

/// Visitor that stops at the first `assert`.
struct Asserts;

impl<'ast> Visit<'ast> for Asserts {
    type BreakValue = ();

    fn visit_expr(&mut self, expr: &'ast Expr<'ast>) -> ControlFlow<()> {
        match &expr.kind {
            ExprKind::Call(callee, _) if is_assert(callee) => ControlFlow::Break(()),
            _ => self.walk_expr(expr),
        }
    }
}

fn is_assert(callee: &Expr<'_>) -> bool {
    matches!(&callee.kind, ExprKind::Ident(name) if name.as_str() == "assert")
}

/// Counts the parameters in the rest of a signature, such as `uint256,(uint256,bool))`.
fn parameters(list: &str) -> usize {
    let mut depth = 0;
    let commas = list.chars().filter(|c| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        *c == ',' && depth == 0
    });
    let commas = commas.count();
    if list.starts_with(')') { 0 } else { commas + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::sources::tests::parsed;

    #[test]
    fn functions_are_found_in_bases_and_by_their_parameters() {
        let (_directory, sources) = parsed(
            "contract Base {\n  uint public total;\n  function f(uint a, bytes memory b) public {}\n}\n\
             contract A is Base {\n  function f() public {}\n}",
        );
        let declared = Declarations::of(&sources);
        let id = ContractId { path: "src/A.sol".into(), name: "A".into() };
        let at = |signature| {
            declared
                .function(&id, signature)
                .and_then(|spot| sources.place(&spot.path, spot.offset))
                .map(|place| place.to_string())
        };
        assert_eq!(at("f()").as_deref(), Some("src/A.sol:6:3"));
        assert_eq!(at("f(uint256,bytes)").as_deref(), Some("src/A.sol:3:3"));
        assert_eq!(at("total()").as_deref(), Some("src/A.sol:2:3"));
        assert_eq!(at("g()"), None);
        let versioned = ContractId { name: "A.0.8.30".into(), ..id.clone() };
        let spot = declared.contract(&versioned).unwrap();
        assert_eq!(sources.place(&spot.path, spot.offset).map(|place| place.line), Some(5));
    }

    #[test]
    fn asserts_are_seen_in_functions_modifiers_and_bases() {
        let (_directory, sources) = parsed(
            "abstract contract Base {\n  modifier sane() { _; assert(x == y); }\n uint x; uint y; }\n\
             contract A is Base {}\n\
             contract B { function assert_(uint a) public { require(a > 0); assertTrue(a); } }\n\
             library L { function f(uint a) internal { if (a > 1) { assert(a < 3); } } }",
        );
        let declared = Declarations::of(&sources);
        let id = |name: &str| ContractId { path: "src/A.sol".into(), name: name.into() };
        assert_eq!(
            ["Base", "A", "B", "L"].map(|name| declared.asserts(&id(name))),
            [true, true, false, true]
        );
        let concrete = ["Base", "A", "B", "L", "Unknown"].map(|name| declared.is_concrete(&id(name)));
        assert_eq!(concrete, [false, true, true, false, true]);
    }

    #[test]
    fn heirs_are_told_from_bases() {
        let (_directory, sources) = parsed("contract A {} contract B is A {} contract C is B {}");
        let declared = Declarations::of(&sources);
        let id = |name: &str| ContractId { path: "src/A.sol".into(), name: name.into() };
        let inherits = |heir, base| declared.inherits(&id(heir), &id(base));
        assert!(inherits("B", "A") && inherits("C", "A"));
        assert!(!inherits("A", "B") && !inherits("A", "A") && !inherits("A", "Unknown"));
    }

    #[test]
    fn parameters_are_counted_and_not_the_members_of_structs() {
        let counts = [")", "uint256)", "(uint256,bool),bytes)"].map(parameters);
        assert_eq!(counts, [0, 1, 2]);
    }
}
