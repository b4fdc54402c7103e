//! Failed assertions of a transaction, and their propagation to the top-level call.

use super::path::PathRecorder;
use crate::evm::{
    Ctx,
    base::{constants::VM_ADDRESS, place::CodePlace},
};
use crate::{config::HarveyConfig, model::AssertionKind};
use alloy_primitives::{Address, Bytes, U256};
use alloy_sol_types::{Panic, Revert, SolError};
use revm::interpreter::{
    InstructionResult, Interpreter, InterpreterResult, interpreter::EthInterpreter,
    interpreter_types::Jumps as _,
};

/// Failed assertion that propagates up the call stack.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) kind: AssertionKind,
    /// Place of the failure.
    pub(crate) place: CodePlace,
    /// Return addresses on the stack of a failing `vm.assert*`, topmost first: its callers.
    pub(crate) callers: Vec<usize>,
    /// Revert data; empty for INVALID.
    pub(crate) output: Bytes,
    /// Creation code in which it failed, if it was in a constructor.
    pub(crate) init_code: Option<Bytes>,
}

/// Rules that decide which failures count as failed assertions. Only failures that reach the
/// top-level call count, unless `inner_asserts` is set. Panics other than that of `assert` count
/// only if they are configured (`panics`).
#[derive(Clone, Debug)]
pub(crate) struct AssertionRules {
    panics: Vec<U256>,
    inner: bool,
}

impl AssertionRules {
    pub(crate) fn new(config: &HarveyConfig) -> Self {
        let asked = config.panics.iter().map(|panic| U256::from(*panic));
        Self { panics: std::iter::once(U256::ONE).chain(asked).collect(), inner: config.inner_asserts }
    }

    /// Returns the failed assertion of a transaction, if there is one that counts. `succeeded` tells whether
    /// the transaction succeeded.
    pub(crate) fn of<'a>(&self, seen: &'a FailureTracker, succeeded: bool) -> Option<&'a Failure> {
        let failure = match (succeeded, self.inner) {
            (false, _) => seen.rising.as_ref(),
            (true, true) => seen.first.as_ref(),
            (true, false) => None,
        };
        failure.filter(|failure| match failure.kind {
            AssertionKind::Panic => {
                panic_code(&failure.output).is_some_and(|code| self.panics.contains(&code))
            }
            AssertionKind::Invalid | AssertionKind::VmAssert | AssertionKind::FailFlag => true,
            AssertionKind::ArbitraryWrite | AssertionKind::Oracle => false,
        })
    }
}

/// Sites used to locate a failed assertion.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailureSites {
    /// Place of the innermost REVERT or INVALID.
    pub(crate) failure: CodePlace,
    /// Place of the last call to the cheatcode address.
    pub(crate) cheat: CodePlace,
    /// Words of the stack, at the last cheatcode call or panic, that could be return addresses; topmost first.
    pub(crate) return_addresses: Vec<usize>,
    /// The last EXTCODESIZE that found no code: depth of the frame, and the address.
    pub(crate) empty_code: Option<(usize, Address)>,
}

impl FailureSites {
    /// Forgets the last transaction.
    pub(crate) fn reset(&mut self) {
        self.return_addresses.clear();
        self.empty_code = None;
        self.failure = CodePlace::default();
        self.cheat = CodePlace::default();
    }

    /// Records which words of the stack could be return addresses of internal functions.
    pub(crate) fn note_callers(&mut self, interpreter: &mut Interpreter<EthInterpreter>) {
        self.return_addresses.clear();
        let Interpreter { stack, bytecode, .. } = interpreter;
        let words = stack.data().iter().rev().filter_map(|word| usize::try_from(*word).ok());
        self.return_addresses.extend(words.filter(|word| bytecode.is_valid_legacy_jump(*word)));
    }
}

/// Tracks failures from the frame in which they arise to the top-level call.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailureTracker {
    /// Current failure. After the transaction has ended, it is the one that made it fail.
    pub(crate) rising: Option<Failure>,
    /// First failure of the transaction, passed on or swallowed.
    first: Option<Failure>,
    /// Last call to an address that unexpectedly has no code: depth of the caller, address, and true for a
    /// DELEGATECALL.
    hollow: Option<(usize, Address, bool)>,
    /// Explanation of a revert without data.
    diagnosis: Option<String>,
    /// First callee that reverted, even if the revert was caught.
    reverter: Option<Address>,
}

impl FailureTracker {
    /// Clears everything for a new transaction.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Records a call with calldata to an address without code, from a frame at `depth`.
    pub(crate) fn call_without_code(&mut self, depth: usize, address: Address, delegate: bool) {
        self.hollow = Some((depth, address, delegate));
    }

    /// Records that a call of `callee` reverted.
    pub(crate) fn call_reverted(&mut self, callee: Address) {
        self.reverter.get_or_insert(callee);
    }

    /// Returns the first callee that reverted.
    pub(crate) fn reverter(&self) -> Option<Address> {
        self.reverter
    }

    /// Returns the reason that the transaction reverted without data, if it is known.
    pub(crate) fn diagnosis(&self) -> Option<String> {
        self.diagnosis.clone()
    }

