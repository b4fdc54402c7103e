//! Version 1 of a segment: a line about it, and then a line for each input, all of them JSON.
//!
//! A call is kept by what it calls, a contract and a signature: addresses change with every edit of `setUp`. Where its
//! contract stands elsewhere now, words of the arguments that were the old address become the new one.

use super::{Covered, Segment};
use crate::{
    campaign::store::{SavedCall, SavedReentry, Unreadable},
    model::{ContractId, Entry as Reached, Input, Sequence, Target, TargetFunction, TargetSet, Transaction},
};
use alloy_primitives::{Address, Bytes, U256};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
struct SegmentHeader {
    version: u64,
    /// `path:Name` of the test contract.
    suite: String,
    #[serde(flatten)]
    covered: Covered,
}

/// An input: calls in their order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CorpusEntry {
    calls: Vec<EntryCall>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct EntryCall {
    /// `path:Name`; nothing of a contract that a run creates, nor where another program wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contract: Option<String>,
    /// Whether a run creates the contract, so that it is where it always is, or nowhere.
    #[serde(default, skip_serializing_if = "is_false")]
    created: bool,
    /// Which of the targets that are such contracts, in the order of their addresses.
    #[serde(default, skip_serializing_if = "is_zero")]
    nth: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    sender: Address,
    target: Address,
    calldata: Bytes,
    /// Wei.
    #[serde(default, skip_serializing_if = "U256::is_zero")]
    value: U256,
    /// Seconds before the call.
    #[serde(default, skip_serializing_if = "U256::is_zero")]
    warp: U256,
    /// Blocks before the call.
    #[serde(default, skip_serializing_if = "U256::is_zero")]
    roll: U256,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reentry: Option<SavedReentry>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

/// The first line of a segment.
pub(super) fn header(suite: &ContractId, covered: Covered) -> String {
    line(&SegmentHeader { version: VERSION, suite: suite.to_string(), covered })
}

fn line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).expect("strings, numbers and lists of them are JSON");
    line.push('\n');
    line
}

/// Reads a segment's text.
pub(super) fn parse(text: &str) -> Result<Segment, Unreadable> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u64,
    }
    let damaged = |error: serde_json::Error| Unreadable::Damaged(error.to_string());
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let Versioned { version } = serde_json::from_str(first).map_err(damaged)?;
    if version != VERSION {
        return Err(Unreadable::LeftAlone(format!(
            "it has version {version} of the format, and this forge-harvey knows version {VERSION}"
        )));
    }
    let SegmentHeader { suite, covered, .. } = serde_json::from_str(first).map_err(damaged)?;
    let suite = ContractId::parse(&suite)
        .ok_or_else(|| Unreadable::Damaged(format!("{suite:?} names no contract")))?;
    let entries = lines.map(serde_json::from_str).collect::<Result<_, _>>().map_err(damaged)?;
    Ok(Segment { suite, covered, entries, length: text.len() })
}

impl CorpusEntry {
    /// A sequence as it is kept.
    #[must_use]
    pub fn new(sequence: &[Transaction], targets: &TargetSet) -> Self {
        Self { calls: sequence.iter().map(|tx| EntryCall::new(tx, targets)).collect() }
    }

    /// A sequence of which nothing is known but calldata, and signatures of what it calls.
    pub(super) fn foreign(calls: impl IntoIterator<Item = (Transaction, Option<String>)>) -> Self {
        let call = |(tx, function)| EntryCall { function, ..EntryCall::of(&tx) };
        Self { calls: calls.into_iter().map(call).collect() }
    }

    /// The calls, as far as today's targets have them: others are left out.
    #[must_use]
    pub fn sequence(&self, targets: &TargetSet) -> Sequence {
        let placed: Vec<_> =
            self.calls.iter().filter_map(|call| Some((call, call.place(targets)?))).collect();
        let moved: BTreeMap<Address, Address> = placed
            .iter()
            .filter(|(call, place)| call.contract.is_some() && call.target != place.address)
            .map(|(call, place)| (call.target, place.address))
            .collect();
        placed.into_iter().filter_map(|(call, place)| call.at(place, &moved, targets)).collect()
    }

    /// Number of its calls.
    #[must_use]
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// What each of its calls is of: `path:Name` where it is known, and the signature.
    pub fn functions(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        self.calls.iter().map(|call| (call.contract.as_deref(), call.function.as_deref().unwrap_or_default()))
    }

    /// Its line in a segment.
    #[must_use]
    pub fn line(&self) -> String {
        line(self)
    }
}

/// Where a call goes today.
struct TargetRef<'a> {
    address: Address,
    /// `None` of a contract that a run creates: nobody knows it before.
    function: Option<&'a Arc<TargetFunction>>,
}

