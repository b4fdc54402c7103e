//! Path of a transaction: its branch decisions and the code of each frame.

use super::{
    cmplog::{CmpSite, CodeKey, CodeKeys},
    decode::Abis,
    edge_counts::EdgeCounts,
};
use crate::{
    evm::base::{
        hash::mix,
        place::{CodePlace, running},
    },
    model::{EdgeId, PathId, ValueId},
};
use alloy_primitives::{Address, B256, Selector, U256};
use revm::interpreter::{
    CallInput, Interpreter,
    interpreter::EthInterpreter,
    interpreter_types::{Jumps, LegacyBytecode},
};
use std::sync::Arc;

/// Maximum number of classes of read values that are kept per transaction.
const KEPT_VALUES: usize = 512;

/// Maximum number of events that are recorded of calls.
const MOST_EVENTS: usize = 1 << 14;

/// Identifiers of the code that a frame runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameCode {
    /// Key of the code.
    pub(crate) code: CodeKey,
    /// Hash of the code key and the transaction's entry function.
    salted: u64,
    /// Index of the frame in the transaction, in order of entry.
    number: usize,
}

impl FrameCode {
    /// Returns the identifiers of code in a transaction with this hash of its entry function.
    fn new(code: CodeKey, entry: u64, number: usize) -> Self {
        Self { code, salted: mix(code ^ entry), number }
    }

    /// Returns a place in the code.
    pub(crate) fn at(self, pc: usize) -> CmpSite {
        CmpSite { code: self.code, salted: self.salted, pc }
    }
}

/// Contribution of a call to the path of its transaction: what happened at a place of its code, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PathEvent {
    code: CodeKey,
    pc: usize,
    kind: PathEventKind,
    times: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PathEventKind {
    /// Decision of a JUMPI; true if it jumped.
    Decision(bool),
    /// SLOAD of a value with this bit length.
    Value(usize),
}

/// Edges, path and read values of one transaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathRecorder {
    edges: EdgeCounts,
    path: PathId,
    /// Hash and address of the code of all frames so far.
    entered: Vec<(B256, Address)>,
    /// Last conditional jump: index of its frame, and program counter. It is the branch of a failing `assert`.
    last_jumpi: Option<(usize, usize)>,
    /// Code of the running frames, by depth.
    pub(crate) frames: Vec<FrameCode>,
    /// Hash of the transaction's entry function: code and selector.
    entry: u64,
    /// Keys of all code met so far.
    pub(crate) codes: CodeKeys,
    /// Functions whose selectors are known; all selectors count as known without it.
    pub(crate) abis: Option<Arc<Abis>>,
    /// Classes of values that were read.
    values: Vec<ValueId>,
    /// Events of the path, while calls are recorded to be recalled later.
    events: Vec<PathEvent>,
    records_events: bool,
}

impl PathRecorder {
    /// Forgets the last transaction.
    pub(crate) fn reset(&mut self) {
        self.edges.clear();
        self.path = 0;
        self.values.clear();
        self.entered.clear();
        self.last_jumpi = None;
        self.record_events(false);
    }

    /// Begins or ends the recording of events. Those so far are forgotten.
    pub(crate) fn record_events(&mut self, on: bool) {
        self.records_events = on;
        self.events.clear();
    }

    /// Records that a frame begins at `depth`; the outermost frame has depth 1.
    pub(crate) fn enter(&mut self, depth: usize, interpreter: &Interpreter<EthInterpreter>) {
        let code = self.codes.key(interpreter.bytecode.hash(), interpreter.bytecode.bytecode_slice());
        if depth == 1 {
            // Unknown selectors all lead into the same fallback function.
            let selector = match &interpreter.input.input {
                CallInput::Bytes(data) => data.first_chunk::<4>().copied(),
                CallInput::SharedBuffer(_) => None,
            };
            let is_known =
                |selector: Selector| self.abis.as_ref().is_none_or(|abis| abis.function(selector).is_some());
            let known = selector.filter(|selector| is_known(selector.into()));
            self.entry = mix(code ^ u64::from(u32::from_be_bytes(known.unwrap_or_default())));
        }
        if self.frames.len() <= depth {
            self.frames.resize(depth + 1, FrameCode::default());
        }
        self.frames[depth] = FrameCode::new(code, self.entry, self.entered.len());
        self.entered.push(running(interpreter));
    }

