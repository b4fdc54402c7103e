//! Handler of a contract for an invariant suite: the calls that its users make, as learned by making them.

use crate::model::{
    scan::{Scene, has_word},
    target::TargetFunction,
    transaction::Sequence,
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Address, U256};
use std::sync::Arc;

/// Calls of a contract, and facts that held after all of them.
#[derive(Clone, Debug)]
pub struct HandlerModel {
    /// Deployment of the contract and of the contracts that it needs.
    pub scene: Scene,
    /// Accounts that call, the deployer first.
    pub accounts: Vec<Address>,
    /// Names that unit tests give to the accounts that call, the deployer's not among them.
    pub names: Vec<String>,
    /// True if the last account is a contract that takes tokens (EIP-721, EIP-1155): the contract asks receivers.
    pub has_holder: bool,
    /// Calls after the deployment, as a unit test makes them in `setUp`.
    pub set_up: Sequence,
    /// Tokens among the dependencies, which the accounts own and which the contract may spend.
    pub tokens: Vec<Token>,
    /// Functions that change the state of the contract.
    pub functions: Vec<HandlerFunction>,
    /// Amounts that functions move into the contract or out of it.
    pub quantities: Vec<Quantity>,
    /// Facts that held in all states seen, the most telling ones first.
    pub facts: Vec<Fact>,
    /// True if the code reads the time.
    pub reads_time: bool,
    /// Number of states in which the facts were checked.
    pub states: usize,
}

/// Token that the contract depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Index among the dependencies.
    pub dependency: usize,
    /// Way in which accounts get it.
    pub funding: Funding,
    /// Amount that each account gets, in units of the token.
    pub amount: U256,
}

/// Way in which accounts get a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Funding {
    /// The deployer calls the function with this name, which takes an account and an amount, as `mint` does.
    Mint(String),
    /// The deployer transfers a part of what it owns.
    Transfer,
    /// Each account calls `deposit()` with wei.
    Deposit,
}

/// Function of the contract as the handler calls it.
#[derive(Clone, Debug)]
pub struct HandlerFunction {
    /// The function.
    pub function: Arc<TargetFunction>,
    /// True if most other calls fail after it.
    pub is_ending: bool,
    /// The caller.
    pub sender: ValueChoice,
    /// Wei that are sent, for payable functions.
    pub value: Option<ValueChoice>,
    /// Number of items of all arrays among the arguments, if there are any.
    pub length: Option<ValueChoice>,
    /// Values of the arguments, struct members one by one.
    pub leaves: Vec<ArgumentLeaf>,
    /// Changes of the quantities by a successful call, in their order.
    pub flows: Vec<AmountChange>,
}

/// An argument, or a member of a struct among the arguments. Arrays are one leaf, and all their items are made alike.
#[derive(Clone, Debug)]
pub struct ArgumentLeaf {
    /// Names of the parameter and the members that lead to it, joined by `_`; may be empty.
    pub name: String,
    /// Type of the value or, for an array, of its items.
    pub ty: DynSolType,
    /// True if it is an array.
    pub is_array: bool,
    /// Value, or value of each item.
    pub choice: ValueChoice,
}

/// Way in which a value of a call is chosen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueChoice {
    /// Any value of the type.
    Any,
    /// One of the accounts.
    Account,
    /// The caller.
    Sender,
    /// The account with this index.
    One(usize),
    /// Address of a contract.
    Contract(ContractRole),
    /// A number in a range.
    Range(U256, U256),
    /// A number up to the result of a getter.
    UpTo(Getter),
    /// The result of a getter.
    Equal(Getter),
    /// The result of one of several getters.
    EqualToOne(Vec<Getter>),
    /// A time at most this number of seconds from now.
    Later(U256),
    /// A value that an earlier call of the function with this index returned: its first one.
    Returned(usize),
    /// The argument of an earlier call: index of the function, and of the leaf.
    Given(usize, usize),
    /// Zero, false or nothing.
    Zero,
}

/// A deployed contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContractRole {
    /// The contract itself.
    Subject,
    /// Dependency with this index.
    Dependency(usize),
}

/// Call of a view function that returns one word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Getter {
    /// Contract that is asked.
    pub of: ContractRole,
    /// Name of the function.
    pub name: String,
    /// Accounts that it is asked about.
    pub about: Vec<AskedAccount>,
}

/// Account that a getter is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AskedAccount {
    /// The caller.
    Sender,
    /// Value of the leaf with this index, which may also be a number.
    Leaf(usize),
    /// The contract itself.
    Subject,
    /// Each of the accounts, one after the other.
    Account,
}

/// An amount that calls move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Wei that the contract owns.
    Wei,
    /// Tokens that the contract owns: index of the dependency.
    Tokens(usize),
    /// Tokens that the contract has issued: its `totalSupply()`.
    Supply,
}

/// Change of a quantity by a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountChange {
    /// None.
    None,
    /// It grows by an amount.
    In(Amount),
    /// It shrinks by an amount.
    Out(Amount),
    /// It changes by an amount that has to be measured.
    Measured,
}

/// Amount of a change, in terms of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Value of the leaf with this index.
    Leaf(usize),
    /// Word that the function returns, by its index.
    Returned(usize),
    /// Wei that are sent.
    Value,
}

