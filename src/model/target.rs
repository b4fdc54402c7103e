//! Contracts, targets and properties: the functions that a campaign calls, and the properties that it checks.

use alloy_dyn_abi::{DynSolType, Specifier};
use alloy_json_abi::{Function, JsonAbi, Param, StateMutability};
use alloy_primitives::{Address, Selector};
use std::{fmt, ops::Deref, sync::Arc};

/// Most words in the arguments of a call. A call with more takes longer to send than any useful call.
pub const MOST_WORDS: usize = 1 << 14;

/// Returns the number of words of a type's values, if all lists in them are empty.
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

/// Tells whether the values of a type are one word.
#[must_use]
pub fn is_word(ty: &DynSolType) -> bool {
    matches!(
        ty,
        DynSolType::Bool
            | DynSolType::Address
            | DynSolType::Uint(_)
            | DynSolType::Int(_)
            | DynSolType::FixedBytes(_)
    )
}

/// Tells whether values of these types fit into memory. Solidity accepts arrays of a hundred million words as
/// parameters.
#[must_use]
pub fn is_bounded<'a, P: Specifier<DynSolType> + 'a>(params: impl IntoIterator<Item = &'a P>) -> bool {
    fit(params.into_iter().map(|param| param.resolve().map_or(1, |ty| words(&ty))))
}

fn fit(words: impl Iterator<Item = usize>) -> bool {
    words.fold(0, usize::saturating_add) <= MOST_WORDS
}

/// Returns the types of parameters. Returns `None` if a type cannot be resolved, or if the values do not fit
/// into memory (see [`is_bounded`]).
#[must_use]
pub fn types_of(params: &[Param]) -> Option<Vec<DynSolType>> {
    let types: Vec<DynSolType> = params.iter().map(|param| param.resolve().ok()).collect::<Option<_>>()?;
    fit(types.iter().map(words)).then_some(types)
}

/// Most levels of types in a signature that is parsed. The parser, and all functions over types, recurse once
/// per level.
const MOST_NESTED: usize = 32;

/// Parses a signature from any source. Returns `None` if it is not a signature, or if its types have too many
/// levels.
#[must_use]
pub fn parse_function(signature: &str) -> Option<Function> {
    let count = |wanted: char| signature.chars().filter(|c| *c == wanted).count();
    let is_deep = count('[') > 8 * MOST_NESTED || nesting(signature) > MOST_NESTED;
    (!is_deep).then(|| Function::parse(signature).ok()).flatten()
}

/// Returns the number of levels of tuples and arrays in the text of types.
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

/// Identifier of a contract: source file and name, printed as `path:Name`, as in Forge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContractId {
    /// Source path relative to the project's root, with `/` as separator.
    pub path: String,
    /// Name of the contract.
    pub name: String,
}

impl fmt::Display for ContractId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path, self.name)
    }
}

impl ContractId {
    /// Returns the name of the contract in its source. The name of an artifact may end in a version or profile.
    #[must_use]
    pub fn bare_name(&self) -> &str {
        self.name.split('.').next().unwrap_or(&self.name)
    }

    /// Parses `path:Name`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (path, name) = text.rsplit_once(':')?;
        Some(Self { path: path.to_owned(), name: name.to_owned() })
    }
}

/// Way in which a call reaches the code of a [`TargetFunction`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Entry {
    /// By its selector.
    #[default]
    Selector,
    /// By creating the contract again with these arguments, in place of the existing one. Such a call can
    /// only be the first one of a sequence; a later one fails.
    Constructor,
    /// By a call without calldata: `receive`, or else `fallback`.
    Receive,
    /// By calldata of no function, which is the only argument: `fallback`.
    Fallback,
}

