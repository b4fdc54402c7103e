//! Tokens for the accounts.

use super::{HandlerSetting, function};
use crate::{
    evm::{base::constants::CALLER, exec::scan::answering, trace::cmplog::pushes},
    model::{
        Sequence, TargetFunction, Transaction,
        handler::{ContractRole, Funding},
        is_view,
    },
};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::Function;
use alloy_primitives::{Address, U256, uint};
use std::sync::Arc;

/// Selectors of the functions by which contracts agree to get a token: `onERC721Received`, `onERC1155Received`.
const ASKED: [U256; 2] = uint!([0x150b7a02_U256, 0xf23a6e61_U256]);

/// Amounts that accounts may get, the first one if possible: a million tokens with 18 decimals, and less for tokens
/// with a cap.
pub(super) const AMOUNTS: [U256; 4] =
    uint!([1000000000000000000000000_U256, 1000000000000000000_U256, 1000000_U256, 100_U256]);

/// Returns the call that makes an account with code take tokens, if this code asks receivers.
pub(super) fn holder(code: &[u8]) -> Option<Transaction> {
    let pushed: Vec<U256> = pushes(code).collect();
    let asked = ASKED.into_iter().find(|selector| pushed.contains(selector))?;
    // It answers one more than the word.
    let word = DynSolValue::Uint((asked << 224) - U256::ONE, 256);
    let target = answering(code)?;
    let answer = target.functions.first()?;
    Some(Transaction::plain(CALLER, target.address, answer, vec![word]))
}

impl HandlerSetting {
    /// Returns the ways in which accounts may get a token, usual ones first.
    pub(super) fn ways(&self, dependency: usize) -> Vec<Funding> {
        let (_, _, abi) = &self.interfaces[dependency + 1];
        let usual = ["mint", "transfer", "approve"];
        let takes = |function: &&Function| {
            function.signature() == format!("{}(address,uint256)", function.name)
                && !is_view(function)
                && !usual.contains(&&*function.name)
        };
        let others = abi.functions().filter(takes).map(|function| Funding::Mint(function.name.clone()));
        let first = [Funding::Mint("mint".to_owned()), Funding::Transfer, Funding::Deposit];
        first.into_iter().chain(others).collect()
    }

    /// Returns the calls by which each account gets an amount of a token and approves the contract; `None` if the token
    /// lacks the functions.
    pub(super) fn funding(&self, dependency: usize, way: &Funding, amount: U256) -> Option<Sequence> {
        let (role, token, abi) = &self.interfaces[dependency + 1];
        debug_assert_eq!(*role, ContractRole::Dependency(dependency));
        let deployer = self.accounts[0];
        let given = DynSolValue::Uint(amount, 256);
        let plain = |sender: Address, function: &Arc<TargetFunction>, args| {
            Transaction::plain(sender, *token, function, args)
        };
        let mut calls = Sequence::new();
        match way {
            Funding::Mint(name) => {
                let mint = function(abi, &format!("{name}(address,uint256)"))?;
                let args = |account: &Address| vec![DynSolValue::Address(*account), given.clone()];
                calls.extend(self.accounts.iter().map(|account| plain(deployer, &mint, args(account))));
            }
            Funding::Transfer => {
                let transfer = function(abi, "transfer(address,uint256)")?;
                let args = |account: &Address| vec![DynSolValue::Address(*account), given.clone()];
                let others = self.accounts.iter().skip(1);
                calls.extend(others.map(|account| plain(deployer, &transfer, args(account))));
            }
            Funding::Deposit => {
                let deposit = function(abi, "deposit()")?;
                let call = |account: &Address| Transaction {
                    value: amount,
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