/// A fact about the state of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A quantity is what came in less what went out: index of the quantity.
    Conserved(usize),
    /// The sum of a getter over all accounts and the contract equals another getter.
    SumEquals(Getter, Getter),
    /// The sum of a getter over all accounts and the contract is at most another getter.
    SumAtMost(Getter, Getter),
    /// The contract owns at least what a getter says: the quantity, and the getter.
    Covers(Quantity, Getter),
    /// A getter is at most another one.
    AtMost(Getter, Getter),
    /// The getter of every account is at most another one.
    EachAtMost(Getter, Getter),
    /// A getter never changes.
    Constant(Getter),
    /// The contract owns no wei.
    NoWei,
    /// The contract has code.
    HasCode,
}

impl HandlerModel {
    /// Removes the last dependencies that neither a constructor, an initializer nor a call has got, and that are no
    /// tokens. A scan deploys those that the names of parameters suggest.
    pub fn drop_unused(&mut self) {
        while let Some(last) = self.scene.dependencies.len().checked_sub(1) {
            if self.uses(last) {
                break;
            }
            self.scene.dependencies.pop();
        }
    }

    fn uses(&self, index: usize) -> bool {
        let Scene { contract, dependencies, initializers, .. } = &self.scene;
        let address = dependencies[index].address;
        let is_in = |calldata: &[u8]| has_word(calldata.get(4..).unwrap_or_default(), address);
        let mut choices = self.functions.iter().flat_map(HandlerFunction::choices);
        let is_chosen =
            choices.any(|choice| *choice == ValueChoice::Contract(ContractRole::Dependency(index)));
        let is_token = self.quantities.contains(&Quantity::Tokens(index));
        let mut created = dependencies.iter().chain([contract]);
        is_chosen
            || is_token
            || self.set_up.iter().any(|call| call.target == address || is_in(&call.input.calldata()))
            || created.any(|built| built.takes(&dependencies[index]))
            || initializers.iter().any(|initializer| is_in(&initializer.calldata))
    }
}

impl HandlerFunction {
    /// Returns all of its choices: caller, wei, length and leaves.
    pub fn choices(&self) -> impl Iterator<Item = &ValueChoice> {
        let leaves = self.leaves.iter().map(|leaf| &leaf.choice);
        std::iter::once(&self.sender).chain(&self.value).chain(&self.length).chain(leaves)
    }
}

/// A value of a call that is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenValue {
    /// The caller.
    Sender,
    /// The leaf with this index.
    Leaf(usize),
}

/// Returns the order in which the caller and the leaves are chosen, each after those on which it depends; `None` if two
/// depend on each other.
#[must_use]
pub fn order(sender: &ValueChoice, leaves: &[&ValueChoice]) -> Option<Vec<ChosenValue>> {
    let all = leaves.iter().enumerate().map(|(index, choice)| (ChosenValue::Leaf(index), *choice));
    let mut open: Vec<_> = std::iter::once((ChosenValue::Sender, sender)).chain(all).collect();
    let mut done = Vec::new();
    while !open.is_empty() {
        let is_ready = |choice: &ValueChoice| choice.needs().iter().all(|needed| done.contains(needed));
        let next = open.iter().position(|(_, choice)| is_ready(choice))?;
        done.push(open.remove(next).0);
    }
    Some(done)
}

impl ValueChoice {
    /// Returns the function from whose earlier calls the value comes.
    #[must_use]
    pub fn source(&self) -> Option<usize> {
        match self {
            Self::Returned(function) | Self::Given(function, _) => Some(*function),
            _ => None,
        }
    }

    /// Returns this choice for another call, in which the leaves have other indices; `None` if one is missing there.
    #[must_use]
    pub fn with_leaves(&self, index: &dyn Fn(usize) -> Option<usize>) -> Option<Self> {
        let moved = |getter: &Getter| {
            let about = getter.about.iter().map(|about| match about {
                AskedAccount::Leaf(leaf) => index(*leaf).map(AskedAccount::Leaf),
                about => Some(*about),
            });
            Some(Getter { about: about.collect::<Option<_>>()?, ..getter.clone() })
        };
        Some(match self {
            Self::UpTo(getter) => Self::UpTo(moved(getter)?),
            Self::Equal(getter) => Self::Equal(moved(getter)?),
            other => other.clone(),
        })
    }

    /// Returns the values of the same call on which this one depends.
    fn needs(&self) -> Vec<ChosenValue> {
        let about = match self {
            Self::Sender => return vec![ChosenValue::Sender],
            Self::UpTo(getter) | Self::Equal(getter) => &getter.about[..],
            _ => &[],
        };
        let needed = about.iter().filter_map(|about| match about {
            AskedAccount::Sender => Some(ChosenValue::Sender),
            AskedAccount::Leaf(leaf) => Some(ChosenValue::Leaf(*leaf)),
            AskedAccount::Subject | AskedAccount::Account => None,
        });
        needed.collect()
    }
}

/// Returns the leaves of arguments as values: struct members one by one. Arrays stay whole.
#[must_use]
pub fn flatten(args: &[DynSolValue]) -> Vec<DynSolValue> {
    let members = |value: &DynSolValue| match value {
        DynSolValue::Tuple(parts) | DynSolValue::CustomStruct { tuple: parts, .. } => flatten(parts),
        leaf => vec![leaf.clone()],
    };
    args.iter().flat_map(members).collect()
}
