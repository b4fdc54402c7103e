//! Table of the coverage of contracts, in the form of `forge coverage`.

use super::{GREEN, RED, ReportOptions, YELLOW, form};
use crate::{
    model::{ContractCounts, Looked, SourceCoverage},
    report::{
        table::{Cell, table},
        visible,
    },
};

/// Draws the table. The text is empty if nothing was measured.
pub(super) fn section(covered: &SourceCoverage, options: &ReportOptions) -> String {
    if covered.looked == Looked::Nowhere || covered.contracts.is_empty() {
        return String::new();
    }
    let header = ["Contract", "% Instructions", "% Branches", "% Events", "% Calls"];
    let header = header.map(|title| (title.to_owned(), None));
    let rows: Vec<_> = covered.contracts.iter().map(|(id, contract)| row(id, &contract.counts())).collect();
    let note = match covered.looked {
        Looked::Partly => "Not everything was measured: more may have run.\n",
        _ => "",
    };
    format!("\n{}\n{note}", table(&header, &rows, form(options)))
}

fn row(id: &str, counts: &ContractCounts) -> Vec<Cell> {
    let ContractCounts { instructions, branches, events, calls } = *counts;
    let shares = [instructions, branches, events, calls].map(share);
    [vec![(visible(id), None)], shares.into()].concat()
}

fn share((ran, all): (usize, usize)) -> Cell {
    if all == 0 {
        return ("-".to_owned(), None);
    }
    let color = match ran {
        0 => RED,
        ran if ran == all => GREEN,
        _ => YELLOW,
    };
    (format!("{:.2}% ({ran}/{all})", 100.0 * ran as f64 / all as f64), Some(color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn shares_are_shown_as_forge_shows_them() {
        let options = ReportOptions::default();
        insta::assert_snapshot!(section(&samples::covered(), &options), @"

        ╭---------------------+------------------+--------------+--------------+---------╮
        | Contract            | % Instructions   | % Branches   | % Events     | % Calls |
        +================================================================================+
        | src/Vault.sol:Vault | 75.00% (150/200) | 75.00% (3/4) | 33.33% (1/3) | -       |
        ╰---------------------+------------------+--------------+--------------+---------╯
        ");
        let partly = SourceCoverage { looked: Looked::Partly, ..samples::covered() };
        assert!(section(&partly, &options).ends_with("more may have run.\n"));
        assert_eq!(section(&SourceCoverage::default(), &options), "");
    }
}
