//! `vm.assume` and `vm.skip`: magic revert data that decides the outcome of the whole call.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
    vm::Vm,
};
use crate::{
    evm::{
        base::constants::{ASSUME_MAGIC, SKIP_MAGIC},
        trace::cmplog::CheatcodeComparison,
    },
    model::BranchKind,
};
use alloy_primitives::{Bytes, U256};

impl Cheatcode for Vm::assumeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.compared(BranchKind::Assumption, CheatcodeComparison::Truth(0, U256::from(self.condition), true));
        if self.condition { done() } else { Err(CheatError::Raw(Bytes::from_static(ASSUME_MAGIC))) }
    }
}

impl Cheatcode for Vm::skip_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        skip(cx, self.skipTest, None)?;
        done()
    }
}

impl Cheatcode for Vm::skip_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        skip(cx, self.skipTest, Some(self.reason))?;
        done()
    }
}

fn skip(cx: &mut Cx<'_>, skip: bool, reason: Option<String>) -> Result<(), CheatError> {
    if !skip {
        return Ok(());
    }
    // In a deeper call, it would skip the called contract instead of the test.
    ensure!(cx.depth() <= 1, "`skip` can only be used at test level");
    let magic = [SKIP_MAGIC, reason.as_deref().unwrap_or_default().as_bytes()].concat();
    let payload = Bytes::from(magic);
    cx.cheats.transaction.skips.push(payload.clone());
    Err(CheatError::Raw(payload))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::{
        base::constants::VM_ADDRESS,
        cheats::testing::{Lab, Program},
    };
    use alloy_sol_types::SolCall as _;

    #[test]
    fn a_rejected_assumption_reverts_with_the_magic() {
        let output = Lab::new().run(&Program::new().vm(&Vm::assumeCall { condition: false }));
        assert_eq!(output.output[..], *ASSUME_MAGIC);
    }

    #[test]
    fn a_skip_is_known_by_its_revert_data() {
        let mut lab = Lab::new();
        let output = lab.run(&Program::new().vm(&Vm::skip_1Call { skipTest: true, reason: "why".into() }));
        assert_eq!(output.output[..], *b"FOUNDRY::SKIPwhy");
        assert_eq!(lab.evm.skip_reason(&output), Some(Some("why".to_owned())));
    }

    #[test]
    fn data_like_that_of_a_skip_skips_nothing() {
        let mut lab = Lab::new();
        let output = lab.run(&Program::new().fail(b"FOUNDRY::SKIPwhy"));
        assert_eq!(lab.evm.skip_reason(&output), None);
        let skipped = Vm::skip_1Call { skipTest: true, reason: "one".into() };
        let caught = Program::new().call(VM_ADDRESS, skipped.abi_encode());
        let output = lab.run(&caught.clone().fail(b"FOUNDRY::SKIPwhy"));
        assert_eq!(lab.evm.skip_reason(&output), None);
        let output = lab.run(&caught.vm(&Vm::skip_0Call { skipTest: true }));
        assert_eq!(lab.evm.skip_reason(&output), Some(None));
    }
}
