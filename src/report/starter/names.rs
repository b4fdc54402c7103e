//! Names and types in the generated source, and the imports that they need.

use crate::report::literal::identifier;
use alloy_json_abi::{InternalType, Param};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

/// Words that no variable can be called: keywords, and members of forge-std's `Test`.
const TAKEN: [&str; 44] = [
    "abstract",
    "address",
    "anonymous",
    "as",
    "assembly",
    "bool",
    "bytes",
    "case",
    "catch",
    "constant",
    "contract",
    "default",
    "delete",
    "do",
    "else",
    "emit",
    "enum",
    "error",
    "event",
    "external",
    "fail",
    "false",
    "for",
    "function",
    "if",
    "is",
    "mapping",
    "memory",
    "new",
    "now",
    "override",
    "payable",
    "public",
    "return",
    "storage",
    "string",
    "struct",
    "this",
    "true",
    "try",
    "type",
    "using",
    "view",
    "vm",
];

/// Names of functions of forge-std's `Test` that a handler cannot have.
const OF_TEST: [&str; 12] = [
    "bound",
    "deal",
    "hoax",
    "startHoax",
    "rewind",
    "skip",
    "fail",
    "failed",
    "setUp",
    "targetContracts",
    "deployCode",
    "destroyAccount",
];

/// Finds the import path of the contract with a name.
pub type ImportPath<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// ImportList of the generated source.
pub(super) struct ImportList<'a> {
    /// Import path of the contract under test.
    subject: &'a str,
    find: &'a ImportPath<'a>,
    used: RefCell<BTreeMap<String, BTreeSet<String>>>,
}

impl<'a> ImportList<'a> {
    pub(super) fn new(subject: &'a str, find: &'a ImportPath<'a>) -> Self {
        Self { subject, find, used: RefCell::default() }
    }

    /// ImportList a name from a path.
    pub(super) fn add(&self, name: &str, path: &str) {
        self.used.borrow_mut().entry(path.to_owned()).or_default().insert(name.to_owned());
    }

    /// ImportList a contract by its name; `None` if it is unknown.
    fn contract(&self, name: &str) -> Option<()> {
        let path = (self.find)(name)?;
        self.add(name, &path);
        Some(())
    }

    /// Returns the name of a user-defined type. Types outside of contracts are taken from the source of the contract
    /// under test, which uses them.
    fn defined(&self, contract: Option<&str>, ty: &str) -> Option<String> {
        match contract {
            Some(contract) => {
                self.contract(contract)?;
                Some(format!("{contract}.{ty}"))
            }
            None => {
                self.add(ty, self.subject);
                Some(ty.to_owned())
            }
        }
    }

    /// Writes the import directives.
    pub(super) fn text(&self) -> String {
        let used = self.used.borrow();
        let line = |(path, names): (&String, &BTreeSet<String>)| {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            format!("import {{{}}} from \"{path}\";\n", names.join(", "))
        };
        used.iter().map(line).collect()
    }
}

/// Solidity type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SourceType {
    /// A type of the language.
    Elementary(String),
    /// `address payable`.
    PayableAddress,
    /// A contract or an interface.
    Contract(String),
    /// An enumeration.
    Enum(String),
    /// A user-defined value type, and the type below it.
    Value(String, String),
    /// A struct.
    Struct(String),
}

impl SourceType {
    /// Returns the type of a parameter, or of the items of an array; `None` if it cannot be named.
    pub(super) fn of(param: &Param, imports: &ImportList<'_>) -> Option<Self> {
        let bare = |ty: &str| ty.trim_end_matches("[]").to_owned();
        let elementary = bare(&param.ty);
        Some(match param.internal_type() {
            Some(InternalType::AddressPayable(_)) => Self::PayableAddress,
            Some(InternalType::Contract(name)) => {
                let name = bare(name);
                imports.contract(&name)?;
                Self::Contract(name)
            }
            Some(InternalType::Enum { contract, ty }) => {
                Self::Enum(imports.defined(contract.as_deref(), &bare(ty))?)
            }
            Some(InternalType::Struct { contract, ty }) => {
                Self::Struct(imports.defined(contract.as_deref(), &bare(ty))?)
            }
            Some(InternalType::Other { contract, ty }) if contract.is_some() || bare(ty) != elementary => {
                Self::Value(imports.defined(contract.as_deref(), &bare(ty))?, elementary)
            }
            _ => Self::Elementary(elementary),
        })
    }

