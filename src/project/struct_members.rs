//! StructMembers in the sources, with the order of their members.

use crate::project::sources::Sources;
use solar::ast::{ExprKind, ItemKind, ItemStruct, LitKind, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// Members of structs in order, by the name of the struct: `Contract.Struct`, or `Struct` for free ones.
/// Mappings and functions are left out, because values of structs do not contain them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StructMembers {
    names: BTreeMap<String, Vec<String>>,
    /// Types of the members as in the source, such as `Point[2]`, in the same order. One that is not made of names
    /// and numbers is empty.
    types: BTreeMap<String, Vec<String>>,
}

impl StructMembers {
    /// Collects the structs of all sources. If several have the same name, the first one is kept.
    pub(crate) fn of(sources: &Sources) -> Self {
        let mut structs = Self::default();
        sources.each(|_, source| {
            let Some(unit) = &source.ast else { return };
            for item in &unit.items[..] {
                match &item.kind {
                    ItemKind::Struct(item) => structs.add(item.name.as_str().to_owned(), item),
                    ItemKind::Contract(contract) => {
                        for member in contract.body.iter() {
                            if let ItemKind::Struct(item) = &member.kind {
                                structs.add(format!("{}.{}", contract.name, item.name), item);
                            }
                        }
                    }
                    _ => {}
                }
            }
        });
        structs
    }

    fn add(&mut self, name: String, item: &ItemStruct<'_>) {
        let is_value = |kind: &TypeKind<'_>| !matches!(kind, TypeKind::Mapping(_) | TypeKind::Function(_));
        let fields = item.fields.iter().filter(|field| is_value(&field.ty.kind));
        let members = fields.filter_map(|field| {
            Some((field.name?.as_str().to_owned(), type_text(&field.ty.kind).unwrap_or_default()))
        });
        let (names, types): (Vec<_>, Vec<_>) = members.unzip();
        if !names.is_empty() {
            self.names.entry(name.clone()).or_insert(names);
            self.types.entry(name).or_insert(types);
        }
    }

    /// Returns the type of a member of all structs that have exactly these members; nothing if its type is not the same
    /// in all of them.
    #[must_use]
    pub fn type_of(&self, names: &BTreeSet<&str>, member: &str) -> Option<&str> {
        let structs = self.names.iter().filter(|(_, members)| has_exactly(members, names));
        let mut types = structs.filter_map(|(name, members)| {
            let index = members.iter().position(|other| other == member)?;
            self.types.get(name)?.get(index).map(String::as_str)
        });
        let first = types.next()?;
        types.all(|other| other == first).then_some(first)
    }

    /// Returns the members, in order, of the first struct that has exactly these members.
    #[must_use]
    pub fn with_members(&self, names: &BTreeSet<&str>) -> Option<&[String]> {
        self.names.values().find(|members| has_exactly(members, names)).map(Vec::as_slice)
    }

    /// Returns the members of a struct. `name` is the full name, or the name without the contract.
    ///
    /// # Errors
    /// Fails if structs of several contracts have this name.
    pub fn named(&self, name: &str) -> Result<Option<&[String]>, String> {
        if let Some(members) = self.names.get(name) {
            return Ok(Some(members));
        }
        let mut found = self.names.iter().filter(|(full, _)| full.rsplit('.').next() == Some(name));
        let first = found.next();
        if found.next().is_some() {
            return Err(format!(
                "there are several structs with the same name. Use `<contract_name>.{name}` instead."
            ));
        }
        Ok(first.map(|(_, members)| members.as_slice()))
    }
}

fn has_exactly(members: &[String], names: &BTreeSet<&str>) -> bool {
    members.len() == names.len() && members.iter().all(|member| names.contains(member.as_str()))
}

/// Returns a type as in the source. Lengths of arrays that are no plain numbers are not evaluated.
fn type_text(kind: &TypeKind<'_>) -> Option<String> {
    match kind {
        TypeKind::Elementary(kind) => Some(kind.to_string()),
        TypeKind::Custom(path) => Some(path.to_string()),
        TypeKind::Array(array) => {
            let element = type_text(&array.element.kind)?;
            let length = match array.size.as_ref().map(|size| &size.kind) {
                None => String::new(),
                Some(ExprKind::Lit(literal, None)) => match literal.kind {
                    LitKind::Number(length) => length.to_string(),
                    _ => return None,
                },
                Some(_) => return None,
            };
            Some(format!("{element}[{length}]"))
        }
        TypeKind::Mapping(_) | TypeKind::Function(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::sources::tests::parsed;

    #[test]
    fn members_keep_their_order_and_are_found_by_name_and_by_what_they_are() {
        let text = "\
struct Free { uint b; address a; }
contract A { struct Inner { uint z; mapping(uint => uint) m; uint[] y; } struct Both { uint x; } }
contract B { struct Both { uint w; } }";
        let (_directory, sources) = parsed(text);
        let structs = StructMembers::of(&sources);
        let names = |names: &[&'static str]| names.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(structs.with_members(&names(&["a", "b"])), Some(&["b".to_owned(), "a".to_owned()][..]));
        assert_eq!(structs.with_members(&names(&["a"])), None);
        assert_eq!(structs.named("Inner"), Ok(Some(&["z".to_owned(), "y".to_owned()][..])));
        assert_eq!(structs.named("A.Both"), Ok(Some(&["x".to_owned()][..])));
        insta::assert_snapshot!(
            structs.named("Both").unwrap_err(),
            @"there are several structs with the same name. Use `<contract_name>.Both` instead."
        );
        assert_eq!(structs.named("Nothing"), Ok(None));
    }

    #[test]
    fn types_of_members_are_known_if_all_structs_agree() {
        let text = "\
struct Point { uint x; uint y; }
struct Pair { uint[2][] a; Point[3] b; }
contract A { struct Other { uint y; int x; } struct Sized { uint[1 + 1] n; uint8 m; } }";
        let (_directory, sources) = parsed(text);
        let structs = StructMembers::of(&sources);
        let kind = |names: [&'static str; 2]| structs.type_of(&names.into(), names[0]).map(str::to_owned);
        assert_eq!(kind(["a", "b"]).as_deref(), Some("uint256[2][]"));
        assert_eq!(kind(["b", "a"]).as_deref(), Some("Point[3]"));
        assert_eq!(kind(["y", "x"]).as_deref(), Some("uint256"));
        assert_eq!(kind(["x", "y"]), None);
        assert_eq!(kind(["n", "m"]).as_deref(), Some(""));
        assert_eq!(kind(["a", "c"]), None);
    }
}
