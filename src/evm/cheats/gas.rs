//! Gas metering: paused, resumed and reset without looking at every instruction.
//!
//! What a contract forwards to a cheatcode is all but 1/64 of its gas (EIP-150), so two cheatcode calls
//! tell what was used between them. It is given back with the result of the later one.

use super::{
    dispatch::{CheatResult, Cheatcode, Cx, done},
    gas_snapshots::GasSections,
    vm::Vm,
};
use revm::interpreter::Gas;

/// State of the cheatcodes on gas, which belongs to one transaction.
#[derive(Clone, Debug, Default)]
pub(super) struct GasState {
    pub(super) metering: Metering,
    pub(super) sections: GasSections,
}

impl GasState {
    /// Forgets the last transaction, but for the gas of its last call.
    pub(super) fn begin_tx(&mut self) {
        self.metering.reset();
        self.sections = GasSections::default();
    }

    /// Goes on with the transaction around one that has ended.
    pub(super) fn after_transaction(&mut self, outer: Self) {
        let Self { metering, sections: _ } = outer;
        self.metering = metering;
    }
}

/// Gas accounting of the open frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Metering {
    /// Gas limits of the open frames, the innermost last, cheatcode calls included.
    frames: Vec<u64>,
    /// Depth and remaining gas of the contract that paused metering; no gas once that contract has returned.
    paused: Option<(usize, Option<u64>)>,
    last_call: Option<Gas>,
    /// Gas of the last call or creation that has ended.
    last_frame: Option<Gas>,
}

/// Error if the gas of the last call is asked for before one was made.
pub(super) const NO_CALL: &str = "no external call was made yet";

/// Error if the gas of the last call or creation is asked for before one was made.
pub(super) const NO_FRAME: &str = "no external call or create was made yet";

/// Gas of a call of an account that was called before (EIP-2929).
const WARM_CALL: u64 = 100;

/// Returns the gas of a caller that forwards `forwarded` at most.
fn all_of(forwarded: u64) -> u64 {
    u64::try_from(u128::from(forwarded) * 64 / 63).unwrap_or(u64::MAX)
}

impl Metering {
    /// Forgets the frames of the last transaction.
    fn reset(&mut self) {
        self.frames.clear();
        self.paused = None;
    }

    /// Notes the gas limit of a call or creation that begins.
    pub(super) fn enter(&mut self, gas_limit: u64) {
        self.frames.push(gas_limit);
    }

    /// Returns the gas of the last call that has ended.
    pub(super) fn last_call(&self) -> Option<Gas> {
        self.last_call
    }

    /// Forgets the gas of the last call.
    pub(super) fn forget_last_call(&mut self) {
        self.last_call = None;
        self.last_frame = None;
    }

    /// Returns the gas of the last call or creation that has ended.
    pub(super) fn last_frame(&self) -> Option<Gas> {
        self.last_frame
    }

    /// Ends a call that was entered from `depth`.
    pub(super) fn leave_call(&mut self, depth: usize, gas: &mut Gas) {
        self.leave(depth, gas);
        (self.last_call, self.last_frame) = (Some(*gas), Some(*gas));
    }

    /// Ends a creation that was entered from `depth`. One by a transaction itself is not noted.
    pub(super) fn leave_creation(&mut self, depth: usize, gas: &mut Gas) {
        self.leave(depth, gas);
        if depth > 0 {
            self.last_frame = Some(*gas);
        }
    }

    /// Ends a cheatcode.
    pub(super) fn leave_cheatcode(&mut self) {
        self.frames.pop();
    }

    /// Ends a frame that was entered from `depth`; under a pause its gas comes back.
    fn leave(&mut self, depth: usize, gas: &mut Gas) {
        self.frames.pop();
        if let Some((paused, remaining)) = self.paused {
            if paused <= depth {
                gas.set_remaining(gas.limit());
            } else {
                gas.set_remaining(remaining.unwrap_or(gas.limit()).min(gas.limit()));
                self.paused = Some((depth, None));
            }
        }
    }

