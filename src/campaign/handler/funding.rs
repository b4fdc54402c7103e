//! Tokens for the accounts.

use super::{HandlerSetting, function};
use crate::model::{
    Sequence, TargetFunction, Transaction,
    handler::{ContractRole, Funding},
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::{Address, U256};
use std::sync::Arc;

impl HandlerSetting {
    /// Returns the calls by which the accounts get a token and approve the contract; `None` if the token lacks the
    /// functions.
    pub(super) fn funding(&self, dependency: usize, way: Funding) -> Option<Sequence> {
        let (role, token, abi) = &self.interfaces[dependency + 1];
        debug_assert_eq!(*role, ContractRole::Dependency(dependency));
        let deployer = self.accounts[0];
        let amount = DynSolValue::Uint(Funding::AMOUNT, 256);
        let plain = |sender: Address, function: &Arc<TargetFunction>, args| {
            Transaction::plain(sender, *token, function, args)
        };
        let mut calls = Sequence::new();
        match way {
            Funding::Mint => {
                let mint = function(abi, "mint(address,uint256)")?;
                let args = |account: &Address| vec![DynSolValue::Address(*account), amount.clone()];
                calls.extend(self.accounts.iter().map(|account| plain(deployer, &mint, args(account))));
            }
            Funding::Transfer => {
                let transfer = function(abi, "transfer(address,uint256)")?;
                let args = |account: &Address| vec![DynSolValue::Address(*account), amount.clone()];
                let others = self.accounts.iter().skip(1);
                calls.extend(others.map(|account| plain(deployer, &transfer, args(account))));
            }
            Funding::Deposit => {
                let deposit = function(abi, "deposit()")?;
                let call = |account: &Address| Transaction {
                    value: Funding::AMOUNT,
                    ..plain(*account, &deposit, Vec::new())
                };
                calls.extend(self.accounts.iter().map(call));
            }
        }
        let approve = function(abi, "approve(address,uint256)")?;
        let args = vec![DynSolValue::Address(self.subject()), DynSolValue::Uint(U256::MAX, 256)];
        calls.extend(self.accounts.iter().map(|account| plain(*account, &approve, args.clone())));
        Some(calls)
    }
}
