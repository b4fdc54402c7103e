//! Sequences of calls, with short names of the senders.

use crate::{
    model::SequenceCall,
    report::{
        problem::{CallParts, Problem, short},
        reproducer, visible as text,
    },
};
use alloy_primitives::Address;
use maud::{Markup, html};

/// A sender and its name on the page.
struct NamedSender {
    address: Address,
    name: String,
}

/// Renders the calls of a failure, and then the addresses of their senders.
pub(super) fn sequence(problem: Problem<'_>) -> Markup {
    let calls = problem.counterexample().map(|shown| &shown.calls[..]).unwrap_or_default();
    let senders = senders(problem, calls);
    html! {
        @if !calls.is_empty() {
            ol .calls { @for of in calls { li { (call(problem, of, &senders)) } } }
            dl .senders aria-label="Senders" {
                @for NamedSender { address, name } in &senders {
                    div { dt { (text(name)) } dd { code { (address) } } }
                }
            }
        }
    }
}

fn call(problem: Problem<'_>, of: &SequenceCall, senders: &[NamedSender]) -> Markup {
    let CallParts { called, rest } = problem.call_parts(of);
    let sender = senders.iter().find(|sender| sender.address == of.tx.sender);
    html! {
        code { (text(&called)) }
        @if let Some(NamedSender { address, name }) = sender {
            " from " span .sender title=(address) { (text(name)) }
        }
        (text(&rest))
    }
}

/// Returns the senders in the order in which they first call. Those without a label have the names that the
/// reproducer gives them.
fn senders(problem: Problem<'_>, calls: &[SequenceCall]) -> Vec<NamedSender> {
    let mut addresses: Vec<Address> = Vec::new();
    for call in calls {
        if !addresses.contains(&call.tx.sender) {
            addresses.push(call.tx.sender);
        }
    }
    let labels: Vec<_> = addresses.iter().map(|address| problem.label(*address)).collect();
    let name = |(place, address): (usize, &Address)| {
        let given = reproducer::actor(place);
        let is_label = labels.iter().flatten().any(|label| label.eq_ignore_ascii_case(&given));
        let name = match labels[place] {
            Some(label) => label.to_owned(),
            // Two senders must not seem to be one.
            None if is_label => short(*address),
            None => given,
        };
        NamedSender { address: *address, name }
    };
    addresses.iter().enumerate().map(name).collect()
}
