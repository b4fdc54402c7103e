//! Identification of contracts by their code. The rules are Forge's, because they decide which targets a
//! suite has.

use crate::{
    model::is_bounded,
    project::contract::{Code, Contract},
};
use alloy_dyn_abi::JsonAbiExt;
use alloy_primitives::{B256, Keccak256, keccak256};
use std::{
    collections::HashMap,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// Smallest score that is no match when a created contract is identified.
const CREATED_SCORE: f64 = 0.85;

/// Largest score that is a match when runtime code is identified.
const RUNTIME_SCORE: f64 = 0.15;

/// Maximum number of cached answers.
const MOST_ANSWERS: usize = 1 << 16;

/// First bytes of a library's runtime code: a PUSH20 of its own address, which is zero in the artifact.
const CALL_PROTECTION: [u8; 21] = {
    let mut code = [0; 21];
    code[0] = 0x73;
    code
};

/// Index to find contracts by their code. Results depend only on the code and the order of the contracts.
#[derive(Debug, Default)]
pub(crate) struct CodeMatcher {
    /// Pairs (length of runtime code in bytes, index of the contract), ordered by length, then in Forge's
    /// order.
    by_length: Vec<(usize, usize)>,
    /// Cached answers.
    answers: Mutex<HashMap<(Question, B256), Option<usize>>>,
}

/// Kind of a query about a hash of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Question {
    Created,
    Runtime,
    Exact,
}

impl CodeMatcher {
    pub(crate) fn new(contracts: &[Arc<Contract>]) -> Self {
        let length =
            |(index, contract): (usize, &Arc<Contract>)| Some((contract.runtime_code()?.len(), index));
        let mut by_length = contracts.iter().enumerate().filter_map(length).collect::<Vec<_>>();
        by_length.sort_unstable();
        Self { by_length, answers: Mutex::default() }
    }

    /// Returns the contract that a CREATE made from `init` (creation code and arguments) and that left
    /// `runtime`.
    pub(crate) fn created(&self, all: &[Arc<Contract>], runtime: &[u8], init: &[u8]) -> Option<usize> {
        let mut hash = Keccak256::new();
        hash.update(runtime);
        hash.update(init);
        self.remember(Question::Created, hash.finalize(), || self.find_created(all, runtime, init))
    }

    /// Returns the contract with the most similar runtime code, if at most 15 % of the bytes differ.
    pub(crate) fn runtime(&self, all: &[Arc<Contract>], runtime: &[u8]) -> Option<usize> {
        self.remember(Question::Runtime, keccak256(runtime), || {
            let mut best = BestMatch::default();
            for (index, contract) in all.iter().enumerate() {
                let Some(code) = contract.runtime_code() else { continue };
                best.offer(difference(code, runtime), index);
            }
            best.index.filter(|_| best.score <= RUNTIME_SCORE)
        })
    }

    /// Returns the contract whose runtime code is equal, apart from immutables, library addresses and
    /// metadata.
    pub(crate) fn exact(&self, all: &[Arc<Contract>], runtime: &[u8]) -> Option<usize> {
        self.remember(Question::Exact, keccak256(runtime), || {
            let length = runtime.len();
            let from = self.by_length.partition_point(|(other, _)| *other < length);
            let same = self.by_length[from..].iter().take_while(|(other, _)| *other == length);
            let indices = same.map(|(_, index)| *index);
            let equal = indices.filter(|index| equal_but_for_masks(&all[*index].runtime, runtime));
            // Of contracts that differ only in their metadata, the one with equal metadata is preferred.
            let metadata = metadata_start(runtime);
            let same_metadata = |index: &usize| {
                all[*index].runtime_code().is_some_and(|code| code[metadata..] == runtime[metadata..])
            };
            let equal = equal.collect::<Vec<_>>();
            equal.iter().copied().find(same_metadata).or_else(|| equal.first().copied())
        })
    }

