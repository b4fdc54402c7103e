//! An interface, behind it a NUL, and what was called, logged, returned or reverted with by a contract that says it has it.
#![no_main]

use forge_harvey::{evm::trace::decode::Abis, model::{Input, TargetFunction, format}};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(2, |byte| *byte == 0);
    let Ok(abi) = serde_json::from_slice::<alloy_json_abi::JsonAbi>(parts.next().unwrap_or_default()) else { return };
    let data = parts.next().unwrap_or_default();
    let abis = Abis::new([&abi]);
    drop(abis.revert_reason(data, "Revert"));
    for function in abi.functions() {
        let target = TargetFunction::new(function.clone());
        assert_eq!(target.selector(), function.selector());
        let data = [target.selector().as_slice(), data].concat().into();
        let input = Input::decode(&Arc::new(target), &data);
        if let Input::Typed { args, .. } = &input {
            drop(format::args(&function.inputs, args, format::Style::Pretty));
            drop(format::args(&function.inputs, args, format::Style::Raw));
        }
        drop(input.calldata());
    }
});