    /// Returns the name of the type.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::PayableAddress => "address payable",
            Self::Elementary(name)
            | Self::Contract(name)
            | Self::Enum(name)
            | Self::Value(name, _)
            | Self::Struct(name) => name,
        }
    }

    /// Converts an expression of this type to the elementary type below.
    pub(super) fn unwrap(&self, expression: &str) -> String {
        match self {
            Self::Elementary(_) | Self::Struct(_) => expression.to_owned(),
            Self::PayableAddress | Self::Contract(_) => format!("address({expression})"),
            Self::Enum(_) => format!("uint8({expression})"),
            Self::Value(name, _) => format!("{name}.unwrap({expression})"),
        }
    }

    /// Converts an expression of the elementary type below to this type.
    pub(super) fn convert(&self, expression: &str) -> String {
        match self {
            Self::Elementary(_) | Self::Struct(_) => expression.to_owned(),
            Self::PayableAddress => format!("payable({expression})"),
            Self::Contract(name) | Self::Enum(name) => format!("{name}({expression})"),
            Self::Value(name, _) => format!("{name}.wrap({expression})"),
        }
    }
}

/// Names of one scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope(BTreeSet<String>);

impl Scope {
    /// Creates a scope in which these names are taken.
    pub(super) fn with<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self(names.into_iter().map(str::to_owned).collect())
    }

    /// Returns a free name like the wanted one, or like `otherwise` if that is empty.
    pub(super) fn name(&mut self, wanted: &str, otherwise: &str) -> String {
        let wanted = identifier(wanted.trim_matches('_'));
        let is_sized = ["uint", "int", "bytes"].iter().any(|prefix| {
            let size = wanted.strip_prefix(prefix);
            size.is_some_and(|size| size.bytes().all(|byte| byte.is_ascii_digit()))
        });
        let is_name = wanted.starts_with(|first: char| first.is_ascii_alphabetic()) && !is_sized;
        let first = if is_name { wanted } else { otherwise.to_owned() };
        let is_free = |name: &str| !TAKEN.contains(&name) && !self.0.contains(name);
        let name = match is_free(&first) {
            true => first,
            false => (2..).map(|n| format!("{first}{n}")).find(|name| is_free(name)).unwrap_or_default(),
        };
        self.0.insert(name.clone());
        name
    }
}

/// Returns the name of a variable that holds a contract: `vault` for `Vault`, `token` for `TestToken`.
pub(super) fn variable(contract: &str) -> String {
    let without = contract.strip_prefix("Test").or_else(|| contract.strip_prefix("Mock"));
    let contract =
        without.filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())).unwrap_or(contract);
    let upper = contract.chars().take_while(char::is_ascii_uppercase).count();
    let is_word_next = contract[upper..].starts_with(|next: char| next.is_ascii_lowercase());
    let lower = if upper > 1 && is_word_next { upper - 1 } else { upper };
    contract[..lower].to_ascii_lowercase() + &contract[lower..]
}

/// Returns a name for the handler's function that calls this one.
pub(super) fn function(name: &str) -> String {
    let is_test = ["test", "invariant", "check", "prove"].iter().any(|prefix| name.starts_with(prefix));
    match is_test || OF_TEST.contains(&name) {
        true => format!("call_{name}"),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_free_and_readable() {
        assert_eq!(variable("Vault"), "vault");
        assert_eq!(variable("WETH"), "weth");
        assert_eq!(variable("TestToken"), "token");
        assert_eq!(variable("ERC20Token"), "erc20Token");
        assert_eq!(variable("IPool"), "iPool");
        let mut scope = Scope::with(["vault"]);
        assert_eq!(scope.name("_to", "arg"), "to");
        assert_eq!(scope.name("to", "arg"), "to2");
        assert_eq!(scope.name("vault", "arg"), "vault2");
        assert_eq!(scope.name("", "arg"), "arg");
        assert_eq!(scope.name("uint8", "arg"), "arg2");
        assert_eq!(function("deal"), "call_deal");
    }

    #[test]
    fn types_have_the_names_that_the_source_can_use() {
        let find = |name: &str| (name != "Unknown").then(|| format!("../src/{name}.sol"));
        let imports = ImportList::new("../src/Vault.sol", &find);
        let param = |ty: &str, internal: &str| Param {
            ty: ty.into(),
            internal_type: InternalType::parse(internal),
            ..Param::default()
        };
        let of = |ty, internal| SourceType::of(&param(ty, internal), &imports);
        assert_eq!(
            of("uint8", "enum Vault.Kind").map(|ty| ty.convert("1")).as_deref(),
            Some("Vault.Kind(1)")
        );
        assert_eq!(of("address", "contract IERC20").map(|ty| ty.convert("a")).as_deref(), Some("IERC20(a)"));
        assert_eq!(of("address", "Currency").map(|ty| ty.convert("a")).as_deref(), Some("Currency.wrap(a)"));
        assert_eq!(of("uint256[]", "uint256[]"), Some(SourceType::Elementary("uint256".into())));
        assert_eq!(of("address", "contract Unknown"), None);
        let text = imports.text();
        assert_eq!(text.matches("import").count(), 2);
        assert!(text.contains("import {Currency, Vault} from \"../src/Vault.sol\";"));
    }
}