/// A function that a campaign calls, with precomputed selector, signature and types.
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
    /// Creates a function of the target set, or a property.
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

    /// Creates a target that is not a function of an ABI, under its name in Solidity. Its parameters are
    /// those of the constructor, none, or the calldata.
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

    /// Creates a view or pure function that only this tool calls, for its assertions. Its calls change
    /// nothing, and Forge does not make them.
    #[must_use]
    pub fn only_ours(function: Function) -> Self {
        Self { only_ours: true, ..Self::new(function) }
    }

    /// Creates a function that is never sent value, even if it is payable.
    #[must_use]
    pub fn without_value(mut function: Function) -> Self {
        if function.state_mutability == StateMutability::Payable {
            function.state_mutability = StateMutability::NonPayable;
        }
        Self::new(function)
    }

    /// Returns the first four bytes of its calldata.
    #[must_use]
    pub fn selector(&self) -> Selector {
        self.selector
    }

    /// Returns the signature, as in `deposit(uint256)`.
    #[must_use]
    pub fn signature(&self) -> &str {
        &self.signature
    }

    /// Returns the types of its parameters, or `None` if it cannot be called, see [`types_of`].
    #[must_use]
    pub fn types(&self) -> Option<&[DynSolType]> {
        self.types.as_deref()
    }

    /// Returns the way in which a call reaches it.
    #[must_use]
    pub fn entry(&self) -> Entry {
        self.entry
    }

    /// Tells whether only this tool calls it; see [`Self::only_ours`].
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
    /// Address of the contract.
    pub address: Address,
    /// `path:Name`; the bare name for a contract created during a run (as Forge labels it).
    pub identifier: String,
    /// Functions that change state, in Forge's order (alphabetical by name, or that of `targetSelectors`).
    /// They are the target set.
    pub functions: Vec<Arc<TargetFunction>>,
    /// View and pure functions. They are called rarely, for assertions only, and are never part of the target
    /// set.
    pub views: Vec<Arc<TargetFunction>>,
    /// Whole interface of the contract, for decoding.
    pub abi: Arc<JsonAbi>,
}

/// Set of the calls that a campaign may make (Forge's target selection).
#[derive(Clone, Debug, Default)]
pub struct TargetSet {
    /// Targets ordered by address.
    pub targets: Vec<Target>,
    /// `targetSenders` without the excluded ones, sorted, not de-duplicated; empty means any sender.
    pub senders: Vec<Address>,
    /// Excluded senders, including Forge's 22 built-in ones, sorted, not de-duplicated.
    pub excluded_senders: Vec<Address>,
    /// True if contracts created during a run become targets (only without `targetContracts`).
    pub dynamic: bool,
    /// True if the senders have roles, so that it matters which of them makes a call.
    pub has_roles: bool,
}

impl TargetSet {
    /// Returns the function with this selector on `address`, if a target has it.
    #[must_use]
    pub fn function(&self, address: Address, selector: Selector) -> Option<&Arc<TargetFunction>> {
        self.functions(address).find(|function| function.selector() == selector)
    }

    /// Returns the function without a selector that has this signature on `address`.
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

/// Tells whether a function is declared not to change state.
#[must_use]
pub fn is_view(function: &Function) -> bool {
    matches!(function.state_mutability, StateMutability::View | StateMutability::Pure)
}

/// Kind of property of a test function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// `invariant*` or `statefulFuzz*`: holds unless it reverts or sets the failure flag.
    Invariant,
    /// An invariant that returns one `int256`. It never fails; the campaign searches for its largest value.
    Optimization,
    /// A property of Echidna or Medusa that holds as long as it returns true.
    Predicate,
    /// A property of Echidna that holds as long as it reverts.
    Refusal,
    /// A test that is the only call of its sequences, and that is broken if it fails.
    Test,
    /// No function: the campaign of a contract without a test contract, which only oracles check.
    Scan,
}

impl PropertyKind {
    /// Tells whether Forge does not know this kind.
    #[must_use]
    pub fn is_echidna_style(self) -> bool {
        matches!(self, Self::Predicate | Self::Refusal | Self::Scan)
    }
}

/// A property of a suite: a function of the test contract that is called from `CALLER` on a copy of the
/// state. Tests are different: they are called as part of a sequence.
#[derive(Clone, Debug)]
pub struct Property {
    /// The function.
    pub function: Arc<TargetFunction>,
    /// Kind of property, which defines the meaning of a result.
    pub kind: PropertyKind,
}

impl Property {
    /// Tells whether it is an invariant that may write state. Without a copy of the state its next check
    /// might see these writes.
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
