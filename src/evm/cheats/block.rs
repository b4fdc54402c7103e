//! Cheatcodes that change and read the environment of the block and of the transaction.
//!
//! Changes are made in the EVM's environment, so a revert does not undo them.

use super::{
    dispatch::{CheatResult, Cheatcode, Cx, done, ensure},
    vm::Vm,
};
use crate::{
    evm::{base::spec, state::blob::blob_fee},
    model::branch::Slot,
};
use alloy_primitives::{B256, U256};
use revm::primitives::hardfork::SpecId;

/// Type of blob transactions (EIP-4844).
const BLOB_TX_TYPE: u8 = 3;

/// Fees that a test has set. Isolated calls, which pay nothing, see zero instead of all others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FeeOverrides {
    /// True if isolated calls see them, as in Forge 1.8; in 1.7 they see zero.
    pub(super) are_kept: bool,
    /// True if `vm.fee` has set the base fee.
    pub(crate) base_fee: bool,
    /// True if `vm.txGasPrice` has set the gas price.
    pub(crate) gas_price: bool,
}

impl Cheatcode for Vm::warpCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.ctx.block.timestamp = self.timestamp;
        cx.ctx.chain.cmplog.changes(Slot::TIMESTAMP);
        done()
    }
}

impl Cheatcode for Vm::rollCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.ctx.block.number = self.number;
        cx.ctx.chain.cmplog.changes(Slot::BLOCK_NUMBER);
        done()
    }
}

impl Cheatcode for Vm::feeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let fee = u64::try_from(self.baseFee);
        cx.ctx.block.basefee = fee.map_err(|_| "base fee must be less than 2^64")?;
        let fees = &mut cx.ctx.chain.watch.fees;
        fees.base_fee = fees.are_kept;
        done()
    }
}

impl Cheatcode for Vm::chainIdCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let id = u64::try_from(self.id);
        cx.ctx.cfg.chain_id = id.map_err(|_| "chain ID must be less than 2^64")?;
        done()
    }
}

impl Cheatcode for Vm::coinbaseCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.ctx.block.beneficiary = self.beneficiary;
        done()
    }
}

impl Cheatcode for Vm::difficultyCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        ensure!(
            cx.spec() < SpecId::MERGE,
            "`difficulty` is not supported after the Paris hard fork, use `prevrandao` instead; \
             see EIP-4399: https://eips.ethereum.org/EIPS/eip-4399"
        );
        cx.ctx.block.difficulty = self.value;
        done()
    }
}

fn set_prevrandao(cx: &mut Cx<'_>, value: B256) -> Result<(), super::dispatch::CheatError> {
    ensure!(
        cx.spec() >= SpecId::MERGE,
        "`prevrandao` is not supported before the Paris hard fork, use `difficulty` instead; \
         see EIP-4399: https://eips.ethereum.org/EIPS/eip-4399"
    );
    cx.ctx.block.prevrandao = Some(value);
    Ok(())
}

impl Cheatcode for Vm::prevrandao_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        set_prevrandao(cx, self.value)?;
        done()
    }
}

impl Cheatcode for Vm::prevrandao_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        set_prevrandao(cx, self.value.into())?;
        done()
    }
}

impl Cheatcode for Vm::txGasPriceCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let price = u64::try_from(self.price);
        cx.ctx.tx.gas_price = price.map_err(|_| "gas price must be less than 2^64")?.into();
        let fees = &mut cx.ctx.chain.watch.fees;
        fees.gas_price = fees.are_kept;
        done()
    }
}

impl Cheatcode for Vm::blobBaseFeeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        ensure!(
            cx.spec() >= SpecId::CANCUN,
            "`blobBaseFee` is not supported before the Cancun hard fork; \
             see EIP-4844: https://eips.ethereum.org/EIPS/eip-4844"
        );
        // As in Forge, the argument becomes the excess blob gas, from which EIP-4844 computes the fee.
        let fraction = cx.ctx.cfg.blob_base_fee_update_fraction();
        cx.ctx.block.blob_excess_gas_and_price = Some(blob_fee(self.fee.saturating_to(), fraction));
        done()
    }
}