    /// Finds the reason of a revert without data in the frame at `depth`. Solidity emits such a revert before
    /// a call to an address without code, and after a call that returned no data to decode.
    fn diagnose(&mut self, context: &Ctx, depth: usize) {
        let checked = context.chain.failure.empty_code.map(|(depth, address)| (depth, address, false));
        let hollow = [self.hollow, checked].into_iter().flatten().find(|hollow| hollow.0 == depth);
        self.diagnosis = hollow.map(|(_, address, delegate)| match delegate {
            false => format!("call to non-contract address {address}"),
            true => format!("delegatecall to non-contract address {address} (usually an unliked library)"),
        });
    }

    /// Ends a frame. A failure below it is kept if the frame passes it on, replaced if the frame fails on its
    /// own, and dropped if the frame succeeds.
    pub(crate) fn frame_end(
        &mut self,
        context: &Ctx,
        callee: Address,
        result: &InterpreterResult,
        asserted: bool,
    ) {
        if result.result.is_ok() {
            self.rising = None;
            return;
        }
        if result.output.is_empty() && self.diagnosis.is_none() {
            // The journal has already left the frame that ended.
            self.diagnose(context, context.journaled_state.depth + 1);
        }
        let passed_on = self.rising.as_ref().is_some_and(|failure| failure.output == result.output);
        if !passed_on {
            self.rising = classify(&context.chain.path, &context.chain.failure, callee, result, asserted);
            if self.first.is_none() {
                self.first.clone_from(&self.rising);
            }
        }
    }

    /// Ends a creation; see [`Self::frame_end`].
    pub(crate) fn creation_end(&mut self, context: &Ctx, init_code: &Bytes, result: &InterpreterResult) {
        let below = self.rising.is_some();
        self.frame_end(context, Address::ZERO, result, false);
        for failure in [&mut self.rising, &mut self.first].into_iter().flatten() {
            // Creation code has no hash while it runs.
            if !below && failure.place.code.is_zero() {
                failure.init_code.get_or_insert_with(|| init_code.clone());
            }
        }
    }
}

fn classify(
    path: &PathRecorder,
    sites: &FailureSites,
    callee: Address,
    result: &InterpreterResult,
    asserted: bool,
) -> Option<Failure> {
    let failure = |kind, place: &CodePlace, callers: &[usize]| {
        Some(Failure {
            kind,
            place: place.clone(),
            callers: callers.to_vec(),
            output: result.output.clone(),
            init_code: None,
        })
    };
    if callee == VM_ADDRESS {
        return asserted.then(|| failure(AssertionKind::VmAssert, &sites.cheat, &sites.return_addresses))?;
    }
    if result.result == InstructionResult::InvalidFEOpcode {
        return failure(AssertionKind::Invalid, &sites.failure, &[]);
    }
    // The compiler makes one panic routine per contract. The branch before it distinguishes assertions.
    let branch = path.last_jumpi().filter(|branch| branch.code == sites.failure.code);
    let place = branch.as_ref().unwrap_or(&sites.failure);
    match () {
        () if result.output.starts_with(&Panic::SELECTOR) => {
            failure(AssertionKind::Panic, place, &sites.return_addresses)
        }
        () if says_assertion_failed(&result.output) => {
            failure(AssertionKind::VmAssert, place, &sites.return_addresses)
        }
        () => None,
    }
}

/// Tells whether the data is a plain `revert("... assertion failed ...")`, which Forge treats as an
/// assertion, too.
fn says_assertion_failed(output: &Bytes) -> bool {
    const NEEDLE: &[u8] = b"assertion failed";
    output.starts_with(&Revert::SELECTOR) && output.windows(NEEDLE.len()).any(|window| window == NEEDLE)
}

/// Returns the code of a `Panic(uint256)`.
pub(crate) fn panic_code(output: &[u8]) -> Option<U256> {
    Panic::abi_decode(output).ok().map(|panic| panic.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(kind: AssertionKind, output: Vec<u8>) -> Failure {
        let output = Bytes::from(output);
        Failure { kind, place: CodePlace::default(), callers: vec![], output, init_code: None }
    }

    fn panic(code: u64) -> Failure {
        failure(AssertionKind::Panic, Panic { code: U256::from(code) }.abi_encode())
    }

    fn counts(counted: &AssertionRules, rising: Option<Failure>, first: Failure) -> bool {
        let succeeded = rising.is_none();
        let seen = FailureTracker { rising, first: Some(first), ..FailureTracker::default() };
        counted.of(&seen, succeeded).is_some()
    }

    #[test]
    fn assertions_that_reach_the_top_count_and_other_panics_when_named() {
        let counted = AssertionRules { panics: vec![U256::ONE, U256::from(0x12)], inner: false };
        let reaches_top = |failure: Failure| counts(&counted, Some(failure.clone()), failure);
        assert!(reaches_top(panic(0x01)) && reaches_top(panic(0x12)));
        assert!(!reaches_top(panic(0x11)));
        assert!(reaches_top(failure(AssertionKind::Invalid, vec![])));
        assert!(reaches_top(failure(AssertionKind::VmAssert, b"with a message of its own".to_vec())));
    }

    #[test]
    fn swallowed_assertions_count_on_demand() {
        let counted = |inner| AssertionRules { panics: vec![U256::ONE], inner };
        let swallowed = failure(AssertionKind::VmAssert, vec![]);
        assert!(!counts(&counted(false), None, swallowed.clone()));
        assert!(counts(&counted(true), None, swallowed));
        assert!(!counts(&counted(true), None, panic(0x11)));
    }
}
