//! Getters of the contracts, and their results after a sequence.

use crate::model::{
    Outcome, Step, TargetFunction, Transaction,
    handler::{AskedAccount, ContractRole, Getter},
    is_view, is_word,
};
use alloy_dyn_abi::{DynSolType, DynSolValue, Specifier as _};
use alloy_json_abi::{Function, InternalType, JsonAbi};
use alloy_primitives::{Address, U256};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maximum number of calls of getters after a sequence.
const MOST: usize = 160;

/// Getter with the words that it is asked about.
pub(super) type ViewKey = (ContractRole, String, Vec<U256>);

/// Maximum number of identifiers that getters of one number are asked about.
const MOST_IDS: usize = 8;

/// View function that returns one word.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) of: ContractRole,
    pub(super) name: String,
    /// Number of accounts that it takes: up to two.
    pub(super) accounts: usize,
    /// True if it takes a number after the accounts: an identifier, as `ownerOf` does.
    pub(super) takes_id: bool,
    /// Type of its result.
    pub(super) ty: DynSolType,
    /// True if the result is a contract by its declaration.
    pub(super) is_contract: bool,
}

impl View {
    pub(super) fn is_number(&self) -> bool {
        matches!(self.ty, DynSolType::Uint(_))
    }

    pub(super) fn getter(&self, about: Vec<AskedAccount>) -> Getter {
        Getter { of: self.of, name: self.name.clone(), about }
    }
}

/// Getters that are called after each sequence.
pub(super) struct Views {
    pub(super) list: Vec<View>,
    /// Calls of the others.
    calls: Vec<(ViewKey, Transaction)>,
    /// Getters of one number, with the accounts that they are asked about.
    of_ids: Vec<(View, Arc<TargetFunction>, Vec<Address>)>,
    subject: Address,
}

/// Results of the getters in one state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ViewResults {
    pub(super) values: FxHashMap<ViewKey, U256>,
    /// Digest of the storage.
    pub(super) storage: u64,
    /// Wei of the contract.
    pub(super) wei: U256,
}

impl Views {
    /// Collects the getters of contracts. All accounts are asked about, and the contract itself.
    pub(super) fn new(
        contracts: &[(ContractRole, Address, Arc<JsonAbi>)],
        accounts: &[Address],
        subject: Address,
    ) -> Self {
        let mut views = Self { list: Vec::new(), calls: Vec::new(), of_ids: Vec::new(), subject };
        let everybody: Vec<Address> = accounts.iter().copied().chain([subject]).collect();
        for (of, address, abi) in contracts {
            let mut found: Vec<(View, &Function)> =
                abi.functions().filter_map(|function| Some((view(*of, function)?, function))).collect();
            found.sort_by_key(|(view, _)| view.accounts);
            for (view, function) in found {
                let function = Arc::new(TargetFunction::only_ours(function.clone()));
                if view.takes_id {
                    let about = combinations(&everybody, view.accounts);
                    views
                        .of_ids
                        .extend(about.into_iter().map(|about| (view.clone(), function.clone(), about)));
                    views.list.push(view);
                    continue;
                }
                for about in combinations(&everybody, view.accounts) {
                    if views.calls.len() >= MOST {
                        break;
                    }
                    let args = about.iter().map(|account| DynSolValue::Address(*account)).collect();
                    let key = (*of, view.name.clone(), words(&about));
                    views.calls.push((key, Transaction::plain(accounts[0], *address, &function, args)));
                }
                views.list.push(view);
            }
        }
        views
    }

    /// Returns the calls of all getters, with what they ask about. Those of one number are asked about these.
    pub(super) fn calls(&self, ids: &[U256], sender: Address) -> Vec<(ViewKey, Transaction)> {
        let asked = ids.iter().rev().take(MOST_IDS);
        let of_ids = asked.flat_map(|id| {
            self.of_ids.iter().map(move |(view, function, about)| {
                let accounts = about.iter().map(|account| DynSolValue::Address(*account));
                let args = accounts.chain([DynSolValue::Uint(*id, 256)]).collect();
                let call = Transaction::plain(sender, self.subject, function, args);
                let words = words(about).into_iter().chain([*id]).collect();
                ((view.of, view.name.clone(), words), call)
            })
        });
        self.calls.iter().cloned().chain(of_ids).collect()
    }

    /// Returns the results of these calls. Getters that revert have none.
    pub(super) fn read(
        calls: &[(ViewKey, Transaction)],
        steps: &[Step],
        (wei, storage): (U256, u64),
    ) -> ViewResults {
        let results = calls.iter().zip(steps).filter_map(|((key, _), step)| {
            let word = step.output.get(..32).filter(|_| step.outcome == Outcome::Success)?;
            Some((key.clone(), U256::from_be_slice(word)))
        });
        ViewResults { values: results.collect(), wei, storage }
    }
}

impl ViewResults {
    /// Returns the result of a getter, if it has one.
    pub(super) fn get(&self, of: ContractRole, name: &str, about: &[Address]) -> Option<U256> {
        self.about(of, name, &words(about))
    }

    /// Returns the result of a getter about words, if it has one.
    pub(super) fn about(&self, of: ContractRole, name: &str, words: &[U256]) -> Option<U256> {
        self.values.get(&(of, name.to_owned(), words.to_vec())).copied()
    }
}

/// Returns a getter that returns one word. Of dependencies, only the balances are of interest.
fn view(of: ContractRole, function: &Function) -> Option<View> {
    let [output] = &function.outputs[..] else { return None };
    let ty = output.resolve().ok().filter(is_word)?;
    let inputs = &function.inputs;
    let takes_id = inputs.last().is_some_and(|last| last.ty == "uint256") && of == ContractRole::Subject;
    let accounts = &inputs[..inputs.len() - usize::from(takes_id)];
    let takes_accounts = accounts.iter().all(|input| input.ty == "address");
    let is_wanted = of == ContractRole::Subject || function.signature() == "balanceOf(address)";
    (is_view(function) && takes_accounts && inputs.len() <= 2 && is_wanted).then(|| View {
        of,
        name: function.name.clone(),
        accounts: accounts.len(),
        takes_id,
        ty,
        is_contract: output.internal_type().is_some_and(|ty| matches!(ty, InternalType::Contract(_))),
    })
}

/// Returns the words of accounts.
fn words(accounts: &[Address]) -> Vec<U256> {
    accounts.iter().map(|account| account.into_word().into()).collect()
}

fn combinations(accounts: &[Address], places: usize) -> Vec<Vec<Address>> {
    match places {
        0 => vec![Vec::new()],
        1 => accounts.iter().map(|account| vec![*account]).collect(),
        _ => accounts.iter().flat_map(|a| accounts.iter().map(|b| vec![*a, *b])).collect(),
    }
}
