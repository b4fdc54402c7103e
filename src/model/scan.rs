//! How a contract without a test contract is deployed to be called.

use crate::model::target::ContractId;
use alloy_primitives::{Address, Bytes, U256, uint};

/// A contract that was created at an address of our choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployment {
    /// The contract.
    pub contract: ContractId,
    /// Where it stands.
    pub address: Address,
    /// Arguments of its constructor, encoded.
    pub args: Bytes,
}

/// Who calls, or may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// What it is called in reports.
    pub name: &'static str,
    /// The account.
    pub address: Address,
    /// Its code; empty for a plain account.
    pub code: Bytes,
}

/// Everything that stands before the first call of a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Who deploys, and is trusted by what is deployed.
    pub deployer: Address,
    /// All who call, the deployer among them; each owns [`Self::BALANCE`].
    pub actors: Vec<Actor>,
    /// What the contract depends on, in the order of their creation.
    pub dependencies: Vec<Deployment>,
    /// The contract that is called.
    pub contract: Deployment,
    /// Calldata of the functions that initialise it, called by the deployer, and again by whoever creates it again.
    pub initializers: Vec<Bytes>,
    /// Whether any code of the contract can send wei.
    pub can_pay: bool,
    /// `block.timestamp`, seconds.
    pub timestamp: U256,
    /// `block.number`.
    pub number: U256,
}

impl Scene {
    /// What every actor owns at the beginning, wei: 2^96 - 1, as Forge gives to accounts of tests.
    pub const BALANCE: U256 = uint!(0xffffffffffffffffffffffff_U256);
}
