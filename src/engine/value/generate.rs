//! Random values of any ABI type.

use crate::engine::tuning::value_generate::{BYTES, FIXTURES, LONGEST, MOST_BYTES, NESTED, SCALARS};
use crate::engine::{
    call_generator::CallGenerator,
    functions::{Callable, Method},
    rng::Rng,
    value::number,
};
use alloy_dyn_abi::{DynSolType, DynSolValue, JsonAbiExt};
use alloy_primitives::{Address, B256, Function, I256, U256};

/// Returns random arguments for `method`.
pub(in crate::engine) fn arguments(
    method: &Method,
    generator: &CallGenerator,
    rng: &mut Rng,
) -> Vec<DynSolValue> {
    ValueGenerator::new(generator, rng, 0).arguments(method)
}

/// Returns a random value of type `ty`.
pub(in crate::engine) fn value(ty: &DynSolType, generator: &CallGenerator, rng: &mut Rng) -> DynSolValue {
    ValueGenerator::new(generator, rng, 0).value(ty)
}

/// Returns the calldata of a random target call, as input for functions that forward calls (multicalls,
/// governors, timelocks).
pub(in crate::engine) fn calldata(generator: &CallGenerator, rng: &mut Rng) -> Vec<u8> {
    ValueGenerator::new(generator, rng, 0).calldata()
}

/// Returns the all-zero value of type `ty`, with empty dynamic parts.
#[must_use]
pub fn zero(ty: &DynSolType) -> DynSolValue {
    match ty {
        DynSolType::Bool => DynSolValue::Bool(false),
        DynSolType::Int(bits) => DynSolValue::Int(I256::ZERO, *bits),
        DynSolType::Uint(bits) => DynSolValue::Uint(U256::ZERO, *bits),
        DynSolType::FixedBytes(size) => DynSolValue::FixedBytes(B256::ZERO, *size),
        DynSolType::Address => DynSolValue::Address(Address::ZERO),
        DynSolType::Function => DynSolValue::Function(Function::ZERO),
        DynSolType::Bytes => DynSolValue::Bytes(Vec::new()),
        DynSolType::String => DynSolValue::String(String::new()),
        DynSolType::Array(_) => DynSolValue::Array(Vec::new()),
        DynSolType::FixedArray(item, size) => DynSolValue::FixedArray(vec![zero(item); *size]),
        DynSolType::Tuple(items) | DynSolType::CustomStruct { tuple: items, .. } => {
            DynSolValue::Tuple(items.iter().map(zero).collect())
        }
    }
}

/// Generator of the values of one argument list.
struct ValueGenerator<'a> {
    generator: &'a CallGenerator,
    rng: &'a mut Rng,
    /// Depth of nested calldata (calldata as an argument of calldata).
    nesting: usize,
    /// Number of scalars that dynamic arrays may still hold.
    scalars: usize,
    /// Common length of the outermost arrays of this argument list, if they share one. Functions often
    /// require parallel arrays of equal length.
    shared_length: Option<usize>,
    /// Number of bytes that byte strings may still use.
    bytes: usize,
}

impl<'a> ValueGenerator<'a> {
    fn new(generator: &'a CallGenerator, rng: &'a mut Rng, nesting: usize) -> Self {
        let scalars = SCALARS >> (NESTED * nesting);
        let mut generator = Self { generator, rng, nesting, scalars, shared_length: None, bytes: MOST_BYTES };
        if generator.rng.coin() {
            generator.shared_length = Some(generator.length());
        }
        generator
    }

    fn arguments(&mut self, method: &Method) -> Vec<DynSolValue> {
        let mut values = Vec::with_capacity(method.params.len());
        for param in &method.params {
            let fixture = match &param.fixtures[..] {
                [] => None,
                fixtures if self.rng.percent(FIXTURES) => self.rng.pick(fixtures).cloned(),
                _ => None,
            };
            values.push(fixture.unwrap_or_else(|| self.value(&param.ty)));
        }
        values
    }

    fn value(&mut self, ty: &DynSolType) -> DynSolValue {
        match ty {
            DynSolType::Bool => DynSolValue::Bool(self.rng.coin()),
            DynSolType::Int(bits) => DynSolValue::Int(number::signed(*bits, self.generator, self.rng), *bits),
            DynSolType::Uint(bits) => {
                DynSolValue::Uint(number::unsigned(*bits, self.generator, self.rng), *bits)
            }
            DynSolType::FixedBytes(size) => DynSolValue::FixedBytes(self.fixed_bytes(*size), *size),
            DynSolType::Address => DynSolValue::Address(self.address()),
            DynSolType::Function => DynSolValue::Function(self.function()),
            DynSolType::Bytes => DynSolValue::Bytes(self.bytes()),
            DynSolType::String => DynSolValue::String(self.string()),
            DynSolType::Array(item) => {
                let shared = self.shared_length.take();
                let length = shared.unwrap_or_else(|| self.length()).min(self.scalars);
                let items = (0..length).map(|_| self.item(item)).collect();
                self.shared_length = shared;
                DynSolValue::Array(items)
            }
            DynSolType::FixedArray(item, size) => {
                DynSolValue::FixedArray((0..*size).map(|_| self.value(item)).collect())
            }
            DynSolType::Tuple(items) | DynSolType::CustomStruct { tuple: items, .. } => {
                DynSolValue::Tuple(items.iter().map(|ty| self.value(ty)).collect())
            }
        }
    }

