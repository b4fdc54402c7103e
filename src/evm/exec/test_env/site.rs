//! Source locations of assertions.

use super::TestEnv;
use crate::{
    evm::{base::place::CodePlace, trace::coverage::pushed_before},
    model::Site,
    project::{CodeKind, Contract, Location},
};
use alloy_primitives::{Bytes, keccak256};
use std::sync::Arc;

/// Returns the location of a failed assertion: the branch or call itself or, inside libraries such as
/// forge-std's assertions, the nearest internal caller in the project's own sources.
pub(crate) fn site(test_env: &TestEnv, code: &Bytes, place: &CodePlace, callers: &[usize]) -> Site {
    let contract = test_env.project.exact_runtime(code);
    let at = |pc: usize| test_env.project.locate(contract?, CodeKind::Runtime, pc);
    // Code outside of functions is dispatch code, or shared by many functions.
    let own = |location: &Location| {
        location.function.is_some() && !test_env.project.is_library(&location.place.path)
    };
    let first = at(place.pc);
    let returned_to =
        |pc: usize| contract.is_some_and(|contract| test_env.project.is_returned_to(contract, pc));
    let function = |pc: usize| at(pc).and_then(|location| Some((location.place.path, location.function?)));
    // A number on the stack may look like a return address. A true return address follows a call
    // of the inner function.
    let nearest = |strict: bool| {
        let mut inside = function(place.pc);
        for pc in callers.iter().copied().filter(|pc| returned_to(*pc)) {
            let called = pushed_before(code, pc - 1).and_then(function);
            if strict && (called.is_none() || called != inside) {
                continue;
            }
            if let Some(location) = at(pc).filter(own) {
                return Some((pc, location));
            }
            inside = function(pc);
        }
        None
    };
    let here = first.clone().filter(own).map(|location| (place.pc, location));
    let best = here.or_else(|| nearest(true)).or_else(|| nearest(false));
    let (pc, location) = match best {
        Some((pc, location)) => (pc, Some(location)),
        None => (place.pc, first),
    };
    Site { code: test_env.project.code_identity(code), pc, location: location.map(|at| at.place) }
}

/// Returns the location of a failed assertion in a constructor.
pub(crate) fn creation_site(test_env: &TestEnv, init: &Bytes, pc: usize) -> Site {
    let made_of = |contract: &&Arc<Contract>| {
        contract.creation_code().is_some_and(|code| init.starts_with(code.as_ref()))
    };
    let contract = test_env.project.contracts().iter().find(made_of);
    let location = contract.and_then(|contract| test_env.project.locate(contract, CodeKind::Creation, pc));
    let code = contract.and_then(|contract| contract.creation_code()).unwrap_or(init);
    Site { code: keccak256(code), pc, location: location.map(|at| at.place) }
}

/// Returns the location of a place in the creation code of an account with this code.
pub(crate) fn creation_site_of(test_env: &TestEnv, place: &CodePlace, runtime: &Bytes) -> Site {
    let scanned = test_env.scan.as_ref().filter(|scan| scan.scene.contract.address == place.address);
    let known = || test_env.project.exact_runtime(runtime)?.creation_code().cloned();
    match scanned.map(|scan| scan.init_code.clone()).or_else(known) {
        Some(init) => creation_site(test_env, &init, place.pc),
        None => Site { pc: place.pc, ..Site::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_before_a_jump_is_where_it_leads() {
        // PUSH2 0x0123 JUMP, and PUSH1 0x45 JUMP.
        let code = [0x61, 0x01, 0x23, 0x56, 0x60, 0x45, 0x56];
        assert_eq!(pushed_before(&code, 3), Some(0x123));
        assert_eq!(pushed_before(&code, 6), Some(0x45));
        assert_eq!(pushed_before(&code, 2), None);
        assert_eq!(pushed_before(&[0x56], 0), None);
    }
}