    fn remember(
        &self,
        question: Question,
        hash: B256,
        find: impl FnOnce() -> Option<usize>,
    ) -> Option<usize> {
        let lock = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = lock().get(&(question, hash)) {
            return *answer;
        }
        // The lock is not held here. Two threads may compute the same answer, which is harmless.
        let answer = find();
        let mut answers = lock();
        // Constructor arguments can make any number of different codes.
        if answers.len() >= MOST_ANSWERS {
            answers.clear();
        }
        answers.insert((question, hash), answer);
        answer
    }

    /// Finds a created contract by Forge's rules. First the init code is compared with that of contracts
    /// whose runtime code has about the same length, longer ones first. If none is similar, the runtime code
    /// is compared with that of all contracts. The first equal contract is returned, or else the most similar
    /// one.
    fn find_created(&self, all: &[Arc<Contract>], runtime: &[u8], init: &[u8]) -> Option<usize> {
        let from = |length: usize| self.by_length.partition_point(|(other, _)| *other < length);
        let (low, same) = (from(runtime.len() * 9 / 10), from(runtime.len()));
        let high = from(runtime.len() * 11 / 10 + 1);
        let mut best = BestMatch::default();
        for (_, index) in self.by_length[same..high].iter().chain(&self.by_length[low..same]) {
            let contract = &all[*index];
            let Some(code) = contract.creation_code() else { continue };
            if best.offer(difference(code, without_arguments(contract, code, init)), *index) {
                return Some(*index);
            }
        }
        if best.score >= CREATED_SCORE {
            for (_, index) in &self.by_length {
                let Some(code) = all[*index].runtime_code() else { continue };
                if best.offer(difference(code, runtime), *index) {
                    return Some(*index);
                }
            }
        }
        best.index.filter(|_| best.score < CREATED_SCORE)
    }
}

/// Most similar contract so far; the first one if several are equally similar.
struct BestMatch {
    score: f64,
    index: Option<usize>,
}

impl Default for BestMatch {
    fn default() -> Self {
        Self { score: f64::MAX, index: None }
    }
}

impl BestMatch {
    /// Compares a contract with the best one. Returns true if it is equal (a score of zero).
    fn offer(&mut self, score: f64, index: usize) -> bool {
        if score < self.score {
            *self = Self { score, index: Some(index) };
        }
        score == 0.0
    }
}

/// Returns `init` without constructor arguments: cut to the length of `code`, if the rest decodes as
/// arguments.
fn without_arguments<'a>(contract: &Contract, code: &[u8], init: &'a [u8]) -> &'a [u8] {
    match (init.split_at_checked(code.len()), contract.abi.constructor()) {
        (Some((head, arguments)), Some(constructor))
            if !arguments.is_empty()
                && is_bounded(&constructor.inputs)
                && constructor.abi_decode_input(arguments).is_ok() =>
        {
            head
        }
        _ => init,
    }
}

/// Returns the share of bytes that differ, from 0 to 1. The result is 1 if the lengths differ by more than 32
/// bytes and by more than a tenth of the longer one.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let extra = long.len() - short.len();
    if extra > 32 && extra * 10 > long.len() {
        return 1.0;
    }
    let different = long.iter().zip(short).filter(|(x, y)| x != y).count();
    (extra + different) as f64 / long.len() as f64
}

/// Returns a hash of runtime code that is equal for all instances of a contract, because immutables, library
/// addresses and metadata are ignored. `code` is the contract's code, if it is known. Of unknown code, whatever a
/// PUSH32 pushes may be an immutable.
pub(crate) fn identity(code: Option<&Code>, runtime: &[u8]) -> B256 {
    let mut masked = runtime[..metadata_start(runtime)].to_vec();
    for range in code.map_or_else(|| pushed_words(&masked), masks) {
        let end = range.end.min(masked.len());
        masked[range.start.min(end)..end].fill(0);
    }
    keccak256(masked)
}

pub(super) fn pushed_words(code: &[u8]) -> Vec<Range<usize>> {
    pushed_ranges(code).filter(|range| range.len() == 32).collect()
}

