//! What `beforeTestSetup` asks for before a test.

use super::TestEnv;
use crate::evm::{
    base::constants::CALLER,
    trace::call_tree::Tracer,
    vm::{
        evm::{Callee, Evm, TopCall},
        inspector::CallInspector,
    },
};
use crate::model::{TargetFunction, TraceKind};
use alloy_dyn_abi::{DynSolValue, FunctionExt as _, JsonAbiExt as _};
use alloy_json_abi::Function;
use alloy_primitives::{Address, B256, Bytes, U256};

/// As Forge calls it, whatever the contract has under that name.
const BEFORE_TEST_SETUP: &str = "beforeTestSetup(bytes4)(bytes[])";

impl TestEnv {
    /// Makes the calls that the test contract wants before `test`, each as the test itself is made. The first that
    /// reverts ends them, and leaves the test unprepared.
    pub(super) fn prepare(&mut self, test: &TargetFunction) {
        let mut machine = Evm::new(self.world.clone(), &self.env, CallInspector::new(self.cheats.clone()));
        machine.bound_time(self.patient_timeout());
        machine.end_when(self.ends_when.clone());
        machine.surround(&self.surroundings);
        let calls = self.calls_before(&mut machine, test);
        machine.session().cheats = self.cheats.clone();
        machine.session().tracer = Some(Tracer::default());
        for data in calls {
            let output = machine.transact(&self.to_test(self.env.sender, data));
            let traces = machine.session().tracer.as_mut().map(Tracer::take).unwrap_or_default();
            self.traces.extend(traces.into_iter().map(|trace| (TraceKind::Execution, trace)));
            self.logs.append(&mut machine.session().cheats.take_logs());
            if output.is_success() {
                machine.commit();
            } else {
                machine.discard();
            }
            machine.settle();
            self.prepared = output.is_success();
            if !self.prepared {
                break;
            }
        }
        self.cheats = machine.session().cheats.clone();
        self.surroundings = machine.surroundings();
        self.world = machine.world().clone();
    }

    /// Their calldata; none where the contract does not answer as it should.
    fn calls_before(&self, machine: &mut Evm, test: &TargetFunction) -> Vec<Bytes> {
        let function = Function::parse(BEFORE_TEST_SETUP).expect("a signature");
        let selector = DynSolValue::FixedBytes(B256::right_padding_from(test.selector().as_slice()), 4);
        let data = function.abi_encode_input(&[selector]).expect("its only argument");
        let output = machine.transact(&self.to_test(CALLER, data.into()));
        machine.discard();
        machine.settle();
        let answer = output.is_success().then(|| function.abi_decode_output(&output.output).ok()).flatten();
        let calls =
            answer.and_then(|answer| answer.first()?.as_array().map(<[_]>::to_vec)).unwrap_or_default();
        calls.iter().filter_map(DynSolValue::as_bytes).map(Bytes::copy_from_slice).collect()
    }

    fn to_test(&self, caller: Address, data: Bytes) -> TopCall {
        TopCall { caller, to: Callee::Account(self.test), value: U256::ZERO, data, reentry: None }
    }
}
