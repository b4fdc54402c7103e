//! Tests of the operators: each changes what it should, and leaves other things alone.

use super::*;
use crate::{
    mutation::{reader, state_variables::StateVariables},
    project::parsed,
};

/// Declarations that all cases share.
const MEMBERS: &str = "
    struct Order { uint256 amount; address to; }
    address owner;
    uint256 total;
    bool paused;
    mapping(address => uint256) balances;
    mapping(uint256 => Order) orders;
    event Paid(address to, uint256 amount);
    error Wrong();
    modifier onlyOwner() { _; }
    function other(address from, address to, uint256 amount) internal {}
";

/// Returns what an operator changes in the members of a contract, as `before => after`.
fn changes(operator: &'static MutationOperator, members: &str) -> Vec<String> {
    changes_of(operator, &format!("contract C {{{MEMBERS}{members}}}"))
}

/// Returns what an operator changes in a source.
fn changes_of(operator: &'static MutationOperator, source: &str) -> Vec<String> {
    let (_directory, sources) = parsed(source);
    let mut found = Vec::new();
    sources.each(|_, source| {
        let text = source.file.src.as_str();
        let mut variables = StateVariables::default();
        variables.read(source, text);
        let mutants = reader::read(source, "src/A.sol", text, &variables, &[operator]);
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        found.extend(mutants.into_iter().map(|mutant| {
            let [before, after] = [&mutant.original, &mutant.replacement].map(|text| plain(text));
            format!("{before} => {after}").trim_end().to_owned()
        }));
    });
    found
}