/// Returns the ranges of the operands of PUSH1 to PUSH32. The last one may end behind the code.
pub(crate) fn pushed_ranges(code: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    const PUSH1: u8 = 0x60;
    const PUSH32: u8 = 0x7f;
    let mut pc = 0;
    std::iter::from_fn(move || {
        loop {
            let instruction = *code.get(pc)?;
            pc += 1;
            if (PUSH1..=PUSH32).contains(&instruction) {
                let start = pc;
                pc += usize::from(instruction - PUSH1) + 1;
                return Some(start..pc);
            }
        }
    })
}

/// Beginnings of the hashes in metadata: of IPFS, and of Swarm by older compilers.
const METADATA_HASHES: [&[u8]; 3] = [b"\x64ipfs\x58\x22\x12\x20", b"\x65bzzr0\x58\x20", b"\x65bzzr1\x58\x20"];

/// Returns the bytes of code with zeros in place of the addresses of libraries, and of the hashes of sources in
/// metadata, also in that of embedded contracts. All of these change with a comment.
pub(crate) fn without_hashes(code: &Code) -> Vec<u8> {
    let known: &[u8] = code.bytes.as_ref().map_or(&[], |bytes| bytes);
    let mut bytes = known.to_vec();
    let mut clear = |range: Range<usize>| {
        let end = range.end.min(bytes.len());
        bytes[range.start.min(end)..end].fill(0);
    };
    for link in &code.links {
        clear(link.start..link.start + 20);
    }
    for start in 0..known.len() {
        if let Some(head) = METADATA_HASHES.into_iter().find(|head| known[start..].starts_with(head)) {
            clear(start + head.len()..start + head.len() + 32);
        }
    }
    bytes
}

/// Returns the ranges of bytes in which two instances of the same runtime code may differ.
fn masks(code: &Code) -> Vec<Range<usize>> {
    let links = code.links.iter().map(|link| link.start..link.start + 20);
    let protected = code.bytes.as_ref().is_some_and(|bytes| bytes.starts_with(&CALL_PROTECTION));
    let mut masks = code.immutables.iter().cloned().chain(links).collect::<Vec<_>>();
    masks.extend(protected.then_some(1..CALL_PROTECTION.len()));
    masks
}

fn equal_but_for_masks(code: &Code, runtime: &[u8]) -> bool {
    let Some(bytes) = &code.bytes else { return false };
    let mut same = bytes.iter().zip(runtime).map(|(a, b)| a == b).collect::<Vec<_>>();
    for range in masks(code) {
        let end = range.end.min(same.len());
        same[range.start.min(end)..end].fill(true);
    }
    same[metadata_start(runtime)..].fill(true);
    same.into_iter().all(|same| same)
}

