//! Table of the calls that a campaign made.

use crate::{
    model::CallMetrics,
    report::table::{self, Cell, TableForm},
};
use std::collections::BTreeMap;

/// White of the 256-colour palette, whose bright colours Forge's tables use.
const WHITE: u8 = 15;
/// Headers of the columns, and the colours of their cells that are not zero.
const COLUMNS: [(&str, Option<u8>); 5] = [
    ("Contract", None),
    ("Selector", None),
    ("Calls", Some(10)),
    ("Reverts", Some(9)),
    ("Discards", Some(11)),
];

/// Draws the table with its rows in the order of the keys (`path:Name.function`). Each line ends in a
/// newline.
pub(super) fn table(metrics: &BTreeMap<String, CallMetrics>, form: TableForm) -> String {
    let header = COLUMNS.map(|(title, color)| (title.to_owned(), color));
    let rows: Vec<_> = metrics.iter().map(|(key, metrics)| row(key, *metrics)).collect();
    table::table(&header, &rows, form)
}

/// Formats a row. A contract created during a run has no path in its key.
fn row(key: &str, metrics: CallMetrics) -> Vec<Cell> {
    let (contract, function) = key.rsplit_once('.').unwrap_or((key, ""));
    let contract = contract.rsplit_once(':').map_or(contract, |(_, name)| name);
    let numbers = [metrics.calls, metrics.reverts, metrics.discards].map(|n| n.to_string());
    let cells = [contract.to_owned(), function.to_owned()].into_iter().chain(numbers).zip(COLUMNS);
    cells
        .map(|(text, (_, color))| {
            let color = color.map(|color| if text == "0" { WHITE } else { color });
            (text, color)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{samples, style::Palette};

    fn form(color: bool, markdown: bool) -> TableForm {
        TableForm { palette: Palette::new(color), markdown }
    }

    #[test]
    fn rows_are_sorted_by_key_and_bare_names_come_first() {
        insta::assert_snapshot!(table(&samples::metrics(), form(false, false)), @r"
        ╭----------+----------+-------+---------+----------╮
        | Contract | Selector | Calls | Reverts | Discards |
        +==================================================+
        | Child    | kill     | 1     | 0       | 0        |
        |----------+----------+-------+---------+----------|
        | Bank     | deposit  | 64133 | 2       | 0        |
        ╰----------+----------+-------+---------+----------╯
        ");
    }

    #[test]
    fn a_table_in_markdown_has_no_frame() {
        insta::assert_snapshot!(table(&samples::metrics(), form(false, true)), @r"
        | Contract | Selector | Calls | Reverts | Discards |
        |----------|----------|-------|---------|----------|
        | Child    | kill     | 1     | 0       | 0        |
        | Bank     | deposit  | 64133 | 2       | 0        |
        ");
    }

    #[test]
    fn only_numbers_above_zero_are_coloured() {
        let metrics =
            BTreeMap::from([("Bank.pay".to_owned(), CallMetrics { calls: 8, reverts: 0, discards: 0 })]);
        let table = table(&metrics, form(true, false)).replace('\u{1b}', "^");
        insta::assert_snapshot!(table.lines().nth(3).unwrap(),
            @"| Bank     | pay      |^[38;5;10m 8     ^[39m|^[38;5;15m 0       ^[39m|^[38;5;15m 0        ^[39m|");
    }
}
