//! Mapping from EVM versions to revm's hardforks.

use crate::config::EvmVersion;
use revm::primitives::hardfork::SpecId;

/// Returns the hardfork of an EVM version. Versions that only compilers distinguish map to the nearest hardfork.
pub(in crate::evm) fn spec_id(version: EvmVersion) -> SpecId {
    match version {
        EvmVersion::Homestead => SpecId::HOMESTEAD,
        EvmVersion::TangerineWhistle => SpecId::TANGERINE,
        EvmVersion::SpuriousDragon => SpecId::SPURIOUS_DRAGON,
        EvmVersion::Byzantium => SpecId::BYZANTIUM,
        EvmVersion::Constantinople | EvmVersion::Petersburg => SpecId::PETERSBURG,
        EvmVersion::Istanbul => SpecId::ISTANBUL,
        EvmVersion::Berlin => SpecId::BERLIN,
        EvmVersion::London => SpecId::LONDON,
        EvmVersion::Paris => SpecId::MERGE,
        EvmVersion::Shanghai => SpecId::SHANGHAI,
        EvmVersion::Cancun => SpecId::CANCUN,
        EvmVersion::Prague => SpecId::PRAGUE,
        EvmVersion::Osaka => SpecId::OSAKA,
        EvmVersion::Amsterdam => SpecId::AMSTERDAM,
    }
}
