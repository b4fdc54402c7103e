//! Scene of a scan: the deployment of a contract that is called without a test contract.

use crate::model::target::ContractId;
use alloy_primitives::{Address, Bytes, U256, uint};
use std::collections::BTreeMap;

/// A contract that was created at a given address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployment {
    /// The contract.
    pub contract: ContractId,
    /// Address of the contract.
    pub address: Address,
    /// Encoded arguments of its constructor.
    pub args: Bytes,
    /// Wei sent to its constructor.
    pub value: U256,
}

impl Deployment {
    /// Tells whether the constructor got the address of another contract.
    #[must_use]
    pub fn takes(&self, other: &Self) -> bool {
        has_word(&self.args, other.address)
    }
}

/// Tells whether encoded arguments have an address as one of their words.
#[must_use]
pub fn has_word(args: &[u8], address: Address) -> bool {
    args.chunks(32).any(|word| word == address.into_word().as_slice())
}

/// Copy of the contracts that a unit test deploys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Index of the test among those that were given; `None` if nothing was copied.
    pub group: Option<usize>,
    /// Contracts and accounts here, by those of the test that they stand for.
    pub accounts: BTreeMap<Address, Address>,
}

impl Copied {
    /// Tells whether an address means itself in every test: zero, or a precompiled contract.
    #[must_use]
    pub fn is_fixed(address: Address) -> bool {
        address[..Address::len_bytes() - 2].iter().all(|byte| *byte == 0)
    }
}

/// An account that calls, or that may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Name in reports.
    pub name: &'static str,
    /// The account.
    pub address: Address,
    /// Its code; empty for a plain account.
    pub code: Bytes,
}

/// Call that initialises a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initializer {
    /// Signature of the function.
    pub signature: String,
    /// Calldata.
    pub calldata: Bytes,
}

/// State before the first call of a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Account that deploys the contracts, and that they trust.
    pub deployer: Address,
    /// Accounts that call, including the deployer; each owns [`Self::BALANCE`].
    pub actors: Vec<Actor>,
    /// Accounts among the actors that the contract's code names, and that it trusts.
    pub named: Vec<Address>,
    /// Wei that the contract owns from the beginning, though none of its functions takes wei. Anybody can force
    /// wei into a contract.
    pub forced: U256,
    /// Contracts that the called contract depends on, in the order of their creation.
    pub dependencies: Vec<Deployment>,
    /// Those of the dependencies that are a guess: only their functions or the names of parameters suggest them.
    pub guessed: Vec<Address>,
    /// The contract that is called.
    pub contract: Deployment,
    /// Parts of it that are copies of a unit test's.
    pub copied: Copied,
    /// Calls that initialise it. The deployer makes them, and so does an account that creates the contract again.
    pub initializers: Vec<Initializer>,
    /// True if any code of the contract can send wei, or if another contract inherits from it, which is looked at
    /// on its own.
    pub can_pay: bool,
    /// `block.timestamp`, in seconds.
    pub timestamp: U256,
    /// `block.number`.
    pub number: U256,
}

impl Scene {
    /// Wei that every actor owns at the beginning: 2^96 - 1, as Forge gives to accounts of tests.
    pub const BALANCE: U256 = uint!(0xffffffffffffffffffffffff_U256);
    /// Storage slot of the word that an actor answers with, less one.
    pub const ANSWER: U256 = uint!(255_U256);

    /// Returns the actor at an address, if there is one.
    #[must_use]
    pub fn actor(&self, address: Address) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.address == address)
    }
}
