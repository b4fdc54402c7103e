//! Scan environment of a contract whose code is given: it is on the forked chain, or it is put at an address.

use super::setup::Builder;
use crate::{
    evm::{
        exec::scan::{
            ADMIN_SLOTS, TokenHolder, actors, can_pay, constants_with_code, initialize, is_minimal, scanned,
        },
        trace::{
            call_tree::Tracer,
            read_set::{ReadScope, StateRead},
        },
        vm::call::{Callee, TopCall},
    },
    model::{Actor, ChainAccount, ContractId, Deployment, Scene, Slot, TokenWord, is_view},
    project::Contract,
};
use alloy_json_abi::Function;
use alloy_primitives::{Address, Bytes, U256, hex, uint};
use revm::{interpreter::InstructionResult, state::Bytecode};
use std::sync::Arc;

/// Words in the names of getters of accounts that a contract trusts, although they have code.
const TRUSTED: [&str; 6] = ["owner", "admin", "govern", "timelock", "authority", "multisig"];

/// Maximum number of accounts that getters name.
const MOST_TRUSTED: usize = 4;

/// Maximum number of tokens that the actors get.
const MOST_TOKENS: usize = 4;

/// Least number of tokens that an actor gets, if the contract owns fewer.
const TOKENS: U256 = uint!(1000000000000000000000000_U256);

/// Selector of `totalSupply()`.
const TOTAL_SUPPLY: [u8; 4] = hex!("18160ddd");

/// Divisor of the total supply of a scanned token, for what an actor gets of it.
const SHARES: U256 = uint!(16_U256);

/// Value of a word by which the slot of a balance is recognised.
const PROBE: U256 = uint!(123456789_U256);

/// Accounts that the getters of a contract on a chain, or its code, name.
#[derive(Default)]
pub(super) struct NamedAccounts {
    /// Accounts that the contract trusts, which call it as well.
    pub(super) trusted: Vec<Actor>,
    /// Contracts that it uses.
    pub(super) contracts: Vec<Address>,
    /// Words of storage that the getters read.
    pub(super) words: Vec<U256>,
}

/// Builder of the scene of such a contract.
pub(super) struct DeployedScene<'a, 'b>(pub(super) &'a mut Builder<'b>);

impl DeployedScene<'_, '_> {
    /// Puts runtime code at an address, and calls the initializers of the contract.
    pub(super) fn install(&mut self, contract: &Arc<Contract>, code: &Bytes, scene: Scene) -> Scene {
        let address = scanned();
        self.0.base_state().set_code(address, Bytecode::new_legacy(code.clone()));
        let project = self.0.context.project.clone();
        let initializers = initialize(&project, contract, &[], &mut |data| {
            self.0.attempt(Callee::Account(address), U256::ZERO, data).is_ok()
        });
        Scene { initializers, can_pay: can_pay(code), ..scene }
    }

    /// Completes the scene of a contract on the forked chain.
    pub(super) fn on_chain(
        &mut self,
        account: ChainAccount,
        others: &[(ChainAccount, ContractId)],
        scene: Scene,
    ) -> Scene {
        let there = |(account, contract): &(ChainAccount, ContractId)| Deployment {
            contract: contract.clone(),
            address: account.address,
            args: Bytes::new(),
            value: U256::ZERO,
        };
        let dependencies = others.iter().map(there).collect();
        // A proxy can be upgraded to code that pays, unless it is a minimal one.
        let is_fixed = account.implementation.is_none() || is_minimal(&self.0.evm.code(account.address));
        let can_pay = !is_fixed || can_pay(&self.0.evm.code(account.code_at()));
        Scene { dependencies, can_pay, ..scene }
    }

    /// Asks the getters of a contract on the chain for accounts. Those without code are trusted, and so are those with
    /// code whose getters are named like owners.
    pub(super) fn named_on_chain(&mut self, contract: &Contract, account: ChainAccount) -> NamedAccounts {
        // All getters are called: the search takes values from what they read.
        let is_getter = |function: &&Function| function.inputs.is_empty() && is_view(function);
        let is_of_account = |getter: &Function| matches!(&getter.outputs[..], [only] if only.ty == "address");
        let getters: Vec<Function> = contract.abi.functions().filter(is_getter).cloned().collect();
        let mut named = NamedAccounts::default();
        let admins = ADMIN_SLOTS.map(|slot| ("admin".to_owned(), self.0.evm.storage(account.address, slot)));
        let answers = getters.iter().filter_map(|getter| {
            let (answer, read) = self.ask_and_note(account.address, getter.selector().to_vec().into());
            named.words.extend(read.iter().map(|(_, word)| word));
            is_of_account(getter).then(|| Some((getter.name.to_lowercase(), answer?)))?
        });
        let mut answers: Vec<_> = admins.into_iter().chain(answers).collect();
        let is_trusted = |name: &str| TRUSTED.iter().any(|word| name.contains(word));
        answers.sort_by_key(|(name, _)| !is_trusted(name));
        for (name, word) in answers {
            let address = Address::from_word(word.into());
            let is_known = named.trusted.iter().any(|actor| actor.address == address);
            if word.is_zero() || word.bit_len() > 160 || is_known || address == account.address {
                continue;
            }
            let has_code = !self.0.evm.code(address).is_empty();
            if has_code {
                named.contracts.push(address);
            }
            if !has_code || is_trusted(&name) {
                named.trusted.push(Actor { name: "named", address, code: Bytes::new() });
            }
        }
        named.trusted.truncate(MOST_TRUSTED);
        named
    }

