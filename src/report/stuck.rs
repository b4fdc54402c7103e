//! Branches that campaigns are stuck on, for people: the few with the most uncovered code behind them.

use crate::{
    model::{Nearest, Need, Relation, RunReport, Stuck},
    report::{count, style::Palette, visible},
};
use alloy_primitives::U256;
use std::collections::BTreeSet;
use yansi::Color;

/// Most branches shown in short reports.
pub(super) const SHOWN: usize = 3;

/// Most functions named of each branch.
const FUNCTIONS: usize = 3;

/// Most digits of a number that is shown in full.
const DIGITS: usize = 24;

/// Length of an address in characters.
const ADDRESS: usize = 42;

/// Largest number of bits of a word that is taken for a number, and for no address. Basis: amounts with 18 decimals.
const ADDRESS_BITS: usize = 128;

/// Most changes named that may pass a branch.
const CHANGES: usize = 2;

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
        out += &format!("  {}\n", reached(stuck));
        for (label, text) in
            [("nearest", nearest(stuck)), ("behind it", behind(stuck)), ("needs", advice(stuck))]
        {
            if !text.is_empty() {
                out += &format!("  {label}: {text}\n");
            }
        }
    }
    out
}

/// Describes what may change the values that a branch compares; empty if nothing is known.
#[must_use]
pub(super) fn advice(stuck: &Stuck) -> String {
    let advice: Vec<_> = stuck.needs.iter().take(CHANGES).map(|need| change(*need, stuck)).collect();
    advice.join("; or ")
}

fn change(need: Need, stuck: &Stuck) -> String {
    let text = match need {
        Need::Role => "another caller: give the role to a target sender in setUp, or prank in a handler",
        Need::Time => "another time: a larger `max_time_delay` or `max_block_delay`, or vm.warp in a handler",
        Need::Hash => "what a hash or a signature is made of: let a handler compute it",
        Need::Ether => "ether: deal it in setUp, or let a payable handler send it",
        Need::Call => "a call that ends otherwise: see what it calls, and what setUp gave to that",
        Need::Value => {
            "another argument: a `fixture` function for the parameter, or a handler that bounds it"
        }
        Need::State if stuck.writers.is_empty() => {
            "another state, and no call that succeeded changed what is compared: change it in a handler or in setUp"
        }
        Need::State => {
            let writers = listed(&stuck.writers);
            return match stuck.is_unwritten {
                true => format!(
                    "another state: {writers} changed a part of what is compared, and no call that succeeded the rest"
                ),
                false => {
                    format!(
                        "another state: {writers} changed what is compared, but not enough or not in time"
                    )
                }
            };
        }
        Need::Deployment => {
            "another setUp or another handler: no argument, caller, time or state changes what is compared"
        }
    };
    text.to_owned()
}

/// Describes the code behind a branch: `7 lines that nothing ran, from src/A.sol:12`.
#[must_use]
pub(super) fn behind(stuck: &Stuck) -> String {
    let lines = stuck.lines();
    let first = lines.first().map(|(path, line)| format!(", from {path}:{line}")).unwrap_or_default();
    format!("{} that nothing ran{first}", count(lines.len(), "line"))
}

/// Describes the calls that reached a branch: `never true in calls of A.f, B.g`.
#[must_use]
pub(super) fn reached(stuck: &Stuck) -> String {
    let result = stuck.never.map_or("not passed".to_owned(), |never| format!("never {never}"));
    match stuck.functions.is_empty() {
        true => result,
        false => format!("{result} in calls of {}", listed(&stuck.functions)),
    }
}

fn listed(functions: &BTreeSet<String>) -> String {
    let mut names: Vec<_> = functions.iter().take(FUNCTIONS).map(|name| visible(name)).collect();
    let more = functions.len() - names.len();
    if more > 0 {
        names.push(format!("{more} more"));
    }
    names.join(", ")
}

/// Describes the values of the nearest execution: `amount was 5, magic was 4716; 4711 away`. Empty if they say nothing.
#[must_use]
pub(super) fn nearest(stuck: &Stuck) -> String {
    compared(&stuck.condition, &stuck.nearest)
}

