//! `vm.record` and `vm.recordLogs`: records of storage accesses and of logs.

use super::{
    accesses::Accesses,
    dispatch::{CheatResult, Cheatcode, Cx, done},
    instruction_watch::InstructionWatch,
    vm::Vm,
};
use crate::evm::Ctx;
use alloy_primitives::{B256, Log};
use serde_json::{Map, Value, json};
use std::mem;

/// Recorded logs and accesses, and requests to record more.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording {
    logs: Option<Vec<Log>>,
    /// Accesses recorded before `vm.stopRecord`.
    accesses: Accesses,
    /// Requests to instructions, between transactions; during one the recorder holds them.
    pub(super) watch: InstructionWatch,
}

impl Recording {
    /// Tells whether no instruction of the next transaction is watched.
    pub(super) fn is_quiet(&self) -> bool {
        let Self { watch, logs: _, accesses: _ } = self;
        watch.is_quiet()
    }

    /// Returns the approximate size of the recorded accesses and logs in bytes.
    pub(super) fn size(&self) -> usize {
        let accesses = self.watch.accesses.iter().chain([&self.accesses]).map(Accesses::size);
        let logs = self.logs.iter().flatten().map(|log| size_of::<Log>() + log.data.data.len());
        accesses.chain(logs).sum()
    }

    /// Gives the requests to the recorder, for a transaction.
    pub(super) fn begin_tx(&mut self, ctx: &mut Ctx) {
        ctx.chain.watch = mem::take(&mut self.watch);
        if let Some(hooks) = &mut ctx.chain.watch.hooks {
            hooks.begin_tx();
        }
    }

    /// Takes the requests back from the recorder.
    pub(super) fn end_tx(&mut self, ctx: &mut Ctx) {
        self.watch = mem::take(&mut ctx.chain.watch);
        self.watch.accesses.iter_mut().chain([&mut self.accesses]).for_each(Accesses::end_tx);
    }

    /// Prepares for a transaction within the running one, which `vm.startStateDiffRecording` does not record.
    pub(super) fn enter_transaction(&mut self, ctx: &mut Ctx) {
        self.begin_tx(ctx);
        ctx.chain.watch.diffs = None;
    }

    /// Keeps a log for `vm.getRecordedLogs`, also when its frame reverts later.
    pub(super) fn on_log(&mut self, log: &Log) {
        if let Some(logs) = &mut self.logs {
            logs.push(log.clone());
        }
    }
}

impl Cheatcode for Vm::recordCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.recording.accesses = Accesses::default();
        cx.ctx.chain.watch.record_accesses();
        done()
    }
}

impl Cheatcode for Vm::stopRecordCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let recorded = cx.ctx.chain.watch.accesses.take().unwrap_or_default();
        cx.cheats.recording.accesses.append(recorded);
        done()
    }
}

impl Cheatcode for Vm::accessesCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.note_calls();
        let running = cx.ctx.chain.watch.accesses.iter().flat_map(Accesses::iter);
        let of_target =
            cx.cheats.recording.accesses.iter().chain(running).filter(|access| access.0 == self.target);
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for (_, slot, write) in of_target {
            let list = if *write { &mut writes } else { &mut reads };
            list.push(B256::from(*slot));
        }
        Ok((reads, writes).into())
    }
}

impl Cheatcode for Vm::recordLogsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        cx.cheats.recording.logs = Some(Vec::new());
        done()
    }
}

/// Returns the logs since the last time. As in Forge, recording begins if it had not.
fn take_logs(cx: &mut Cx<'_>) -> Vec<Log> {
    cx.cheats.recording.logs.replace(Vec::new()).unwrap_or_default()
}

impl Cheatcode for Vm::getRecordedLogsCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let log =
            |log: Log| Vm::Log { topics: log.topics().to_vec(), emitter: log.address, data: log.data.data };
        Ok(take_logs(cx).into_iter().map(log).collect())
    }
}

impl Cheatcode for Vm::getRecordedLogsJsonCall {
    fn apply(self, cx: &mut Cx<'_>) -> CheatResult<Self> {
        let log = |log: &Log| {
            let mut json = Map::new();
            json.insert("topics".to_owned(), json!(log.topics()));
            json.insert("data".to_owned(), json!(log.data.data));
            json.insert("emitter".to_owned(), json!(log.address.to_checksum(None)));
            Value::Object(json)
        };
        Ok(Value::Array(take_logs(cx).iter().map(log).collect()).to_string())
    }
}

/// Error of Forge, which records steps only if it traces them.
const NO_TRACER: &str = "no tracer initiated, consider adding -vvv flag";

impl Cheatcode for Vm::startDebugTraceRecordingCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Err(NO_TRACER.into())
    }
}

impl Cheatcode for Vm::stopAndReturnDebugTraceRecordingCall {
    fn apply(self, _: &mut Cx<'_>) -> CheatResult<Self> {
        Err(NO_TRACER.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evm::cheats::testing::{KEEPER, Lab, Program};
    use alloy_primitives::Address;
    use alloy_sol_types::SolValue;

    #[test]
    fn a_write_is_recorded_as_a_read_too_across_transactions() {
        let mut lab = Lab::new();
        lab.run(&Program::new().vm(&Vm::recordCall {}).call(KEEPER, [1; 32]));
        let output = lab.run(&Program::new().vm(&Vm::accessesCall { target: KEEPER }).give());
        let slot = vec![B256::ZERO];
        assert_eq!(output.output, (slot.clone(), slot).abi_encode_params());
    }

    #[test]
    fn logs_of_reverted_calls_are_kept_and_given_once() {
        let mut lab = Lab::new();
        let emitter = Address::repeat_byte(1);
        lab.put(emitter, &Program::new().log(B256::ZERO, b"x").fail(b"").assemble());
        let program = Program::new().vm(&Vm::recordLogsCall {}).call(emitter, []);
        let first = lab.run(&program.vm(&Vm::getRecordedLogsCall {}).give());
        let logs = Vec::<Vm::Log>::abi_decode(&first.output).unwrap();
        assert_eq!((logs.len(), logs[0].emitter, &logs[0].data[..]), (1, emitter, &b"x"[..]));
        let second = lab.run(&Program::new().vm(&Vm::getRecordedLogsCall {}).give());
        assert!(Vec::<Vm::Log>::abi_decode(&second.output).unwrap().is_empty());
    }
}