    /// Gives each actor an amount of the tokens that a contract on the chain uses, or of its own if it is a token, and
    /// lets the contract spend them. Returns the words of storage that were set.
    pub(super) fn fund_with_tokens(&mut self, scene: &Scene, named: &NamedAccounts) -> Vec<TokenWord> {
        let Some(account) = scene.origin.account() else { return Vec::new() };
        let mut tokens = vec![account.address];
        tokens.extend(&named.contracts);
        tokens.extend(constants_with_code(&self.0.evm.code(account.code_at()), |address| {
            !self.0.evm.code(address).is_empty()
        }));
        tokens.extend(scene.origin.others().iter().map(|(other, _)| other.address));
        let subject = account.address;
        let mut known = Vec::new();
        for token in tokens {
            if known.len() < MOST_TOKENS && !known.iter().any(|(known, _)| *known == token) {
                let owned = self.ask(token, TokenHolder(subject).balance());
                let amount = match token == subject {
                    // More than there is would make its sums overflow.
                    true => self.ask(token, TOTAL_SUPPLY.into()).map(|supply| supply / SHARES),
                    false => owned.map(|owned| owned.max(TOKENS)),
                };
                known.extend(owned.and(amount).map(|amount| (token, amount)));
            }
        }
        let mut stored = Vec::new();
        for (token, amount) in known {
            for actor in actors::all() {
                let holder = TokenHolder(actor.address);
                let wanted = [(holder.balance(), amount), (holder.allowance(subject), U256::MAX >> 1)];
                for (question, value) in wanted {
                    let slot = self.answer_with(token, question, value);
                    stored.extend(slot.map(|slot| TokenWord { holder: actor.address, slot, value }));
                }
            }
        }
        stored
    }

    /// Sets the word of storage that a view returns, and returns its slot; `None` if there is none.
    fn answer_with(&mut self, target: Address, question: Bytes, value: U256) -> Option<Slot> {
        let (answer, words) = self.ask_and_note(target, question.clone());
        answer?;
        for (slot, before) in words.into_iter().rev() {
            self.store(slot, PROBE);
            let is_it = self.ask(target, question.clone()) == Some(PROBE);
            self.store(slot, if is_it { value } else { before });
            if is_it {
                return Some(slot);
            }
        }
        None
    }

    /// Calls a view. Returns the word in its answer, and the words of storage that it read; none if the recording does
    /// not describe the call.
    fn ask_and_note(&mut self, target: Address, data: Bytes) -> (Option<U256>, Vec<(Slot, U256)>) {
        self.0.evm.vm.ctx.chain.reads.begin(ReadScope::Transaction);
        let answer = self.ask(target, data);
        let reads = &mut self.0.evm.vm.ctx.chain.reads;
        reads.end();
        let reads = reads.outermost();
        let words = reads.complete().unwrap_or_default().iter().filter_map(|(read, word)| match read {
            StateRead::Word(slot) => Some((*slot, *word)),
            _ => None,
        });
        (answer, words.collect())
    }

    fn store(&mut self, slot: Slot, value: U256) {
        self.0.evm.set_storage(slot, value);
        self.0.evm.settle();
    }

    /// Calls a view and returns the word in its answer.
    fn ask(&mut self, target: Address, data: Bytes) -> Option<U256> {
        let output = self.0.evm.transact(&TopCall::ask(target, data));
        if output.result == InstructionResult::FatalExternalError {
            let error = self.0.reason(&output);
            self.0.unanswered.get_or_insert(error);
        }
        self.0.evm.discard();
        let inspector = self.0.evm.inspector();
        drop(inspector.tracer.as_mut().map(Tracer::take));
        drop(inspector.cheats.take_logs());
        let word: [u8; 32] = output.output[..].try_into().ok().filter(|_| output.is_success())?;
        Some(U256::from_be_bytes(word))
    }
}