impl EntryCall {
    fn of(tx: &Transaction) -> Self {
        Self {
            contract: None,
            created: false,
            nth: 0,
            function: tx.input.function().map(|function| function.signature().to_owned()),
            sender: tx.sender,
            target: tx.target,
            calldata: tx.input.calldata(),
            value: tx.value,
            warp: tx.warp,
            roll: tx.roll,
            reentry: tx.reentry.as_deref().map(SavedReentry::from),
        }
    }

    fn new(tx: &Transaction, targets: &TargetSet) -> Self {
        let target = targets.targets.iter().find(|target| target.address == tx.target);
        let contract = target.map(|target| target.identifier.clone());
        let alike = |other: &&Target| Some(&other.identifier) == contract.as_ref();
        let nth = targets.targets.iter().filter(alike).position(|other| other.address == tx.target);
        Self { nth: nth.unwrap_or_default(), created: contract.is_none(), contract, ..Self::of(tx) }
    }

    fn place<'a>(&self, targets: &'a TargetSet) -> Option<TargetRef<'a>> {
        let all = || targets.targets.iter();
        let found = |target: &'a Target| {
            let function = self.function_of(target)?;
            Some(TargetRef { address: target.address, function: Some(function) })
        };
        let Some(contract) = &self.contract else {
            // Addresses of other programs mean nothing here.
            let here = all().filter(|target| target.address == self.target).find_map(found);
            let created = (self.created && targets.dynamic)
                .then_some(TargetRef { address: self.target, function: None });
            return created.or(here).or_else(|| all().find_map(found));
        };
        let alike: Vec<_> = all().filter(|target| target.identifier == *contract).collect();
        // A source may have another name now.
        let bare = |identifier: &str| identifier.rsplit(':').next().unwrap_or_default().to_owned();
        let renamed = || all().find(|target| bare(&target.identifier) == bare(contract));
        let target = alike.get(self.nth).or(alike.first()).copied().or_else(renamed)?;
        found(target)
    }

    /// What of `target` has this signature.
    fn function_of<'a>(&self, target: &'a Target) -> Option<&'a Arc<TargetFunction>> {
        let functions = || target.functions.iter().chain(&target.views);
        match &self.function {
            Some(signature) => functions().find(|function| function.signature() == *signature),
            None => {
                let selector = self.calldata.get(..4)?;
                let is_it = |function: &&Arc<TargetFunction>| {
                    function.entry() == Reached::Selector && function.selector().as_slice() == selector
                };
                functions().find(is_it)
            }
        }
    }

    fn at(
        &self,
        place: TargetRef<'_>,
        moved: &BTreeMap<Address, Address>,
        targets: &TargetSet,
    ) -> Option<Transaction> {
        let calldata = readdressed(&self.calldata, moved);
        let tx = Transaction {
            sender: sender(self.sender, targets)?,
            target: place.address,
            value: self.value,
            warp: self.warp,
            roll: self.roll,
            input: Input::Raw(calldata.clone()),
            reentry: self.reentry.as_ref().map(|back| Arc::new(back.reentry(moved))),
        };
        let Some(function) = place.function else {
            let saved = SavedCall { tx, contract: None, signature: self.function.as_deref() };
            return Some(saved.decode(targets).tx).filter(|tx| tx.input.function().is_some());
        };
        let tx = SavedCall { tx, contract: None, signature: Some(function.signature()) }.decode(targets).tx;
        let input = Input::decode(function, &calldata);
        input.function()?;
        Some(Transaction { input, ..tx })
    }
}

/// Who sends what a sender of that time sent; nobody where that one may not.
fn sender(sender: Address, targets: &TargetSet) -> Option<Address> {
    let senders = &targets.senders;
    if senders.is_empty() || senders.contains(&sender) {
        return targets.excluded_senders.binary_search(&sender).is_err().then_some(sender);
    }
    // The same for the same, so that roles stay apart.
    senders.get(usize::from(sender[19]) % senders.len()).copied()
}

/// Calldata with addresses that are elsewhere now in their new places.
fn readdressed(calldata: &Bytes, moved: &BTreeMap<Address, Address>) -> Bytes {
    if moved.is_empty() || calldata.len() < 4 {
        return calldata.clone();
    }
    let mut bytes = calldata.to_vec();
    for word in bytes[4..].chunks_exact_mut(32) {
        let address = Address::from_slice(&word[12..]);
        if let Some(new) = moved.get(&address).filter(|_| word[..12].iter().all(|byte| *byte == 0)) {
            word[12..].copy_from_slice(new.as_slice());
        }
    }
    bytes.into()
}
