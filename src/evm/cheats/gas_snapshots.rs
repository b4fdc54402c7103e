//! Gas of sections of a test, written below `snapshots/` at the end of the run.
//!
//! A section is the gas that a frame spends between the call that starts the section and the call that stops
//! it. Forge counts this gas instruction by instruction. Here, it is the difference between the frame's gas at
//! these two calls.

use super::{
    dispatch::{CheatError, CheatResult, Cheatcode, Cx, done, ensure},
    gas::{NO_CALL, NO_FRAME},
    vm::Vm,
};
use revm::interpreter::Gas;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Values by group and name, shared by all tests of a run.
pub(crate) type GasSnapshots = Arc<Mutex<BTreeMap<String, BTreeMap<String, String>>>>;

/// Maximum number of values kept in a run.
const MOST_SNAPSHOTS: usize = 1 << 14;

/// Gas cost of the two calls that start and stop a section.
const OWN_GAS: u64 = 171;

/// Gas sections of one test.
#[derive(Clone, Debug, Default)]
pub(super) struct GasSections {
    begun: Vec<GasSection>,
    /// Group and name of the section that has not ended.
    active: Option<(String, String)>,
    /// Gas that the frame had spent at the end of the last section.
    last: Option<u64>,
    /// True if the call that is about to return has started a section.
    beginning: bool,
}

#[derive(Clone, Debug)]
struct GasSection {
    group: String,
    name: String,
    /// Depth of the frame that started the section.
    depth: usize,
    /// Gas that this frame had spent when counting began.
    begin: Option<u64>,
}

impl GasSections {
    /// Tells whether a section was started, so that [`Self::begin_counting`] must be called for the frame returned to.
    pub(super) fn is_beginning(&self) -> bool {
        self.beginning
    }

    /// Begins counting: the call that started a section has returned to a frame that has spent this much gas.
    pub(super) fn begin_counting(&mut self, spent: u64) {
        self.beginning = false;
        // A later section also counts the gas since the end of the previous one.
        let begin = self.last.unwrap_or(spent);
        if let Some(section) = self.begun.last_mut() {
            section.begin = Some(begin);
        }
    }
}

/// Returns the default group: the test contract's name.
fn own_group(cx: &Cx<'_>) -> String {
    cx.cheats.shared.running.bare_name().to_owned()
}

fn snapshot(cx: &Cx<'_>, group: String, name: String, value: String) {
    let mut all = cx.cheats.shared.gas_snapshots.lock().unwrap_or_else(PoisonError::into_inner);
    // The number of names is bounded, because a campaign may measure under ever new names.
    let has_room = all.values().map(BTreeMap::len).sum::<usize>() < MOST_SNAPSHOTS;
    if has_room || all.get(&group).is_some_and(|group| group.contains_key(&name)) {
        all.entry(group).or_default().insert(name, value);
    }
}

fn begin_section(cx: &mut Cx<'_>, group: String, name: String) -> Result<(), CheatError> {
    let depth = cx.depth();
    let sections = &mut cx.cheats.gas.sections;
    ensure!(
        sections.active.is_none(),
        "gas snapshot was already started with group: {} and name: {}",
        sections.active.as_ref().map_or("", |(group, _)| group),
        sections.active.as_ref().map_or("", |(_, name)| name)
    );
    sections.active = Some((group.clone(), name.clone()));
    sections.begun.push(GasSection { group, name, depth, begin: None });
    sections.beginning = true;
    cx.ctx.chain.spent.get_or_insert_default();
    Ok(())
}

fn end_section(cx: &mut Cx<'_>, section: Option<(String, String)>) -> Result<u64, CheatError> {
    cx.note_calls();
    let sections = &mut cx.cheats.gas.sections;
    let asked = section.or_else(|| sections.active.clone());
    let Some((group, name)) = asked else {
        return Err("no active gas snapshot; call `startGasSnapshot` first".into());
    };
    let found = sections.begun.iter().find(|section| section.group == group && section.name == name);
    let Some(found) = found else {
        return Err(format!("no gas snapshot was started with the name: {name} in group: {group}").into());
    };
    let spent = cx.ctx.chain.spent.take().unwrap_or_default();
    let end = spent.get(found.depth).copied().unwrap_or_default();
    let value = found.begin.map_or(0, |begin| end.saturating_sub(begin)).saturating_sub(OWN_GAS);
    sections.last = Some(end);
    sections.active = None;
    snapshot(cx, group, name, value.to_string());
    Ok(value)
}

/// Notes the gas of a call or creation that has ended.
fn snapshot_gas(cx: &Cx<'_>, group: String, name: String, gas: Result<Gas, &str>) -> Result<u64, CheatError> {
    let spent = gas?.total_gas_spent();
    snapshot(cx, group, name, spent.to_string());
    Ok(spent)
}

fn snapshot_last_call(cx: &mut Cx<'_>, group: String, name: String) -> Result<u64, CheatError> {
    cx.note_calls();
    snapshot_gas(cx, group, name, cx.cheats.gas.metering.last_call().ok_or(NO_CALL))
}

fn snapshot_last_frame(cx: &mut Cx<'_>, group: String, name: String) -> Result<u64, CheatError> {
    cx.note_calls();
    snapshot_gas(cx, group, name, cx.cheats.gas.metering.last_frame().ok_or(NO_FRAME))
}

impl Cheatcode for Vm::snapshotValue_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        snapshot(cx, own_group(cx), self.name, self.value.to_string());
        done()
    }
}

impl Cheatcode for Vm::snapshotValue_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        snapshot(cx, self.group, self.name, self.value.to_string());
        done()
    }
}

impl Cheatcode for Vm::snapshotGasLastCall_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        snapshot_last_call(cx, own_group(cx), self.name)
    }
}

impl Cheatcode for Vm::snapshotGasLastCall_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        snapshot_last_call(cx, self.group, self.name)
    }
}

impl Cheatcode for Vm::snapshotGasLastFrame_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        snapshot_last_frame(cx, own_group(cx), self.name)
    }
}

impl Cheatcode for Vm::snapshotGasLastFrame_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        snapshot_last_frame(cx, self.group, self.name)
    }
}

impl Cheatcode for Vm::startSnapshotGas_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let group = own_group(cx);
        begin_section(cx, group, self.name)?;
        done()
    }
}

impl Cheatcode for Vm::startSnapshotGas_1Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        begin_section(cx, self.group, self.name)?;
        done()
    }
}

impl Cheatcode for Vm::stopSnapshotGas_0Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        end_section(cx, None)
    }
}

impl Cheatcode for Vm::stopSnapshotGas_1Call {
    /// Stops the section that was started last: Forge ignores the name.
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        end_section(cx, None)
    }
}

impl Cheatcode for Vm::stopSnapshotGas_2Call {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        end_section(cx, Some((self.group, self.name)))
    }
}
