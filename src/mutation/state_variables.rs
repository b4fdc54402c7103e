//! Variables of contracts, with their types as texts.

use crate::project::relative_span;
use solar::{
    ast::{ItemContract, ItemKind, VariableDefinition},
    sema::Source,
};
use std::collections::HashMap;

/// State variables and bases of all contracts, by bare name. Contracts of the same name are taken together.
#[derive(Debug, Default)]
pub(super) struct StateVariables {
    contracts: HashMap<String, Members>,
}

#[derive(Debug, Default)]
struct Members {
    bases: Vec<String>,
    /// Types of the state variables that can be written, by name.
    variables: HashMap<String, String>,
}

impl StateVariables {
    /// Adds the contracts of a source.
    pub(super) fn read(&mut self, source: &Source<'_>, text: &str) {
        for item in source.ast.iter().flat_map(|unit| unit.items.iter()) {
            if let ItemKind::Contract(contract) = &item.kind {
                self.add(contract, source, text);
            }
        }
    }

    fn add(&mut self, contract: &ItemContract<'_>, source: &Source<'_>, text: &str) {
        let entry = self.contracts.entry(contract.name.as_str().to_owned()).or_default();
        entry.bases.extend(contract.bases.iter().map(|base| base.name.last().as_str().to_owned()));
        for member in contract.body.iter() {
            if let ItemKind::Variable(variable) = &member.kind
                && variable.mutability.is_none()
            {
                entry.variables.extend(named(variable, source, text));
            }
        }
    }

    /// Returns the type of a variable of a contract or of one of its bases.
    pub(super) fn find(&self, contract: &str, name: &str) -> Option<&str> {
        let mut waiting = vec![contract];
        let mut seen = Vec::new();
        while let Some(next) = waiting.pop() {
            let Some(found) = self.contracts.get(next).filter(|_| !seen.contains(&next)) else { continue };
            if let Some(kind) = found.variables.get(name) {
                return Some(kind);
            }
            seen.push(next);
            waiting.extend(found.bases.iter().map(String::as_str));
        }
        None
    }
}

/// Returns the name of a variable and the text of its type.
pub(super) fn named(
    variable: &VariableDefinition<'_>,
    source: &Source<'_>,
    text: &str,
) -> Option<(String, String)> {
    let kind = text.get(relative_span(source, variable.ty.span))?;
    Some((variable.name?.as_str().to_owned(), kind.to_owned()))
}
