//! `--list`: the tests of a project, as text and as JSON.

use crate::report::json;
use std::collections::BTreeMap;

/// Names of test functions, by source path and contract name.
pub type Listing = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Formats files, contracts and functions as an indented list, with a blank line after each contract.
#[must_use]
pub fn text(listing: &Listing) -> String {
    let mut out = String::new();
    for (path, contracts) in listing {
        out += &format!("{path}\n");
        for (contract, functions) in contracts {
            out += &format!("  {contract}\n");
            out.extend(functions.iter().map(|function| format!("    {function}\n")));
            out.push('\n');
        }
    }
    out
}

/// Formats the listing as one line of JSON: `{"test/Magic.t.sol":{"MagicInv":["invariant_closed"]}}`.
#[must_use]
pub fn json(listing: &Listing) -> String {
    json::line(listing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_forges() {
        let contracts = [("Opt", vec!["invariant_max"]), ("Two", vec!["invariant_a", "invariant_b"])];
        let contracts =
            contracts.map(|(name, tests)| (name.to_owned(), tests.iter().map(|&t| t.into()).collect()));
        let listing = Listing::from([("test/A.t.sol".to_owned(), BTreeMap::from(contracts))]);
        assert_eq!(
            text(&listing),
            "test/A.t.sol\n  Opt\n    invariant_max\n\n  Two\n    invariant_a\n    invariant_b\n\n"
        );
        assert_eq!(
            json(&listing),
            "{\"test/A.t.sol\":{\"Opt\":[\"invariant_max\"],\"Two\":[\"invariant_a\",\"invariant_b\"]}}\n"
        );
    }
}
