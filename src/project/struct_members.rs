//! StructMembers in the sources, with the order of their members.

use crate::project::sources::Sources;
use solar::ast::{ItemKind, ItemStruct, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// Names of members in order, by the name of the struct: `Contract.Struct`, or `Struct` for free ones.
/// Mappings and functions are left out, because values of structs do not contain them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StructMembers(BTreeMap<String, Vec<String>>);

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
        let members = item.fields.iter().filter(|field| is_value(&field.ty.kind));
        let members: Vec<_> = members.filter_map(|field| Some(field.name?.as_str().to_owned())).collect();
        if !members.is_empty() {
            self.0.entry(name).or_insert(members);
        }
    }

    /// Returns the members, in order, of the first struct that has exactly these members.
    #[must_use]
    pub fn with_members(&self, names: &BTreeSet<&str>) -> Option<&[String]> {
        let is_wanted = |members: &&Vec<String>| {
            members.len() == names.len() && members.iter().all(|member| names.contains(member.as_str()))
        };
        self.0.values().find(is_wanted).map(Vec::as_slice)
    }

    /// Returns the members of a struct. `name` is the full name, or the name without the contract.
    ///
    /// # Errors
    /// Fails if structs of several contracts have this name.
    pub fn named(&self, name: &str) -> Result<Option<&[String]>, String> {
        if let Some(members) = self.0.get(name) {
            return Ok(Some(members));
        }
        let mut found = self.0.iter().filter(|(full, _)| full.rsplit('.').next() == Some(name));
        let first = found.next();
        if found.next().is_some() {
            return Err(format!(
                "there are several structs with the same name. Use `<contract_name>.{name}` instead."
            ));
        }
        Ok(first.map(|(_, members)| members.as_slice()))
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
}
