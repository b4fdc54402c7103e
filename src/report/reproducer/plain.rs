//! The plain form of a reproducer, for calls that a person could write: typed calls that all succeed, on variables of
//! the test contract.

use super::{Reproducer, ReproducerGoal, ReproducerInput, header, import};
use crate::{model::Input, report::literal};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, U256};

/// Names in the test contract that the plain form uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainNames {
    /// Expression for the target of each call: a variable, a conversion of an address, or `this`.
    pub receivers: Vec<String>,
    /// Contracts that the expressions name, each with the path of its source.
    pub imports: Vec<(String, String)>,
    /// True if the contract has Forge's cheatcodes as `vm`.
    pub has_vm: bool,
}

/// Names of the senders, in the order in which they call.
pub const ACTORS: [&str; 6] = ["alice", "bob", "carol", "dave", "erin", "frank"];

/// Cheatcodes for a test contract that has none: name and declaration.
const VM: [(&str, &str); 4] = [
    ("prank", "function prank(address sender, address origin) external;"),
    ("deal", "function deal(address account, uint256 balance) external;"),
    ("warp", "function warp(uint256 timestamp) external;"),
    ("roll", "function roll(uint256 number) external;"),
];

/// Writes the interface of the cheatcodes that a body uses; empty if it uses none.
fn cheatcodes(body: &str) -> String {
    let used = VM.iter().filter(|(name, _)| body.contains(&format!("{CHEATCODES}.{name}(")));
    let functions: String = used.map(|(_, declaration)| format!("    {declaration}\n")).collect();
    if functions.is_empty() { functions } else { format!("interface ReproVm {{\n{functions}}}\n\n") }
}

/// Writes the test in the plain form, under these names of its file, contract and function.
pub(super) fn plain(input: &ReproducerInput<'_>, names: &PlainNames, named: Reproducer) -> Reproducer {
    let Reproducer { path, contract, test, .. } = &named;
    let suite = input.suite.bare_name();
    let mut imports = vec![(suite.to_owned(), input.suite.path.clone())];
    imports.extend(names.imports.iter().filter(|(name, _)| name != suite).cloned());
    let imports: String = imports
        .iter()
        .map(|(name, from)| format!("import {{{name}}} from {};\n", literal::string(&import(path, from))))
        .collect();
    let body = body(input, names);
    let interface = cheatcodes(&body);
    let vm = match interface.is_empty() {
        true => "",
        false => {
            "    ReproVm private constant reproVm = ReproVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);\n\n"
        }
    };
    let source = [
        header::header(input, path, test),
        format!("pragma solidity >=0.6.2;\n\n{imports}\n"),
        interface,
        header::settings(input.comments[0], &["invariant"], ""),
        format!("contract {contract} is {suite} {{\n"),
        vm.to_owned(),
        header::settings(input.comments[1], &["invariant", "sender"], "    "),
        format!("    function {test}() public {{\n{body}    }}\n\n"),
        header::marker(suite),
        "}\n".to_owned(),
    ];
    let source = source.concat();
    Reproducer { source, ..named }
}

/// Writes the actors, the calls, and the check that shows the failure.
fn body(input: &ReproducerInput<'_>, names: &PlainNames) -> String {
    let vm = if names.has_vm { "vm" } else { CHEATCODES };
    let mut actors: Vec<Address> = Vec::new();
    let mut calls = Vec::new();
    for (call, receiver) in input.calls.iter().zip(&names.receivers) {
        let tx = &call.tx;
        for (cheatcode, clock, delay) in [("warp", "timestamp", tx.warp), ("roll", "number", tx.roll)] {
            if !delay.is_zero() {
                calls.push(format!("{vm}.{cheatcode}(block.{clock} + {delay});"));
            }
        }
        if receiver != THIS {
            let place = actors.iter().position(|actor| *actor == tx.sender).unwrap_or_else(|| {
                actors.push(tx.sender);
                actors.len() - 1
            });
            let actor = actor(place);
            if !tx.value.is_zero() {
                calls.push(format!("if ({actor}.balance < {0}) {vm}.deal({actor}, {0});", tx.value));
            }
            calls.push(format!("{vm}.prank({actor}, {actor});"));
        }
        let value = if tx.value.is_zero() { String::new() } else { format!("{{value: {}}}", tx.value) };
        calls.push(format!("{receiver}.{}{value}({});", name(&tx.input), arguments(&tx.input)));
    }
    let reason = literal::comment(input.reason, REASON);
    match input.goal {
        ReproducerGoal::Invariant { signature, after_invariant } => {
            calls.push(format!("this.{signature}; // fails: {reason}"));
            calls.extend(after_invariant.then(|| "this.afterInvariant();".to_owned()));
        }
        _ => {
            if let Some(last) = calls.last_mut() {
                *last += &format!(" // fails: {reason}");
            }
        }
    }
    let senders = actors.iter().enumerate();
    let senders = senders.map(|(place, sender)| format!("address {} = {};", actor(place), account(*sender)));
    senders.chain(calls).map(|line| format!("        {line}\n")).collect()
}

/// Constant with the cheatcodes, for a test contract that has none.
pub const CHEATCODES: &str = "reproVm";

/// Tells whether all arguments of a call have literals.
#[must_use]
pub fn has_literals(args: &[DynSolValue]) -> bool {
    args.iter().all(|arg| literal::value(arg).is_some())
}

/// Expression for the test contract itself.
pub const THIS: &str = "this";

/// Longest reason in a comment, in characters.
const REASON: usize = 80;

/// Returns the name of the sender at this place among the senders, in the order in which they first call.
pub(in crate::report) fn actor(place: usize) -> String {
    match ACTORS.get(place) {
        Some(name) => (*name).to_owned(),
        None => format!("actor{place}"),
    }
}

/// Writes an address, a small one as a number.
fn account(address: Address) -> String {
    let number = U256::from_be_bytes(address.into_word().0);
    if number.bit_len() <= 64 { format!("address({number:#x})") } else { address.to_string() }
}

fn name(input: &Input) -> &str {
    match input {
        Input::Typed { function, .. } => &function.name,
        Input::Raw(_) => "",
    }
}

fn arguments(input: &Input) -> String {
    let Input::Typed { args, .. } = input else { return String::new() };
    args.iter().filter_map(literal::value).collect::<Vec<_>>().join(", ")
}