/// Describes the compared values of a condition, by the names that the source has for them if it compares once. Empty
/// if the values say nothing.
#[must_use]
pub(super) fn compared(condition: &str, nearest: &Nearest) -> String {
    let Nearest { relation, left, right, distance, .. } = nearest;
    let signed = *relation == Relation::SignedLess;
    let inner = inner(condition);
    let comparison = Comparison::of(inner, *relation);
    let texts = comparison.map(|Comparison { left, right }| [left, right]);
    // The distance between addresses or hashes has no meaning, and the digits of an address have none in decimal.
    let is_address = |word: &U256| (ADDRESS_BITS + 1..=160).contains(&word.bit_len());
    let are_accounts = *relation == Relation::Equal
        && ([left, right].into_iter().any(is_address)
            || texts.is_some_and(|texts| texts.into_iter().any(is_account)));
    let is_hash = *relation == Relation::Equal && left.max(right).bit_len() > 160;
    let shown = |value: &U256| if are_accounts { format!("{value:#x}") } else { word(*value, signed) };
    let away = match are_accounts || is_hash {
        true => String::new(),
        false => format!("; {} away", digits(&distance.to_string())),
    };
    match texts {
        Some([a, b]) => {
            let named = |text: &str, value: &U256| {
                (!is_literal(text)).then(|| format!("{} was {}", visible(text), shown(value)))
            };
            let values: Vec<_> = [named(a, left), named(b, right)].into_iter().flatten().collect();
            if values.is_empty() { String::new() } else { format!("{}{away}", values.join(", ")) }
        }
        None if is_bare(inner) => {
            let is_flag = *relation == Relation::Equal && right.is_zero() && *left <= U256::ONE;
            let text = visible(inner.trim_start_matches(['!', ' ']));
            if is_flag { format!("{text} was {}", !left.is_zero()) } else { String::new() }
        }
        None if *left.max(right) <= U256::ONE => String::new(),
        None => format!("compared {} with {}{away}", shown(left), shown(right)),
    }
}

/// Returns the condition of a statement, without the arguments that follow it in `require`.
fn inner(condition: &str) -> &str {
    let inner = ["if", "while", "require", "assert"].iter().find_map(|word| {
        let rest = condition.strip_prefix(word)?.trim_start();
        let end = closing(rest)?;
        rest.get(1..end)
    });
    let Some(inner) = inner else { return condition };
    let end = symbols(inner).into_iter().find(|(_, symbol)| *symbol == ",");
    inner[..end.map_or(inner.len(), |(at, _)| at)].trim()
}

/// Tells whether a condition is a value or its negation, and compares nothing itself.
fn is_bare(inner: &str) -> bool {
    !inner.ends_with('…') && symbols(inner).is_empty()
}

/// Source texts of the operands of a comparison, in the order of the compared values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Comparison<'a> {
    left: &'a str,
    right: &'a str,
}

impl<'a> Comparison<'a> {
    /// Finds the operands in a condition that makes one comparison and nothing else.
    fn of(inner: &'a str, relation: Relation) -> Option<Self> {
        match symbols(inner)[..] {
            [(start, operator)] => Self::at(inner, operator, start, relation),
            _ => None,
        }
    }

    /// Returns the operands of an operator at `start`, if it compiles to this relation.
    fn at(text: &'a str, operator: &str, start: usize, relation: Relation) -> Option<Self> {
        let (a, b) = (text[..start].trim(), text[start + operator.len()..].trim());
        match (operator, relation) {
            ("==" | "!=", Relation::Equal) => Some(Self { left: a, right: b }),
            ("<" | ">=", Relation::Less | Relation::SignedLess) => Some(Self { left: a, right: b }),
            (">" | "<=", Relation::Less | Relation::SignedLess) => Some(Self { left: b, right: a }),
            _ => None,
        }
    }
}

/// Returns the index of the bracket that closes the one with which the text begins.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(at)
    })
}

/// Returns the operators of a condition that decide or separate, outside of all brackets, with their positions.
fn symbols(text: &str) -> Vec<(usize, &'static str)> {
    const SYMBOLS: [&str; 15] =
        ["<<", ">>", "=>", "&&", "||", "<=", ">=", "==", "!=", "<", ">", "?", ",", "\"", "'"];
    let (mut found, mut depth, mut at) = (Vec::new(), 0, 0);
    while let Some(c) = text[at..].chars().next() {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        let symbol = SYMBOLS.into_iter().find(|symbol| text[at..].starts_with(symbol));
        match symbol {
            Some("\"" | "'") => return found,
            Some(symbol) if depth == 0 && !matches!(symbol, "<<" | ">>" | "=>") => found.push((at, symbol)),
            _ => {}
        }
        at += symbol.map_or(c.len_utf8(), str::len);
    }
    found
}

