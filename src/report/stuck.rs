//! What campaigns are stuck on, for people: the few branches that most code is behind which nothing ran.

use crate::{
    model::{Nearest, Relation, RunReport, Stuck},
    report::{count, style::Palette, visible},
};
use alloy_primitives::U256;
use yansi::Color;

/// Branches shown where there is not much room.
pub(super) const SHOWN: usize = 3;

/// Functions named of each.
const FUNCTIONS: usize = 3;

/// Numbers of more digits are shown in another way.
const DIGITS: usize = 24;

/// Characters of an address.
const ADDRESS: usize = 42;

/// The section of the summary, beginning with a blank line; empty where nothing is stuck.
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

/// `7 lines that nothing ran, from src/A.sol:12`.
#[must_use]
pub(super) fn behind(stuck: &Stuck) -> String {
    let lines = stuck.lines();
    let first = lines.first().map(|(path, line)| format!(", from {path}:{line}")).unwrap_or_default();
    format!("{} that nothing ran{first}", count(lines.len(), "line"))
}

/// `A.f, B.g; 12 calls came no nearer`.
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

/// `5 must be 42, 37 away`: what was compared, what it would have to be, and how far that is.
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
    // Of addresses and hashes it says nothing.
    let is_number = |word: &U256| signed || word.bit_len() <= 128;
    let away = match relation {
        Relation::Equal if !is_number(left) || !is_number(right) => String::new(),
        _ => format!(", {} away", digits(&distance.to_string())),
    };
    format!("{} {must} {}{away}", word(*left, signed), word(*right, signed))
}

/// A number, or hexadecimal digits where it is too large to be one: an address, a hash.
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

/// `12345`, or `1.15e77`.
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
