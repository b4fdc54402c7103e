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
    cx.cheats.transaction.skip = Some(reason.filter(|reason| !reason.is_empty()));
    Err(CheatError::Raw(magic.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{Lab, Program};

    #[test]
    fn a_rejected_assumption_reverts_with_the_magic() {
        let output = Lab::new().run(&Program::new().vm(&Vm::assumeCall { condition: false }));
        assert_eq!(output.output[..], *ASSUME_MAGIC);
    }

    #[test]
    fn a_skip_gives_its_reason_twice() {
        let mut lab = Lab::new();
        let output = lab.run(&Program::new().vm(&Vm::skip_1Call { skipTest: true, reason: "why".into() }));
        assert_eq!(output.output[..], *b"FOUNDRY::SKIPwhy");
        assert_eq!(lab.cheats().transaction.skip, Some(Some("why".to_owned())));
    }
}