impl Cheatcode for Vm::getBlobBaseFeeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.ctx.block.blob_excess_gas_and_price.map_or(U256::ZERO, |blob| U256::from(blob.excess_blob_gas)))
    }
}

impl Cheatcode for Vm::blobhashesCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        ensure!(
            cx.spec() >= SpecId::CANCUN,
            "`blobhashes` is not supported before the Cancun hard fork; \
             see EIP-4844: https://eips.ethereum.org/EIPS/eip-4844"
        );
        cx.ctx.tx.blob_hashes = self.hashes;
        cx.ctx.tx.tx_type = BLOB_TX_TYPE;
        done()
    }
}

impl Cheatcode for Vm::getBlobhashesCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        ensure!(
            cx.spec().is_enabled_in(SpecId::CANCUN),
            "`getBlobhashes` is not supported before the Cancun hard fork; \
             see EIP-4844: https://eips.ethereum.org/EIPS/eip-4844"
        );
        Ok(cx.ctx.tx.blob_hashes.clone())
    }
}

impl Cheatcode for Vm::setBlockhashCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let number = u64::try_from(self.number).map_err(|_| "blockNumber must be less than 2^64")?;
        ensure!(
            self.number <= cx.ctx.block.number,
            "block number must be less than or equal to the current block number"
        );
        cx.ctx.chain.watch.block_hashes.insert(number, self.hash);
        done()
    }
}

impl Cheatcode for Vm::getBlockTimestampCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let time = cx.ctx.block.timestamp;
        cx.ctx.chain.cmplog.reads(Slot::TIMESTAMP, time);
        Ok(time)
    }
}

impl Cheatcode for Vm::getBlockNumberCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let number = cx.ctx.block.number;
        cx.ctx.chain.cmplog.reads(Slot::BLOCK_NUMBER, number);
        Ok(number)
    }
}

impl Cheatcode for Vm::getChainIdCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(U256::from(cx.ctx.cfg.chain_id))
    }
}

impl Cheatcode for Vm::getEvmVersionCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.spec().to_string().to_lowercase())
    }
}

impl Cheatcode for Vm::isIsolateModeCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        Ok(cx.cheats.shared.config.isolate)
    }
}

impl Cheatcode for Vm::setEvmVersionCall {
    /// Sets the version for frames that begin from now on. The calling frame keeps its instructions.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let spec = spec::named(&self.version)?;
        cx.ctx.cfg.set_spec_and_mainnet_gas_params(spec);
        done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{Lab, Program};
    use alloy_primitives::Address;
    use revm::bytecode::opcode as op;

    #[test]
    fn a_reverted_call_does_not_turn_time_back() {
        let mut lab = Lab::new();
        lab.run(&Program::new().vm(&Vm::warpCall { timestamp: U256::from(9) }).fail(b""));
        assert_eq!(lab.evm.vm.ctx.block.timestamp, U256::from(9));
    }

    #[test]
    fn a_block_hash_can_be_given_while_the_block_is_in_reach() {
        let mut lab = Lab::new();
        lab.put(
            Address::repeat_byte(1),
            &[op::PUSH1, 3, op::BLOCKHASH, op::PUSH0, op::MSTORE, op::PUSH1, 32, op::PUSH0, op::RETURN],
        );
        let roll = |number| Vm::rollCall { number: U256::from(number) };
        let set = Vm::setBlockhashCall { number: U256::from(3), hash: B256::repeat_byte(7) };
        let ask = |program: Program| program.call(Address::repeat_byte(1), []).give();
        let near = lab.run(&ask(Program::new().vm(&roll(5)).vm(&set)));
        assert_eq!(near.output[..], [7; 32]);
        assert_eq!(lab.run(&ask(Program::new().vm(&roll(1000)))).output[..], [0; 32]);
    }
}
