//! Dictionary of values worth trying: from the sources, the deployed code and earlier runs.

mod calls;
mod pool;

pub(super) use calls::CallPool;

use crate::engine::rng::Rng;
use crate::engine::tuning::dictionary::{
    LASTING_WORDS, RECENT_WORDS, SEEN_ADDRESSES, STATIC_WORDS, WORDS_PER_STEP,
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Address, B256, Bytes, U256};
use pool::Pool;

/// Values that are known before the first run.
#[derive(Clone, Debug, Default)]
pub struct InitialDictionary {
    /// Literals of the sources, with the types that they stand for: integers, `bytesN`, addresses, strings,
    /// bytes.
    pub literals: Vec<DynSolValue>,
    /// Constants pushed by the deployed code.
    pub constants: Vec<U256>,
    /// Known accounts: deployed contracts, the test contract, the default sender.
    pub addresses: Vec<Address>,
    /// Fixtures by name: `fixtureAmount`, `fixture_amount` or `amount` for parameters called `amount`.
    pub fixtures: Vec<(String, Vec<DynSolValue>)>,
}

/// Bounded pools of values by origin. A draw takes constant time.
pub(super) struct Dictionary {
    numbers: Pool<U256>,
    fixed_bytes: Pool<B256>,
    constants: Pool<U256>,
    lasting: Pool<U256>,
    recent: Pool<U256>,
    addresses: Pool<Address>,
    seen_addresses: Pool<Address>,
    strings: Pool<String>,
    blobs: Pool<Bytes>,
    /// True if runs add nothing.
    is_closed: bool,
}

impl Dictionary {
    /// Creates a dictionary with the values of `initial`; the constants only if `include_constants` is set.
    pub(super) fn new(initial: &InitialDictionary, include_constants: bool) -> Self {
        let mut dictionary = Self {
            numbers: Pool::new(STATIC_WORDS),
            fixed_bytes: Pool::new(STATIC_WORDS),
            constants: Pool::new(STATIC_WORDS),
            lasting: Pool::new(LASTING_WORDS),
            recent: Pool::new(RECENT_WORDS),
            addresses: Pool::new(STATIC_WORDS),
            seen_addresses: Pool::new(SEEN_ADDRESSES),
            strings: Pool::new(STATIC_WORDS),
            blobs: Pool::new(STATIC_WORDS),
            is_closed: false,
        };
        initial.addresses.iter().for_each(|address| dictionary.addresses.insert(*address));
        initial.literals.iter().for_each(|literal| dictionary.literal(literal));
        if include_constants {
            initial.constants.iter().for_each(|constant| dictionary.constants.insert(*constant));
        }
        dictionary
    }

