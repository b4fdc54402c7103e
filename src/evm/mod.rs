//! Execution of contracts on revm. No other module uses revm.
//!
//! | layer | contents |
//! |---|---|
//! | [`exec`] | the state after `setUp`, targets, and the executor that runs sequences on it |
//! | `vm` | one EVM per thread: top-level calls, inspector, instruction tables, nested transactions |
//! | `cheats` | Forge's cheatcodes, one file per group |
//! | [`trace`] | recordings of a transaction: coverage, comparisons, reads, taint, call tree |
//! | `state` | accounts, their changes, and forks of live chains |
//! | [`base`] | limits of a call, heartbeats of threads, constants, signatures |
//!
//! A layer uses only the layers below it; `tests/it/tidy` checks this. `Ctx` is the exception: revm passes
//! one context to all instructions and hooks, so every layer may name its type.

pub mod base;
pub(crate) mod cheats;
pub mod exec;
pub(crate) mod state;
pub mod trace;
pub(crate) mod vm;

pub use base::limits::EndsWhen;
pub use exec::{bare, executor, test_env};
pub use trace::{coverage, decode};

use revm::{
    Context, Journal,
    context::{BlockEnv, CfgEnv, Evm, TxEnv},
    handler::{EthFrame, EthPrecompiles, instructions::EthInstructions},
    interpreter::interpreter::EthInterpreter,
};
use state::layers::LayeredDb;

/// Context of instructions and hooks. The recorder sits in revm's chain slot.
pub(crate) type Ctx =
    Context<BlockEnv, TxEnv, CfgEnv, LayeredDb, Journal<LayeredDb>, vm::recorder::TraceRecorder>;

/// revm's EVM with the instruction table and the inspector of this crate.
pub(crate) type InnerEvm = Evm<
    Ctx,
    vm::inspector::CallInspector,
    EthInstructions<EthInterpreter, Ctx>,
    EthPrecompiles,
    EthFrame<EthInterpreter>,
>;
