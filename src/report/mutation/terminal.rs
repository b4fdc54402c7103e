//! Text for people: scores, and survivors as differences of the source.

use super::{MutationScene, command, contract, counts_by, difference, effect, notes, score};
use crate::{
    model::{MutantCounts, MutantVerdict, MutationReport, TestedMutant},
    report::{
        count,
        style::Palette,
        table::{Cell, TableForm, table},
        visible,
    },
};
use yansi::Color;

/// Most survivors that are shown; reports have all of them.
const MOST_SURVIVORS: usize = 20;

/// Formats the results: survivors, a table of the contracts, and the totals.
#[must_use]
pub fn summary(report: &MutationReport, scene: &MutationScene, color: bool, markdown: bool) -> String {
    let palette = Palette::new(color);
    let survivors = report.survivors();
    let mut out = String::new();
    if !survivors.is_empty() {
        out += "\nChanges that no test notices, the most important first:\n";
    }
    for (index, survivor) in survivors.iter().take(MOST_SURVIVORS).enumerate() {
        out += &self::survivor(index + 1, survivor, scene, palette);
    }
    if survivors.len() > MOST_SURVIVORS {
        let more = survivors.len() - MOST_SURVIVORS;
        out += &format!("\n{more} more are in the reports (`--report json`, markdown, sarif or html)\n");
    }
    out += &contracts(report, TableForm { palette, markdown });
    out += &totals(report, palette);
    out
}

/// Formats mutants without verdicts.
#[must_use]
pub fn list<'a>(mutants: impl IntoIterator<Item = (&'a str, String)>) -> String {
    mutants.into_iter().map(|(id, text)| visible(&format!("{id} {text}\n"))).collect()
}

fn survivor(number: usize, tested: &TestedMutant, scene: &MutationScene, palette: Palette) -> String {
    let head = format!(
        "\n[{number}] {} in {} ({})\n",
        tested.mutant.operator,
        tested.mutant.surroundings(),
        tested.place
    );
    let mut out = visible(&head);
    for (lines, color) in difference(tested).iter().zip([Color::Red, Color::Green]) {
        for line in lines.lines() {
            out += &format!("    {}\n", palette.paint(color, &visible(line)));
        }
    }
    out += &visible(&format!("    {}\n", effect(tested)));
    if let MutantVerdict::Survived { difference: Some(difference) } = &tested.verdict {
        out += &visible(&format!("    calls of {}:\n", difference.suite));
        for call in &difference.calls {
            out += &visible(&format!("      {call}\n"));
        }
    }
    out + &format!("    {}\n", command(tested, scene))
}

fn contracts(report: &MutationReport, form: TableForm) -> String {
    let header =
        ["Contract", "Killed", "Survived", "Not reached", "Score"].map(|name| (name.to_owned(), None));
    let counted = counts_by(report, contract);
    let rows: Vec<Vec<Cell>> = counted.iter().map(|(name, counts)| row(name, counts)).collect();
    if rows.is_empty() { String::new() } else { format!("\n{}", table(&header, &rows, form)) }
}

fn row(name: &str, counts: &MutantCounts) -> Vec<Cell> {
    let MutantCounts { killed, survived, not_reached, .. } = *counts;
    let cells =
        [visible(name), killed.to_string(), survived.to_string(), not_reached.to_string(), score(counts)];
    cells.into_iter().map(|cell| (cell, None)).collect()
}

fn totals(report: &MutationReport, palette: Palette) -> String {
    let counts = report.counts();
    let MutantCounts { killed, killed_without_search, .. } = counts;
    let color = if killed == counts.counted() { Color::Green } else { Color::Yellow };
    let mut out = format!(
        "\nScore: {}, {killed} of {} killed ({killed_without_search} without a search)\n",
        palette.paint(color, &score(&counts)),
        count(counts.counted(), "mutant")
    );
    out += &notes(report).iter().map(|note| visible(&format!("{note}\n"))).collect::<String>();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::mutation::samples;

    #[test]
    fn survivors_come_before_the_scores() {
        insta::assert_snapshot!(summary(&samples::report(), &samples::scene(), false, false), @r"

        Changes that no test notices, the most important first:

        [1] dropped-write in Bank.deposit (src/Bank.sol:6:9)
            -        total += amount;
            +        total = amount;
            no test notices that storage differs: slot 0x0 of Bank becomes 0x2 with the change, slot 0x0 of Bank becomes 0x3 without it
            calls of test/Bank.t.sol:BankTest:
              Bank.deposit(1) from 0xbeef
              Bank.deposit(2) from 0xbeef
            forge-harvey test --unit --mutant cache/harvey/mutants/a4

        [2] rounding in Bank.deposit (src/Bank.sol:5:9)
            -        total += amount;
            +        total = amount;
            no test fails, and no stored input shows a difference
            forge-harvey test --unit --mutant cache/harvey/mutants/a3

        [3] relational in Bank.deposit (src/Bank.sol:7:9)
            -        total += amount;
            +        total = amount;
            no test runs this code
            forge-harvey test --unit --mutant cache/harvey/mutants/a5

        ╭----------+--------+----------+-------------+--------╮
        | Contract | Killed | Survived | Not reached | Score  |
        +=====================================================+
        | Bank     | 2      | 2        | 1           | 40.0 % |
        ╰----------+--------+----------+-------------+--------╯

        Score: 40.0 %, 2 of 5 mutants killed (1 without a search)
        Not counted: 1 compile to the same code, 1 compile to the code of another mutant, 1 do not compile
        These tests fail without a change, and are left out: test_broken() of BankTest
        a9 cannot be tested: disk full
        2 mutants without a verdict; the next run goes on with them
        ");
    }
}
