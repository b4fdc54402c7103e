//! Contracts, targets and properties: what a campaign calls and what it checks.

use alloy_dyn_abi::{DynSolType, Specifier};
use alloy_json_abi::{Function, JsonAbi, Param, StateMutability};
use alloy_primitives::{Address, Selector};
use std::{fmt, ops::Deref, sync::Arc};

/// Words of the arguments of a call, at most; one takes longer to send than any call that tests something.
pub const MOST_WORDS: usize = 1 << 14;

/// Words of a type's values, when all lists in them are empty.
#[must_use]
pub fn words(ty: &DynSolType) -> usize {
    match ty {
        DynSolType::FixedArray(inner, size) => size.saturating_mul(words(inner)),
        DynSolType::Array(inner) => words(inner),
        DynSolType::Tuple(parts) | DynSolType::CustomStruct { tuple: parts, .. } => {
            parts.iter().map(words).fold(0, usize::saturating_add)
        }
        _ => 1,
    }
}

/// Whether memory holds values of such types: Solidity takes arrays of a hundred million words for arguments.
#[must_use]
pub fn is_bounded<'a, P: Specifier<DynSolType> + 'a>(params: impl IntoIterator<Item = &'a P>) -> bool {
    fit(params.into_iter().map(|param| param.resolve().map_or(1, |ty| words(&ty))))
}

fn fit(words: impl Iterator<Item = usize>) -> bool {
    words.fold(0, usize::saturating_add) <= MOST_WORDS
}

/// The types of parameters; none when one cannot be resolved, or when memory does not hold their values (see [`is_bounded`]).
#[must_use]
pub fn types_of(params: &[Param]) -> Option<Vec<DynSolType>> {
    let types: Vec<DynSolType> = params.iter().map(|param| param.resolve().ok()).collect::<Option<_>>()?;
    fit(types.iter().map(words)).then_some(types)
}

/// Depth of the types in a signature that is read: its parser, and all that goes through types, calls itself for each level.
const MOST_NESTED: usize = 32;

/// The function of a signature that may be anybody's text; none if it is no signature, or one with types in types beyond reason.
#[must_use]
pub fn parse_function(signature: &str) -> Option<Function> {
    let count = |wanted: char| signature.chars().filter(|c| *c == wanted).count();
    let is_deep = count('[') > 8 * MOST_NESTED || nesting(signature) > MOST_NESTED;
    (!is_deep).then(|| Function::parse(signature).ok()).flatten()
}

/// The depth to which tuples and arrays stand in each other in the text of types.
#[must_use]
pub fn nesting(text: &str) -> usize {
    let (mut tuples, mut arrays, mut deepest) = (0_usize, 0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' => (tuples, arrays) = (tuples + 1, 0),
            b')' => (tuples, arrays) = (tuples.saturating_sub(1), 0),
            b'[' => arrays += 1,
            b']' | b'0'..=b'9' => {}
            _ => arrays = 0,
        }
        deepest = deepest.max(tuples + arrays);
    }
    deepest
}

/// A contract by source file and name, printed `path:Name` as Forge does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContractId {
    /// Source path relative to the project's root, with `/` as separator.
    pub path: String,
    /// The contract's name.
    pub name: String,
}

impl fmt::Display for ContractId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path, self.name)
    }
}

impl ContractId {
    /// The contract that `path:Name` names.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (path, name) = text.rsplit_once(':')?;
        Some(Self { path: path.to_owned(), name: name.to_owned() })
    }
}

/// How a call reaches the code that a [`TargetFunction`] stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Entry {
    /// By its selector.
    #[default]
    Selector,
    /// The contract is created again with these arguments, in the place of the one that is there. So begins a sequence; later
    /// in it such a call fails.
    Constructor,
    /// By a call without calldata: `receive`, or else `fallback`.
    Receive,
    /// By calldata that is no function's, which is the only argument: `fallback`.
    Fallback,
}

/// A function that a campaign calls, with what would otherwise be hashed or formatted at each call.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetFunction {
    function: Function,
    selector: Selector,
    signature: String,
    types: Option<Vec<DynSolType>>,
    only_ours: bool,
    entry: Entry,
}

impl TargetFunction {
    /// A function of the target set, or a property.
    #[must_use]
    pub fn new(function: Function) -> Self {
        Self {
            selector: function.selector(),
            signature: function.signature(),
            types: types_of(&function.inputs),
            function,
            only_ours: false,
            entry: Entry::Selector,
        }
    }

    /// What is no function of an ABI, under a name by which Solidity calls it: its parameters are those of the constructor,
    /// none, or the calldata.
    #[must_use]
    pub fn special(entry: Entry, inputs: Vec<Param>, state_mutability: StateMutability) -> Self {
        let name = match entry {
            Entry::Selector => "",
            Entry::Constructor => "constructor",
            Entry::Receive => "receive",
            Entry::Fallback => "fallback",
        };
        let function = Function { name: name.to_owned(), inputs, outputs: Vec::new(), state_mutability };
        Self { entry, ..Self::new(function) }
    }

    /// A view or pure function that only we call, for its assertions: its calls change nothing, and Forge knows
    /// nothing of them.
    #[must_use]
    pub fn only_ours(function: Function) -> Self {
        Self { only_ours: true, ..Self::new(function) }
    }

