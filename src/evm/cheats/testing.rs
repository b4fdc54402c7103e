//! EVM and hand-assembled contracts for tests of cheatcodes.

pub(in crate::evm) use super::vm::Vm;
use super::{CheatEnv, Cheats};
use crate::{
    config::{CheatsConfig, Config},
    evm::{
        base::{constants::VM_ADDRESS, hash::mix},
        state::layers::BaseState,
        vm::{
            call::{CallOutput, TopCall},
            evm::Evm,
            inspector::CallInspector,
            nested,
        },
    },
    project::{Project, test_contracts::contract},
};
use alloy_primitives::{Address, B256, Bytes, U256, address, hex};
use alloy_sol_types::{SolCall, SolValue};
use revm::{
    bytecode::{Bytecode, opcode as op},
    state::AccountInfo,
};
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// Address of the program under test.
pub(in crate::evm) const TEST: Address = address!("7E57000000000000000000000000000000000000");

/// Some account without a special role.
pub(in crate::evm) const ALICE: Address = address!("A11CE00000000000000000000000000000000000");

/// Address of a contract that returns its caller and the transaction's origin.
pub(in crate::evm) const WHO: Address = address!("0000000000000000000000000000000000FACADE");

/// Address of a contract that writes the word in its calldata to slot 0.
pub(in crate::evm) const KEEPER: Address = address!("000000000000000000000000000000000000CAFE");

const WHO_CODE: [u8; 11] = [
    op::CALLER,
    op::PUSH0,
    op::MSTORE,
    op::ORIGIN,
    op::PUSH1,
    32,
    op::MSTORE,
    op::PUSH1,
    64,
    op::PUSH0,
    op::RETURN,
];

const KEEPER_CODE: [u8; 5] = [op::PUSH0, op::CALLDATALOAD, op::PUSH0, op::SSTORE, op::STOP];

/// EVM with the contracts above.
pub(in crate::evm) struct Lab {
    pub(in crate::evm) evm: Evm,
}

impl Lab {
    pub(in crate::evm) fn new() -> Self {
        Self::configured(|_| {})
    }

    /// Creates an EVM with a changed configuration of cheatcodes.
    pub(in crate::evm) fn configured(configure: impl FnOnce(&mut CheatEnv)) -> Self {
        let mut env = cheat_env();
        configure(&mut env);
        let inspector = CallInspector::new(Cheats::new(Arc::new(env)));
        let mut lab = Self { evm: Evm::new(Arc::new(BaseState::default()), &defaults().env, inspector) };
        lab.put(VM_ADDRESS, &[op::STOP]);
        lab.put(WHO, &WHO_CODE);
        lab.put(KEEPER, &KEEPER_CODE);
        lab
    }

    /// Puts code at an address.
    pub(in crate::evm) fn put(&mut self, address: Address, code: &[u8]) {
        let base_state = Arc::make_mut(self.evm.base_state());
        base_state.set_code(address, Bytecode::new_raw(Bytes::copy_from_slice(code)));
        base_state.accounts.entry(address).or_default().info.nonce = 1;
    }

    /// Runs a program at [`TEST`] and commits its effects.
    pub(in crate::evm) fn run(&mut self, program: &Program) -> CallOutput {
        let output = self.pend(program);
        self.evm.commit();
        output
    }

    /// Runs a program at [`TEST`]; its effects are pending.
    pub(in crate::evm) fn pend(&mut self, program: &Program) -> CallOutput {
        self.evm.settle();
        self.put(TEST, &program.assemble());
        let call = TopCall::ask(TEST, Bytes::new());
        self.evm.transact(&call)
    }

    /// Calls the contract at [`TEST`]; its effects are pending.
    pub(in crate::evm) fn call(&mut self, data: Bytes) -> CallOutput {
        let call = TopCall::ask(TEST, data);
        self.evm.transact(&call)
    }

    /// Sets a word of [`TEST`]'s storage.
    pub(in crate::evm) fn set_storage(&mut self, slot: U256, value: U256) {
        let base_state = Arc::make_mut(self.evm.base_state());
        base_state.accounts.entry(TEST).or_default().storage.insert(slot, value);
    }

    /// Returns the current state of an account.
    pub(in crate::evm) fn info(&mut self, address: Address) -> AccountInfo {
        let journal = &mut self.evm.vm.ctx.journaled_state;
        let Ok(account) = journal.inner.load_code(&mut journal.database, address);
        account.data.info.clone()
    }

    pub(in crate::evm) fn cheats(&mut self) -> &mut Cheats {
        &mut self.evm.inspector().cheats
    }
}

/// Random numbers (splitmix64).
pub(in crate::evm) struct Random(pub(in crate::evm) u64);

impl Random {
    pub(in crate::evm) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.0) % bound as u64) as usize
    }
}

/// Decodes revert data as text, for these tests.
pub(in crate::evm) fn reason(data: &[u8]) -> String {
    let text = data.get(4..).and_then(|data| String::abi_decode(data).ok());
    text.unwrap_or_else(|| String::from_utf8_lossy(data).into_owned())
}

/// Root of the project; there is no such directory.
const ROOT: &str = "root";

fn defaults() -> Config {
    Config::defaults(Path::new(ROOT))
}

