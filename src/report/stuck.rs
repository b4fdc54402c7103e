//! Branches that campaigns are stuck on, for people: the few with the most uncovered code behind them.

use crate::{
    model::{Nearest, Relation, RunReport, Stuck},
    report::{count, style::Palette, visible},
};
use alloy_primitives::U256;
use yansi::Color;

/// Most branches shown in short reports.
pub(super) const SHOWN: usize = 3;

/// Most functions named of each branch.
const FUNCTIONS: usize = 3;

/// Most digits of a number that is shown in full.
const DIGITS: usize = 24;

/// Length of an address in characters.
const ADDRESS: usize = 42;

/// Formats the section of the summary, which begins with a blank line; empty if no branch is stuck.
#[must_use]
pub(super) fn section(report: &RunReport, palette: Palette) -> String {
    if report.stuck.is_empty() {
        return String::new();
    }
    let more = report.stuck.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" (`--report html` shows {more} more)") } else { String::new() };
    let mut out = format!("\nStuck on branches that nothing passed{more}:\n");
    for stuck in report.stuck.iter().take(SHOWN) {
        let place = palette.paint(Color::Cyan, &stuck.place.to_string());
        out += &format!("{place} {}\n", visible(&stuck.condition));
        out += &format!("  behind it: {}\n", behind(stuck));
        out += &format!("  nearest:   {}\n", nearest(&stuck.nearest));
        out += &format!("  reached:   {}\n", reached(stuck));
        out += &format!("  needs:     {}\n", stuck.needs.help());
    }
    out
}

/// Describes the code behind a branch: `7 lines that nothing ran, from src/A.sol:12`.
#[must_use]
pub(super) fn behind(stuck: &Stuck) -> String {
    let lines = stuck.lines();
    let first = lines.first().map(|(path, line)| format!(", from {path}:{line}")).unwrap_or_default();
    format!("{} that nothing ran{first}", count(lines.len(), "line"))
}

/// Describes the calls that reached a branch: `A.f, B.g; 12 calls came no nearer`.
#[must_use]
pub(super) fn reached(stuck: &Stuck) -> String {
    let mut names: Vec<_> = stuck.functions.iter().take(FUNCTIONS).cloned().collect();
    let more = stuck.functions.len() - names.len();
    if more > 0 {
        names.push(format!("{more} more"));
    }
    let mut said: Vec<_> = (!names.is_empty()).then(|| names.join(", ")).into_iter().collect();
    if stuck.tries > 0 {
        let calls = usize::try_from(stuck.tries).unwrap_or(usize::MAX);
        said.push(format!("{} came no nearer", count(calls, "call")));
    }
    said.join("; ")
}

/// Describes the nearest comparison, the relation that is needed, and the distance to it: `5 must be equal to
/// 42, 37 away`.
#[must_use]
pub(super) fn nearest(nearest: &Nearest) -> String {
    let Nearest { relation, left, right, wanted, distance } = nearest;
    let is_truth = |word: &U256| *word <= U256::ONE;
    if *relation == Relation::Equal && right.is_zero() && is_truth(left) {
        return format!("it was {}", if left.is_zero() { "false or zero" } else { "true or one" });
    }
    let signed = *relation == Relation::SignedLess;
    let must = match (relation, wanted) {
        (Relation::Equal, true) => "must be equal to",
        (Relation::Equal, false) => "must differ from",
        (_, true) => "must be less than",
        (_, false) => "must be at least",
    };
    // The distance between addresses or hashes has no meaning.
    let is_number = |word: &U256| signed || word.bit_len() <= 128;
    let away = match relation {
        Relation::Equal if !is_number(left) || !is_number(right) => String::new(),
        _ => format!(", {} away", digits(&distance.to_string())),
    };
    format!("{} {must} {}{away}", word(*left, signed), word(*right, signed))
}

/// Formats a number; one that is too large, such as an address or a hash, is formatted in hexadecimal digits.
fn word(word: U256, signed: bool) -> String {
    if signed && word.bit(255) {
        return format!("-{}", digits(&(U256::ZERO.wrapping_sub(word)).to_string()));
    }
    let decimal = word.to_string();
    let hex = format!("{word:#x}");
    match decimal.len() {
        ..=DIGITS => decimal,
        _ if hex.len() <= ADDRESS => hex,
        _ => format!("{}…{}", &hex[..10], &hex[hex.len() - 8..]),
    }
}

/// Formats digits as `12345`, or as `1.15e77` if there are too many.
fn digits(digits: &str) -> String {
    if digits.len() <= DIGITS {
        return digits.to_owned();
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn the_branches_with_most_code_behind_them_are_told_of() {
        let report = RunReport { stuck: vec![samples::stuck(); 4], ..RunReport::default() };
        insta::assert_snapshot!(section(&report, Palette::new(false)).trim_start(), @r"
        Stuck on branches that nothing passed (`--report html` shows 1 more):
        src/Vault.sol:12:9 if (amount == magic)
          behind it: 2 lines that nothing ran, from src/Vault.sol:13
          nearest:   5 must be equal to 4716, 4711 away
          reached:   Vault.deposit; 812 calls came no nearer
          needs:     another value: a `fixture` function for the parameter, or a handler that bounds it
        src/Vault.sol:12:9 if (amount == magic)
          behind it: 2 lines that nothing ran, from src/Vault.sol:13
          nearest:   5 must be equal to 4716, 4711 away
          reached:   Vault.deposit; 812 calls came no nearer
          needs:     another value: a `fixture` function for the parameter, or a handler that bounds it
        src/Vault.sol:12:9 if (amount == magic)
          behind it: 2 lines that nothing ran, from src/Vault.sol:13
          nearest:   5 must be equal to 4716, 4711 away
          reached:   Vault.deposit; 812 calls came no nearer
          needs:     another value: a `fixture` function for the parameter, or a handler that bounds it
        ");
        assert_eq!(section(&RunReport::default(), Palette::new(false)), "");
    }

    #[test]
    fn words_are_shown_as_they_were_compared() {
        let minus = U256::ZERO.wrapping_sub(U256::from(5));
        let at = |relation: Relation, left, right, wanted| {
            nearest(&Nearest { relation, left, right, wanted, distance: relation.cost(left, right) })
        };
        let two = U256::from(2);
        assert_eq!(at(Relation::SignedLess, minus, two, false), "-5 must be at least 2, 7 away");
        assert_eq!(at(Relation::Less, U256::from(9), two, true), "9 must be less than 2, 8 away");
        assert_eq!(at(Relation::Equal, minus, two, true), "0xffffffff…fffffffb must be equal to 2");
        assert_eq!(at(Relation::Equal, two, two, false), "2 must differ from 2, 1 away");
        assert_eq!(at(Relation::Equal, U256::ZERO, U256::ZERO, false), "it was false or zero");
    }
}