    /// A function that is never sent value, whether it takes some or not.
    #[must_use]
    pub fn without_value(mut function: Function) -> Self {
        if function.state_mutability == StateMutability::Payable {
            function.state_mutability = StateMutability::NonPayable;
        }
        Self::new(function)
    }

    /// The first four bytes of its calldata.
    #[must_use]
    pub fn selector(&self) -> Selector {
        self.selector
    }

    /// `deposit(uint256)`.
    #[must_use]
    pub fn signature(&self) -> &str {
        &self.signature
    }

    /// The types of its parameters; none when it cannot be called, see [`types_of`].
    #[must_use]
    pub fn types(&self) -> Option<&[DynSolType]> {
        self.types.as_deref()
    }

    /// How it is reached.
    #[must_use]
    pub fn entry(&self) -> Entry {
        self.entry
    }

    /// Whether only we call it; see [`Self::only_ours`].
    #[must_use]
    pub fn is_only_ours(&self) -> bool {
        self.only_ours
    }
}

impl Deref for TargetFunction {
    type Target = Function;

    fn deref(&self) -> &Function {
        &self.function
    }
}

/// A deployed contract that the fuzzer calls.
#[derive(Clone, Debug)]
pub struct Target {
    /// Where it is deployed.
    pub address: Address,
    /// `path:Name`; the bare name for a contract created during a run (as Forge labels it).
    pub identifier: String,
    /// Functions that change state, in Forge's order (alphabetical by name, or that of
    /// `targetSelectors`): these make up the target set.
    pub functions: Vec<Arc<TargetFunction>>,
    /// View and pure functions, called seldom and for assertions only; never part of the target set.
    pub views: Vec<Arc<TargetFunction>>,
    /// The contract's whole interface, for decoding.
    pub abi: Arc<JsonAbi>,
}

/// Everything that decides which calls a campaign may make (Forge's target selection).
#[derive(Clone, Debug, Default)]
pub struct TargetSet {
    /// Targets ordered by address.
    pub targets: Vec<Target>,
    /// `targetSenders` without the excluded ones, sorted, not de-duplicated; empty means any sender.
    pub senders: Vec<Address>,
    /// Excluded senders, sorted, not de-duplicated, Forge's 22 built-in ones among them.
    pub excluded_senders: Vec<Address>,
    /// Whether contracts created during a run become targets (only without `targetContracts`).
    pub dynamic: bool,
    /// Whether the senders play roles, so that it matters which of them did what.
    pub has_roles: bool,
}

impl TargetSet {
    /// The function that `selector` names on `address`, if that is a target's.
    #[must_use]
    pub fn function(&self, address: Address, selector: Selector) -> Option<&Arc<TargetFunction>> {
        self.functions(address).find(|function| function.selector() == selector)
    }

    /// What has this signature on `address` and no selector.
    #[must_use]
    pub fn special(&self, address: Address, signature: &str) -> Option<&Arc<TargetFunction>> {
        self.functions(address)
            .find(|function| function.entry() != Entry::Selector && function.signature() == signature)
    }

    fn functions(&self, address: Address) -> impl Iterator<Item = &Arc<TargetFunction>> {
        let targets = self.targets.iter().filter(move |target| target.address == address);
        targets.flat_map(|target| target.functions.iter().chain(&target.views))
    }
}

/// Whether a function promises not to change state.
#[must_use]
pub fn is_view(function: &Function) -> bool {
    matches!(function.state_mutability, StateMutability::View | StateMutability::Pure)
}

/// What kind of property a test function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// `invariant*` or `statefulFuzz*`: holds unless it reverts or sets the failure flag.
    Invariant,
    /// An invariant returning one `int256`: never fails, its largest value is searched for.
    Optimization,
    /// A property of Echidna or Medusa: holds as long as it returns true.
    Predicate,
    /// One of Echidna's that holds as long as it reverts.
    Refusal,
    /// A test that is the only call of its sequences, and breaks by failing.
    Test,
    /// No function at all: the campaign of a contract without a test contract, in which oracles alone tell what is wrong.
    Scan,
}

impl PropertyKind {
    /// Whether Forge does not know it.
    #[must_use]
    pub fn is_echidna_style(self) -> bool {
        matches!(self, Self::Predicate | Self::Refusal | Self::Scan)
    }
}

/// A property of a suite: a function of the test contract called from `CALLER` on a throw-away state, but for tests,
/// which are called themselves.
#[derive(Clone, Debug)]
pub struct Property {
    /// The function.
    pub function: Arc<TargetFunction>,
    /// What it means when it is called.
    pub kind: PropertyKind,
}

impl Property {
    /// Whether it is an invariant that may write what its next check would see, if it were not run on a copy of the state.
    #[must_use]
    pub fn may_write(&self) -> bool {
        let mutability = self.function.state_mutability;
        !matches!(mutability, StateMutability::View | StateMutability::Pure)
            && matches!(self.kind, PropertyKind::Invariant | PropertyKind::Predicate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_that_nobody_wrote_is_none() {
        assert!(parse_function("pay((uint256,(address,bytes)[2])[],bool)").is_some());
        assert!(parse_function(&format!("f({})", "(".repeat(100_000))).is_none());
        let deep = |depth: usize| format!("f({}uint256{})", "(".repeat(depth), ")".repeat(depth));
        assert!(parse_function(&deep(20)).is_some() && parse_function(&deep(100)).is_none());
        assert!(parse_function(&format!("f(uint256{})", "[]".repeat(100_000))).is_none());
    }
}
