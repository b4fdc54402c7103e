//! Account changes that revm's journal cannot record, with their own undo log.
//!
//! The journal undoes a code change by emptying the account, but `vm.etch` must restore the previous code. The
//! journal undoes a balance change with the frame that made it, but (as in Forge) `vm.deal` survives reverts of
//! all frames except the topmost.

use crate::evm::Ctx;
use alloy_primitives::{Address, B256, U256};
use revm::{bytecode::Bytecode, primitives::KECCAK_EMPTY, state::AccountStatus};

/// Record of one change.
#[derive(Clone, Debug)]
struct Undo {
    /// Depth of the calls that the owning frame makes. A revert of this frame, or of a frame around it, undoes
    /// the change. At depth zero, only [`UndoLog::all`] does.
    depth: usize,
    address: Address,
    change: StateChange,
}

/// Change of an account, as much of it as undoing takes.
#[derive(Clone, Debug)]
pub(super) enum StateChange {
    /// Amount added to the balance, modulo 2^256.
    Balance(U256),
    /// Amount added to the nonce, modulo 2^64.
    Nonce(u64),
    /// Previous code, code hash, and account status.
    Code(Option<Bytecode>, B256, AccountStatus),
    Status(AccountStatus),
}

/// Changes of one transaction, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct UndoLog(Vec<Undo>);

impl UndoLog {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a change of the frame that makes calls at `depth`.
    pub(super) fn note(&mut self, depth: usize, address: Address, change: StateChange) {
        self.0.push(Undo { depth, address, change });
    }

    /// Ends a frame that was entered from `depth`, after revm has undone its own records of it.
    pub(super) fn frame_end(&mut self, ctx: &mut Ctx, depth: usize, reverted: bool) {
        for index in (0..self.0.len()).rev() {
            if self.0[index].depth <= depth {
                continue;
            }
            if reverted {
                self.0.remove(index).undo(ctx);
            } else {
                self.0[index].depth = depth;
            }
        }
    }

    /// Undoes all changes of a discarded transaction, before revm undoes its part.
    pub(super) fn all(&mut self, ctx: &mut Ctx) {
        for undo in self.0.drain(..).rev() {
            undo.undo(ctx);
        }
    }
}

impl Undo {
    fn undo(self, ctx: &mut Ctx) {
        let Some(account) = ctx.journaled_state.inner.state.get_mut(&self.address) else { return };
        match self.change {
            StateChange::Balance(added) => account.info.balance = account.info.balance.wrapping_sub(added),
            StateChange::Nonce(added) => account.info.nonce = account.info.nonce.wrapping_sub(added),
            StateChange::Status(before) => account.status = before,
            StateChange::Code(code, hash, status) => {
                // A contract that was created in the reverted frame has no previous code.
                let uncreated = status.contains(AccountStatus::CreatedLocal) && !account.is_created_locally();
                (account.info.code, account.info.code_hash) =
                    if uncreated { (None, KECCAK_EMPTY) } else { (code, hash) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::evm::cheats::{
        testing::{ALICE, KEEPER, Lab, Program},
        vm::Vm,
    };
    use alloy_primitives::{Address, Bytes, U256};

    const INNER: Address = Address::repeat_byte(1);

    fn deal(balance: u8) -> Vm::dealCall {
        Vm::dealCall { account: ALICE, balance: U256::from(balance) }
    }

    fn etch() -> Vm::etchCall {
        Vm::etchCall { target: KEEPER, code: Bytes::from_static(&[0]) }
    }

    #[test]
    fn a_reverted_call_keeps_the_balance_and_loses_the_code() {
        let mut lab = Lab::new();
        let code = lab.evm.code(KEEPER);
        lab.put(INNER, &Program::new().vm(&deal(5)).vm(&etch()).fail(b"").assemble());
        assert!(lab.run(&Program::new().call(INNER, [])).is_success());
        assert_eq!(lab.info(ALICE).balance, U256::from(5));
        assert_eq!(lab.evm.code(KEEPER), code);
    }

    #[test]
    fn a_reverted_transaction_loses_the_balance_too() {
        let mut lab = Lab::new();
        lab.put(INNER, &Program::new().vm(&deal(5)).assemble());
        lab.run(&Program::new().call(INNER, []).vm(&deal(7)).fail(b""));
        assert_eq!(lab.info(ALICE).balance, U256::ZERO);
    }

    #[test]
    fn a_discarded_transaction_leaves_nothing() {
        let mut lab = Lab::new();
        let code = lab.evm.code(KEEPER);
        let nonce = Vm::setNonceCall { account: ALICE, nonce: 9 };
        let output = lab.pend(&Program::new().vm(&deal(5)).vm(&etch()).vm(&nonce));
        assert!(output.is_success());
        lab.evm.discard();
        assert_eq!((lab.info(ALICE).balance, lab.info(ALICE).nonce), (U256::ZERO, 0));
        assert_eq!(lab.evm.code(KEEPER), code);
    }
}
