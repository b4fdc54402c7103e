//! Mutants of the sources: small changes that a good suite notices.
//!
//! Operators change the text of a source in one place; the syntax tree tells them where. No type is inferred, so that a
//! mutant may not compile; the compiler decides.
//!
//! | file | content |
//! |---|---|
//! | `reader` | walks over a source, and shows its nodes to the operators |
//! | `scope` | what surrounds a node: its contract, function and names |
//! | `state_variables` | variables of all contracts, with their types |
//! | `operators/` | a file for each operator, and the table of all |

mod operators;
mod reader;
mod scope;
mod state_variables;

pub use operators::{MutationOperator, OPERATORS, operator};

use crate::{model::Mutant, project::Project};
use state_variables::StateVariables;

/// Returns all mutants of the sources that `is_wanted` accepts by their relative path, in the order of the sources and
/// of the places in them. Of mutants with the same text, the one of the first operator is returned.
#[must_use]
pub fn mutants(
    project: &Project,
    operators: &[&'static MutationOperator],
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<Mutant> {
    let mut state_variables = StateVariables::default();
    project.each_source(|_, source, text| state_variables.read(source, text));
    let mut all = Vec::new();
    project.each_source(|path, source, text| {
        if is_wanted(path) {
            all.extend(reader::read(source, path, text, &state_variables, operators));
        }
    });
    all
}
