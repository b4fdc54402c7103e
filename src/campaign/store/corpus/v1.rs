//! Version 1 of the segment format: a header line and then a line for each input, all in JSON.
//!
//! Calls are identified by contract and signature, since addresses change with every edit of `setUp`. If a
//! contract has another address now, words of the arguments that hold the old address are replaced by the new
//! one.

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

/// Input: a sequence of calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CorpusEntry {
    calls: Vec<EntryCall>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct EntryCall {
    /// `path:Name` of the contract; `None` if it is created in a run, or if the call was imported from
    /// another program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contract: Option<String>,
    /// True if the contract is created in a run: its address is then always the same, or it does not exist.
    #[serde(default, skip_serializing_if = "is_false")]
    created: bool,
    /// Index among the targets of this contract, in the order of their addresses.
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

/// Returns the first line of a segment.
pub(super) fn header(suite: &ContractId, covered: Covered) -> String {
    line(&SegmentHeader { version: VERSION, suite: suite.to_string(), covered })
}

fn line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).expect("strings, numbers and lists of them are JSON");
    line.push('\n');
    line
}

/// Parses the text of a segment.
pub(super) fn parse(text: &str) -> Result<Segment, Unreadable> {
    let mut lines = text.lines();
    let (suite, covered) = parse_header(lines.next().unwrap_or_default())?;
    let entries = lines.map(serde_json::from_str).collect::<Result<_, _>>().map_err(damaged)?;
    Ok(Segment { suite, covered, entries })
}

/// Parses the first line of a segment.
pub(super) fn parse_header(line: &str) -> Result<(ContractId, Covered), Unreadable> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u64,
    }
    let Versioned { version } = serde_json::from_str(line).map_err(damaged)?;
    if version != VERSION {
        return Err(Unreadable::LeftAlone(format!(
            "it has version {version} of the format, and this forge-harvey knows version {VERSION}"
        )));
    }
    let SegmentHeader { suite, covered, .. } = serde_json::from_str(line).map_err(damaged)?;
    let suite = ContractId::parse(&suite)
        .ok_or_else(|| Unreadable::Damaged(format!("{suite:?} names no contract")))?;
    Ok((suite, covered))
}

#[allow(clippy::needless_pass_by_value, reason = "an argument of `map_err`")]
fn damaged(error: serde_json::Error) -> Unreadable {
    Unreadable::Damaged(error.to_string())
}

impl CorpusEntry {
    /// Creates an entry from a sequence.
    #[must_use]
    pub fn new(sequence: &[Transaction], targets: &TargetSet) -> Self {
        Self { calls: sequence.iter().map(|tx| EntryCall::new(tx, targets)).collect() }
    }

    /// Creates an entry from an imported sequence, of which only calldata and signatures are known.
    pub(in crate::campaign::store) fn imported(
        calls: impl IntoIterator<Item = (Transaction, Option<String>)>,
    ) -> Self {
        let call = |(tx, function)| EntryCall { function, ..EntryCall::of(&tx) };
        Self { calls: calls.into_iter().map(call).collect() }
    }

    /// Returns the calls that the current targets have; others are left out.
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

    /// Returns the first calls.
    #[must_use]
    pub fn truncated(&self, length: usize) -> Self {
        Self { calls: self.calls.iter().take(length).cloned().collect() }
    }

    /// Returns all calls but one.
    #[must_use]
    pub fn without(&self, index: usize) -> Self {
        let mut calls = self.calls.clone();
        calls.remove(index);
        Self { calls }
    }

    /// Returns the number of calls.
    #[must_use]
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Returns true if there are no calls.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns the contract (`path:Name`, if known) and the signature of each call.
    pub fn functions(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        self.calls.iter().map(|call| (call.contract.as_deref(), call.function.as_deref().unwrap_or_default()))
    }

    /// Returns its line in a segment.
    #[must_use]
    pub fn line(&self) -> String {
        line(self)
    }
}

/// Current target of a call.
struct TargetRef<'a> {
    address: Address,
    /// Function; `None` if the contract is created in a run and is not known before.
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
            // Addresses in imported sequences are meaningless here.
            let here = all().filter(|target| target.address == self.target).find_map(found);
            let created = (self.created && targets.dynamic)
                .then_some(TargetRef { address: self.target, function: None });
            return created.or(here).or_else(|| all().find_map(found));
        };
        let alike: Vec<_> = all().filter(|target| target.identifier == *contract).collect();
        // The source file may have another name now.
        let bare = |identifier: &str| identifier.rsplit(':').next().unwrap_or_default().to_owned();
        let renamed = || all().find(|target| bare(&target.identifier) == bare(contract));
        let target = alike.get(self.nth).or(alike.first()).copied().or_else(renamed)?;
        found(target)
    }

    /// Returns the function of `target` that this call is for.
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

/// Returns the sender that now replaces `sender`; `None` if that one is excluded.
fn sender(sender: Address, targets: &TargetSet) -> Option<Address> {
    let senders = &targets.senders;
    if senders.is_empty() || senders.contains(&sender) {
        return targets.excluded_senders.binary_search(&sender).is_err().then_some(sender);
    }
    // Equal senders are replaced equally, so that roles stay distinct.
    senders.get(usize::from(sender[19]) % senders.len()).copied()
}

/// Returns the calldata with the addresses of moved contracts replaced.
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
