//! Scene of a scan: the deployment of a contract that is called without a test contract.

use crate::model::{Slot, target::ContractId};
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
    /// Code that a scan gives it; empty for a plain account, and for one that has code on a chain.
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

/// Contract on a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainAccount {
    /// Address of the contract.
    pub address: Address,
    /// Account whose code it runs, if it is a proxy.
    pub implementation: Option<Address>,
}

impl ChainAccount {
    /// Returns the account with the code that a call runs.
    #[must_use]
    pub fn code_at(&self) -> Address {
        self.implementation.unwrap_or(self.address)
    }
}

/// Origin of the code of a scanned contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CodeOrigin {
    /// The scan creates the contract from an artifact of the project.
    #[default]
    Artifact,
    /// The scan creates the contract from this creation code.
    CreationCode(Bytes),
    /// The scan puts this runtime code at an address.
    RuntimeCode(Bytes),
    /// The contract is on the forked chain, with others that are called as well.
    Chain {
        /// The contract.
        account: ChainAccount,
        /// The others.
        others: Vec<(ChainAccount, ContractId)>,
    },
}

impl CodeOrigin {
    /// Returns the contract on a chain; `None` if the scan puts it there.
    #[must_use]
    pub fn account(&self) -> Option<ChainAccount> {
        match self {
            Self::Chain { account, .. } => Some(*account),
            _ => None,
        }
    }

    /// Returns the other contracts on the chain.
    #[must_use]
    pub fn others(&self) -> &[(ChainAccount, ContractId)] {
        match self {
            Self::Chain { others, .. } => others,
            _ => &[],
        }
    }

    /// Tells whether the scan runs the constructor.
    #[must_use]
    pub fn is_created(&self) -> bool {
        matches!(self, Self::Artifact | Self::CreationCode(_))
    }
}

/// Word of storage by which an actor owns a token, or approved the contract to spend it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenWord {
    /// The actor.
    pub holder: Address,
    /// Place of the word in the token's storage.
    pub slot: Slot,
    /// Its value.
    pub value: U256,
}

/// State before a scan that neither a creation nor a call brings about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreparedState {
    /// `block.timestamp`, in seconds.
    pub timestamp: U256,
    /// `block.number`.
    pub number: U256,
    /// Wei that the contract owns from the beginning, though none of its functions takes wei. Anybody can force
    /// wei into a contract.
    pub forced: U256,
    /// Words that give tokens to the actors.
    pub tokens: Vec<TokenWord>,
    /// Words of storage that the getters of a contract on a chain read.
    pub words: Vec<U256>,
    /// Number of the block of the forked chain, if there is one.
    pub fork: Option<u64>,
}

/// State before the first call of a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Account that deploys the contracts, and that they trust. `None` if the contract was deployed before, on a chain.
    pub deployer: Option<Address>,
    /// Accounts that call, including the deployer; each owns [`Self::BALANCE`].
    pub actors: Vec<Actor>,
    /// Accounts among the actors that the contract names in its code, or by its getters, and that it trusts.
    pub named: Vec<Address>,
    /// State that neither a creation nor a call brings about.
    pub prepared: PreparedState,
    /// Origin of the contract's code.
    pub origin: CodeOrigin,
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
}

impl Scene {
    /// Wei that every actor owns at the beginning: 2^96 - 1, as Forge gives to accounts of tests.
    pub const BALANCE: U256 = uint!(0xffffffffffffffffffffffff_U256);
    /// Storage slot of the word that an actor answers with, less one.
    pub const ANSWER: U256 = uint!(255_U256);

    /// Tells whether the contract trusts an account: its deployer, and those that it names.
    #[must_use]
    pub fn trusts(&self, account: Address) -> bool {
        self.deployer == Some(account) || self.named.contains(&account)
    }

    /// Returns the block that a test without a project's settings has to fork; `None` if it needs no fork.
    #[must_use]
    pub fn forked_block(&self) -> Option<u64> {
        self.prepared.fork.filter(|_| self.origin != CodeOrigin::Artifact)
    }

    /// Returns the account with the code of the contract.
    #[must_use]
    pub fn code_at(&self) -> Address {
        self.origin.account().map_or(self.contract.address, |account| account.code_at())
    }

    /// Returns the contracts on the chain that are called, the scanned one first.
    pub fn on_chain(&self) -> impl Iterator<Item = ChainAccount> {
        self.origin.account().into_iter().chain(self.origin.others().iter().map(|(other, _)| *other))
    }

    /// Tells whether a contract, given as `path:Name`, has a suite of its own, which reports its findings: it is on the
    /// chain like the scanned one.
    #[must_use]
    pub fn has_other_suite(&self, contract: &str) -> bool {
        self.origin.others().iter().any(|(_, id)| id.to_string() == contract)
    }

    /// Returns the actor at an address, if there is one.
    #[must_use]
    pub fn actor(&self, address: Address) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.address == address)
    }
}