fn cheat_env() -> CheatEnv {
    let reverts = hex::encode(Program::new().fail(b"no").assemble());
    let contracts = [("Empty", "00"), ("Reverts", &reverts)];
    let contracts = contracts.map(|(name, code)| Arc::new(contract(&format!("src/Lab.sol:{name}"), code)));
    let config = defaults();
    CheatEnv {
        deprecated: std::sync::Arc::default(),
        // No permissions, not even the default one for artifacts.
        config: CheatsConfig { fs_permissions: Vec::new(), isolate: false, ..config.cheats },
        root: ROOT.into(),
        environment: BTreeMap::from([("SECRET".to_owned(), "sesame".to_owned())]),
        rpc: config.rpc,
        gas_snapshots: Arc::default(),
        seed: U256::ONE,
        project: Arc::new(Project::of(contracts.to_vec())),
        running: contracts[0].clone(),
        test: TEST,
        revert_text: Arc::new(reason),
        run_nested: nested::run,
    }
}

/// Contract that executes a list of actions, independently of its calldata.
#[derive(Clone, Default)]
pub(in crate::evm) struct Program {
    code: Vec<u8>,
    /// Data, by the position in the code of its offset.
    data: Vec<(usize, Vec<u8>)>,
}

impl Program {
    pub(in crate::evm) fn new() -> Self {
        Self::default()
    }

    fn op(mut self, code: &[u8]) -> Self {
        self.code.extend(code);
        self
    }

    /// Copies `data` to memory.
    fn load(mut self, data: &[u8]) -> Self {
        self = self.length(data.len()).op(&[op::PUSH3]);
        self.data.push((self.code.len(), data.to_vec()));
        self.op(&[0, 0, 0, op::PUSH0, op::CODECOPY])
    }

    fn length(self, length: usize) -> Self {
        let bytes = u32::try_from(length).expect("tests are short").to_be_bytes();
        self.op(&[op::PUSH3]).op(&bytes[1..])
    }

    /// Calls, and continues if the call reverts.
    pub(in crate::evm) fn call(self, to: Address, data: impl AsRef<[u8]>) -> Self {
        self.call_with(to, 0, data)
    }

    /// Calls with a value in wei.
    pub(in crate::evm) fn call_with(self, to: Address, value: u8, data: impl AsRef<[u8]>) -> Self {
        let data = data.as_ref();
        let memory = self.load(data).op(&[op::PUSH0, op::PUSH0]).length(data.len());
        let target = memory.op(&[op::PUSH0, op::PUSH1, value, op::PUSH20]).op(to.as_slice());
        target.op(&[op::GAS, op::CALL, op::POP])
    }

    /// Calls a cheatcode; if it reverts, reverts with the same data.
    pub(in crate::evm) fn vm(self, call: &impl SolCall) -> Self {
        self.must(VM_ADDRESS, call.abi_encode())
    }

    /// Calls; if the call reverts, reverts with the same data.
    pub(in crate::evm) fn must(self, to: Address, data: impl AsRef<[u8]>) -> Self {
        let mut called = self.call(to, data);
        called.code.pop();
        let dest = called.code.len() + 4 + 1 + 7;
        called
            .length(dest)
            .op(&[op::JUMPI, op::RETURNDATASIZE, op::PUSH0, op::PUSH0, op::RETURNDATACOPY])
            .op(&[op::RETURNDATASIZE, op::PUSH0, op::REVERT, op::JUMPDEST])
    }

    /// Creates a contract and keeps its address in memory.
    pub(in crate::evm) fn create(self, init_code: &[u8]) -> Self {
        let loaded = self.load(init_code).length(init_code.len());
        loaded.op(&[op::PUSH0, op::PUSH0, op::CREATE, op::PUSH0, op::MSTORE])
    }

    /// Emits an event with one topic.
    pub(in crate::evm) fn log(self, topic: B256, data: impl AsRef<[u8]>) -> Self {
        let data = data.as_ref();
        let topic = self.load(data).op(&[op::PUSH32]).op(topic.as_slice());
        topic.length(data.len()).op(&[op::PUSH0, op::LOG1])
    }

    /// Returns the output of the last call.
    pub(in crate::evm) fn give(self) -> Self {
        self.op(&[op::RETURNDATASIZE, op::PUSH0, op::PUSH0, op::RETURNDATACOPY]).op(&[
            op::RETURNDATASIZE,
            op::PUSH0,
            op::RETURN,
        ])
    }

    /// Returns the first word of memory.
    pub(in crate::evm) fn give_word(self) -> Self {
        self.op(&[op::PUSH1, 32, op::PUSH0, op::RETURN])
    }

    /// Returns the remaining gas.
    pub(in crate::evm) fn give_gas(self) -> Self {
        self.op(&[op::GAS, op::PUSH0, op::MSTORE]).give_word()
    }

    /// Hashes memory this many times, to use gas.
    pub(in crate::evm) fn burn(self, times: usize) -> Self {
        let hash = [op::PUSH2, 16, 0, op::PUSH0, op::KECCAK256, op::POP];
        self.op(&hash.repeat(times))
    }

    /// Reverts with this data.
    pub(in crate::evm) fn fail(self, data: &[u8]) -> Self {
        self.load(data).length(data.len()).op(&[op::PUSH0, op::REVERT])
    }

    /// Returns the code, followed by its data.
    pub(in crate::evm) fn assemble(&self) -> Vec<u8> {
        let mut code = self.code.clone();
        code.push(op::STOP);
        for (place, data) in &self.data {
            let offset = u32::try_from(code.len()).expect("tests are short").to_be_bytes();
            code[*place..place + 3].copy_from_slice(&offset[1..]);
            code.extend(data);
        }
        code
    }
}
