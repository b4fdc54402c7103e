//! Words of the calldata of a call, as inputs of a symbolic execution.

use crate::model::Input;
use alloy_primitives::U256;

/// Tells whether the word of the calldata at an offset is data, so that it can be another one. Offsets and lengths of
/// dynamic arguments are not.
fn is_data(input: &Input, offset: usize) -> bool {
    let calldata = input.calldata();
    // The highest bit of texts, the lowest one of numbers: with another offset or length, the rest would be encoded in
    // another way.
    [(offset, 0x80), (offset + 31, 1)].into_iter().any(|(byte, bit)| {
        let mut changed = calldata.to_vec();
        changed.get_mut(byte).is_some_and(|byte| {
            *byte ^= bit;
            true
        }) && with_calldata(input, changed).is_some()
    })
}

/// Returns the largest word that may be at an offset of the calldata; `None` if the word there is no data.
pub(super) fn largest(input: &Input, offset: usize) -> Option<U256> {
    let fits = |word: U256| with_words(input, &[(offset, word)]).is_some();
    let lowest = |bytes: usize| (U256::ONE << (8 * bytes)) - U256::ONE;
    if !is_data(input, offset) {
        return None;
    }
    if fits(U256::MAX) {
        return Some(U256::MAX);
    }
    // Numbers and accounts use the lowest bytes, `bytes4` the highest ones.
    let sizes = || (1..32).rev();
    let number = sizes().map(lowest).find(|word| fits(*word));
    let bytes = || sizes().map(|size| U256::MAX << (8 * (32 - size))).find(|word| fits(*word));
    Some(number.or_else(bytes).unwrap_or(U256::ONE))
}

/// Returns the input with other words in its calldata, given by their offsets. Returns `None` if no arguments of the
/// function are encoded so.
pub(super) fn with_words(input: &Input, words: &[(usize, U256)]) -> Option<Input> {
    let mut calldata = input.calldata().to_vec();
    for (offset, word) in words {
        let place = calldata.get_mut(*offset..)?;
        let length = place.len().min(32);
        place[..length].copy_from_slice(&word.to_be_bytes::<32>()[..length]);
    }
    with_calldata(input, calldata)
}

fn with_calldata(input: &Input, calldata: Vec<u8>) -> Option<Input> {
    match input {
        Input::Raw(_) => Some(Input::Raw(calldata.into())),
        Input::Typed { function, .. } => {
            let decoded = Input::decode(function, &calldata.into());
            matches!(decoded, Input::Typed { .. }).then_some(decoded)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::toy, model::Transaction};
    use alloy_dyn_abi::DynSolValue;
    use alloy_primitives::Address;

    /// A call with an array of accounts and an array of numbers.
    fn call() -> Transaction {
        let mut call = toy::call("pay", &[]);
        let account = DynSolValue::Address(Address::repeat_byte(7));
        let numbers = [5, 6].map(|number| DynSolValue::Uint(U256::from(number), 256));
        if let Some(args) = call.input.args_mut() {
            *args = vec![DynSolValue::Array(vec![account]), DynSolValue::Array(numbers.into())];
        }
        call
    }

    #[test]
    fn items_are_data_and_offsets_and_lengths_are_not() {
        let words = (0..7).map(|word| is_data(&call().input, 4 + 32 * word)).collect::<Vec<_>>();
        assert_eq!(words, [false, false, false, true, false, true, true]);
    }

    #[test]
    fn the_largest_word_is_that_of_the_type() {
        let largest_of = |signature: &str| {
            let function = toy::parse(signature);
            let calldata = [&function.selector()[..], &[0; 32]].concat();
            largest(&Input::decode(&function, &calldata.into()), 4).expect("data")
        };
        let lowest = |bits: usize| U256::MAX >> (256 - bits);
        assert_eq!(largest_of("f(uint256)"), U256::MAX);
        assert_eq!(largest_of("f(uint8)"), lowest(8));
        assert_eq!(largest_of("f(address)"), lowest(160));
        assert_eq!(largest_of("f(bool)"), U256::ONE);
        assert_eq!(largest_of("f(bytes4)"), lowest(32) << 224);
        assert_eq!(largest_of("f(int8)"), U256::MAX, "minus one");
    }

    #[test]
    fn words_become_arguments_unless_a_type_cannot_hold_them() {
        let input = call().input;
        let changed = with_words(&input, &[(4 + 32 * 6, U256::from(9))]).expect("an input");
        let Input::Typed { args, .. } = &changed else { panic!("typed") };
        assert_eq!(args[1].as_array().and_then(|items| items[1].as_uint()), Some((U256::from(9), 256)));
        assert_eq!(with_words(&input, &[(4 + 32 * 3, U256::MAX)]), None, "no address");
        assert_eq!(with_words(&input, &[(4, U256::MAX)]), None, "no offset");
        let small = Input::decode(
            &toy::parse("f(int8)"),
            &[&toy::parse("f(int8)").selector()[..], &[0; 32]].concat().into(),
        );
        assert_eq!(with_words(&small, &[(4, U256::from(255))]), None, "not the word of minus one");
        assert!(with_words(&small, &[(4, U256::MAX)]).is_some(), "minus one");
        assert_eq!(with_words(&input, &[(4_000, U256::MAX)]), None, "beyond the end");
    }
}
