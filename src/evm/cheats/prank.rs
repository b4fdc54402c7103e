//! `vm.prank` and its kin: senders that a contract's calls seem to come from.
//!
//! A prank belongs to a call depth. At that depth it replaces the caller of calls and creations that the
//! pranking contract makes; an origin given with it holds for everything below.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, account, done, ensure},
    vm::Vm,
};
use crate::evm::Ctx;
use alloy_primitives::Address;
use revm::interpreter::{CallInputs, CallScheme, CreateInputs};
use rustc_hash::FxBuildHasher;
use std::{collections::BTreeMap, hash::BuildHasher as _};

/// Pranks, by the call depth that they belong to.
#[derive(Clone, Debug, Default, Hash)]
pub(super) struct Pranks(BTreeMap<usize, Prank>);

/// Prank that was asked for.
#[derive(Clone, Debug, Hash)]
struct Prank {
    /// Contract that asked.
    pranker: Address,
    /// `tx.origin` to go back to.
    origin_before: Address,
    sender: Address,
    origin: Option<Address>,
    depth: usize,
    /// True if the next call uses it up.
    single: bool,
    /// True if delegate calls are pranked too.
    delegate: bool,
    /// True once it was applied.
    used: bool,
}

impl Pranks {
    /// Returns a hash of the pranks; zero if there are none.
    pub(super) fn digest(&self) -> u64 {
        if self.0.is_empty() { 0 } else { FxBuildHasher.hash_one(self) }
    }

    /// Prepares for a transaction within the running one, which no prank changes.
    pub(super) fn enter_transaction(&mut self) {
        self.0.clear();
    }

    /// Returns the innermost prank at or above `depth`.
    fn at(&mut self, depth: usize) -> Option<&mut Prank> {
        self.0.range_mut(..=depth).next_back().map(|(_, prank)| prank)
    }

    /// Tells whether a prank may apply to calls of this depth.
    pub(super) fn has(&self, depth: usize) -> bool {
        self.0.range(..=depth).next_back().is_some()
    }

    /// Lets a prank change a call that is about to be made.
    pub(super) fn on_call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) {
        let depth = ctx.journaled_state.depth;
        let Some(prank) = self.at(depth) else { return };
        if prank.delegate && depth == prank.depth && inputs.scheme == CallScheme::DelegateCall {
            inputs.target_address = prank.sender;
            inputs.caller = prank.sender;
            account(ctx, prank.sender);
            if let Some(origin) = prank.origin {
                ctx.tx.caller = origin;
            }
            prank.used = true;
        } else if let Some(sender) = prank.apply(ctx, inputs.caller) {
            inputs.caller = sender;
        }
    }

    /// Lets a prank change a creation that is about to be made.
    pub(super) fn on_create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) {
        let depth = ctx.journaled_state.depth;
        if let Some(prank) = self.at(depth)
            && let Some(sender) = prank.apply(ctx, inputs.caller())
        {
            inputs.set_call(sender);
        }
    }

    /// Ends what a prank changed once its call or creation has returned, whether it reverted or not.
    pub(super) fn on_end(&mut self, ctx: &mut Ctx) {
        let depth = ctx.journaled_state.depth;
        let Some(prank) = self.0.get(&depth) else { return };
        ctx.tx.caller = prank.origin_before;
        if prank.single {
            self.0.remove(&depth);
        }
    }
}

impl Prank {
    /// Returns the sender to use instead of `caller`, if any; sets the origin on the way.
    fn apply(&mut self, ctx: &mut Ctx, caller: Address) -> Option<Address> {
        if caller != self.pranker {
            return None;
        }
        if let Some(origin) = self.origin {
            ctx.tx.caller = origin;
            self.used = true;
        }
        if ctx.journaled_state.depth != self.depth {
            return None;
        }
        // The transfer of value, even of none, looks the sender up in the journal.
        account(ctx, self.sender);
        self.used = true;
        Some(self.sender)
    }
}

fn begin(
    cx: &mut Cx<'_>,
    sender: Address,
    origin: Option<Address>,
    single: bool,
    delegate: bool,
) -> Result<(), CheatError> {
    ensure!(
        !cx.cheats.broadcasts.is_active(),
        "cannot `prank` for a broadcasted transaction; \
         pass the desired `tx.origin` into the `broadcast` cheatcode call"
    );
    let code = &cx.account(sender).info.code;
    let has_code = code.as_ref().is_some_and(|code| !code.is_empty());
    ensure!(!delegate || has_code, "cannot `prank` delegate call from an EOA");
    let depth = cx.depth();
    if let Some(before) = cx.cheats.pranks.at(depth) {
        ensure!(before.used, "cannot overwrite a prank until it is applied at least once");
        ensure!(
            before.single == single,
            "cannot override an ongoing prank with a single vm.prank; \
             use vm.startPrank to override the current prank"
        );
    }
    let (pranker, origin_before) = (cx.caller, cx.ctx.tx.caller);
    let prank = Prank { pranker, origin_before, sender, origin, depth, single, delegate, used: false };
    cx.cheats.pranks.0.insert(depth, prank);
    Ok(())
}

