//! What campaigns are stuck on, for people: the few branches that most code is behind which nothing ran.

use crate::{
    model::{CampaignReport, Cost, Nearest, Relation, Stuck},
    report::{count, style::Palette},
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
pub(super) fn section(report: &CampaignReport, palette: Palette) -> String {
    if report.stuck.is_empty() {
        return String::new();
    }
    let more = report.stuck.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" ({more} more in `--report html`)") } else { String::new() };
    let mut out = format!("\nStuck on branches that nothing passed{more}:\n");
    for stuck in report.stuck.iter().take(SHOWN) {
        let place = palette.paint(Color::Cyan, &stuck.place.to_string());
        out += &format!("{place} {}\n", stuck.condition);
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
    let first = stuck.behind.first().map(|(path, line)| format!(", from {path}:{line}")).unwrap_or_default();
    format!("{} that nothing ran{first}", count(stuck.behind.len(), "line"))
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

/// `5 == 42, 37 away`: what was compared, and how far that is from the other outcome.
#[must_use]
pub(super) fn nearest(nearest: &Nearest) -> String {
    let Nearest { relation, left, right, distance } = nearest;
    let sign = match relation {
        Relation::Equal if left == right => "==",
        Relation::Equal => "!=",
        Relation::Less | Relation::SignedLess if relation.holds(*left, *right) => "<",
        Relation::Less | Relation::SignedLess => ">=",
    };
    let signed = *relation == Relation::SignedLess;
    format!("{} {sign} {}, {} away", word(*left, signed), word(*right, signed), cost(*distance))
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

fn cost(cost: Cost) -> String {
    digits(&cost.to_string())
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
        let report = CampaignReport { stuck: vec![samples::stuck(); 4], ..CampaignReport::default() };
        insta::assert_snapshot!(section(&report, Palette::new(false)).replacen("\nsrc", "\n\nsrc", 1), @r"

        Stuck on branches that nothing passed (1 more in `--report html`):

        src/Vault.sol:12:9 if (amount == magic)
          behind it: 2 lines that nothing ran, from src/Vault.sol:13
          nearest:   5 != 4716, 4711 away
          reached:   Vault.deposit; 812 calls came no nearer
          needs:     another value: a `fixture` function for the parameter, or a handler that bounds it
        src/Vault.sol:12:9 if (amount == magic)
          behind it: 2 lines that nothing ran, from src/Vault.sol:13
          nearest:   5 != 4716, 4711 away
          reached:   Vault.deposit; 812 calls came no nearer
          needs:     another value: a `fixture` function for the parameter, or a handler that bounds it
        src/Vault.sol:12:9 if (amount == magic)
          behind it: 2 lines that nothing ran, from src/Vault.sol:13
          nearest:   5 != 4716, 4711 away
          reached:   Vault.deposit; 812 calls came no nearer
          needs:     another value: a `fixture` function for the parameter, or a handler that bounds it
        ");
        assert_eq!(section(&CampaignReport::default(), Palette::new(false)), "");
    }

    #[test]
    fn words_are_shown_as_they_were_compared() {
        let minus = U256::ZERO.wrapping_sub(U256::from(5));
        let at = |relation: Relation, left, right| {
            nearest(&Nearest { relation, left, right, distance: relation.cost(left, right) })
        };
        assert_eq!(at(Relation::SignedLess, minus, U256::from(2)), "-5 < 2, 7 away");
        assert_eq!(at(Relation::Less, U256::from(9), U256::from(2)), "9 >= 2, 8 away");
        assert_eq!(at(Relation::Equal, minus, U256::from(2)), "0xffffffff…fffffffb != 2, 1.15e77 away");
    }
}
