//! Handler of a contract, learned by calling it: who may call each function, with which arguments, what the calls move,
//! and what holds after all of them.
//!
//! The contract is deployed as for a scan. Walks of random calls then begin at this state, and only calls that succeed
//! are kept in them.

mod bandit;
mod candidates;
mod changes;
mod examined;
mod facts;
mod funding;
mod phases;
mod set_up;
mod shape;
mod views;
mod walk;

use super::{
    CancellationToken,
    unit_tests::{ContractUse, uses_of},
};
use crate::{
    config::Config,
    evm::{
        base::constants::CALLER,
        exec::{
            scan::{is_token, means, reads_time},
            test_env::{ProjectContext, SetupFailure, TestEnv},
        },
        trace::cmplog::pushes,
    },
    model::{
        Entry, Scene, TargetFunction, Transaction,
        handler::{ContractRole, HandlerModel, Quantity, flatten},
        is_view,
    },
    project::{Contract, Project, Suite},
};
use alloy_dyn_abi::DynSolValue;
use alloy_json_abi::{Function, JsonAbi};
use alloy_primitives::{Address, Selector, U256};
use std::{collections::BTreeSet, sync::Arc};
use walk::Walks;

/// Learns the handler of a contract. The same seed gives the same handler.
///
/// # Errors
/// When the contract cannot be deployed: the reason.
pub fn learn_handler(
    context: &ProjectContext,
    config: &Config,
    contract: &Arc<Contract>,
    stop: &CancellationToken,
) -> Result<HandlerModel, String> {
    let mut config = config.clone();
    config.harvey.oracles.clear();
    let used = uses_of(contract, context, &config, stop);
    let deployments = used.set_ups.iter().map(|set_up| set_up.deployments.clone());
    let context = &context.deploying_like(deployments.collect());
    let built = TestEnv::build(context, &config, &Suite::scan(contract));
    // A contract that cannot be deployed is skipped, for a reason.
    let why = |failure: Box<SetupFailure>| failure.skipped.flatten().unwrap_or(failure.reason);
    let test_env = built.map_err(why)?;
    let scene = test_env.scene().cloned().ok_or("it has no scene")?;
    let project = context.project();
    let setting = HandlerSetting::new(scene, contract, project, used);
    let mut walks = Walks::new(Arc::new(test_env), setting, stop);
    walks.learn();
    Ok(walks.model())
}

/// The deployed contracts, the accounts and the functions to call.
pub(super) struct HandlerSetting {
    scene: Scene,
    accounts: Vec<Address>,
    /// Account that takes tokens, with the call that makes it do so.
    holder: Option<Transaction>,
    roles: Vec<(ContractRole, Address)>,
    /// Interfaces of the contract and of its dependencies.
    interfaces: Vec<(ContractRole, Address, Arc<JsonAbi>)>,
    functions: Vec<Arc<TargetFunction>>,
    quantities: Vec<Quantity>,
    /// Number literals of the sources that are in the code of the contract.
    literals: Vec<U256>,
    /// Calls of the contract by the project's unit tests.
    used: ContractUse,
    reads_time: bool,
}

impl HandlerSetting {
    fn new(scene: Scene, contract: &Arc<Contract>, project: &Project, used: ContractUse) -> Self {
        let people = scene.actors.iter().filter(|actor| actor.code.is_empty() && actor.address != CALLER);
        let holder = contract.runtime_code().and_then(|code| funding::holder(code));
        let people = people.map(|actor| actor.address).chain(holder.as_ref().map(|answer| answer.target));
        let accounts = std::iter::once(CALLER).chain(people).collect();
        let subject = scene.contract.address;
        let mut interfaces = vec![(ContractRole::Subject, subject, contract.abi.clone())];
        for (index, built) in scene.dependencies.iter().enumerate() {
            let abi = project.contract(&built.contract).map(|contract| contract.abi.clone());
            interfaces.push((ContractRole::Dependency(index), built.address, abi.unwrap_or_default()));
        }
        let functions = contract.abi.functions().filter(|function| !is_view(function));
        let functions = functions.map(|function| TargetFunction::new(function.clone()));
        let functions =
            functions.filter(|function| function.types().is_some() && function.entry() == Entry::Selector);
        let has_supply = contract.abi.functions().any(|function| function.signature() == "totalSupply()");
        let tokens = (0..scene.dependencies.len()).map(Quantity::Tokens);
        let tokens = tokens.filter(|quantity| match quantity {
            Quantity::Tokens(index) => is_token(&interfaces[index + 1].2),
            _ => false,
        });
        let supply = has_supply.then_some(Quantity::Supply);
        let quantities = tokens.chain([Quantity::Wei]).chain(supply).collect();
        let roles = interfaces.iter().map(|(role, address, _)| (*role, *address)).collect();
        Self {
            accounts,
            holder,
            roles,
            functions: functions.map(Arc::new).collect(),
            quantities,
            reads_time: contract.runtime_code().is_some_and(|code| reads_time(code)),
            literals: literals(contract, project),
            used,
            interfaces,
            scene,
        }
    }

    /// Returns the largest numbers that unit tests use for each leaf of a function with so many leaves.
    fn amounts(&self, function: &TargetFunction, leaves: usize) -> Vec<Option<U256>> {
        let calls = self.used.tests.iter().flatten();
        let args =
            calls.filter(|(selector, _)| *selector == function.selector()).map(|(_, args)| flatten(args));
        let args: Vec<_> = args.collect();
        let number = |args: &Vec<DynSolValue>, leaf: usize| Some(args.get(leaf)?.as_uint()?.0);
        (0..leaves).map(|leaf| args.iter().filter_map(|args| number(args, leaf)).max()).collect()
    }

    /// Returns the functions that a unit test calls, in its order.
    fn orders(&self) -> Vec<Vec<usize>> {
        let index =
            |selector: &Selector| self.functions.iter().position(|function| function.selector() == *selector);
        let tests = self.used.tests.iter();
        tests.map(|calls| calls.iter().filter_map(|(selector, _)| index(selector)).collect()).collect()
    }

    /// Tells whether the name of a leaf means a contract that the subject depends on.
    fn means(&self, leaf: &str, role: ContractRole) -> bool {
        let ContractRole::Dependency(index) = role else { return false };
        let member = leaf.rsplit('_').next().unwrap_or(leaf);
        means(member, &self.scene.dependencies[index], &self.interfaces[index + 1].2)
    }

    fn subject(&self) -> Address {
        self.scene.contract.address
    }
}

/// Returns the number literals of the sources that are in the code of a contract.
fn literals(contract: &Contract, project: &Project) -> Vec<U256> {
    let pushed: BTreeSet<U256> =
        contract.runtime_code().map(|code| pushes(code).collect()).unwrap_or_default();
    let words: BTreeSet<U256> = project.literals().words.iter().map(|(_, word)| *word).collect();
    words.intersection(&pushed).copied().collect()
}

/// Returns the function of an interface with this signature.
fn function(abi: &JsonAbi, signature: &str) -> Option<Arc<TargetFunction>> {
    let found: Option<&Function> = abi.functions().find(|function| function.signature() == signature);
    found.map(|function| Arc::new(TargetFunction::new(function.clone())))
}
