//! Failed assertions of a call, with their locations.

use super::{EvmExecutor, properties::FLAGGED};
use crate::{
    evm::{
        base::{hash::forget_if_full, place::CodePlace},
        exec::test_env,
        trace::{
            failure::{Failure, panic_code},
            writes::StrayWrite,
        },
        vm::call::CallOutput,
    },
    model::{AssertionFailure, AssertionKind, Place, Site},
};
use alloy_primitives::{B256, U256, hex};
use rustc_hash::FxHashMap;

/// Cache of assertion sites.
#[derive(Default)]
pub(super) struct AssertionSites {
    /// Site by code, program counter and callers.
    by_place: FxHashMap<(B256, usize, Vec<usize>), Site>,
    /// True if the INVALID at a code and program counter is an assertion.
    is_assert: FxHashMap<(B256, usize), bool>,
}

/// Maximum number of cached sites.
const MOST_SITES: usize = 1 << 16;

/// Returns the assertion that the pending call failed, if there is one. These are Forge's handler assertion
/// failures, and assertions with custom messages, which Forge misses. The failure flag is kept even if the
/// call reverts.
pub(super) fn assertion(executor: &mut EvmExecutor, output: &CallOutput) -> Option<AssertionFailure> {
    let failure = executor.test_env.assertions.of(&executor.evm.vm.inspector.failures, output.is_success());
    if let Some(failure) = failure.cloned() {
        let reason = executor.reason(&CallOutput { output: failure.output.clone(), ..output.clone() });
        let site = failure_site(executor, &failure);
        if failure.kind == AssertionKind::Invalid && !is_meant(executor, &site) {
            return None;
        }
        return Some(AssertionFailure { kind: failure.kind, site, reason, written: None });
    }
    if !executor.failed_flag() {
        return None;
    }
    let place = executor.evm.vm.ctx.chain.failure.cheat.clone();
    let callers = executor.evm.vm.ctx.chain.failure.return_addresses.clone();
    let reason = FLAGGED.to_owned();
    let site = site(executor, &place, &callers);
    Some(AssertionFailure { kind: AssertionKind::FailFlag, site, reason, written: None })
}

/// Tells whether an INVALID is an assertion in the source. Before Solidity 0.8, the compiler also uses
/// INVALID for failed bounds checks and divisions by zero, and libraries such as SafeMath did so for overflows. A
/// scan ignores these, because no code promises to avoid them for arbitrary arguments. It also ignores those in
/// code without sources: creation code that the caller chose.
fn is_meant(executor: &mut EvmExecutor, site: &Site) -> bool {
    if executor.test_env.scan.is_none() {
        return true;
    }
    let Some(location) = site.location.as_ref() else { return false };
    let project = &executor.test_env.project;
    forget_if_full(&mut executor.sites.is_assert, MOST_SITES);
    *executor.sites.is_assert.entry((site.code, site.pc)).or_insert_with(|| project.is_assert(location))
}

/// Returns the place in the called contract where the pending call failed a check of the compiler that is no
/// `assert`: arithmetic, a division by zero, an index out of bounds.
pub(super) fn panic(executor: &mut EvmExecutor) -> Option<Site> {
    let failure = executor.evm.vm.inspector.failures.rising.clone()?;
    let site = failure_site(executor, &failure);
    let is_check = match failure.kind {
        AssertionKind::Panic => panic_code(&failure.output).is_some_and(|code| code != U256::ONE),
        AssertionKind::Invalid => !is_meant(executor, &site),
        _ => false,
    };
    is_check.then_some(site)
}

/// Returns the place in the sources at which the pending call failed: of the failed assertion, or else of the revert.
pub(super) fn failure_place(executor: &mut EvmExecutor, output: &CallOutput) -> Option<Place> {
    let rising = executor.evm.vm.inspector.failures.rising.clone();
    let sites = &executor.evm.vm.ctx.chain.failure;
    let site = match (output.is_success(), rising) {
        (false, Some(failure)) => failure_site(executor, &failure),
        (false, None) => {
            // A call that ran out of gas executed no REVERT of its own.
            let place = sites.failure.clone();
            output.result.is_revert().then(|| site(executor, &place, &[]))?
        }
        (true, _) => {
            let (place, callers) = (sites.cheat.clone(), sites.return_addresses.clone());
            executor.failed_flag().then(|| site(executor, &place, &callers))?
        }
    };
    site.location
}

/// Returns the write to the probe slot in the pending call, if there was one.
pub(super) fn arbitrary_write(executor: &mut EvmExecutor) -> Option<AssertionFailure> {
    let StrayWrite { account, place, .. } = executor.evm.vm.ctx.chain.writes.stray.take()?;
    let site = site(executor, &place, &[]);
    let reason = "a call can write to any slot of storage (SWC-124)".to_owned();
    Some(AssertionFailure { kind: AssertionKind::ArbitraryWrite, site, reason, written: Some(account) })
}

pub(super) fn site(executor: &mut EvmExecutor, place: &CodePlace, callers: &[usize]) -> Site {
    // Creation code has no hash; it is told by the account that it creates.
    let is_creation = place.code.is_zero();
    let code = if is_creation { place.address.into_word() } else { place.code };
    let key = (code, place.pc, callers.to_vec());
    if let Some(site) = executor.sites.by_place.get(&key) {
        return site.clone();
    }
    let mut code = executor.evm.code(place.address);
    // What runs in an account that delegates to another one (EIP-7702) is the code of the other one.
    if let Some(delegate) = code.strip_prefix(&hex!("ef0100")).and_then(|rest| rest.first_chunk::<20>()) {
        code = executor.evm.code(delegate.into());
    }
    let site = match is_creation {
        true => test_env::creation_site_of(&executor.test_env, place, &code),
        false => test_env::site(&executor.test_env, &code, place, callers),
    };
    forget_if_full(&mut executor.sites.by_place, MOST_SITES);
    executor.sites.by_place.insert(key, site.clone());
    site
}

fn failure_site(executor: &mut EvmExecutor, failure: &Failure) -> Site {
    match &failure.init_code {
        Some(init) => test_env::creation_site(&executor.test_env, init, failure.place.pc),
        None => site(executor, &failure.place, &failure.callers),
    }
}