/// Tells whether an operand is an account, as far as its text shows.
fn is_account(text: &str) -> bool {
    ["msg.sender", "tx.origin", "_msgSender()"].contains(&text) || text.starts_with("address(")
}

/// Tells whether an operand is a number in the source, such as `1_000 ether`.
fn is_literal(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || " _.".contains(c))
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
        let mut all = vec![samples::stuck(); 4];
        all[1] = Stuck {
            needs: vec![Need::Role, Need::State],
            never: None,
            functions: BTreeSet::new(),
            ..samples::stuck()
        };
        all[2] = Stuck { condition: "if (open)".into(), needs: Vec::new(), ..all[1].clone() };
        all[1].writers = ["Token.approve".to_owned()].into();
        let report = RunReport { stuck: all, ..RunReport::default() };
        insta::assert_snapshot!(section(&report, Palette::new(false)).trim_start(), @"
        Stuck on branches that nothing passed (`--report html` shows 1 more):
        src/Vault.sol:12:9 if (amount == magic)
          never true in calls of Vault.deposit
          nearest: amount was 5, magic was 4716; 4711 away
          behind it: 2 lines that nothing ran, from src/Vault.sol:13
          needs: another argument: a `fixture` function for the parameter, or a handler that bounds it
        src/Vault.sol:12:9 if (amount == magic)
          not passed
          nearest: amount was 5, magic was 4716; 4711 away
          behind it: 2 lines that nothing ran, from src/Vault.sol:13
          needs: another caller: give the role to a target sender in setUp, or prank in a handler; or another state: Token.approve changed what is compared, but not enough or not in time
        src/Vault.sol:12:9 if (open)
          not passed
          behind it: 2 lines that nothing ran, from src/Vault.sol:13
        ");
        assert_eq!(section(&RunReport::default(), Palette::new(false)), "");
    }

    fn at(condition: &str, relation: Relation, left: u64, right: u64) -> String {
        let (left, right) = (U256::from(left), U256::from(right));
        let distance = relation.cost(left, right);
        compared(condition, &Nearest { relation, left, right, wanted: true, distance })
    }

    #[test]
    fn values_have_the_names_of_the_source() {
        let less = Relation::Less;
        assert_eq!(at("if (i < users.length)", less, 0, 0), "i was 0, users.length was 0; 1 away");
        assert_eq!(at("if (block.timestamp > 4_000)", less, 4000, 1), "block.timestamp was 1; 4000 away");
        assert_eq!(at("require(a[f(x, y)] >= 2 ether, \"a < b\")", less, 1, 3), "a[f(x, y)] was 1; 2 away");
        let sender = at("require(msg.sender == owner)", Relation::Equal, 0xcafe, 0xad);
        assert_eq!(sender, "msg.sender was 0xcafe, owner was 0xad");
        assert_eq!(at("x == y", Relation::Equal, 3, 5), "x was 3, y was 5; 2 away");
        assert_eq!(at("assert(1 << n <= max)", less, 7, 9), "max was 7, 1 << n was 9; 2 away");
    }

    #[test]
    fn values_without_names_are_told_as_they_were_compared() {
        for condition in ["if (a < b && c < d)", "if (ok ? a < b : c)", "if (a == b)", "if (a < b < c)"] {
            assert_eq!(at(condition, Relation::Less, 1, 2), "compared 1 with 2; 1 away", "{condition}");
        }
        assert_eq!(at("if (!open[f(a < b)])", Relation::Equal, 0, 0), "open[f(a < b)] was false");
        assert_eq!(at("require(open, \"a, b\")", Relation::Equal, 1, 0), "open was true");
        assert_eq!(at("require(open, \"a, b\")", Relation::Equal, 7, 9), "");
        assert_eq!(at("if (a && b)", Relation::Equal, 0, 0), "");
        let minus = U256::ZERO.wrapping_sub(U256::from(5));
        let signed = Nearest {
            relation: Relation::SignedLess,
            left: minus,
            right: U256::from(2),
            wanted: false,
            distance: Relation::SignedLess.cost(minus, U256::from(2)),
        };
        assert_eq!(compared("f() == x", &signed), "compared -5 with 2; 7 away");
        let hash = Nearest { relation: Relation::Equal, ..signed };
        assert_eq!(compared("f() < x", &hash), "compared 0xffffffff…fffffffb with 2");
    }
}