    /// Accepts no further values.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
    }

    fn literal(&mut self, literal: &DynSolValue) {
        match literal {
            DynSolValue::Uint(word, _) => self.numbers.insert(*word),
            DynSolValue::Int(word, _) => self.numbers.insert(word.into_raw()),
            DynSolValue::FixedBytes(word, _) => self.fixed_bytes.insert(*word),
            DynSolValue::Address(address) => self.addresses.insert(*address),
            DynSolValue::String(text) => self.strings.insert(text.clone()),
            DynSolValue::Bytes(bytes) => self.blobs.insert(bytes.clone().into()),
            DynSolValue::Array(items)
            | DynSolValue::FixedArray(items)
            | DynSolValue::Tuple(items)
            | DynSolValue::CustomStruct { tuple: items, .. } => {
                items.iter().for_each(|item| self.literal(item));
            }
            DynSolValue::Bool(_) | DynSolValue::Function(_) => {}
        }
    }

    /// Remembers words that a step showed. Words that are `lasting` are kept in a pool of their own, longer
    /// than those of ordinary runs.
    pub(super) fn absorb(&mut self, words: &[U256], lasting: bool) {
        if self.is_closed {
            return;
        }
        let pool = if lasting { &mut self.lasting } else { &mut self.recent };
        for word in words.iter().take(WORDS_PER_STEP) {
            if looks_like_address(*word) {
                self.seen_addresses.insert(low_address(*word));
            }
            // A word that looks like an address may also be a price or an index.
            pool.insert(*word);
        }
    }

    /// Remembers the operands of a comparison. To flip it, one operand often has to become the other.
    pub(super) fn absorb_operands(&mut self, left: U256, right: U256) {
        if self.is_closed {
            return;
        }
        for word in [left, right] {
            if looks_like_address(word) {
                self.seen_addresses.insert(low_address(word));
            }
            if word > U256::from(1) {
                self.recent.insert(word);
            }
        }
    }

    /// Remembers an account that appeared in a run.
    pub(super) fn absorb_address(&mut self, address: Address) {
        if self.is_closed {
            return;
        }
        self.seen_addresses.insert(address);
    }

    /// Returns a random word, often plus or minus one, because comparisons may be strict or not.
    pub(super) fn word(&self, rng: &mut Rng) -> Option<U256> {
        let word = match rng.below(10) {
            0..=3 => self.numbers.pick(rng),
            4..=5 => self.constants.pick(rng),
            6..=7 => self.lasting.pick_new(rng),
            _ => self.recent.pick_new(rng),
        };
        let word = word.or_else(|| self.numbers.pick(rng)).or_else(|| self.constants.pick(rng))?;
        Some(match rng.below(4) {
            0 => word.wrapping_add(U256::ONE),
            1 => word.wrapping_sub(U256::ONE),
            _ => *word,
        })
    }

    /// Returns a left-aligned `bytesN` literal, or an unchanged word (hashes, identifiers).
    pub(super) fn fixed_bytes(&self, rng: &mut Rng) -> Option<B256> {
        if let (true, Some(word)) = (rng.coin(), self.fixed_bytes.pick(rng)) {
            return Some(*word);
        }
        self.lasting.pick(rng).or_else(|| self.constants.pick(rng)).map(|word| B256::from(*word))
    }

    /// Returns a random account: one of the project, one seen in a run, or sometimes a word cut to an
    /// address.
    pub(super) fn address(&self, rng: &mut Rng) -> Option<Address> {
        let known = match rng.below(10) {
            0..=5 => self.addresses.pick(rng).copied(),
            6..=8 => self.seen_addresses.pick(rng).copied(),
            _ => self.word(rng).map(low_address),
        };
        known.or_else(|| self.addresses.pick(rng).copied())
    }

    /// Returns a random string literal.
    pub(super) fn string(&self, rng: &mut Rng) -> Option<&String> {
        self.strings.pick(rng)
    }

    /// Returns the literals of a string or byte string type, in the order of the sources; empty for other
    /// types.
    pub(super) fn texts(&self, ty: &DynSolType) -> Vec<DynSolValue> {
        match ty {
            DynSolType::String => self.strings.iter().cloned().map(DynSolValue::String).collect(),
            DynSolType::Bytes => self.blobs.iter().map(|blob| DynSolValue::Bytes(blob.to_vec())).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns a random byte string literal.
    pub(super) fn blob(&self, rng: &mut Rng) -> Option<&Bytes> {
        self.blobs.pick(rng)
    }
}

/// Returns the low 20 bytes of a word, as Forge truncates a dictionary word to a sender.
fn low_address(word: U256) -> Address {
    Address::from_word(B256::from(word))
}

/// Tells whether more than 12 of the 20 bytes of an address are in use. This holds for nearly all hashed
/// addresses, but seldom for amounts.
fn looks_like_address(word: U256) -> bool {
    (97..=160).contains(&word.bit_len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_constants_and_seen_words_are_drawn_with_their_neighbours() {
        let initial = InitialDictionary {
            literals: vec![DynSolValue::Uint(U256::from(1000), 256), DynSolValue::String("hello".into())],
            constants: vec![U256::from(2000)],
            ..Default::default()
        };
        let mut dictionary = Dictionary::new(&initial, true);
        dictionary.absorb(&[U256::from(3000)], true);
        dictionary.absorb(&[U256::from(4000)], false);
        let mut rng = Rng::new(1, 0);
        let drawn: std::collections::BTreeSet<u64> =
            (0..500).filter_map(|_| dictionary.word(&mut rng)).map(|word| word.to()).collect();
        let expected = [1000, 2000, 3000, 4000].into_iter().flat_map(|word| [word - 1, word, word + 1]);
        assert_eq!(drawn, expected.collect());
        assert_eq!(dictionary.string(&mut rng).map(String::as_str), Some("hello"));
    }

    #[test]
    fn constants_can_be_left_out() {
        let initial = InitialDictionary { constants: vec![U256::from(2000)], ..Default::default() };
        assert_eq!(Dictionary::new(&initial, false).word(&mut Rng::new(1, 0)), None);
    }

    #[test]
    fn a_word_that_looks_like_an_address_is_offered_as_one() {
        let mut dictionary = Dictionary::new(&InitialDictionary::default(), true);
        let account = Address::repeat_byte(0xab);
        dictionary.absorb(&[account.into_word().into()], false);
        let mut rng = Rng::new(1, 0);
        assert!((0..50).any(|_| dictionary.address(&mut rng) == Some(account)));
        let near = |word: U256| word.abs_diff(account.into_word().into()) <= U256::ONE;
        assert!((0..50).any(|_| dictionary.word(&mut rng).is_some_and(near)), "it may be a price as well");
    }
}