    /// Returns the accounts whose code ran in the transaction.
    pub(crate) fn called(&self) -> impl Iterator<Item = Address> + '_ {
        self.entered.iter().map(|(_, address)| *address)
    }

    /// Returns the code of the frame at this depth.
    pub(crate) fn frame(&self, depth: usize) -> FrameCode {
        self.frames.get(depth).copied().unwrap_or_default()
    }

    /// Returns the place of the running instruction in the frame at this depth.
    pub(crate) fn place(&self, depth: usize, interpreter: &Interpreter<EthInterpreter>) -> CmpSite {
        self.frame(depth).at(interpreter.bytecode.pc() - 1)
    }

    /// Returns a place in code that does not run.
    pub(crate) fn place_in(&self, code: CodeKey, pc: usize) -> CmpSite {
        FrameCode::new(code, self.entry, 0).at(pc)
    }

    /// Records the decision of a JUMPI, and returns its place.
    pub(crate) fn jumped(
        &mut self,
        depth: usize,
        interpreter: &Interpreter<EthInterpreter>,
        taken: bool,
    ) -> CmpSite {
        self.jumped_at(depth, interpreter.bytecode.pc() - 1, taken)
    }

    /// Records the decision of a JUMPI at a program counter, and returns its place.
    #[inline]
    pub(crate) fn jumped_at(&mut self, depth: usize, pc: usize, taken: bool) -> CmpSite {
        let frame = self.frame(depth);
        let place = frame.at(pc);
        self.last_jumpi = Some((frame.number, place.pc));
        self.decided(place, taken, 1);
        place
    }

    /// Returns the last conditional jump.
    pub(crate) fn last_jumpi(&self) -> Option<CodePlace> {
        let (number, pc) = self.last_jumpi?;
        let (code, address) = *self.entered.get(number)?;
        Some(CodePlace { code, address, pc })
    }

    /// Returns the edges taken so far.
    pub(crate) fn edges(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.edges.edges().iter().copied()
    }

    /// Records the class of a value that an SLOAD read: the place of the SLOAD and the bit length of the value.
    pub(crate) fn note_value(
        &mut self,
        depth: usize,
        interpreter: &Interpreter<EthInterpreter>,
        value: U256,
    ) {
        if self.values.len() < KEPT_VALUES || self.records_events {
            self.read(self.place(depth, interpreter), value.bit_len());
        }
    }

    /// Returns the number of events since the recording began.
    pub(crate) fn event_count(&self) -> usize {
        self.events.len()
    }

    /// Returns the events from this one on, alike ones together; `None` if there were too many.
    pub(crate) fn events_from(&self, from: usize) -> Option<Box<[PathEvent]>> {
        let mut events = self.events.get(from..).filter(|_| self.events.len() < MOST_EVENTS)?.to_vec();
        events.sort_unstable();
        events.dedup_by(|next, kept| {
            let is_alike = PathEvent { times: kept.times, ..*next } == *kept;
            if is_alike {
                kept.times = kept.times.saturating_add(next.times);
            }
            is_alike
        });
        Some(events.into())
    }

    /// Adds the events of a call that did not run.
    pub(crate) fn recall(&mut self, events: &[PathEvent]) {
        if events.iter().any(|event| matches!(event.kind, PathEventKind::Decision(_))) {
            // The last conditional jump was in that call.
            self.last_jumpi = None;
        }
        for PathEvent { code, pc, kind, times } in events {
            let place = self.place_in(*code, *pc);
            match kind {
                PathEventKind::Decision(taken) => self.decided(place, *taken, *times),
                PathEventKind::Value(bits) => self.read(place, *bits),
            }
        }
    }

    #[inline]
    fn decided(&mut self, place: CmpSite, taken: bool, times: u32) {
        self.edge(place.edge(taken), times);
        self.note(place, PathEventKind::Decision(taken), times);
    }

    fn read(&mut self, place: CmpSite, bits: usize) {
        if self.values.len() < KEPT_VALUES {
            self.values.push(mix(place.edge(true) ^ ((bits as u64 + 1) << 32)));
        }
        self.note(place, PathEventKind::Value(bits), 1);
    }

    #[inline]
    fn note(&mut self, place: CmpSite, kind: PathEventKind, times: u32) {
        if self.records_events && self.events.len() < MOST_EVENTS {
            self.events.push(PathEvent { code: place.code, pc: place.pc, kind, times });
        }
    }

    /// Returns the classes of values read so far.
    pub(crate) fn values(&self) -> &[ValueId] {
        &self.values
    }

    /// Returns the path identifier so far. It is a hash of the multiset of branch decisions. The counts are
    /// those of AFL's buckets, so that one more iteration of a loop usually is the same path.
    pub(crate) fn path(&self) -> PathId {
        self.path
    }

    #[inline]
    fn edge(&mut self, edge: u64, times: u32) {
        let count = self.edges.add(edge, times);
        let (before, after) = (bucket(count.saturating_sub(times)), bucket(count));
        if before != after {
            let share = |bucket| match bucket {
                0 => 0,
                1 => edge,
                _ => mix(edge ^ bucket),
            };
            self.path = self.path.wrapping_sub(share(before)).wrapping_add(share(after));
        }
    }
}

/// Returns the AFL bucket of a hit count. The buckets are 1, 2, 3, 4-7, 8-15, 16-31, 32-127, and 128 or more.
fn bucket(count: u32) -> u64 {
    match count {
        0..=3 => u64::from(count),
        4..=7 => 4,
        8..=15 => 5,
        16..=31 => 6,
        32..=127 => 7,
        _ => 8,
    }
}
