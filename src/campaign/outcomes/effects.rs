//! Effects of the frames of a call, as hashes and as text.

use crate::model::{DifferenceKind, Frame, Trace, TraceItem};
use alloy_primitives::{Address, U256};
use rustc_hash::{FxHashMap, FxHasher};
use std::{
    collections::BTreeMap,
    hash::{Hash as _, Hasher as _},
};

/// Number of kinds of effects.
pub(super) const KINDS: usize = DifferenceKind::ALL.len();

/// Returns the frames whose effects count, each with true if it succeeded, so that its changes were kept. Frames inside
/// one that failed have no effects but on its result. Cheatcodes have none of their own, and the code that a deployment
/// returns differs anyway.
pub(super) fn kept(trace: &Trace) -> impl Iterator<Item = (&Frame, bool)> {
    let mut all: Vec<bool> = Vec::with_capacity(trace.frames.len());
    let mut counted = Vec::new();
    for frame in &trace.frames {
        let has_effects = frame.parent.is_none_or(|parent| all[parent]);
        let is_kept = has_effects && frame.result.status.is_success();
        all.push(is_kept);
        if has_effects && !frame.builtin {
            counted.push((frame, is_kept));
        }
    }
    counted.into_iter()
}

/// Hasher of the effects of the calls of one run. Addresses count by the order in which they are called first, because
/// the address of a contract that CREATE2 makes depends on its code.
#[derive(Default)]
pub(super) struct EffectHasher {
    addresses: FxHashMap<Address, usize>,
}

impl EffectHasher {
    /// Hashes the effects of a call, by kind.
    pub(super) fn hashes(&mut self, trace: &Trace) -> [u64; KINDS] {
        let mut hashers: [FxHasher; KINDS] = Default::default();
        for (frame, is_kept) in kept(trace) {
            let Frame { message, result, .. } = frame;
            let account = self.number(message.address);
            if !frame.kind.is_create() {
                let hasher = &mut hashers[DifferenceKind::Result as usize];
                (account, result.status.is_success()).hash(hasher);
                self.hash_words(&result.output, hasher);
            }
            if !is_kept {
                continue;
            }
            if !message.value.is_zero() {
                (account, message.value).hash(&mut hashers[DifferenceKind::Ether as usize]);
            }
            for (slot, after) in changes(frame) {
                let hasher = &mut hashers[DifferenceKind::Storage as usize];
                (account, slot).hash(hasher);
                self.hash_words(&after.to_be_bytes::<32>(), hasher);
            }
            for item in &frame.items {
                if let TraceItem::Log { topics, data, .. } = item {
                    let hasher = &mut hashers[DifferenceKind::Event as usize];
                    account.hash(hasher);
                    topics.iter().for_each(|topic| self.hash_words(topic.as_slice(), hasher));
                    self.hash_words(data, hasher);
                }
            }
        }
        hashers.map(|hasher| hasher.finish())
    }

    /// Returns the number of an account.
    fn number(&mut self, account: Address) -> usize {
        let next = self.addresses.len();
        *self.addresses.entry(account).or_insert(next)
    }

    /// Hashes data, with the numbers of accounts in place of the words that are their addresses.
    fn hash_words(&self, data: &[u8], hasher: &mut FxHasher) {
        data.len().hash(hasher);
        for word in data.chunks(32) {
            let known = word.strip_prefix(&[0; 12]).and_then(|rest| Address::try_from(rest).ok());
            match known.and_then(|address| self.addresses.get(&address)) {
                Some(number) => number.hash(hasher),
                None => word.hash(hasher),
            }
        }
    }
}

/// Returns the changes of storage by a frame itself, ordered by slot.
fn changes(frame: &Frame) -> BTreeMap<U256, U256> {
    frame.storage.iter().map(|(slot, _, after)| (*slot, *after)).collect()
}

/// Describes the effects of a frame of one kind.
pub(super) fn texts(frame: &Frame, is_kept: bool, kind: DifferenceKind) -> Vec<String> {
    let Frame { message, result, text, .. } = frame;
    let name = text.label.clone().unwrap_or_else(|| message.address.to_string());
    match kind {
        DifferenceKind::Result if !frame.kind.is_create() => {
            let call = text.call.clone().unwrap_or_else(|| "the fallback function".to_owned());
            let output = text.result.clone().unwrap_or_else(|| match result.output.is_empty() {
                true => "nothing".to_owned(),
                false => result.output.to_string(),
            });
            let verb = if result.status.is_success() { "returns" } else { "reverts with" };
            vec![format!("{name}.{call} {verb} {output}")]
        }
        DifferenceKind::Ether if is_kept && !message.value.is_zero() => {
            vec![format!("{name} receives {} wei", message.value)]
        }
        DifferenceKind::Storage if is_kept => {
            let changes = changes(frame).into_iter();
            changes.map(|(slot, after)| format!("slot {slot:#x} of {name} becomes {after:#x}")).collect()
        }
        DifferenceKind::Event if is_kept => {
            let logs = frame.items.iter().filter_map(|item| match item {
                TraceItem::Log { topics, data, decoded, .. } => Some(match decoded {
                    Some(decoded) => format!("{name} emits {decoded}"),
                    None => format!("{name} emits {topics:?} {data}"),
                }),
                TraceItem::Call(_) => None,
            });
            logs.collect()
        }
        _ => Vec::new(),
    }
}