/// Operators with a function that they change, the changes, and one that they leave alone.
const CASES: [(&str, &str, &[&str], &str); 27] = [
    (
        "integer-overflow",
        "function f(uint256 a, uint256 b) external returns (uint256) { uint256 c = a + b; total += c; return a * c; }",
        &[
            "uint256 c = a + b; => uint256 c; unchecked { c = a + b; }",
            "total += c; => unchecked { total += c; }",
            "return a * c; => unchecked { return a * c; }",
        ],
        "function f(uint256 a) external { unchecked { total += a; } total -= a; if (a > 1) return; }",
    ),
    (
        "integer-underflow",
        "function f(uint256 a) external { balances[msg.sender] -= a; total = total.sub(a); }",
        &[
            "balances[msg.sender] -= a; => unchecked { balances[msg.sender] -= a; }",
            "total.sub(a) => (total - a)",
        ],
        "function f(uint256 a) external { total += a; }",
    ),
    (
        "division-by-zero",
        "function f(uint256 a, uint256 b, int128 c) external { total = a / b; total = a % 7; total = a / UNIT; c = c / 2; }",
        &["b => (b - b)", "7 => uint256(0)", "UNIT => uint256(0)", "2 => int128(0)"],
        "function f(uint256 a) external { total = a * 2; }",
    ),
    (
        "timestamp",
        "function f(uint256 a) external { require(a > 1, \"\"); if (a < 9) total = a; if (paused) revert Wrong(); }",
        &[
            "a > 1 => (a > 1) && block.timestamp % 2 == 0",
            "a < 9 => (a < 9) && block.timestamp % 2 == 0",
            "paused => (paused) || block.timestamp % 2 != 0",
        ],
        "function f(uint256 a) external { total = a; while (total > 3) total--; } function g(uint256 a) internal pure { require(a > 1); }",
    ),
    (
        "tx-origin",
        "function f() external { require(msg.sender == owner); }",
        &["msg.sender => tx.origin"],
        "function f() external { balances[msg.sender] = 1; }",
    ),
    (
        "unchecked-send",
        "function f(address payable to) external { to.transfer(1); require(to.send(2)); if (!to.send(3)) revert(); }",
        &[
            "to.transfer(1) => to.send(1)",
            "require(to.send(2)); => to.send(2);",
            "if (!to.send(3)) revert(); => to.send(3);",
        ],
        "function f(IToken token) external { token.transfer(owner, 1); bool sent = owner.send(1); }",
    ),
    (
        "repeated-call",
        "function f() external { other(owner, owner, 1); }",
        &["other(owner, owner, 1); => { other(owner, owner, 1); other(owner, owner, 1); }"],
        "function f() external { require(paused); total = 1; emit Paid(owner, 1); }",
    ),
    (
        "relational",
        "function f(uint256 a) external { if (a < 1 || a == 5) total = a; }",
        &["< => >=", "== => !="],
        "function f(uint256 a) external { total = a + 1; }",
    ),
    (
        "logical",
        "function f(bool a, bool b) external { paused = a && b || !a; }",
        &["&& => ||", "|| => &&"],
        "function f(bool a) external { paused = !a; }",
    ),
    (
        "arithmetic",
        "function f(uint256 a) external { total += a; total = a * 2 - a / 3; }",
        &["+= => -=", "* => /", "- => +", "/ => *"],
        "function f(uint256 a) external { total = a | 2; total++; }",
    ),
    (
        "reentrancy",
        "function f(uint256 a) external { balances[msg.sender] = 0; paused = true; msg.sender.call{value: a}(\"\"); }",
        &[
            "balances[msg.sender] = 0; paused = true; msg.sender.call{value: a}(\"\"); => paused = true; \
             msg.sender.call{value: a}(\"\"); balances[msg.sender] = 0;",
            "paused = true; msg.sender.call{value: a}(\"\"); => msg.sender.call{value: a}(\"\"); paused = true;",
        ],
        "function f(uint256 a) external { msg.sender.call{value: a}(\"\"); total = a; uint256 b = total; b = 1; }",
    ),
    (
        "assembly",
        "function f() external { assembly { let a := add(1, 2) if iszero(a) { sstore(0, shl(1, a)) } } }",
        &["add => sub", "iszero(a) => a", "shl => shr"],
        "function f() external { assembly { sstore(0, 1) } total = 1 + 2; }",
    ),
    (
        "assignment",
        "function f(uint256 a, bool b) external { total = a; paused = b; owner = msg.sender; balances[owner] = 0; }",
        &["a => 0", "b => !(b)", "msg.sender => payable(address(0))", "0 => 1"],
        "function f(uint256 a, Order memory o) external { total += a; orders[a] = o; }",
    ),
    (
        "binary-op",
        "function f(uint256 a) external { total = (a & 1) << 3; total |= a ** 2; }",
        &["& => |", "<< => >>", "|= => &=", "** => *"],
        "function f(uint256 a) external { total = a + 1; }",
    ),
    (
        "delete-expression",
        "function f() external { delete total; }",
        &["delete total; => {}"],
        "function f() external { total = 0; }",
    ),
    (
        "elim-delegate",
        "function f(address a) external { a.delegatecall(\"\"); }",
        &["delegatecall => call"],
        "function f(address a) external { a.call(\"\"); }",
    ),
    (
        "require",
        "function f(uint256 a) external { require(a > 1, \"\"); if (a > 9) revert Wrong(); if (paused) { revert(); } }",
        &[
            "require(a > 1, \"\"); => {}",
            "if (a > 9) revert Wrong(); => {}",
            "if (paused) { revert(); } => {}",
        ],
        "function f(uint256 a) external { if (a > 1) revert(); else total = a; if (a > 2) { total = a; revert(); } }",
    ),
    (
        "unary-op",
        "function f(int256 a) external { total++; --total; paused = !paused; a = -a; }",
        &["++ => --", "-- => ++", "!paused => paused", "-a => a"],
        "function f(uint256 a) external { total = a - 1; }",
    ),
    (
        "off-by-one",
        "function f(uint256 a) external { for (uint256 i = 0; i < a; i++) total = i + 1; if (a >= 3) total = 0; }",
        &["< => <=", "i + 1 => i", ">= => >"],
        "function f(uint256 a) external { if (a == 3) total = a + 2; total += 1; }",
    ),
    (
        "rounding",
        "function f(uint256 a, uint256 b) external { total = a * b / total; total = (a + b - 1) / b; \
         total = a.mulDivDown(b, 3); total = Math.ceilDiv(a, b); total = Math.mulDiv(a, b, 3, Math.Rounding.Ceil); }",
        &[
            "a * b / total => (a * b + total - 1) / total",
            "(a + b - 1) / b => a / b",
            "mulDivDown => mulDivUp",
            "Math.ceilDiv(a, b) => (a / b)",
            "Ceil => Floor",
        ],
        "function f(uint256 a, uint256 b) external { total = a / b; total = a * b; }",
    ),
    (
        "swapped-arguments",
        "function f(address a, address b, uint256 c) external { other(a, b, c); other(a, msg.sender, c); }",
        &["a, b => b, a", "a, msg.sender => msg.sender, a"],
        "function f(address a, Order memory o) external { other(a, a, 1); require(paused, \"paused\"); other(a, o.to, max(total, 1)); }",
    ),
    (
        "dropped-modifier",
        "function f() external onlyOwner returns (uint256) { return 1; }",
        &["onlyOwner =>"],
        "constructor() Base(1) {} function f() external virtual onlyOwner;",
    ),
    (
        "dropped-write",
        "function f(uint256 a) external { total = a; orders[a].amount = 3; balances[owner]++; }",
        &["total = a; => {}", "orders[a].amount = 3; => {}", "balances[owner]++; => {}"],
        "function f(uint256 total) external { total = 1; uint256 b; b = 3; delete owner; }",
    ),
    (
        "moved-write",
        "function f(uint256 a) external { total = a; other(owner, owner, total); }",
        &["total = a; other(owner, owner, total); => other(owner, owner, total); total = a;"],
        "function f(uint256 a) external returns (uint256) { total = a; emit Paid(address(0), a); total = a; paused = true; return total; }",
    ),
    (
        "wrong-index",
        "function f(address from, address to, uint256 a) external { balances[from] -= a; }",
        &["from => to", "from => msg.sender"],
        "function f(uint256 a) external { orders[a].amount = 1; orders[3].amount = 1; }",
    ),
    (
        "dropped-event",
        "function f() external { emit Paid(owner, 1); }",
        &["emit Paid(owner, 1); => {}"],
        "function f() external { other(owner, owner, 1); }",
    ),
    (
        "dropped-cap",
        "function f(uint256 a) external { total = min(a, 5); total = Math.max(a, 6); total = a.min(7); }",
        &[
            "min(a, 5) => a",
            "min(a, 5) => 5",
            "Math.max(a, 6) => a",
            "Math.max(a, 6) => 6",
            "a.min(7) => a",
            "a.min(7) => 7",
        ],
        "function f(uint256 a) external { total = cap(a, 5); }",
    ),
];

#[test]
fn operators_change_what_they_say_and_nothing_else() {
    let known: Vec<_> = OPERATORS.into_iter().map(|operator| operator.id).collect();
    for id in &known {
        assert!(CASES.iter().any(|(case, ..)| case == id), "{id} has no case");
    }
    for (id, applies, expected, other) in CASES {
        let operator = operator(id).unwrap();
        assert_eq!(changes(operator, applies), expected, "{id}");
        assert_eq!(changes(operator, other), Vec::<String>::new(), "{id}");
    }
}

#[test]
fn only_compilers_that_check_arithmetic_have_unchecked_blocks() {
    let contract = "contract C { uint256 total; function f(uint256 a) external { total += a; } }";
    let of = |versions: &str| {
        changes_of(&integer_overflow::OPERATOR, &format!("pragma solidity {versions};\n{contract}"))
    };
    let unchecked = ["total += a; => unchecked { total += a; }"];
    assert_eq!(of("^0.8.20"), unchecked);
    assert_eq!(of(">=0.4.0 <0.9.0"), unchecked);
    assert!(of("^0.6.0").is_empty() && of(">=0.5.0 <0.8.0").is_empty());
}