/// Implements the eight overloads, which differ in what they give.
macro_rules! pranks {
    ($($call:ident($single:literal, $self:ident => $origin:expr, $delegate:expr);)*) => {$(
        impl Cheatcode for Vm::$call {
            fn apply($self, cx: &mut Cx<'_>) -> CheatResult<Self> {
                begin(cx, $self.sender, $origin, $single, $delegate)?;
                done()
            }
        }
    )*};
}

pranks! {
    prank_0Call(true, self => None, false);
    prank_1Call(true, self => Some(self.origin), false);
    prank_2Call(true, self => None, self.delegateCall);
    prank_3Call(true, self => Some(self.origin), self.delegateCall);
    startPrank_0Call(false, self => None, false);
    startPrank_1Call(false, self => Some(self.origin), false);
    startPrank_2Call(false, self => None, self.delegateCall);
    startPrank_3Call(false, self => Some(self.origin), self.delegateCall);
}

impl Cheatcode for Vm::stopPrankCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let depth = cx.depth();
        cx.cheats.pranks.0.remove(&depth);
        done()
    }
}

impl Cheatcode for Vm::readCallersCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        // `CallerMode`: 0 none, 1 broadcast, 2 recurrent broadcast, 3 prank, 4 recurrent prank.
        if let Some((single, sender)) = cx.cheats.broadcasts.callers() {
            return Ok((if single { 1 } else { 2 }, sender, sender).into());
        }
        let depth = cx.depth();
        let (origin, caller) = (cx.ctx.tx.caller, cx.ctx.tx.caller);
        Ok(match cx.cheats.pranks.at(depth) {
            Some(prank) => {
                let mode = if prank.single { 3 } else { 4 };
                (mode, prank.sender, prank.origin.unwrap_or(origin)).into()
            }
            None => (0, caller, origin).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::{
        base::constants::CALLER,
        cheats::testing::{ALICE, Lab, Program, TEST, WHO, reason},
    };
    use alloy_sol_types::SolValue;

    const BOB: Address = Address::repeat_byte(0xb0);

    fn seen(program: &Program) -> (Address, Address) {
        let output = Lab::new().run(program);
        assert!(output.is_success(), "{}", reason(&output.output));
        SolValue::abi_decode_params(&output.output).unwrap()
    }

    fn prank(sender: Address) -> Vm::prank_0Call {
        Vm::prank_0Call { sender }
    }

    #[test]
    fn a_prank_changes_the_sender_of_the_next_call_only() {
        let once = Program::new().vm(&prank(ALICE)).call(WHO, []);
        assert_eq!(seen(&once.clone().give()), (ALICE, CALLER));
        assert_eq!(seen(&once.call(WHO, []).give()), (TEST, CALLER));
    }

    #[test]
    fn a_started_prank_lasts_until_it_is_stopped() {
        let started = Program::new().vm(&Vm::startPrank_0Call { sender: ALICE }).call(WHO, []).call(WHO, []);
        assert_eq!(seen(&started.clone().give()), (ALICE, CALLER));
        assert_eq!(seen(&started.vm(&Vm::stopPrankCall {}).call(WHO, []).give()), (TEST, CALLER));
    }

    #[test]
    fn deeper_frames_see_real_senders_and_the_pranked_origin() {
        let mut lab = Lab::new();
        lab.put(BOB, &Program::new().call(WHO, []).give().assemble());
        let pranked = Program::new().vm(&Vm::prank_1Call { sender: ALICE, origin: ALICE }).call(BOB, []);
        let output = lab.run(&pranked.give());
        assert_eq!(output.output, (BOB, ALICE).abi_encode_params());
    }

    #[test]
    fn a_creation_under_prank_takes_the_pranked_nonce() {
        let mut lab = Lab::new();
        let output = lab.run(&Program::new().vm(&prank(ALICE)).create(&[]).give_word());
        assert_eq!(Address::from_word(output.output[..].try_into().unwrap()), ALICE.create(0));
        assert_eq!((lab.info(ALICE).nonce, lab.info(TEST).nonce), (1, 1));
    }

    #[test]
    fn a_prank_that_was_not_used_cannot_be_replaced() {
        let output = Lab::new().run(&Program::new().vm(&prank(ALICE)).vm(&prank(BOB)));
        insta::assert_snapshot!(
            reason(&output.output),
            @"vm.prank: cannot overwrite a prank until it is applied at least once"
        );
    }
}
