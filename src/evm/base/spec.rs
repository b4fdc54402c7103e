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

/// Returns the hardfork of a name as in `vm.setEvmVersion`: that of an EVM version, or that of a hardfork with or
/// without its network, such as `eth:muirglacier`.
///
/// # Errors
/// Fails if there is none of this name, or if it is one of another network than Ethereum.
pub(in crate::evm) fn named(name: &str) -> Result<SpecId, String> {
    let name = name.trim();
    let version = EvmVersion::ALL.iter().find(|version| version.name() == name);
    if let Some(version) = version.filter(|version| version.is_released()) {
        return Ok(spec_id(*version));
    }
    let (network, fork) = name.split_once(':').unwrap_or(("eth", name));
    match network.trim().to_lowercase().as_str() {
        "op" | "optimism" | "t" | "tempo" | "m" | "monad" => {
            Err(format!("evm version {name} is one of another network; only those of Ethereum are supported"))
        }
        _ => of_ethereum(&fork.trim().to_lowercase()).ok_or_else(|| format!("invalid evm version {name}")),
    }
}

/// Returns a hardfork of Ethereum. Those that do not change the EVM are the hardforks before them.
fn of_ethereum(name: &str) -> Option<SpecId> {
    Some(match name {
        "frontier" => SpecId::FRONTIER,
        "homestead" | "dao" => SpecId::HOMESTEAD,
        "tangerine" => SpecId::TANGERINE,
        "spuriousdragon" => SpecId::SPURIOUS_DRAGON,
        "byzantium" => SpecId::BYZANTIUM,
        "constantinople" | "petersburg" => SpecId::PETERSBURG,
        "istanbul" | "muirglacier" => SpecId::ISTANBUL,
        "berlin" => SpecId::BERLIN,
        "london" | "arrowglacier" | "grayglacier" => SpecId::LONDON,
        "paris" => SpecId::MERGE,
        "shanghai" => SpecId::SHANGHAI,
        "cancun" => SpecId::CANCUN,
        "prague" => SpecId::PRAGUE,
        "osaka" | "bpo1" | "bpo2" | "bpo3" | "bpo4" | "bpo5" => SpecId::OSAKA,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardforks_have_the_names_of_versions_and_of_their_network() {
        assert_eq!(named("cancun"), Ok(SpecId::CANCUN));
        assert_eq!(named("MuirGlacier"), Ok(SpecId::ISTANBUL));
        assert_eq!(named("eth:prague"), Ok(SpecId::PRAGUE));
        insta::assert_snapshot!(named("op:isthmus").unwrap_err(), @"evm version op:isthmus is one of another network; only those of Ethereum are supported");
        insta::assert_snapshot!(named("eth:nowhere").unwrap_err(), @"invalid evm version eth:nowhere");
    }
}