    fn item(&mut self, ty: &DynSolType) -> DynSolValue {
        self.scalars = self.scalars.saturating_sub(1);
        self.value(ty)
    }

    fn length(&mut self) -> usize {
        match self.rng.below(16) {
            0..=1 => 0,
            2..=6 => 1,
            7..=10 => 2,
            11..=14 => 3 + self.rng.below(6),
            _ => self.rng.below(LONGEST + 1),
        }
    }

    fn address(&mut self) -> Address {
        let generator = self.generator;
        let known = match self.rng.below(10) {
            0..=3 => generator.senders.actor(self.rng),
            4..=5 => generator.functions.address(self.rng),
            6..=8 => generator.dictionary.address(self.rng),
            _ if self.rng.coin() => Some(Address::ZERO),
            _ => None,
        };
        known.unwrap_or_else(|| self.rng.address())
    }

    fn fixed_bytes(&mut self, size: usize) -> B256 {
        let known = match self.rng.below(8) {
            0 => Some(B256::ZERO),
            1 => Some(B256::repeat_byte(0xff)),
            2..=3 => self.generator.dictionary.fixed_bytes(self.rng),
            4 => self.generator.dictionary.string(self.rng).map(|text| left_aligned(text.as_bytes())),
            5 if size == 4 => self.callable().map(|callable| left_aligned(&callable.method.selector.0)),
            5 => Some(left_aligned(&[self.rng.next() as u8])),
            _ => None,
        };
        let mut word = known.unwrap_or_else(|| self.rng.bits(256).into());
        word[size..].fill(0);
        word
    }

    fn function(&mut self) -> Function {
        let target = self.address();
        let Some(callable) = self.callable() else { return Function::ZERO };
        let address = if self.rng.coin() { callable.target } else { target };
        (address, callable.method.selector).into()
    }

    fn callable(&mut self) -> Option<&'a Callable> {
        self.generator.functions.choose(&[], None, self.rng)
    }

    fn bytes(&mut self) -> Vec<u8> {
        if self.bytes == 0 {
            return Vec::new();
        }
        let bytes = self.any_bytes();
        match self.bytes.checked_sub(bytes.len()) {
            Some(left) => {
                self.bytes = left;
                bytes
            }
            None => {
                self.bytes = 0;
                Vec::new()
            }
        }
    }

    fn any_bytes(&mut self) -> Vec<u8> {
        match self.rng.below(8) {
            0 => Vec::new(),
            1..=2 => self.generator.dictionary.blob(self.rng).map(|blob| blob.to_vec()).unwrap_or_default(),
            3 => self.calldata(),
            4 => {
                let words = self.rng.below(5);
                (0..words)
                    .flat_map(|_| number::unsigned(256, self.generator, self.rng).to_be_bytes::<32>())
                    .collect()
            }
            _ => self.random_bytes(),
        }
    }

    fn random_bytes(&mut self) -> Vec<u8> {
        let most = if self.rng.below(16) == 0 { 1024 } else { BYTES };
        let length = self.rng.below(most + 1);
        self.rng.bytes(length)
    }

    /// Returns the calldata of a random target call; empty if calls are nested too deeply or nothing can be
    /// called.
    fn calldata(&mut self) -> Vec<u8> {
        let Some(callable) = self.callable().filter(|_| self.nesting < 2) else { return Vec::new() };
        let args =
            ValueGenerator::new(self.generator, self.rng, self.nesting + 1).arguments(&callable.method);
        let mut calldata = callable.method.function.abi_encode_input(&args).unwrap_or_default();
        calldata.truncate(MOST_BYTES);
        calldata
    }

    fn string(&mut self) -> String {
        match self.rng.below(8) {
            0..=1 => String::new(),
            2..=3 => self.generator.dictionary.string(self.rng).cloned().unwrap_or_default(),
            4 => self.text(|rng| char::from_u32(rng.below(0x11_0000) as u32).unwrap_or('\u{fffd}')),
            5 => self
                .text(|rng| *rng.pick(&['é', 'ß', '漢', '🦀', '\u{202e}', '\0', '"', '\\']).unwrap_or(&'?')),
            _ => self.text(|rng| char::from(b' ' + rng.below(95) as u8)),
        }
    }

    fn text(&mut self, letter: impl Fn(&mut Rng) -> char) -> String {
        let most = match self.rng.below(16) {
            0 => 1024,
            1..=4 => 64,
            _ => 12,
        };
        let length = 1 + self.rng.below(most);
        (0..length).map(|_| letter(self.rng)).collect()
    }
}

/// Returns a word with the first 32 bytes of `bytes` at its high end.
fn left_aligned(bytes: &[u8]) -> B256 {
    let length = bytes.len().min(32);
    let mut word = B256::ZERO;
    word[..length].copy_from_slice(&bytes[..length]);
    word
}