/// Returns the offset at which solc's metadata begins (a CBOR map, followed by its length in two bytes), or
/// the length of the code if there is none.
fn metadata_start(code: &[u8]) -> usize {
    let Some((rest, length)) = code.split_last_chunk::<2>() else { return code.len() };
    let length = usize::from(u16::from_be_bytes(*length));
    match rest.len().checked_sub(length) {
        // Every compiler since 0.4.7 writes a CBOR map of one to four entries.
        Some(start) if matches!(rest.get(start), Some(0xa1..=0xa4)) => start,
        _ => code.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::test_contracts::contract;
    use alloy_json_abi::JsonAbi;

    fn all(contracts: impl IntoIterator<Item = Contract>) -> (Vec<Arc<Contract>>, CodeMatcher) {
        let all = contracts.into_iter().map(Arc::new).collect::<Vec<_>>();
        let matcher = CodeMatcher::new(&all);
        (all, matcher)
    }

    /// Returns 100 bytes in hexadecimal digits, of which the first `different` ones differ from `of(0)`.
    fn of(different: usize) -> String {
        format!("{}{}", "ff".repeat(different), "01".repeat(100 - different))
    }

    fn bytes(digits: &str) -> Vec<u8> {
        alloy_primitives::hex::decode(digits).unwrap()
    }

    #[test]
    fn an_equal_init_code_wins_over_similar_ones_before_it() {
        let (all, matcher) = all([contract("a:A", &of(1)), contract("a:B", &of(0)), contract("a:C", &of(0))]);
        assert_eq!(matcher.created(&all, &bytes(&of(0)), &bytes(&of(0))), Some(1));
    }

    #[test]
    fn the_most_similar_contract_wins_and_the_first_of_equals() {
        let (all, matcher) =
            all([contract("a:A", &of(60)), contract("a:B", &of(30)), contract("a:C", &of(30))]);
        assert_eq!(matcher.created(&all, &bytes(&of(0)), &bytes(&of(0))), Some(1));
        assert_eq!(matcher.runtime(&all, &bytes(&of(20))), Some(1), "10 % differ");
        assert_eq!(matcher.runtime(&all, &bytes(&of(0))), None, "30 % differ");
    }

    #[test]
    fn nothing_matches_what_differs_almost_everywhere() {
        let (all, matcher) = all([contract("a:A", &of(85))]);
        assert_eq!(matcher.created(&all, &bytes(&of(0)), &bytes(&of(0))), None);
        assert_eq!(matcher.created(&all, &bytes(&of(1)), &bytes(&of(1))), Some(0));
    }

    #[test]
    fn constructor_arguments_are_cut_off_where_they_decode() {
        let mut a = contract("a:A", &of(0));
        a.abi = Arc::new(JsonAbi::parse(["constructor(uint256, uint256)"]).unwrap());
        let (all, matcher) = all([a]);
        let init = [bytes(&of(0)), vec![0; 64]].concat();
        assert_eq!(matcher.created(&all, &[], &init), None, "no runtime code is as short");
        assert_eq!(difference(&bytes(&of(0)), without_arguments(&all[0], &bytes(&of(0)), &init)), 0.0);
    }

    #[test]
    fn lengths_that_differ_by_a_tenth_and_a_word_are_no_match() {
        assert_eq!(difference(&[1; 400], &[1; 360]), 0.1);
        assert_eq!(difference(&[1; 400], &[1; 359]), 1.0);
        assert_eq!(difference(&[1; 33], &[1; 1]), 32.0 / 33.0);
    }

    #[test]
    fn instances_that_differ_in_immutables_and_metadata_share_an_identity() {
        // The code is a PUSH32 of an immutable, followed by metadata of three bytes.
        let instance = |immutable: &str, hash: &str| format!("7f{}00a1{hash}0003", immutable.repeat(32));
        let mut a = contract("a:A", &instance("00", "1111"));
        a.runtime.immutables.push(1..33);
        let (all, matcher) = all([contract("a:B", &instance("22", "1111")), a]);
        let (one, two) = (bytes(&instance("33", "2222")), bytes(&instance("44", "3333")));
        assert_eq!(matcher.exact(&all, &one), Some(1));
        let code = Some(&all[1].runtime);
        assert_eq!(identity(code, &one), identity(code, &two));
        assert_eq!(identity(None, &one), identity(None, &two), "any operand of PUSH32 may be an immutable");
        let other = bytes(&format!("7e{}0000a111110003", "33".repeat(31)));
        assert_ne!(identity(None, &one), identity(None, &other));
        assert_ne!(identity(None, &bytes("60016002")), identity(None, &bytes("60016003")));
        assert_eq!(identity(None, &[]), keccak256([]));
    }

    #[test]
    fn a_deployed_library_is_known_by_its_code_after_its_own_address() {
        let (all, matcher) = all([contract("a:L", &format!("73{}3014", "00".repeat(20)))]);
        assert_eq!(matcher.exact(&all, &bytes(&format!("73{}3014", "ab".repeat(20)))), Some(0));
        assert_eq!(matcher.exact(&all, &bytes(&format!("73{}3015", "ab".repeat(20)))), None);
    }
}