    /// Returns the gas limit of the frame that called the cheatcode which is running.
    fn caller_limit(&self) -> u64 {
        self.frames.iter().rev().nth(1).copied().unwrap_or_default()
    }
}

impl Cheatcode for Vm::pauseGasMeteringCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let now = (cx.depth(), Some(all_of(cx.gas_limit)));
        cx.cheats.gas.metering.paused.get_or_insert(now);
        done()
    }
}

impl Cheatcode for Vm::resumeGasMeteringCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        if let Some((depth, Some(remaining))) = cx.cheats.gas.metering.paused.take()
            && depth == cx.depth()
        {
            // This call itself is paid for.
            cx.gas_back = remaining.saturating_sub(all_of(cx.gas_limit)).saturating_sub(WARM_CALL);
        }
        done()
    }
}

impl Cheatcode for Vm::resetGasMeteringCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.gas_back = cx.cheats.gas.metering.caller_limit().saturating_sub(all_of(cx.gas_limit));
        done()
    }
}

fn described(gas: Gas) -> Vm::Gas {
    Vm::Gas {
        gasLimit: gas.limit(),
        gasTotalUsed: gas.total_gas_spent(),
        // Forge gives no memory gas either.
        gasMemoryUsed: 0,
        gasRefunded: gas.refunded(),
        gasRemaining: gas.remaining(),
    }
}

impl Cheatcode for Vm::lastCallGasCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.note_calls();
        Ok(described(cx.cheats.gas.metering.last_call.ok_or(NO_CALL)?))
    }
}

impl Cheatcode for Vm::lastFrameGasCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.note_calls();
        Ok(described(cx.cheats.gas.metering.last_frame.ok_or(NO_FRAME)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{Lab, Program, WHO, reason};
    use alloy_primitives::U256;
    use alloy_sol_types::SolValue;

    fn left(program: Program) -> u64 {
        let output = Lab::new().run(&program.give_gas());
        U256::from_be_slice(&output.output).to()
    }

    #[test]
    fn gas_used_during_a_pause_comes_back() {
        let (pause, resume) = (Vm::pauseGasMeteringCall {}, Vm::resumeGasMeteringCall {});
        let short = left(Program::new().vm(&pause).vm(&resume));
        let long = left(Program::new().vm(&pause).burn(1000).vm(&resume));
        let metered = left(Program::new().vm(&pause).vm(&resume).burn(1000));
        assert!(short.abs_diff(long) < 3000, "{short} {long}");
        assert!(short - metered > 500_000, "{short} {metered}");
    }

    #[test]
    fn a_reset_forgets_what_was_used() {
        let fresh = left(Program::new());
        let reset = left(Program::new().burn(1000).vm(&Vm::resetGasMeteringCall {}));
        assert!(fresh.abs_diff(reset) < 3000, "{fresh} {reset}");
    }

    #[test]
    fn the_last_frame_is_a_call_or_a_creation() {
        let (frame, call) = (Vm::lastFrameGasCall {}, Vm::lastCallGasCall {});
        let output = Lab::new().run(&Program::new().vm(&frame));
        insta::assert_snapshot!(reason(&output.output), @"vm.lastFrameGas: no external call or create was made yet");
        let gas = |program: Program, last: &dyn Fn(Program) -> Program| {
            let output = Lab::new().run(&last(program).give());
            Vm::Gas::abi_decode(&output.output).unwrap()
        };
        let of_frame = |program: Program| program.vm(&frame);
        let of_call = |program: Program| program.vm(&call);
        let init_code = Program::new().burn(3).assemble();
        let created = Program::new().call(WHO, []).create(&init_code);
        assert!(gas(created.clone(), &of_frame).gasTotalUsed > gas(created.clone(), &of_call).gasTotalUsed);
        let called = created.call(WHO, []);
        assert_eq!(gas(called.clone(), &of_frame).gasTotalUsed, gas(called, &of_call).gasTotalUsed);
    }
}
