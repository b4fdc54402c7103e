//! Prompts to the user. They are not shown, because a campaign cannot wait for answers.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx},
    vm::Vm,
};
use std::io::{self, IsTerminal};

/// Returns Forge's error for runs without a terminal, or else reports that prompts are unsupported.
fn unanswered(cx: &mut Cx<'_>, name: &str) -> CheatError {
    if !io::stderr().is_terminal() {
        return "IO error: not a terminal".into();
    }
    let text = "a search cannot wait for answers; give the value in an environment variable";
    cx.cheats.transaction.unsupported.get_or_insert_with(|| format!("vm.{name}: {text}"));
    text.into()
}

macro_rules! prompts {
    ($($call:ident $name:literal;)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                Err(unanswered(cx, $name))
            }
        }
    )*};
}

prompts! {
    promptCall "prompt";
    promptSecretCall "promptSecret";
    promptAddressCall "promptAddress";
    promptUintCall "promptUint";
    promptSecretUintCall "promptSecretUint";
}
