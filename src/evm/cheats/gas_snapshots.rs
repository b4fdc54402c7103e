//! Gas of sections of a test, written below `snapshots/` at the end of the run.
//!
//! Forge counts instruction by instruction: a section is what the frame that began it spends between the call that
//! began it and the one that ends it. The same follows from what the frame had spent at these two places.

use super::{
    Cheats,
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
    vm::Vm,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Values by name, by group; shared by all tests of a run.
pub(crate) type GasSnapshots = Arc<Mutex<BTreeMap<String, BTreeMap<String, String>>>>;

/// Values that are kept of one run.
const MOST_SNAPSHOTS: usize = 1 << 14;

/// What the calls that begin and end a section cost themselves.
const OWN_GAS: u64 = 171;

/// Sections of one test.
#[derive(Clone, Debug, Default)]
pub(super) struct GasSections {
    begun: Vec<GasSection>,
    /// The one that has not ended.
    active: Option<(String, String)>,
    /// Gas spent at the last instruction that was counted.
    last: Option<u64>,
    /// Whether a section was begun by the call that is about to return.
    beginning: bool,
}

#[derive(Clone, Debug)]
struct GasSection {
    group: String,
    name: String,
    /// Of the frame that began it.
    depth: usize,
    /// Gas that its frame had spent when counting began.
    begin: Option<u64>,
}

impl Cheats {
    /// Whether the frame that is returned to is wanted by [`Self::section_begun`].
    pub(crate) fn is_section_beginning(&self) -> bool {
        self.sections.beginning
    }

    /// The call that began a section has returned to a frame that has spent so much.
    pub(crate) fn section_begun(&mut self, spent: u64) {
        self.sections.beginning = false;
        // A second section also counts what lies between.
        let begin = self.sections.last.unwrap_or(spent);
        if let Some(section) = self.sections.begun.last_mut() {
            section.begin = Some(begin);
        }
    }
}

impl Cx<'_> {
    /// The default group is the test contract's name.
    fn group(&self) -> String {
        self.cheats.shared.running.bare_name().to_owned()
    }

    fn snapshot_gas(&self, group: String, name: String, value: String) {
        let mut all = self.cheats.shared.gas_snapshots.lock().unwrap_or_else(PoisonError::into_inner);
        // What a campaign measures under ever new names is no snapshot.
        let has_room = all.values().map(BTreeMap::len).sum::<usize>() < MOST_SNAPSHOTS;
        if has_room || all.get(&group).is_some_and(|group| group.contains_key(&name)) {
            all.entry(group).or_default().insert(name, value);
        }
    }

    fn begin_section(&mut self, group: String, name: String) -> Result<(), CheatError> {
        let depth = self.depth();
        let sections = &mut self.cheats.sections;
        ensure!(
            sections.active.is_none(),
            "gas snapshot was already started with group: {} and name: {}",
            sections.active.as_ref().map_or("", |(group, _)| group),
            sections.active.as_ref().map_or("", |(_, name)| name)
        );
        sections.active = Some((group.clone(), name.clone()));
        sections.begun.push(GasSection { group, name, depth, begin: None });
        sections.beginning = true;
        self.ctx.chain.spent.get_or_insert_default();
        Ok(())
    }

    fn end_section(&mut self, section: Option<(String, String)>) -> Result<u64, CheatError> {
        let sections = &mut self.cheats.sections;
        let asked = section.or_else(|| sections.active.clone());
        let Some((group, name)) = asked else {
            return Err("no active gas snapshot; call `startGasSnapshot` first".into());
        };
        let found = sections.begun.iter().find(|section| section.group == group && section.name == name);
        let Some(found) = found else {
            return Err(format!("no gas snapshot was started with the name: {name} in group: {group}").into());
        };
        let spent = self.ctx.chain.spent.take().unwrap_or_default();
        let end = spent.get(found.depth).copied().unwrap_or_default();
        let value = found.begin.map_or(0, |begin| end.saturating_sub(begin)).saturating_sub(OWN_GAS);
        sections.last = Some(end);
        sections.active = None;
        self.snapshot_gas(group, name, value.to_string());
        Ok(value)
    }

    fn snapshot_last_call(&mut self, group: String, name: String) -> Result<u64, CheatError> {
        let last = self.cheats.metering.last_call().ok_or("no external call was made yet")?;
        let spent = last.total_gas_spent();
        self.snapshot_gas(group, name, spent.to_string());
        Ok(spent)
    }
}

impl Cheatcode for Vm::snapshotValue_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.snapshot_gas(cx.group(), self.name, self.value.to_string());
        done()
    }
}

impl Cheatcode for Vm::snapshotValue_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.snapshot_gas(self.group, self.name, self.value.to_string());
        done()
    }
}

impl Cheatcode for Vm::snapshotGasLastCall_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.snapshot_last_call(cx.group(), self.name)
    }
}

impl Cheatcode for Vm::snapshotGasLastCall_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.snapshot_last_call(self.group, self.name)
    }
}

impl Cheatcode for Vm::startSnapshotGas_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.begin_section(cx.group(), self.name)?;
        done()
    }
}

impl Cheatcode for Vm::startSnapshotGas_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.begin_section(self.group, self.name)?;
        done()
    }
}

impl Cheatcode for Vm::stopSnapshotGas_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.end_section(None)
    }
}

impl Cheatcode for Vm::stopSnapshotGas_1Call {
    /// The section that was begun last, whatever its name: Forge does not look at it.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.end_section(None)
    }
}

impl Cheatcode for Vm::stopSnapshotGas_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.end_section(Some((self.group, self.name)))
    }
}
