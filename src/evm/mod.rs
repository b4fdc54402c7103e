//! Everything that touches the EVM: revm is named in this room only.

mod audit;
pub mod bare;
mod blob;
pub(crate) mod cheats;
pub mod constants;
mod counts;
pub mod coverage;
mod curve;
pub mod decode;
pub mod executor;
mod facts;
pub(crate) mod failure;
mod fork;
mod halt;
pub(crate) mod harvest;
mod isolation;
pub(crate) mod machine;
mod nested;
mod place;
pub(crate) mod probe;
pub mod pulse;
pub(crate) mod scan;
mod secrets;
pub(crate) mod session;
pub mod stage;
mod stepping;
pub(crate) mod targets;
pub(crate) mod tracer;
pub(crate) mod track;
pub(crate) mod world;

pub use halt::EndsWhen;

use revm::{
    Context, Journal,
    context::{BlockEnv, CfgEnv, Evm, TxEnv},
    handler::{EthFrame, EthPrecompiles, instructions::EthInstructions},
    interpreter::interpreter::EthInterpreter,
};

/// The context that instructions and hooks see; the probe sits in the chain slot.
pub(crate) type Ctx = Context<BlockEnv, TxEnv, CfgEnv, world::LayeredDb, Journal<world::LayeredDb>, probe::TraceRecorder>;

/// The machine: revm with our instruction table, and the session as its inspector.
pub(crate) type InnerEvm = Evm<
    Ctx,
    session::CallInspector,
    EthInstructions<EthInterpreter, Ctx>,
    EthPrecompiles,
    EthFrame<EthInterpreter>,
>;
