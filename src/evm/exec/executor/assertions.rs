//! Which assertion failed in a call, and where it stands.

use super::{EvmExecutor, properties::FLAGGED};
use crate::{
    evm::{
        base::place::CodePlace,
        trace::{failure::Failure, writes::StrayWrite},
        vm::call::CallOutput,
    },
    model::{AssertionFailure, AssertionKind, Site},
};

impl EvmExecutor {
    /// The assertion that this pending call failed, if any (Forge's handler assertion failures, and
    /// those with custom messages that Forge misses). The failure flag outlives the call whether it reverts or
    /// not.
    pub(super) fn assertion(&mut self, output: &CallOutput) -> Option<AssertionFailure> {
        let failure = self.test_env.assertions.of(&self.evm.vm.inspector.failures, output.is_success());
        if let Some(failure) = failure.cloned() {
            let reason = self.reason(&CallOutput { output: failure.output.clone(), ..output.clone() });
            let site = self.failure_site(&failure);
            if failure.kind == AssertionKind::Invalid && !self.is_meant(&site) {
                return None;
            }
            return Some(AssertionFailure { kind: failure.kind, site, reason, written: None });
        }
        if !self.failed_flag() {
            return None;
        }
        let place = self.evm.vm.ctx.chain.failure.cheat.clone();
        let callers = self.evm.vm.ctx.chain.failure.return_addresses.clone();
        let reason = FLAGGED.to_owned();
        let site = self.site(&place, &callers);
        Some(AssertionFailure { kind: AssertionKind::FailFlag, site, reason, written: None })
    }

    /// Whether an INVALID is an assertion of the program. Before Solidity 0.8 it also stands for bounds and divisions, which nobody
    /// promised to hold for whatever a scan calls with.
    fn is_meant(&mut self, site: &Site) -> bool {
        let Some(location) = site.location.as_ref().filter(|_| self.test_env.scan.is_some()) else {
            return true;
        };
        let project = &self.test_env.project;
        *self.asserts.entry((site.code, site.pc)).or_insert_with(|| project.is_assert(location))
    }

    /// The write to the probe slot in this pending call, if there was one.
    pub(super) fn arbitrary_write(&mut self) -> Option<AssertionFailure> {
        let StrayWrite { account, place, .. } = self.evm.vm.ctx.chain.writes.stray.take()?;
        let site = self.site(&place, &[]);
        let reason = "a call can write to any slot of storage (SWC-124)".to_owned();
        Some(AssertionFailure { kind: AssertionKind::ArbitraryWrite, site, reason, written: Some(account) })
    }

    pub(super) fn site(&mut self, place: &CodePlace, callers: &[usize]) -> Site {
        let key = (place.code, place.pc, callers.to_vec());
        if let Some(site) = self.sites.get(&key) {
            return site.clone();
        }
        let code = self.evm.code(place.address);
        let site = self.test_env.site(&code, place, callers);
        self.sites.insert(key, site.clone());
        site
    }

    fn failure_site(&mut self, failure: &Failure) -> Site {
        match &failure.init_code {
            Some(init) => self.test_env.creation_site(init, failure.place.pc),
            None => self.site(&failure.place, &failure.callers),
        }
    }
}
