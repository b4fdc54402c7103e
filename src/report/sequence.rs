//! Calls of a counterexample, one line each or as Solidity.

use crate::{
    model::{
        Counterexample, Input, Reentry, SequenceCall,
        format::{self, Style},
    },
    report::style::Palette,
};

/// Formats the indented block under a verdict: `[Sequence] (original: 2, shrunk: 1)` and the calls.
pub(super) fn block(
    title: &str,
    counterexample: &Counterexample,
    as_solidity: bool,
    palette: Palette,
) -> String {
    let calls = &counterexample.calls;
    let mut out =
        format!("\t[{title}] (original: {}, shrunk: {})\n", counterexample.original_len, calls.len());
    for call in calls {
        let lines = if as_solidity { solidity(call) } else { None };
        for line in lines.unwrap_or_else(|| vec![palette.dim_hints(&plain(call))]) {
            out += &format!("\t\t{line}\n");
        }
    }
    out
}

/// Formats one call in Forge's one-line form. The value, which Forge 1.7.1 never sends, stands in the place
/// where Forge 1.8 prints it.
fn plain(call: &SequenceCall) -> String {
    let tx = &call.tx;
    let signature = call.signature();
    // Forge names the contract only together with a decoded call.
    let contract = call.contract.as_ref().filter(|_| signature.is_some());
    let contract = contract.map(|name| format!("[{name}]")).unwrap_or_default();
    let mut extras = String::new();
    for (name, number) in [("warp", tx.warp), ("roll", tx.roll), ("value", tx.value)] {
        if !number.is_zero() {
            extras += &format!("{name}={number} ");
        }
    }
    let calldata = signature.unwrap_or_else(|| call.calldata.to_string());
    let args = call.args(Style::Pretty).unwrap_or_default();
    let back = tx.reentry.as_deref().map(called_back).unwrap_or_default();
    format!(
        "sender={} addr={contract}{} {extras}calldata={calldata} args=[{args}]{back}",
        tx.sender, tx.target
    )
}

/// Describes a callback: ` (call 1 of 0x.. is answered by calling back withdraw(uint256) args=[1])`.
fn called_back(reentry: &Reentry) -> String {
    let input = match &reentry.input {
        Input::Typed { function, args } => {
            format!("{} args=[{}]", function.signature(), format::args(&function.inputs, args, Style::Pretty))
        }
        Input::Raw(data) => data.to_string(),
    };
    format!(" (call {} of {} is answered by calling back {input})", reentry.nth + 1, reentry.target)
}

/// Formats one call as the statements that make it (`show_solidity`). Returns `None` if the contract or the
/// function is not known.
fn solidity(call: &SequenceCall) -> Option<Vec<String>> {
    let tx = &call.tx;
    let statement = statement(call)?;
    let mut lines = Vec::new();
    if !tx.warp.is_zero() {
        lines.push(format!("vm.warp(block.timestamp + {});", tx.warp));
    }
    if !tx.roll.is_zero() {
        lines.push(format!("vm.roll(block.number + {});", tx.roll));
    }
    lines.push(format!("vm.prank({});", tx.sender));
    lines.push(statement);
    Some(lines)
}

/// Formats the statement of a call: `Bank(0x..).deposit{value: 1}(65);`.
fn statement(call: &SequenceCall) -> Option<String> {
    let contract = call.contract.as_deref()?;
    let name = contract.rsplit_once(':').map_or(contract, |(_, name)| name);
    let value = if call.tx.value.is_zero() { String::new() } else { format!("{{value: {}}}", call.tx.value) };
    let function = &call.tx.input.function()?.name;
    Some(format!("{name}({}).{function}{value}({});", call.tx.target, call.args(Style::Raw)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;
    use alloy_primitives::U256;

    fn render(calls: Vec<SequenceCall>, show_solidity: bool) -> String {
        block("Sequence", &Counterexample { original_len: 3, calls }, show_solidity, Palette::new(false))
    }

    #[test]
    fn delays_and_value_stand_between_target_and_calldata() {
        let mut call = samples::deposit(123_456);
        (call.tx.warp, call.tx.roll, call.tx.value) = (U256::from(5), U256::from(6), U256::from(7));
        insta::assert_snapshot!(render(vec![call.clone()], false), @r"
        	[Sequence] (original: 3, shrunk: 1)
        		sender=0x0000000000000000000000000000000000001234 addr=[test/A.t.sol:Bank]0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f warp=5 roll=6 value=7 calldata=deposit(uint256) args=[123456 [1.234e5]]
        ");
        insta::assert_snapshot!(render(vec![call], true), @r"
        	[Sequence] (original: 3, shrunk: 1)
        		vm.warp(block.timestamp + 5);
        		vm.roll(block.number + 6);
        		vm.prank(0x0000000000000000000000000000000000001234);
        		Bank(0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f).deposit{value: 7}(123456);
        ");
    }

    #[test]
    fn an_unknown_call_is_shown_as_bytes_even_as_solidity() {
        insta::assert_snapshot!(render(vec![samples::unknown_call()], true), @r"
        	[Sequence] (original: 3, shrunk: 1)
        		sender=0x0000000000000000000000000000000000001234 addr=0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f calldata=0x0102030405 args=[]
        ");
    }
}
