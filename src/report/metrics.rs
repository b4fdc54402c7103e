//! Table of the calls that a campaign made.

use crate::{model::CallMetrics, report::style::Palette};
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
pub(super) fn table(metrics: &BTreeMap<String, CallMetrics>, palette: Palette) -> String {
    let rows: Vec<[String; 5]> = metrics.iter().map(|(key, metrics)| row(key, *metrics)).collect();
    let widths: [usize; 5] = std::array::from_fn(|i| {
        rows.iter().map(|row| row[i].chars().count()).chain([COLUMNS[i].0.len()]).max().unwrap_or_default()
            + 2
    });
    let rule = |left: char, right: char| {
        let dashes = widths.map(|width| "-".repeat(width)).join("+");
        format!("{left}{dashes}{right}\n")
    };
    let header = COLUMNS.map(|(title, _)| title.to_owned());
    let mut out = rule('╭', '╮') + &line(&header, &widths, palette);
    out += &format!("+{}+\n", "=".repeat(widths.iter().sum::<usize>() + widths.len() - 1));
    let rows: Vec<_> = rows.iter().map(|row| line(row, &widths, palette)).collect();
    out + &rows.join(&rule('|', '|')) + &rule('╰', '╯')
}

/// Formats a row. A contract created during a run has no path in its key.
fn row(key: &str, metrics: CallMetrics) -> [String; 5] {
    let (contract, function) = key.rsplit_once('.').unwrap_or((key, ""));
    let contract = contract.rsplit_once(':').map_or(contract, |(_, name)| name);
    let numbers = [metrics.calls, metrics.reverts, metrics.discards].map(|n| n.to_string());
    let [calls, reverts, discards] = numbers;
    [contract.to_owned(), function.to_owned(), calls, reverts, discards]
}

fn line(cells: &[String; 5], widths: &[usize; 5], palette: Palette) -> String {
    let mut out = String::from("|");
    for ((cell, width), (_, color)) in cells.iter().zip(widths).zip(COLUMNS) {
        let padded = format!(" {cell:<pad$}", pad = width - 1);
        out += &match color {
            Some(color) => palette.cell(if cell == "0" { WHITE } else { color }, &padded),
            None => padded,
        };
        out.push('|');
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn rows_are_sorted_by_key_and_bare_names_come_first() {
        insta::assert_snapshot!(table(&samples::metrics(), Palette::new(false)), @r"
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
    fn only_numbers_above_zero_are_coloured() {
        let metrics =
            BTreeMap::from([("Bank.pay".to_owned(), CallMetrics { calls: 8, reverts: 0, discards: 0 })]);
        let table = table(&metrics, Palette::new(true)).replace('\u{1b}', "^");
        insta::assert_snapshot!(table.lines().nth(3).unwrap(),
            @"| Bank     | pay      |^[38;5;10m 8     ^[39m|^[38;5;15m 0       ^[39m|^[38;5;15m 0        ^[39m|");
    }
}
